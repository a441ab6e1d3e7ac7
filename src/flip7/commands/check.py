"""`flip7 check`: verify records, and name the first line that is wrong."""

from __future__ import annotations

import argparse
import sys

from flip7.commands.files import UnreadableFile, name_of, read
from flip7.commands.streams import complain
from flip7.commands.style import Style, printable
from flip7.game.errors import RecordError
from flip7.game.game import Game


def configure(parser: argparse.ArgumentParser) -> None:
    """Add what `check` takes."""
    parser.description = (
        "Play every record back and check each card, score and total on the way. Prints one line for each record: "
        "'FILE: sound, ...', or 'FILE:LINE: what is wrong there'."
    )
    parser.epilog = (
        "Exit status: 0 if all are sound and, with --promise, proven; 1 if any is not; 2 if a file cannot be read."
    )
    parser.add_argument("files", nargs="+", metavar="FILE", help="a record; '-' reads standard input")
    parser.add_argument(
        "--promise",
        metavar="HASH",
        help="the commitment that was published before the first card: no other will do, and its deck has to be told",
    )
    parser.add_argument("-q", "--quiet", action="store_true", help="print only what is wrong")


def run(args: argparse.Namespace) -> int:
    """Check every file, whatever the others are like."""
    style = Style(sys.stdout)
    status = 0
    for file in args.files:
        try:
            game = Game.from_record(read(file))
        except RecordError as error:
            print(style.bad(f"{name_of(file)}:{error.line}: {printable(error.message)}"))
            status = max(status, 1)
        except UnreadableFile as error:
            complain(f"flip7 check: {error}")
            status = 2
        else:
            wrong = broken_promise(game, args.promise)
            if wrong:
                print(style.bad(f"{name_of(file)}: {wrong}"))
                status = max(status, 1)
            elif not args.quiet:
                print(f"{name_of(file)}: {style.good('sound')}, {describe(game)}")
    return status


def broken_promise(game: Game, promise: str | None) -> str | None:
    """Return what is wrong with the promise of a record that is sound otherwise; `None` if nothing is."""
    if promise is not None:
        promise = promise.strip().lower()
        if promise == game.secret:
            return (
                "not proven: --promise is the hash of the secret, which the lobby shows; "
                "give the commitment, which was shown at the table from the first card on"
            )
        if game.commitment != promise:
            return f"made anew: {f'its commitment is {game.commitment}' if game.commitment else 'it has no commitment'}"
        if game.winner is None and game.live:
            return "not proven: this is the promise, but seed and salt are told at the end of the game"
    if game.winner is not None and game.commitment is not None and game.live:
        return "over, but seed and salt are not told, so the deck is not proven"
    return None


def describe(game: Game) -> str:
    """Return what a sound record says about its game, and whether its deck has been proven."""
    rounds = f"{len(game.rounds)} round{'s' if len(game.rounds) != 1 else ''}"
    result = "unfinished" if game.winner is None else f"{game.players[game.winner]} won"
    return f"{result} after {rounds}; {_deck(game)}"


def _deck(game: Game) -> str:
    if game.commitment is None:
        return "real cards" if game.live else f"deck from seed {game.seed}"
    if game.live:
        return "commitment not revealed yet, so the deck is not proven"
    if game.secret is None:
        return "deck revealed, and it is the one committed to"
    return "deck revealed; players, rules and deck are the ones committed to"
