"""A lineup: the strategies of a simulation as numbers for the inner loop, and one part of its games in either build."""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Sequence
from typing import Any

import msgspec

from flip7.game.options import Rules
from flip7.rules.table import Table
from flip7.sim import counts as counts_module
from flip7.sim import loop
from flip7.sim.counts import LAYOUT as COUNTS
from flip7.sim.counts import Counts
from flip7.sim.tally import Tally
from flip7.strategy import engine, policies, random
from flip7.strategy.bench import LAYOUT as BENCH
from flip7.strategy.bench import TARGETS, TURNS, Bench
from flip7.strategy.book import book_for
from flip7.strategy.engine import Engine
from flip7.strategy.registry import BuiltIn, CheckedStrategy, Strategy, strategy_of

MOST_ROUNDS = 10_000


class Job(msgspec.Struct, frozen=True):
    """A whole simulation as plain data, so that another process or machine can play a part of it."""

    strategies: tuple[str, ...]
    rules: Rules
    seed: int
    engine: Engine = "compiled"
    session: int = 0
    """0 for games; otherwise single rounds, this many to a session."""
    most_rounds: int = MOST_ROUNDS


class Lineup:
    """The strategies at the table. Those from outside are guests: they are asked one by one, in plain Python."""

    def __init__(self, strategies: Sequence[str | Strategy]) -> None:
        """Take strategies by name or as objects. Raises `StrategyError` for what is neither."""
        self.names: list[str] = []
        self.policies: list[tuple[int, int, int, int]] = []
        """How each entry plays, in the columns of `strategy.bench`."""
        self.alike: list[int] = []
        """A number for each entry, the same for those that play alike."""
        self.guests: list[CheckedStrategy] = []
        known: dict[object, int] = {}
        for given in strategies:
            strategy = strategy_of(given)
            same: object
            name = given if isinstance(given, str) else getattr(given, "text", type(given).__name__)
            self.names.append(name)
            if isinstance(strategy, BuiltIn):
                policy, same = strategy.policy, strategy.policy
            else:
                number = len(self.guests)
                policy = (policies.GUEST, number, policies.GUEST, number)
                self.guests.append(CheckedStrategy(name, strategy))
                same = given if isinstance(given, str) else id(given)
            self.policies.append(policy)
            self.alike.append(known.setdefault(same, len(known)))

    @property
    def seats(self) -> int:
        """How many there are."""
        return len(self.policies)

    @property
    def kinds(self) -> set[int]:
        """The kinds of strategy that there are."""
        return {policy[column] for policy in self.policies for column in (TURNS, TARGETS)}

    @property
    def rollouts(self) -> int:
        """How many rollouts its deep thinkers make at the most, for a turn and a target of each."""
        asked = [policy[column : column + 2] for policy in self.policies for column in (TURNS, TARGETS)]
        return sum(number for kind, number in asked if kind == policies.DEEP)

    @property
    def compiles(self) -> bool:
        """Whether every guest can be compiled too: its class has `wants_card(table)` and `chosen_target(table)`."""
        return all(hasattr(type(guest.strategy), method) for guest in self.guests for method in engine.COMPILED_METHODS)

    def compiled_loop(self, *, ready: bool = True) -> Any:
        """Return the inner loop, compiled for the kinds of strategy that are here; what is not `ready` cannot run."""
        foreign = tuple(type(guest.strategy) for guest in self.guests)
        return engine.compiled(self.kinds, (loop,), foreign, (counts_module,), ready=ready)["loop"]

    def benches(self, table: Table, *, single: bool = False) -> list[Bench]:
        """Return the bench for a table at which these strategies play, and one for thinking about it.

        In `single` rounds there is nothing to win: a strategy that plays to win plays for points there, as `ev` does.
        """
        played = [_for_points(policy) for policy in self.policies] if single else self.policies
        book = book_for(table.seats) if max(self.kinds) >= policies.NET else ()
        return [Bench(table, played, book, self.guests), Bench(table, [policies.BY_NET] * table.seats, book)]


def _for_points(policy: tuple[int, int, int, int]) -> tuple[int, int, int, int]:
    return (policies.EXPECTATION, 0, *policy[2:]) if policy[TURNS] in (policies.NET, policies.DEEP) else policy


@functools.cache
def lineup_of(strategies: tuple[str, ...]) -> Lineup:
    """Return the lineup of a job, made once in each process."""
    return Lineup(strategies)


def play_part(job: Job, first: int, count: int, lineup: Lineup | None = None) -> Tally:
    """Play the games (or rounds) number `first` and following of a job, with this lineup or the one it names."""
    lineup = lineup or lineup_of(job.strategies)
    table = job.rules.table(lineup.seats)
    if job.engine == "interpreted":
        # Nobody reads the log here, so it must not grow.
        table.log = Silence()
        return play_interpreted(job, lineup, table, first, count)[0]
    from flip7.compiled.build import from_record, to_records

    counts = Counts(lineup.alike)
    records = to_records([counts], COUNTS)
    benches = to_records(lineup.benches(table, single=job.session > 0), BENCH)
    _play(lineup.compiled_loop(), job, to_records([table, table]), benches, records[0], first, count)
    from_record(records[0], counts, COUNTS)
    return Tally.of(counts)


def play_interpreted(job: Job, lineup: Lineup, table: Table, first: int, count: int) -> tuple[Tally, list[int]]:
    """Play on a table that can be watched. In the end it shows the last game; returns also who sat where in it."""
    benches = lineup.benches(table, single=job.session > 0)
    counts = Counts(lineup.alike)
    _play(loop, job, [table, table.copy()], benches, counts, first, count)
    return Tally.of(counts), benches[0].order


def _play(build: Any, job: Job, tables: Any, benches: Any, counts: Any, first: int, count: int) -> None:
    """Play in either build, which has the same two functions."""
    seed = stream_seed(job.seed)
    if job.session:
        build.play_rounds(tables, benches, counts, seed, first, count, job.session)
    else:
        build.play_games(tables, benches, counts, seed, first, count, job.most_rounds)


class Silence(list[tuple[int, int, int, int, int]]):
    """A log that keeps nothing."""

    def append(self, entry: tuple[int, int, int, int, int]) -> None:
        """Forget it."""


def stream_seed(seed: int) -> int:
    """Return a seed of any size as a number that fits the generator."""
    digest = hashlib.sha256(f"flip7 simulation {seed}".encode()).digest()
    return int.from_bytes(digest[:8], "big") & random.MASK
