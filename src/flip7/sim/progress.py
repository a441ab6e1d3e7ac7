"""How far a simulation is, told while it goes on."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO

from flip7.sim import counts
from flip7.sim.results import win_interval
from flip7.sim.run import Run
from flip7.sim.simulate import Progress

EVERY = 0.1  # seconds


def compiled_before(run: Run) -> bool:
    """Return whether the compiled loop for a run is on this machine's disk. Raises `ImportError` without Numba."""
    from flip7.compiled.build import on_disk

    return on_disk(getattr(run.lineup.compiled_loop(ready=False), "play_rounds" if run.job.session else "play_games"))


@contextmanager
def watching(stream: TextIO, *, wanted: bool = True, precision: float | None = None) -> Iterator[Progress | None]:
    """A live bar on a terminal, while the block lasts: what to call after every part. Elsewhere nothing."""
    if not wanted or not stream.isatty():
        yield None
        return
    try:
        from rich.console import Console
        from rich.progress import BarColumn, TextColumn, TimeRemainingColumn
        from rich.progress import Progress as Bar
    except ImportError:
        yield None
        return
    columns = (
        TextColumn("{task.description}"),
        BarColumn(bar_width=18),
        TextColumn("{task.percentage:>3.0f} %"),
        TimeRemainingColumn(compact=True, elapsed_when_finished=True),
        TextColumn("{task.fields[leader]}", style="cyan"),
    )
    with Bar(*columns, console=Console(file=stream), transient=True) as bar:
        task = bar.add_task("starting", total=None, leader="")
        shown = 0.0

        def show(run: Run, goal: int | None) -> None:
            nonlocal shown
            now = time.monotonic()
            if now - shown < EVERY:
                return
            shown = now
            done = run.tally.rounds if run.job.session else run.tally.games
            total = goal if goal is not None else needed(run, precision or 1.0)
            bar.update(task, completed=done, total=max(total, done), description=speed(run), leader=leader(run))

        yield show


def needed(run: Run, precision: float) -> int:
    """Return how many games a precision will take, judged by those so far."""
    widths = (win_interval(run.tally, entry, run.seats) for entry in range(run.seats))
    widest = max((high - low) / 2 for low, high in widths)
    return round(run.tally.games * (widest / precision) ** 2)


def speed(run: Run) -> str:
    """Return how many games there have been, and how many a second."""
    done, what = (run.tally.rounds, "rounds") if run.job.session else (run.tally.games, "games")
    rate = done / run.seconds if run.seconds else 0.0
    return f"{done:,} {what}, {rate:,.0f}/s"


def leader(run: Run) -> str:
    """Return who wins most so far, or what the rounds bring."""
    tally = run.tally
    if run.job.session:
        return f"mean {tally.points(0) / max(tally.rounds, 1):.2f}"
    first = max(range(run.seats), key=lambda entry: tally.sums[entry][counts.WINS])
    rate = tally.sums[first][counts.WINS] / max(tally.games, 1)
    name = run.job.strategies[first]
    return f"{name if len(name) <= 16 else '…' + name[-15:]} leads, {100 * rate:.1f} %"
