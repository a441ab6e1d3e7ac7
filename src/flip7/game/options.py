"""`Rules`: what players may agree on before a game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import msgspec

from flip7.game.view import whole_deck
from flip7.rules.cards import CARDS, STANDARD, TWELVE, X2, Card
from flip7.rules.table import ACTIONS, COPIES, SEATS, Table, decks_for, new_table

DECKS = 9
TARGET = 1_000_000


class Rules(msgspec.Struct, frozen=True, kw_only=False):
    """The options of a game. Each is checked when the object is made, so a `Rules` is always playable."""

    target: int = 200
    """The total that ends the game (GAME-1)."""
    dealer: int = 0
    """The seat that deals the first round (SET-4)."""
    first: Literal["left", "dealer"] = "left"
    """Who comes first in turn order (SET-5)."""
    decks: int | None = None
    """How many decks are shuffled together; `None` leaves it to the number of players (SET-2)."""
    composition: Mapping[Card, int] | None = None
    """How many of each card one deck has; `None` is the deck of SET-1."""
    reshuffle: Literal["empty", "round"] = "empty"
    """When the discard pile is shuffled back: as the deck runs out (DECK-1), or before every round."""

    def __post_init__(self) -> None:
        """Refuse what cannot be played."""
        _whole("target", self.target, 1, TARGET)
        _whole("dealer", self.dealer, 0, SEATS - 1)
        _one_of("first", self.first, ("left", "dealer"))
        _one_of("reshuffle", self.reshuffle, ("empty", "round"))
        if self.decks is not None:
            _whole("decks", self.decks, 1, DECKS)
        if self.composition is not None:
            msgspec.structs.force_setattr(self, "composition", _composition(self.composition))

    @classmethod
    def of(cls, table: Table) -> Rules:
        """Return the rules that a table is played by; all its decks count as one."""
        counts = dict(zip(CARDS, whole_deck(table), strict=True))
        return cls(
            target=table.target,
            dealer=table.dealer,
            first="left" if table.first else "dealer",
            decks=1,
            composition={card: count for card, count in counts.items() if count},
            reshuffle="round" if table.reshuffle else "empty",
        )

    def decks_for(self, seats: int) -> int:
        """Return how many decks n players use (SET-2)."""
        return self.decks if self.decks is not None else decks_for(seats)

    def deck_for(self, seats: int) -> dict[Card, int]:
        """Return the whole deck that n players use: how many of each card."""
        decks = self.decks_for(seats)
        one = STANDARD if self.composition is None else self.composition
        return {card: decks * one.get(card, 0) for card in CARDS}

    def table(self, seats: int) -> Table:
        """Return a table for n players, before its first round. Raises `ValueError` if these rules do not fit them."""
        if not 1 <= seats <= SEATS:
            raise ValueError(f"{seats} players: 1 to {SEATS} can play")
        if self.dealer >= seats:
            raise ValueError(f"dealer {self.dealer}: with {seats} players the seats are 0 to {seats - 1}")
        deck = self.deck_for(seats)
        actions = deck[Card.FREEZE] + deck[Card.FLIP3]
        if actions > ACTIONS:
            raise ValueError(f"{actions} freeze and flip3 cards in all decks: at most {ACTIONS}")
        most = max(deck, key=deck.__getitem__)
        if deck[most] > COPIES:
            raise ValueError(f"{deck[most]} copies of {most} in all decks: at most {COPIES}")
        return new_table(
            seats,
            self.target,
            self.dealer,
            1 if self.first == "left" else 0,
            1 if self.reshuffle == "round" else 0,
            list(deck.values()),
        )


def _whole(name: str, value: object, low: int, high: int) -> None:
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        raise ValueError(f"{name} {value!r}: a whole number from {low} to {high} is needed")


def _one_of(name: str, value: object, words: tuple[str, ...]) -> None:
    if value not in words:
        raise ValueError(f"{name} {value!r}: it is one of {', '.join(words)}")


def _composition(given: Mapping[Card, int]) -> dict[Card, int]:
    if not isinstance(given, Mapping):
        raise ValueError(f"composition {given!r}: a mapping from cards to counts is needed")
    counts: dict[Card, int] = {}
    for text, count in given.items():
        card = as_card(text)
        _whole(f"composition of {card}:", count, 0, COPIES)
        if count:
            counts[card] = count
    if not any(0 < card.face <= TWELVE or TWELVE < card.face < X2 for card in counts):
        raise ValueError("composition: no card in it is worth any points, so no game could end")
    return dict(sorted(counts.items()))


def as_card(text: object) -> Card:
    """Return the card that is meant: a `Card`, or its notation. A number is not taken for a card."""
    if not isinstance(text, str):
        raise ValueError(f"{text!r} is no card: a card is written as text, such as '7' or 'x2'")
    return Card(text)
