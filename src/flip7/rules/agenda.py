"""What has to happen next. `advance` works through the agenda until the table needs a card or a choice.

A deal, a hit and a Flip Three are one thing: a seat turns up n cards, what it sets aside is handed out, and what
was handed out is resolved. What is pending is data on the table, never a call: `flips_left`, `aside` with `given`, and
the stack of cards to resolve. The deal is the first lap of turns: whoever has no card gets one, whoever has any is
asked.
"""

from flip7.rules import log, rulings
from flip7.rules.cards import FREEZE, SECOND
from flip7.rules.log import note
from flip7.rules.piles import place, reshuffle, throw, throw_pending
from flip7.rules.scoring import leader, points, target_reached
from flip7.rules.table import (
    ACTIVE,
    AWAIT_CARD,
    CHOOSE_TARGET,
    DEALT,
    FORCED,
    FROZEN,
    GAME_OVER,
    HIT,
    HIT_OR_STAY,
    MOVING,
    NOBODY,
    NOTHING,
    ROUND_OVER,
    Table,
)

IDLE_RESHUFFLES = 10  # DECK-4


def advance(table: Table) -> None:
    """Go on until the table waits for something. Nothing happens if it does already."""
    while table.waiting == MOVING:
        if table.flips_left > 0:
            await_card(table)
        elif table.aside_count == 0 and table.stack_count == 0:
            if table.active > 0:
                next_turn(table)
            else:
                end_round(table, rulings.END_1)
        elif table.handed < table.aside_count:
            if table.active > 1:
                ask_target(table, table.aside[table.handed])
            else:
                hand_out(table, table.seat)  # ACT-2, CHOICE-1
        elif table.aside_count > 0:
            stack_aside(table)
        else:
            resolve(table)


def await_card(table: Table) -> None:
    """Wait for the card that `seat` turns up. When no card can come, the round is over."""
    if table.draw_left == 0:
        if table.discard_left == 0 or table.idle >= IDLE_RESHUFFLES:
            end_round(table, rulings.DECK_3 if table.discard_left == 0 else rulings.DECK_4)
            return
        table.idle += 1
        reshuffle(table)
    table.waiting = AWAIT_CARD


def ask_target(table: Table, card: int) -> None:
    """Wait until `seat` says who gets the card."""
    table.card = card
    table.waiting = CHOOSE_TARGET


def may_get(table: Table, card: int, seat: int) -> bool:
    """Return whether the card on offer may go to `seat` (ACT-1, SC-4)."""
    if table.status[seat] != ACTIVE:
        return False
    return card != SECOND or (seat != table.seat and table.hands[seat][SECOND] == 0)


def hand_out(table: Table, target: int) -> None:
    """Hand the next card that was set aside to `target`. It takes no effect yet (F3-4)."""
    card = table.aside[table.handed]
    ruling = rulings.ACT_2 if table.active == 1 else rulings.F3_4 if table.cause == FORCED else rulings.ACT_1
    note(table, log.CARD_HANDED_OUT, table.seat, card, target, ruling)
    table.given[table.handed] = target
    table.handed += 1


def stack_aside(table: Table) -> None:
    """Move the cards handed out to the stack, the first on top; they come before any earlier batch (F3-5, F3-7)."""
    while table.aside_count > 0:
        table.aside_count -= 1
        table.stack_card[table.stack_count] = table.aside[table.aside_count]
        table.stack_seat[table.stack_count] = table.given[table.aside_count]
        table.stack_count += 1
    table.handed = 0


def resolve(table: Table) -> None:
    """Let the card on top of the stack take effect on the seat it was handed to."""
    table.stack_count -= 1
    card = table.stack_card[table.stack_count]
    seat = table.stack_seat[table.stack_count]
    if table.status[seat] != ACTIVE:
        throw(table, card, seat, rulings.F3_5)
        return
    place(table, seat, card)
    note(table, log.CARD_PLACED, seat, card, NOTHING, rulings.ACT_3)
    if card == FREEZE:
        table.status[seat] = FROZEN
        table.active -= 1
        note(table, log.PLAYER_FROZEN, seat, card, points(table, seat), rulings.FRZ_1)
    else:
        table.seat = seat
        table.flips_left = 3
        table.cause = FORCED
        note(table, log.FLIP_THREE_STARTED, seat, card, NOTHING, rulings.F3_1)


def next_turn(table: Table) -> None:
    """Move on to the next active seat in turn order (TURN-1, TURN-4). At least one seat is active."""
    seat = table.turn
    lap = table.lap
    while True:
        seat += 1
        if seat == table.seats:
            seat = 0
        if seat == table.opener:
            lap += 1
        if table.status[seat] == ACTIVE:
            break
    table.lap = lap
    table.turn = seat
    table.seat = seat
    if table.held[seat] > 0:
        table.waiting = HIT_OR_STAY  # in the first lap too: DEAL-4
        return
    table.cause = HIT if table.lap > 1 else DEALT  # DEAL-1, or TURN-2 with CHOICE-1
    table.flips_left = 1


def end_round(table: Table, ruling: int) -> None:
    """Discard what is pending and count what everyone has."""
    throw_pending(table, ruling)
    table.flips_left = 0
    note(table, log.ROUND_ENDED, NOBODY, NOTHING, NOTHING, ruling)
    for seat in range(table.seats):
        table.scores[seat] = points(table, seat)
    count_round(table)


def count_round(table: Table) -> None:
    """Add the scores of the round to the totals, and see whether anybody has won (GAME-1, GAME-2)."""
    for seat in range(table.seats):
        table.totals[seat] += table.scores[seat]
    table.waiting = ROUND_OVER
    note(table, log.ROUND_SCORED, NOBODY, NOTHING, NOTHING, rulings.SCORE_1)
    if target_reached(table):
        table.winner = leader(table)
        if table.winner == NOBODY:
            table.playoffs += 1
            note(table, log.PLAYOFF_CALLED, NOBODY, NOTHING, table.playoffs, rulings.GAME_2)
        else:
            table.waiting = GAME_OVER
            note(table, log.GAME_OVER, table.winner, NOTHING, NOTHING, rulings.GAME_1)
