"""`flip7 play`: a game in the terminal against the cast of bots."""

from __future__ import annotations

import argparse
import secrets
import sys
from pathlib import Path

from flip7.commands import CommandError, files, rules
from flip7.commands.odds import percent
from flip7.commands.parsing import whole
from flip7.commands.replay import result
from flip7.commands.streams import complain
from flip7.commands.style import Style, printable, width
from flip7.game.events import Event
from flip7.game.game import Game
from flip7.game.layout import count, definitions, ledger, wrapped
from flip7.game.odds import flip_three_bust
from flip7.game.options import TARGET, Rules
from flip7.game.rulebook import CARD_ENTRIES
from flip7.game.telling import NAMES, Teller, paint, scores
from flip7.game.view import Decision, Option
from flip7.rules.cards import Card
from flip7.rules.chance import copies, pile_size
from flip7.rules.table import SEATS
from flip7.strategy.cast import choice_of, company

YOU = 0
WELCOME = (
    "Collect different numbers; each brings its points. A number you already have busts you, and the round brings you "
    "nothing. Seven different numbers end the round and are worth 15 more. The high numbers are the frequent ones: the "
    "deck has twelve 12s, but only one 1. A note such as [NUM-2] names the ruling that decided; 'rules NUM-2' shows "
    "it. Type ? for help."
)
HELP = (
    ("h, hit", "take another card"),
    ("s, stay", "keep your points and leave the round"),
    ("2", "when a card goes to somebody: their number in the list, or their name"),
    ("t, table", "show the table again"),
    ("r, rules", "look something up: 'rules freeze', 'rules F3-3', 'rules bust'"),
    ("q, quit", "leave the game"),
)


class Quit(Exception):
    """The player leaves."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add what `play` takes."""
    parser.description = "Play a game in the terminal. You are asked when it is your turn; '?' gets help."
    parser.add_argument(
        "--players", metavar="N", type=whole(1, SEATS), default=4, help="how many play, you included (default: 4)"
    )
    parser.add_argument(
        "--seed", metavar="N", type=whole(0, (1 << 256) - 1), help="the deck: the same number, the same cards"
    )
    parser.add_argument("--name", default="You", help="your name, as the record has it")
    parser.add_argument(
        "--target", metavar="N", type=whole(1, TARGET), default=200, help="the points that end the game (default: 200)"
    )
    parser.add_argument(
        "--record", metavar="FILE", type=Path, help="keep the game in this file, such as game.flip7, move by move"
    )
    files.add_overwrite(parser)


def run(args: argparse.Namespace) -> int:
    """Play until somebody has won or the player leaves."""
    others = company(args.players - 1)
    names = [args.name, *(other.name for other in others)]
    seed = args.seed if args.seed is not None else secrets.randbelow(1_000_000)
    try:
        game = Game(names, seed=seed, rules=Rules(target=args.target, dealer=args.players - 1))
    except ValueError as error:
        raise CommandError(str(error)) from None
    session = Session(game, args.record)
    if session.record is not None:
        files.check_new(session.record, args.overwrite)
    session.save()
    try:
        session.welcome([f"{other.name} {other.character[0].lower()}{other.character[1:]}" for other in others])
        session.play()
    except (Quit, EOFError, KeyboardInterrupt):
        print("\n")
        session.save()
        print("You have left the game. Goodbye!")
    else:
        session.save()
        session.farewell()
    if session.record is not None:
        kept = printable(str(session.record))
        print(f"The record is in {kept}; 'flip7 replay {kept}' shows it.")
    return 0


class Session:
    """One game with one person at seat 0 and bots at the others."""

    def __init__(self, game: Game, record: Path | None) -> None:
        """`record` is the file that the game is kept in, if any."""
        self.game = game
        self.record = record
        self._style = Style(sys.stdout)
        self._teller = Teller(game.players, self._style, you=YOU, rulings=True)
        self._opponents = company(len(game.players) - 1)

    def save(self) -> None:
        """Write the record, if one is wanted; the game goes on also if that fails."""
        if self.record is None:
            return
        try:
            files.write(self.record, self.game.record(), overwrite=True)
        except CommandError as error:
            complain(f"flip7 play: {error}. The game goes on without its record.")
            self.record = None

    def welcome(self, characters: list[str]) -> None:
        """Say how the game goes and who is there."""
        self._say(WELCOME)
        if characters:
            print()
            more = f" And {count(len(characters) - 5, 'bot')} more." if len(characters) > 5 else ""
            self._say("With you at the table: " + " ".join(characters[:5]) + more)

    def _say(self, text: str, indent: str = "") -> None:
        """Print a paragraph that fits the terminal."""
        print("\n".join(wrapped(text, width(), first=indent)))

    def play(self) -> None:
        """Go on until the game is over."""
        news = self.game.events
        while (ask := self.game.decision) is not None:
            if ask.seat != YOU:
                news += self.game.play(choice_of(self._opponents[ask.seat - 1].id, self.game))
                continue
            self._tell(news)
            self.show()
            news = self.game.play(self._ask(ask))
            self.save()
        self._tell(news)

    def farewell(self) -> None:
        """Show the scores of all rounds and who has won."""
        game = self.game
        print()
        for line in scores(self._teller.names, game.rounds, width()):
            print(line)
        print()
        self._say(result(game, self._style, you=YOU))
        self._say(f"These were the cards of --seed {game.seed}.")

    def _tell(self, news: list[Event]) -> None:
        for line in self._teller.story(news):
            print(line)

    def show(self) -> None:
        """The table as it lies."""
        game, style = self.game, self._style
        asked = game.decision.seat if game.decision else None
        left = sum(game.draw_pile.values())
        print()
        self._say(style.dim(f"{count(left, 'card')} to draw, {game.rules.target} points end the game"), "  ")
        rows = [["", "", "", "now", "total"]]
        for number, seat in enumerate(game.seats):
            cards = " ".join(NAMES[card] for card in seat.cards) or "-"
            status = "" if seat.status == "active" else seat.status
            mark = ">" if number == asked else " "
            rows.append([f"{mark} {self._teller.names[number]}", cards, status, str(seat.points), str(seat.total)])
        for number, line in ledger(rows, right=(3, 4), below=(1, 2), room=style.columns):
            print(style.bold(line) if number == YOU + 1 else style.dim(line) if number == 0 else line)
        print()

    def _ask(self, ask: Decision) -> Option:
        """Ask the player until the answer is one."""
        question = self._hit_or_stay() if ask.kind == "turn" else self._who(ask)
        while True:
            text = input(question).strip()
            word = text.lower()
            if word in ("q", "quit", "exit"):
                raise Quit
            if word in ("t", "table"):
                self.show()
            elif word.split(" ")[0] in ("r", "rules"):
                self._look_up(text.partition(" ")[2])
            else:
                choice = self._turn(word) if ask.kind == "turn" else self._target(ask, word)
                if choice is not None:
                    return choice
                if word in ("?", "help"):
                    print("\n".join(definitions(HELP, width())))
                else:
                    self._say(f"{_answers(ask)}; ? for help", "  ")

    def _hit_or_stay(self) -> str:
        points = count(self.game.seats[YOU].points, "point")
        bad, cards = self._duplicates()
        if not bad:
            risk = "no single card can bust you"
        else:
            what = "would cost you the Second Chance" if Card.SECOND in self.game.seats[YOU].cards else "would bust you"
            risk = f"{bad} of {count(cards, 'card')} {what} ({round(100 * bad / cards)} %)"
        self._say(f"You have {points}; {risk}.", "  ")
        return self._style.bold("Hit or stay? (h/s) ")

    def _duplicates(self) -> tuple[int, int]:
        """How many of the cards that may come next repeat a number of the player, and how many there are in all."""
        line = set(self.game.seats[YOU].line)
        return sum(copies(self.game.table, card.face) for card in line), pile_size(self.game.table)

    def _who(self, ask: Decision) -> str:
        card = ask.card or Card.FREEZE
        self._say(f"{paint(card, self._style)}: {CARD_ENTRIES[card.face].text}", "  ")
        for seat in ask.options:
            if isinstance(seat, int):
                there = self.game.seats[seat]
                has = f"{count(there.points, 'point')} now, total {there.total}"
                if card == Card.FLIP3:
                    has += f"; busts with {percent(flip_three_bust(self.game, seat))}"
                line = f"{self._teller.names[seat]}, {has}"
                print("\n".join(wrapped(line, self._style.columns, first=f"  {seat + 1:>2}  ", rest="      ")))
        return self._style.bold("Who gets it? (number) ")

    @staticmethod
    def _turn(word: str) -> Option | None:
        if word in ("h", "hit"):
            return "hit"
        return "stay" if word in ("s", "stay") else None

    def _target(self, ask: Decision, word: str) -> Option | None:
        """The seat that is meant: by its number as shown, or by a name that fits only one."""
        numbers = {str(seat + 1): seat for seat in ask.options if isinstance(seat, int)}
        if word in numbers:
            return numbers[word]
        fits = [seat for seat in numbers.values() if word and word in self._teller.names[seat].lower()]
        return fits[0] if len(fits) == 1 else None

    def _look_up(self, phrase: str) -> None:
        try:
            rules.run(argparse.Namespace(words=[phrase or "turns"]))
        except CommandError as error:
            self._say(str(error), "  ")


def _answers(ask: Decision) -> str:
    """What may be typed, in a few words."""
    if ask.kind == "turn":
        return "Type h to hit, s to stay"
    numbers = [str(seat + 1) for seat in ask.options if isinstance(seat, int)]
    return f"Type the number of a player: {', '.join(numbers[:-1])} or {numbers[-1]}"
