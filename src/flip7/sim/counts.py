"""What a simulation counts: the names of the counters, and the record of them that the inner loop writes into."""

from __future__ import annotations

from flip7.rules.table import SEATS

TOTALS = 5
GAMES, ROUNDS, TURNED_UP, PLAYOFFS, STOPPED_AT = range(TOTALS)
"""What is summed up over all games."""

SUMS = 8
WINS, WINS_SQUARED, WON_ROUNDS, FLIP7S, EXCESS, EXCESS_SQUARED, SESSION_SQUARED, SESSION_ROUNDS = range(SUMS)
"""What is summed up for every entry."""

HIGHEST_SCORE = 254  # of the distribution of scores; what is above is kept as excess
BUSTED_ROUND = 255  # the step of the distribution that counts busts
LONGEST_GAME = 100  # rounds; the last step of the distribution of lengths holds everything above


LAYOUT: dict[str, tuple[str, tuple[int, ...]]] = {
    "totals": ("i8", (TOTALS,)),
    "wins": ("i8", (SEATS,)),
    "alike": ("i8", (SEATS,)),
    "lengths": ("i8", (LONGEST_GAME + 1,)),
    "sums": ("i8", (SEATS, SUMS)),
    "scores": ("i8", (SEATS, BUSTED_ROUND + 1)),
    "seat_wins": ("i8", (SEATS, SEATS)),
    "seat_games": ("i8", (SEATS, SEATS)),
}
"""Every field of the counts: the width of its integers in the compiled build, and its shape there."""


class Counts:
    """The counters, and what counting needs to know."""

    __slots__ = tuple(LAYOUT)

    totals: list[int]
    wins: list[int]
    """Each entry's wins in the present block of games."""
    alike: list[int]
    """A number for each entry, the same for those that play alike."""
    lengths: list[int]
    """How many games took n rounds, by n."""
    sums: list[list[int]]
    scores: list[list[int]]
    """How often each entry scored n points in a round, by n; the last step counts busts."""
    seat_wins: list[list[int]]
    """How many games each entry won from each seat."""
    seat_games: list[list[int]]
    """How many it played there."""

    def __init__(self, alike: list[int]) -> None:
        """Make counters for as many entries, all at zero."""
        self.totals = [0] * TOTALS
        self.wins = [0] * len(alike)
        self.alike = alike
        self.lengths = [0] * (LONGEST_GAME + 1)
        self.sums = [[0] * SUMS for _ in alike]
        self.scores = [[0] * (BUSTED_ROUND + 1) for _ in alike]
        self.seat_wins, self.seat_games = ([[0] * SEATS for _ in alike] for _ in range(2))
