"""The compiled engine: the kernel and whatever is built on it, made for the kinds of strategy in a lineup."""

from __future__ import annotations

import functools
import re
import threading
from collections.abc import Callable, Collection
from types import ModuleType
from typing import TYPE_CHECKING, Any, Literal

from flip7.rules.agenda import may_get
from flip7.strategy import bench as bench_module
from flip7.strategy import challenge, chance, deep, kernel, net, policies, random, rollouts, surveys, value
from flip7.strategy.errors import StrategyError

if TYPE_CHECKING:
    from flip7.compiled.far import Far

Engine = Literal["compiled", "interpreted"]
COMPILED_METHODS = ("wants_card", "chosen_target")
UNLAWFUL = "chosen_target answered with a seat that may not get the card"

KERNEL = (random, chance, challenge, net, value, policies, kernel, rollouts, deep, surveys)
"""The modules that everything else is built on, each after those it imports."""

_compiling = threading.Lock()


def compiled(
    kinds: Collection[int],
    modules: tuple[ModuleType, ...] = (),
    foreign: tuple[type, ...] = (),
    shared: tuple[ModuleType, ...] = (),
    *,
    hooks: tuple[tuple[str, Callable[..., Any]], ...] = (),
    given: tuple[ModuleType, ...] = (),
    ready: bool = True,
) -> dict[str, ModuleType]:
    """Return the kernel and further modules, compiled, by the last part of their names.

    The build contains the kinds of strategy that are named, and the simple ones. Strategies from outside that can be
    compiled become part of it. `shared` are modules of names and numbers that the others import. Every new combination
    takes a compilation, which is kept on disk. `hooks` are functions of the further modules, by name, that are others
    when compiled; `given` modules of another build are taken as they are. What is not `ready` may be looked at, and
    called unless it calls `play_on`.
    """
    level = max((kind for kind in kinds if kind > policies.GUEST), default=policies.GUEST)
    with _compiling:
        build, kernel_itself = _compiled(level, modules, foreign, shared, hooks, given)
        if ready:
            kernel_itself.load()
        return build


@functools.cache
def _compiled(
    level: int,
    modules: tuple[ModuleType, ...],
    foreign: tuple[type, ...],
    shared: tuple[ModuleType, ...],
    hooks: tuple[tuple[str, Callable[..., Any]], ...],
    given: tuple[ModuleType, ...],
) -> tuple[dict[str, ModuleType], Far]:
    from flip7.compiled.build import TABLE, cache_folder, compile_function, compile_modules, kept_in, record_type
    from flip7.compiled.far import Far

    all_modules: tuple[ModuleType, ...] = KERNEL
    play_on = Far(TABLE, record_type(bench_module.LAYOUT))
    common: dict[str, ModuleType] = {}
    if modules and not given:  # The kernel is compiled once, whatever is built on it.
        common, play_on = _compiled(level, (), foreign, (), (), ())
        all_modules, given = (), tuple(common.values())
    turn, target = _no_guest_turn, _no_guest_target
    parts = [getattr(guest, method) for guest in foreign for method in COMPILED_METHODS]
    with kept_in(cache_folder(KERNEL, parts)):
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
    all_hooks = {"guest_turn": turn, "guest_target": target, "copy_table": _copy_record, **dict(hooks)}
    far = {} if common else {"play_on": play_on}
    build = compile_modules((*all_modules, *modules), all_hooks, constants, (bench_module, *shared), far, given)
    return {**common, **build}, play_on


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
    """Return a function that asks the first guest, or one of the rest, by number."""

    def ask(table: Any, which: int, bench: Any) -> Any:
        if which == 0:
            return first(table)
        return rest(table, which - 1, bench)

    return ask


def _targets(
    first: Callable[..., Any], rest: Callable[..., Any], legal: Callable[..., Any], fault: str
) -> Callable[..., Any]:
    """Return the same for targets, with the answer checked: the compiled loop would write wherever it points."""

    def ask(table: Any, which: int, bench: Any) -> Any:
        if which > 0:
            return rest(table, which - 1, bench)
        seat = first(table)
        if seat < 0 or seat >= table.seats or not legal(table, table.card, seat):
            raise StrategyError(fault)
        return seat

    return ask
