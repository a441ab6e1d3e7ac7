"""The kernel: the one way to go on from any table, written like the rules, so that both builds share it.

`draw` takes a card from the pile, `step` makes one input whatever the table waits for, and `play_on` lets the policies
of a bench play. Simulations, rollouts and environments are made of these three.
"""

from __future__ import annotations

from flip7.rules.agenda import advance, await_card
from flip7.rules.cards import FACES
from flip7.rules.moves import ask_for_card, leave, open_round, pass_card, turn_up
from flip7.rules.table import AWAIT_CARD, CHOOSE_TARGET, HIT_OR_STAY, ROUND_OVER, Table
from flip7.strategy.bench import FLIPS, LAID_OUT, SPARE, Bench
from flip7.strategy.policies import answers_at_once, chosen_target, wants_card
from flip7.strategy.random import below

STAYS, HITS = range(2)  # how `step` is told a turn


def lay_out(table: Table, bench: Bench) -> None:
    """Lay the draw pile out, in no order. The pile has room for `SPARE` cards more."""
    left = 0
    for card in range(FACES):
        count = table.draw[card]
        for extra in range(SPARE):  # always as many, which costs less than a loop that no processor can foresee
            bench.pile[left + extra] = card
        for extra in range(SPARE, count):
            bench.pile[left + extra] = card
        left += count
    bench.marks[LAID_OUT] = table.shuffles


def draw(table: Table, bench: Bench) -> int:
    """Take the card that the table waits for, each of the draw pile equally likely."""
    if bench.marks[LAID_OUT] != table.shuffles:
        lay_out(table, bench)
    bench.marks[FLIPS] += 1
    return take(table, bench)


def take(table: Table, bench: Bench) -> int:
    """Take a card from a pile that is laid out."""
    at = below(bench.rng, table.draw_left)
    card = bench.pile[at]
    bench.pile[at] = bench.pile[table.draw_left - 1]
    return card


def step(table: Table, choice: int) -> None:
    """Make one input: a card's face, `HITS` or `STAYS`, or a seat, as the table waits for it; or start a round."""
    if table.waiting == AWAIT_CARD:
        turn_up(table, choice)
    elif table.waiting == HIT_OR_STAY:
        if choice == HITS:
            ask_for_card(table)
        else:
            leave(table)
    elif table.waiting == CHOOSE_TARGET:
        pass_card(table, choice)
    elif table.waiting == ROUND_OVER:
        open_round(table)
    advance(table)


def play_on(table: Table, bench: Bench) -> None:
    """Go on until the round is over, or until a seat is asked whose policy does not answer at once.

    The table may wait for anything. The pile has to be laid out for it, or its marks have to say that it is not.
    """
    shuffles = bench.marks[LAID_OUT]
    flips = table.draw_left
    if table.shuffles != shuffles:
        shuffles = table.shuffles
        lay_out(table, bench)
    while True:
        advance(table)  # at one place only: this keeps the compiled loop small
        if table.waiting == HIT_OR_STAY:
            if not answers_at_once(table, bench):
                break
            if not wants_card(table, bench):
                leave(table)
                continue
            ask_for_card(table)
            await_card(table)
        if table.waiting == AWAIT_CARD:
            if table.shuffles != shuffles:
                shuffles = table.shuffles
                lay_out(table, bench)
                flips += table.draw_left
            turn_up(table, take(table, bench))
        elif table.waiting == CHOOSE_TARGET:
            if not answers_at_once(table, bench):
                break
            pass_card(table, chosen_target(table, bench))
        else:
            break
    bench.marks[FLIPS] += flips - table.draw_left


def deal_anew(table: Table, bench: Bench, dealer: int) -> None:
    """Clear the table for a new game with the whole deck."""
    table.draw_left = 0
    for card in range(FACES):
        table.draw[card] = bench.deck[card]
        table.draw_left += bench.deck[card]
        table.discard[card] = 0
        table.shown[card] = 0
        for seat in range(table.seats):
            table.hands[seat][card] = 0
    table.discard_left = 0
    for seat in range(table.seats):
        table.held[seat] = 0
        table.different[seat] = 0
        table.sums[seat] = 0
        table.bonuses[seat] = 0
        table.totals[seat] = 0
    table.flips_left = 0
    table.aside_count = 0
    table.handed = 0
    table.stack_count = 0
    table.dealer = dealer
    table.round = 0
    table.playoffs = 0
    table.winner = -1
    table.shuffles = 1
    table.waiting = ROUND_OVER
    for i in range(table.draw_left):
        bench.pile[i] = bench.whole[i]
    bench.marks[LAID_OUT] = 1
