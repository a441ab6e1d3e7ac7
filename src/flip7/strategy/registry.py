"""Strategies by name: the built-in ones, those of installed packages, and a class in any Python file."""

from __future__ import annotations

import difflib
import hashlib
import importlib.util
import inspect
import re
import secrets
import sys
from collections.abc import Callable
from importlib.metadata import entry_points
from operator import index
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from flip7.game.position import Position
from flip7.rules.table import SEATS, Table
from flip7.strategy import policies
from flip7.strategy.bench import TURNS_NUMBER, Bench
from flip7.strategy.book import book_for
from flip7.strategy.errors import StrategyError
from flip7.strategy.kernel import HITS
from flip7.strategy.random import start

ROLLOUTS = 256  # of `deep`, for a decision
GROUP = "flip7.strategies"
"""The entry-point group in which packages offer strategies."""


@runtime_checkable
class Strategy(Protocol):
    """What a strategy is: two answers, from a public position and nothing else."""

    def turn(self, position: Position) -> str:
        """Return `"hit"` or `"stay"`, for the seat `position.decision.seat`."""

    def target(self, position: Position) -> int:
        """Return who gets `position.decision.card`: one of `position.decision.options`."""


class BuiltIn:
    """A built-in strategy, such as `points:25`. It plays the same in every build."""

    def __init__(self, text: str, kind: int, number: int = 0) -> None:
        """`text` is its name with the parameter, `kind` and `number` what the policies make of it."""
        self.text = text
        self.play((kind, number, kind, number))

    def play(self, policy: tuple[int, int, int, int]) -> None:
        """Play by this policy: kind and number for turns, then for targets, the columns of `strategy.bench`."""
        self.policy = policy
        self._bench = Bench(Table(SEATS), [policy] * SEATS)
        self._seats = 0  # for which the bench has its book
        start(self._bench.rng, secrets.randbits(62), 0)

    def turn(self, position: Position) -> str:
        """Return `"hit"` or `"stay"`."""
        return "hit" if policies.wants_card(position.table, self._bench_for(position.table)) else "stay"

    def target(self, position: Position) -> int:
        """Return who gets the card on offer."""
        return policies.chosen_target(position.table, self._bench_for(position.table))

    def _bench_for(self, table: Table) -> Bench:
        if policies.NET in self.policy and self._seats != table.seats:
            self._bench.book = list(book_for(table.seats))
            self._seats = table.seats
        return self._bench

    def __repr__(self) -> str:
        return f"<strategy {self.text}>"


class CheckedStrategy:
    """A strategy from outside, with its answers checked."""

    def __init__(self, text: str, strategy: Strategy) -> None:
        """`text` is how the user named it."""
        self.text = text
        self.strategy = strategy

    def wants_card(self, table: Table) -> bool:
        """Return whether it hits."""
        answer = self._ask("turn", table)
        if answer not in ("hit", "stay"):
            raise StrategyError(f"{self.text}: turn answered {answer!r}; it is 'hit' or 'stay'")
        return bool(answer == "hit")

    def chosen_target(self, table: Table) -> int:
        """Return who gets the card on offer."""
        answer = self._ask("target", table)
        decision = Position.view_of(table).decision
        options = decision.options if decision else ()
        try:
            seat = None if isinstance(answer, bool) else index(answer)
        except TypeError:
            seat = None
        if seat is None or seat not in options:
            legal = ", ".join(map(str, options))
            raise StrategyError(f"{self.text}: target answered {answer!r}; the seats {legal} may get the card")
        return seat

    def _ask(self, method: str, table: Table) -> Any:
        try:
            return getattr(self.strategy, method)(Position.of(table))
        except Exception as error:
            where = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
            raise StrategyError(f"{self.text}: {method} failed with {where}") from error


def get(text: str) -> Strategy:
    """Return the strategy of that name. Raises `StrategyError`, which lists them all, if there is none."""
    turns, at, targets = text.rpartition("@")
    if at and (turns.partition(":")[0] in BUILT_IN or targets.partition(":")[0] in names() or ".py:" in targets):
        return combined(text, get(turns), get(targets))
    name, colon, parameter = text.partition(":")
    if name in BUILT_IN:
        return BUILT_IN[name](text, parameter if colon else None)
    if ".py" in text:
        return _from_file(text)
    for point in entry_points(group=GROUP):
        if point.name == name:
            try:
                found = point.load()
            except (Exception, SystemExit) as error:
                raise StrategyError(f"{text!r}: loading it failed with {type(error).__name__}: {error}") from error
            return _made(text, found, parameter if colon else None)
    near = difflib.get_close_matches(name, names(), n=1)
    hint = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(USAGE)}, and FILE.py:NAME"
    raise StrategyError(f"unknown strategy {text!r}; {hint}")


def strategy_of(given: object) -> Strategy:
    """Return a strategy that is given by name or as an object. Raises `StrategyError` for what is neither."""
    strategy: object = get(given) if isinstance(given, str) else given
    if isinstance(strategy, type) or not isinstance(strategy, Strategy):
        made = f", such as {given.__name__}()" if isinstance(given, type) and issubclass(given, Strategy) else ""
        raise StrategyError(
            f"{given!r} is no strategy: that is a name, or an object with the methods turn and target{made}"
        )
    return strategy


class Combined:
    """The turns of one strategy, the targets of another."""

    def __init__(self, text: str, turns: Strategy, targets: Strategy) -> None:
        """`text` is how the user named it."""
        self.text = text
        self.turn = turns.turn
        self.target = targets.target
        self.thinks = isinstance(turns, Thinker) or isinstance(targets, Thinker)


def combined(text: str, turns: Strategy, targets: Strategy) -> Strategy:
    """Return a strategy that takes its turns as one and chooses its targets as another."""
    thinks = isinstance(turns, Thinker) or isinstance(targets, Thinker)  # of both, where it is compiled
    if thinks or not isinstance(turns, BuiltIn) or not isinstance(targets, BuiltIn):
        return Combined(text, turns, targets)
    both = BuiltIn(text, *turns.policy[:2])
    both.play(turns.policy[:2] + targets.policy[2:])
    return both


def names() -> list[str]:
    """Return the names that `get` knows, without their parameters."""
    return [*BUILT_IN, *(point.name for point in entry_points(group=GROUP))]


def _plain(kind: int) -> Callable[[str, str | None], BuiltIn]:
    def make(text: str, parameter: str | None) -> BuiltIn:
        if parameter is not None:
            raise StrategyError(f"{text!r}: this strategy takes no parameter")
        return BuiltIn(text, kind)

    return make


def _whole(kind: int, least: int, most: int, usual: int, what: str) -> Callable[[str, str | None], BuiltIn]:
    def make(text: str, parameter: str | None) -> BuiltIn:
        if not re.fullmatch(r"[0-9]{1,6}", parameter or "") or not least <= int(parameter or 0) <= most:
            raise StrategyError(
                f"{text!r}: {what} from {least} to {most} are needed, as in '{text.split(':')[0]}:{usual}'"
            )
        return BuiltIn(text, kind, int(parameter or 0))

    return make


def _chance(text: str, parameter: str | None) -> BuiltIn:
    match = re.fullmatch(r"([0-9]{0,3}(?:\.[0-9]{0,12})?)(%?)", parameter or "")
    try:
        chance = float(match[1]) / (100 if match[2] else 1) if match else -1.0
    except ValueError:
        chance = -1.0
    if not 0 <= chance <= 1:
        raise StrategyError(f"{text!r}: a chance from 0 to 1 is needed, as in 'bust:0.25' or 'bust:25%'")
    return BuiltIn(text, policies.BUST, round(chance * policies.PARTS))


class Thinker(BuiltIn):
    """A strategy that thinks with rollouts. It does that compiled, and so needs what the simulator needs."""

    def turn(self, position: Position) -> str:
        """Return `"hit"` or `"stay"`."""
        return "hit" if self._think(position) == HITS else "stay"

    def target(self, position: Position) -> int:
        """Return who gets the card on offer."""
        return self._think(position)

    def _think(self, position: Position) -> int:
        from flip7.strategy.thinking import Mind

        try:
            return Mind(position.table).think(self.policy)
        except ImportError as error:
            raise StrategyError(f"{self.text}: {error}") from None


def _deep(text: str, parameter: str | None) -> BuiltIn:
    if parameter is None:
        return Thinker(text, policies.DEEP, ROLLOUTS)
    plain = _whole(policies.DEEP, 1, 1_000_000, ROLLOUTS, "rollouts")(text, parameter)
    return Thinker(text, policies.DEEP, plain.policy[TURNS_NUMBER])


BUILT_IN: dict[str, Callable[[str, str | None], BuiltIn]] = {
    "hit": _plain(policies.ALWAYS_HIT),
    "random": _plain(policies.AT_RANDOM),
    "points": _whole(policies.POINTS, 0, 999, 25, "points"),
    "cards": _whole(policies.NUMBERS, 1, 7, 4, "cards"),
    "bust": _chance,
    "ev": _plain(policies.EXPECTATION),
    "net": _plain(policies.NET),
    "deep": _deep,
}
USAGE = ("hit", "random", "points:N", "cards:N", "bust:P", "ev", "net", "deep:N")


def _from_file(text: str) -> Strategy:
    file, _, rest = text.partition(".py")
    path = Path(f"{file}.py")
    match = re.fullmatch(r":(\w+)(?::(.*))?", rest)
    if not match:
        raise StrategyError(f"{text!r}: a strategy in a file is written FILE.py:NAME")
    try:
        content = path.read_bytes()
    except OSError as error:
        why = error.strerror if path.exists() else f"there is no file {str(path)!r}"
        raise StrategyError(f"{text!r}: {why}") from None
    # A name that no other code has, the same in every process and wherever the file is: compiled code is found by it.
    name = f"flip7_strategies_{hashlib.sha256(content).hexdigest()[:16]}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise StrategyError(f"{text!r}: {str(path)!r} cannot be loaded as Python")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        del sys.modules[name]
        raise StrategyError(f"{text!r}: {str(path)!r} failed with {type(error).__name__}: {error}") from error
    if not hasattr(module, match[1]):
        raise StrategyError(f"{text!r}: {str(path)!r} has no {match[1]!r}")
    return _made(text, getattr(module, match[1]), match[2])


def _made(text: str, found: Any, parameter: str | None) -> Strategy:
    """Return the strategy itself, from a class, a function that makes one, or an instance."""
    made: Any = found
    make: Any = found
    if inspect.isclass(found) or inspect.isfunction(found):
        try:
            made = make() if parameter is None else make(parameter)
        except Exception as error:
            raise StrategyError(f"{text!r}: making it failed with {type(error).__name__}: {error}") from error
    elif parameter is not None:
        raise StrategyError(f"{text!r}: this strategy takes no parameter")
    if not callable(getattr(made, "turn", None)) or not callable(getattr(made, "target", None)):
        raise StrategyError(f"{text!r}: a strategy has two methods, turn(position) and target(position)")
    strategy: Strategy = made
    return strategy
