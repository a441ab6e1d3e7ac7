"""Games of one seat that plays by a rule of thumb. Written like the rules, to be compiled."""

from __future__ import annotations

from flip7.rules.cards import SECOND
from flip7.rules.moves import open_round
from flip7.rules.scoring import points
from flip7.rules.table import ACTIVE, GAME_OVER, HIT_OR_STAY, ROUND_OVER, Table
from flip7.strategy.bench import Bench
from flip7.strategy.chance import USUAL_ROUND
from flip7.strategy.kernel import HITS, STAYS, deal_anew, play_on
from flip7.strategy.policies import plain_target
from flip7.strategy.random import below, start
from flip7.strategy.rollouts import choose


def wins(tables: list[Table], benches: list[Bench], base: int, slope: int, most: int, seed: int, games: int) -> int:
    """Play games to the end; returns how many seat 0 wins. The dealer changes from game to game."""
    table = tables[0]
    bench = benches[0]
    won = 0
    for game in range(games):
        start(bench.rng, seed, game)
        deal_anew(table, bench, below(bench.rng, table.seats))
        while table.waiting != GAME_OVER:
            if table.waiting == ROUND_OVER:
                open_round(table)
            play_on(table, bench)
            if table.waiting == HIT_OR_STAY:
                choose(table, HITS if hits(table, base, slope, most) else STAYS)
            elif table.waiting != ROUND_OVER and table.waiting != GAME_OVER:
                choose(table, plain_target(table))
        if table.winner == 0:
            won += 1
    return won


def hits(table: Table, base: int, slope: int, most: int) -> bool:
    """Return whether seat 0 hits."""
    if table.hands[0][SECOND] > 0:
        return True
    now = points(table, 0)
    mine = table.totals[0] + now
    leader = 0
    out = 0
    coming = 0
    for seat in range(1, table.seats):
        theirs = table.totals[seat] + points(table, seat)
        leader = max(leader, table.totals[seat])
        if table.status[seat] == ACTIVE:
            coming = max(coming, table.totals[seat] + max(points(table, seat), int(USUAL_ROUND)))
        else:
            out = max(out, theirs)
    if out >= table.target and out >= mine:
        return True
    if slope > 0 and mine >= table.target and mine > max(out, coming):
        return False
    wanted = slope * (leader - table.totals[0]) // 10
    return now < base + min(max(wanted, -most), most)
