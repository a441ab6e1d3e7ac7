"""The challenge for a single player: the target in fewer than five rounds (SOLO-1). Written like the rules.

Two tables say how it stands at the beginning of a round, from how many rounds are left and how many points are
missing: the chance to meet it, and how many points to aim at before staying. They are all that the book holds for one
seat (`strategy.book`). Once the challenge is lost one plays for points, a card ahead.
"""

from __future__ import annotations

from flip7.rules.scoring import ROUNDS_OF_CHALLENGE, points
from flip7.rules.table import Table
from flip7.strategy.bench import Bench
from flip7.strategy.chance import hit_value

REACH = 240  # points: with as many missing the challenge is given up
COUNTED = ROUNDS_OF_CHALLENGE - 1  # rounds
CHANCES = 0  # where they begin in the book: with one round left, with two, with three
AIMS = CHANCES + (COUNTED - 1) * REACH  # with two rounds left, with three, with four; 0 where it is lost
ALONE_SIZE = AIMS + (COUNTED - 1) * REACH

CERTAIN = 10.0  # as the net says what is certain

APART = ("challenge_chance", "challenge_gain")

LEANING = 0.0001  # a point that is missing: enough to decide, too little to outweigh any rollout


def challenge_chance(table: Table, bench: Bench) -> float:
    """Return the chance to meet the challenge, when a round is over and the target is not reached."""
    left = ROUNDS_OF_CHALLENGE - 1 - int(table.round)
    missing = int(table.target - table.totals[0])
    if left <= 0 or missing >= REACH:
        return 0.0
    return bench.book[CHANCES + (left - 1) * REACH + missing]


def challenge_gain(table: Table, bench: Bench) -> float:
    """Return a number that is above 0 if one should hit, and far from it if that is certain.

    With the target in hand one stays; in the last round that counts one hits until then.
    """
    now = int(points(table, 0))
    missing = int(table.target - table.totals[0])
    left = ROUNDS_OF_CHALLENGE - int(table.round)
    if now >= missing:
        return -CERTAIN
    if left <= 0 or missing >= REACH:
        return hit_value(table, 0) - float(now)
    if left == 1:
        return CERTAIN
    aim = bench.book[AIMS + (left - 2) * REACH + missing]
    return LEANING * (aim - float(now)) if aim > 0.0 else hit_value(table, 0) - float(now)
