"""What cannot be simulated is refused with a clear message, and what was counted before is not lost."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from flip7 import Card, Position, Rules, StrategyError, simulate, simulate_rounds
from flip7.extras import advice
from flip7.sim.results import sim_result
from flip7.sim.run import Run, SimulationError
from flip7.strategy.engine import Engine

ENGINES: tuple[Engine, ...] = ("compiled", "interpreted")
TWELVES = Rules(composition={Card.N12: 12})


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("workers", [1, 2])
def test_a_game_without_end_stops_and_says_so(engine: Engine, workers: int) -> None:
    with pytest.raises(SimulationError, match=r"game 1 was not over after 10,000 rounds.*it may never end"):
        simulate(["hit"] * 3, games=3, seed=1, rules=TWELVES, engine=engine, workers=workers)


def test_a_simulation_that_cannot_go_on_is_a_value_error_like_all_errors() -> None:
    assert issubclass(SimulationError, ValueError)
    with pytest.raises(ValueError, match="with these strategies, this deck and this target it may never end"):
        simulate(["net", "ev"], games=2, seed=1, rules=Rules(target=1_000_000))


@pytest.mark.parametrize("engine", ENGINES)
def test_a_long_game_is_no_game_without_end(engine: Engine) -> None:
    found = simulate(
        ["points:1"], games=2, seed=1, rules=Rules(composition={Card.PLUS2: 1}, target=4_000), engine=engine
    )
    assert found.rounds_per_game == 2_000
    assert found.lengths[-1] == 2


class Bold:
    """Hits, and fails when its time has come."""

    def __init__(self, answer: Any = "hit", after: int = 0) -> None:
        self.answer = answer
        self.left = after

    def turn(self, position: Position) -> str:
        self.left -= 1
        if self.left >= 0:
            return "stay"
        if isinstance(self.answer, Exception):
            raise self.answer
        answer: str = self.answer
        return answer

    def target(self, position: Position) -> int:
        assert position.decision is not None
        seat = position.decision.options[0]
        assert isinstance(seat, int)
        return seat


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (ZeroDivisionError("division by zero"), "Bold: turn failed with ZeroDivisionError: division by zero"),
        (KeyError(), "Bold: turn failed with KeyError"),
        ("HIT", "Bold: turn answered 'HIT'; it is 'hit' or 'stay'"),
        (True, "Bold: turn answered True; it is 'hit' or 'stay'"),
        (None, "Bold: turn answered None; it is 'hit' or 'stay'"),
        ([], r"Bold: turn answered \[\]; it is 'hit' or 'stay'"),
    ],
)
def test_a_strategy_that_fails_on_its_turn_is_named(answer: object, message: str) -> None:
    with pytest.raises(StrategyError, match=message):
        simulate([Bold(answer), "ev"], games=10, seed=1)


class Quick(Bold):
    """Could be compiled."""

    wants_card = chosen_target = staticmethod(bool)


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize(
    ("error", "message"),
    [
        (ValueError("only at tables of four"), "Quick: failed with ValueError: only at tables of four"),
        (ZeroDivisionError(), "Quick: failed with ZeroDivisionError"),
        (StrategyError("Quick: answered illegally"), "Quick: answered illegally"),
    ],
)
def test_a_compiled_strategy_that_fails_is_named(
    error: Exception, message: str, workers: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What compiled code raises comes out of the whole part, as it was raised."""

    def failed(*part: object) -> None:
        raise error

    monkeypatch.setattr("flip7.sim.run.play_part", failed)
    with pytest.raises(StrategyError, match=f"^{message}$"):
        simulate([Quick(), "ev"], games=10, seed=1, workers=workers)
    with pytest.raises(type(error)):  # nobody from outside is there to be named
        simulate(["points:25", "ev"], games=10, seed=1, workers=workers)


@pytest.mark.parametrize("answer", [-1, 2, 99, True, None, "0", 0.0, [], int])
def test_a_strategy_that_gives_a_card_to_nobody_is_named(answer: Any) -> None:
    class Careless(Bold):
        def target(self, position: Position) -> int:
            seat: int = answer
            return seat

    shown = re.escape(repr(answer))
    with pytest.raises(StrategyError, match=f"Careless: target answered {shown}; the seats 0, 1 may get the card"):
        simulate([Careless(), "points:50"], games=20, seed=1)


def test_what_was_counted_before_an_error_is_not_lost() -> None:
    run = Run([Bold(RuntimeError("tired"), after=2_000), "points:25"], seed=1)
    with pytest.raises(StrategyError, match="tired"):
        for _ in run.play_to(10_000):
            pass
    found = sim_result(run)
    assert 0 < found.games < 10_000
    assert sum(found.wins) == found.games
    assert found.rounds > found.games


def test_what_was_counted_before_a_game_without_end_is_not_lost() -> None:
    """The first hundred games are over with one card; then somebody begins to hit and never stops."""
    rules = Rules(target=12, composition={Card.N12: 2})
    run = Run([Bold("hit", after=100)], seed=1, rules=rules)
    with pytest.raises(SimulationError, match="game 101 was not over"):
        for _ in run.play_to(1_000):
            pass
    assert sim_result(run).wins == [100]


def test_guests_that_stop_on_the_way_leave_no_worker_behind(tmp_path: Path) -> None:
    file = tmp_path / "bots.py"
    file.write_text(
        "class Tired:\n"
        "    def turn(self, position):\n"
        "        if position.round > 3: raise RuntimeError('no more')\n"
        "        return 'stay'\n"
        "    def target(self, position): return position.decision.options[0]\n"
    )
    with pytest.raises(StrategyError, match=r"bots.py:Tired: turn failed with RuntimeError: no more"):
        simulate([f"{file}:Tired", "points:25"], games=1_000, seed=1, workers=2)


def test_ctrl_c_between_two_parts_leaves_what_was_counted() -> None:
    run = Run(["points:25", "cards:3"], seed=1, workers=2)
    parts = run.play_to(10_000_000)
    next(parts)
    parts.close()  # type: ignore[attr-defined]
    assert sim_result(run).games > 0


def test_ctrl_c_does_not_wait_long_for_deep_thinkers() -> None:
    """Compiled code cannot be interrupted, so parts with them are short; that changes no figure."""
    run = Run(["deep", "ev"], seed=1, workers=1)
    parts = run.play_to(10_000)
    next(parts)
    next(parts)
    parts.close()  # type: ignore[attr-defined]
    assert 4 <= run.tally.games <= 400
    assert sim_result(run).wins == simulate(["deep", "ev"], games=run.tally.games, seed=1).wins


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"games": 0}, "games 0: a whole number from 1 to 1,000,000,000,000 is needed"),
        ({"games": 10**13}, "games 10000000000000: a whole number from 1 to"),
        ({"games": 2.5}, "games 2.5: a whole number"),
        ({"games": True}, "games True: a whole number"),
        ({"games": 1, "seed": -1}, "seed -1: a whole number from 0 is needed"),
        ({"games": 1, "seed": "x"}, "seed 'x': a whole number"),
        ({"games": 1, "workers": 0}, "workers 0: a whole number from 1 is needed"),
        ({"games": 1, "engine": "fast"}, "engine 'fast': it is 'compiled' or 'interpreted'"),
        ({"games": 1, "rules": 5}, "rules 5: flip7.Rules is needed"),
        ({"games": 1, "rules": Rules(dealer=5)}, "dealer 5: with 2 players the seats are 0 to 1"),
    ],
)
def test_options_out_of_range(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        simulate(["points:25", "ev"], **options)


@pytest.mark.parametrize("count", [0, 37])
def test_fields_that_no_table_seats(count: int) -> None:
    with pytest.raises(ValueError, match=f"{count} players: 1 to 36 can play"):
        simulate(["points:25"] * count, games=1)


def test_single_rounds_out_of_range() -> None:
    with pytest.raises(ValueError, match="rounds 0: a whole number from 1 to"):
        simulate_rounds("ev", rounds=0)
    with pytest.raises(ValueError, match=r"rules 5: flip7\.Rules is needed"):
        simulate_rounds("ev", rounds=1, rules=5)  # type: ignore[arg-type]


@pytest.mark.parametrize("thing", [None, 5, object(), Bold])
def test_what_is_no_strategy(thing: Any) -> None:
    with pytest.raises(
        StrategyError, match="is no strategy: that is a name, or an object with the methods turn and target"
    ):
        simulate([thing, "ev"], games=1)


def test_a_class_is_no_strategy_but_makes_one() -> None:
    with pytest.raises(StrategyError, match=r"with the methods turn and target, such as Bold\(\)$"):
        simulate([Bold, "ev"], games=1)  # type: ignore[list-item]


@pytest.mark.parametrize("thing", ["ev", "points:25", None, 2])
def test_strategies_are_a_list(thing: Any) -> None:
    with pytest.raises(ValueError, match=f"strategies {thing!r}: a list of them is needed, such as"):
        simulate(thing, games=1)


def test_strategies_may_come_one_by_one() -> None:
    given: list[Any] = [Bold(), "ev"]
    wanted = simulate(given, games=4, seed=1, workers=1)
    assert simulate((one for one in given), games=4, seed=1, workers=1).wins == wanted.wins  # type: ignore[arg-type]


WITHOUT_NUMBA = """
import sys
class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("numba", "numpy"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
sys.meta_path.insert(0, Missing())
import flip7
print(flip7.simulate(["points:25", "ev"], games=10, seed=1, engine="interpreted").games)
print(flip7.simulate_rounds("ev", rounds=10, seed=1, engine="interpreted", workers=1).rounds)
print(flip7.odds(flip7.Game(2, seed=1)).left > 0)
try:
    flip7.simulate(["points:25", "ev"], games=10, seed=1)
except ImportError as error:
    print(error)
"""


def test_without_numba_only_the_compiled_engine_is_missing() -> None:
    done = subprocess.run([sys.executable, "-c", WITHOUT_NUMBA], capture_output=True, text=True, check=True)
    assert done.stderr == ""
    *results, error = done.stdout.splitlines()
    assert results == ["10", "10", "True"]
    assert "need NumPy and Numba" in error
    assert advice("sim") in error
