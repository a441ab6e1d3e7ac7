"""Names, places and dates that people give: checked once, for games and for matches."""

from __future__ import annotations

import datetime
import re
from collections.abc import Sequence

from flip7.game.choices import whole_number
from flip7.rules.naming import GOOD_NAME, NAME_LENGTH, TOO_LONG, TOO_SHORT, name_problem
from flip7.rules.table import SEATS

_DATE = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)


def names(players: object) -> tuple[str, ...]:
    """Return the names by seat, from a number of players or a list of names. Raises `ValueError`."""
    called = players if isinstance(players, Sequence) and not isinstance(players, str) else None
    count = whole_number(players) if called is None else len(called)
    if count is None:
        raise ValueError(f"players {players!r}: a number or a list of names is needed")
    if not 1 <= count <= SEATS:
        raise ValueError(f"{count} players: 1 to {SEATS} can play")
    if called is None:
        return tuple(f"Player {seat + 1}" for seat in range(count))
    return tuple(text(f"name of seat {seat}", name) for seat, name in enumerate(called))


def text(what: str, given: object) -> str:
    """Return a text that can be shown. Raises `ValueError` for any other."""
    problem = name_problem([ord(sign) for sign in given], NAME_LENGTH) if isinstance(given, str) else TOO_SHORT
    if not isinstance(given, str) or problem in (TOO_SHORT, TOO_LONG):
        raise ValueError(f"{what} {given!r}: a text of 1 to {NAME_LENGTH} characters is needed")
    if problem != GOOD_NAME:
        raise ValueError(f"{what} {given!r}: it contains characters that cannot be printed")
    return given


def date(given: object) -> str | None:
    """Return a date, or none. Raises `ValueError` for anything else."""
    if given is None:
        return None
    try:
        if not isinstance(given, str) or not _DATE.fullmatch(given):
            raise ValueError
        datetime.date.fromisoformat(given)
    except ValueError:
        raise ValueError(f"date {given!r}: a day of the calendar is needed, written YYYY-MM-DD") from None
    return given
