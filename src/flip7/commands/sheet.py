"""`flip7 sheet`: print score sheets, blank or of a match."""

from __future__ import annotations

import argparse
from pathlib import Path

from flip7.commands import CommandError, files
from flip7.commands.parsing import whole
from flip7.commands.style import printable
from flip7.rules.table import SEATS
from flip7.scorekeeper import storage
from flip7.scorekeeper.errors import MatchError
from flip7.scorekeeper.paper import MOST_ROUNDS, PAPERS, blank_sheet, match_sheet
from flip7.terminal import settings


def configure(parser: argparse.ArgumentParser) -> None:
    """Add what `sheet` takes."""
    parser.description = (
        "Write a score sheet as PDF: a column for each player, a row for each round, and how to score in a few words."
    )
    parser.add_argument("--players", type=whole(1, SEATS), metavar="N", help="how many columns; default: 6")
    parser.add_argument("--names", nargs="+", default=[], metavar="NAME", help="names to print above the columns")
    parser.add_argument("--rounds", type=whole(1, MOST_ROUNDS), default=15, metavar="N", help="rows; default: 15")
    parser.add_argument("--paper", choices=PAPERS, default=PAPERS[0], help="default: A4")
    parser.add_argument("--match", metavar="FILE", help="print this match instead of a blank sheet")
    parser.add_argument("--output", default="sheet.pdf", metavar="FILE", help="default: sheet.pdf")
    files.add_overwrite(parser)


def run(args: argparse.Namespace) -> int:
    """Write the file."""
    files.check_new(Path(args.output), args.overwrite)
    language = settings.load().spoken
    try:
        if args.match:
            data = match_sheet(storage.load(Path(args.match)), paper=args.paper, language=language)
        else:
            players = args.players or len(args.names) or 6
            if len(args.names) > players:
                raise CommandError(f"{len(args.names)} names for {players} players")
            data = blank_sheet(players, rounds=args.rounds, paper=args.paper, names=args.names, language=language)
    except MatchError as error:
        raise CommandError(printable(str(error))) from None
    except OSError as error:
        raise CommandError(f"{printable(str(args.match))}: {error.strerror or error}") from None
    files.write(Path(args.output), data, args.overwrite)
    print(f"written: {printable(args.output)}")
    return 0
