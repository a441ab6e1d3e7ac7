"""Intervals hold what they promise."""

from __future__ import annotations

import math
import statistics
import subprocess
import sys

import pytest

from flip7 import Rules, simulate, simulate_rounds
from flip7.sim import counts
from flip7.sim.counts import HIGHEST_SCORE
from flip7.sim.records import first_games
from flip7.sim.results import sim_result
from flip7.sim.run import Run
from flip7.sim.simulate import SESSION, rounds_run, run_games
from flip7.sim.statistics import Z, mean_interval, rate_interval

RUNS = 600


def covered(held: int) -> bool:
    """Between 92 and 98 of a hundred intervals of 95 % hold the true value."""
    return 0.92 * RUNS <= held <= 0.98 * RUNS


@pytest.mark.parametrize("field", [["points:25", "points:15", "bust:0.3", "cards:3"], ["points:25", "points:25", "ev"]])
def test_win_rates_and_points_are_in_their_intervals_as_often_as_promised(field: list[str]) -> None:
    true = simulate(field, games=300_000, seed=99)
    wins, points = [0] * len(field), [0] * len(field)
    for seed in range(RUNS):
        found = simulate(field, games=401, seed=seed, workers=1)
        for entry in range(len(field)):
            low, high = found.win_intervals[entry]
            wins[entry] += low <= true.win_rates[entry] <= high
            low, high = found.mean_points_intervals[entry]
            points[entry] += low <= true.mean_points[entry] <= high
    assert all(map(covered, wins)), wins
    assert all(map(covered, points)), points


@pytest.mark.parametrize(("rules", "rounds"), [(None, 1_000), (Rules(), 4_050), (Rules(), 750)])
def test_single_rounds_are_in_their_intervals_as_often_as_promised(rules: Rules | None, rounds: int) -> None:
    """The second is no whole number of sessions, the third has too few of them to judge their spread."""
    true = simulate_rounds("points:30", rounds=2_000_000, seed=99, rules=rules)
    means = busts = 0
    for seed in range(RUNS):
        found = simulate_rounds("points:30", rounds=rounds, seed=seed, rules=rules, workers=1)
        means += found.mean_interval[0] <= true.mean <= found.mean_interval[1]
        busts += found.bust_interval[0] <= true.bust <= found.bust_interval[1]
    assert covered(means), means
    assert covered(busts), busts


@pytest.mark.parametrize(
    ("successes", "trials", "low", "high"),
    [
        (0, 10, 0.0, 0.2775),
        (10, 10, 0.7225, 1.0),
        (5, 10, 0.2366, 0.7634),
        (1, 100, 0.0018, 0.0545),
        (81, 263, 0.2553, 0.3662),
    ],
)
def test_wilson_intervals_of_the_literature(successes: int, trials: int, low: float, high: float) -> None:
    """The last is the example of Newcombe (1998); the others follow from Wilson's formula by hand."""
    assert rate_interval(successes, trials) == pytest.approx((low, high), abs=5e-5)


def test_a_rate_of_nothing_is_unknown() -> None:
    assert rate_interval(0, 0) == (0.0, 1.0)


def test_dependent_trials_count_as_the_independent_ones_of_that_variance() -> None:
    assert rate_interval(50, 100, 0.25 / 400) == pytest.approx(rate_interval(200, 400))


def test_the_interval_of_a_mean() -> None:
    assert pytest.approx(1.959964, abs=1e-6) == Z
    assert mean_interval(20.0, 0.25) == pytest.approx((20 - 1.959964 / 2, 20 + 1.959964 / 2))


def test_figures_follow_from_the_distribution() -> None:
    found = simulate(["points:25", "ev"], games=2_000, seed=4)
    for entry in range(2):
        scores = found.scores[entry]
        assert sum(scores) == found.rounds
        mean = sum(points * count for points, count in enumerate(scores)) / found.rounds
        assert found.mean_points[entry] == pytest.approx(mean)
    assert sum(found.lengths) == found.games == sum(found.wins)
    assert sum(rounds * count for rounds, count in enumerate(found.lengths)) == found.rounds
    assert sum(found.win_rates) == pytest.approx(1)


def test_points_above_the_distribution_are_counted_in_full() -> None:
    """Eight decks of +10 alone: everybody hits until the deck is empty, for hundreds of points."""
    from flip7 import Card

    found = simulate_rounds("hit", rounds=50, seed=1, rules=Rules(composition={Card.PLUS10: 100}, reshuffle="round"))
    assert found.mean == 1000
    assert found.deviation == 0
    assert found.scores == [0] * HIGHEST_SCORE + [50]


def test_single_rounds_spread_as_their_distribution_says() -> None:
    found = simulate_rounds("points:25", rounds=20_000, seed=4)
    squares = sum(points * points * count for points, count in enumerate(found.scores)) / found.rounds
    assert found.deviation == pytest.approx(math.sqrt(squares - found.mean**2))
    half = Z * found.deviation / math.sqrt(found.rounds)
    assert found.mean_interval == pytest.approx((found.mean - half, found.mean + half), rel=1e-4)


def test_squares_are_those_of_the_blocks_and_rounds_that_were_played() -> None:
    """Three entries, so that a block has three games; the games themselves are played once more, one by one."""
    run = Run(["points:25", "points:12", "cards:4"], seed=5, engine="interpreted", workers=1)
    run_games(run, 20)
    played = first_games(run, 20)
    winners = [run.job.strategies.index(game.players[game.winner or 0]) for game in played]
    for entry, name in enumerate(run.job.strategies):
        blocks = [winners[first : first + 3].count(entry) for first in range(0, 20, 3)]
        assert run.tally.sums[entry][counts.WINS] == sum(blocks)
        assert run.tally.sums[entry][counts.WINS_SQUARED] == sum(wins * wins for wins in blocks)
        scores = [row[game.players.index(name)] for game in played for row in game.rounds]
        assert run.tally.points(entry) == sum(scores)
        assert run.tally.points_squared(entry) == sum(score * score for score in scores)
        mean = sum(scores) / len(scores)
        half = Z * statistics.pstdev(scores) / math.sqrt(len(scores))
        assert sim_result(run).mean_points_intervals[entry] == pytest.approx((mean - half, mean + half))


def test_the_squares_of_sessions_are_those_of_their_sums() -> None:
    """Rounds that share a deck come in sessions: their sums are what varies independently."""

    def played(rounds: int) -> tuple[int, int, int]:
        run = rounds_run("points:20", seed=3, rules=Rules(), engine="interpreted", workers=1)
        run_games(run, rounds)
        sums = run.tally.sums[0]
        return run.tally.points(0), sums[counts.SESSION_SQUARED], sums[counts.SESSION_ROUNDS]

    for rounds in (1, 2, 7):
        points, squares, products = played(rounds)
        assert points > 0
        assert (squares, products) == (points * points, points * rounds)
    whole, more = played(SESSION), played(SESSION + 3)
    points = more[0] - whole[0]
    assert (more[1] - whole[1], more[2] - whole[2]) == (points * points, points * 3)


def test_a_game_of_one_is_always_won() -> None:
    found = simulate(["points:25"], games=100, seed=1)
    assert found.wins == [100]
    assert found.win_intervals[0][1] == 1.0


def test_no_game_yet_is_no_certainty() -> None:
    result = sim_result(Run(["points:25", "ev"], seed=1))
    assert result.games == 0
    assert result.win_intervals == [(0.0, 1.0)] * 2


MEMORY = """
import resource
from flip7 import simulate
for games in (100_000, 1_500_000):
    simulate(["points:25", "cards:3"], games=games, seed=1, workers=2, rules=__import__("flip7").Rules(target=50))
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="the resource module is not there")
def test_more_games_need_no_more_memory() -> None:
    output = subprocess.run([sys.executable, "-c", MEMORY], capture_output=True, text=True, check=True).stdout
    few, many = map(int, output.split())
    assert many < 1.05 * few
