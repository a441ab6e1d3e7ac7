"""Statistics over many matches: for each player, and for each pair of players."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations

import msgspec

from flip7.scorekeeper.hands import BUST
from flip7.scorekeeper.match import Match


class PlayerStatistics(msgspec.Struct):
    """What one name has done in all matches."""

    name: str
    matches: int = 0
    finished: int = 0
    wins: int = 0
    rounds: int = 0
    points: int = 0
    busts: int = 0
    best_round: int = 0
    best_total: int = 0

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
        """The share of rounds that were entered as busts."""
        return self.busts / self.rounds if self.rounds else 0.0


class HeadToHead(msgspec.Struct):
    """Two players in the finished matches that both played."""

    first: str
    second: str
    matches: int = 0
    first_ahead: int = 0
    second_ahead: int = 0


class Statistics(msgspec.Struct):
    """Everything that a set of matches tells. A match that is there several times counts once."""

    matches: int
    players: dict[str, PlayerStatistics]
    pairs: dict[tuple[str, str], HeadToHead]

    def between(self, first: str, second: str) -> HeadToHead:
        """Head to head, from the first one's side."""
        if (first, second) in self.pairs or (second, first) not in self.pairs:
            return self.pairs.get((first, second), HeadToHead(first, second))
        other = self.pairs[second, first]
        return HeadToHead(first, second, other.matches, other.second_ahead, other.first_ahead)


def statistics(matches: Iterable[Match]) -> Statistics:
    """Count all matches; players of the same name are taken for the same person."""
    once = {match.id: match for match in matches}
    found = Statistics(len(once), {}, {})
    for match in once.values():
        for seat, name in enumerate(match.players):
            _count_player(found.players.setdefault(name, PlayerStatistics(name)), match, seat)
        if match.winner is not None:
            _count_pairs(found.pairs, match)
    return found


def _count_player(player: PlayerStatistics, match: Match, seat: int) -> None:
    scores = [score for scores in match.rounds if (score := scores[seat]) is not None]
    player.matches += 1
    player.rounds += len(scores)
    player.points += sum(scores)
    player.busts += sum(entries[seat] == BUST for entries in match.entries)
    player.best_round = max([player.best_round, *scores])
    player.best_total = max(player.best_total, match.totals[seat])
    if match.winner is not None:
        player.finished += 1
        player.wins += match.winner == seat


def _count_pairs(pairs: dict[tuple[str, str], HeadToHead], match: Match) -> None:
    for one, two in combinations(range(len(match.players)), 2):
        first, second = sorted((one, two), key=lambda seat: match.players[seat])
        names = (match.players[first], match.players[second])
        if names[0] == names[1]:
            continue
        pair = pairs.setdefault(names, HeadToHead(*names))
        pair.matches += 1
        pair.first_ahead += _ahead(match, first, second)
        pair.second_ahead += _ahead(match, second, first)


def _ahead(match: Match, seat: int, other: int) -> bool:
    return match.winner == seat or (match.winner != other and match.totals[seat] > match.totals[other])
