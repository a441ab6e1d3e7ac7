"""A field: the strategies of a simulation as numbers for the inner loop, and one chunk of its games in either build."""

from __future__ import annotations

import functools
import hashlib
import re
import threading
from collections.abc import Callable, Sequence
from typing import Any, Literal

import msgspec

from flip7.game.options import Rules
from flip7.rules.agenda import may_get
from flip7.rules.table import LAYOUT, Table
from flip7.sim import loop
from flip7.sim.tally import Tally
from flip7.strategy import chance, policies, random
from flip7.strategy.registry import Asked, Named, Strategy, StrategyError, get

Engine = Literal["compiled", "interpreted"]
MOST_ROUNDS = 10_000
COMPILED_METHODS = ("wants_card", "chosen_target")


class Job(msgspec.Struct, frozen=True):
    """A whole simulation as plain data, so that another process or machine can play a part of it."""

    strategies: tuple[str, ...]
    rules: Rules
    seed: int
    engine: Engine = "compiled"
    session: int = 0
    """0 for games; otherwise single rounds, so many to a session."""
    most_rounds: int = MOST_ROUNDS


class Field:
    """The strategies at the table. Those from outside are guests: they are asked one by one, in plain Python."""

    def __init__(self, strategies: Sequence[str | Strategy]) -> None:
        """Take strategies by name or as objects. Raises `StrategyError` for what is neither."""
        self.kinds: list[int] = []
        self.limits: list[int] = []
        self.alike: list[int] = []
        self.names: list[str] = []
        self.guests: list[Asked] = []
        known: dict[object, int] = {}
        for given in strategies:
            strategy: object = get(given) if isinstance(given, str) else given
            if not isinstance(strategy, Strategy) or isinstance(strategy, type):
                raise StrategyError(
                    f"{given!r} is no strategy: that is a name, or an object with the methods turn and target"
                )
            name = given if isinstance(given, str) else getattr(given, "text", type(given).__name__)
            self.names.append(name)
            if isinstance(strategy, Named):
                self.kinds.append(strategy.kind)
                self.limits.append(strategy.limit)
                same: object = (strategy.kind, strategy.limit)
            else:
                self.kinds.append(policies.GUEST)
                self.limits.append(len(self.guests))
                self.guests.append(Asked(name, strategy))
                same = given if isinstance(given, str) else id(given)
            self.alike.append(known.setdefault(same, len(known)))

    @property
    def compiles(self) -> bool:
        """Whether every guest can be compiled too: its class has `wants_card(table)` and `chosen_target(table)`."""
        return all(hasattr(type(guest.strategy), method) for guest in self.guests for method in COMPILED_METHODS)


@functools.cache
def job_field(strategies: tuple[str, ...]) -> Field:
    """The field of a job, made once in each process."""
    return Field(strategies)


def play_part(job: Job, first: int, count: int) -> Tally:
    """Play the games (or rounds) number `first` and following of a job."""
    return play(job, job_field(job.strategies), first, count)


def play(job: Job, field: Field, first: int, count: int) -> Tally:
    """Play the games (or rounds) number `first` and following, with this field."""
    table = job.rules.table(len(field.kinds))
    tally = Tally.empty(table.seats)
    if job.engine == "compiled":
        _compiled(job, field, table, tally, first, count)
    else:
        # Nobody reads the log here, so it must not grow.
        table.log = Silence()
        play_interpreted(job, field, table, list(range(table.seats)), tally, first, count)
    return tally


def play_interpreted(
    job: Job, field: Field, table: Table, order: list[int], tally: Tally, first: int, count: int
) -> None:
    """Play on a table that can be watched. In the end it shows the last game, and `order` who sat where."""
    seats = table.seats
    deck, pile, rng = table.draw[:], [0] * (table.draw_left + loop.SPARE), [0]
    whole = pile[:]
    loop.fill(table, whole)
    seed = stream_seed(job.seed)
    if job.session:
        loop.play_rounds(
            table,
            pile,
            rng,
            order,
            deck,
            whole,
            field.kinds,
            field.limits,
            field.guests,
            tally.totals,
            tally.sums,
            tally.scores,
            seed,
            first,
            count,
            job.session,
        )
    else:
        loop.play_games(
            table,
            pile,
            rng,
            order,
            field.alike,
            [0] * seats,
            deck,
            whole,
            field.kinds,
            field.limits,
            [0] * seats,
            [0] * seats,
            field.guests,
            tally.totals,
            tally.sums,
            tally.scores,
            tally.lengths,
            seed,
            first,
            count,
            job.most_rounds,
        )


class Silence(list[tuple[int, int, int, int, int]]):
    """A log that keeps nothing."""

    def append(self, entry: tuple[int, int, int, int, int]) -> None:
        """Forget it."""


def _compiled(job: Job, field: Field, start: Table, tally: Tally, first: int, count: int) -> None:
    from flip7.compiled.build import TABLE  # first: it tells what is missing

    import numpy as np  # isort: skip

    table = np.zeros(1, TABLE)
    for name, (_, shape) in LAYOUT.items():
        if not shape:
            table[0][name] = getattr(start, name)
    seats = start.seats
    deck = np.array(start.draw, np.int64)
    pile = np.zeros(start.draw_left + loop.SPARE, np.uint8)
    laid_out = [0] * len(pile)
    loop.fill(start, laid_out)
    whole = np.array(laid_out, np.uint8)
    order = np.arange(seats).astype(np.uint8)
    kinds, limits = np.array(field.kinds, np.uint8), np.array(field.limits, np.int64)
    rng, wins = np.zeros(1, np.int64), np.zeros(seats, np.int64)
    totals, sums = np.array(tally.totals), np.array(tally.sums)
    scores, lengths = np.array(tally.scores), np.array(tally.lengths)
    seed = stream_seed(job.seed)
    build = engine(tuple(type(guest.strategy) for guest in field.guests))
    if job.session:
        build["play_rounds"](
            *(table[0], pile, rng, order, deck, whole, kinds, limits, 0, totals, sums, scores, seed, first, count),
            job.session,
        )
    else:
        build["play_games"](
            *(table[0], pile, rng, order, np.array(field.alike), wins, deck, whole, kinds, limits),
            *(np.zeros(seats, np.uint8), np.zeros(seats, np.int64), 0),
            *(totals, sums, scores, lengths, seed, first, count, job.most_rounds),
        )
    tally.totals, tally.sums = totals.tolist(), sums.tolist()
    tally.scores, tally.lengths = scores.tolist(), lengths.tolist()


_compiling = threading.Lock()


def engine(guests: tuple[type, ...] = ()) -> dict[str, Callable[..., Any]]:
    """The compiled loop. Guests that can be compiled become part of it, which takes a new compilation."""
    with _compiling:
        return _engine(guests)


@functools.cache
def _engine(guests: tuple[type, ...]) -> dict[str, Callable[..., Any]]:
    from flip7.compiled.build import cache_folder, compile_function, compile_modules, kept_in

    modules = (random, chance, policies, loop)
    turn, target = _no_guest_turn, _no_guest_target
    parts = [getattr(guest, method) for guest in guests for method in COMPILED_METHODS]
    with kept_in(cache_folder(modules, parts)):
        legal = compile_function(may_get)
        for guest in reversed(guests):
            own_turn, own_target = (_guest_method(guest, method) for method in COMPILED_METHODS)
            turn = _turns(own_turn, compile_function(turn))
            target = _targets(own_target, compile_function(target), legal, f"{guest.__name__}: {UNLAWFUL}")
    twins = compile_modules(modules, {"guest_turn": turn, "guest_target": target})
    return {name: getattr(twins["loop"], name) for name in ("play_games", "play_rounds")}


def _guest_method(guest: type, method: str) -> Callable[..., Any]:
    """One of a guest's two functions, compiled on its own, so that what is wrong with it is told at once."""
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


def _no_guest_turn(table: Any, which: int, guests: Any) -> bool:
    return True


def _no_guest_target(table: Any, which: int, guests: Any) -> int:
    return 0


UNLAWFUL = "chosen_target answered with a seat that may not get the card"


def _turns(first: Callable[..., Any], rest: Callable[..., Any]) -> Callable[..., Any]:
    """Ask the first guest, or one of the rest, by number."""

    def ask(table: Any, which: int, guests: Any) -> Any:
        if which == 0:
            return first(table)
        return rest(table, which - 1, guests)

    return ask


def _targets(
    first: Callable[..., Any], rest: Callable[..., Any], legal: Callable[..., Any], fault: str
) -> Callable[..., Any]:
    """The same, with the answer checked: the compiled loop would write wherever it points."""

    def ask(table: Any, which: int, guests: Any) -> Any:
        if which > 0:
            return rest(table, which - 1, guests)
        seat = first(table)
        if seat < 0 or seat >= table.seats or not legal(table, table.card, seat):
            raise StrategyError(fault)
        return seat

    return ask


def stream_seed(seed: int) -> int:
    """A seed of any size as a number that fits the generator."""
    digest = hashlib.sha256(f"flip7 simulation {seed}".encode()).digest()
    return int.from_bytes(digest[:8], "big") & random.MASK
