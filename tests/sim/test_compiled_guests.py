"""Strategies of the user's that are written like the rules, and so can be compiled."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from flip7 import Rules, StrategyError, simulate
from flip7.strategy.engine import Engine

STEADY = """
LIMIT = 20

class Steady:
    def turn(self, position):
        return "hit" if self.wants_card(position.table) else "stay"

    def target(self, position):
        return self.chosen_target(position.table)

    @staticmethod
    def wants_card(table):
        return table.sums[table.seat] < LIMIT

    @staticmethod
    def chosen_target(table):
        if table.target == 123:
            return 40
        for seat in range(table.seats - 1, -1, -1):
            if table.status[seat] == 0 and (table.card < 21 or (seat != table.seat and table.hands[seat][21] == 0)):
                return seat
        return -1
"""


def steady(folder: Path, text: str = STEADY) -> str:
    file = folder / "bots.py"
    file.write_text(text)
    return f"{file}:Steady"


@pytest.mark.long
def test_a_compiled_guest_plays_as_in_plain_python_wherever_it_is_and_may_not_answer_illegally(tmp_path: Path) -> None:
    field = [steady(tmp_path), "points:25", "ev"]
    fast = simulate(field, games=100, seed=1, workers=1)
    plain = simulate(field, games=100, seed=1, engine="interpreted")
    assert (fast.engine, plain.engine) == ("compiled", "interpreted")
    assert (fast.wins, fast.flips, fast.scores, fast.lengths) == (plain.wins, plain.flips, plain.scores, plain.lengths)
    engines: tuple[Engine, ...] = ("compiled", "interpreted")
    for engine in engines:
        with pytest.raises(StrategyError, match=r"Steady: (chosen_)?target answered"):
            simulate(field, games=100, seed=1, rules=Rules(target=123), engine=engine, workers=1)
    moved = tmp_path / "moved"
    moved.mkdir()
    field[0] = steady(moved)
    code = f"from flip7 import simulate; print(simulate({field!r}, games=100, seed=1, workers=1).flips)"
    again = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert int(again.stdout) == fast.flips  # by a process that finds the compiled code of the file before it was moved


def test_a_guest_that_does_not_compile_is_told(tmp_path: Path) -> None:
    name = steady(tmp_path, STEADY.replace("LIMIT = 20", "LIMIT = 'twenty'"))
    with pytest.raises(StrategyError, match="Steady: wants_card cannot be compiled: No implementation of function"):
        simulate([name, "points:25"], games=10, seed=1)


def test_a_guest_with_half_of_the_compiled_methods_is_played_in_plain_python(tmp_path: Path) -> None:
    name = steady(
        tmp_path, STEADY.replace("def chosen_target", "def picked").replace("self.chosen_target", "self.picked")
    )
    assert simulate([name, "points:25"], games=4, seed=1).engine == "interpreted"
