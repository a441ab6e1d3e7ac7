"""A real browser on a real server for each test of this room."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, suppress
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Error, async_playwright, expect
from tests import parts
from tests.browser.driver import Stage
from tests.server.client import WIDE, Process

from flip7.server.settings import Settings
from flip7.server.static import FOLDER

ROOM = Path(__file__).parent

expect.set_options(timeout=20_000)  # milliseconds: other tests share the processor

# phone.test is this machine under a name that browsers do not take for it: an address without HTTPS, as phones have it.
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--host-resolver-rules=MAP phone.test 127.0.0.1"]

LAST = 30
"""Seconds that a browser has to close what a test has opened."""


def quick(data: Path, seed: int | None = None) -> Settings:
    """Settings of a server that waits for nothing, with limits that tests do not meet."""
    return Settings(
        data=data,
        seed=seed,
        pace=0,
        tables_per_address=1000,
        requests_per_second=1000,
        request_burst=1000,
        messages_per_second=1000,
        message_burst=1000,
        allowed_hosts=("phone.test",),
        **WIDE,
    )


@pytest.fixture(scope="session", autouse=True)
def client_is_built() -> None:
    if not (FOLDER / "index.html").is_file():
        pytest.fail("the browser client is not built: run 'make client' first")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Process]:
    with Process(quick(tmp_path_factory.mktemp("browser"))) as process:
        yield process
        assert process.problems() == []


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """One loop for all tests of this room, since they share a browser."""
    for item in items:
        if item.path.parent == ROOM and pytest_asyncio.is_async_test(item):
            item.add_marker(pytest.mark.asyncio(loop_scope="session"), append=False)


class Chromium:
    """The browser that FLIP7_BROWSER names, one of the machine, or Playwright's own; all tests share it.

    A test that is ended while it waits for it may take the connection along: the next one gets a new browser.
    """

    def __init__(self) -> None:
        self._opened = AsyncExitStack()
        self._browser: Browser | None = None

    async def browser(self) -> Browser:
        """Return the browser, started if there is none."""
        if self._browser is None:
            playwright = await self._opened.enter_async_context(async_playwright())
            path = parts.browser(playwright.chromium.executable_path)
            self._browser = await playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        return self._browser

    async def forget(self) -> None:
        """Close what a test has opened in it; a browser that does not answer is left."""
        if self._browser is None:
            return
        try:
            async with asyncio.timeout(LAST):
                for context in self._browser.contexts:
                    await context.close()
                await (await self._browser.new_context()).close()
        except (Error, TimeoutError):
            await self.close()

    async def close(self) -> None:
        """Let it go, if it hears or not; with its driver the browser ends too."""
        self._browser = None
        with suppress(Error, TimeoutError):
            async with asyncio.timeout(LAST):
                await self._opened.aclose()
        self._opened = AsyncExitStack()


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def chromium() -> AsyncIterator[Chromium]:
    """What opens the browser of all tests."""
    parts.need_playwright()
    chromium = Chromium()
    yield chromium
    await chromium.close()


@pytest_asyncio.fixture(loop_scope="session")
async def browser(chromium: Chromium) -> AsyncIterator[Browser]:
    """The browser, which forgets afterwards what a test has opened in it."""
    yield await chromium.browser()
    await chromium.forget()


@pytest_asyncio.fixture(loop_scope="session")
async def stage(browser: Browser, server: Process) -> AsyncIterator[Stage]:
    """Opens pages of the shared server; at the end no page may have complained."""
    stage = Stage(browser, server.url)
    yield stage
    assert stage.complaints == []
