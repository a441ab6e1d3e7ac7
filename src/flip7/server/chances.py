"""The chances of the next card, counted from what everyone can see."""

from __future__ import annotations

from flip7 import Card
from flip7.game.game import Game

NUMBERS = tuple(card for card in Card if card.isdecimal())
SEVEN = 7


def next_pile(game: Game) -> dict[Card, int]:
    """The pile from which the next card comes: the discard pile when the deck has run out (DECK-1)."""
    draw = game.draw_pile
    return draw if any(draw.values()) else game.discard_pile


def bust_chance(game: Game, seat: int, pile: dict[Card, int]) -> float:
    """How likely the next card busts an active seat; behind a Second Chance it cannot."""
    held = game.seats[seat].cards
    size = sum(pile.values())
    if not size or Card.SECOND in held:
        return 0.0
    return sum(pile.get(card, 0) for card in held if card in NUMBERS) / size


def flip7_chance(game: Game, seat: int, pile: dict[Card, int]) -> float:
    """How likely the next card makes a Flip 7 for an active seat."""
    line = game.seats[seat].line
    size = sum(pile.values())
    if not size or len(line) != SEVEN - 1:
        return 0.0
    return sum(pile.get(card, 0) for card in NUMBERS if card not in line) / size
