"""What all screens share: the application with its words and settings, a title above and the keys below."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar, TypeVar, cast

from rich.cells import cell_len
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.reactive import reactive
from textual.screen import ModalScreen, Screen
from textual.widgets import Input, Static

from flip7.terminal.texts import Words

if TYPE_CHECKING:
    from flip7.terminal.app import TerminalApp

Result = TypeVar("Result")


class BaseScreen(Screen[Result]):
    """A screen of this application."""

    @property
    def terminal(self) -> TerminalApp:
        """The application."""
        return cast("TerminalApp", self.app)

    @property
    def words(self) -> Words:
        """The texts of the language that is spoken."""
        return self.terminal.words

    def action_rules(self) -> None:
        """Look something up."""
        from flip7.terminal.screens.rules import RulesScreen

        self.app.push_screen(RulesScreen())


class Line(Input):
    """A line to type into, whose cursor stands still: a screen that nobody touches does nothing."""

    cursor_blink = reactive(False, init=False)

    async def _on_key(self, event: events.Key) -> None:
        """Do what a key is for before the next one is looked at, also where a slow link brings many at once."""
        if not self.check_consume_key(event.key, event.character):
            event.stop()
            await self.app._check_bindings(event.key)


class Prompt(Line):
    """A line that is taken as soon as it is ended; what is typed behind it is the next one."""

    def __init__(self, take: Callable[[str], None], placeholder: str = "") -> None:
        """`take` gets every line."""
        super().__init__(placeholder=placeholder, compact=True, select_on_focus=False, id="line")
        self._take = take
        self._hints: tuple[str, ...] = (placeholder,)

    def hint(self, *texts: str) -> None:
        """Say what can be typed, with the first of these texts that fits, or else the last."""
        self._hints = texts
        self.on_resize()

    def on_resize(self) -> None:
        """Say it in the room that there is; the cursor needs a place, too."""
        fit = (text for text in self._hints if cell_len(text) < self.size.width)
        self.placeholder = next(fit, self._hints[-1])

    async def action_submit(self) -> None:
        """Hand the line over."""
        self._take(self.value)


class Number(Line):
    """A line for a whole number; every other sign goes on to the screen, where it may be a key."""

    def __init__(self, value: int, digits: int, id: str) -> None:
        """It holds a value, and takes at most so many digits."""
        super().__init__(str(value), type="integer", compact=True, max_length=digits, id=id)

    def check_consume_key(self, key: str, character: str | None) -> bool:
        """Return whether a key is typed here."""
        return character is not None and character.isdecimal()

    async def _on_key(self, event: events.Key) -> None:
        if event.is_printable and not self.check_consume_key(event.key, event.character):
            event.prevent_default()


class Sheet(ModalScreen[Result]):
    """A text over the screen; any key that does not scroll closes it, with nothing."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,enter,space,q,question_mark,o,c", "dismiss(None)", show=False),
    ]

    def __init__(self, title: str, text: Content | str) -> None:
        super().__init__()
        self._title = title
        self._text = text

    def compose(self) -> ComposeResult:
        """Lay out title and text."""
        with VerticalScroll(id="sheet", can_focus=True) as sheet:
            sheet.border_title = self._title
            yield Static(self._text, id="sheet-text", markup=False)

    def on_click(self, event: events.Click) -> None:
        """Close the sheet with a click beside it."""
        if not self.query_one("#sheet").region.contains(event.screen_x, event.screen_y):
            self.dismiss(None)

    def show(self, text: Content | str) -> None:
        """Show another text; nothing while the sheet is being taken away."""
        for there in self.query("#sheet-text").results(Static):
            there.update(text)


NAMES = {"?": "question_mark", ",": "comma", "esc": "escape", "^z": "ctrl+z"}
"""What Textual calls the keys that are written otherwise."""
HELP = ("?", "F1")


class Keys(Static):
    """The line of keys at the bottom, each with what it does; a click is as good as the key.

    Where not all fit, those in between give way to help and to the last one, which is the way out.
    """

    def __init__(self, keys: list[tuple[str, str]]) -> None:
        super().__init__(id="keys")
        self._keys = keys
        self._places: list[tuple[int, int, str]] = []

    def offer(self, keys: list[tuple[str, str]]) -> None:
        """Show other keys."""
        if keys != self._keys:
            self._keys = keys
            self.refresh()

    def render(self) -> Content:
        """Return the keys that fit into the line."""
        told = [Content.assemble((f" {key} ", "bold $primary"), (f"{what} ", "$soft")) for key, what in self._keys]
        last = len(told) - 1
        shown = [at for at, (key, _) in enumerate(self._keys) if key in HELP or at == last]
        room = self.size.width - sum(told[at].cell_length for at in shown)
        for at, part in enumerate(told):
            if at not in shown and part.cell_length <= room:
                room -= part.cell_length
                shown.append(at)
        self._places = []
        used = 0
        for at in sorted(shown):
            key = self._keys[at][0]
            start, used = used, used + told[at].cell_length
            self._places.append((start, used, NAMES.get(key, key.lower())))
        return Content.assemble(*(told[at] for at in sorted(shown)))

    def on_click(self, event: events.Click) -> None:
        """Do what the key does, also while something is typed where the key itself would be a letter."""
        for start, end, key in self._places:
            if start <= event.x < end and key.isascii() and " " not in key:  # not one of several keys
                bound = self.screen._bindings.key_to_bindings.get(key)
                if bound:
                    self.app.call_later(self.app.run_action, bound[0].action, self.screen)
                else:
                    self.app.simulate_key(key)
