"""`flip7 score`: keep a match at a real table with the keyboard."""

from __future__ import annotations

import argparse
import contextlib
import datetime
import sys
from pathlib import Path

from flip7.commands import CommandError, files
from flip7.commands.parsing import whole
from flip7.commands.streams import complain
from flip7.commands.style import Style, printable
from flip7.game.options import TARGET
from flip7.rules.table import SEATS
from flip7.scorekeeper import storage
from flip7.scorekeeper.console import Console, sheet, statistics_text
from flip7.scorekeeper.errors import MatchError
from flip7.scorekeeper.match import Match
from flip7.scorekeeper.statistics import statistics

with contextlib.suppress(ImportError):  # not on every system
    import readline  # noqa: F401  (lines can be edited and called back)


def configure(parser: argparse.ArgumentParser) -> None:
    """Add what `score` takes."""
    parser.description = (
        "Keep the scores of a match at a real table: type each hand as cards, points or 'b' for busted; totals, "
        "dealer, ties and the winner follow. Everything is saved at once and can be taken back. '?' lists the words."
    )
    parser.epilog = "Without FILE a new match starts, kept where --list finds it."
    parser.add_argument("file", nargs="?", metavar="FILE", help="a match to go on with, or where to keep a new one")
    parser.add_argument("--players", nargs="+", metavar="NAME", help="who plays, clockwise; asked for if not given")
    parser.add_argument("--target", type=whole(1, TARGET), default=200, metavar="POINTS", help="default: 200")
    parser.add_argument("--dealer", type=whole(1, SEATS), default=1, metavar="N", help="who deals first; default: 1")
    parser.add_argument("--list", action="store_true", help="list the matches kept so far")
    parser.add_argument("--statistics", action="store_true", help="sum up all matches kept so far")


def run(args: argparse.Namespace) -> int:
    """Keep the match until its keeper leaves."""
    if args.list or args.statistics:
        return _look_back(args.statistics)
    path = Path(args.file) if args.file else None
    room = Style(sys.stdout).columns
    try:
        match = _open(path, args)
        kept = path or storage.new_path(match)

        def save() -> None:
            with files.refusals(kept):
                storage.save(match, kept)

        save()
        Console(match, _ask, _tell, save, room).run()
        if not sys.stdin.isatty():
            _tell(sheet(match, room))
        _tell(f"kept in {kept}")
    except MatchError as error:
        raise CommandError(printable(str(error))) from None
    return 0


def _open(path: Path | None, args: argparse.Namespace) -> Match:
    if path is not None and path.exists():
        if args.players:
            raise CommandError(f"{printable(str(path))} has its players already: leave --players out")
        with files.refusals(path):
            return storage.load(path)
    players = args.players or _names(_ask("Who plays, clockwise? "))
    return Match(players, target=args.target, dealer=args.dealer - 1, date=datetime.date.today().isoformat())


def _names(line: str) -> list[str]:
    """Names with spaces between them, or commas where a name has a space in it."""
    return [name for part in line.split(",") if (name := part.strip())] if "," in line else line.split()


def _ask(prompt: str) -> str:
    """One line from the keyboard; the end of the input is a farewell."""
    try:
        return input(prompt)
    except EOFError:
        return "q"


def _tell(text: str) -> None:
    print("\n".join(printable(line) for line in text.split("\n")))


def _look_back(sums: bool) -> int:
    found, wrong = storage.all_matches()
    if not found:
        print("No matches yet: 'flip7 score' starts one.")
    elif sums:
        _tell(statistics_text(statistics(match for _, match in found), Style(sys.stdout).columns))
    else:
        for path, match in found:
            who = ", ".join(f"{name} {total}" for name, total in zip(match.players, match.totals, strict=True))
            _tell(f"{path}: {who}{'' if match.winner is not None else ' (unfinished)'}")
    for message in wrong:
        complain(f"flip7 score: {printable(message)}")
    return 1 if wrong else 0
