"""Rollouts: how a round may go on, with everybody playing the net, and what that makes of the game.

Written like the rules, so that both builds share it. `tables` and `benches` have a place for the game in front and one
for thinking behind it.
"""

from __future__ import annotations

from flip7.rules.moves import ask_for_card, leave, open_round, pass_card
from flip7.rules.table import GAME_OVER, HIT_OR_STAY, LEFT, ROUND_OVER, Table
from flip7.strategy.bench import LAID_OUT, Bench
from flip7.strategy.kernel import STAYS, play_on
from flip7.strategy.random import GOLDEN, mixed
from flip7.strategy.value import win_chances

HERE, THERE = range(2)  # the game, and what is thought about it

APART = ("roll_out",)  # called from several places, so not copied into each: it keeps compilation short


def copy_table(tables: list[Table], source: int, target: int) -> None:
    """Make one table the copy of another. The compiled build has its own way."""
    tables[target] = tables[source].copy()


def think_ahead(tables: list[Table], benches: list[Bench]) -> None:
    """Take the table into thought, with the pile as it is known: in no order."""
    copy_table(tables, HERE, THERE)
    pile = benches[HERE].pile
    mind = benches[THERE]
    for i in range(tables[HERE].draw_left):
        mind.pile[i] = pile[i]
    mind.marks[LAID_OUT] = benches[HERE].marks[LAID_OUT]


def choose(table: Table, choice: int) -> None:
    """Make a choice, up to the point where the agenda takes over."""
    if table.waiting == HIT_OR_STAY:
        if choice == STAYS:
            leave(table)
        else:
            ask_for_card(table)
    else:
        pass_card(table, choice)


def next_round(table: Table) -> None:
    """Start the next round. Those who have left stay away, and the deal passes them by (KEEP-7)."""
    away = 0  # a bit for each seat
    for seat in range(int(table.seats)):
        if table.status[seat] == LEFT:
            away |= 1 << seat
    if away != 0 and table.round > 0:
        dealer = int(table.dealer)
        while (away >> ((dealer + 1) % int(table.seats))) & 1:  # someone is there, or nobody would play on
            dealer = (dealer + 1) % int(table.seats)
        table.dealer = dealer
    open_round(table)
    for seat in range(int(table.seats)):
        if (away >> seat) & 1:
            table.status[seat] = LEFT
            table.active -= 1


def roll_out(table: Table, bench: Bench, rounds: int) -> None:
    """Play on to the end of this round and of n more, or of the game; then estimate every seat's chance."""
    while True:
        play_on(table, bench)
        if rounds == 0 or table.waiting != ROUND_OVER:
            break
        rounds -= 1
        next_round(table)
    if table.waiting == ROUND_OVER or table.waiting == GAME_OVER:
        win_chances(table, bench)


def next_stream(rng: int) -> int:
    """Return where the random numbers of the next rollout begin, after those of one that began here."""
    return mixed(rng + GOLDEN)


def fingerprint(table: Table) -> int:
    """Return a number that follows from what everybody sees: the seed of thinking about it."""
    number = mixed(table.seat * 64 + table.waiting)
    for seat in range(table.seats):
        number = mixed(number + table.totals[seat] * 4096 + table.sums[seat] * 16 + table.held[seat])
    return mixed(number + table.draw_left * 1024 + table.round)
