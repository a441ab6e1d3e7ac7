"""What `flip7 sim` and `flip7 rounds` share: their options, how they run, and the files they write."""

from __future__ import annotations

import argparse
import re
import shlex
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from flip7 import extras
from flip7.commands import CommandError, files, streams
from flip7.commands.parsing import whole
from flip7.commands.style import printable
from flip7.game.options import DECKS, Rules
from flip7.rules.cards import FREEZE, SECOND, STANDARD, TWELVE, Card
from flip7.sim.export import Result, to_csv, to_json
from flip7.sim.lineup import play_part
from flip7.sim.progress import compiled_before, watching
from flip7.sim.run import Run, SimulationError
from flip7.sim.simulate import Progress
from flip7.strategy.errors import StrategyError
from flip7.strategy.registry import USAGE

if TYPE_CHECKING:
    from flip7.sim.cluster import DaskCluster

INTERRUPTED = 130
NAMED: dict[str, Callable[[Card], bool]] = {
    "standard": lambda card: True,
    "numbers": lambda card: card.face <= TWELVE,
    "modifiers": lambda card: card.face < FREEZE,
    "second": lambda card: card.face < FREEZE or card.face == SECOND,
}
"""Decks that have a name: the usual one, its numbers, with the modifiers, and with Second Chances too."""

EPILOG = (
    f"Strategies: {', '.join(USAGE)}, and FILE.py:NAME for one of your own: a class with the methods turn(position), "
    "which returns 'hit' or 'stay', and target(position), which returns a seat of position.decision.options."
)


def add_options(parser: argparse.ArgumentParser, *, reshuffle: str) -> None:
    """Add the options that both commands have."""
    parser.epilog = EPILOG
    parser.add_argument("--seed", metavar="N", type=whole(0, (1 << 256) - 1), help="the same number, the same result")
    parser.add_argument("--decks", metavar="N", type=whole(1, DECKS), help="how many decks are shuffled together")
    parser.add_argument("--first", choices=("left", "dealer"), default="left", help="who comes first in turn order")
    parser.add_argument(
        "--reshuffle",
        choices=("empty", "round"),
        default=reshuffle,
        help=f"shuffle when the deck is empty, or for every round; default: {reshuffle}",
    )
    parser.add_argument(
        "--composition",
        metavar="DECK",
        type=composition,
        help="numbers, modifiers (and numbers), second (these and Second Chances), standard, or cards: '12:12,11:11'",
    )
    parser.add_argument("--workers", metavar="N", type=whole(1, 4096), help="how many cores; default: all")
    parser.add_argument("--engine", choices=("compiled", "interpreted"), default="compiled", help="the same, slower")
    parser.add_argument(
        "--cluster",
        metavar="ADDRESS",
        nargs="?",
        const="",
        help="play on this Dask cluster, such as tcp://10.0.0.5:8786; without an address on the cores here",
    )
    parser.add_argument("--json", action="store_true", help="print JSON instead of the table")
    parser.add_argument("--csv", metavar="FILE", type=Path, help="write the table as CSV too")
    parser.add_argument("--plot", metavar="FILE", type=Path, help="write plots, as .svg or .png")
    parser.add_argument("--report", metavar="FILE", type=Path, help="write one HTML page with everything")
    files.add_overwrite(parser)
    parser.add_argument("-q", "--quiet", action="store_true", help="no progress and no notes, only the result")


def composition(text: str) -> dict[Card, int]:
    """Read a deck: by its name, or card by card, or a name with changes: `standard,freeze:0`."""
    counts: dict[Card, int] = {}
    for number, part in enumerate(text.replace(" ", "").split(",")):
        card, colon, copies = part.partition(":")
        if not colon and number == 0 and card in NAMED:
            counts = {card_: n for card_, n in STANDARD.items() if NAMED[card](card_)}
            continue
        if not re.fullmatch(r"[0-9]{1,4}", copies):
            raise argparse.ArgumentTypeError(
                f"{part!r} in {text!r}: a deck is {', '.join(NAMED)}, or CARD:COUNT,CARD:COUNT,... such as '12:12,x2:1'"
            )
        try:
            counts[Card(card)] = int(copies)
        except ValueError as error:
            raise argparse.ArgumentTypeError(str(error)) from None
    return counts


def rules_of(args: argparse.Namespace, target: int = 200) -> Rules:
    """Return the rules that the options ask for."""
    try:
        return Rules(
            target=target,
            first=args.first,
            decks=args.decks,
            composition=args.composition,
            reshuffle=args.reshuffle,
        )
    except ValueError as error:
        raise CommandError(str(error)) from None


def prepare(args: argparse.Namespace) -> None:
    """Find out before a long run whether its files can be written."""
    for option in ("plot", "report"):
        if getattr(args, option) is not None and find_spec("matplotlib") is None:
            raise CommandError(extras.missing(f"--{option}", "matplotlib", "plots"))
    if args.plot is not None and args.plot.suffix.lower() not in (".svg", ".png"):
        raise CommandError(f"{printable(str(args.plot))}: a plot is a file that ends in .svg or .png")
    for path in (args.csv, args.plot, args.report):
        if path is not None:
            files.check_new(path, args.overwrite)


def play(
    args: argparse.Namespace,
    rules: Rules,
    make: Callable[..., Run],
    go: Callable[[Run, Progress | None], None],
    finish: Callable[[Run], int],
) -> int:
    """Run a simulation to its end, to an error or to Ctrl-C; in every case `finish` gets what is known.

    `make` takes the settings that both kinds of run have.
    """
    prepare(args)
    with cluster_of(args) as cluster:
        try:
            workers = args.workers if cluster is None else cluster.threads
            run = make(seed=args.seed, rules=rules, workers=workers, engine=args.engine, cluster=cluster)
            announce(run, args)
        except ImportError as error:
            raise CommandError(f"{error}; or use --engine interpreted, which is slower") from None
        except ValueError as error:
            raise CommandError(printable(str(error))) from None
        except KeyboardInterrupt:
            say("interrupted before the first game")
            return INTERRUPTED
        status = _go_on(run, go, args)
    return max(finish(run), status) if run.tally.rounds else status


def _go_on(run: Run, go: Callable[[Run, Progress | None], None], args: argparse.Namespace) -> int:
    """Play; returns the exit status, and says why it ended early if it did."""
    try:
        with watching(sys.stderr, wanted=not args.quiet, precision=getattr(args, "precision", None)) as progress:
            go(run, progress)
    except KeyboardInterrupt:
        say("interrupted; this is what is known so far:" if run.tally.rounds else "interrupted before the first game")
        return INTERRUPTED
    except (StrategyError, SimulationError, ImportError) as error:
        say(printable(str(error)), args)
        if run.tally.rounds:
            say("this is what was known before:")
        return 2
    return 0


def announce(run: Run, args: argparse.Namespace) -> None:
    """Say what takes its time, and why."""
    if run.job.engine == "compiled" and run.cluster is None:
        if not compiled_before(run) and not args.quiet:
            say("compiling the rules for this machine, once; this takes about 15 seconds ...")
        play_part(run.job, 0, 0, run.lineup)  # outside the time that is measured
    if args.engine == "compiled" and run.job.engine == "interpreted" and not args.quiet:
        halves = {guest.text for guest in run.lineup.guests if getattr(guest.strategy, "thinks", False)}
        plain = {guest.text for guest in run.lineup.guests} - halves
        for names, what in ((plain, "plain Python"), (halves, "deep in part only")):
            if names:
                are = f"{', '.join(sorted(names))} {'is' if len(names) == 1 else 'are'} {what}"
                say(f"{printable(are)}: the interpreted engine plays, which is slower")


def say(message: str, args: argparse.Namespace | None = None) -> None:
    """Tell the user something beside the result."""
    streams.complain(f"flip7: {message}" if args is None else f"flip7 {args.command}: {message}")


class File(NamedTuple):
    """A file or a folder to write, and how."""

    path: Path
    write: Callable[[], None]


def files_of(args: argparse.Namespace, result: Result, settings: dict[str, str]) -> Iterator[File]:
    """Yield the files that were asked for."""
    if args.csv is not None:
        yield File(args.csv, lambda: files.write(args.csv, to_csv(result), args.overwrite))
    if args.plot is not None:
        yield File(args.plot, lambda: _plot(args, result))
    if args.report is not None:
        from flip7.sim.report import page

        by_seat = getattr(args, "by_seat", False)
        yield File(
            args.report, lambda: files.write(args.report, page(result, settings, by_seat=by_seat), args.overwrite)
        )


def _plot(args: argparse.Namespace, result: Result) -> None:
    from flip7.sim.plots import save

    with files.writing(args.plot, args.overwrite) as target:
        save(result, target)


def publish(args: argparse.Namespace, result: Result, lines: Iterator[str], wanted: Iterator[File]) -> int:
    """Print the result, then write the files. A file that cannot be written costs nothing else."""
    if args.json:
        print(to_json(result), flush=True)
    else:
        for line in lines:
            print(line)
        sys.stdout.flush()
    status = 0
    for file in wanted:
        try:
            file.write()
        except (CommandError, SimulationError) as error:
            say(str(error), args)
            status = 2
        else:
            if not args.json and not args.quiet:
                print(f"written: {printable(str(file.path))}")
    return status


@contextmanager
def cluster_of(args: argparse.Namespace) -> Iterator[DaskCluster | None]:
    """The cluster that was asked for, connected while the block lasts, or none."""
    if not args.cluster:
        yield None
        return
    if args.cluster.partition(":")[0] in {usage.partition(":")[0] for usage in USAGE}:
        raise CommandError(f"--cluster {args.cluster}: that is a strategy; write --cluster after the strategies")
    if find_spec("distributed") is None:
        raise CommandError(extras.missing("--cluster", "distributed", "cluster"))
    from flip7.sim.cluster import ClusterError, DaskCluster

    try:
        cluster = DaskCluster(args.cluster)
    except ClusterError as error:
        raise CommandError(str(error)) from None
    with cluster:
        yield cluster


def deck_of(rules: Rules, *seats: int) -> str:
    """Return the deck in words, or the decks of several numbers of players."""
    sizes = dict.fromkeys(sum(rules.deck_for(number).values()) for number in seats)
    cards = f"{' or '.join(map(str, sizes))} cards"
    when = "shuffled for every round" if rules.reshuffle == "round" else "reshuffled when they run out"
    return f"{cards}, {when}"


def settings(rules: Rules, *seats: int) -> dict[str, str]:
    """Return how games were played, for the report."""
    return {
        "command": command_line(),
        "target": f"{rules.target} points",
        "deck": deck_of(rules, *seats),
        "first in turn order": "the dealer" if rules.first == "dealer" else "left of the dealer",
    }


def command_line() -> str:
    """Return the command as it can be typed again."""
    return shlex.join(["flip7", *sys.argv[1:]])
