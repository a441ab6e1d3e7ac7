"""The best simple rule for people: searched for among rules that one can keep in mind, and measured on other games.

The rule: stay with `base` points, and want `slope` more for every ten that the best opponent's total is ahead (fewer
for every ten that it is behind). With a Second Chance always hit. Whoever is out and has won as things stand has to be
beaten; whoever would win by staying stays. Cards go where the plain strategies give them.
"""

from __future__ import annotations

import itertools
import math
import sys
from typing import Any

from bench import _thumb

from flip7 import Rules
from flip7.compiled.build import to_records
from flip7.strategy import bench, engine, policies
from flip7.strategy.bench import Bench

SEATS = (2, 3, 4, 6)
BASES, SLOPES, MOST = (24, 26, 28, 30, 32), (0, 1, 2), 12
SEARCHED, MEASURED = 12_000, 60_000  # games
SEED = 20_261


def run() -> bool:
    """Search, and print the best rule of each kind with what it wins; nothing is required."""
    for slopes, what in (((0,), "one number"), (SLOPES, "a number and a slope")):
        rules = list(itertools.product(BASES, slopes))
        found = {rule: sum(seats * won(seats, rule, SEED, SEARCHED) for seats in SEATS) for rule in rules}
        best = max(rules, key=found.__getitem__)
        rates = [won(seats, best, SEED + 1, MEASURED) for seats in SEATS]
        shown = ", ".join(
            f"{rate:.3f} ± {math.sqrt(rate * (1 - rate) / MEASURED):.3f} at {seats}"
            for rate, seats in zip(rates, SEATS, strict=True)
        )
        print(f"thumb: {what}: base {best[0]}, slope {best[1]}: one seat among ev wins {shown}")
        sys.stdout.flush()
    return True


def won(seats: int, rule: tuple[int, int], seed: int, games: int) -> float:
    """Return the share of games that one seat wins with a rule, against a field of `ev`."""
    table = Rules().table(seats)
    outside = (policies.OUTSIDE, 0, policies.EXPECTATION, 0)
    others = (policies.EXPECTATION, 0, policies.EXPECTATION, 0)
    build: Any = engine.compiled((policies.OUTSIDE,), (_thumb,))["_thumb"]
    benches = to_records([Bench(table, [outside, *[others] * (seats - 1)])], bench.LAYOUT)
    return float(build.wins(to_records([table]), benches, *rule, MOST, seed, games)) / games
