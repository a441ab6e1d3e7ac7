"""`flip7 score`: keep a match at a real table with the keyboard."""

from __future__ import annotations

import argparse
import contextlib
import datetime
import sys
from pathlib import Path

from flip7.catalogue import texts
from flip7.commands import CommandError, files, screen
from flip7.commands.parsing import whole
from flip7.commands.streams import complain
from flip7.commands.style import Style, printable
from flip7.game.options import TARGET
from flip7.rules.table import SEATS
from flip7.scorekeeper import storage
from flip7.scorekeeper.console import FAREWELLS, LABELS, Console, statistics_text
from flip7.scorekeeper.errors import MatchError
from flip7.scorekeeper.match import Match
from flip7.scorekeeper.statistics import statistics
from flip7.terminal import settings
from flip7.terminal.score.lines import Spoken
from flip7.terminal.score.words import labels
from flip7.terminal.texts import Words

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
    screen.add_plain(parser)


def run(args: argparse.Namespace) -> int:
    """Keep the match until its keeper leaves."""
    if args.list or args.statistics:
        return _look_back(args.statistics)
    path = Path(args.file) if args.file else None
    room = Style(sys.stdout).columns
    wanted = screen.is_wanted(args, "score")
    if wanted and not args.players and (path is None or not path.exists()):
        return _ask_on_screen(path, args)
    try:
        match = _open(path, args)
        kept = path or storage.new_path(match)

        def save() -> None:
            with files.refusals(kept):
                storage.save(match, kept)

        save()
        if wanted:
            return _run_screen(match, kept, args)
        words = Words(settings.load().spoken)
        english = words.language == "en"
        console = Console(match, _ask, _tell, save, room) if english else Spoken(match, _ask, _tell, save, room, words)
        console.run()
        if not sys.stdin.isatty():
            _tell(console.sheet())
        _tell(words("score.kept", file=kept))
    except MatchError as error:
        raise CommandError(printable(str(error))) from None
    return 0


def _run_screen(match: Match, kept: Path, args: argparse.Namespace) -> int:
    """Keep the match on a whole screen."""
    from flip7.terminal.score.screen import ScoreScreen

    status = screen.show(lambda _: ScoreScreen(match, kept), args)
    _tell(texts(settings.load().spoken, "lines")("score.kept", file=kept))
    return status


def _ask_on_screen(path: Path | None, args: argparse.Namespace) -> int:
    """Ask who plays on the screen too, then keep the match there."""
    from flip7.terminal.score.screen import ScoreScreen
    from flip7.terminal.score.who import WhoScreen

    kept: list[Path] = []

    def begin(line: str) -> ScoreScreen:
        match = _new(_names(line), args)
        kept.append(path or storage.new_path(match))
        return ScoreScreen(match, kept[-1])

    status = screen.show(lambda _: WhoScreen(begin), args)
    if kept:
        _tell(texts(settings.load().spoken, "lines")("score.kept", file=kept[-1]))
    return status


def _open(path: Path | None, args: argparse.Namespace) -> Match:
    if path is not None and path.exists():
        if args.players:
            raise CommandError(f"{printable(str(path))} has its players already: leave --players out")
        with files.refusals(path):
            return storage.load(path)
    return _new(args.players or _ask_who(), args)


def _ask_who() -> list[str]:
    line = _ask(f"{texts(settings.load().spoken, 'lines')('score.who')} ")
    if line.strip().lower() in FAREWELLS:
        raise CommandError("nobody was named, so no match was begun: say who plays, in a line or with --players")
    return _names(line)


def _new(players: list[str], args: argparse.Namespace) -> Match:
    return Match(players, target=args.target, dealer=args.dealer - 1, date=datetime.date.today().isoformat())


def _names(line: str) -> list[str]:
    """Names with spaces between them, or commas where a name has a space in it."""
    return [name for part in line.split(",") if (name := part.strip())] if "," in line else line.split()


def _ask(prompt: str) -> str:
    """One line from the keyboard; the end of the input is a farewell."""
    try:
        return input(prompt)
    except EOFError:
        return FAREWELLS[0]


def _tell(text: str) -> None:
    print("\n".join(printable(line) for line in text.split("\n")))


def _look_back(sums: bool) -> int:
    found, wrong = storage.all_matches()
    words = Words(settings.load().spoken)
    if not found:
        print(words("score.nomatches"))
    elif sums:
        columns = LABELS if words.language == "en" else labels(words)
        summed = statistics(match for _, match in found)
        _tell(statistics_text(summed, Style(sys.stdout).columns, columns, words.language))
    else:
        for path, match in found:
            who = ", ".join(f"{name} {total}" for name, total in zip(match.players, match.totals, strict=True))
            open_still = "" if match.winner is not None else f" ({words('score.unfinished')})"
            _tell(f"{path}: {who}{open_still}")
    for message in wrong:
        complain(f"flip7 score: {printable(message)}")
    return 1 if wrong else 0
