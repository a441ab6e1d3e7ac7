"""Statistics over many matches: whole numbers for each player and each pair, from which rates follow."""

import msgspec

from flip7.rules.cards import CARDS, TWELVE
from flip7.scorekeeper.model.sheet import Sheet

OTHERS = tuple(CARDS[TWELVE + 1 :])
"""The cards that are no numbers."""


class Tally(msgspec.Struct):
    """What one name has done in all matches."""

    name: str
    matches: int
    finished: int
    wins: int
    rounds: int
    points: int
    seen: int
    """The rounds of which it is known whether they were busts: a typed 0 may be one or not."""
    busts: int
    flip7s: int
    best_round: int
    best_total: int
    trend: list[int]
    """The points a round of each match, times 100, in the order of the matches."""


class Pair(msgspec.Struct):
    """Two players in the finished matches that both played."""

    first: str
    second: str
    matches: int
    first_ahead: int
    second_ahead: int


class Tallies(msgspec.Struct):
    """Everything that a set of matches shows."""

    matches: int
    players: dict[str, Tally]
    pairs: dict[str, Pair]
    """By both names, with a line break between them."""


def new_tallies() -> Tallies:
    """No match at all."""
    return Tallies(0, {}, {})


def tally_match(found: Tallies, sheet: Sheet) -> None:
    """Count a match. Players of the same name are taken for the same person."""
    found.matches += 1
    names: list[str] = []
    for player in sheet.players:
        if player.name not in names:
            names.append(player.name)
    for name in names:
        if name not in found.players:
            found.players[name] = Tally(name, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, [])
        tally_player(found.players[name], sheet, name)
    if sheet.winner is None:
        return
    for at, one in enumerate(names):
        for second in range(at + 1, len(names)):
            tally_pair(found, sheet, one, names[second])


def tally_player(tally: Tally, sheet: Sheet, name: str) -> None:
    """Add what a name did in a match."""
    tally.matches += 1
    if sheet.winner is not None:
        tally.finished += 1
    rounds = 0
    points = 0
    for player in sheet.players:
        if player.name == name:
            if sheet.winner == player.id:
                tally.wins += 1
            tally.best_total = max(tally.best_total, sheet.totals[player.id])
            for played in sheet.rounds:
                score = played.scores.get(player.id)
                entry = played.entries.get(player.id)
                if score is not None and entry is not None:
                    rounds += 1
                    points += score
                    tally.best_round = max(tally.best_round, score)
                    if entry != 0:
                        tally.seen += 1
                    if entry == "bust":
                        tally.busts += 1
                    if isinstance(entry, list):
                        tally.flip7s += seven_of(len([card for card in entry if card not in OTHERS]))
    tally.rounds += rounds
    tally.points += points
    if rounds > 0:
        tally.trend.append(points * 100 // rounds)


def seven_of(numbers: int) -> int:
    """Return 1 for a Flip 7, otherwise 0."""
    return 1 if numbers == 7 else 0


def best_of(sheet: Sheet, name: str) -> int:
    """Return the total of a name in a match: the best, if several are called that."""
    best = 0
    for player in sheet.players:
        if player.name == name:
            best = max(best, sheet.totals[player.id])
    return best


def has_won(sheet: Sheet, name: str) -> bool:
    """Return whether a player of that name has won."""
    return any(player.name == name and player.id == sheet.winner for player in sheet.players)


def ahead(sheet: Sheet, name: str, other: str) -> int:
    """Return 1 if the first came in ahead of the second, otherwise 0."""
    if has_won(sheet, name):
        return 1
    if has_won(sheet, other):
        return 0
    return 1 if best_of(sheet, name) > best_of(sheet, other) else 0


def tally_pair(found: Tallies, sheet: Sheet, one: str, two: str) -> None:
    """Count a match of two players."""
    first = one
    second = two
    if f"{two}\n{one}" in found.pairs:
        first = two
        second = one
    key = f"{first}\n{second}"
    if key not in found.pairs:
        found.pairs[key] = Pair(first, second, 0, 0, 0)
    pair = found.pairs[key]
    pair.matches += 1
    pair.first_ahead += ahead(sheet, first, second)
    pair.second_ahead += ahead(sheet, second, first)
