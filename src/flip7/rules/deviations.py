"""What happens at a real table though the rules do not say so: it is put down, and the rest follows (KEEP-5)."""

from flip7.rules import log, rulings
from flip7.rules.agenda import advance, await_card, end_round
from flip7.rules.cards import FREEZE, SECOND, TWELVE
from flip7.rules.log import note
from flip7.rules.moves import bust, flip_ruling, open_round, save, spare_second, turn_up
from flip7.rules.piles import place, reshuffle, throw, throw_aside
from flip7.rules.scoring import FLIP7
from flip7.rules.table import (
    ACTIVE,
    AWAIT_CARD,
    BUSTED,
    CHOOSE_TARGET,
    FORCED,
    HIT_OR_STAY,
    LEFT,
    MOVING,
    NOBODY,
    NOTHING,
    STAYED,
    Table,
)


def begin_round_without(table: Table, dealer: int, away: list[int]) -> None:
    """Start a round that `dealer` deals, while the seats in `away` are not at the table."""
    table.dealer = dealer
    if table.round > 0:
        table.dealer = dealer - 1 if dealer > 0 else table.seats - 1  # the deal is passed on as the round opens
    open_round(table)
    for seat in away:
        table.status[seat] = LEFT
        table.active -= 1
        note(table, log.PLAYER_LEFT, seat, NOTHING, NOTHING, rulings.KEEP_7)
    advance(table)


def reveal_to(table: Table, seat: int, card: int) -> None:
    """The next card has been turned up, and it came to `seat` though it was another's.

    The turn of whoever should have had it is over. A card of a Flip Three counts as one of the three.
    """
    note(table, log.CARD_MISDEALT, seat, card, table.seat, rulings.KEEP_5)
    if table.cause != FORCED and table.status[seat] == ACTIVE:
        table.seat = seat
        turn_up(table, card)
    else:
        lay_beside(table, seat, card)
    advance(table)


def lay_beside(table: Table, seat: int, card: int) -> None:
    """Lay a card before a seat that does not flip: what it sets off there, nothing else."""
    table.draw[card] -= 1
    table.draw_left -= 1
    table.flips_left -= 1
    note(table, log.CARD_FLIPPED, seat, card, table.flips_left, flip_ruling(table.cause))
    table.waiting = MOVING
    if card <= TWELVE:
        lay_number(table, seat, card)
    elif card < FREEZE:
        place(table, seat, card)
        note(table, log.CARD_PLACED, seat, card, NOTHING, rulings.MOD_1)
    elif card == SECOND:
        if table.hands[seat][SECOND] == 0:
            place(table, seat, card)
            note(table, log.CARD_PLACED, seat, card, NOTHING, rulings.SC_1)
        else:
            throw(table, card, seat, rulings.SC_4)
    else:
        table.aside[table.aside_count] = card
        table.aside_count += 1
        if table.cause == FORCED:
            note(table, log.CARD_SET_ASIDE, table.seat, card, NOTHING, rulings.F3_3)


def lay_number(table: Table, seat: int, card: int) -> None:
    """A number that came to a seat which does not flip."""
    if table.hands[seat][card] == 0 and table.different[seat] < FLIP7:
        place(table, seat, card)
        note(table, log.CARD_PLACED, seat, card, NOTHING, rulings.NUM_1)
        if table.different[seat] == FLIP7 and table.status[seat] < BUSTED:
            note(table, log.FLIP7_MADE, seat, card, NOTHING, rulings.NUM_3)
            end_round(table, rulings.NUM_3)
    elif table.status[seat] != ACTIVE:
        throw(table, card, seat, rulings.KEEP_5)
    elif table.hands[seat][SECOND] > 0:
        save(table, seat, card)
    else:
        bust(table, seat, card)


def take_anyway(table: Table, card: int) -> None:
    """A card lies on the table that should no longer be in the draw pile: it was there after all."""
    if table.discard[card] > 0:
        table.discard[card] -= 1
        table.discard_left -= 1
    table.draw[card] += 1
    table.draw_left += 1
    note(table, log.CARD_ADDED, table.seat, card, NOTHING, rulings.KEEP_5)


def lose(table: Table, card: int) -> None:
    """A card is gone from the piles for good. One of them has it."""
    if table.draw[card] > 0:
        table.draw[card] -= 1
        table.draw_left -= 1
    else:
        table.discard[card] -= 1
        table.discard_left -= 1
    note(table, log.CARD_LOST, NOBODY, card, NOTHING, rulings.KEEP_5)
    if table.waiting == AWAIT_CARD and table.draw_left == 0:
        await_card(table)


def shuffle_early(table: Table) -> None:
    """The discard pile was shuffled into a draw pile that was not empty yet."""
    table.idle += 1  # DECK-4
    reshuffle(table)
    table.log.pop()
    note(table, log.DECK_RESHUFFLED, NOBODY, NOTHING, table.draw_left, rulings.KEEP_5)


def may_stay_early(table: Table, seat: int) -> bool:
    """Return whether `seat` may be put down as having stayed though another is asked or flips."""
    if table.waiting != HIT_OR_STAY and table.waiting != AWAIT_CARD:
        return False
    return seat != table.seat and table.status[seat] == ACTIVE and table.held[seat] > 0


def stay_early(table: Table, seat: int) -> None:
    """A seat stayed when it was not asked."""
    table.status[seat] = STAYED
    table.active -= 1
    table.idle = 0  # DECK-4
    note(table, log.PLAYER_STAYED, seat, NOTHING, NOTHING, rulings.KEEP_5)


def walk_out(table: Table, seat: int) -> None:
    """A player leaves in the middle of the round: out of it with 0 points, their cards stay till its end (KEEP-7)."""
    was_active = table.status[seat] == ACTIVE
    table.status[seat] = LEFT
    note(table, log.PLAYER_LEFT, seat, NOTHING, NOTHING, rulings.KEEP_7)
    if not was_active:
        return
    table.active -= 1
    if table.seat == seat:
        drop_business(table)
    elif table.waiting == CHOOSE_TARGET:
        offer_again(table)
    advance(table)


def drop_business(table: Table) -> None:
    """Whoever was to flip, to answer or to hand out is gone: what they had set aside is discarded."""
    if table.waiting == CHOOSE_TARGET and table.card == SECOND:
        throw(table, SECOND, table.seat, rulings.KEEP_7)
    throw_aside(table, rulings.KEEP_7)
    table.flips_left = 0
    table.card = NOTHING
    table.waiting = MOVING


def offer_again(table: Table) -> None:
    """One of those who might have got the card on offer is gone."""
    if table.card == SECOND and spare_second(table, table.seat):
        return
    table.card = NOTHING
    table.waiting = MOVING
