"""`Spoken`: the scorekeeper in lines, in a language other than English."""

from __future__ import annotations

from collections.abc import Callable

from flip7.catalogue import texts
from flip7.scorekeeper.console import Console, Read, Terms, Write, sheet
from flip7.scorekeeper.errors import MatchError
from flip7.scorekeeper.hands import Entry
from flip7.scorekeeper.match import Match
from flip7.scorekeeper.model.operations import AnyOperation
from flip7.terminal.score.words import disagreed, done, refused, result
from flip7.terminal.texts import Words


class Spoken(Console):
    """Says everything as the screen does."""

    def __init__(
        self, match: Match, read: Read, write: Write, save: Callable[[], None], room: int, words: Words
    ) -> None:
        super().__init__(match, read, write, save, room, texts(words.language, "lines"))
        self._texts = words
        self._moved: dict[str, AnyOperation | None] = {}
        """What can be taken back and brought back."""

    def handle(self, line: str, over: bool) -> Entry:
        """Do what a line says; what it takes back is known only before."""
        self._moved = {"back": self._match.undoable, "again": self._match.redoable}
        return super().handle(line, over)

    def sheet(self) -> str:
        """Return the score sheet."""
        return spoken_sheet(self._match, self._room, self._texts)

    def explain(self, error: MatchError) -> str:
        """Return why something was refused."""
        return refused(error, self._texts, self._match)

    def tell(self, way: str, told: str) -> None:
        """Say what was taken back or brought back."""
        super().tell(way, done(self._moved[way], self._texts, self._match) or told)


def spoken_sheet(match: Match, room: int, words: Words) -> str:
    """Return the score sheet in a language."""
    terms = Terms(words("total"), words("score.rank"), words("value.bust"), words("left"), words("value.none"))
    conflicts = [
        f"{words('score.what.conflict')} {i}: {disagreed(conflict, words, match)}"
        for i, conflict in enumerate(match.sheet.conflicts, 1)
    ]
    return sheet(match, room, terms, [*conflicts, result(match, words)])
