"""`flip7 sim`: let strategies play whole games against each other, and tell how sure the result is."""

from __future__ import annotations

import argparse
import functools
import re
import sys
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any

from flip7.commands import CommandError, files, simulation, studies
from flip7.commands.parsing import whole
from flip7.commands.style import Style, printable
from flip7.game import saving
from flip7.game.layout import count, ledger, wrapped
from flip7.game.options import TARGET
from flip7.sim.results import SimResult, sim_result
from flip7.sim.run import Run
from flip7.sim.simulate import MOST, Progress, play_to_precision, run_games

GAMES = 100_000
GAMES_INTERPRETED = 2_000
NAME = 20  # columns
LABELS = ("", "", "wins", "95 % interval", "points a round", "busts", "Flip 7", "rounds to win")


def configure(parser: argparse.ArgumentParser) -> None:
    """Add what `sim` takes."""
    parser.description = (
        "Let strategies play whole games against each other, a seat for each, and tell which wins how often, with "
        "95 % confidence intervals. Ctrl-C prints what is known so far."
    )
    parser.add_argument(
        "strategies", nargs="*", metavar="STRATEGY", help="who plays, such as points:25, ev, or points:25@ev for both"
    )
    parser.add_argument("--games", metavar="N", type=whole(1, MOST), help="how many; default: 100000")
    parser.add_argument(
        "--precision", metavar="P%", type=precision, help="play until every win rate is known to plus or minus P"
    )
    parser.add_argument(
        "--target", metavar="N", type=whole(1, TARGET), default=200, help="the points that end a game; default: 200"
    )
    parser.add_argument(
        "--sweep", metavar="RANGE", help="a curve: one more player, such as points:15..40, against the strategies"
    )
    parser.add_argument(
        "--players", metavar="A..B", type=players, help="the first strategy among A to B players, the others fill up"
    )
    parser.add_argument("--by-seat", action="store_true", help="tell also how often each wins from each seat")
    parser.add_argument("--pairs", action="store_true", help="everyone against everyone, two at a table")
    simulation.add_options(parser, reshuffle="empty")
    parser.add_argument("--records", metavar="DIR", type=Path, help="keep the first games as records, in a new folder")
    parser.add_argument("--keep", metavar="N", type=whole(1, 100_000), default=10, help="how many records; default: 10")
    parser.set_defaults(command="sim")


def precision(text: str) -> float:
    """Read a precision: `0.1%` or `0.001`."""
    match = re.fullmatch(r"([0-9]{0,3}(?:\.[0-9]{0,9})?)\s*(%?)", text)
    try:
        number = float(match[1]) / (100 if match[2] else 1) if match else 0.0
    except ValueError:
        number = 0.0
    if not 1e-5 <= number < 0.5:
        raise argparse.ArgumentTypeError(f"{text!r} is no precision; it is written 0.1% or 0.001")
    return number


def players(text: str) -> tuple[int, int]:
    """Read a range of players: `2..6`, or `4`."""
    match = re.fullmatch(r"([0-9]{1,2})(?:\.\.([0-9]{1,2}))?", text)
    if not match:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of players; it is written 2..6")
    return int(match[1]), int(match[2] or match[1])


def run(args: argparse.Namespace) -> int:
    """Play, and print the table."""
    if studies.wanted(args):
        return studies.run(args)
    if not args.strategies:
        raise CommandError("the following arguments are required: STRATEGY, such as 'flip7 sim ev points:25'")
    rules = simulation.rules_of(args, args.target)
    if args.records is not None:
        _check_folder(args.records, args.overwrite)

    def go(run: Run, progress: Progress | None) -> None:
        if args.precision is not None:
            play_to_precision(run, args.precision, args.games or MOST, progress)
        else:
            games = GAMES if run.job.engine == "compiled" else GAMES_INTERPRETED
            run_games(run, args.games or games, progress)

    return simulation.play(
        args, rules, functools.partial(_several, args.strategies), go, lambda run: _finish(args, run)
    )


def _several(strategies: list[str], **settings: Any) -> Run:
    """Return a run of games in which there is someone to beat."""
    run = Run(strategies, **settings)
    if run.seats == 1:
        alone = strategies[0]
        raise ValueError(
            f"{alone} alone wins every game: name opponents too, such as '{alone} points:25', "
            f"or look at its rounds with 'flip7 rounds {alone}'"
        )
    return run


def _finish(args: argparse.Namespace, run: Run) -> int:
    result = sim_result(run)
    style = Style(sys.stdout)
    seats = by_seat(result, style) if args.by_seat else ()
    return simulation.publish(args, result, chain(tell(result, run, style), seats), _files(args, run, result))


def by_seat(result: SimResult, style: Style) -> Iterator[str]:
    """Yield how often each entry wins from each seat; the dealer of the first round has seat 0."""
    yield ""
    order = sorted(range(len(result.strategies)), key=lambda entry: -result.wins[entry])
    rows = [["wins from seat", *map(str, range(len(order)))]]
    for entry in order:
        rates = (f"{100 * rate:.2f} %" for rate in result.seat_win_rates[entry])
        rows.append([elided(printable(result.strategies[entry]), NAME), *rates])
    seats = range(1, len(rows[0]))
    labels = ("", *(f"{seat}:" for seat in rows[0][1:]))
    for number, line in ledger(rows, room=style.columns, right=seats, below=seats, labels=labels):
        yield style.dim(line) if number == 0 else line


def _files(args: argparse.Namespace, run: Run, result: SimResult) -> Iterator[simulation.File]:
    yield from simulation.files_of(args, result, simulation.settings(run.job.rules, run.seats))
    if args.records is not None:
        yield simulation.File(args.records, lambda: keep(run, args.records, args.keep))


def _check_folder(folder: Path, overwrite: bool) -> None:
    """Find out before the games whether the records can be written."""
    with files.refusals(folder):
        new = not folder.exists()
        folder.mkdir(exist_ok=True)
        saving.check(folder / "game.flip7", overwrite=True)
        if new:
            folder.rmdir()
        elif not overwrite and any(folder.glob("game-*.flip7")):
            raise CommandError(f"{printable(str(folder))} has records already: name another, or add --overwrite")


def keep(run: Run, folder: Path, number: int) -> None:
    """Write the first games as records."""
    from flip7.sim.records import first_games

    games = first_games(run, number)
    with files.refusals(folder):
        folder.mkdir(exist_ok=True)
        for index, game in enumerate(games, 1):
            (folder / f"game-{index:06}.flip7").write_text(game.record(), encoding="utf-8", newline="\n")


def tell(result: SimResult, run: Run, style: Style) -> Iterator[str]:
    """Yield the result as a table, best first, and what it means."""
    head = f"{count_of(result.games, 'game')} to {run.job.rules.target} points, seed {result.seed}"
    yield from wrapped(style.bold(head), style.columns)
    yield ""
    order = sorted(range(run.seats), key=lambda entry: -result.wins[entry])
    rows = [["", "", "wins", "95 % interval", "points/", "busts", "Flip 7", "rounds"]]
    rows.append(["#", "strategy", "", "", "round", "", "", "to win"])
    for entry in order:
        low, high = result.win_intervals[entry]
        to_win = result.rounds_to_win[entry]
        rows.append(
            [
                str(entry + 1),
                elided(printable(result.strategies[entry]), NAME),
                f"{100 * result.win_rates[entry]:.2f} %",
                f"{100 * low:.2f} - {100 * high:.2f}",
                f"{result.mean_points[entry]:.2f}",
                f"{100 * result.bust_rates[entry]:.1f} %",
                f"{100 * result.flip7_rates[entry]:.2f} %",
                "-" if to_win is None else f"{to_win:.2f}",
            ]
        )
    below = (3, 4, 5, 6, 7)
    for number, line in ledger(rows, right=(0, 2, *below), below=below, labels=LABELS, room=style.columns, heads=2):
        yield style.dim(line) if number < 2 else line
    yield ""
    cards = result.flips / max(result.games, 1)
    for sentence in (
        f"A game takes {result.rounds_per_game:.2f} rounds and {cards:.1f} cards; {playoffs(result)}.",
        verdict_of(result, order),
        f"{result.seconds:.2f} s, {result.games_per_second:,.0f} games/s, {how(result)}.",
    ):
        yield from wrapped(sentence, style.columns)


def how(result: SimResult) -> str:
    """Return who played the games."""
    return f"{result.engine} engine, {count(result.workers, 'worker')}"


def playoffs(result: SimResult) -> str:
    """Return how often a tie made a game longer."""
    if not result.playoffs:
        return "no tie led to a playoff"
    return f"ties led to {count_of(result.playoffs, 'playoff round')}"


def verdict_of(result: SimResult, order: list[int]) -> str:
    """Return whether the best strategy can be told from the next, in words."""
    best = order[0]
    others = [entry for entry in order if result.strategies[entry] != result.strategies[best]]
    if not others or result.games == 0:
        return ""
    first, second = (elided(printable(result.strategies[entry]), NAME) for entry in (best, others[0]))
    if result.win_intervals[best][0] > result.win_intervals[others[0]][1]:
        return f"{first} wins most: its interval lies above all others."
    return f"{first} and {second} cannot be told apart yet: their intervals overlap."


def count_of(number: int, thing: str) -> str:
    """Return a number with its noun: `1 game`, `1,000 games`."""
    return f"{number:,} {thing}{'' if number == 1 else 's'}"


def elided(text: str, most: int) -> str:
    """Return a text, without its beginning if it is too long: of a file it is the end that matters."""
    return text if len(text) <= most else f"…{text[1 - most :]}"
