"""The terminal application without a terminal: scripted keys, and everything that it keeps in a folder of the test."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from textual import constants
from textual.pilot import Pilot
from textual.screen import Screen

from flip7.terminal.app import TerminalApp
from flip7.terminal.settings import Settings

First = Callable[[TerminalApp], Screen[Any]]
PATIENCE = 20.0


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for whatever the application keeps, and a terminal that shows everything."""
    for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"):
        monkeypatch.setenv(name, str(tmp_path))
    for name in ("NO_COLOR", "LC_ALL", "LC_CTYPE"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


class Seen:
    """An application that is running, and what can be seen of it."""

    def __init__(self, app: TerminalApp, pilot: Pilot[int]) -> None:
        self.app = app
        self.pilot = pilot

    async def press(self, *keys: str) -> None:
        """Press keys one after the other."""
        await self.pilot.press(*keys)

    async def type(self, line: str) -> None:
        """Type a line, and return."""
        names = {" ": "space", "+": "plus", "!": "exclamation_mark", "-": "minus", ".": "full_stop"}
        await self.pilot.press(*(names.get(sign, sign) for sign in line), "enter")
        await self.pilot.pause()

    async def until(self, fits: Callable[[], bool]) -> None:
        """Wait until something is so."""
        for _ in range(int(PATIENCE / 0.01)):
            if fits():
                await self.pilot.pause()
                return
            await self.pilot.pause(0.01)
        raise AssertionError(f"never came: {self.text}")

    async def on(self, name: str) -> None:
        """Wait until a screen is on show."""
        await self.until(lambda: type(self.app.screen).__name__ == name)

    @property
    def picture(self) -> str:
        """The screen as SVG, without what differs from run to run or leads elsewhere."""
        svg = self.app.export_screenshot(title="Flip 7")
        return re.sub(r"@font-face \{.*?\}\s*", "", svg, flags=re.DOTALL)

    @property
    def lines(self) -> list[str]:
        """The screen as text."""
        strips = self.app.screen._compositor.render_strips()
        return ["".join(segment.text for segment in strip) for strip in strips]

    @property
    def text(self) -> str:
        """The screen as one text."""
        return unescape("\n".join(self.lines))


@asynccontextmanager
async def opened(
    first: First, size: tuple[int, int] = (80, 24), *, colours: str = "truecolor", **settings: Any
) -> AsyncIterator[Seen]:
    """Run the application with these settings, on a terminal that has so many colours."""
    given = {"name": "Ana", "language": "en", "speed": "instant", **settings}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(constants, "COLOR_SYSTEM", colours)
        app = TerminalApp(first, Settings(**given))
    async with app.run_test(size=size) as pilot:
        yield Seen(app, pilot)
