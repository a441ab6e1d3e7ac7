"""`Keeper`: what is typed into the scorekeeper becomes entries and corrections of a match, and is saved at once."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from flip7.catalogue import texts
from flip7.scorekeeper import storage
from flip7.scorekeeper.console import FAREWELLS, Again, Console, Editing, Leave, is_hand, read_hand
from flip7.scorekeeper.errors import MatchError
from flip7.scorekeeper.match import Match
from flip7.scorekeeper.model.operations import AnyOperation
from flip7.terminal.score.words import done
from flip7.terminal.texts import Words


class Keeper(Console):
    """Obeys the same words as the lines of `flip7 score`, but never waits: it says whom it asks next."""

    def __init__(self, match: Match, path: Path, words: Words, show_help: Callable[[], None]) -> None:
        super().__init__(match, lambda _: "", self._note, self.save, say=texts(words.language, "lines"))
        self.match = match
        self.path = path
        self.told = ""
        """What the last line led to."""
        self.left = False
        self._texts = words
        self._show_help = show_help
        self._editing: Editing | None = None
        self._moved: dict[str, AnyOperation | None] = {}
        """What can be taken back and brought back."""
        self.trouble = ""

    def save(self) -> None:
        """Write the match down; it goes on also if that fails."""
        try:
            storage.save(self.match, self.path)
            self.trouble = ""
        except OSError as error:
            self.trouble = f"{self.path}: {error.strerror or error}"

    @property
    def asked(self) -> int | None:
        """The seat whose hand is asked for, or `None` when the match is over."""
        if self._editing is not None:
            return self._editing.seat
        if self.match.winner is not None or self.match.stopped:
            return None
        return next((seat for seat in self.match.present if self.match.open_round[seat] is None), None)

    @property
    def editing(self) -> int | None:
        """The round that is being corrected, from 0."""
        return self._editing.number if self._editing is not None else None

    @property
    def before(self) -> str:
        """What the hand that is asked for was before, as it is typed."""
        return self._editing.before if self._editing is not None else ""

    def take(self, line: str) -> None:
        """Do what a line says. Raises `MatchError`, and then nothing has changed."""
        self.told = ""
        if self._editing is not None:
            self._take_edit(line.strip())
            return
        seat = self.asked
        self._moved = {"back": self.match.undoable, "again": self.match.redoable}
        try:
            entry = self.handle(line, seat is None)
        except Again:
            return
        except Leave:
            self.left = True
            return
        assert seat is not None
        self.match.enter_some({seat: entry})
        self.save()

    def refusal(self, line: str) -> MatchError | None:
        """Return why a hand that is being typed cannot be; `None` for one that can, and for words."""
        words = line.lower().split()
        seat = self.asked
        if not words or seat is None or not is_hand(words[0]):
            return None
        try:
            hand = read_hand(line, self.say)
            if self._editing is not None:
                self._editing.check(hand)
            else:
                self.match.copy().enter_some({seat: hand})
        except MatchError as error:
            return error
        return None

    def edit(self, word: str) -> None:
        """Begin to correct a finished round."""
        self._editing = self.editing_of(word)

    def _take_edit(self, line: str) -> None:
        assert self._editing is not None
        if line.lower() in FAREWELLS:
            self._editing = None
            return
        if line.lower() in ("?", "help"):
            self._show_help()
            return
        self._editing.take(line)
        if self._editing.over:
            self._editing = None
            self.save()

    def help(self) -> None:
        """Show all words."""
        self._show_help()

    def tell(self, way: str, told: str) -> None:
        """Note what was taken back or brought back."""
        self.told = self._texts(f"took.{way}", what=done(self._moved[way], self._texts, self.match) or told)

    def _note(self, text: str) -> None:
        self.told = text.strip()
