"""The compiled engine: the kernel and whatever is built on it, made for the kinds of strategy in a lineup."""

from __future__ import annotations

import functools
import re
import threading
from collections.abc import Callable, Collection
from types import ModuleType
from typing import Any, Literal

from flip7.rules.agenda import may_get
from flip7.strategy import bench as bench_module
from flip7.strategy import chance, deep, kernel, net, policies, random, rollouts, surveys, value
from flip7.strategy.errors import StrategyError

Engine = Literal["compiled", "interpreted"]
COMPILED_METHODS = ("wants_card", "chosen_target")
UNLAWFUL = "chosen_target answered with a seat that may not get the card"

_compiling = threading.Lock()


def compiled(
    kinds: Collection[int],
    modules: tuple[ModuleType, ...] = (),
    foreign: tuple[type, ...] = (),
    shared: tuple[ModuleType, ...] = (),
) -> dict[str, ModuleType]:
    """Return the kernel and further modules, compiled, by the last part of their names.

    The build contains the kinds of strategy that are named, and the simple ones. Strategies from outside that can be
    compiled become part of it. `shared` are modules of names and numbers that the others import. Every new combination
    takes a compilation, which is kept on disk.
    """
    level = max((kind for kind in kinds if kind > policies.GUEST), default=policies.GUEST)
    with _compiling:
        return _compiled(level, modules, foreign, shared)


@functools.cache
def _compiled(
    level: int, modules: tuple[ModuleType, ...], foreign: tuple[type, ...], shared: tuple[ModuleType, ...]
) -> dict[str, ModuleType]:
    from flip7.compiled.build import cache_folder, compile_function, compile_modules, kept_in

    all_modules = (random, chance, net, value, policies, kernel, rollouts, deep, surveys, *modules)
    turn, target = _no_guest_turn, _no_guest_target
    parts = [getattr(guest, method) for guest in foreign for method in COMPILED_METHODS]
    with kept_in(cache_folder(all_modules, parts)):
        legal = compile_function(may_get)
        for guest in reversed(foreign):
            own_turn, own_target = (_own_method(guest, method) for method in COMPILED_METHODS)
            turn = _turns(own_turn, compile_function(turn))
            target = _targets(own_target, compile_function(target), legal, f"{guest.__name__}: {UNLAWFUL}")
    constants = {
        "WITH_EXPECTATION": level >= policies.EXPECTATION,
        "WITH_NET": level >= policies.NET,
        "WITH_DEEP": level >= policies.DEEP,
    }
    hooks = {"guest_turn": turn, "guest_target": target, "copy_table": _copy_record}
    return compile_modules(all_modules, hooks, constants, (bench_module, *shared))


def _own_method(guest: type, method: str) -> Callable[..., Any]:
    """Compile a function of a strategy from outside on its own, so that what is wrong with it is told at once."""
    from flip7.compiled.build import NumbaError, compile_for_table

    try:
        return compile_for_table(getattr(guest, method))
    except NumbaError as error:
        lines = re.sub(r"\x1b\[[0-9;]*m", "", str(error)).splitlines()
        why = " ".join(line.strip() for line in lines if line.strip() and not line.startswith("Failed in"))
        raise StrategyError(
            f"{guest.__name__}: {method} cannot be compiled: {why[:200]}; "
            f"without {' and '.join(COMPILED_METHODS)} a strategy is played in plain Python"
        ) from error


def _copy_record(tables: Any, source: int, target: int) -> None:
    tables[target] = tables[source]


def _no_guest_turn(table: Any, which: int, bench: Any) -> bool:
    return True


def _no_guest_target(table: Any, which: int, bench: Any) -> int:
    return 0


def _turns(first: Callable[..., Any], rest: Callable[..., Any]) -> Callable[..., Any]:
    """Ask the first guest, or one of the rest, by number."""

    def ask(table: Any, which: int, bench: Any) -> Any:
        if which == 0:
            return first(table)
        return rest(table, which - 1, bench)

    return ask


def _targets(
    first: Callable[..., Any], rest: Callable[..., Any], legal: Callable[..., Any], fault: str
) -> Callable[..., Any]:
    """The same, with the answer checked: the compiled loop would write wherever it points."""

    def ask(table: Any, which: int, bench: Any) -> Any:
        if which > 0:
            return rest(table, which - 1, bench)
        seat = first(table)
        if seat < 0 or seat >= table.seats or not legal(table, table.card, seat):
            raise StrategyError(fault)
        return seat

    return ask
