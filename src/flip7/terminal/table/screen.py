"""`TableScreen`: what every screen has that shows a table: other players, deck and log, and room for more below."""

from __future__ import annotations

from collections.abc import Iterable

from textual.app import ComposeResult
from textual.containers import Container
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static

from flip7.terminal.screens.base import BaseScreen, Keys, Result
from flip7.terminal.table.board import Board
from flip7.terminal.table.log import Log
from flip7.terminal.table.showing import Showing
from flip7.terminal.table.stage import Stage

WIDE = 96
"""From this many columns on the log stands beside the table."""
TALL = 34
"""From this many lines on, cards are drawn large."""


class TableScreen(BaseScreen[Result]):
    """One table on show, drawn from `showing`."""

    def __init__(self) -> None:
        super().__init__()
        self.showing: Showing | None = None
        self._head = Content("")

    def compose(self) -> ComposeResult:
        """Lay the table out."""
        yield Static(id="top")
        with Container(id="middle"):
            with Container(id="felt"):
                yield Board()
                yield Stage()
            yield Log()
        yield from self.below()
        yield Keys(self.keys())

    def below(self) -> Iterable[Widget]:
        """Return what stands between the table and the keys."""
        return ()

    def keys(self) -> list[tuple[str, str]]:
        """Return the keys of the last line, each with what it does."""
        return []

    def draw(self) -> None:
        """Draw everything again that shows the table."""
        for widget in (self.query_one(Board), self.query_one(Stage), self.query_one(Log)):
            widget.showing = self.showing
            widget.redraw()

    def head(self, title: Content) -> None:
        """Write the first line, if it has changed."""
        if not self._head.is_same(title):
            self._head = title
            self.query_one("#top", Static).update(title)

    def lay_out(self, width: int, height: int, below: int) -> None:
        """Give every part its room, above n lines: the players first, then the stage, the log gets the rest."""
        wide = width >= WIDE
        self.set_class(wide, "-wide")
        stage = 5 if height >= TALL and width >= 64 else 3 if height >= 24 else 1
        self.query_one(Stage).styles.height = stage
        felt = self.query_one("#felt")
        if wide or self.showing is None:
            felt.styles.height = "1fr"
            return
        rest = height - 2 - below - stage
        needed = self.query_one(Board).needed(width, len(self.showing.others))
        if rest - 2 * needed >= 4:
            needed *= 2
        felt.styles.height = min(needed, rest) + stage
