"""Random games with a checksum over every field of the table after every input. Written like the rules: both builds
run it, and must come to the same numbers."""

from flip7.rules.agenda import may_get
from flip7.rules.cards import FACES, FLIP3, FREEZE, SECOND
from flip7.rules.inputs import begin_round, give, hit, reveal, stay
from flip7.rules.table import ACTIONS, AWAIT_CARD, CHOOSE_TARGET, GAME_OVER, HIT_OR_STAY, ROUND_OVER, Table
from flip7.strategy.random import MASK, below

# What is counted on the way, so that a test can claim that it all happened.
INPUTS, ROUNDS, STAYS, FREEZES, FLIP3S, SECONDS, RESHUFFLES, NESTED, IDLE, PLAYOFFS, OVER, FAULTS = range(12)


def folded(table: Table, checksum: int) -> int:
    """The checksum with every field of the table added to it; of the pending cards, those that there are."""
    checksum = mixed_in(checksum, table.waiting, table.seat, table.card, table.turn)
    checksum = mixed_in(checksum, table.opener, table.lap, table.cause, table.flips_left)
    checksum = mixed_in(checksum, table.aside_count, table.handed, table.stack_count, table.active)
    checksum = mixed_in(checksum, table.idle, table.draw_left, table.discard_left, table.shuffles)
    checksum = mixed_in(checksum, table.seats, table.target, table.first, table.reshuffle)
    checksum = mixed_in(checksum, table.dealer, table.round, table.playoffs, table.winner)
    for card in range(FACES):
        checksum = checksum * 29791 + table.draw[card] * 961 + table.discard[card] * 31 + table.shown[card]
    checksum &= MASK
    for i in range(table.aside_count):
        checksum = (checksum * 31 + table.aside[i]) & MASK
    for i in range(table.handed):
        checksum = (checksum * 31 + table.given[i]) & MASK
    for i in range(table.stack_count):
        checksum = (checksum * 961 + table.stack_card[i] * 31 + table.stack_seat[i]) & MASK
    for seat in range(table.seats):
        checksum = mixed_in(checksum, table.status[seat], table.held[seat], table.different[seat], table.sums[seat])
        checksum = mixed_in(checksum, seat, table.bonuses[seat], table.scores[seat], table.totals[seat])
        line = table.lines[seat]
        checksum = mixed_in(checksum, line[0], line[1], line[2], line[3])
        checksum = mixed_in(checksum, line[4], line[5], line[6], line[7])
        hand = table.hands[seat]
        for card in range(FACES):
            checksum = checksum * 31 + hand[card]
        checksum &= MASK
    return checksum


def mixed_in(checksum: int, a: int, b: int, c: int, d: int) -> int:
    """The checksum with four more numbers."""
    return ((((checksum * 31 + a) * 31 + b) * 31 + c) * 31 + d) & MASK


def leftovers(table: Table, checksum: int) -> int:
    """The checksum with what earlier pending cards have left behind: nobody reads it, yet it must be the same."""
    for i in range(3):
        checksum = (checksum * 961 + table.aside[i] * 31 + table.given[i]) & MASK
    for i in range(ACTIONS):
        checksum = (checksum * 961 + table.stack_card[i] * 31 + table.stack_seat[i]) & MASK
    return checksum


def misplaced(table: Table, deck: list[int]) -> int:
    """How many cards are not in exactly one place, or lie somewhere that the counts do not tell."""
    faults = 0
    drawn = 0
    thrown = 0
    for card in range(FACES):
        before_seats = 0
        for seat in range(table.seats):
            before_seats += table.hands[seat][card]
        pending = 0
        for i in range(table.aside_count):
            if table.aside[i] == card:
                pending += 1
        for i in range(table.stack_count):
            if table.stack_card[i] == card:
                pending += 1
        if card == SECOND and table.waiting == CHOOSE_TARGET and table.card == SECOND:
            pending += 1
        faults += abs(table.draw[card] + table.discard[card] + before_seats + pending - deck[card])
        faults += abs(table.shown[card] - before_seats)
        if table.draw[card] < 0 or table.discard[card] < 0:
            faults += 1
        drawn += table.draw[card]
        thrown += table.discard[card]
    for seat in range(table.seats):
        held = 0
        for card in range(FACES):
            held += table.hands[seat][card]
        faults += abs(table.held[seat] - held)
    return faults + abs(table.draw_left - drawn) + abs(table.discard_left - thrown)


def random_card(table: Table, rng: list[int]) -> int:
    """A card of the draw pile, each equally likely."""
    at = below(rng, table.draw_left)
    for card in range(FACES):
        at -= table.draw[card]
        if at < 0:
            return card
    return -1


def random_taker(table: Table, rng: list[int]) -> int:
    """Somebody who may get the card on offer."""
    takers = 0
    for seat in range(table.seats):
        if may_get(table, table.card, seat):
            takers += 1
    skip = below(rng, takers)
    for seat in range(table.seats):
        if may_get(table, table.card, seat):
            if skip == 0:
                return seat
            skip -= 1
    return -1


def note_choice(table: Table, seen: list[int]) -> None:
    """Count which kind of card is given away."""
    if table.card == FREEZE:
        seen[FREEZES] += 1
    elif table.card == FLIP3:
        seen[FLIP3S] += 1
    elif table.card == SECOND:
        seen[SECONDS] += 1


def play_at_random(
    table: Table, rng: list[int], deck: list[int], patience: int, inputs: int, seen: list[int], check: bool
) -> int:
    """Play a game at random, so many inputs at the most; returns the checksum. One answer in `patience` is to stay."""
    checksum = 0
    for _ in range(inputs):
        shuffles = table.shuffles
        if table.waiting == AWAIT_CARD:
            reveal(table, random_card(table, rng))
        elif table.waiting == HIT_OR_STAY:
            if below(rng, patience) == 0:
                seen[STAYS] += 1
                stay(table)
            else:
                hit(table)
        elif table.waiting == CHOOSE_TARGET:
            note_choice(table, seen)
            give(table, random_taker(table, rng))
        elif table.waiting == ROUND_OVER:
            seen[ROUNDS] += 1
            begin_round(table)
        else:
            break
        seen[INPUTS] += 1
        seen[RESHUFFLES] += table.shuffles - shuffles
        if table.stack_count > 1:
            seen[NESTED] += 1
        if table.idle == 10:
            seen[IDLE] += 1
        if check:
            seen[FAULTS] += misplaced(table, deck)
        checksum = folded(table, checksum)
    if table.waiting == GAME_OVER:
        seen[OVER] += 1
        seen[PLAYOFFS] += table.playoffs
    return leftovers(table, checksum)
