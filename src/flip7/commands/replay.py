"""`flip7 replay`: show a recorded game round by round."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator

from flip7.catalogue import Texts, texts
from flip7.commands import CommandError, screen
from flip7.commands.files import name_of, read
from flip7.commands.parsing import whole
from flip7.commands.style import Style, printable, width
from flip7.game import events as ev
from flip7.game.errors import RecordError
from flip7.game.game import Game
from flip7.game.layout import count, wrapped
from flip7.game.telling import Teller, addressed, scores
from flip7.terminal import settings


def configure(parser: argparse.ArgumentParser) -> None:
    """Add what `replay` takes."""
    parser.description = (
        "Show a recorded game: on a whole screen step by step, with marks and a review, or in lines, what every turn "
        "brought, how the points add up, and who won. The record is checked on the way."
    )
    parser.add_argument("file", metavar="FILE", help="the record; '-' reads standard input")
    parser.add_argument(
        "--round", metavar="N", type=whole(1, 10**6), help="show only this round; on a screen, begin with it"
    )
    parser.add_argument("--scores", action="store_true", help="show only the table of scores")
    parser.add_argument("--rulings", action="store_true", help="say which ruling decided")
    screen.add_plain(parser)


def run(args: argparse.Namespace) -> int:
    """Print the game."""
    game = recorded(args.file)
    started = game.position.round
    if args.round is not None and args.round > started:
        raise CommandError(f"round {args.round}: this game has {count(started, 'round')}")
    if not (args.scores or args.rulings or args.file == "-") and game.events and screen.is_wanted(args, "replay"):
        return run_screen(game, args)
    style, language = Style(sys.stdout), settings.load().spoken
    if args.round is None:
        for line in header(game, style, language):
            print(line)
    if not args.scores:
        for line in rounds(game, style, args.round, rulings=args.rulings, language=language):
            print(line)
    if args.round is None or args.scores:
        for line in footer(game, style, language):
            print(line)
    return 0


def recorded(file: str) -> Game:
    """Return the game of a record, which is checked. Raises `CommandError`."""
    try:
        return Game.from_record(read(file))
    except RecordError as error:
        raise CommandError(f"{name_of(file)}:{error.line}: {printable(error.message)}") from None


def run_screen(game: Game, args: argparse.Namespace) -> int:
    """Show the game on a whole screen."""
    from flip7.terminal.replay.screen import ReplayScreen

    return screen.show(lambda _: ReplayScreen(game, args.round or 1), args)


def header(game: Game, style: Style, language: str) -> Iterator[str]:
    """Who plays, where and when, and with what deck."""
    say = texts(language, "lines")
    when = " · ".join(part for part in (game.place, game.date) if part)
    yield from wrapped(style.bold(", ".join(game.players)) + (f" · {when}" if when else ""), style.columns)
    if game.commitment:
        deck = say("record.committed", hash=game.commitment[:12])
    else:
        deck = say("record.real") if game.live else say("record.seed", n=game.seed)
    yield from wrapped(say("record.to", points=say("n.points", n=game.rules.target), deck=deck), style.columns)


def rounds(game: Game, style: Style, only: int | None, *, rulings: bool, language: str) -> Iterator[str]:
    """Every round, or only one: a line for each turn, then the scores."""
    teller = Teller(game.players, style, rulings=rulings, language=language)
    number = 0
    chosen = []
    for event in game.events:
        number = event.round if isinstance(event, ev.RoundStarted) else number
        if only in (None, number):
            chosen.append(event)
    yield from teller.story(chosen)


def footer(game: Game, style: Style, language: str) -> Iterator[str]:
    """The scores of all rounds, and the winner."""
    yield ""
    yield from scores(Teller(game.players, style, language=language).names, game.rounds, width(), language)
    yield ""
    yield from wrapped(result(game, style, texts(language, "lines")), style.columns)


def result(game: Game, style: Style, say: Texts, you: int | None = None) -> str:
    """How the game ended, in one sentence or two of the chapter `lines`."""
    played = say("n.rounds", n=len(game.rounds))
    if game.winner is None:
        return say("result.unfinished", rounds=played)
    spoken_to = game.winner == (addressed(game.players) if you is None else you)
    key = "result.won.you" if spoken_to else "result.won"
    points = say("n.points", n=game.seats[game.winner].total)
    text = style.warm(say(key, name=game.players[game.winner], points=points, rounds=played))
    if game.playoffs:
        text += f" {say('result.playoffs', n=game.playoffs)}"
    if game.challenge is not None:
        text += f" {say('result.challenge.met' if game.challenge else 'result.challenge.missed')}"
    return text
