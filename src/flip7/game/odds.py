"""`odds`: what the next card does to the seat that gets it, exactly."""

from __future__ import annotations

import msgspec

from flip7.game.events import STATUSES
from flip7.game.position import Position
from flip7.game.view import Shown
from flip7.rules.cards import CARDS, Card
from flip7.rules.chance import busting_cards, copies, hit_worth, pile_size, seventh_cards
from flip7.rules.scoring import points
from flip7.rules.table import ACTIVE, GAME_OVER, ROUND_OVER


class Odds(msgspec.Struct, frozen=True):
    """The chances of the next card, for one seat. Every figure follows from counting the pile it comes from."""

    seat: int
    """Whose card it is."""
    points: int
    """What the seat has now."""
    left: int
    """How many cards are in the pile from which the next one comes."""
    cards: dict[Card, float]
    """The chance of every card that can come."""
    bust: float
    """The chance of a bust; a Second Chance makes it 0."""
    flip7: float
    """The chance of a Flip 7."""
    value: float
    """The points that the seat has on average right after one card. Action cards count as leaving them as they are."""

    @property
    def gain(self) -> float:
        """How much better, on average, one more card is than none."""
        return self.value - self.points


def odds(game_or_position: Shown | str, seat: int | None = None) -> Odds:
    """The odds of the next card, for the seat that is asked or about to get it, or for another one.

    Takes a game, a position, or a position's text. When the draw pile is empty, the discard pile is what the next card
    comes from (DECK-1). Raises `ValueError` when no card will come, or none for that seat.
    """
    shown = Position(game_or_position) if isinstance(game_or_position, str) else game_or_position
    table = shown.table
    if table.waiting in (ROUND_OVER, GAME_OVER):
        raise ValueError("the round is over: nobody gets a card")
    if seat is None:
        seat = table.seat
    if not 0 <= seat < table.seats:
        raise ValueError(f"seat {seat}: the seats are 0 to {table.seats - 1}")
    if table.status[seat] != ACTIVE:
        status = STATUSES[table.status[seat]]
        raise ValueError(f"seat {seat} is out of the round ({status}): it gets no more cards")
    size = pile_size(table)
    if size == 0:
        raise ValueError("no card is left, neither to draw nor to reshuffle (DECK-3)")
    return Odds(
        seat=seat,
        points=points(table, seat),
        left=size,
        cards={card: copies(table, card.face) / size for card in CARDS if copies(table, card.face)},
        bust=busting_cards(table, seat) / size,
        flip7=seventh_cards(table, seat) / size,
        value=hit_worth(table, seat) / size,
    )
