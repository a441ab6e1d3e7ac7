"""A simulation as it goes on: parts of it played by threads, processes or a cluster, and added up."""

from __future__ import annotations

import os
import secrets
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import Protocol

from flip7.game.choices import whole
from flip7.game.options import Rules
from flip7.sim import counts
from flip7.sim.lineup import Job, Lineup, lineup_of, play_part
from flip7.sim.tally import Tally
from flip7.sim.workers import Workers
from flip7.strategy.engine import Engine
from flip7.strategy.errors import StrategyError
from flip7.strategy.registry import Strategy

Span = tuple[int, int]
"""The number of the first game of a part, and how many games it has."""


class SimulationError(ValueError):
    """A simulation cannot go on. What was counted before is in the run."""


def cores() -> int:
    """Return how many processor cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def part_of(job: Job, first: int, count: int, lineup: Lineup | None = None) -> Tally:
    """Play a part, as `play_part` does. Raises `StrategyError` for a compiled strategy from outside that raised."""
    lineup = lineup or lineup_of(job.strategies)
    try:
        return play_part(job, first, count, lineup)
    except (StrategyError, ImportError, MemoryError):
        raise
    except Exception as error:
        if job.engine == "interpreted" or not lineup.guests:
            raise
        # Compiled code does not say which of its parts has raised.
        names = " or ".join(dict.fromkeys(guest.text for guest in lineup.guests))
        why = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        raise StrategyError(f"{names}: failed with {why}") from error


def rules_of(given: Rules | None, usual: Rules | None = None) -> Rules:
    """Return the rules that are meant. Raises `ValueError` for what is none."""
    rules = given if given is not None else usual or Rules()
    if not isinstance(rules, Rules):
        raise ValueError(f"rules {rules!r}: flip7.Rules is needed")
    return rules


class Cluster(Protocol):
    """Other machines that play parts of a job."""

    def parts(self, job: Job, spans: Iterator[Span]) -> Iterator[Tally]:
        """Play all spans, in any order."""


class Run:
    """One simulation. `play_to` takes it further; `tally` is what has been counted so far."""

    def __init__(
        self,
        strategies: Sequence[str | Strategy],
        *,
        seed: int | None = None,
        rules: Rules | None = None,
        workers: int | None = None,
        engine: Engine = "compiled",
        session: int = 0,
        cluster: Cluster | None = None,
    ) -> None:
        """Raises `ValueError` for a field, rules or options that cannot be simulated."""
        if engine not in ("compiled", "interpreted"):
            raise ValueError(f"engine {engine!r}: it is 'compiled' or 'interpreted'")
        if isinstance(strategies, str) or not isinstance(strategies, Iterable):
            raise ValueError(f"strategies {strategies!r}: a list of them is needed, such as ['ev', 'points:25']")
        strategies = tuple(strategies)
        self.lineup = Lineup(strategies)
        self.named = all(isinstance(strategy, str) for strategy in strategies)
        self.job = Job(
            strategies=tuple(self.lineup.names),
            rules=rules_of(rules),
            seed=secrets.randbits(48) if seed is None else whole("seed", seed, 0),
            engine=engine if self.lineup.compiles else "interpreted",
            session=session,
        )
        self.seats = self.job.rules.table(self.lineup.seats).seats
        if cluster is not None and not self.named:
            raise ValueError("a cluster takes strategies by name: those that are objects cannot be sent to it")
        self.workers = cores() if workers is None else whole("workers", workers, 1)
        self.cluster = cluster
        self.tally = Tally.empty(self.seats)
        self.done = 0
        self.seconds = 0.0

    def play_to(self, games: int) -> Iterator[Tally]:
        """Play on until n games (or rounds) are done; yields the tally so far after every part."""
        block = self.job.session or self.seats
        if self.done % block:
            raise ValueError(f"{self.done} are done: a run goes on only after a multiple of {block}")
        began = time.perf_counter()
        before = self.seconds
        for part in self._parts(self._spans(games)):
            self.tally.add(part)
            self.seconds = before + time.perf_counter() - began
            stopped = part.totals[counts.STOPPED_AT]
            if stopped:
                raise SimulationError(
                    f"game {stopped} was not over after {self.job.most_rounds:,} rounds: "
                    "with these strategies, this deck and this target it may never end"
                )
            yield self.tally
        self.done = max(self.done, games)

    def _spans(self, games: int) -> Iterator[Span]:
        """Yield the parts that are still to be played. They begin with whole blocks; their size changes no result."""
        size = self._part_size()
        for first in range(self.done, games, size):
            yield first, min(size, games - first)

    def _part_size(self) -> int:
        """Return how many games are played in about a second, or fewer: until a part is done, Ctrl-C has to wait."""
        block = self.job.session or self.seats
        cheap = 400_000 if self.job.session else 80_000 // (1 + self.lineup.rollouts)
        games = cheap // self.seats if self.job.engine == "compiled" else cheap // (400 * self.seats)
        return max(1, games // block) * block

    def _parts(self, spans: Iterator[Span]) -> Iterator[Tally]:
        if self.cluster is not None:
            return self.cluster.parts(self.job, spans)
        if self.workers == 1:
            return (part_of(self.job, first, count, self.lineup) for first, count in spans)
        if self.job.engine == "compiled":
            return self._in_threads(spans, lambda span: part_of(self.job, *span, self.lineup))
        if not self.named:
            return (part_of(self.job, first, count, self.lineup) for first, count in spans)
        return self._in_processes(spans)

    def _in_processes(self, spans: Iterator[Span]) -> Iterator[Tally]:
        with Workers(self.workers) as pool:
            yield from self._in_threads(spans, lambda span: pool.play(self.job, *span))

    def _in_threads(self, spans: Iterator[Span], work: Callable[[Span], Tally]) -> Iterator[Tally]:
        """Keep a few parts waiting, so that memory stays flat however many there are."""
        pool = ThreadPoolExecutor(self.workers)
        waiting: set[Future[Tally]] = set()
        try:
            if self.job.engine == "compiled" and self.done == 0:
                first = next(spans, None)  # alone: it may have to compile
                if first is not None:
                    yield work(first)
            for span in spans:
                waiting.add(pool.submit(work, span))
                if len(waiting) > 2 * self.workers:
                    ready, waiting = wait(waiting, return_when=FIRST_COMPLETED)
                    for future in ready:
                        yield future.result()
            while waiting:
                ready, waiting = wait(waiting, return_when=FIRST_COMPLETED)
                for future in ready:
                    yield future.result()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
