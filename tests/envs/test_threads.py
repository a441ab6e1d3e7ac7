"""A step holds no lock of the interpreter: other threads go on meanwhile."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest

from flip7.envs import Batch
from flip7.envs.learner import Learner

TABLES = 1 << 17  # a step of some milliseconds


@pytest.fixture
def counted() -> Iterator[list[int]]:
    """What another thread counts, whenever it has the interpreter. It gets it only from who lets it go."""
    count, done = [0], threading.Event()

    def work() -> None:
        while not done.is_set():
            count[0] += 1
            time.sleep(0)  # lets it go

    usual = sys.getswitchinterval()
    sys.setswitchinterval(60.0)
    thread = threading.Thread(target=work)
    thread.start()
    yield count
    done.set()
    thread.join()
    sys.setswitchinterval(usual)


@pytest.mark.parametrize("kind", ["Batch", "Learner"])
def test_another_thread_goes_on_during_one_step(kind: str, counted: list[int]) -> None:
    many: Any
    if kind == "Batch":
        many = Batch(TABLES, 4)
    else:
        many = Learner(TABLES, ("ev", "points:25", "net"), None, "win", "error", "uint8", again=True)
        many.reset([0] * TABLES)
    play = many._play if kind == "Batch" else many._go
    meanwhile = 0
    for _ in range(20):  # where the machine is busy, the other thread may not come to its turn at once
        many._actions[:] = many.masks.argmax(axis=1)
        before = counted[0]
        play()
        meanwhile += counted[0] - before
        if meanwhile:
            return
    pytest.fail("nothing was counted during a step")
