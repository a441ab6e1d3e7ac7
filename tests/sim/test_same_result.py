"""The same seed gives the same result, to the last digit, however the work is done."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
import pytest

from flip7 import Card, Position, Rules, simulate, simulate_rounds
from flip7.sim.lineup import Job
from flip7.sim.results import RoundsResult, SimResult, sim_result
from flip7.sim.run import Run, Span
from flip7.sim.simulate import play_to_precision
from flip7.sim.tally import Tally
from flip7.strategy.engine import Engine

FIELDS: list[tuple[list[str], Rules]] = [
    (["points:25"] * 4, Rules()),
    (["ev", "bust:0.25", "cards:4"], Rules(target=120, dealer=2, first="dealer")),
    (["random", "hit", "points:15", "random", "ev"], Rules(target=60, reshuffle="round")),
    (["random"] * 20, Rules(target=30)),
    (["ev"], Rules(decks=2)),
    (["net", "ev", "net"], Rules(target=40)),
]


def figures(result: SimResult | RoundsResult) -> dict[str, object]:
    """All that was found, without how long it took and on what."""
    found: dict[str, object] = msgspec.to_builtins(result)
    for name in ("seconds", "workers", "engine"):
        found.pop(name)
    return found


@pytest.mark.parametrize(("field", "rules"), FIELDS)
def test_both_engines_and_any_number_of_workers(field: list[str], rules: Rules) -> None:
    """161 games are several parts for each worker, and no whole number of seatings."""

    def found(engine: Engine, workers: int) -> dict[str, object]:
        return figures(simulate(field, games=161, seed=5, rules=rules, engine=engine, workers=workers))

    first = found("compiled", 1)
    assert first["games"] == 161
    for engine, workers in (("compiled", 2), ("compiled", 3), ("interpreted", 1), ("interpreted", 2)):
        assert found(engine, workers) == first  # type: ignore[arg-type]


def test_many_parts_in_any_order() -> None:
    results = [simulate(["points:25", "ev"], games=150_001, seed=5, workers=workers) for workers in (1, 2, 3)]
    assert figures(results[0]) == figures(results[1]) == figures(results[2])


@pytest.mark.parametrize("rules", [None, Rules(), Rules(composition={Card.N12: 3, Card.SECOND: 2, Card.FLIP3: 3})])
@pytest.mark.parametrize("strategy", ["points:25", "ev", "random"])
def test_rounds_are_the_same_too(strategy: str, rules: Rules | None) -> None:
    def found(rounds: int, engine: Engine, workers: int) -> dict[str, object]:
        return figures(simulate_rounds(strategy, rounds=rounds, seed=5, rules=rules, engine=engine, workers=workers))

    first = found(2_050, "compiled", 1)
    assert first["rounds"] == 2_050
    assert found(2_050, "interpreted", 1) == found(2_050, "interpreted", 3) == first
    assert found(900_050, "compiled", 1) == found(900_050, "compiled", 3)


def test_a_user_strategy_plays_the_same_as_its_built_in_twin() -> None:
    class Stays:
        """points:25, by hand."""

        def turn(self, position: Position) -> str:
            assert position.decision is not None
            return "stay" if position.seats[position.decision.seat].points >= 25 else "hit"

        def target(self, position: Position) -> int:
            decision = position.decision
            assert decision is not None
            seats, n = position.seats, len(position.seats)
            others = [(decision.seat + step) % n for step in range(1, n)]
            worth = {
                "freeze": lambda seat: seats[seat].total + seats[seat].points,
                "flip3": lambda seat: len(set(seats[seat].line)),
                "second": lambda seat: -seats[seat].total,
            }[str(decision.card)]
            return max((seat for seat in others if seat in decision.options), key=worth)

    named = simulate(["points:25", "ev", "points:25"], games=60, seed=2, workers=1)
    stays = Stays()
    guests = simulate([stays, "ev", stays], games=60, seed=2, workers=2)
    assert guests.engine == "interpreted"
    assert guests.strategies == ["Stays", "ev", "Stays"]
    assert {**figures(guests), "strategies": 0} == {**figures(named), "strategies": 0}


def test_another_seed_is_another_result() -> None:
    results = [simulate(["points:25", "ev"], games=1_000, seed=seed).flips for seed in (0, 1, 2**300, None, None)]
    assert len(set(results)) == 5


def test_more_games_begin_with_the_same_games() -> None:
    run = Run(["points:25", "ev", "cards:3"], seed=4, workers=1)
    for _ in run.play_to(300):
        pass
    first = figures(sim_result(run))
    for _ in run.play_to(900):
        pass
    assert first == figures(simulate(["points:25", "ev", "cards:3"], games=300, seed=4))
    assert figures(sim_result(run)) == figures(simulate(["points:25", "ev", "cards:3"], games=900, seed=4))


def test_a_run_goes_on_only_where_a_seating_ends() -> None:
    run = Run(["points:25", "ev", "cards:3"], seed=4, workers=1)
    for _ in run.play_to(100):
        pass
    with pytest.raises(ValueError, match="100 are done: a run goes on only after a multiple of 3"):
        next(run.play_to(200))


def test_precision_does_not_depend_on_the_workers() -> None:
    results = []
    for workers in (1, 2, 3):
        run = Run(["points:25", "bust:0.3", "cards:3"], seed=3, workers=workers)
        play_to_precision(run, 0.004)
        results.append(sim_result(run))
    assert figures(results[0]) == figures(results[1]) == figures(results[2])
    assert max(results[0].half_widths) <= 0.004
    assert results[0].games > 7_500


def test_a_precision_of_more_games_than_allowed_stops_there() -> None:
    run = Run(["points:25", "cards:3"], seed=3, workers=1)
    play_to_precision(run, 0.0001, most=20_000)
    assert run.done == 20_000


@pytest.mark.parametrize("precision", [0, 1, -0.1, 5, float("nan")])
def test_a_precision_that_cannot_be_reached_is_refused(precision: float) -> None:
    with pytest.raises(ValueError, match="a number between 0 and 1 is needed"):
        play_to_precision(Run(["points:25", "ev"]), precision)


def test_a_cluster_takes_names_only() -> None:
    class Nowhere:
        def parts(self, job: Job, spans: Iterator[Span]) -> Iterator[Tally]:
            raise AssertionError("nothing may be sent")

    class Bold:
        def turn(self, position: Position) -> str:
            return "hit"

        def target(self, position: Position) -> int:
            return 0

    with pytest.raises(ValueError, match="a cluster takes strategies by name"):
        Run([Bold(), "ev"], cluster=Nowhere())
