"""The book: the weights of the nets, as they were trained, for a number of seats."""

from __future__ import annotations

import functools
import json
from collections.abc import Sequence
from pathlib import Path

from flip7.strategy.value import BOOK_SIZE

DATA = Path(__file__).with_name("net.json")
"""What `make strategies` has written."""

GROUPS = ((2, 2), (3, 3), (4, 4), (5, 6), (7, 9), (10, 18))
"""Which numbers of seats share their weights."""


def group_of(seats: int) -> int:
    """Return the group whose weights serve a number of seats; beyond them, the nearest."""
    for group, (_, most) in enumerate(GROUPS):
        if seats <= most:
            return group
    return len(GROUPS) - 1


@functools.cache
def book_for(seats: int) -> Sequence[float]:
    """Return the weights for a number of seats, in the order of `strategy.net` and `strategy.value`."""
    weights = _weights()[group_of(seats)]
    if len(weights) != BOOK_SIZE:
        raise ValueError(f"{DATA.name} holds {len(weights)} weights instead of {BOOK_SIZE}: run make strategies")
    return weights


@functools.cache
def _weights() -> list[list[float]]:
    groups = json.loads(DATA.read_text(encoding="utf-8"))["groups"]
    return [[float(weight) / 100_000 for weight in group] for group in groups]
