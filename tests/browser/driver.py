"""Drives pages of the client the way people do: looks at what is shown, taps or types, waits."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any, TypeVar
from urllib.parse import urlsplit

from playwright.async_api import Browser, BrowserContext, ConsoleMessage, Page, Request, TimeoutError, expect
from tests.server.client import Process

T = TypeVar("T")
PATIENCE = 20_000
FAST: dict[str, Any] = {
    "speed": "fast",
    "motion": "reduced",
    "sound": False,
    "tips": False,
    "language": "en",
    "name": "Ana",
}
# What the browser says itself when a server is gone.
HARMLESS = (
    "ERR_CONNECTION_REFUSED",
    "ERR_INTERNET_DISCONNECTED",
    "WebSocket connection to",
    "ERR_CONNECTION_RESET",
    "ERR_EMPTY_RESPONSE",  # a killed server had taken the request
    "Cross-Origin-Opener-Policy header has been ignored",
)
# What it says of files of which a killed server had sent a part: only tests that kill one allow it.
CUT_SHORT = ("ERR_CONTENT_LENGTH_MISMATCH", "ERR_INCOMPLETE_CHUNKED_ENCODING")
# What it says when a page asks for something that is not there: only tests of that allow it.
# At the address of the page itself it is no surprise.
MISSING = "status of 404"

HIT = "button[aria-keyshortcuts=H]:not([aria-disabled=true])"
STAY = "button[aria-keyshortcuts=S]:not([aria-disabled=true])"
TARGET = "button.seat.target"
ME = ".controls button.big.on:not([aria-keyshortcuts])"
GO_ON = ".summary button"
RESULT = ".ranking"

SETTLED = """async () => {
  await document.fonts.ready;
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
}"""
GLIMPSE = """([selector, text]) => {
  window.glimpsed = false;
  const look = () => {
    window.glimpsed ||= [...document.querySelectorAll(selector)].some((one) => one.textContent.includes(text));
  };
  new MutationObserver(look).observe(document, { childList: true, characterData: true, subtree: true });
}"""


class Stage:
    """Opens pages with their own storage, and notes what they complain about and whom they call."""

    def __init__(self, browser: Browser, url: str, scale: float = 1) -> None:
        self.browser = browser
        self.url = url
        self.scale = scale
        self.complaints: list[str] = []
        self.harmless: tuple[str, ...] = HARMLESS
        self.hosts: set[str] = set()

    async def context(self, size: tuple[int, int] = (390, 844), **settings: Any) -> BrowserContext:
        """A browser of somebody who has these settings."""
        theme = settings.get("theme", "dark")
        context = await self.browser.new_context(
            viewport={"width": size[0], "height": size[1]},
            device_scale_factor=self.scale,
            has_touch=size[0] < 900,
            color_scheme=theme,
            locale="en",
        )
        context.set_default_timeout(PATIENCE)
        text = json.dumps(json.dumps(FAST | settings))
        await context.add_init_script(f"try {{ localStorage['flip7.settings'] ??= {text} }} catch {{}}")
        context.on("console", self._console)
        context.on("weberror", lambda error: self.complaints.append(str(error.error)))
        context.on("request", self._request)
        return context

    def _console(self, message: ConsoleMessage) -> None:
        asked = MISSING in message.text and message.page and message.location["url"] == message.page.url
        known = asked or any(word in message.text for word in self.harmless)
        if message.type in ("error", "warning") and not known:
            self.complaints.append(message.text)

    def _request(self, request: Request) -> None:
        self.hosts.add(urlsplit(request.url).netloc)

    async def page(self, path: str = "/", size: tuple[int, int] = (390, 844), **settings: Any) -> Page:
        """A page in a browser of its own."""
        page = await (await self.context(size, **settings)).new_page()
        await page.goto(self.url + path)
        return page

    async def seated(self, seated: Any, size: tuple[int, int] = (390, 844), **settings: Any) -> Page:
        """A page of somebody who holds these seats already."""
        context = await self.context(size, **settings)
        held = {"code": seated.code, "token": seated.token, "at": 1, "game": None, "number": 0}
        text = json.dumps(json.dumps(held))
        await context.add_init_script(f"try {{ localStorage['flip7.table.{seated.code}'] ??= {text} }} catch {{}}")
        page = await context.new_page()
        await page.goto(f"{self.url}/t/{seated.code}")
        return page


async def becomes(read: Callable[[], Awaitable[T]], wanted: T) -> None:
    """Wait until what is read is as wanted."""
    for _ in range(PATIENCE // 50):
        if await read() == wanted:
            return
        await asyncio.sleep(0.05)
    assert await read() == wanted


async def settled(page: Page) -> None:
    """Wait until the fonts are there and all is laid out with them, before anything is measured."""
    await page.evaluate(SETTLED)


async def controlled(page: Page) -> None:
    """Wait until the service worker looks after the page: all that it keeps is there by then."""
    await page.evaluate("() => navigator.serviceWorker.ready.then(() => undefined)")
    await page.wait_for_function("() => !!navigator.serviceWorker.controller")


@asynccontextmanager
async def glimpsed(page: Page, selector: str, text: str) -> AsyncIterator[None]:
    """What is done within makes such an element say this, be it for a moment; the page itself looks out for it."""
    await page.evaluate(GLIMPSE, [selector, text])
    yield
    await page.wait_for_function("() => window.glimpsed")


async def waiting(*pages: Page) -> None:
    """Wait until one of the pages wants something."""
    script = f"() => !!document.querySelector({json.dumps(', '.join((HIT, TARGET, ME, GO_ON, RESULT)))})"
    if len(pages) == 1:
        await pages[0].wait_for_function(script, timeout=PATIENCE)
        return
    for _ in range(PATIENCE // 50):
        for page in pages:
            if await page.evaluate(script):
                return
        await pages[0].wait_for_timeout(50)
    raise AssertionError("no page wants anything")


async def points(page: Page) -> int:
    """The points of the open hand in this round."""
    return int(await page.locator(".hand .points strong").inner_text())


async def act(page: Page, enough: int = 20) -> bool:
    """Answer what is asked, if anything is: hit below so many points. Tells whether the game is over."""
    if await page.locator(RESULT).count():
        return True
    if await page.locator(GO_ON).count():
        with suppress(TimeoutError):  # it goes by itself too
            await page.locator(GO_ON).click(timeout=1000, no_wait_after=True, force=True)
    elif await page.locator(TARGET).count():
        await page.locator(TARGET).first.click()
    elif await page.locator(ME).count():
        await page.locator(ME).click()
    elif await page.locator(HIT).count():
        await page.locator(HIT if await points(page) < enough else STAY).click()
    return False


async def play(*pages: Page, enough: int = 20, until: Callable[[], bool] = lambda: False) -> None:
    """Play the pages' seats until all show the result, or `until` says so."""
    left = list(pages)
    for _ in range(600):
        await waiting(*left)
        left = [page for page in left if not await act(page, enough)]
        if not left or until():
            return
        await left[0].wait_for_timeout(15)
    raise AssertionError("the game does not end")


async def asked(stage: Stage, server: Process, body: object, wanted: str, *, enough: int, **settings: Any) -> Page:
    """A page on which such a quick game asks for this: where one game ends without it, another is played."""
    for _ in range(20):
        page = await stage.seated(server.seat("/api/quick", body), **settings)
        over = False
        while not over:
            await waiting(page)
            if await page.locator(wanted).count():
                return page
            over = await act(page, enough)
        await page.context.close()
    raise AssertionError("no game asks for this")


async def ranking(page: Page) -> list[list[str]]:
    """The final places as they are shown: name and points."""
    await expect(page.locator(RESULT)).to_be_visible()
    rows = await page.locator(".ranking li").all()
    return [[await row.locator(".name").inner_text(), await row.locator("strong").inner_text()] for row in rows]
