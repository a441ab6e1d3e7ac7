"""What a simulation found, ready to print: rates, means and how sure they are."""

from __future__ import annotations

import math

import msgspec

from flip7.sim import counts
from flip7.sim.run import Run
from flip7.sim.statistics import Interval, mean_interval, rate_interval
from flip7.sim.tally import Tally

FEW_SESSIONS = 30


class SimResult(msgspec.Struct, frozen=True, kw_only=True):
    """The result of whole games. Lists have one number for each entry of the field, in the order it was given in."""

    strategies: list[str]
    games: int
    rounds: int
    flips: int
    playoffs: int
    seconds: float
    seed: int
    engine: str
    workers: int
    wins: list[int]
    win_rates: list[float]
    win_intervals: list[Interval]
    """Where each true win rate is, with 95 % confidence."""
    mean_points: list[float]
    """Points a round."""
    mean_points_intervals: list[Interval]
    bust_rates: list[float]
    flip7_rates: list[float]
    rounds_to_win: list[float | None]
    """How many rounds the games took that each entry won."""
    rounds_per_game: float
    scores: list[list[int]]
    """How often each entry scored n points in a round, busts as 0; the last step holds everything above."""
    lengths: list[int]
    """How many games took n rounds; the last step holds everything above."""
    seat_win_rates: list[list[float]]
    """How often each entry won the games in which it sat in each seat; the first one is the dealer's."""

    @property
    def games_per_second(self) -> float:
        """The speed of it all."""
        return self.games / self.seconds if self.seconds else 0.0

    @property
    def half_widths(self) -> list[float]:
        """How far each win rate may be off, with 95 % confidence."""
        return [(high - low) / 2 for low, high in self.win_intervals]


class RoundsResult(msgspec.Struct, frozen=True, kw_only=True):
    """The result of one player's rounds."""

    strategy: str
    rounds: int
    flips: int
    seconds: float
    seed: int
    engine: str
    workers: int
    mean: float
    """Points a round."""
    mean_interval: Interval
    bust: float
    """The share of rounds that bust."""
    bust_interval: Interval
    flip7: float
    """The share of rounds with a Flip 7."""
    flip7_interval: Interval
    deviation: float
    """The standard deviation of a round's points."""
    scores: list[int]
    """How often a round brought n points, busts as 0; the last step holds everything above."""

    @property
    def rounds_per_second(self) -> float:
        """The speed of it all."""
        return self.rounds / self.seconds if self.seconds else 0.0


def sim_result(run: Run) -> SimResult:
    """Return what a run of games has found so far."""
    tally = run.tally
    entries = range(run.seats)
    rounds = max(tally.rounds, 1)
    return SimResult(
        strategies=list(run.job.strategies),
        games=tally.games,
        rounds=tally.rounds,
        flips=tally.flips,
        playoffs=tally.totals[counts.PLAYOFFS],
        seconds=run.seconds,
        seed=run.job.seed,
        engine=run.job.engine,
        workers=run.workers,
        wins=[tally.sums[entry][counts.WINS] for entry in entries],
        win_rates=[tally.sums[entry][counts.WINS] / max(tally.games, 1) for entry in entries],
        win_intervals=[win_interval(tally, entry, run.seats) for entry in entries],
        mean_points=[tally.points(entry) / rounds for entry in entries],
        mean_points_intervals=[_points_interval(tally, entry, rounds) for entry in entries],
        bust_rates=[tally.scores[entry][counts.BUSTED_ROUND] / rounds for entry in entries],
        flip7_rates=[tally.sums[entry][counts.FLIP7S] / rounds for entry in entries],
        rounds_to_win=[_rounds_to_win(tally, entry) for entry in entries],
        rounds_per_game=tally.rounds / max(tally.games, 1),
        scores=[distribution(tally, entry) for entry in entries],
        lengths=tally.lengths,
        seat_win_rates=[
            [won / max(played, 1) for won, played in zip(wins[: run.seats], games, strict=False)]
            for wins, games in zip(tally.seat_wins, tally.seat_games, strict=True)
        ],
    )


def win_interval(tally: Tally, entry: int, seats: int) -> Interval:
    """Return where an entry's true win rate is. Games of a block share their luck, so only blocks are independent."""
    wins, games = tally.sums[entry][counts.WINS], tally.games
    blocks = math.ceil(games / seats)
    if blocks < 2:
        return rate_interval(wins, blocks and games)
    mean = wins / blocks
    variance = (tally.sums[entry][counts.WINS_SQUARED] / blocks - mean * mean) * blocks / (blocks - 1)
    variance += 1 / blocks  # as if one block were off by a win: blocks that are all alike so far prove nothing
    return rate_interval(wins, games, variance * blocks / (games * games))


def _points_interval(tally: Tally, entry: int, rounds: int) -> Interval:
    mean = tally.points(entry) / rounds
    return mean_interval(mean, (tally.points_squared(entry) / rounds - mean * mean) / rounds)


def _rounds_to_win(tally: Tally, entry: int) -> float | None:
    wins = tally.sums[entry][counts.WINS]
    return tally.sums[entry][counts.WON_ROUNDS] / wins if wins else None


def distribution(tally: Tally, entry: int) -> list[int]:
    """Return how often each score came, busts as 0, up to the highest there was."""
    steps = tally.scores[entry][:]
    busts = steps.pop(counts.BUSTED_ROUND)
    steps[0] += busts
    while len(steps) > 1 and steps[-1] == 0:
        steps.pop()
    return steps


def rounds_result(run: Run) -> RoundsResult:
    """Return what a run of single rounds has found so far."""
    tally = run.tally
    rounds = max(tally.rounds, 1)
    mean = tally.points(0) / rounds
    busts, sevens = tally.scores[0][counts.BUSTED_ROUND], tally.sums[0][counts.FLIP7S]
    return RoundsResult(
        strategy=run.job.strategies[0],
        rounds=tally.rounds,
        flips=tally.flips,
        seconds=run.seconds,
        seed=run.job.seed,
        engine=run.job.engine,
        workers=run.workers,
        mean=mean,
        mean_interval=mean_interval(mean, _variance_of_mean(tally, mean, run.job.session)),
        bust=busts / rounds,
        bust_interval=rate_interval(busts, tally.rounds),
        flip7=sevens / rounds,
        flip7_interval=rate_interval(sevens, tally.rounds),
        deviation=math.sqrt(max(tally.points_squared(0) / rounds - mean * mean, 0.0)),
        scores=distribution(tally, 0),
    )


def _variance_of_mean(tally: Tally, mean: float, session: int) -> float:
    """Return how far the mean of single rounds varies. The rounds of a session share a deck: sessions are independent.

    A few of them say little about their spread; then rounds are taken for independent, which overstates it slightly.
    """
    whole, rest = divmod(tally.rounds, session)
    sessions = whole + (rest > 0)
    if sessions < FEW_SESSIONS:
        rounds = max(tally.rounds, 2)
        return (tally.points_squared(0) - rounds * mean * mean) / (rounds - 1) / rounds
    sums = tally.sums[0]
    squares = whole * session * session + rest * rest
    spread = sums[counts.SESSION_SQUARED] - 2 * mean * sums[counts.SESSION_ROUNDS] + mean * mean * squares
    return spread * sessions / (sessions - 1) / tally.rounds**2
