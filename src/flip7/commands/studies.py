"""`flip7 sim --sweep`, `--players` and `--pairs`: many simulations side by side."""

from __future__ import annotations

import argparse
import functools
import secrets
import sys
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from flip7.commands import CommandError, simulation
from flip7.commands.style import Style, printable
from flip7.game.layout import columns, table, wrapped
from flip7.game.options import Rules
from flip7.sim.results import SimResult
from flip7.sim.run import Run
from flip7.sim.studies import (
    PLAYERS,
    Pairs,
    Sweep,
    pair_lineups,
    pairs_of,
    parameter_steps,
    play_all,
    player_steps,
    sweep_of,
)
from flip7.strategy.errors import StrategyError
from flip7.strategy.registry import get

GAMES = 50_000
GAMES_INTERPRETED = 1_000
BAR = 30
NAME = 16


class Study(NamedTuple):
    """What is played, and what becomes of it."""

    lineups: Sequence[tuple[str, ...]]
    put_together: Callable[[Sequence[SimResult]], Sweep | Pairs]


def wanted(args: argparse.Namespace) -> bool:
    """Return whether the options ask for a study."""
    return bool(args.sweep or args.players or args.pairs)


def study_of(args: argparse.Namespace) -> Study:
    """Return what the options ask for."""
    if sum(map(bool, (args.sweep, args.players, args.pairs))) > 1:
        raise CommandError("--sweep, --players and --pairs: one of them at a time")
    if args.precision is not None or args.records is not None:
        raise CommandError("--precision and --records go with plain simulations; here say --games, for each step")
    if args.by_seat:
        raise CommandError("--by-seat goes with plain simulations: leave out --sweep, --players or --pairs")
    try:
        if args.pairs:
            return Study(pair_lineups(args.strategies), functools.partial(pairs_of, args.strategies))
        if args.sweep:
            text, steps = args.sweep, parameter_steps(args.sweep, args.strategies)
        else:
            low, high = args.players
            text, steps = f"{PLAYERS}{low}..{high}", player_steps(low, high, args.strategies)
    except StrategyError as error:
        raise CommandError(printable(str(error))) from None
    return Study([lineup for _, lineup in steps], functools.partial(sweep_of, text, steps))


def run(args: argparse.Namespace) -> int:
    """Play everything, and print what is known when it ends, or is ended."""
    study = study_of(args)
    rules = simulation.rules_of(args, args.target)
    check(study, rules)
    simulation.prepare(args)
    seed = secrets.randbits(48) if args.seed is None else args.seed
    results: list[SimResult] = []
    status = 0
    with simulation.cluster_of(args) as cluster:
        workers = args.workers if cluster is None else cluster.threads

        def make(lineup: Sequence[str]) -> Run:
            run = Run(lineup, seed=seed, rules=rules, workers=workers, engine=args.engine, cluster=cluster)
            simulation.announce(run, args)
            return run

        try:
            first = make(study.lineups[0])
            games = args.games or (GAMES if first.job.engine == "compiled" else GAMES_INTERPRETED)
            progress = _progress(args, len(study.lineups))
            results.extend(play_all(study.lineups, games, make, progress))
        except KeyboardInterrupt:
            simulation.say(
                "interrupted; this is what is known so far:" if results else "interrupted before the end of a step"
            )
            status = simulation.INTERRUPTED
        except (ImportError, ValueError) as error:
            if not results:
                raise CommandError(printable(str(error))) from None
            simulation.say(printable(str(error)), args)
            status = 2
    if not results:
        return status
    found = study.put_together(results)
    style = Style(sys.stdout)
    lines = tell_pairs(found, style) if isinstance(found, Pairs) else tell_sweep(found, style)
    settings = simulation.settings(rules, *map(len, study.lineups))
    return max(simulation.publish(args, found, lines, simulation.files_of(args, found, settings)), status)


def check(study: Study, rules: Rules) -> None:
    """Refuse before the first game what would end the study in the middle: a name, or a table that is too large."""
    try:
        for name in dict.fromkeys(chain(*study.lineups)):
            get(name)
        for seats in dict.fromkeys(map(len, study.lineups)):
            rules.table(seats)
    except ValueError as error:
        raise CommandError(printable(str(error))) from None


def _progress(args: argparse.Namespace, steps: int) -> Callable[[int, Run], None] | None:
    """Return what shows on a terminal how far it is."""
    if args.quiet or not sys.stderr.isatty():
        return None

    def show(step: int, run: Run) -> None:
        end = "\r\x1b[K" if step + 1 == steps and run.tally.games >= run.done > 0 else ""
        print(f"\r{step + 1} of {steps}: {run.tally.games:,} games \x1b[K{end}", end="", file=sys.stderr, flush=True)

    return show


def tell_sweep(found: Sweep, style: Style) -> Iterator[str]:
    """Yield the curve as bars, and its optimum."""
    against = ", ".join(printable(name) for name in (found.others if found.by_players else found.opponents[0]))
    who = f"{printable(found.subject)} {'among' if found.by_players else 'against'} {against}"
    head = f"{who}: {found.games:,} games for each step, seed {found.seed}"
    yield from wrapped(style.bold(head), style.columns)
    yield ""
    top = max(found.win_rates) or 1.0
    rows = [["players" if found.by_players else "", "wins", "95 % interval", ""]]
    for step, value in enumerate(found.values):
        low, high = found.win_intervals[step]
        bar = "█" * max(1, round(BAR * found.win_rates[step] / top))
        name = f"{value:g}" if found.by_players else printable(found.strategies[step])
        mark = "  best" if step == found.best else ""
        rate = f"{100 * found.win_rates[step]:.2f} %"
        rows.append([name, rate, f"{100 * low:.2f} - {100 * high:.2f}", (bar if style.columns > 79 else "") + mark])
    for number, line in enumerate(table(rows, right=(1, 2))):
        yield style.dim(line.rstrip()) if number == 0 else line.rstrip()
    yield ""
    if found.best is not None and found.interval is not None:
        low, high = found.interval
        rest = "every other step wins less often" if low == high else f"from {low:g} to {high:g} it may as well be"
        best = f"{printable(found.strategies[found.best])} wins most; {rest}, with 95 % confidence."
        yield from wrapped(best, style.columns)
    yield f"{found.seconds:.2f} s, {found.engine} engine."


def tell_pairs(found: Pairs, style: Style) -> Iterator[str]:
    """Yield the matrix of differences, best first."""
    head = f"Everyone against everyone, two at a table: {found.games:,} games for each pair, seed {found.seed}"
    yield from wrapped(style.bold(head), style.columns)
    names = [printable(found.strategies[entry])[-NAME:] for entry in found.order]
    rows = [["", "wins", *names]]
    rows += [[name, *found.cells(entry)] for entry, name in zip(found.order, names, strict=True)]
    lines = list(table(rows, right=range(1, len(rows[0]))))
    who = "the row wins than the column"
    if max(map(columns, lines)) > style.columns:
        lines = list(table(_blocks(rows), right=(1,)))
        who = "each wins than those below it"
    yield from wrapped(f"How much more of the games {who}, in percent points, ± 95 %", style.columns)
    yield ""
    for number, line in enumerate(lines):
        yield style.dim(line) if number == 0 else line
    yield ""
    yield f"{found.seconds:.2f} s, {found.engine} engine."


def _blocks(rows: list[list[str]]) -> list[list[str]]:
    """Return a matrix that is too wide in two columns: each row is a block, with a line for every other strategy."""
    blocks = [rows[0][:2]]
    for place, (name, wins, *cells) in enumerate(rows[1:]):
        others = [[f"    {other}", cell] for other, cell in zip(rows[0][2:], cells, strict=True)]
        blocks += [[name, wins], *others[:place], *others[place + 1 :]]
    return blocks
