"""Keeping a match with the keyboard: one line for each hand, and short words for every correction."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from flip7 import extras
from flip7.game import saving
from flip7.game.layout import columns, count, definitions, ledger, shorten, table, wrapped
from flip7.scorekeeper.errors import MatchError
from flip7.scorekeeper.export import describe, outcome, to_csv
from flip7.scorekeeper.hands import BUST, Entry
from flip7.scorekeeper.match import Match
from flip7.scorekeeper.statistics import Statistics

HELP = {
    "a hand": (
        ("12 7 x2 +4", "the cards they ended with"),
        ("24", "points"),
        ("b", "busted"),
        ("7.", "one number card, not 7 points"),
        ("-", "no card at all"),
    ),
    "corrections": (
        ("u, r", "undo, redo"),
        ("edit 3", "enter round 3 again"),
        ("drop 3", "round 3 was none"),
        ("name Ana Anna", "Ana is called Anna"),
        ("add Dan 40", "Dan comes late, with 40 points"),
        ("leave Ben", "Ben goes; 'back Ben' and he is here again"),
        ("target 300", "300 points end the match"),
        ("dealer Cho", "Cho deals the next round"),
        ("choose 1 2", "conflict 1: the 2nd value holds"),
    ),
    "look": (
        ("s", "the score sheet"),
        ("save FILE", "write it: .json, .csv or .pdf; 'save! FILE' replaces a file"),
        ("q", "leave; everything is kept"),
    ),
}
EDITING = (
    ("12 7 x2, 24, b", "the hand as it was"),
    ("return", "the hand is right already"),
    ("u", "back to the hand before"),
    ("q", "leave; the round stays as it was"),
)

Read = Callable[[str], str]
Write = Callable[[str], None]


class Leave(Exception):
    """The person has had enough for now."""


class Again(Exception):
    """Something else than a hand was entered: ask anew."""


class Word(NamedTuple):
    """A command: how many arguments it takes, and what it does with them."""

    least: int
    most: int
    run: Callable[[Sequence[str]], None]


class Console:
    """Asks for hands, obeys words, and saves after every change."""

    def __init__(self, match: Match, read: Read, write: Write, save: Callable[[], None], room: int = 80) -> None:
        """`room` is how many columns a line may have."""
        self._room = room
        self._match = match
        self._read = read
        self._write = write
        self._save = save
        self._words = {
            "u": Word(0, 0, lambda _: self._tell("took back", match.undo())),
            "undo": Word(0, 0, lambda _: self._tell("took back", match.undo())),
            "r": Word(0, 0, lambda _: self._tell("brought back", match.redo())),
            "redo": Word(0, 0, lambda _: self._tell("brought back", match.redo())),
            "edit": Word(1, 1, lambda words: self._edit(words[0])),
            "drop": Word(1, 1, lambda words: match.remove(self._number(words[0], "round") - 1)),
            "name": Word(2, 2, lambda words: match.rename(self._seat(words[0]), words[1])),
            "add": Word(1, 2, self._add),
            "leave": Word(1, 1, lambda words: match.retire(self._seat(words[0]))),
            "back": Word(1, 1, lambda words: match.rejoin(self._seat(words[0]))),
            "target": Word(1, 1, lambda words: match.change_target(self._number(words[0], "target"))),
            "dealer": Word(1, 1, lambda words: match.change_dealer(self._seat(words[0]))),
            "choose": Word(2, 2, self._choose),
            "s": Word(0, 0, lambda _: None),
            "save": Word(1, 1, lambda words: self._export(words[0], overwrite=False)),
            "save!": Word(1, 1, lambda words: self._export(words[0], overwrite=True)),
            "?": Word(0, 0, lambda _: self._help()),
            "help": Word(0, 0, lambda _: self._help()),
            "q": Word(0, 0, lambda _: self._leave()),
            "quit": Word(0, 0, lambda _: self._leave()),
        }

    def run(self) -> None:
        """Keep the match until the person leaves."""
        self._say("A hand is its cards (12 7 x2), its points (24) or b for busted; ? lists everything else.")
        while True:
            self._write(sheet(self._match, self._room))
            try:
                self._round()
            except Again:
                continue
            except MatchError as error:
                self._say(str(error), "  ")
            except Leave:
                return

    def _round(self) -> None:
        """One round, or one word."""
        match = self._match
        if match.winner is not None:
            self._obey(self._read("(? for help) "), True)
            raise Again
        for seat in match.present:
            if match.open_round[seat] is None:
                self._hand(seat)

    def _hand(self, seat: int) -> None:
        """Ask for a hand until there is one that the round can have."""
        while True:
            try:
                entry = self._obey(self._read(f"{shorten(self._match.players[seat])}: "), False)
                self._match.enter_some({seat: entry})
                self._save()
                return
            except MatchError as error:
                self._say(str(error), "  ")

    def _obey(self, line: str, over: bool) -> Entry:
        """The hand that a line means. A word is obeyed instead, and then `Again` is raised."""
        words = line.split()
        if words and (word := self._words.get(words[0].lower())) is not None:
            if not word.least <= len(words) - 1 <= word.most:
                raise MatchError(f"{words[0]!r} takes {count(word.most, 'word')} after it; ? shows how")
            word.run(words[1:])
            self._save()
            raise Again
        if over:
            raise MatchError("the match is over: u takes the last entry back, ? lists everything")
        return read_hand(line)

    def _edit(self, word: str) -> None:
        match = self._match
        number = self._number(word, "round") - 1
        if not 0 <= number < len(match.rounds):
            raise MatchError(f"round {word}: there are {len(match.rounds)} rounds")
        seats = [seat for seat, before in enumerate(match.entries[number]) if before is not None]
        typed: list[Entry] = []
        self._say(f"Round {number + 1}: return keeps a hand, u goes back, ? tells more.", "  ")
        while len(typed) < len(seats):
            seat = seats[len(typed)]
            before = match.entries[number][seat]
            shown = before if isinstance(before, int) else describe(before)
            line = self._read(f"{shorten(match.players[seat])} (was {shown}): ").strip()
            if line.lower() in ("q", "quit"):
                self._leave()
            elif line.lower() in ("?", "help"):
                self._write("\n".join(definitions(EDITING, self._room)))
            elif line.lower() in ("u", "undo"):
                if not typed:
                    self._say(f"round {number + 1} stays as it was", "  ")
                    return
                typed.pop()
            else:
                try:
                    hand = read_hand(line) if line or before is None else before
                    check_together([match.players[seat] for seat in seats], match.decks, [*typed, hand])
                    typed.append(hand)
                except MatchError as error:
                    self._say(str(error), "  ")
        match.edit(number, typed)

    def _say(self, text: str, indent: str = "") -> None:
        """Write a paragraph that fits."""
        self._write("\n".join(wrapped(text, self._room, first=indent)))

    def _help(self) -> None:
        for title, words in HELP.items():
            self._write("\n".join([title, *definitions(words, self._room), ""]))

    def _add(self, words: Sequence[str]) -> None:
        self._match.add(words[0], self._number(words[1], "score") if len(words) > 1 else 0)

    def _choose(self, words: Sequence[str]) -> None:
        number = self._number(words[0], "conflict")
        if not 1 <= number <= len(self._match.conflicts):
            raise MatchError(f"conflict {number}: there are {len(self._match.conflicts)}")
        self._match.resolve(self._match.conflicts[number - 1], self._number(words[1], "value") - 1)

    def _export(self, file: str, *, overwrite: bool) -> None:
        path = Path(file)
        write_to(self._match, path, overwrite=overwrite)
        self._write(f"  written: {path}")

    def _tell(self, what: str, told: str) -> None:
        self._write(f"  {what}: {told}")

    def _leave(self) -> None:
        raise Leave

    def _number(self, word: str, what: str) -> int:
        if not word.isascii() or not word.isdecimal() or len(word) > 9:
            raise MatchError(f"{what} {word!r}: a whole number is needed")
        return int(word)

    def _seat(self, word: str) -> int:
        """The seat of a name, or of its beginning if that is enough; a number counts seats from 1."""
        names = [name.casefold() for name in self._match.players]
        if word.casefold() in names:
            return names.index(word.casefold())
        near = [seat for seat, name in enumerate(names) if name.startswith(word.casefold())]
        if len(near) == 1:
            return near[0]
        if word.isdecimal() and 1 <= int(word) <= len(names):
            return int(word) - 1
        raise MatchError(f"{word!r} is nobody here: {', '.join(self._match.players)}")


def read_hand(line: str) -> Entry:
    """A hand as people type it: `12 7 x2`, `24`, `b`; a dot makes a card of a single number."""
    words = line.replace(",", " ").replace("×", "x").lower().split()
    if words in (["b"], [BUST], ["busted"]):
        return BUST
    if not words:
        raise MatchError("an empty line: type the cards (12 7 x2), the points (24), or b for busted")
    if words == ["-"]:
        return []
    if len(words) == 1:
        word = words[0]
        digits = word.removeprefix("-")
        if digits.isascii() and digits.isdecimal() and len(digits) < 10:
            return int(word)
        return [word.removesuffix(".")]
    return [word.removesuffix(".") for word in words]


def check_together(players: Sequence[str], decks: int, hands: Sequence[Entry]) -> None:
    """Raise `MatchError` unless the first players of a round can have these hands together."""
    trial = Match(players, decks=decks)
    for seat, hand in enumerate(hands):
        trial.enter_some({seat: hand})


def write_to(match: Match, path: Path, *, overwrite: bool) -> None:
    """Write a match as the file's name says: .json, .csv or .pdf. Raises `MatchError` if that cannot be done."""
    try:
        data: str | bytes
        if path.suffix == ".csv":
            data = to_csv(match)
        elif path.suffix == ".pdf":
            from flip7.scorekeeper.paper import match_sheet

            data = match_sheet(match)
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


def sheet(match: Match, room: int = 10_000) -> str:
    """The score sheet as text: every round, the totals with their ranks, and what is next."""
    cells = [_column(match, seat) for seat in range(len(match.players))]
    labels = ["", *(str(number + 1) for number in range(len(match.rounds))), "total", "rank"]
    if any(value is not None for value in match.open_round):
        labels.insert(-2, f"{len(match.rounds) + 1}…")
    lines = [""]
    for part in _side_by_side(labels, cells, room):
        lines += [*part, ""]
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


def _column(match: Match, seat: int) -> list[str]:
    mark = "*" if seat == match.dealer and match.winner is None else ""
    cells = [f"{mark}{shorten(match.players[seat])}"]
    for scores, entries in zip(match.rounds, match.entries, strict=True):
        cells.append("-" if scores[seat] is None else "bust" if entries[seat] == BUST else str(scores[seat]))
    if any(value is not None for value in match.open_round):
        value = match.open_round[seat]
        cells.append("" if value is None else str(value) if isinstance(value, int) else describe(value))
    away = match.winner is None and seat not in match.present
    rank = 1 + sum(match.totals[other] > match.totals[seat] for other in match.present)
    cells += [str(match.totals[seat]), "left" if away else f"{rank}."]
    return cells


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


def statistics_text(found: Statistics, room: int = 10_000) -> str:
    """Statistics as a table, the most wins first."""
    labels = ("", "matches", "wins", "points/round", "busts", "best round", "best total")
    players = sorted(found.players.values(), key=lambda player: (-player.wins, -player.average, player.name))
    rows = [list(labels)]
    rows += [
        [
            shorten(one.name),
            str(one.matches),
            str(one.wins),
            f"{one.average:.1f}",
            f"{one.bust_rate:.0%}",
            str(one.best_round),
            str(one.best_total),
        ]
        for one in players
    ]
    lines = [line for _, line in ledger(rows, right=range(1, 7), below=range(3, 7), labels=labels, room=room)]
    for pair in found.pairs.values():
        lines += wrapped(f"{pair.first} against {pair.second}: {pair.first_ahead} to {pair.second_ahead}", room)
    return "\n".join(lines)
