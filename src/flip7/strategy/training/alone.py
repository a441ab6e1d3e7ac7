"""The tables for a single player: how likely the challenge is to be met, and which points to aim at (SOLO-1)."""

from __future__ import annotations

import numpy as np

from flip7.compiled.build import to_records
from flip7.game.options import Rules
from flip7.strategy import bench as benches
from flip7.strategy import engine, policies
from flip7.strategy.bench import Bench
from flip7.strategy.challenge import COUNTED, REACH
from flip7.strategy.training import rows

GAMES = 50_000  # for each aim
AIMS = 130  # beyond, staying makes no difference
SCORES = 250
DIGITS = 8


def tables(seed: int) -> list[float]:
    """Return the numbers of the book of one seat.

    A round is played by staying with n points, for every n: that gives how likely each score is.
    With one round more than before, the best aim is the one that leaves the best chance on average.
    """
    scores = _scores(seed)
    chance = np.zeros(REACH)
    chance[0] = 1.0
    chances, aims = [], []
    for _ in range(COUNTED):
        left = np.maximum(np.arange(REACH)[:, None] - np.arange(SCORES), 0)  # by what was missing and what came
        after = scores @ chance[left].T
        chance = after.max(axis=0)
        chance[0] = 1.0
        chances.append([round(float(share), DIGITS) for share in chance])
        aims.append([float(aim) for aim in after.argmax(axis=0)])
    return [number for row in (*chances[:-1], *aims[1:]) for number in row]


def _scores(seed: int) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    """Return how likely each score of a round is, by the points with which one stays."""
    build = engine.compiled((policies.DEEP,), (rows,))["rows"]
    table = Rules(target=1_000_000).table(1)
    found = np.zeros((AIMS, SCORES))
    for aim in range(1, AIMS):
        bench = Bench(table, [(policies.POINTS, aim, policies.POINTS, aim)])
        counts = np.zeros(SCORES, np.int64)
        build.count_scores(to_records([table])[0], to_records([bench], benches.LAYOUT)[0], counts, GAMES, COUNTED, seed)
        found[aim] = counts / counts.sum()
    return found
