"""What the tests of this room stand on."""

from __future__ import annotations

from tests import parts
from tests.browser.conftest import Chromium


async def test_a_browser_that_was_lost_is_followed_by_another() -> None:
    """Else all tests after one that was ended in the middle would fail too."""
    parts.need_playwright()
    chromium = Chromium()
    try:
        lost = await chromium.browser()
        await lost.new_context()
        await chromium.forget()
        assert await chromium.browser() is lost
        assert lost.contexts == []
        await lost.close()
        await chromium.forget()
        context = await (await chromium.browser()).new_context()
        assert await (await context.new_page()).evaluate("1 + 1") == 2
    finally:
        await chromium.close()
