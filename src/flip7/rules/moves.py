"""What each input does to a table, up to the point where the agenda takes over: the table is `MOVING` then."""

from flip7.rules import log, rulings
from flip7.rules.agenda import ask_target, end_round, hand_out, may_get
from flip7.rules.cards import FREEZE, SECOND, TWELVE
from flip7.rules.log import note
from flip7.rules.piles import collect, place, reshuffle, throw, throw_aside
from flip7.rules.scoring import FLIP7
from flip7.rules.table import ACTIVE, BUSTED, DEALT, FORCED, HIT, MOVING, NOTHING, STAYED, Table


def open_round(table: Table) -> None:
    """Start the first round, or the next one after a round is over."""
    ruling = rulings.SET_4
    if table.round > 0:
        ruling = rulings.END_3
        collect(table)
        pass_deal(table)
    table.round += 1
    table.lap = 0
    table.opener = table.dealer + table.first
    if table.opener == table.seats:
        table.opener = 0
    table.turn = table.opener - 1 if table.opener > 0 else table.seats - 1
    table.idle = 0
    table.active = table.seats
    for seat in range(table.seats):
        table.status[seat] = ACTIVE
    note(table, log.ROUND_STARTED, table.dealer, NOTHING, table.round, ruling)
    if table.reshuffle and table.discard_left > 0:
        reshuffle(table)
    table.waiting = MOVING


def pass_deal(table: Table) -> None:
    """The seat to the left becomes the dealer (END-3)."""
    table.dealer += 1
    if table.dealer == table.seats:
        table.dealer = 0


def ask_for_card(table: Table) -> None:
    """The seat that was asked takes a card (TURN-3)."""
    table.cause = HIT
    table.flips_left = 1
    note(table, log.PLAYER_HIT, table.seat, NOTHING, NOTHING, rulings.TURN_3)
    table.waiting = MOVING


def leave(table: Table) -> None:
    """The seat that was asked keeps its points and is out of the round (TURN-2)."""
    table.status[table.seat] = STAYED
    table.active -= 1
    table.idle = 0  # DECK-4
    note(table, log.PLAYER_STAYED, table.seat, NOTHING, NOTHING, rulings.TURN_2)
    table.waiting = MOVING


def pass_card(table: Table, target: int) -> None:
    """The seat that was asked gives the card on offer to `target`."""
    if table.card == SECOND:
        pass_second(table, target)
    else:
        hand_out(table, target)
    table.card = NOTHING
    table.waiting = MOVING


def turn_up(table: Table, card: int) -> None:
    """The next card has been turned up: it is `card`."""
    seat = table.seat
    table.draw[card] -= 1
    table.draw_left -= 1
    table.flips_left -= 1
    note(table, log.CARD_FLIPPED, seat, card, table.flips_left, flip_ruling(table.cause))
    if card <= TWELVE:
        if turn_number(table, seat, card):
            end_round(table, rulings.NUM_3)
            return
    elif card < FREEZE:
        place(table, seat, card)
        note(table, log.CARD_PLACED, seat, card, NOTHING, rulings.MOD_1)
    elif card == SECOND:
        if turn_second(table, seat):
            return
    else:
        table.aside[table.aside_count] = card
        table.aside_count += 1
        if table.cause == FORCED:
            note(table, log.CARD_SET_ASIDE, seat, card, NOTHING, rulings.F3_3)
    table.waiting = MOVING


def flip_ruling(cause: int) -> int:
    """Return the ruling by which a card is turned up."""
    if cause == FORCED:
        return rulings.F3_1
    return rulings.DEAL_1 if cause == DEALT else rulings.TURN_3


def turn_number(table: Table, seat: int, card: int) -> bool:
    """Add a number to the line, let a Second Chance swallow it, or bust its seat. Return whether it makes a Flip 7."""
    if table.hands[seat][card] == 0:
        place(table, seat, card)
        note(table, log.CARD_PLACED, seat, card, NOTHING, rulings.NUM_1)
        if table.different[seat] == FLIP7:
            note(table, log.FLIP7_MADE, seat, card, NOTHING, rulings.NUM_3)
            return True
    elif table.hands[seat][SECOND] > 0:
        save(table, seat, card)
    else:
        table.flips_left = 0  # F3-2
        bust(table, seat, card)
        throw_aside(table, rulings.F3_3)
    return False


def save(table: Table, seat: int, card: int) -> None:
    """A duplicate is swallowed by the seat's Second Chance; both are discarded."""
    note(table, log.PLAYER_SAVED, seat, card, NOTHING, rulings.SC_2)
    table.hands[seat][SECOND] -= 1
    table.held[seat] -= 1
    table.shown[SECOND] -= 1
    throw(table, card, seat, rulings.SC_2)
    throw(table, SECOND, seat, rulings.SC_2)


def bust(table: Table, seat: int, card: int) -> None:
    """A duplicate puts its seat out of the round."""
    place(table, seat, card)
    table.status[seat] = BUSTED
    table.active -= 1
    note(table, log.PLAYER_BUSTED, seat, card, NOTHING, rulings.NUM_2)


def turn_second(table: Table, seat: int) -> bool:
    """Keep a Second Chance, pass it on, or discard it. Return whether its seat has to choose who gets it."""
    if table.hands[seat][SECOND] == 0:
        place(table, seat, SECOND)
        note(table, log.CARD_PLACED, seat, SECOND, NOTHING, rulings.SC_1)
        return False
    if spare_second(table, seat):
        ask_target(table, SECOND)
        return True
    return False


def spare_second(table: Table, seat: int) -> bool:
    """Pass a spare Second Chance on, or discard it. Return whether `seat` has to choose who gets it (SC-4)."""
    takers = 0
    taker = NOTHING
    for other in range(table.seats):
        if may_get(table, SECOND, other):
            takers += 1
            taker = other
    if takers == 1:
        pass_second(table, taker)  # CHOICE-1
    elif takers == 0:
        throw(table, SECOND, seat, rulings.SC_4)
    return takers > 1


def pass_second(table: Table, taker: int) -> None:
    """Hand a spare Second Chance to a seat that has none (SC-4)."""
    note(table, log.SECOND_CHANCE_PASSED, table.seat, SECOND, taker, rulings.SC_4)
    place(table, taker, SECOND)
