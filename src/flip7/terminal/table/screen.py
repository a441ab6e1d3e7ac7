"""`TableScreen`: what every screen has that shows a table: other players, deck and log, and room for more below."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static

from flip7.terminal.screens.base import BaseScreen, Keys, Result
from flip7.terminal.table.board import Board
from flip7.terminal.table.log import Log
from flip7.terminal.table.rooms import WIDE, Rooms, inside, lines_of, rooms
from flip7.terminal.table.showing import Showing
from flip7.terminal.table.stage import Stage


class TableScreen(BaseScreen[Result]):
    """One table on show, drawn from `showing`."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("pageup", "browse(-1)", show=False),
        Binding("pagedown", "browse(1)", show=False),
    ]

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

    def action_browse(self, pages: int) -> None:
        """Bring other players into view, where not all fit."""
        self.query_one(Board).turn(pages)

    def lay_out(self, width: int, height: int, below: int, *, hand: bool = False, choices: bool = False) -> Rooms:
        """Share the lines out above n others, and return what the own hand and the choices have, if there are any."""
        others = 0 if self.showing is None else len(self.showing.others)
        found = rooms(width, height, others, below, hand=hand, choices=choices)
        self.query_one(Board).keep_below(inside(width, found.hand) if hand else None)
        self.query_one(Stage).styles.height = found.stage
        self.set_class(width >= WIDE, "-wide")
        felt = self.query_one("#felt")
        if width >= WIDE or self.showing is None:
            felt.styles.height = "1fr"
        else:
            felt.styles.height = found.stage + lines_of(width, others, height - 2 - below - sum(found))
        return found
