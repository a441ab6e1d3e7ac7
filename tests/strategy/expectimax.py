"""Plain expectimax of one player's round, through the rules themselves: slow, and hard to get wrong."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from flip7.rules.agenda import advance
from flip7.rules.cards import FACES, SECOND
from flip7.rules.inputs import hit, reveal, stay
from flip7.rules.piles import throw
from flip7.rules.scoring import FLIP7, points
from flip7.rules.table import (
    ACTIVE,
    AWAIT_CARD,
    BUSTED,
    CHOOSE_TARGET,
    GAME_OVER,
    HIT_OR_STAY,
    LAYOUT,
    MOVING,
    NOTHING,
    ROUND_OVER,
    STAYED,
    Table,
)


class Outcome(NamedTuple):
    """What the best play brings."""

    value: float
    bust: float
    flip7: float


IGNORED = {"shuffles", "lines", "stack_card", "stack_seat", "aside", "given"}
"""What the future does not depend on; of the agenda only what is in use is looked at."""


def alone(table: Table) -> Table:
    """The same for the seat that is asked, as if all others had stayed; what was for them is discarded."""
    table = table.copy()
    seat = table.seat
    for other in range(table.seats):
        if other != seat and table.status[other] == ACTIVE:
            table.status[other] = STAYED
    table.active = 1
    pending = list(zip(table.stack_card, table.stack_seat, strict=True))[: table.stack_count]
    table.stack_count = 0
    for card, owner in pending:
        if owner == seat:
            table.stack_card[table.stack_count], table.stack_seat[table.stack_count] = card, owner
            table.stack_count += 1
        else:
            throw(table, card, owner, 0)
    aside = [(table.aside[i], table.given[i] if i < table.handed else seat) for i in range(table.aside_count)]
    table.aside_count = table.handed = 0
    for card, owner in aside:
        if owner == seat:
            table.aside[table.aside_count] = card
            table.aside_count += 1
        else:
            throw(table, card, owner, 0)
    if table.waiting == CHOOSE_TARGET:
        if table.card == SECOND:
            throw(table, SECOND, seat, 0)
        table.card = NOTHING
        table.waiting = MOVING
        advance(table)
    return table


def expectimax(table: Table, utility: Callable[[int], float], *, deadline: int = 400_000) -> Outcome:
    """The best play of the seat that is asked. Fails rather than take for ever."""
    seat = table.seat
    known: dict[object, Outcome] = {}

    def look(table: Table) -> Outcome:
        if table.waiting in (ROUND_OVER, GAME_OVER):
            seven = table.different[seat] == FLIP7 and table.status[seat] != BUSTED
            return Outcome(utility(points(table, seat)), float(table.status[seat] == BUSTED), float(seven))
        assert table.seat == seat
        key = _key(table)
        if key not in known:
            assert len(known) < deadline, "too large for expectimax"
            known[key] = ask(table) if table.waiting == HIT_OR_STAY else draw(table)
        return known[key]

    def ask(table: Table) -> Outcome:
        out, on = table.copy(), table.copy()
        stay(out)
        hit(on)
        left, taken = look(out), look(on)
        return taken if taken.value > left.value + 1e-12 * abs(left.value) else left

    def draw(table: Table) -> Outcome:
        assert table.waiting == AWAIT_CARD
        sums = [0.0, 0.0, 0.0]
        for card in range(FACES):
            if table.draw[card]:
                after = table.copy()
                reveal(after, card)
                share = table.draw[card] / table.draw_left
                sums = [total + share * part for total, part in zip(sums, look(after), strict=True)]
        return Outcome(*sums)

    return look(alone(table))


def _key(table: Table) -> object:
    """Everything that the future depends on."""
    stack = tuple(zip(table.stack_card, table.stack_seat, strict=True))[: table.stack_count]
    fields = (getattr(table, name) for name in LAYOUT if name not in IGNORED)
    rest = tuple(tuple(map(str, field)) if isinstance(field, list) else field for field in fields)
    return stack, tuple(table.aside[: table.aside_count]), rest
