"""The value of a finished round: every seat's chance to win the game from the totals. Written like the rules.

A small network gives each seat a strength from its own total and the others'; the chances are in proportion to the
exponentials of these. Whoever has won has won: then nothing is estimated; and who has left wins nothing (KEEP-7).
"""

from __future__ import annotations

from flip7.rules.scoring import challenge_met
from flip7.rules.table import GAME_OVER, LEFT, Table
from flip7.strategy.bench import Bench
from flip7.strategy.challenge import challenge_chance
from flip7.strategy.net import FAR, TARGET_NET, TARGET_SIZE, clip, evaluate

VALUE_INPUTS, VALUE_HIDDEN = 12, 32
VALUE_NET = TARGET_NET + TARGET_SIZE
VALUE_SIZE = VALUE_INPUTS * VALUE_HIDDEN + 2 * VALUE_HIDDEN + 1
BOOK_SIZE = VALUE_NET + VALUE_SIZE


def value_inputs(table: Table, bench: Bench, seat: int) -> None:
    """Put on the bench what the network looks at, for one seat, when a round is over."""
    x = bench.inputs
    target = float(table.target)
    total = float(table.totals[seat])
    first = FAR  # the others' totals: the best five
    second = FAR
    third = FAR
    fourth = FAR
    fifth = FAR
    others = 0.0
    behind = 0.0
    for other in range(table.seats):
        if other != seat and table.status[other] != LEFT:
            others += 1.0
            theirs = float(table.totals[other])
            behind += clip((total - theirs) / 50.0, -3.0, 3.0)
            if theirs > first:
                theirs, first = first, theirs
            if theirs > second:
                theirs, second = second, theirs
            if theirs > third:
                theirs, third = third, theirs
            if theirs > fourth:
                theirs, fourth = fourth, theirs
            if theirs > fifth:
                fifth = theirs
    opener = table.dealer + 1 + table.first
    place = seat - opener if seat >= opener else seat + 2 * table.seats - opener
    if place >= table.seats:
        place -= table.seats
    x[0] = clip((target - total) / 50.0, -1.0, 6.0)
    x[1] = clip((target - first) / 50.0, -1.0, 6.0)
    x[2] = clip((total - first) / 50.0, -3.0, 3.0)
    x[3] = clip((total - second) / 50.0, -3.0, 3.0)
    x[4] = clip((total - third) / 50.0, -3.0, 3.0)
    x[5] = clip((total - fourth) / 50.0, -3.0, 3.0)
    x[6] = clip((total - fifth) / 50.0, -3.0, 3.0)
    x[7] = behind / max(others, 1.0)
    x[8] = float(place) / float(table.seats)
    x[9] = (others + 1.0) / 8.0
    x[10] = clip((target - total) / 20.0, -1.0, 2.0)
    x[11] = clip((target - max(total, first)) / 20.0, -1.0, 2.0)


def win_chances(table: Table, bench: Bench) -> None:
    """Put every seat's chance to win on the bench, when a round is over.

    A single player wins by meeting the challenge (SOLO-1).
    """
    if table.seats == 1:
        if table.waiting == GAME_OVER:
            bench.chances[0] = 1.0 if challenge_met(table.round, table.playoffs) else 0.0
        else:
            bench.chances[0] = challenge_chance(table, bench)
        return
    if table.waiting == GAME_OVER:
        for seat in range(table.seats):
            bench.chances[seat] = 1.0 if seat == table.winner else 0.0
        return
    most = FAR
    for seat in range(table.seats):
        if table.status[seat] != LEFT:
            value_inputs(table, bench, seat)
            bench.chances[seat] = evaluate(bench, VALUE_NET, VALUE_INPUTS, VALUE_HIDDEN)
            most = max(most, bench.chances[seat])
    whole = 0.0
    for seat in range(table.seats):
        bench.chances[seat] = exponential(bench.chances[seat] - most) if table.status[seat] != LEFT else 0.0
        whole += bench.chances[seat]
    for seat in range(table.seats):
        bench.chances[seat] /= whole


def exponential(x: float) -> float:
    """Return e to the power of a number that is not positive, nearly, and the same on every machine."""
    power = max(1.0 + x / 1024.0, 0.0)
    for _ in range(10):
        power *= power
    return power
