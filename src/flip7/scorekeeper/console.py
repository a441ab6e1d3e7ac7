"""Keeping a match with the keyboard: one line for each hand, and short words for every correction."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from flip7.scorekeeper.errors import MatchError
from flip7.scorekeeper.export import describe, length, to_csv
from flip7.scorekeeper.hands import BUST, Entry
from flip7.scorekeeper.match import Match
from flip7.scorekeeper.statistics import Statistics

HELP = """\
a hand      12 7 x2 +4   the cards they ended with
            24           points
            b            busted
            7.           one number card, not 7 points
            -            no card at all
corrections u, r         undo, redo
            edit 3       enter round 3 again
            drop 3       round 3 was none
            name Ana Anna
            add Dan 40   Dan comes late, with 40 points
            leave Ben    Ben goes; 'back Ben' and he is here again
            target 300
            dealer Cho
            choose 1 2   conflict 1: the 2nd value holds
look        s            the score sheet
            save FILE    .json, .csv or .pdf
            q            leave; everything is kept
"""

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

    def __init__(self, match: Match, read: Read, write: Write, save: Callable[[], None]) -> None:
        self._match = match
        self._read = read
        self._write = write
        self._save = save
        self._words = {
            "u": Word(0, 0, lambda _: match.undo()),
            "undo": Word(0, 0, lambda _: match.undo()),
            "r": Word(0, 0, lambda _: match.redo()),
            "redo": Word(0, 0, lambda _: match.redo()),
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
            "save": Word(1, 1, lambda words: self._export(words[0])),
            "?": Word(0, 0, lambda _: self._write(HELP)),
            "help": Word(0, 0, lambda _: self._write(HELP)),
            "q": Word(0, 0, lambda _: self._leave()),
            "quit": Word(0, 0, lambda _: self._leave()),
        }

    def run(self) -> None:
        """Keep the match until the person leaves."""
        self._write("A hand is its cards (12 7 x2), its points (24) or b for busted; ? lists everything else.\n")
        while True:
            self._write(sheet(self._match))
            try:
                self._round()
            except Again:
                continue
            except MatchError as error:
                self._write(f"  {error}")
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
                entry = self._obey(self._read(f"{self._match.players[seat]}: "), False)
                self._match.enter_some({seat: entry})
                self._save()
                return
            except MatchError as error:
                self._write(f"  {error}")

    def _obey(self, line: str, over: bool) -> Entry:
        """The hand that a line means. A word is obeyed instead, and then `Again` is raised."""
        words = line.split()
        if words and (word := self._words.get(words[0].lower())) is not None:
            if not word.least <= len(words) - 1 <= word.most:
                raise MatchError(f"{words[0]!r} takes {word.most} words after it; ? shows how")
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
        entries: dict[int, Entry] = {}
        for seat, before in enumerate(match.entries[number]):
            if before is not None:
                shown = before if isinstance(before, int) else describe(before)
                line = self._read(f"{match.players[seat]} (was {shown}; return keeps it): ")
                entries[seat] = read_hand(line) if line.strip() else before
        match.edit(number, [entries[seat] for seat in sorted(entries)])

    def _add(self, words: Sequence[str]) -> None:
        self._match.add(words[0], self._number(words[1], "score") if len(words) > 1 else 0)

    def _choose(self, words: Sequence[str]) -> None:
        number = self._number(words[0], "conflict")
        if not 1 <= number <= len(self._match.conflicts):
            raise MatchError(f"conflict {number}: there are {len(self._match.conflicts)}")
        self._match.resolve(self._match.conflicts[number - 1], self._number(words[1], "value") - 1)

    def _export(self, file: str) -> None:
        path = Path(file)
        write_to(self._match, path)
        self._write(f"  written: {path}")

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


def write_to(match: Match, path: Path) -> None:
    """Write a match as the file's name says: .json, .csv or .pdf. Raises `MatchError` for others and full disks."""
    try:
        if path.suffix == ".csv":
            path.write_text(to_csv(match), encoding="utf-8")
        elif path.suffix == ".pdf":
            from flip7.scorekeeper.paper import match_sheet

            path.write_bytes(match_sheet(match))
        elif path.suffix == ".json":
            path.write_text(match.to_json(), encoding="utf-8")
        else:
            raise MatchError(f"{path}: the name of the file ends with .json, .csv or .pdf")
    except OSError as error:
        raise MatchError(f"{path}: {error.strerror or error}") from None
    except ModuleNotFoundError as error:
        raise MatchError(f"a PDF needs the package {error.name!r}: pip install 'flip7[sheet]'") from None


def sheet(match: Match) -> str:
    """The score sheet as text: every round, the totals with their ranks, and what is next."""
    columns = [_column(match, seat) for seat in range(len(match.players))]
    labels = ["", *(str(number + 1) for number in range(len(match.rounds))), "total", "rank"]
    if any(value is not None for value in match.open_round):
        labels.insert(-2, f"{len(match.rounds) + 1}…")
    width = max(map(len, labels))
    rows = [f"{label:>{width}}  " + "  ".join(column[i] for column in columns) for i, label in enumerate(labels)]
    lines = ["", *rows, ""]
    lines += [f"  conflict {i}: {conflict.text}" for i, conflict in enumerate(match.conflicts, 1)]
    return "\n".join([*lines, *_news(match)])


def _column(match: Match, seat: int) -> list[str]:
    mark = "*" if seat == match.dealer and match.winner is None else ""
    cells = [f"{mark}{match.players[seat]}"]
    for scores, entries in zip(match.rounds, match.entries, strict=True):
        cells.append("-" if scores[seat] is None else "bust" if entries[seat] == BUST else str(scores[seat]))
    if any(value is not None for value in match.open_round):
        value = match.open_round[seat]
        cells.append("" if value is None else str(value) if isinstance(value, int) else describe(value))
    away = match.winner is None and seat not in match.present
    rank = 1 + sum(match.totals[other] > match.totals[seat] for other in match.present)
    cells += [str(match.totals[seat]), "left" if away else f"{rank}."]
    width = max(map(len, cells))
    return [f"{cell:>{width}}" for cell in cells]


def _news(match: Match) -> list[str]:
    if match.winner is not None:
        return [f"{match.players[match.winner]} wins {length(match)}."]
    news = [f"Round {len(match.rounds) + 1}, {match.players[match.dealer]} deals (*)."]
    if match.playoff:
        news.append("A tie at the top: everybody plays a playoff round (GAME-2).")
    elif match.leader is not None and match.rounds:
        to_go = max(match.target - match.totals[match.leader], 0)
        news.append(f"{match.players[match.leader]} leads and is {to_go} short of {match.target}.")
    return [" ".join(news)]


def statistics_text(found: Statistics) -> str:
    """Statistics as a table, the most wins first."""
    lines = [f"{'':<16} matches  wins  points/round  busts  best round  best total"]
    players = sorted(found.players.values(), key=lambda player: (-player.wins, -player.average, player.name))
    lines += [
        f"{one.name[:16]:<16} {one.matches:>7}  {one.wins:>4}  {one.average:>12.1f}  {one.bust_rate:>5.0%}"
        f"  {one.best_round:>10}  {one.best_total:>10}"
        for one in players
    ]
    lines += [
        f"{pair.first} against {pair.second}: {pair.first_ahead} to {pair.second_ahead}"
        for pair in found.pairs.values()
    ]
    return "\n".join(lines)
