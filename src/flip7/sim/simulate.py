"""`simulate` and `simulate_rounds`: the simulator from Python."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from flip7.game.choices import whole
from flip7.game.options import Rules
from flip7.sim.results import RoundsResult, SimResult, rounds_result, sim_result
from flip7.sim.run import Cluster, Run, rules_of
from flip7.strategy.engine import Engine
from flip7.strategy.registry import Strategy

MOST = 10**12
SESSION = 100  # rounds from one deck that runs on, where it does
FIRST_LOOK = 2_500  # games for each seat, before a precision is judged for the first time

Progress = Callable[[Run, int | None], None]
"""Called after every part, with the run and the number of games that it will stop at, if that is known."""


def simulate(
    strategies: Sequence[str | Strategy],
    *,
    games: int,
    seed: int | None = None,
    rules: Rules | None = None,
    workers: int | None = None,
    engine: Engine = "compiled",
    cluster: Cluster | None = None,
) -> SimResult:
    """Play n games between strategies, one seat for each, and count who wins.

    The same seed gives the same result, to the last digit, for any number of workers and both engines. Seatings are
    balanced: every entry sits equally often in every seat, with the same luck. Strategies in plain Python are played
    by the interpreted engine, whatever is asked for.
    """
    run = Run(strategies, seed=seed, rules=rules, workers=workers, engine=engine, cluster=cluster)
    run_games(run, games)
    return sim_result(run)


def simulate_rounds(
    strategy: str | Strategy,
    *,
    rounds: int,
    seed: int | None = None,
    rules: Rules | None = None,
    workers: int | None = None,
    engine: Engine = "compiled",
    cluster: Cluster | None = None,
) -> RoundsResult:
    """Play n rounds of one player alone, whose own action cards hit themselves.

    Without `rules` every round starts with the whole deck. Where they say that the deck runs on, it is shuffled again
    after every hundred rounds.
    """
    run = rounds_run(strategy, seed=seed, rules=rules, workers=workers, engine=engine, cluster=cluster)
    run_games(run, rounds)
    return rounds_result(run)


def rounds_run(
    strategy: str | Strategy,
    *,
    seed: int | None = None,
    rules: Rules | None = None,
    workers: int | None = None,
    engine: Engine = "compiled",
    cluster: Cluster | None = None,
) -> Run:
    """Return the run behind `simulate_rounds`, before its first round."""
    rules = rules_of(rules, Rules(reshuffle="round"))
    session = 1 if rules.reshuffle == "round" else SESSION
    return Run([strategy], seed=seed, rules=rules, workers=workers, engine=engine, session=session, cluster=cluster)


def run_games(run: Run, games: int, progress: Progress | None = None) -> None:
    """Play a run to n games (or rounds)."""
    games = whole("rounds" if run.job.session else "games", games, 1, MOST)
    for _ in run.play_to(games):
        if progress is not None:
            progress(run, games)


def play_to_precision(run: Run, precision: float, most: int = MOST, progress: Progress | None = None) -> None:
    """Play until every win rate is known to plus or minus `precision`, with 95 % confidence, or `most` games are done.

    It is judged at fixed numbers of games, so the result does not depend on how the work was shared.
    """
    if not 0 < precision < 1:
        raise ValueError(f"precision {precision!r}: a number between 0 and 1 is needed, such as 0.001")
    look = FIRST_LOOK * run.seats
    while True:
        for _ in run.play_to(min(look, most)):
            if progress is not None:
                progress(run, None)
        if run.done >= most or max(sim_result(run).half_widths) <= precision:
            return
        look = look * 5 // 4 // run.seats * run.seats
