"""Statistics over many matches: for each player, and for each pair of players."""

from __future__ import annotations

from collections.abc import Iterable

from flip7.scorekeeper.match import Match
from flip7.scorekeeper.model.statistics import Pair, Tallies, Tally, new_tallies, tally_match


class PlayerStatistics:
    """What one name has done in all matches."""

    def __init__(self, tally: Tally) -> None:
        self.name = tally.name
        self.matches = tally.matches
        self.finished = tally.finished
        self.wins = tally.wins
        self.rounds = tally.rounds
        self.points = tally.points
        self.busts = tally.busts
        self.flip7s = tally.flip7s
        self.best_round = tally.best_round
        self.best_total = tally.best_total
        self.seen = tally.seen
        self.trend = [hundredths / 100 for hundredths in tally.trend]
        """The points a round of each match, in the order of the matches."""

    @property
    def win_rate(self) -> float:
        """The share of finished matches that were won."""
        return self.wins / self.finished if self.finished else 0.0

    @property
    def average(self) -> float:
        """Points a round."""
        return self.points / self.rounds if self.rounds else 0.0

    @property
    def bust_rate(self) -> float:
        """The share of busts among the rounds of which it is known: a typed 0 may be one or not."""
        return self.busts / self.seen if self.seen else 0.0


class HeadToHead(Pair):
    """Two players in the finished matches that both played."""


class Statistics:
    """Everything that a set of matches shows. A match that is there several times counts once."""

    def __init__(self, found: Tallies) -> None:
        self.matches = found.matches
        self.players = {name: PlayerStatistics(tally) for name, tally in found.players.items()}
        self.pairs = {(pair.first, pair.second): _seen_from(pair, pair.first) for pair in found.pairs.values()}

    def between(self, first: str, second: str) -> HeadToHead:
        """Return the head-to-head figures, from the first one's side."""
        pair = self.pairs.get((first, second)) or self.pairs.get((second, first))
        return _seen_from(pair, first) if pair else HeadToHead(first, second, 0, 0, 0)


def _seen_from(pair: Pair, first: str) -> HeadToHead:
    if pair.first == first:
        return HeadToHead(first, pair.second, pair.matches, pair.first_ahead, pair.second_ahead)
    return HeadToHead(first, pair.first, pair.matches, pair.second_ahead, pair.first_ahead)


def statistics(matches: Iterable[Match]) -> Statistics:
    """Count all matches; players of the same name are taken for the same person."""
    found = new_tallies()
    for match in {match.id: match for match in matches}.values():
        tally_match(found, match.sheet)
    return Statistics(found)
