"""Before a match at a real table: who plays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Static

from flip7.scorekeeper.errors import MatchError
from flip7.terminal.screens.base import BaseScreen, Keys, Prompt


class WhoScreen(BaseScreen[None]):
    """Asks for the names, and goes on to the match that is made of them."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "app.leave", show=False)]

    def __init__(self, begin: Callable[[str], Screen[Any]]) -> None:
        """`begin` makes the next screen of a line of names. It raises `MatchError` for those who cannot play."""
        super().__init__()
        self._begin = begin

    def compose(self) -> ComposeResult:
        """Lay out question and line."""
        words = self.words
        yield Static(Content.styled(f" {words('title')} ", "bold $background on $primary"), id="top")
        yield Static(Content.styled(words("score.who"), "bold $primary"), id="asked")
        yield Prompt(self.enter, "Ana Ben Cho")
        yield Static(id="problem", markup=False)
        yield Keys([("enter", words("enter.next")), ("esc", words("table.leave.go"))])

    def on_mount(self) -> None:
        """Ask."""
        self.query_one(Prompt).focus()

    def enter(self, line: str) -> None:
        """Begin the match."""
        if not line.strip():
            return
        try:
            match = self._begin(line)
        except MatchError:
            told = f"{self.words('refused.bad_name')} {self.words('term.players.bad')}"
            self.query_one("#problem", Static).update(told)
        else:
            self.app.switch_screen(match)
