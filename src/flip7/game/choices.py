"""Choices: what an answer to a decision may look like, whether it is legal, and what it does to a table."""

from __future__ import annotations

from operator import index
from typing import SupportsIndex

from flip7.game.errors import IllegalChoice, InvalidChoice
from flip7.game.view import Choice, Decision
from flip7.rules.cards import Card
from flip7.rules.inputs import give, hit, reveal, stay
from flip7.rules.table import Table


def read_choice(given: object, ask: Decision | None) -> Choice:
    """Return the legal choice that is meant. Raises `InvalidChoice` or `IllegalChoice`."""
    choice = _meant(given)
    if ask is None:
        raise IllegalChoice("the game is over: no choice is left")
    if choice is None:
        raise InvalidChoice(f"{given!r} cannot be read; {_legal(ask)}")
    if choice not in ask.options or isinstance(choice, Card) != (ask.kind == "card"):
        raise IllegalChoice(f"{given!r} is not possible now; {_legal(ask)}")
    return choice


def answer(table: Table, choice: Choice) -> None:
    """Give a table the answer that it waits for, which is legal: a word, a seat or a card."""
    if choice == "hit":
        hit(table)
    elif choice == "stay":
        stay(table)
    elif isinstance(choice, Card):
        reveal(table, choice.face)
    else:
        give(table, int(choice))


def _meant(given: object) -> Choice | None:
    """Return what a choice means whoever asks: a word, a card, a seat; `None` if nothing."""
    if isinstance(given, Card):
        return given
    if isinstance(given, str):
        if given in ("hit", "stay"):
            return given
        try:
            return Card(given)
        except ValueError:
            return None
    return whole_number(given)


def whole_number(value: object) -> int | None:
    """Return the value as a whole number, if it is one; `True` is not."""
    if isinstance(value, bool) or not isinstance(value, SupportsIndex):
        return None
    try:
        return index(value)
    except TypeError:  # a class that has whole numbers, say
        return None


def whole(name: str, value: object, least: int | None = None, most: int | None = None) -> int:
    """Return a whole number of that size; NumPy's are welcome. Raises `ValueError` for anything else."""
    number = whole_number(value)
    if number is None or (least is not None and number < least) or (most is not None and number > most):
        within = "" if least is None else f" from {least:,}" if most is None else f" from {least:,} to {_size(most)}"
        raise ValueError(f"{name} {value!r}: a whole number{within} is needed")
    return number


def _size(number: int) -> str:
    """Return a number as people write it: a power of two less one is easier to read than its digits."""
    bits = number.bit_length()
    return f"2^{bits} - 1" if number == (1 << bits) - 1 and bits > 32 else f"{number:,}"


def _legal(ask: Decision) -> str:
    options = ", ".join(str(option) if ask.kind == "target" else repr(str(option)) for option in ask.options)
    if ask.kind == "turn":
        return f"seat {ask.seat} may answer {options}"
    if ask.kind == "target":
        return f"seat {ask.seat} may give {ask.card} to the seats {options}"
    return f"the card for seat {ask.seat} is one of {options}"
