"""Thinking about one position, compiled: what `deep` chooses, and how rollouts of a position end."""

from __future__ import annotations

import math
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from flip7.game.position import Position
from flip7.rules.table import Table
from flip7.strategy import bench as benches
from flip7.strategy import engine, policies, random
from flip7.strategy.bench import Bench
from flip7.strategy.book import book_for

ROUNDS = 2  # that a rollout lasts: then the bias of the net that judges it is small (docs/strength.md)
ALONE = 5  # rounds, in which the challenge of a single player is decided (SOLO-1)
WHOLE_GAME = 10_000

NET = (policies.NET, 0, policies.NET, 0)


def compiled_before(module: str, name: str) -> bool:
    """Return whether rollouts are compiled on this machine's disk. Raises `ImportError` without Numba."""
    build = engine.compiled((policies.DEEP,))
    function: Any = getattr(build[module], name)
    return any(Path(function.stats.cache_path).glob(f"{module}.{name}-*.nbi"))


def warm_up() -> None:
    """Make the compiled build ready. What has to be compiled is, in a process of its own: this one can go on."""
    if not compiled_before("deep", "think"):
        subprocess.run([sys.executable, "-m", "flip7.strategy.thinking"], check=False, stdin=subprocess.DEVNULL)
    _think_once()


def _think_once() -> None:
    Mind(Position("0:5/0:7 turn@0").table).think((policies.DEEP, 1, policies.DEEP, 1))


class Mind:
    """A position taken into the compiled build."""

    def __init__(self, table: Table) -> None:
        """Take a table. Raises `ImportError`, which says what to install, where nothing can be compiled."""
        from flip7.compiled.build import to_records  # first: it tells what is missing

        self.build = engine.compiled((policies.DEEP,))
        book = book_for(table.seats)
        bench = Bench(table, [NET] * table.seats, book)
        self.tables: Any = to_records([table, table])
        self.benches: Any = to_records([bench, bench], benches.LAYOUT)
        self.build["kernel"].lay_out(self.tables[0], self.benches[0])

    def survey(self, choices: Sequence[int], seed: int, rounds: int | None = None) -> Survey:
        """Return a survey of choices, before its first rollout. Each looks n rounds ahead, the present one included."""
        return Survey(self, choices, seed, rounds)

    def think(self, policy: Sequence[int]) -> int:
        """Return what a deep thinker chooses."""
        self.benches[0]["policies"][:] = policy
        return int(self.build["deep"].think(self.tables, self.benches))


class Survey:
    """What rollouts say of some choices. More can be added."""

    def __init__(self, mind: Mind, choices: Sequence[int], seed: int, rounds: int | None) -> None:
        """`choices` are as the kernel takes them; `surveys.NO_CHOICE` goes on without one."""
        import numpy as np

        self._mind = mind
        self._seats = int(mind.tables[0]["seats"])
        self._seat = int(mind.tables[0]["seat"])
        self._rounds = rounds or (ALONE if self._seats == 1 else ROUNDS)
        self._choices = np.array(choices, np.int64)
        size = len(choices)
        self._sums = np.zeros((size, self._seats))
        self._squares, self._pairs, self._points = np.zeros(size), np.zeros(size), np.zeros(size)
        self.count = 0
        random.start(mind.benches[1]["rng"], seed & random.MASK, 0)

    def add(self, count: int) -> None:
        """Play so many more rollouts of every choice."""
        self._mind.build["surveys"].survey(
            *(self._mind.tables, self._mind.benches, self._choices, self._rounds, count),
            *(self._sums, self._squares, self._pairs, self._points),
        )
        self.count += count

    def chances(self, number: int) -> list[float]:
        """Return every seat's chance to win after a choice."""
        return [float(total) / self.count for total in self._sums[number, : self._seats]]

    def win(self, number: int) -> float:
        """Return the chance of the seat that is asked."""
        return float(self._sums[number, self._seat]) / self.count

    def points(self, number: int) -> float:
        """Return the points that it has at the end of the round, on average."""
        return float(self._points[number]) / self.count

    def error(self, number: int) -> float:
        """Return the standard error of its chance."""
        return _error(float(self._squares[number]), self.win(number), self.count)

    def difference_error(self, one: int, other: int) -> float:
        """Return the standard error of the difference between two choices, of which one should be the first."""
        if 0 in (one, other):
            number = one or other
            return _error(float(self._pairs[number]), self.win(number) - self.win(0), self.count)
        return math.hypot(self.error(one), self.error(other))


def _error(squares: float, mean: float, count: int) -> float:
    return math.sqrt(max(squares / count - mean * mean, 1e-9) / count)


if __name__ == "__main__":
    _think_once()
