"""`flip7 advise`: what every choice of a position is worth, in chances to win."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator

import msgspec

from flip7.commands import CommandError
from flip7.commands.odds import percent
from flip7.commands.parsing import whole
from flip7.commands.sim import precision as read_precision
from flip7.commands.style import Style, printable
from flip7.commands.waiting import thinking
from flip7.game.errors import NotationError
from flip7.game.layout import count, ledger, wrapped
from flip7.game.position import Position
from flip7.game.telling import NAMES
from flip7.strategy.advice import Advice, Advised, advise


def configure(parser: argparse.ArgumentParser) -> None:
    """Add what `advise` takes."""
    parser.description = (
        "What a player should do: every choice with the chance to win the game that it leaves, when everybody plays "
        "well from then on, and the points of this round. It comes from games that are played on from the position."
    )
    parser.epilog = "Positions are written as for 'flip7 odds', and end in turn@SEAT or target@SEAT:CARD."
    parser.add_argument("position", nargs="+", metavar="POSITION", help="the table, in one line")
    parser.add_argument(
        "--precision",
        metavar="P",
        type=read_precision,
        default=0.01,
        help="stop when every chance is known to plus or minus P, with 95 %% confidence; default: 0.01",
    )
    parser.add_argument("--seed", metavar="N", type=whole(0, 2**62), help="the same seed gives the same advice")
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(args: argparse.Namespace) -> int:
    """Print the advice."""
    try:
        position = Position(" ".join(args.position))
        with thinking(quiet=args.json) as progress:
            found = advise(position, seed=args.seed, precision=args.precision, progress=progress)
    except NotationError as error:
        raise CommandError(printable(str(error))) from None
    except ValueError as error:
        raise CommandError(str(error)) from None
    if args.json:
        print(msgspec.json.encode(found).decode())
        return 0
    for line in tell(position, found, Style(sys.stdout), args.precision):
        print(line)
    return 0


def tell(position: Position, found: Advice, style: Style, precision: float) -> Iterator[str]:
    """Yield the advice in words and in a table; `precision` is the one that was asked for."""
    seat = position.seats[found.seat]
    hand = " ".join(NAMES[card] for card in seat.cards) or "no cards"
    yield from wrapped(
        f"{style.bold(f'Seat {found.seat}')}: {hand}, {count(seat.points, 'point')}, {seat.total} before this round.",
        style.columns,
    )
    yield ""
    best = sorted(found.choices, key=lambda advised: (advised.choice != found.best, -advised.win))
    rows = [["", "win", "95 % interval", "points"], *(_row(position, advised) for advised in best)]
    for number, line in ledger(rows, room=style.columns, right=(1, 2, 3), below=(2,), labels=("", "", "interval", "")):
        yield style.good(line) if number == 1 else line
    yield ""
    yield from wrapped(_sentence(position, found), style.columns)
    if len(found.seats) > 1:
        chances = ", ".join(f"seat {other} {percent(chance)}" for other, chance in enumerate(found.seats))
        yield from wrapped(f"Chances to win now: {chances}.", style.columns)
    if found.precision > precision:
        few = f"±{100 * found.precision:.3g} % and not ±{100 * precision:.3g} %: more games would take too long."
        yield from wrapped(few, style.columns)
    yield style.dim(f"{count(found.rollouts, 'game')} for each choice, seed {found.seed}")


def _row(position: Position, advised: Advised) -> list[str]:
    return [
        f"  {_word(position, advised.choice)}",
        percent(advised.win),
        f"{100 * advised.low:.1f} – {100 * advised.high:.1f} %",
        f"{advised.points:.1f}",
    ]


def _word(position: Position, choice: object) -> str:
    """Return a choice as people say it."""
    if isinstance(choice, int):
        ask = position.decision
        return "to oneself" if ask is not None and choice == ask.seat else f"to seat {choice}"
    return str(choice)


def _sentence(position: Position, found: Advice) -> str:
    ask = position.decision
    word = _word(position, found.best)
    act = f"Give the {NAMES[ask.card]} {word}" if ask is not None and ask.card is not None else word.capitalize()
    goal = "" if len(found.seats) > 1 else " Chances are of the challenge: the target in fewer than five rounds."
    if found.sure:
        return f"{act}: that is clear.{goal}"
    return f"{act}, but it is close: another choice may be as good.{goal}"
