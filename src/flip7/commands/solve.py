"""`flip7 solve`: the best play of one player's round, exactly."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator

import msgspec

from flip7.commands import CommandError, waiting
from flip7.commands.odds import NOTATION, percent
from flip7.commands.parsing import whole
from flip7.commands.simulation import composition
from flip7.commands.streams import complain
from flip7.commands.style import Style, printable
from flip7.game.layout import count, ledger, wrapped
from flip7.game.options import DECKS, Rules
from flip7.game.position import Position
from flip7.game.telling import NAMES
from flip7.rules.table import CHOOSE_TARGET
from flip7.strategy.solver.solve import Problem, Solution, compiled_before


def configure(parser: argparse.ArgumentParser) -> None:
    """Add what `solve` takes."""
    parser.description = (
        "The best play of one player's round and what it is worth, by going through all that can happen. Own action "
        "cards are played on oneself, and others draw nothing. Without a position the round starts with a fresh deck."
    )
    parser.epilog = NOTATION
    parser.add_argument("position", nargs="*", metavar="POSITION", help="the table, in one line; see below")
    parser.add_argument(
        "--composition",
        metavar="DECK",
        type=composition,
        help="numbers, modifiers (and numbers), second (these and Second Chances), standard, or cards: '12:12,11:11'",
    )
    parser.add_argument("--decks", metavar="N", type=whole(1, DECKS), help="how many decks are shuffled together")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("-q", "--quiet", action="store_true", help="no progress and no notes, only the result")


def run(args: argparse.Namespace) -> int:
    """Solve, and print what came of it."""
    if args.position and (args.composition is not None or args.decks is not None):
        raise CommandError("--composition and --decks are for a fresh deck; a position has its own (draw=, discard=)")
    try:
        if not args.quiet and not compiled_before():
            _say("compiling the solver for this machine, once; this takes about 15 seconds ...")
        rules = None if args.position else Rules(composition=args.composition, decks=args.decks)
        position = Position(" ".join(args.position)) if args.position else None
        problem = Problem(rules, position)
    except ImportError as error:
        raise CommandError(str(error)) from None
    except ValueError as error:
        raise CommandError(printable(str(error))) from None
    expected = problem.seconds
    if expected > waiting.SOON and not args.quiet:
        memory = f"{problem.bytes / 1e9:.1f} GB"
        _say(f"solving {problem.states:,} states takes about {expected:.0f} seconds and {memory} of memory ...")
    try:
        with waiting.progress("solving", quiet=args.quiet) as show:
            found = problem.solve(show and (lambda done, total: show(done / total)))
    except ValueError as error:  # what follows a reshuffle is too large
        raise CommandError(str(error)) from None
    if args.json:
        print(msgspec.json.encode(found).decode())
        return 0
    for line in tell(problem, position, found, Style(sys.stdout)):
        print(line)
    return 0


def _say(message: str) -> None:
    complain(f"flip7: {message}")


def tell(problem: Problem, position: Position | None, found: Solution, style: Style) -> Iterator[str]:
    """Yield the solution in words."""
    if position is None:
        cards = sum(problem.hand.draw)
        head = f"{style.bold('A round alone')} from a fresh deck of {count(cards, 'card')}, with the best play"
    else:
        seat = position.seats[problem.table.seat]
        hand = " ".join(NAMES[card] for card in seat.cards) or "no cards"
        name = style.bold(f"Seat {problem.table.seat}")
        head = f"{name}: {hand}, {count(seat.points, 'point')}, with the best play; the others draw nothing"
    yield from wrapped(head, style.columns)
    yield ""
    rows = [["  points", f"{found.value:.4f}", "on average, those in hand included"]]
    if found.hit is not None and found.stay is not None:
        rows.append(["  hit", f"{found.hit:.4f}", "" if found.choice == "stay" else "the best choice"])
        rows.append(["  stay", f"{found.stay:.4f}", "the best choice" if found.choice == "stay" else ""])
    elif problem.table.waiting == CHOOSE_TARGET and found.choice is not None:
        rows[0][2] += ", with the card played on oneself"
    rows.append(["  bust", percent(found.bust), ""])
    rows.append(["  Flip 7", percent(found.flip7), ""])
    for _, line in ledger(rows, right=(1,), below=(2,), room=style.columns, heads=0):
        yield line
    yield ""
    yield style.dim(f"{count(found.states, 'state')}, {found.seconds:.2f} s")
