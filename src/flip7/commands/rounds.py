"""`flip7 rounds`: one player's rounds, from a fresh deck each: mean, busts, Flip 7s."""

from __future__ import annotations

import argparse
import functools
import sys
from collections.abc import Iterator

from flip7.commands import simulation
from flip7.commands.parsing import whole
from flip7.commands.sim import NAME, count_of, elided
from flip7.commands.style import Style, printable
from flip7.game.layout import count, ledger, wrapped
from flip7.sim.results import RoundsResult, rounds_result
from flip7.sim.run import Run
from flip7.sim.simulate import MOST, Progress, rounds_run, run_games

ROUNDS = 1_000_000
ROUNDS_INTERPRETED = 20_000
BAR = 40
STEP = 10  # points


def configure(parser: argparse.ArgumentParser) -> None:
    """Add what `rounds` takes."""
    parser.description = (
        "Play single rounds of one player alone, whose own action cards hit themselves, and tell the mean points, how "
        "often they bust and how often they make a Flip 7. Every round starts with the whole deck, unless told "
        "otherwise."
    )
    parser.add_argument("strategy", metavar="STRATEGY", help="who plays, such as points:23 or ev")
    parser.add_argument("--rounds", metavar="N", type=whole(1, MOST), help="how many; default: 1000000")
    simulation.add_options(parser, reshuffle="round")
    parser.set_defaults(command="rounds")


def run(args: argparse.Namespace) -> int:
    """Play, and print what came of it."""
    rules = simulation.rules_of(args)

    def go(run: Run, progress: Progress | None) -> None:
        usual = ROUNDS if run.job.engine == "compiled" else ROUNDS_INTERPRETED
        run_games(run, args.rounds or usual, progress)

    make = functools.partial(rounds_run, args.strategy)
    return simulation.play(args, rules, make, go, lambda run: _finish(args, run))


def _finish(args: argparse.Namespace, run: Run) -> int:
    result = rounds_result(run)
    files = simulation.files_of(args, result, settings(run))
    return simulation.publish(args, result, tell(result, run, Style(sys.stdout)), files)


def settings(run: Run) -> dict[str, str]:
    """Return how the rounds were played, for the report."""
    return {"command": simulation.command_line(), "deck": simulation.deck_of(run.job.rules, 1)}


def tell(result: RoundsResult, run: Run, style: Style) -> Iterator[str]:
    """Yield the figures with their intervals, and how the points are spread."""
    name = elided(printable(result.strategy), NAME)
    head = f"{name}: {count_of(result.rounds, 'round')} alone, seed {result.seed}"
    yield from wrapped(style.bold(head), style.columns)
    yield from wrapped(style.dim(simulation.deck_of(run.job.rules, 1)), style.columns)
    yield ""
    rows = [["", "", "95 % interval"]]
    low, high = result.mean_interval
    rows.append(["points a round", f"{result.mean:.4f}", f"{low:.4f} - {high:.4f}"])
    for what, rate, (low, high) in (
        ("busts", result.bust, result.bust_interval),
        ("Flip 7", result.flip7, result.flip7_interval),
    ):
        rows.append([what, f"{100 * rate:.3f} %", f"{100 * low:.3f} - {100 * high:.3f}"])
    for number, line in ledger(rows, right=(1, 2), below=(2,), labels=rows[0], room=style.columns):
        yield style.dim(line) if number == 0 else line
    yield ""
    yield from spread(result, style)
    yield ""
    speed = f"{result.seconds:.2f} s, {result.rounds_per_second:,.0f} rounds/s"
    yield from wrapped(f"{speed}, {result.engine} engine, {count(result.workers, 'worker')}.", style.columns)


def spread(result: RoundsResult, style: Style) -> Iterator[str]:
    """Yield how many rounds brought how many points, in steps of ten; busts and other rounds without any come first."""
    steps = [("0 points", result.scores[0])]
    last = len(result.scores) - 1
    steps += [(f"{low} - {low + STEP - 1}", sum(result.scores[low : low + STEP])) for low in range(1, last + 1, STEP)]
    most = max(number for _, number in steps)
    room = max(1, min(BAR, style.columns - len("      0 points  100.00 %  ")))
    for name, number in steps:
        share = number / max(result.rounds, 1)
        bar = "█" * round(room * number / most) or ("▏" if number else "")
        yield f"{name:>14}  {100 * share:6.2f} %  {style.bad(bar) if name == '0 points' else style.good(bar)}"
