"""The whole log of a table; a line that a ruling decided leads to that ruling."""

from __future__ import annotations

from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from flip7.game.rulebook import rulings
from flip7.terminal.screens.base import BaseScreen, Keys
from flip7.terminal.table.log import told
from flip7.terminal.table.showing import Showing


class LogScreen(BaseScreen[None]):
    """Everything that happened, to walk through; the ruling of the line that is marked stands below."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q,l", "dismiss(None)", show=False)]

    def __init__(self, showing: Showing) -> None:
        super().__init__()
        self._lines = [
            (text, line.event.ruling) for line in showing.scene.log if (text := told(showing, line)) is not None
        ]
        self._rulings = {ruling.id: ruling for ruling in rulings(showing.words.language)}

    def compose(self) -> ComposeResult:
        """Lay the log out."""
        yield Static(f" {self.words('table.log')}", id="top")
        yield OptionList(
            *(
                Option(Content.assemble(text, (f"  {ruling}" if ruling else "", "$soft")))
                for text, ruling in self._lines
            ),
            id="lines",
        )
        yield Static(id="ruling", markup=False)
        yield Keys([("↑↓", self.words("term.move")), ("esc", self.words("term.back"))])

    def on_mount(self) -> None:
        """Begin at the end."""
        lines = self.query_one(OptionList)
        lines.focus()
        if self._lines:
            lines.highlighted = len(self._lines) - 1

    @on(OptionList.OptionHighlighted)
    def marked(self, message: OptionList.OptionHighlighted) -> None:
        """Show the ruling that decided the marked line."""
        id = self._lines[message.option_index][1]
        ruling = self._rulings.get(id or "")
        text = f"{ruling.id}: {ruling.text} ({ruling.source})" if ruling else ""
        self.query_one("#ruling", Static).update(text)
