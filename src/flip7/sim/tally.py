"""What a simulation has counted: whole numbers that add up the same in every order."""

from __future__ import annotations

import msgspec

from flip7.sim import counts
from flip7.sim.counts import Counts


class Tally(msgspec.Struct):
    """Sums over any number of games or rounds. Tallies of different games can be added."""

    totals: list[int]
    """Games, rounds, flips and playoffs in all, and where a game without end was met."""
    sums: list[list[int]]
    """What each entry of the field has done, by the counters of `sim.counts`."""
    scores: list[list[int]]
    """How often each entry scored n points in a round, by n; the last step counts busts."""
    lengths: list[int]
    """How many games took n rounds, by n."""
    seat_wins: list[list[int]]
    """How many games each entry won from each seat."""
    seat_games: list[list[int]]
    """How many it played there."""

    @classmethod
    def empty(cls, entries: int) -> Tally:
        """Return a tally of nothing, for n entries."""
        return cls.of(Counts([0] * entries))

    @classmethod
    def of(cls, counts: Counts) -> Tally:
        """Return a tally of what the inner loop has counted."""
        return cls(counts.totals, counts.sums, counts.scores, counts.lengths, counts.seat_wins, counts.seat_games)

    def add(self, other: Tally) -> None:
        """Count the other's games too."""
        self.totals = [a + b for a, b in zip(self.totals, other.totals, strict=True)]
        self.lengths = [a + b for a, b in zip(self.lengths, other.lengths, strict=True)]
        for mine, theirs in (
            (self.sums, other.sums),
            (self.scores, other.scores),
            (self.seat_wins, other.seat_wins),
            (self.seat_games, other.seat_games),
        ):
            for row, more in zip(mine, theirs, strict=True):
                row[:] = [a + b for a, b in zip(row, more, strict=True)]

    @property
    def games(self) -> int:
        """How many games were played."""
        return self.totals[counts.GAMES]

    @property
    def rounds(self) -> int:
        """How many rounds were played in all games."""
        return self.totals[counts.ROUNDS]

    @property
    def flips(self) -> int:
        """How many cards were turned up."""
        return self.totals[counts.TURNED_UP]

    def points(self, entry: int) -> int:
        """Return all points that an entry scored."""
        steps = enumerate(self.scores[entry][: counts.BUSTED_ROUND])
        return sum(score * count for score, count in steps) + self.sums[entry][counts.EXCESS]

    def points_squared(self, entry: int) -> int:
        """Return the sum of the squares of an entry's round scores."""
        steps = enumerate(self.scores[entry][: counts.BUSTED_ROUND])
        return sum(score * score * count for score, count in steps) + self.sums[entry][counts.EXCESS_SQUARED]
