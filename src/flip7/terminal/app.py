"""`TerminalApp`: the application itself, with its settings, language and themes, and a way out for every signal."""

from __future__ import annotations

import asyncio
import contextlib
import os
import select
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from threading import Thread
from types import FrameType
from typing import Any, ClassVar

from rich.console import RenderableType
from textual.app import App
from textual.binding import Binding, BindingType
from textual.css.query import NoMatches
from textual.filter import NoColor
from textual.screen import Screen
from textual.worker import WorkerFailed

from flip7.terminal import settings as keeping
from flip7.terminal.cards import Painter
from flip7.terminal.look import DARK, LIGHT, AsciiOnly, Sixteen
from flip7.terminal.settings import Settings
from flip7.terminal.texts import Words

MENDED = ("C.UTF-8", "C.utf8", "UTF-8")
"""What Python itself makes of the encoding C before a program begins (PEP 538)."""
SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP")
GRACE = 3.0
"""Seconds for everything to be closed after the terminal is gone."""


class TerminalApp(App[int]):
    """Shows one screen first; whatever is left from there leads back to it or out."""

    CSS_PATH = "style.tcss"
    TITLE = "Flip 7"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+c", "leave", "", show=False, priority=True),
        Binding("ctrl+q", "leave", "", show=False, priority=True),
    ]

    def __init__(
        self,
        first: Callable[[TerminalApp], Screen[Any]],
        settings: Settings | None = None,
        *,
        ascii_only: bool = False,
    ) -> None:
        """`first` makes the first screen, once settings and language are known; `ascii_only` holds for this run."""
        super().__init__()
        self._ascii_only = ascii_only or not writes_unicode()
        self.settings = keeping.load() if settings is None else settings
        self._first = first
        self._noted: int | None = None
        self.leaving = False
        """Whether the application is being closed."""
        self.words = Words(self.settings.spoken)
        self.no_color = bool(os.environ.get("NO_COLOR"))
        self.animation_level = "none"
        self.register_theme(DARK)
        self.register_theme(LIGHT)
        self._dress()

    def _dress(self) -> None:
        """Do what the settings say about looks and language."""
        self.words = Words(self.settings.spoken)
        self.theme = DARK.name if self.settings.theme == "dark" else LIGHT.name
        ascii_only = self.settings.ascii or self._ascii_only
        self.painter = Painter(colours=not self.no_color, ascii_only=ascii_only, light=self.settings.theme == "light")
        filters = self._filters[:1]
        if self.no_color:
            filters.append(NoColor())
        elif self.console.color_system == "standard":
            filters.append(Sixteen())
        if ascii_only:
            filters.append(AsciiOnly())
        self._filters = filters

    def start(self) -> int:
        """Run until the player leaves; returns the exit status."""
        before = {number: signal.signal(number, self._note) for number in numbers()}
        if hasattr(select, "poll"):
            Thread(target=_end_with_terminal, daemon=True).start()
        try:
            self.run()
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)
        return self.return_code or 0

    def _note(self, number: int, _: FrameType | None) -> None:
        """A signal came before anything could be closed."""
        self._noted = number

    def change(self, settings: Settings) -> None:
        """Take over settings, and keep them."""
        self.settings = settings
        keeping.save(settings)
        self._dress()

    async def return_to(self, screen: Screen[Any]) -> None:
        """Take off every screen above one that is on show; nobody is told what was chosen there."""
        above = self.screen_stack[self.screen_stack.index(screen) + 1 :] if screen in self.screen_stack else []
        for gone in [self.pop_screen() for _ in above]:
            await gone

    def on_mount(self) -> None:
        """Catch the signals that end programs, and show the first screen."""
        loop = asyncio.get_running_loop()
        for number in numbers():
            with contextlib.suppress(NotImplementedError, RuntimeError, ValueError):  # not there, not the main thread
                loop.add_signal_handler(number, self.exit, 128 + number, 128 + number)
        if self._noted is not None:
            self.exit(128 + self._noted, 128 + self._noted)
        else:
            self.push_screen(self._first(self))

    def exit(self, result: int | None = None, return_code: int = 0, message: RenderableType | None = None) -> None:
        """Leave; whatever is laid out from now on is not worth it."""
        self.leaving = True
        super().exit(result, return_code, message)

    def _handle_exception(self, error: Exception) -> None:
        """Show a crash; but while everything is being taken away, something may well be gone already."""
        gone = error.error if isinstance(error, WorkerFailed) else error
        if not (self.leaving and isinstance(gone, NoMatches)):
            super()._handle_exception(error)

    async def action_leave(self) -> None:
        """Leave. Everything is kept already."""
        self.exit(0)


def numbers() -> list[signal.Signals]:
    """Return the signals that end programs, as far as this system has them."""
    return [getattr(signal, name) for name in SIGNALS if hasattr(signal, name)]


def _end_with_terminal() -> None:
    """End the program when its terminal is gone, also where no signal tells so; every choice is kept by then."""
    hung_up = select.POLLHUP | select.POLLERR
    poll = select.poll()
    poll.register(sys.stdin.fileno(), 0)
    if any(happened & hung_up for _, happened in poll.poll()):
        os.kill(os.getpid(), signal.SIGHUP)
        time.sleep(GRACE)
        os._exit(128 + signal.SIGHUP)  # what waits to be written to the terminal would wait for ever


def _before() -> dict[str, str]:
    """The environment as this program was given it; nothing where the system does not tell."""
    try:
        lines = Path("/proc/self/environ").read_bytes().decode("utf-8", "replace").split("\0")
    except OSError:
        return {}
    return dict(line.split("=", 1) for line in lines if "=" in line)


def writes_unicode() -> bool:
    """Return whether what is written to the terminal may be more than ASCII."""
    encoding = (getattr(sys.__stderr__, "encoding", None) or "ascii").lower().replace("_", "-")
    given = dict(os.environ)
    if given.get("LC_CTYPE") in MENDED:
        given["LC_CTYPE"] = _before().get("LC_CTYPE", "")
    wanted = next(filter(None, (given.get(name) for name in ("LC_ALL", "LC_CTYPE", "LANG"))), "")
    return encoding in ("utf-8", "utf8") and wanted not in ("C", "POSIX")
