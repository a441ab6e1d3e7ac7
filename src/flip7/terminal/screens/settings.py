"""The settings: each a line with what it can be; left and right change it, and it holds at once."""

from __future__ import annotations

from typing import ClassVar, get_args

import msgspec
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.widgets import Checkbox, Input, Label, Select, Static

from flip7.catalogue import LANGUAGES
from flip7.protocol.messages import NAME_LENGTH, Speed
from flip7.terminal.screens.base import BaseScreen, Keys, Line
from flip7.terminal.screens.ticks import Tick
from flip7.terminal.settings import Theme


class SettingsScreen(BaseScreen[None]):
    """What the player can set; it is kept."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss(None)", show=False)]

    def compose(self) -> ComposeResult:
        """Lay out every setting."""
        words, now = self.words, self.terminal.settings
        yield Static(f" {words('settings.title')}", id="top")
        with VerticalScroll(classes="form", can_focus=False):
            yield Label(words("you.name"))
            yield Line(now.name, placeholder=now.called, max_length=NAME_LENGTH, compact=True, id="name")
            yield Label(words("settings.language"))
            yield Select(
                [(called, code) for code, called in LANGUAGES.items()],
                value=now.spoken,
                allow_blank=False,
                compact=True,
                id="language",
            )
            yield Label(words("settings.speed"))
            yield Select(
                [(words(f"settings.speed.{speed}"), speed) for speed in get_args(Speed)],
                value=now.speed,
                allow_blank=False,
                compact=True,
                id="speed",
            )
            yield Label(words("settings.theme"))
            yield Select(
                [(words(f"settings.theme.{theme}"), theme) for theme in get_args(Theme)],
                value=now.theme,
                allow_blank=False,
                compact=True,
                id="theme",
            )
            yield Tick(words("settings.odds"), now.gauge, compact=True, id="gauge")
            yield Tick(words("term.settings.ascii"), now.ascii, compact=True, id="ascii")
            yield Tick(words("term.settings.lines"), now.lines, compact=True, id="lines")
        yield Keys([("tab", words("term.move")), ("esc", words("term.back"))])

    @on(Input.Changed)
    @on(Select.Changed)
    @on(Checkbox.Changed)
    async def changed(self, message: Input.Changed | Select.Changed | Checkbox.Changed) -> None:
        """Take a setting over."""
        id = message.control.id
        value = message.value.strip() if isinstance(message.value, str) else message.value
        if id is not None and getattr(self.terminal.settings, id) != value:
            self.terminal.change(msgspec.structs.replace(self.terminal.settings, **{id: value}))
            if id == "language":
                await self.recompose()
                self.query_one("#language").focus()
