"""Keeping a match with the keyboard: one line for each hand, and short words for every correction."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from flip7 import Card, extras
from flip7.catalogue import Texts, texts
from flip7.game import saving
from flip7.game.layout import columns, definitions, ledger, shorten, table, wrapped
from flip7.game.options import as_card
from flip7.scorekeeper.errors import MatchError
from flip7.scorekeeper.export import describe, outcome, to_csv
from flip7.scorekeeper.hands import BUST, Entry, Value
from flip7.scorekeeper.match import Match
from flip7.scorekeeper.statistics import Statistics

HELP = {
    "hand": (("12 7 x2 +4", "cards"), ("24", "points"), ("b", "bust"), ("7.", "dot"), ("-", "none")),
    "corrections": (
        ("u, r", "undo"),
        ("edit 3", "edit"),
        ("drop 3", "drop"),
        ("name Ana Anna", "name"),
        ("add Dan 40", "add"),
        ("leave Ben", "leave"),
        ("target 300", "target"),
        ("dealer Cho", "dealer"),
        ("choose 1 2", "choose"),
    ),
    "look": (("s", "sheet"), ("save FILE", "save"), ("q", "quit")),
}
"""The words by what they are for; the catalogue has what each does, such as `score.help.cards`."""
EDITING = (("12 7 x2, 24, b", "hand"), ("return", "return"), ("u", "undo"), ("q", "quit"))
BUSTED = ("b", BUST, "busted")
FAREWELLS = ("q", "quit")
ENGLISH = texts("en", "lines")

Read = Callable[[str], str]
Write = Callable[[str], None]


class Leave(Exception):
    """The person has had enough for now."""


class Again(Exception):
    """Something else than a hand was entered: ask again."""


class Word(NamedTuple):
    """A command: how many arguments it takes, and what it does with them."""

    least: int
    most: int
    run: Callable[[Sequence[str]], None]


class Console:
    """Asks for hands, handles words, and saves after every change."""

    def __init__(
        self,
        match: Match,
        read: Read,
        write: Write,
        save: Callable[[], None],
        room: int = 80,
        say: Texts = ENGLISH,
    ) -> None:
        """`room` is how many columns a line may have, `say` the chapter `lines` of a language."""
        self.say = say
        self._room = room
        self._match = match
        self._read = read
        self._write = write
        self._save = save
        self._words = {
            "u": Word(0, 0, lambda _: self.tell("back", match.undo())),
            "undo": Word(0, 0, lambda _: self.tell("back", match.undo())),
            "r": Word(0, 0, lambda _: self.tell("again", match.redo())),
            "redo": Word(0, 0, lambda _: self.tell("again", match.redo())),
            "edit": Word(1, 1, lambda words: self.edit(words[0])),
            "drop": Word(1, 1, lambda words: match.remove(self.number(words[0], "round") - 1)),
            "name": Word(2, 2, lambda words: match.rename(self.seat(words[0]), words[1])),
            "add": Word(1, 2, self._add),
            "leave": Word(1, 1, lambda words: match.retire(self.seat(words[0]))),
            "back": Word(1, 1, lambda words: match.rejoin(self.seat(words[0]))),
            "target": Word(1, 1, lambda words: match.change_target(self.number(words[0], "target"))),
            "dealer": Word(1, 1, lambda words: match.change_dealer(self.seat(words[0]))),
            "choose": Word(2, 2, self._choose),
            "s": Word(0, 0, lambda _: None),
            "save": Word(1, 1, lambda words: self._export(words[0], overwrite=False)),
            "save!": Word(1, 1, lambda words: self._export(words[0], overwrite=True)),
            "?": Word(0, 0, lambda _: self.help()),
            "help": Word(0, 0, lambda _: self.help()),
            "q": Word(0, 0, lambda _: self.leave()),
            "quit": Word(0, 0, lambda _: self.leave()),
        }

    def run(self) -> None:
        """Keep the match until the person leaves."""
        self._say(self.say("score.hint"))
        while True:
            self._write(self.sheet())
            try:
                self._round()
            except Again:
                continue
            except MatchError as error:
                self._say(self.explain(error), "  ")
            except Leave:
                return

    def _round(self) -> None:
        """One round, or one word."""
        match = self._match
        if match.winner is not None:
            self.handle(self._read(f"{self.say('score.help')} "), True)
            raise Again
        for seat in match.present:
            if match.open_round[seat] is None:
                self._hand(seat)

    def _hand(self, seat: int) -> None:
        """Ask for a hand until there is one that the round can have."""
        while True:
            try:
                entry = self.handle(self._read(f"{shorten(self._match.players[seat])}: "), False)
                self._match.enter_some({seat: entry})
                self._save()
                return
            except MatchError as error:
                self._say(self.explain(error), "  ")

    def handle(self, line: str, over: bool) -> Entry:
        """The hand that a line means. A word is handled instead, and then `Again` is raised."""
        words = line.split()
        if words and (word := self._words.get(words[0].lower())) is not None:
            if not word.least <= len(words) - 1 <= word.most:
                raise MatchError(self.say("score.words", word=repr(words[0]), n=word.most))
            word.run(words[1:])
            self._save()
            raise Again
        if over:
            raise MatchError(self.say("score.over"))
        return read_hand(line, self.say)

    def edit(self, word: str) -> None:
        """Ask for the hands of a finished round again."""
        editing = self.editing_of(word)
        number = editing.number + 1
        self._say(self.say("score.edit", n=number), "  ")
        while not editing.over:
            name = shorten(self._match.players[editing.seat])
            line = self._read(f"{self.say('score.edit.was', name=name, before=editing.before)}: ").strip()
            if line.lower() in FAREWELLS:
                self.leave()
            elif line.lower() in ("?", "help"):
                told = [(key, self.say(f"score.editing.{text}")) for key, text in EDITING]
                self._write("\n".join(definitions(told, self._room)))
            else:
                try:
                    editing.take(line)
                except MatchError as error:
                    self._say(self.explain(error), "  ")
        if editing.given_up:
            self._say(self.say("score.edit.kept", n=number), "  ")

    def editing_of(self, word: str) -> Editing:
        """Begin to correct the round that a word means. Raises `MatchError` if there is none."""
        number = self.number(word, "round") - 1
        if not 0 <= number < len(self._match.rounds):
            raise MatchError(self.say("score.noround", round=word, n=len(self._match.rounds)))
        return Editing(self._match, number, self.say)

    def sheet(self) -> str:
        """Return the score sheet."""
        return sheet(self._match, self._room)

    def explain(self, error: MatchError) -> str:
        """Return why something was refused."""
        return str(error)

    def _say(self, text: str, indent: str = "") -> None:
        """Write a paragraph that fits."""
        self._write("\n".join(wrapped(text, self._room, first=indent)))

    def help(self) -> None:
        """Write down all words."""
        self._write("\n".join(help_lines(self._room, self.say)))

    def _add(self, words: Sequence[str]) -> None:
        self._match.add(words[0], self.number(words[1], "score") if len(words) > 1 else 0)

    def _choose(self, words: Sequence[str]) -> None:
        number = self.number(words[0], "conflict")
        if not 1 <= number <= len(self._match.conflicts):
            raise MatchError(self.say("score.noconflict", n=number, of=len(self._match.conflicts)))
        self._match.resolve(self._match.conflicts[number - 1], self.number(words[1], "value") - 1)

    def _export(self, file: str, *, overwrite: bool) -> None:
        path = Path(file)
        write_to(self._match, path, overwrite=overwrite, language=self.say.language)
        self._write(f"  {self.say('score.written', file=path)}")

    def tell(self, way: str, told: str) -> None:
        """Say what was taken `back`, or brought back `again`."""
        self._write(f"  {self.say(f'score.{way}', what=told)}")

    def leave(self) -> None:
        """Have enough for now."""
        raise Leave

    def number(self, word: str, what: str) -> int:
        """Return the number that a word is. Raises `MatchError` for others."""
        if not word.isascii() or not word.isdecimal() or len(word) > 9:
            raise MatchError(self.say("score.number", what=self.say(f"score.what.{what}"), word=repr(word)))
        return int(word)

    def seat(self, word: str) -> int:
        """Return the seat of a name, or of its beginning if that is enough; a number counts seats from 1."""
        names = [name.casefold() for name in self._match.players]
        if word.casefold() in names:
            return names.index(word.casefold())
        near = [seat for seat, name in enumerate(names) if name.startswith(word.casefold())]
        if len(near) == 1:
            return near[0]
        if word.isdecimal() and 1 <= int(word) <= len(names):
            return int(word) - 1
        raise MatchError(self.say("score.nobody", word=repr(word), names=", ".join(self._match.players)))


class Editing:
    """A finished round that is entered again, hand by hand; the match changes with the last of them."""

    def __init__(self, match: Match, number: int, say: Texts = ENGLISH) -> None:
        """`number` counts rounds from 0."""
        self.number = number
        self.over = False
        self.given_up = False
        """Whether it is over because the player went back before the first hand."""
        self._match = match
        self._say = say
        self._seats = [seat for seat, before in enumerate(match.entries[number]) if before is not None]
        self._typed: list[Entry] = []

    @property
    def seat(self) -> int:
        """Whose hand is asked for."""
        return self._seats[len(self._typed)]

    @property
    def before(self) -> str:
        """What that hand was, as it is typed."""
        value = self._match.entries[self.number][self.seat]
        return str(value) if isinstance(value, int) else describe(value)

    def check(self, hand: Entry) -> None:
        """Raise `MatchError` unless the hand can be, beside those that were typed."""
        check_together([self._match.players[seat] for seat in self._seats], self._match.decks, [*self._typed, hand])

    def take(self, line: str) -> None:
        """Take a hand, nothing for one that is right, or a word to go back. Raises `MatchError`."""
        if line.lower() in ("u", "undo"):
            if self._typed:
                self._typed.pop()
            else:
                self.over = self.given_up = True
            return
        before = self._match.entries[self.number][self.seat]
        hand: Entry = read_hand(line, self._say) if line or before is None else before
        self.check(hand)
        self._typed.append(hand)
        if len(self._typed) == len(self._seats):
            self.over = True
            self._match.edit(self.number, self._typed)


def help_lines(room: int, say: Texts) -> list[str]:
    """Return all words with what they do."""
    lines = []
    for title, words in HELP.items():
        told = [(key, say(f"score.help.{text}")) for key, text in words]
        lines += [say(f"score.help.{title}"), *definitions(told, room), ""]
    return lines


def is_hand(word: str) -> bool:
    """Return whether a hand, and nothing else, begins with a word."""
    return word in BUSTED or not word[0].isalpha() or _is_card(word)


def read_hand(line: str, say: Texts = ENGLISH) -> Entry:
    """A hand as people type it: `12 7 x2`, `24`, `b`; a dot makes a card of a single number."""
    words = line.replace(",", " ").replace("×", "x").lower().split()
    if len(words) == 1 and words[0] in BUSTED:
        return BUST
    if not words:
        raise MatchError(say("score.empty"))
    if words == ["-"]:
        return []
    digits = words[0].removeprefix("-")
    if len(words) == 1 and digits.isascii() and digits.isdecimal() and len(digits) < 10:
        return int(words[0])
    cards = [word.removesuffix(".") for word in words]
    if say is not ENGLISH:
        for card in cards:
            read_card(card, say)
    return cards


def read_card(word: str, say: Texts = ENGLISH) -> Card:
    """Return the card that was typed. Raises `MatchError` in the language that is spoken."""
    try:
        return as_card(word)
    except ValueError:
        raise MatchError(say("score.nocard", word=repr(word))) from None


def _is_card(word: str) -> bool:
    try:
        as_card(word)
    except ValueError:
        return False
    return True


def check_together(players: Sequence[str], decks: int, hands: Sequence[Entry]) -> None:
    """Raise `MatchError` unless the first players of a round can have these hands together."""
    trial = Match(players, decks=decks)
    for seat, hand in enumerate(hands):
        trial.enter_some({seat: hand})


def write_to(match: Match, path: Path, *, overwrite: bool, language: str = "en") -> None:
    """Write a match as the file's name says: .json, .csv or .pdf. Raises `MatchError` if that cannot be done."""
    try:
        data: str | bytes
        if path.suffix == ".csv":
            data = to_csv(match)
        elif path.suffix == ".pdf":
            from flip7.scorekeeper.paper import match_sheet

            data = match_sheet(match, language=language)
        elif path.suffix == ".json":
            data = match.to_json()
        else:
            raise MatchError(f"{path}: the name of the file ends with .json, .csv or .pdf")
        saving.write(path, data, overwrite=overwrite)
    except FileExistsError:
        raise MatchError(f"{path} exists already: name another, or type 'save! {path}'") from None
    except OSError as error:
        raise MatchError(f"{path}: {error.strerror or error}") from None
    except ModuleNotFoundError as error:
        raise MatchError(extras.missing("a PDF", error.name, "sheet")) from None


class Terms(NamedTuple):
    """What a sheet says beside names and numbers."""

    total: str = "total"
    rank: str = "rank"
    bust: str = "bust"
    left: str = "left"
    none: str = "no cards"


TERMS = Terms()


def sheet(match: Match, room: int = 10_000, terms: Terms = TERMS, below: Sequence[str] | None = None) -> str:
    """The score sheet as text: every round, the totals with their ranks, and below it what is next."""
    cells = [_column(match, seat, terms) for seat in range(len(match.players))]
    labels = ["", *(str(number + 1) for number in range(len(match.rounds))), terms.total, terms.rank]
    if any(value is not None for value in match.open_round):
        labels.insert(-2, f"{len(match.rounds) + 1}…")
    lines = [""]
    for part in _side_by_side(labels, cells, room):
        lines += [*part, ""]
    if below is not None:
        return "\n".join([*lines, *(line for text in below for line in wrapped(text, room))])
    for i, conflict in enumerate(match.conflicts, 1):
        lines += wrapped(f"conflict {i}: {conflict.text}", room, first="  ")
    return "\n".join([*lines, *wrapped(_news(match), room)])


def _side_by_side(labels: list[str], cells: list[list[str]], room: int) -> Iterator[list[str]]:
    """The columns of all players after those of the labels, in as many parts as the room asks for."""
    start = max(map(columns, labels))
    widths = [max(map(columns, column)) for column in cells]
    first = 0
    while first < len(cells):
        last, used = first + 1, start + 2 + widths[first]
        while last < len(cells) and used + 2 + widths[last] <= room:
            used += 2 + widths[last]
            last += 1
        rows = [[label, *(column[i] for column in cells[first:last])] for i, label in enumerate(labels)]
        yield list(table(rows, right=range(last - first + 1)))
        first = last


def _column(match: Match, seat: int, terms: Terms) -> list[str]:
    mark = "*" if seat == match.dealer and match.winner is None else ""
    cells = [f"{mark}{shorten(match.players[seat])}"]
    for scores, entries in zip(match.rounds, match.entries, strict=True):
        cells.append("-" if scores[seat] is None else terms.bust if entries[seat] == BUST else str(scores[seat]))
    if any(value is not None for value in match.open_round):
        value = match.open_round[seat]
        cells.append("" if value is None else _told(value, terms))
    away = match.winner is None and seat not in match.present
    rank = 1 + sum(match.totals[other] > match.totals[seat] for other in match.present)
    cells += [str(match.totals[seat]), terms.left if away else f"{rank}."]
    return cells


def _told(value: Value, terms: Terms) -> str:
    if isinstance(value, int):
        return str(value)
    return terms.bust if value == BUST else terms.none if not value else describe(value)


def _news(match: Match) -> str:
    if told := outcome(match):
        return told
    news = [f"Round {len(match.rounds) + 1}, {match.players[match.dealer]} deals (*)."]
    if match.playoff:
        news.append("A tie at the top: everybody plays a playoff round (GAME-2).")
    elif match.leader is not None and match.rounds:
        to_go = max(match.target - match.totals[match.leader], 0)
        news.append(f"{match.players[match.leader]} leads and is {to_go} short of {match.target}.")
    return " ".join(news)


LABELS = ("matches", "wins", "points/round", "busts", "best round", "best total")


def statistics_text(
    found: Statistics, room: int = 10_000, columns: Sequence[str] = LABELS, language: str = "en"
) -> str:
    """Statistics as a table, the most wins first; `columns` is what its columns are called in the language."""
    spoken = language != "en"
    labels = ("", *columns)
    players = sorted(found.players.values(), key=lambda player: (-player.wins, -player.average, player.name))
    rows = [list(labels)]
    rows += [
        [
            shorten(one.name),
            str(one.matches),
            str(one.wins),
            f"{one.average:.1f}".replace(".", "," if spoken else "."),
            f"{one.bust_rate:.0%}".replace("%", "\N{NO-BREAK SPACE}%" if spoken else "%"),
            str(one.best_round),
            str(one.best_total),
        ]
        for one in players
    ]
    lines = [line for _, line in ledger(rows, right=range(1, 7), below=range(3, 7), labels=labels, room=room)]
    for pair in found.pairs.values():
        told = f"{pair.first} against {pair.second}: {pair.first_ahead} to {pair.second_ahead}"
        if spoken:
            ahead = {"n": pair.first_ahead, "m": pair.second_ahead}
            told = texts(language, "score")("stats.pair", a=pair.first, b=pair.second, **ahead)
        lines += wrapped(told, room)
    return "\n".join(lines)
