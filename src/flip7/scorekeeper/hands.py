"""Entries: what a player ended a round with, as cards, as points or as "bust", and what that is worth."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, SupportsIndex

from flip7.game.choices import whole_number
from flip7.game.options import Rules, as_card
from flip7.rules.cards import Card
from flip7.scorekeeper.errors import MatchError
from flip7.scorekeeper.model import hands as model
from flip7.scorekeeper.model.operations import Stored
from flip7.scorekeeper.words import refusal_text

BUST: Literal["bust"] = "bust"

Entry = Sequence[Card | str] | SupportsIndex | Literal["bust"]
"""What may be entered for a player: a list of cards, a number of points, or "bust"."""

Value = tuple[Card, ...] | int | Literal["bust"]
"""An entry as a match shows it."""

BOOK = model.Book({})
"""What has been found out about decks, kept for all matches of this process."""


def score(cards: Sequence[Card | str], decks: int = 1) -> int:
    """Return the points of a hand that has not busted (SCORE-1). Raises `ValueError` for impossible hands and cards."""
    try:
        Rules(decks=decks)
    except ValueError as error:
        raise MatchError(str(error)) from None
    value = read_entry(cards)
    if not isinstance(value, list):
        raise MatchError(f"{cards!r} is no hand: a list of cards is needed, such as ['7', 'x2']")
    taken = model.take_hand(model.new_hands(1, model.ways_for(BOOK, decks)), 0, value)
    if taken.refusal is not None:
        raise MatchError(refusal_text(taken.refusal, decks=decks))
    return taken.points


def read_entry(entry: object) -> Stored:
    """Return what is meant by an entry. An integer is points and a list is cards; neither is taken for the other."""
    if isinstance(entry, str):
        if entry == BUST:
            return BUST
        raise MatchError(f"{entry!r}: an entry is a list of cards, a whole number of points, or 'bust'")
    if isinstance(entry, Sequence):
        try:
            return [as_card(card) for card in entry]
        except ValueError as error:
            raise MatchError(str(error)) from None
    points = whole_number(entry)
    if points is None:
        raise MatchError(f"{entry!r}: an entry is a list of cards, a whole number of points, or 'bust'")
    return points


def ways(decks: int) -> tuple[int, ...]:
    """Return how each number of points can be made with n decks (see `flip7.rules.keeping.ways`)."""
    return tuple(model.ways_for(BOOK, decks).found)


def shown(stored: Stored) -> Value:
    """Return an entry as a match shows it: its cards cannot be changed."""
    return tuple(stored) if isinstance(stored, list) else stored
