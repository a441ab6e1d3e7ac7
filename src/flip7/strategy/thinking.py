"""Thinking about one position, compiled: what `deep` chooses, and how rollouts of a position end."""

from __future__ import annotations

import math
import subprocess
import sys
from collections.abc import Sequence
from typing import Any

from flip7.game.position import Position
from flip7.rules.table import Table
from flip7.strategy import bench as benches
from flip7.strategy import engine, policies, random
from flip7.strategy.bench import Bench
from flip7.strategy.book import book_for

ROUNDS = 2  # that a rollout lasts: then the bias of the net that judges it is small (docs/strength.md)
WHOLE_GAME = 10_000
CONFIDENCE = 1.96  # standard errors to either side: 95 %


def compiled_before(module: str, name: str) -> bool:
    """Return whether rollouts are compiled on this machine's disk. Raises `ImportError` without Numba."""
    from flip7.compiled.build import on_disk

    return on_disk(getattr(engine.compiled((policies.DEEP,), ready=False)[module], name))


def warm_up() -> None:
    """Make the compiled build ready. What has to be compiled is, in a process of its own: this one can go on."""
    if not compiled_before("deep", "think"):
        subprocess.run([sys.executable, "-m", "flip7.strategy.thinking"], check=False, stdin=subprocess.DEVNULL)
    _think_once()


def _think_once() -> None:
    Mind(Position("0:5/0:7 turn@0").table).think((policies.DEEP, 1, policies.DEEP, 1))


class Mind:
    """A position taken into the compiled build."""

    def __init__(self, table: Table, book: Sequence[float] | None = None) -> None:
        """Take a table. Raises `ImportError`, which says what to install, where nothing can be compiled."""
        from flip7.compiled.build import to_records  # first: it says what is missing

        self.build = engine.compiled((policies.DEEP,))
        bench = Bench(table, [policies.BY_NET] * table.seats, book or book_for(table.seats))
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
        self._rounds = rounds or ROUNDS
        self._choices = np.array(choices, np.int64)
        size = len(choices)
        self._sums = np.zeros((size, self._seats))
        self._gaps = np.zeros((size, size))
        self._points, self._owns = np.zeros(size), np.zeros(size)
        self.count = 0
        random.start(mind.benches[1]["rng"], seed & random.MASK, 0)

    def add(self, count: int) -> None:
        """Play n more rollouts of every choice."""
        self._mind.build["surveys"].survey(
            *(self._mind.tables, self._mind.benches, self._choices, self._rounds, count),
            *(self._sums, self._gaps, self._points, self._owns),
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
        return _error(float(self._gaps[number, number]), self.win(number), self.count)

    def difference_error(self, one: int, other: int) -> float:
        """Return the standard error of the difference between two choices, which were given the same cards."""
        gap = float(self._gaps[max(one, other), min(one, other)])
        return _error(gap, self.win(one) - self.win(other), self.count)

    def doubt(self, number: int) -> float:
        """Return how far to either side of its chance the true one may be, with 95 % confidence."""
        return _doubt(self.error(number), self.count)

    def difference_doubt(self, one: int, other: int) -> float:
        """Return the same for the difference between two choices."""
        return _doubt(self.difference_error(one, other), self.count)

    def alike(self, one: int, other: int) -> bool:
        """Return whether no rollout told two choices apart."""
        return float(self._gaps[max(one, other), min(one, other)]) == 0.0


def _error(squares: float, mean: float, count: int) -> float:
    return math.sqrt(max(squares / count - mean * mean, 1e-9) / count)


def _doubt(error: float, count: int) -> float:
    """Return what n rollouts leave open: beside the error they show, that of something rare which none of them met.

    Where all came out alike this is as far as Wilson's interval goes for a share of 0 or 1.
    """
    return CONFIDENCE * math.hypot(error, CONFIDENCE / count)


if __name__ == "__main__":
    _think_once()
