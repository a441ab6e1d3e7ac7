"""`flip7 odds`: what the next card does to a player, exactly."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from fractions import Fraction

import msgspec

from flip7.commands import CommandError
from flip7.commands.parsing import whole
from flip7.commands.style import Style, printable
from flip7.game.errors import NotationError
from flip7.game.layout import columns, count, ledger, pad, wrapped
from flip7.game.odds import Odds, flip_three_bust, odds
from flip7.game.position import Position
from flip7.game.telling import NAMES
from flip7.rules.cards import FREEZE, TWELVE, Card
from flip7.rules.scoring import FLIP7
from flip7.rules.table import SEATS

BAR = 24
WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")

NOTATION = (
    "A position is a line such as '34:12,9,x2/0s:5,+4/12b:7,3,7 turn@0': for every seat, with / between them, its "
    "total, a letter if it is out of the round (s stayed, f frozen, b busted), a colon and its cards (- for none); "
    "then who is asked. Cards are 0 to 12, +2 to +10, x2, freeze, flip3 and second. What else may follow: round=N, "
    "target=N, and draw= and discard= with 22 counts each, as 'str(game.position)' writes them."
)
"""How a position is written, in short."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add what `odds` takes."""
    parser.description = (
        "What the next card does to a player, by counting the cards that are left: the chance of a bust, of a Flip 7 "
        "and of every card, and what hitting once is worth."
    )
    parser.epilog = NOTATION
    parser.add_argument("position", nargs="+", metavar="POSITION", help="the table, in one line; see below")
    parser.add_argument("--seat", metavar="N", type=whole(0, SEATS - 1), help="for this seat; default: who is asked")
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(args: argparse.Namespace) -> int:
    """Print the odds."""
    try:
        position = Position(" ".join(args.position))
        found = odds(position, args.seat)
    except NotationError as error:
        raise CommandError(printable(str(error))) from None
    except ValueError as error:
        raise CommandError(str(error)) from None
    if args.json:
        three = flip_three_bust(position, found.seat)
        print(
            msgspec.json.encode(
                {**msgspec.structs.asdict(found), "gain": found.gain, "flip_three_bust": three}
            ).decode()
        )
        return 0
    for line in tell(position, found, Style(sys.stdout)):
        print(line)
    return 0


def tell(position: Position, found: Odds, style: Style) -> Iterator[str]:
    """Yield the odds in words, and the chance of every card."""
    seat = position.seats[found.seat]
    hand = " ".join(NAMES[card] for card in seat.cards) or "no cards"
    head = f"{style.bold(f'Seat {found.seat}')}: {hand}, {count(found.points, 'point')}. {_pile(position, found)}"
    yield from wrapped(head, style.columns)
    yield ""
    for _, line in ledger(
        [
            ["  bust", percent(found.bust), bust_in_words(found, Card.SECOND in seat.cards)],
            ["  Flip 7", percent(found.flip7), flip7_in_words(found, len(set(seat.line)))],
            ["  Flip Three", percent(flip_three_bust(position, found.seat)), "that three cards at once bust you."],
            ["  hit once", f"{found.value:.2f}", value_in_words(found)],
        ],
        right=(1,),
        below=(2,),
        room=style.columns,
        heads=0,
    ):
        yield line
    yield ""
    yield from _bars(position, found, style)


def _pile(position: Position, found: Odds) -> str:
    pile = f"{count(found.left, 'card')} {'is' if found.left == 1 else 'are'} left"
    return f"{pile}." if any(position.draw_pile.values()) else f"The deck is empty; {pile} to reshuffle."


def percent(chance: float) -> str:
    """Return a chance as people read it. What is not quite never or always does not look like it."""
    if 0 < chance < 0.0005:
        return "<0.1 %"
    if 0.9995 <= chance < 1:
        return ">99.9 %"
    return f"{100 * chance:.1f} %"


def one_in(chance: float) -> str:
    """Return a chance as a plain fraction: `One card in five`, `About two cards in seven`."""
    if chance >= 1:
        return "Every card"
    near = Fraction(chance).limit_denominator(10)
    if near == 0:
        return f"About one card in {round(1 / chance)}"
    if near == 1:
        return "Nearly every card"
    cards = f"{WORDS[near.numerator]} card{'s' if near.numerator > 1 else ''} in {WORDS[near.denominator]}"
    return cards.capitalize() if abs(near - chance) < 1e-9 else f"About {cards}"


def bust_in_words(found: Odds, saved: bool) -> str:
    """Return what the chance of a bust means."""
    if found.bust == 0:
        return "The Second Chance keeps you from busting." if saved else "No card would bust you."
    return f"{one_in(found.bust)} would bust you."


def flip7_in_words(found: Odds, numbers: int) -> str:
    """Return what the chance of a Flip 7 means."""
    if found.flip7:
        return f"{one_in(found.flip7)} would make a Flip 7."
    missing = FLIP7 - numbers
    return f"{WORDS[missing].capitalize()} more number{'s are' if missing > 1 else ' is'} needed."


def value_in_words(found: Odds) -> str:
    """Return what hitting once is worth against staying."""
    if abs(found.gain) < 0.005:
        return f"on average, as good as the {count(found.points, 'point')} now."
    better = "more" if found.gain > 0 else "less"
    return f"points on average, {abs(found.gain):.2f} {better} than the {found.points} now."


def _bars(position: Position, found: Odds, style: Style) -> Iterator[str]:
    """Yield a bar for every card that can come, what busts marked."""
    seat = position.seats[found.seat]
    line = set(seat.line)
    saved = Card.SECOND in seat.cards
    most = max(found.cards.values())
    noted = len("  uses up the Second Chance" if saved else "  Flip 7")
    name = max(columns(NAMES[card]) for card in found.cards)
    room = max(1, min(BAR, style.columns - name - len("    123  >99.9 %  ") - noted))
    for card, chance in found.cards.items():
        bar = "█" * max(1, round(room * chance / most))
        twin = card in line
        note = ""
        if twin:
            note = "uses up the Second Chance" if saved else "bust"
        elif card.face <= TWELVE and len(line) == FLIP7 - 1:
            note = "Flip 7"
        colour = style.bad if twin and not saved else style.cold if card.face >= FREEZE else style.good
        copies = round(chance * found.left)
        start = f"  {pad(NAMES[card], name)}  {copies:>3}  {percent(chance):>7}  "
        yield f"{start}{colour(bar)}{' ' * (room - len(bar)) + '  ' + note if note else ''}"
