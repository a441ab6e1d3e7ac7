"""`flip7 replay`: show a recorded game round by round."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator

from flip7.commands import CommandError
from flip7.commands.files import name_of, read
from flip7.commands.parsing import whole
from flip7.commands.style import Style, printable, width
from flip7.game import events as ev
from flip7.game.errors import RecordError
from flip7.game.game import Game
from flip7.game.layout import count, wrapped
from flip7.game.telling import Teller, addressed, scores


def configure(parser: argparse.ArgumentParser) -> None:
    """Add what `replay` takes."""
    parser.description = (
        "Show a recorded game round by round: what every turn brought, how the points add up, and who won. The record "
        "is checked on the way."
    )
    parser.add_argument("file", metavar="FILE", help="the record; '-' reads standard input")
    parser.add_argument("--round", metavar="N", type=whole(1, 10**6), help="show only this round")
    parser.add_argument("--scores", action="store_true", help="show only the table of scores")
    parser.add_argument("--rulings", action="store_true", help="say which ruling decided")


def run(args: argparse.Namespace) -> int:
    """Print the game."""
    try:
        game = Game.from_record(read(args.file))
    except RecordError as error:
        raise CommandError(f"{name_of(args.file)}:{error.line}: {printable(error.message)}") from None
    started = game.position.round
    if args.round is not None and args.round > started:
        raise CommandError(f"round {args.round}: this game has {count(started, 'round')}")
    style = Style(sys.stdout)
    if args.round is None:
        for line in header(game, style):
            print(line)
    if not args.scores:
        for line in rounds(game, style, args.round, rulings=args.rulings):
            print(line)
    if args.round is None or args.scores:
        for line in footer(game, style):
            print(line)
    return 0


def header(game: Game, style: Style) -> Iterator[str]:
    """Who plays, where and when, and with what deck."""
    when = " · ".join(part for part in (game.place, game.date) if part)
    yield from wrapped(style.bold(", ".join(game.players)) + (f" · {when}" if when else ""), style.columns)
    if game.commitment:
        deck = f"committed deck {game.commitment[:12]}…"
    else:
        deck = "real cards" if game.live else f"seed {game.seed}"
    yield from wrapped(f"to {count(game.rules.target, 'point')}, {deck}", style.columns)


def rounds(game: Game, style: Style, only: int | None, *, rulings: bool = False) -> Iterator[str]:
    """Every round, or only one: a line for each turn, then the scores."""
    teller = Teller(game.players, style, rulings=rulings)
    number = 0
    chosen = []
    for event in game.events:
        number = event.round if isinstance(event, ev.RoundStarted) else number
        if only in (None, number):
            chosen.append(event)
    yield from teller.story(chosen)


def footer(game: Game, style: Style) -> Iterator[str]:
    """The scores of all rounds, and the winner."""
    yield ""
    yield from scores(Teller(game.players, style).names, game.rounds, width())
    yield ""
    yield from wrapped(result(game, style), style.columns)


def result(game: Game, style: Style, you: int | None = None) -> str:
    """How the game ended, in one sentence or two."""
    played = count(len(game.rounds), "round")
    if game.winner is None:
        return f"Unfinished, after {played}."
    name = "You" if game.winner == (addressed(game.players) if you is None else you) else game.players[game.winner]
    total = game.seats[game.winner].total
    text = style.warm(f"{name} won with {count(total, 'point')} after {played}.")
    if game.playoffs:
        text += f" {count(game.playoffs, 'playoff round')} decided it."
    if game.challenge is not None:
        text += f" The challenge, fewer than five rounds, was {'met' if game.challenge else 'missed'}."
    return text
