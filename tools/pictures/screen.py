"""Pictures of the terminal application: it runs with scripted keys, and what it shows is drawn by a browser."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from playwright.async_api import Browser
from tests.terminal.conftest import Seen, opened
from tests.terminal.heard import CODE, Told, two, welcome
from textual.screen import Screen as TerminalScreen
from tools.pictures.camera import SCALE, Screen, framed, save
from tools.pictures.keeping import ROUNDS
from tools.pictures.table import NAMES

from flip7.game.game import Game
from flip7.game.options import Rules
from flip7.scorekeeper.match import Match
from flip7.strategy.cast import CAST, company
from flip7.strategy.review import review
from flip7.terminal.app import TerminalApp
from flip7.terminal.desk import Desk
from flip7.terminal.online import lobby
from flip7.terminal.online.lobby import LobbyScreen
from flip7.terminal.online.seats import hold
from flip7.terminal.replay.screen import ReplayScreen
from flip7.terminal.score.screen import ScoreScreen
from flip7.terminal.screens.play import PlayScreen
from flip7.terminal.tables import LocalTable

SIZE = (104, 36)
SMALL = (48, 26)
MIDDLE = (72, 18)
ADDRESS = "http://192.168.1.5:7007"
HANDS = ("12 9 7", "b")
SEED = 17
DECK = "5 7 12 4 9 3 8 +4 x2 6 10 11 flip3"
"""Ana has three cards when she turns up the Flip Three."""
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
    match = Match(list(NAMES[:4]), target=200)
    match.enter(list(ROUNDS[0]))
    match.enter(list(ROUNDS[1]))

    async def scored(seen: Seen) -> None:
        for hand in HANDS:
            await seen.type(hand)
        await seen.press("1", "2", "space", "9", "space", "5", "space", "x", "2")
        await seen.pilot.pause()

    kept = await shot(browser, MIDDLE, lambda _: ScoreScreen(match, data / "match.json"), scored)
    there = await _lobby(browser)
    both = [Screen(there, 640, "window", "flip7 join", "light"), Screen(kept, 640, "window", "flip7 score", "dark")]
    save(await framed(browser, both), folder / "screens.png", 1800)


async def _lobby(browser: Browser) -> bytes:
    """The lobby of a table where others sit already; the server says what is said here."""
    client = Told(ADDRESS, CODE, "token")
    hold(ADDRESS, CODE, "token")
    hello = welcome(two(), "lobby")
    seats = tuple(
        msgspec.structs.replace(hello.room.seats[0], id=id, name=name, bot=bot, host=id == 2, ready=id != 3)
        for id, name, bot in ((2, "Ben", None), (1, "Ana", None), (3, "Cho", None), (4, CAST[0].name, CAST[0].id))
    )
    hello = msgspec.structs.replace(hello, game=None, room=msgspec.structs.replace(hello.room, seats=seats))

    async def told(seen: Seen) -> None:
        await seen.until(lambda: hasattr(client, "sent"))
        client.hear(hello)
        await seen.until(lambda: "Cho" in seen.text)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lobby, "TableClient", lambda *_: client)
        first = LobbyScreen(ADDRESS, CODE, "Ana", watch=False)
        return await shot(browser, MIDDLE, lambda _: first, told, theme="light")


def _recorded() -> Game:
    return Game.from_record(Path("tests/golden/four.flip7").read_text("utf-8"))


def _table() -> Callable[[TerminalApp], TerminalScreen[Any]]:
    def first(_: TerminalApp) -> TerminalScreen[Any]:
        names = ["Ana", *(bot.name for bot in company(3))]
        game = Game(names, seed=SEED, rules=Rules(dealer=3), deck=DECK.split())
        return PlayScreen(LocalTable(Desk(game, None)), lambda *_: None)

    return first


async def _play(seen: Seen) -> None:
    """A few turns, until Ana turns up a Flip Three."""
    while True:
        await seen.until(lambda: _asked(seen))
        screen = seen.app.screen
        assert isinstance(screen, PlayScreen)
        assert screen.showing is not None
        assert screen.showing.scene.ask is not None
        if screen.showing.scene.ask.kind == "target":
            return
        await seen.press("h")
        await seen.pilot.pause()


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
