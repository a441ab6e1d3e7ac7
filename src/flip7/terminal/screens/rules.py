"""The rules: typing finds cards and rulings at once."""

from __future__ import annotations

from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Input, Static

from flip7.game.lookup import look_up
from flip7.terminal.screens.base import BaseScreen, Keys, Line


class RulesScreen(BaseScreen[None]):
    """All rulings, or those that have what was typed."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "dismiss(None)", show=False),
        Binding("down", "scroll(1)", show=False),
        Binding("up", "scroll(-1)", show=False),
        Binding("pagedown", "scroll(10)", show=False),
        Binding("pageup", "scroll(-10)", show=False),
    ]

    def __init__(self, wanted: str = "") -> None:
        super().__init__()
        self._wanted = wanted

    def compose(self) -> ComposeResult:
        """Lay out what is typed above what is found."""
        yield Static(f" {self.words('rules.title')}", id="top")
        yield Line(self._wanted, placeholder=self.words("rules.filter"), id="wanted")
        with VerticalScroll(id="found", can_focus=False):
            yield Static(id="rules-text", markup=False)
        yield Keys([("↑↓", self.words("term.move")), ("esc", self.words("term.back"))])

    def on_mount(self) -> None:
        """Wait for words."""
        self.query_one(Input).focus()
        self._show(self._wanted)

    @on(Input.Changed)
    def typed(self, message: Input.Changed) -> None:
        """Find what was typed."""
        self._show(message.value)

    def action_scroll(self, lines: int) -> None:
        """Move through what was found."""
        self.query_one("#found", VerticalScroll).scroll_relative(y=lines, animate=False)

    def _show(self, phrase: str) -> None:
        cards, rulings = look_up(phrase, self.words.language)
        lines: list[Content] = []
        for entry in cards:
            copies = self.words("n.copies", n=entry.copies)
            lines += [
                Content.assemble((entry.name, "bold $warning"), (f"  {copies}", "$soft")),
                Content(entry.text),
                Content(""),
            ]
        section = ""
        for ruling in rulings:
            if ruling.section != section:
                section = ruling.section
                lines += [Content.styled(section, "bold $primary")]
            lines.append(Content.assemble((f"{ruling.id}  ", "bold"), ruling.text, (f"  {ruling.source}", "$soft")))
            lines.append(Content(""))
        found = Content("\n").join(lines) if lines else Content(self.words("rules.none"))
        self.query_one("#rules-text", Static).update(found)
        self.query_one("#found", VerticalScroll).scroll_home(animate=False)
