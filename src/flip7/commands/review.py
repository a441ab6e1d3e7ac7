"""`flip7 review`: what luck and what skill made of a game that is over."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import msgspec

from flip7 import extras
from flip7.commands import CommandError, files
from flip7.commands.files import name_of, read
from flip7.commands.parsing import whole
from flip7.commands.style import Style, printable
from flip7.commands.waiting import thinking
from flip7.game.errors import RecordError
from flip7.game.game import Game
from flip7.game.layout import ledger, wrapped
from flip7.sim.story import moment_in_words, result_in_words, signed
from flip7.strategy.review import Review, review

PICTURES = (".svg", ".png")


def configure(parser: argparse.ArgumentParser) -> None:
    """Add what `review` takes."""
    parser.description = (
        "Review a recorded game that is over: every player's chance to win from the first card to the last, what luck "
        "brought and what choices gave away, the turning point, and the best and the worst choice."
    )
    parser.add_argument("file", metavar="FILE", help="the record; '-' reads standard input")
    parser.add_argument("--seed", metavar="N", type=whole(0, 2**62), default=0, help="of the rollouts; default: 0")
    parser.add_argument("--json", action="store_true", help="print JSON, with every moment")
    parser.add_argument("--plot", metavar="FILE", type=Path, help="write a picture of the chances, .svg or .png")
    parser.add_argument("--report", metavar="FILE", type=Path, help="write one HTML page with everything")
    files.add_overwrite(parser)


def run(args: argparse.Namespace) -> int:
    """Print the review."""
    for option in ("plot", "report"):
        if getattr(args, option) is not None and find_spec("matplotlib") is None:
            raise CommandError(extras.missing(f"--{option}", "matplotlib", "plots"))
    if args.plot is not None and args.plot.suffix.lower() not in PICTURES:
        raise CommandError(f"--plot {printable(str(args.plot))}: the name ends in .svg or .png")
    for path in (args.plot, args.report):
        if path is not None:
            files.check_new(path, args.overwrite)
    try:
        game = Game.from_record(read(args.file))
    except RecordError as error:
        raise CommandError(f"{name_of(args.file)}:{error.line}: {printable(error.message)}") from None
    try:
        with thinking(quiet=args.json) as progress:
            found = review(game, seed=args.seed, progress=progress)
    except ValueError as error:
        raise CommandError(f"{name_of(args.file)}: {error}") from None
    if args.json:
        print(msgspec.json.encode(found).decode())
    else:
        for line in tell(found, Style(sys.stdout)):
            print(line)
    if args.plot is not None:
        from flip7.sim.story import save

        with files.writing(args.plot, args.overwrite) as target:
            save(found, target)
    if args.report is not None:
        from flip7.sim.story import page

        files.write(args.report, page(found, game), args.overwrite)
    return 0


def tell(found: Review, style: Style) -> Iterator[str]:
    """Yield the review as a table, and its moments in words."""
    rows = [["", "start", "luck", "skill", "result", "choices", "blunders"]]
    rows += [
        [
            style.shown(seat.name),
            f"{100 * seat.start:.1f} %",
            signed(seat.luck),
            signed(seat.skill),
            result_in_words(found, seat),
            str(seat.choices),
            str(len(seat.blunders)),
        ]
        for seat in found.seats
    ]
    labels = ("", "", "", "", "", "choices", "blunders")
    for number, line in ledger(rows, room=style.columns, right=range(1, 7), below=(5, 6), labels=labels):
        yield style.bold(line) if number == 0 else line
    names = [style.shown(seat.name) for seat in found.seats]
    for title, moment in (
        ("Turning point", found.turning_point),
        ("Best choice", found.best),
        ("Worst choice", found.worst),
    ):
        if moment is not None:
            yield ""
            yield from wrapped(f"{style.bold(title)}: {moment_in_words(moment, names)}", style.columns)
