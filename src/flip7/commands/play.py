"""`flip7 play`: a game in the terminal against the cast of bots."""

from __future__ import annotations

import argparse
import secrets
import sys
from pathlib import Path

from flip7.catalogue import texts
from flip7.commands import CommandError, files, rules, screen
from flip7.commands.odds import percent
from flip7.commands.parsing import whole
from flip7.commands.replay import recorded, result
from flip7.commands.streams import complain
from flip7.commands.style import Style, printable, width
from flip7.game.asking import answers, read_choice, targets
from flip7.game.events import Event, RoundStarted
from flip7.game.game import Game
from flip7.game.layout import definitions, ledger, wrapped
from flip7.game.odds import flip_three_bust
from flip7.game.options import TARGET, Rules
from flip7.game.rulebook import card_entries
from flip7.game.telling import Teller, paint, scores
from flip7.game.view import Choice, Decision
from flip7.rules.cards import Card
from flip7.rules.chance import pile_size, twins
from flip7.rules.table import SEATS
from flip7.strategy.cast import Member, choice_of, company
from flip7.terminal import settings
from flip7.terminal.desk import Desk, bot_of, opponents, over_or_real, unfinished

YOU = 0
HELP = (
    ("h, hit", "help.hit"),
    ("s, stay", "help.stay"),
    ("2", "help.target"),
    ("t, table", "help.table"),
    ("r, rules", "help.rules"),
    ("q, quit", "help.quit"),
)


class Quit(Exception):
    """The player leaves."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add what `play` takes."""
    parser.description = (
        "Play against bots, on a whole screen with single keys; '?' gets help. Every game is kept and can be gone on "
        "with. Where no screen can be shown, or with --plain, the game is written in lines."
    )
    parser.epilog = "Without an option one chooses opponents first, or goes on with a game that was left."
    parser.add_argument("file", nargs="?", metavar="FILE", type=Path, help="a game to go on with, kept in this file")
    parser.add_argument("--players", metavar="N", type=whole(1, SEATS), help="how many play, you included (default: 4)")
    parser.add_argument(
        "--seed", metavar="N", type=whole(0, (1 << 256) - 1), help="the deck: the same number, the same cards"
    )
    parser.add_argument("--name", help="your name, as the record has it")
    parser.add_argument(
        "--target", metavar="N", type=whole(1, TARGET), help="the points that end the game (default: 200)"
    )
    parser.add_argument(
        "--record", metavar="FILE", type=Path, help="keep the game in this file, such as game.flip7, move by move"
    )
    files.add_overwrite(parser)
    screen.add_plain(parser)


def run(args: argparse.Namespace) -> int:
    """Play until a player has won or the player leaves."""
    if args.record is not None:
        files.check_new(args.record, args.overwrite)
    if args.file is not None:
        given = [name for name in ("players", "seed", "name", "target", "record") if getattr(args, name) is not None]
        if given:
            raise CommandError(f"{printable(str(args.file))} has its game already: leave --{given[0]} out")
    desk = _desk(args)
    return run_screen(args, desk) if screen.is_wanted(args, "play") else run_lines(args, desk)


def _desk(args: argparse.Namespace) -> Desk | None:
    """The game that is gone on with, if one is."""
    if args.file is None:
        return None
    game = recorded(str(args.file))
    if why := over_or_real(game, settings.load().spoken):
        raise CommandError(f"{printable(str(args.file))}: {why}")
    desk = Desk(game, args.file)
    if not desk.hold():
        raise CommandError(f"{printable(str(args.file))}: {texts(settings.load().spoken, 'lines')('play.held')}")
    return desk


def run_screen(args: argparse.Namespace, desk: Desk | None) -> int:
    """Play on a whole screen."""
    from flip7.terminal.screens.start import StartScreen

    if _has_options(args):
        desk = _dealt(args, settings.Settings(name=settings.load().called))
    return screen.show(lambda _: StartScreen(desk), args)


def _has_options(args: argparse.Namespace) -> bool:
    """Whether the game is described, so that nothing needs to be asked."""
    return any(given is not None for given in (args.players, args.seed, args.name, args.target, args.record))


def _dealt(args: argparse.Namespace, usual: settings.Settings) -> Desk:
    """A new game as the options say, and where they say nothing as usual."""
    players = args.players or len(usual.opponents) + 1
    try:
        return Desk.new(
            args.name or usual.called or "You",
            opponents(usual.opponents, players - 1),
            target=args.target or usual.target,
            seed=args.seed,
            path=args.record,
        )
    except ValueError as error:
        raise CommandError(str(error)) from None


def _left() -> Desk | None:
    """The game that was left last, if there is one and it is wanted."""
    path, game = next(unfinished(), (None, None))
    if path is None or game is None or over_or_real(game):
        return None
    say = texts(settings.load().spoken, "lines")
    names = ", ".join(printable(name) for name in game.players)
    print("\n".join(wrapped(say("play.left", n=game.position.round, names=names, target=game.rules.target), width())))
    answer = input(f"{say('play.left.ask')} ").strip().lower()
    desk = Desk(game, path)
    return desk if answer in ("", say("play.left.yes"), "y", "yes") and desk.hold() else None


def run_lines(args: argparse.Namespace, desk: Desk | None) -> int:
    """Play line by line."""
    begins = desk is None
    if begins and sys.stdin.isatty():  # a person sits here: as on the screen, with their settings, and kept
        try:
            desk = None if _has_options(args) else _left()
        except (EOFError, KeyboardInterrupt):
            print()
            return 0
        begins = desk is None
        if desk is None:
            desk = _dealt(
                args, settings.Settings(name=settings.load().called) if _has_options(args) else settings.load()
            )
            desk.hold()
    players = args.players or 4
    if desk is not None:
        game, record = desk.game, desk.path
    else:
        names = [args.name or "You", *(other.name for other in company(players - 1))]
        seed = args.seed if args.seed is not None else secrets.randbelow(1_000_000)
        try:
            game = Game(names, seed=seed, rules=Rules(target=args.target or 200, dealer=players - 1))
        except ValueError as error:
            raise CommandError(str(error)) from None
        record = args.record
    session = Session(game, record)
    session.save()
    say = session.say
    try:
        if begins:
            session.welcome()
        session.play()
    except (Quit, EOFError, KeyboardInterrupt):
        print("\n")
        session.save()
        print(say("play.goodbye"))
    else:
        session.save()
        session.farewell()
    if session.record is not None:
        kept = printable(str(session.record))
        print(say("play.record", file=kept))
    return 0


class Session:
    """One game with one person at seat 0 and bots at the others."""

    def __init__(self, game: Game, record: Path | None) -> None:
        """`record` is the file that the game is kept in, if any."""
        self.game = game
        self.record = record
        self._style = Style(sys.stdout)
        self._language = settings.load().spoken
        self.say = texts(self._language, "lines")
        self._teller = Teller(game.players, self._style, you=YOU, rulings=True, language=self._language)
        self._opponents = [bot_of(name) for name in game.players[1:]]

    def save(self) -> None:
        """Write the record, if one is wanted; the game goes on also if that fails."""
        if self.record is None:
            return
        try:
            files.write(self.record, self.game.record(), overwrite=True)
        except CommandError as error:
            complain(f"flip7 play: {self.say('play.unkept', why=error)}")
            self.record = None

    def welcome(self) -> None:
        """Say how the game goes and who is there."""
        self._say(self.say("play.welcome"))
        if self._opponents:
            print()
            told = [self._character(bot) for bot in self._opponents[:5]]
            hidden = len(self._opponents) - len(told)
            if hidden:
                told.append(self.say("play.company.more", bots=self.say("n.bots", n=hidden)))
            self._say(" ".join([self.say("play.company"), *told]))

    def _character(self, bot: Member) -> str:
        about = texts(self._language)(f"bot.{bot.id}")
        return f"{bot.name} {about[0].lower()}{about[1:]}"

    def _say(self, text: str, indent: str = "") -> None:
        """Print a paragraph that fits the terminal."""
        print("\n".join(wrapped(text, width(), first=indent)))

    def play(self) -> None:
        """Go on until the game is over; of one that was left, the round that is on is told first."""
        news = self.game.events
        begun = max((place for place, event in enumerate(news) if isinstance(event, RoundStarted)), default=0)
        news = news[begun:]
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
        for line in scores(self._teller.names, game.rounds, width(), self._language):
            print(line)
        print()
        self._say(result(game, self._style, self.say, you=YOU))
        self._say(self.say("result.seed", n=game.seed))

    def _tell(self, news: list[Event]) -> None:
        for line in self._teller.story(news):
            print(line)

    def show(self) -> None:
        """The table as it lies."""
        game, style = self.game, self._style
        asked = game.decision.seat if game.decision else None
        left = sum(game.draw_pile.values())
        print()
        say = self.say
        self._say(style.dim(say("play.table", cards=say("n.cards", n=left), n=game.rules.target)), "  ")
        rows = [["", "", "", say("head.now"), say("head.total")]]
        for number, seat in enumerate(game.seats):
            cards = " ".join(self._teller.cards[card] for card in seat.cards) or "-"
            status = "" if seat.status == "active" else say(f"tell.status.{seat.status}")
            mark = ">" if number == asked else " "
            rows.append([f"{mark} {self._teller.names[number]}", cards, status, str(seat.points), str(seat.total)])
        for number, line in ledger(rows, right=(3, 4), below=(1, 2), room=style.columns):
            print(style.bold(line) if number == YOU + 1 else style.dim(line) if number == 0 else line)
        print()

    def _ask(self, ask: Decision) -> Choice:
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
                choice = read_choice(word, ask, self._teller.names)
                if choice is not None:
                    return choice if isinstance(choice, int) else "hit" if choice == "hit" else "stay"
                if word in ("?", "help"):
                    print("\n".join(definitions([(key, self.say(text)) for key, text in HELP], width())))
                else:
                    self._say(answers(ask, self.say), "  ")

    def _hit_or_stay(self) -> str:
        say, there = self.say, self.game.seats[YOU]
        bad, cards = self._duplicates()
        risk = say("play.risk.none")
        if bad:
            kind = "second" if Card.SECOND in there.cards else "bust"
            risk = say(f"play.risk.{kind}", bad=bad, cards=say("n.cards", n=cards), n=round(100 * bad / cards))
        self._say(say("play.risk", points=say("n.points", n=there.points), risk=risk), "  ")
        return self._style.bold(f"{say('play.turn')} ")

    def _duplicates(self) -> tuple[int, int]:
        """How many of the cards that may come next repeat a number of the player, and how many there are in all."""
        return twins(self.game.table, YOU), pile_size(self.game.table)

    def _who(self, ask: Decision) -> str:
        card, say = ask.card or Card.FREEZE, self.say
        entry = card_entries(self._language)[card.face]
        self._say(f"{paint(card, self._style, entry.name)}: {entry.text}", "  ")
        for seat in targets(ask):
            there = self.game.seats[seat]
            points = say("n.points", n=there.points)
            line = say("play.target", name=self._teller.names[seat], points=points, total=there.total)
            if card == Card.FLIP3:
                line += f"; {say('play.target.bust', n=percent(flip_three_bust(self.game, seat)))}"
            print("\n".join(wrapped(line, self._style.columns, first=f"  {seat + 1:>2}  ", rest="      ")))
        return self._style.bold(f"{say('play.who')} ")

    def _look_up(self, phrase: str) -> None:
        try:
            rules.run(argparse.Namespace(words=[phrase or "turns"]))
        except CommandError as error:
            self._say(str(error), "  ")
