"""How the lines of a screen with a table are shared out: first the own hand, then the other players, then the log."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

WIDE = 96
"""From this many columns on the log stands beside the table."""
TALL = 34
"""From this many lines on, the stage is large too, and there is air around what can be done."""
BROAD = 64
"""From this many columns on, the seven numbers of a Flip 7 stand beside each other when they are drawn large."""
NARROWEST = 36
"""A column of seats has at least this many characters."""
CHIPS, ONE = 2, 1
"""How many lines a seat takes whose cards are chips, and one whose cards are words."""
LOG = 3
"""With fewer lines below the table the log tells too little."""


class Rooms(NamedTuple):
    """How many lines the parts around the players have."""

    stage: int
    hand: int
    choices: int


def abreast(width: int) -> int:
    """Return how many columns of seats there is room for."""
    return max(1, width // NARROWEST)


def rooms(width: int, height: int, others: int, below: int, *, hand: bool, choices: bool) -> Rooms:
    """Return the most generous rooms that leave the other players theirs; n lines are taken by something else.

    The cards of the own hand are large, unless the others had to give up theirs for it.
    """
    offers = [Rooms(one.stage, one.hand * hand, one.choices * choices) for one in _offers(width, height)]
    log = 0 if width >= WIDE else LOG
    rows = -(-others // abreast(felt(width)))
    for lines in (CHIPS, ONE):
        for offer in offers:
            if rows * lines + log <= height - 2 - below - sum(offer):
                return offer
    return offers[-1]


def inside(width: int, hand: int) -> tuple[int, int]:
    """Return how many columns and lines the cards have in the room of the own hand."""
    return width - 1, hand - 2


def felt(width: int) -> int:
    """Return how many columns the other players have: where the log stands beside them, about two thirds."""
    return width - 1 if width < WIDE else width - min(60, -(-width * 34 // 100)) - 1


def lines_of(width: int, others: int, rest: int) -> int:
    """Return how many of the lines that are left the other players get above the log."""
    rows = -(-others // abreast(felt(width)))
    for lines, log in ((2 * CHIPS, LOG), (CHIPS, 0), (ONE, 0)):
        if rows * lines + log <= rest:
            return rows * lines
    return rest


def _offers(width: int, height: int) -> Iterator[Rooms]:
    stage = 3 if height >= 24 else 1
    if width >= BROAD:
        if height >= TALL:
            yield Rooms(5, 7, 3)
        yield Rooms(stage, 7, 1)
    yield Rooms(stage, 5, 1)
