"""Entries: what a player ended a round with, as cards, as points or as "bust", and what that is worth."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from operator import index
from typing import Literal, SupportsIndex

from flip7.game.options import Rules, as_card
from flip7.rules import keeping
from flip7.rules.cards import CARDS, Card
from flip7.rules.scoring import FLIP7, points
from flip7.rules.table import Table
from flip7.scorekeeper.errors import MatchError

BUST: Literal["bust"] = "bust"

Entry = Sequence[Card | str] | SupportsIndex | Literal["bust"]
"""What may be entered for a player: a list of cards, a number of points, or "bust"."""

Value = tuple[Card, ...] | int | Literal["bust"]
"""An entry that has been read."""

_REASONS = {
    keeping.TWIN: "{card} twice: a second {card} busts (NUM-2); enter 'bust' if it did",
    keeping.EIGHTH: "{card} would be an eighth number, but the seventh ends the round (NUM-3)",
    keeping.NONE_LEFT: "no {card} is left: {copies}, and all hands of the round together have more (KEEP-4)",
    keeping.SECOND_SECOND: "nobody keeps two Second Chances (SC-4)",
    keeping.SECOND_FREEZE: "nobody is frozen twice: the other Freeze goes to the discard pile (F3-5)",
    keeping.FROZEN_FLIP7: "a Flip 7 and a Freeze in one hand: each of them ends the other's chance (NUM-3, FRZ-1)",
    keeping.OTHER_FLIP7: "a second Flip 7: a round has at most one (KEEP-4)",
}


def score(cards: Sequence[Card | str], decks: int = 1) -> int:
    """The points of a hand that has not busted (SCORE-1). Impossible hands and unknown cards raise `ValueError`."""
    try:
        Rules(decks=decks)
    except ValueError as error:
        raise MatchError(str(error)) from None
    value = read_entry(cards)
    if not isinstance(value, tuple):
        raise MatchError(f"{cards!r} is no hand: a list of cards is needed, such as ['7', 'x2']")
    return RoundCheck(1, decks).take(0, value)


def read_entry(entry: object) -> Value:
    """What is meant by an entry. An integer is points and a list is cards; neither is taken for the other."""
    if isinstance(entry, str):
        if entry == BUST:
            return BUST
        raise MatchError(f"{entry!r}: an entry is a list of cards, a whole number of points, or 'bust'")
    if isinstance(entry, Sequence):
        try:
            return tuple(as_card(card) for card in entry)
        except ValueError as error:
            raise MatchError(str(error)) from None
    if isinstance(entry, SupportsIndex) and not isinstance(entry, bool | type):
        return index(entry)
    raise MatchError(f"{entry!r}: an entry is a list of cards, a whole number of points, or 'bust'")


@cache
def ways(decks: int) -> tuple[int, ...]:
    """How each number of points can be made with so many decks (see `flip7.rules.keeping.ways`)."""
    found = keeping.ways(list(Rules(decks=decks).deck_for(1).values()))
    while found[-1] == keeping.IMPOSSIBLE:
        found.pop()
    return tuple(found)


class RoundCheck:
    """The hands of one round, entered one after the other; each is refused if the round cannot have it (KEEP-4)."""

    def __init__(self, seats: int, decks: int) -> None:
        self._table: Table = Rules(decks=decks).table(seats)
        self._decks = decks
        self._seven = False

    def take(self, seat: int, value: Value) -> int:
        """The points of the next hand. Raises `MatchError` if it cannot be."""
        if value == BUST:
            return 0
        if isinstance(value, int):
            self._take_points(value)
            return value
        table = self._table
        for card in value:
            problem = keeping.fits(table, seat, card.face, self._seven)
            if problem != keeping.FITS:
                raise MatchError(_REASONS[problem].format(card=card, copies=self._copies(card)))
            keeping.lay(table, seat, card.face)
        self._seven = self._seven or table.different[seat] == FLIP7
        return points(table, seat)

    def _take_points(self, value: int) -> None:
        possible = ways(self._decks)
        if not 0 <= value < len(possible) or possible[value] == keeping.IMPOSSIBLE:
            raise MatchError(
                f"no hand makes {value} points (KEEP-4); {_nearest(value, possible)}"
                if value >= 0
                else f"{value} points: nobody loses points in a round; the least is 0"
            )
        if possible[value] == keeping.ONLY_FLIP7:
            if self._seven:
                raise MatchError(f"{value} points take a Flip 7, and a round has at most one (KEEP-4)")
            self._seven = True

    def _copies(self, card: Card) -> str:
        copies = Rules(decks=self._decks).deck_for(1)[card]
        deck = "the deck has" if self._decks == 1 else f"the {self._decks} decks have"
        return f"{deck} {copies}"


def _nearest(value: int, possible: Sequence[int]) -> str:
    """The possible points on either side, in words."""
    if value >= len(possible):
        return f"the most is {len(possible) - 1}"
    made = [number for number in range(len(possible)) if possible[number] != keeping.IMPOSSIBLE]
    below = max(number for number in made if number < value)
    above = min(number for number in made if number > value)
    return f"{below} and {above} can be made"


def cards_in_order(value: Value) -> Value:
    """The entry with its cards as they lie in the box, so that equal hands look equal."""
    return tuple(CARDS[face] for face in sorted(card.face for card in value)) if isinstance(value, tuple) else value
