"""Figures that others have worked out, exactly or with programs of their own, come out here too."""

from __future__ import annotations

import pytest

from flip7 import NUMBERS_ONLY, Rules, simulate, simulate_rounds
from flip7.sim.statistics import Interval

NUMBERS = Rules(composition=NUMBERS_ONLY, reshuffle="round")
ROUNDS = 1_000_000


def holds(interval: Interval, value: float) -> bool:
    return interval[0] <= value <= interval[1]


def test_numbers_only_always_hit() -> None:
    found = simulate_rounds("hit", rounds=ROUNDS, seed=1, rules=NUMBERS)
    assert holds(found.mean_interval, 5.7433)
    assert holds(found.bust_interval, 0.9134)
    assert holds(found.flip7_interval, 0.08661)


@pytest.mark.parametrize(("strategy", "mean"), [("points:23", 18.5212), ("cards:3", 17.6637)])
def test_numbers_only_fixed_thresholds(strategy: str, mean: float) -> None:
    assert holds(simulate_rounds(strategy, rounds=ROUNDS, seed=1, rules=NUMBERS).mean_interval, mean)


def test_all_cards_stay_at_25() -> None:
    found = simulate_rounds("points:25", rounds=ROUNDS, seed=1)
    assert found.mean == pytest.approx(19.07, abs=0.03)


def test_all_cards_always_hit() -> None:
    """The program behind these figures queued actions a little differently: they are close, not equal."""
    found = simulate_rounds("hit", rounds=ROUNDS, seed=1)
    assert found.flip7 == pytest.approx(0.088, abs=0.002)
    assert found.bust == pytest.approx(0.742, abs=0.003)


def test_the_best_thresholds_are_the_best() -> None:
    """With numbers only 23 points and 3 cards are known to be best: what lies well beside them is worse."""

    def mean(strategy: str) -> Interval:
        return simulate_rounds(strategy, rounds=ROUNDS, seed=1, rules=NUMBERS).mean_interval

    for best, others in (("points:23", ("points:18", "points:28")), ("cards:3", ("cards:2", "cards:4"))):
        assert all(mean(other)[1] < mean(best)[0] for other in others)


def test_four_players_who_stay_at_25() -> None:
    found = simulate(["points:25"] * 4, games=100_000, seed=1)
    assert found.rounds_per_game == pytest.approx(9.2, abs=0.15)
    assert found.flips / found.games == pytest.approx(135, abs=1.5)
