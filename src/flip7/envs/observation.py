"""What a seat sees, as one flat row of whole numbers, and what it may answer. Written like the rules.

The same row serves every environment; docs/envs.md lists it number by number. Seats are counted clockwise from the one
that looks: 0 is oneself, 1 the next one, and so on.
"""

from __future__ import annotations

from flip7.rules.agenda import may_get
from flip7.rules.cards import FACES, FLIP3, FREEZE
from flip7.rules.scoring import points
from flip7.rules.table import CHOOSE_TARGET, HIT_OR_STAY, NOTHING, Table

# Where each number of the row is.
WAITS_FOR, ASKED, ON_OFFER, FLIPS_LEFT, TURN, DEALER = range(6)
TARGET = 6  # and 7, in which 256 counts 1
ROUND, PLAYOFFS, IDLE, FIRST, RESHUFFLE, DRAW_LEFT, DISCARD_LEFT, HANDED_OUT = range(8, 16)
DRAW = 16
DISCARD = DRAW + FACES
ASIDE = DISCARD + FACES  # three cards, each with the seat to which it has been handed out
STACK = ASIDE + 6
STACK_ROOM = 12  # Freezes and Flip Threes in two decks
SEATS_FROM = STACK + STACK_ROOM

# Where each number of a seat is, from its beginning.
STATUS, POINTS = range(2)
TOTAL = 2  # and 3, in which 256 counts 1
HAND = 4
SEAT_SIZE = HAND + FACES

APART = ("observe",)  # called from several places, so not copied into each: it keeps compilation short

# The actions. Those from GIVE on give the card on offer to the seat that many places after one's own.
HIT, STAY, GIVE = range(3)

MOST = 255  # what a number of the row can be: a byte. Counts that follow from others stop there
FARTHEST = 65_000  # the highest target that the row can tell
HIGHEST = 65_535  # the highest total


def row_size(seats: int) -> int:
    """Return how many numbers the row has."""
    return SEATS_FROM + SEAT_SIZE * seats


def after(table: Table, seat: int, other: int) -> int:
    """Return how many places a seat comes after another one."""
    return other - seat if other >= seat else other + table.seats - seat


def places_after(table: Table, seat: int, places: int) -> int:
    """Return the seat that comes n places after another one."""
    return seat + places if seat + places < table.seats else seat + places - table.seats


def observe(table: Table, seat: int, row: list[int]) -> None:
    """Write down what `seat` sees."""
    row[WAITS_FOR] = table.waiting
    row[ASKED] = after(table, seat, table.seat)
    row[ON_OFFER] = table.card - FREEZE + 1 if table.card != NOTHING else 0
    row[FLIPS_LEFT] = table.flips_left
    row[TURN] = after(table, seat, table.turn)
    row[DEALER] = after(table, seat, table.dealer)
    row[TARGET] = table.target & MOST
    row[TARGET + 1] = table.target >> 8
    row[ROUND] = min(table.round, MOST)
    row[PLAYOFFS] = min(table.playoffs, MOST)
    row[IDLE] = table.idle
    row[FIRST] = table.first
    row[RESHUFFLE] = table.reshuffle
    row[DRAW_LEFT] = min(table.draw_left, MOST)
    row[DISCARD_LEFT] = min(table.discard_left, MOST)
    row[HANDED_OUT] = table.stack_count
    copy_counts(table.draw, row, DRAW)
    copy_counts(table.discard, row, DISCARD)
    for i in range(ASIDE, SEATS_FROM):
        row[i] = 0
    if table.aside_count + table.stack_count > 0:
        observe_pending(table, seat, row)
    for places in range(table.seats):
        observe_seat(table, places_after(table, seat, places), row, SEATS_FROM + places * SEAT_SIZE)


def observe_pending(table: Table, seat: int, row: list[int]) -> None:
    """Write down what is set aside, and what is handed out and not yet resolved: the next one first."""
    for i in range(table.aside_count):
        row[ASIDE + 2 * i] = table.aside[i] - FREEZE + 1
        if i < table.handed:
            row[ASIDE + 2 * i + 1] = after(table, seat, table.given[i]) + 1
    for i in range(min(table.stack_count, STACK_ROOM)):
        top = table.stack_count - 1 - i
        kind = 2 if table.stack_card[top] == FLIP3 else 1
        row[STACK + i] = 2 * after(table, seat, table.stack_seat[top]) + kind


def observe_seat(table: Table, seat: int, row: list[int], at: int) -> None:
    """Write down one seat."""
    row[at + STATUS] = table.status[seat]
    row[at + POINTS] = min(points(table, seat), MOST)
    total = min(table.totals[seat], HIGHEST)
    row[at + TOTAL] = total & MOST
    row[at + TOTAL + 1] = total >> 8
    copy_counts(table.hands[seat], row, at + HAND)


def copy_counts(counts: list[int], row: list[int], at: int) -> None:
    """Write down how many of each card there are.

    All are read before any is written: since the compiler cannot know that they lie apart, it moves them together only
    then, and this is where most of the time for an observation goes.
    """
    a, b, c, d, e, f = counts[0], counts[1], counts[2], counts[3], counts[4], counts[5]
    g, h, i, j, k, z = counts[6], counts[7], counts[8], counts[9], counts[10], counts[11]
    m, n, o, p, q, r = counts[12], counts[13], counts[14], counts[15], counts[16], counts[17]
    s, t, u, v = counts[18], counts[19], counts[20], counts[21]
    row[at], row[at + 1], row[at + 2], row[at + 3], row[at + 4], row[at + 5] = a, b, c, d, e, f
    row[at + 6], row[at + 7], row[at + 8], row[at + 9], row[at + 10], row[at + 11] = g, h, i, j, k, z
    row[at + 12], row[at + 13], row[at + 14], row[at + 15], row[at + 16], row[at + 17] = m, n, o, p, q, r
    row[at + 18], row[at + 19], row[at + 20], row[at + 21] = s, t, u, v


def allow(table: Table, mask: list[int]) -> int:
    """Write down which actions the seat that is asked may take, 1 or 0 each. Returns the same as bits."""
    turn = 1 if table.waiting == HIT_OR_STAY else 0
    mask[HIT] = turn
    mask[STAY] = turn
    for places in range(table.seats):
        mask[GIVE + places] = 0
    if table.waiting != CHOOSE_TARGET:
        return 3 * turn
    bits = 0
    for places in range(table.seats):
        if may_get(table, table.card, places_after(table, table.seat, places)):
            mask[GIVE + places] = 1
            bits |= 1 << (GIVE + places)
    return bits
