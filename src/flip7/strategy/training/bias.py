"""How far rollouts that end early are off: measured by rollouts of whole games, on positions of games."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from random import Random

from flip7.compiled.build import from_record, to_records
from flip7.game.options import Rules
from flip7.rules.table import CHOOSE_TARGET, GAME_OVER, HIT_OR_STAY, Table
from flip7.strategy import bench as benches
from flip7.strategy import engine, policies
from flip7.strategy.bench import Bench
from flip7.strategy.kernel import HITS, STAYS
from flip7.strategy.thinking import WHOLE_GAME, Mind
from flip7.strategy.training import rows

POSITIONS = 50
GAMES = 5_000  # of each choice
ROLLOUTS = 12_000
OFF = 1_000_000  # keeps the seeds away from those of the training


def measured(seats: int, book: Sequence[float], share: float, seed: int) -> list[float]:
    """Return the bias of a chance to win, and of the difference between hitting and staying: root mean squares.

    What the rollouts themselves are uncertain by is taken off. `share` says which part of the usual work is done.
    """
    chances, differences = 0.0, 0.0
    for number, table in enumerate(turns(seats, book, seed + OFF, POSITIONS)):
        truth = Mind(table, book).survey([HITS, STAYS], seed + OFF + number, rounds=WHOLE_GAME)
        truth.add(int(GAMES * share))
        short = Mind(table, book).survey([HITS, STAYS], seed + OFF + POSITIONS + number)
        short.add(int(ROLLOUTS * share))
        for choice in range(2):
            gap = short.win(choice) - truth.win(choice)
            chances += (gap**2 - truth.error(choice) ** 2 - short.error(choice) ** 2) / 2
        gap = (short.win(1) - short.win(0)) - (truth.win(1) - truth.win(0))
        differences += gap**2 - truth.difference_error(1, 0) ** 2 - short.difference_error(1, 0) ** 2
    return [round(math.sqrt(max(whole / POSITIONS, 0.0)), 5) for whole in (chances, differences)]


def turns(seats: int, book: Sequence[float], seed: int, count: int) -> Iterator[Table]:
    """Yield tables at which a seat is asked whether it hits, each from another game between nets."""
    build = engine.compiled((policies.DEEP,), (rows,))
    plain = Rules().table(seats)
    outside = (policies.OUTSIDE, 0, policies.OUTSIDE, 0)
    both = [Bench(plain, [policy] * seats, book) for policy in (outside, policies.BY_NET)]
    tables, pair = to_records([plain]), to_records(both, benches.LAYOUT)
    table, chance = tables[0], Random(seed)
    game = 0
    while count > 0:
        build["rows"].begin_game(table, pair[0], seed, game)
        game += 1
        skip = chance.randrange(16 * seats)
        while True:
            build["rows"].go_on(table, pair[0])
            if table["waiting"] == GAME_OVER:
                break
            if skip <= 0 and table["waiting"] == HIT_OR_STAY:
                found = Rules().table(seats)
                from_record(table, found)
                yield found
                count -= 1
                break
            skip -= 1
            if table["waiting"] == CHOOSE_TARGET:
                choice = build["policies"].chosen_target(table, pair[1])
            else:
                choice = HITS if build["policies"].wants_card(table, pair[1]) else STAYS
            build["rollouts"].choose(table, choice)
