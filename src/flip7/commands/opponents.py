"""Simple opponents for the game in the terminal: each stays at a number of points that suits its temper."""

from __future__ import annotations

from typing import NamedTuple

from flip7.game.game import Game
from flip7.game.view import Decision, Option, Seat
from flip7.rules.cards import Card
from flip7.rules.chance import copies, pile_size


class Opponent(NamedTuple):
    """Somebody to play against."""

    name: str
    stays_at: int
    character: str


_TEMPERS = (
    Opponent("Bold Bea", 32, "goes for 32 points and more"),
    Opponent("Careful Carl", 18, "is glad with 18 points"),
    Opponent("Steady Stella", 25, "stays at 25 points"),
    Opponent("Hasty Hugo", 21, "stays at 21 points"),
    Opponent("Daring Dora", 38, "wants 38 points or nothing"),
)


def opponents(number: int) -> list[Opponent]:
    """So many opponents of all tempers; from the sixth on they are numbered."""
    chosen = []
    for i in range(number):
        temper = _TEMPERS[i % len(_TEMPERS)]
        twin = i // len(_TEMPERS)
        chosen.append(temper._replace(name=f"{temper.name} {twin + 1}") if twin else temper)
    return chosen


def answer(game: Game, ask: Decision, opponent: Opponent) -> Option:
    """What the opponent chooses, from what everybody sees."""
    me = game.seats[ask.seat]
    if ask.kind == "turn":
        return "stay" if me.points >= opponent.stays_at else "hit"
    seats = game.seats
    others = [seat for seat in ask.options if isinstance(seat, int) and seat != ask.seat]
    if ask.card == Card.SECOND:
        return min(others, key=lambda seat: seats[seat].total + seats[seat].points)
    if ask.card == Card.FREEZE:
        return max(others, key=lambda seat: seats[seat].total + seats[seat].points)
    if not me.line and not any(_fragile(seats[seat]) for seat in others):
        return ask.seat
    return max(others, key=lambda seat: (_fragile(seats[seat]), seats[seat].total))


def _fragile(seat: Seat) -> int:
    """How likely three more cards are to bust a seat, roughly: the numbers that it has, unless it is protected."""
    return 0 if Card.SECOND in seat.cards else sum(int(card) for card in seat.line)


def duplicates(game: Game, seat: int) -> tuple[int, int]:
    """How many cards of those that may come next repeat a number of the seat's line, and how many there are in all."""
    return sum(copies(game.table, card.face) for card in set(game.seats[seat].line)), pile_size(game.table)
