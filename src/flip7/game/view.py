"""How a table looks to people and programs: seats, piles and the question it waits on, with cards as `Card`."""

from __future__ import annotations

from typing import Literal

import msgspec

from flip7.game.events import STATUSES, cards_before, line
from flip7.rules.agenda import may_get
from flip7.rules.cards import CARDS, FACES, Card
from flip7.rules.chance import copies, pile_size
from flip7.rules.scoring import points
from flip7.rules.table import AWAIT_CARD, CHOOSE_TARGET, GAME_OVER, HIT_OR_STAY, Table

Choice = str | int | Card
"""An answer to a decision: "hit" or "stay", a seat number, or a card."""


class Decision(msgspec.Struct, frozen=True):
    """The question a table waits on. A choice has two options or more (CHOICE-1); a card is asked for in any case."""

    kind: Literal["turn", "target", "card"]
    """Hit or stay, who gets the card, or (with real cards) which card came up."""
    seat: int
    """Who is asked, or for whom the card was turned up."""
    options: tuple[Choice, ...]
    """What may be answered: `"hit"` and `"stay"`, seat numbers in ascending order, or cards."""
    card: Card | None = None
    """The card on offer when a target is chosen."""


class Seat:
    """One seat as everyone sees it. It stays up to date as the game goes on."""

    __slots__ = ("_number", "_owner")

    def __init__(self, owner: TableView, number: int) -> None:
        self._owner = owner
        self._number = number

    @property
    def name(self) -> str:
        """Who sits there."""
        return self._owner.players[self._number]

    @property
    def total(self) -> int:
        """The points of all finished rounds."""
        return self._owner.table.totals[self._number]

    @property
    def points(self) -> int:
        """What the seat would score if the round ended now."""
        return points(self._owner.table, self._number)

    @property
    def status(self) -> str:
        """`"active"`, `"stayed"`, `"frozen"` or `"busted"`."""
        return STATUSES[self._owner.table.status[self._number]]

    @property
    def cards(self) -> tuple[Card, ...]:
        """All cards in front of the seat: the line, then modifiers and action cards."""
        return cards_before(self._owner.table, self._number)

    @property
    def line(self) -> tuple[Card, ...]:
        """The seat's numbers, as they were turned up."""
        return line(self._owner.table, self._number)

    def __repr__(self) -> str:
        hand = " ".join(self.cards) or "no cards"
        return f"<Seat {self._number} {self.name!r} {self.status} {hand} points={self.points} total={self.total}>"


class TableView:
    """Whatever shows a table: a game, or a position. Everything here is public."""

    __slots__ = ("_table",)

    _table: Table

    @property
    def table(self) -> Table:
        """The table itself. Look, but do not touch."""
        return self._table

    @property
    def players(self) -> tuple[str, ...]:
        """The names, by seat. Without any, they are called by their numbers."""
        return tuple(f"seat {seat}" for seat in range(self._table.seats))

    @property
    def decision(self) -> Decision | None:
        """The question that is open: who is asked, and what may be answered. `None` when there is none."""
        return decision(self._table)

    @property
    def seats(self) -> tuple[Seat, ...]:
        """All seats, clockwise. They stay up to date; after the end they show the last round."""
        return tuple(Seat(self, seat) for seat in range(self._table.seats))

    @property
    def draw_pile(self) -> dict[Card, int]:
        """How many of each card are left to draw."""
        return pile(self._table, self._table.draw)

    @property
    def discard_pile(self) -> dict[Card, int]:
        """How many of each card have been discarded."""
        return pile(self._table, self._table.discard)

    @property
    def pending(self) -> tuple[Card, ...]:
        """The cards that lie in front of nobody: on offer, set aside, or handed out and not yet resolved (ACT-4)."""
        return pending(self._table)

    @property
    def dealer(self) -> int:
        """The seat that deals this round, or dealt the last one."""
        return self._table.dealer

    @property
    def playoffs(self) -> int:
        """How many playoff rounds there have been, this one included (GAME-2)."""
        return self._table.playoffs

    @property
    def winner(self) -> int | None:
        """The seat that has won, or `None` while the game goes on."""
        return self._table.winner if self._table.waiting == GAME_OVER else None


def decision(table: Table) -> Decision | None:
    """Return the question that the table waits on, if it waits on one."""
    if table.waiting == HIT_OR_STAY:
        return Decision("turn", table.seat, ("hit", "stay"))
    if table.waiting == CHOOSE_TARGET:
        targets = tuple(seat for seat in range(table.seats) if may_get(table, table.card, seat))
        return Decision("target", table.seat, targets, CARDS[table.card])
    if table.waiting == AWAIT_CARD:
        return Decision("card", table.seat, tuple(card for card in CARDS if table.draw[card.face]))
    return None


def pile(table: Table, counts: list[int]) -> dict[Card, int]:
    """Return a pile as counts by card, for every card of this table's deck: those that have run out count 0."""
    deck = whole_deck(table)
    return {card: counts[card.face] for card in CARDS if deck[card.face]}


def chances(table: Table) -> dict[Card, float]:
    """Return the chance of every card that can come next; after the last one, of none."""
    size = pile_size(table)
    return {card: copies(table, card.face) / size for card in CARDS if copies(table, card.face)}


def whole_deck(table: Table) -> list[int]:
    """Return how many of each card there are in all, wherever they lie."""
    deck = [table.draw[face] + table.discard[face] + table.shown[face] for face in range(FACES)]
    for card in pending(table):
        deck[card.face] += 1
    return deck


def pending(table: Table) -> tuple[Card, ...]:
    """Return the cards that lie in front of nobody (ACT-4), in the order in which they will be dealt with."""
    faces = table.aside[: table.aside_count] + table.stack_card[: table.stack_count][::-1]
    if table.waiting == CHOOSE_TARGET and table.card == Card.SECOND.face:
        faces = [table.card, *faces]
    return tuple(CARDS[face] for face in faces)
