"""Calls over a distance: callers neither contain what they call, nor lose its errors."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path

import numba
import pytest

from flip7 import Rules, simulate
from flip7.compiled.build import compile_function, record_type
from flip7.compiled.far import Far, alone_in
from flip7.compiled.loading import numpy as np
from flip7.strategy import kernel, policies
from flip7.strategy.bench import LAYOUT, Bench
from flip7.strategy.engine import compiled

PAIR = record_type({"number": ("i8", ()), "more": ("i8", (2,))})
OTHER = record_type({"number": ("i4", ()), "more": ("i8", (3,))})


def add_up(one: object, other: object) -> None:
    """Add a number to another record's, and refuse a negative one."""
    if one.number < 0:  # type: ignore[attr-defined]
        raise ValueError("negative")
    other.number += one.number  # type: ignore[attr-defined]


def test_who_wants_to_compile_the_same_waits_for_who_does(tmp_path: Path) -> None:
    told: list[str] = []

    def second() -> None:
        with alone_in(tmp_path / "cache"):
            told.append("second")

    with alone_in(tmp_path / "cache"):
        thread = threading.Thread(target=second)
        thread.start()
        thread.join(0.2)
        told.append("first")
    thread.join()
    assert told == ["first", "second"]


def test_it_is_called_where_it_lies_and_its_errors_come_back() -> None:
    far = Far(PAIR, PAIR)
    stub = far.stand_for(compile_function(add_up), "flip7_test_add_up")
    far.load()
    pairs = np.zeros(2, PAIR)
    pairs["number"] = 3, 4
    stub(pairs[0], pairs[1])
    assert pairs["number"].tolist() == [3, 7]
    pairs["number"][0] = -1
    with pytest.raises(ValueError, match="negative"):
        stub(pairs[0], pairs[1])
    code = stub.inspect_llvm()[far.types]  # type: ignore[attr-defined]
    assert "flip7_test_add_up" in code


def test_other_records_get_a_copy() -> None:
    far = Far(PAIR, PAIR)
    stub = far.stand_for(compile_function(add_up), "flip7_test_never_loaded")
    others = np.zeros(2, OTHER)
    others["number"] = 3, 4
    stub(others[0], others[1])
    assert others["number"].tolist() == [3, 7]


def test_callers_of_the_kernel_do_not_contain_it() -> None:
    """Ten copies of it took a minute to compile."""
    from flip7.compiled.build import to_records

    roll_out = compiled((policies.DEEP,))["rollouts"].roll_out  # as those who think have compiled it
    table = Rules(target=30).table(2)
    kernel.step(table, 0)
    bench = Bench(table, [(2, 20, 2, 20)] * 2)
    tables, benches = to_records([table]), to_records([bench], LAYOUT)
    roll_out(tables[0], benches[0], 50)
    again = numba.njit(nogil=True, error_model="numpy")(roll_out.py_func)  # what comes from the disk cannot be read
    again.compile(roll_out.signatures[0])
    code = again.inspect_llvm(again.signatures[0])
    assert tables[0]["winner"] >= 0
    assert "flip7_play_on_" in code
    assert "take" not in code


def test_a_process_that_finds_all_callers_on_disk_plays_too() -> None:
    """It compiles none of them, so nothing but the engine itself can make the kernel known."""
    field = ["points:20", "points:20"]
    code = f"from flip7 import simulate; print(simulate({field!r}, games=40, seed=6, workers=1).flips)"
    mine = simulate(field, games=40, seed=6, workers=1).flips
    for _ in range(2):
        run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        assert int(run.stdout) == mine
