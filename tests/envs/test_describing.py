"""What every number of an observation is: in the documentation, in the code, and in words."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from flip7 import Game, Position
from flip7.envs.describing import SEAT, TABLE, describe, players_of
from flip7.envs.observation import SEAT_SIZE, SEATS_FROM, observe, row_size
from flip7.extras import advice

DOCS = Path(__file__).resolve().parent.parent.parent / "docs" / "envs.md"


def seen(position: Position, seat: int) -> list[int]:
    row = [0] * row_size(position.table.seats)
    observe(position.table, seat, row)
    return row


def test_the_numbers_follow_each_other_without_a_gap() -> None:
    for parts, end in ((TABLE, SEATS_FROM), (SEAT, SEAT_SIZE)):
        assert [part.first for part in parts] == [sum(p.size for p in parts[:n]) for n in range(len(parts))]
        assert parts[-1].first + parts[-1].size == end


def test_the_documentation_tells_every_number_as_the_code_does() -> None:
    text = DOCS.read_text(encoding="utf-8")
    told = re.findall(r"^\| (\d+)(?:–(\d+))? \| ([a-z ]+) \| (.+) \|$", text, re.MULTILINE)
    wanted = [
        (str(part.first), str(part.first + part.size - 1) if part.size > 1 else "", part.name, part.meaning)
        for part in (*TABLE, *SEAT)
    ]
    assert told == wanted
    assert f"{SEATS_FROM} + {SEAT_SIZE} × players" in text


def test_a_row_in_words() -> None:
    position = Position("3:5,12,x2,second/120b:7,7/45s:1,2,+4 turn@0 round=4 dealer=1")
    words = describe(seen(position, 0))
    assert words.splitlines()[0] == "waits for: hit or stay, asked of oneself"
    assert "round 4 to 200, 3 players; turn: oneself; dealer: seat +1; turn order starts left of the dealer" in words
    assert "oneself: active, 34 points, total 3: 5 12 x2 second" in words
    assert "seat +1: busted, 0 points, total 120: 2×7" in words
    assert "seat +2: stayed, 7 points, total 45: 1 2 +4" in words
    assert "asked of seat +2" in describe(seen(position, 1))


def test_pending_cards_in_words() -> None:
    game = Game(3, deck=["flip3", "freeze", "flip3", "5"], seed=1)
    game.play(1)  # the Flip Three, on oneself
    assert "set aside: freeze, flip3" in describe(seen(game.position, 1))
    assert "who gets the freeze, asked of oneself" in describe(seen(game.position, 1))
    game.play(2)
    assert "set aside: freeze for seat +1, flip3" in describe(seen(game.position, 1))


def test_large_totals_and_targets_are_whole() -> None:
    position = Position("300:5/513:7 turn@0 target=1000")
    words = describe(seen(position, 0))
    assert "total 300" in words
    assert "total 513" in words
    assert "to 1000" in words


def test_a_total_that_does_not_fit_stays_at_the_highest_that_does() -> None:
    """A playoff may go on beyond any target."""
    row = seen(Position("65536:5/65536:7 turn@0 target=65000"), 0)
    assert describe(row).count("total 65535") == 2
    assert max(row) == 255


@pytest.mark.parametrize("size", [0, 82, 100, row_size(37)])
def test_a_row_of_another_length_is_refused(size: int) -> None:
    with pytest.raises(ValueError, match=f"an observation of {size} numbers"):
        players_of(size)


@pytest.mark.parametrize(
    "given",
    [
        None,
        {"observation": [0] * row_size(4)},
        [[0] * row_size(4)] * 2,
        "hit",
        [0.5] * row_size(4),
        [-1] * row_size(4),
        [float("nan")] * row_size(4),
        [float("inf")] * row_size(4),
    ],
)
def test_what_is_no_row_is_refused_with_what_would_be_one(given: Any) -> None:
    """All rows of a batch at once, what PettingZoo has around a row, numbers that were scaled."""
    with pytest.raises(ValueError, match="one row of whole numbers from 0 to 255 is needed, such as observations"):
        describe(given)


@pytest.mark.parametrize(("number", "most"), [(0, 4), (2, 3), (62, 2), (SEATS_FROM, 4), (SEATS_FROM + SEAT_SIZE, 4)])
def test_a_number_that_means_nothing_is_named(number: int, most: int) -> None:
    row = seen(Game(3, seed=1).position, 0)
    row[number] = most + 1
    with pytest.raises(ValueError, match=f"number {number} of the observation is {most + 1}: 0 to {most} is what"):
        describe(row)


def test_the_package_is_light_and_says_what_is_missing() -> None:
    """Without Gymnasium, PettingZoo or OpenSpiel the rest works; each wrapper, and a batch, tells what to install."""
    script = """
import importlib.abc, sys
class Missing(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name in missing:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
missing = ("numba", "gymnasium", "pettingzoo", "pyspiel")
sys.meta_path.insert(0, Missing())
import flip7.envs
assert "numba" not in sys.modules and "numpy" not in sys.modules
try:
    flip7.envs.Batch
except ImportError as error:
    print(error)
import importlib
def try_wrappers():
    for module in ("flip7_v0", "openspiel", "gym"):
        try:
            importlib.import_module(f"flip7.envs.{module}")
        except ImportError as error:
            print(error)
try_wrappers()
missing = missing[1:]
try_wrappers()
try:
    flip7.envs.nothing
except AttributeError as error:
    print(error)
"""
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    lines = run.stdout.splitlines()
    assert lines[0] == f"flip7.envs.Batch needs NumPy and Numba: {advice('envs')}"
    assert lines[1].startswith("flip7.envs.flip7_v0 needs the package 'gymnasium': ")
    assert lines[2].startswith("flip7.envs.openspiel needs the package 'pyspiel': ")
    assert lines[3].startswith("flip7.envs.gym needs the package 'gymnasium': ")
    assert "[envs]" in lines[1]
    assert lines[4:7] == lines[1:4]  # whether the compiler is there or not: one extra brings all
    assert lines[7] == "module 'flip7.envs' has no attribute 'nothing'"
