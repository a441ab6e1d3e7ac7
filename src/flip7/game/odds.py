"""`odds`: what the next card does to the seat that gets it, exactly; and how likely a Flip Three busts it."""

from __future__ import annotations

import msgspec

from flip7.game.choices import whole
from flip7.game.events import STATUSES
from flip7.game.position import table_view
from flip7.game.view import TableView, chances
from flip7.rules.cards import SECOND, TWELVE, Card
from flip7.rules.chance import busting_cards, hit_worth, pile_size, seventh_cards
from flip7.rules.scoring import FLIP7, points
from flip7.rules.table import ACTIVE, GAME_OVER, ROUND_OVER, Table

NUMBERS = range(TWELVE + 1)


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


def odds(game_or_position: TableView | str, seat: int | None = None) -> Odds:
    """Return the odds of the next card, for the seat that is asked or about to get it, or for another one.

    Takes a game, a position, or a position's text. When the draw pile is empty, the discard pile is what the next card
    comes from (DECK-1). Raises `ValueError` when no card will come, or none for that seat.
    """
    table, seat = _active(game_or_position, seat)
    size = pile_size(table)
    if size == 0:
        raise ValueError("no card is left, neither to draw nor to reshuffle (DECK-3)")
    return Odds(
        seat=seat,
        points=points(table, seat),
        left=size,
        cards=chances(table),
        bust=busting_cards(table, seat) / size,
        flip7=seventh_cards(table, seat) / size,
        value=hit_worth(table, seat) / size,
    )


def flip_three_bust(game_or_position: TableView | str, seat: int | None = None) -> float:
    """Return how likely a Flip Three would bust the seat, from the cards that are left.

    Cards are drawn without replacement, through a reshuffle where the pile runs out; a Second Chance in front of the
    seat, or turned up on the way, saves it once; the seventh number ends the three. A Freeze or another Flip Three
    among the three is set aside and does nothing yet. Takes and raises what `odds` does.
    """
    table, seat = _active(game_or_position, seat)
    hand = table.hands[seat]
    held = frozenset(face for face in NUMBERS if hand[face])
    taken = any(
        table.status[other] == ACTIVE and not table.hands[other][SECOND]
        for other in range(table.seats)
        if other != seat
    )
    return _bust(table.draw, table.discard, held, hand[SECOND] > 0, taken, 3)


def _active(game_or_position: TableView | str, seat: int | None) -> tuple[Table, int]:
    """Return the table, and the seat on it that can get a card."""
    table = table_view(game_or_position).table
    if table.waiting in (ROUND_OVER, GAME_OVER):
        raise ValueError("the round is over: nobody gets a card")
    if seat is None:
        seat = table.seat
    seat = whole("seat", seat)
    if not 0 <= seat < table.seats:
        raise ValueError(f"seat {seat}: the seats are 0 to {table.seats - 1}")
    if table.status[seat] != ACTIVE:
        status = STATUSES[table.status[seat]]
        raise ValueError(f"seat {seat} is out of the round ({status}): it gets no more cards")
    return table, seat


def _bust(pile: list[int], discard: list[int], held: frozenset[int], safe: bool, taken: bool, left: int) -> float:
    """Return the chance of a bust within `left` more cards. If `taken`, another seat takes a spare Second Chance."""
    size = sum(pile)
    if size == 0:
        pile, discard = discard, [0] * len(discard)
        size = sum(pile)
    if size == 0 or left == 0 or len(held) >= FLIP7:
        return 0.0
    if left == 1:
        return 0.0 if safe else sum(pile[face] for face in held) / size
    chance = 0.0
    for face in NUMBERS:
        if not pile[face]:
            continue
        rest = _without(pile, face)
        if face not in held:
            then = _bust(rest, discard, held | {face}, safe, taken, left - 1)
        elif safe:
            used = discard[:]
            used[face] += 1
            used[SECOND] += 1
            then = _bust(rest, used, held, False, taken, left - 1)
        else:
            then = 1.0
        chance += pile[face] / size * then
    if pile[SECOND]:
        rest = _without(pile, SECOND)
        if safe and not taken:  # SC-4
            discard = discard[:]
            discard[SECOND] += 1
        then = _bust(rest, discard, held, True, taken, left - 1)
        chance += pile[SECOND] / size * then
    others = size - sum(pile[: TWELVE + 1]) - pile[SECOND]
    if others:  # all other cards do the same, which is nothing
        face = next(face for face in range(TWELVE + 1, len(pile)) if pile[face] and face != SECOND)
        chance += others / size * _bust(_without(pile, face), discard, held, safe, taken, left - 1)
    return chance


def _without(pile: list[int], face: int) -> list[int]:
    rest = pile[:]
    rest[face] -= 1
    return rest
