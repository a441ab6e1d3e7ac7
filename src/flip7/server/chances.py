"""What a Flip Three would do to a seat, counted from what everyone can see."""

from __future__ import annotations

from flip7 import Card
from flip7.game.game import Game

NUMBERS = tuple(card.face for card in Card if card.isdecimal())
SECOND = Card.SECOND.face
SEVEN = 7


def three_bust_chance(game: Game, seat: int) -> float:
    """How likely three cards bust an active seat, action cards among them counted as harmless.

    Drawn without replacement, through a reshuffle if the deck runs out; Second Chances in front of the seat, or turned
    up on the way, save it once each.
    """
    table = game.table
    hand = table.hands[seat]
    held = frozenset(face for face in NUMBERS if hand[face])
    return _bust(list(table.draw), list(table.discard), held, hand[SECOND] > 0, 3)


def _bust(pile: list[int], discard: list[int], held: frozenset[int], safe: bool, left: int) -> float:
    """The chance of a bust within so many more cards."""
    size = sum(pile)
    if size == 0:
        pile, discard = discard, [0] * len(discard)
        size = sum(pile)
    if size == 0 or left == 0 or len(held) >= SEVEN:
        return 0.0
    twins = sum(pile[face] for face in held)
    if left == 1:
        return 0.0 if safe else twins / size
    chance = 0.0
    if not safe:
        chance += twins / size
    for face in NUMBERS:
        if pile[face] and (safe or face not in held):
            chance += pile[face] / size * _after(pile, discard, face, held, safe, left)
    if pile[SECOND]:
        chance += pile[SECOND] / size * _bust(_without(pile, SECOND), discard, held, True, left - 1)
    rest = next((face for face in range(len(pile)) if pile[face] and face not in NUMBERS and face != SECOND), None)
    if rest is not None:  # All other cards do the same, which is nothing.
        others = size - sum(pile[face] for face in NUMBERS) - pile[SECOND]
        chance += others / size * _bust(_without(pile, rest), discard, held, safe, left - 1)
    return chance


def _after(pile: list[int], discard: list[int], face: int, held: frozenset[int], safe: bool, left: int) -> float:
    """The same, after a number that did not bust."""
    if face in held:
        used = discard[:]
        used[face] += 1
        used[SECOND] += 1
        return _bust(_without(pile, face), used, held, False, left - 1)
    return _bust(_without(pile, face), discard, held | {face}, safe, left - 1)


def _without(pile: list[int], face: int) -> list[int]:
    rest = pile[:]
    rest[face] -= 1
    return rest
