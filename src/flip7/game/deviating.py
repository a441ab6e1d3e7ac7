"""What people say happened at a real table though the rules do not: words that a live game takes (KEEP-5, KEEP-7)."""

from __future__ import annotations

import re

from flip7.game.errors import IllegalChoice, InvalidChoice
from flip7.rules import deviations
from flip7.rules.cards import Card
from flip7.rules.inputs import reveal
from flip7.rules.table import AWAIT_CARD, LEFT, Table

_WORD = re.compile(r"!(?:shuffle|lost:(\S+)|leave:(\d{1,2})|stay:(\d{1,2}))")
_CARD = re.compile(r"(?:!to:(\d{1,2}) )?(!extra )?(\S+)")


def is_deviation(option: object) -> bool:
    """Return whether a choice is meant as a deviation."""
    return isinstance(option, str) and not isinstance(option, Card) and option.startswith("!")


def deviate(table: Table, text: str) -> None:
    """Put a deviation down. Raises `InvalidChoice` or `IllegalChoice`, and then nothing has changed."""
    if word := _WORD.fullmatch(text):
        lost, leaving, staying = word.groups()
        if lost:
            _lose(table, _card(lost))
        elif leaving:
            _leave(table, _seat(table, leaving))
        elif staying:
            _stay(table, _seat(table, staying))
        else:
            deviations.shuffle_early(table)
        return
    card = _CARD.fullmatch(text)
    if not card or not (card[1] or card[2]):
        raise InvalidChoice(
            f"{text!r} cannot be read; deviations are !shuffle, !lost:CARD, !leave:SEAT, !stay:SEAT, "
            "and before a card !to:SEAT and !extra"
        )
    _turn_up(table, _card(card[3]), _seat(table, card[1]) if card[1] else table.seat, bool(card[2]))


def _turn_up(table: Table, card: Card, seat: int, extra: bool) -> None:
    if table.waiting != AWAIT_CARD:
        raise IllegalChoice(f"no card is due now, so {card} cannot have come up")
    if table.status[seat] == LEFT:
        raise IllegalChoice(f"seat {seat} has left the table and gets no card")
    missing = table.draw[card.face] == 0
    if missing != extra:
        told = "should be gone: say !extra before it" if missing else "is in the draw pile: !extra does not go with it"
        raise IllegalChoice(f"{card} {told}")
    if extra:
        deviations.take_anyway(table, card.face)
    if seat == table.seat:
        reveal(table, card.face)
    else:
        deviations.reveal_to(table, seat, card.face)


def _lose(table: Table, card: Card) -> None:
    if table.draw[card.face] + table.discard[card.face] == 0:
        raise IllegalChoice(f"no {card} is in the piles that could have been lost")
    deviations.lose(table, card.face)


def _leave(table: Table, seat: int) -> None:
    if table.status[seat] == LEFT:
        raise IllegalChoice(f"seat {seat} has left the table already")
    if all(other == seat or table.status[other] == LEFT for other in range(table.seats)):
        raise IllegalChoice(f"seat {seat} is the last at the table: without anybody the game cannot go on")
    deviations.walk_out(table, seat)


def _stay(table: Table, seat: int) -> None:
    if not deviations.may_stay_early(table, seat):
        raise IllegalChoice(f"seat {seat} cannot stay now; if it is asked, answer 'stay'")
    deviations.stay_early(table, seat)


def _seat(table: Table, text: str) -> int:
    if int(text) >= table.seats:
        raise IllegalChoice(f"seat {text}: the seats are 0 to {table.seats - 1}")
    return int(text)


def _card(text: str) -> Card:
    try:
        return Card(text)
    except ValueError as error:
        raise InvalidChoice(str(error)) from None
