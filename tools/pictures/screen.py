"""Pictures of the terminal application: it runs with scripted keys, and what it shows is drawn by a browser."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.async_api import Browser
from tests.terminal.conftest import Seen, opened
from textual.screen import Screen as TerminalScreen
from tools.pictures.camera import SCALE, Screen, framed, save

from flip7.game.game import Game
from flip7.strategy.cast import company
from flip7.strategy.review import review
from flip7.terminal.app import TerminalApp
from flip7.terminal.desk import Desk
from flip7.terminal.replay.screen import ReplayScreen
from flip7.terminal.screens.play import PlayScreen
from flip7.terminal.tables import LocalTable

SIZE = (104, 36)
SMALL = (48, 26)
SEED = 17
TURNS = 4
STYLE = "body { margin: 0; } text { font-family: 'DejaVu Sans Mono', monospace !important; }"


async def take(browser: Browser, data: Path, folder: Path) -> None:
    """Take the pictures and write them into the folder."""
    for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"):
        os.environ[name] = str(data)
    wide = await shot(browser, SIZE, _table(), _play)
    small = await shot(browser, SMALL, _table(), _play, theme="light")
    screens = [Screen(wide, 900, "window", "flip7 play", "dark"), Screen(small, 430, "window", "flip7 play", "light")]
    save(await framed(browser, screens), folder / "screen.png", 1800)
    game = _recorded()

    async def reviewed(seen: Seen) -> None:
        screen = seen.app.screen
        assert isinstance(screen, ReplayScreen)
        screen._reviewed(review(game, seed=0))
        await seen.on("ReviewScreen")
        await seen.press("down", "down", "enter")
        await seen.on("ReplayScreen")

    found = await shot(browser, SIZE, lambda _: ReplayScreen(game), reviewed)
    save(await framed(browser, [Screen(found, 900, "window", "flip7 replay", "dark")]), folder / "review.png", 1400)


def _recorded() -> Game:
    return Game.from_record(Path("tests/golden/four.flip7").read_text("utf-8"))


def _table() -> Callable[[TerminalApp], TerminalScreen[Any]]:
    return lambda _: PlayScreen(LocalTable(Desk.new("Ana", company(3), target=200, seed=SEED)), lambda *_: None)


async def _play(seen: Seen) -> None:
    """A few turns, until there is something to see."""
    for _ in range(TURNS):
        await seen.until(lambda: _asked(seen))
        await seen.press("2", "h")
    await seen.until(lambda: _asked(seen))


def _asked(seen: Seen) -> bool:
    screen = seen.app.screen
    return isinstance(screen, PlayScreen) and screen.showing is not None and screen.showing.asked


async def shot(
    browser: Browser,
    size: tuple[int, int],
    first: Callable[[TerminalApp], TerminalScreen[Any]],
    script: Callable[[Seen], Any],
    **settings: Any,
) -> bytes:
    """Run the application with a script, and draw what it shows then."""
    async with opened(first, size, **settings) as seen:
        await script(seen)
        svg = seen.picture
    context = await browser.new_context(device_scale_factor=SCALE, viewport={"width": 1600, "height": 1200})
    page = await context.new_page()
    await page.set_content(
        f"<style>body {{ margin: 0; }} text {{ font-family: 'DejaVu Sans Mono', monospace !important; }}</style>{svg}"
    )
    svg_there = page.locator("svg")
    await svg_there.evaluate(
        "svg => { const [x, y, w, h] = svg.getAttribute('viewBox').split(' ').map(Number);"
        " svg.setAttribute('viewBox', `8 41 ${w - 17} ${h - 50}`);"
        " svg.setAttribute('width', w); }"
    )
    picture = await svg_there.screenshot()
    await context.close()
    return picture
