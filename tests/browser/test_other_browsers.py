"""The page in WebKit and Firefox: the scorekeeper and a quick game, from the first tap on, without a complaint."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

import pytest
from playwright.async_api import expect
from tests import parts
from tests.browser.driver import HIT, TARGET, Stage
from tests.browser.other import Window, complained, fill, firefox, kept, shown, tap, until, webkit
from tests.server.client import Process

Opener = Callable[[Path], AbstractContextManager[Window]]

BROWSERS = [pytest.param("webkit", webkit, id="webkit"), pytest.param("firefox", firefox, id="firefox")]


@pytest.mark.parametrize(("part", "opened"), BROWSERS)
def test_a_round_is_entered_and_there_after_a_reload_and_a_quick_game_asks(
    part: str, opened: Opener, server: Process, tmp_path: Path
) -> None:
    parts.need(part)
    with opened(tmp_path) as window:
        window.go(f"{server.url}/score")
        for number, name in enumerate(("Ana", "Ben", "Cho")):
            fill(window, f"form li:nth-child({number + 1}) input[type=text]", name)
        tap(window, "form .accent")
        for name, card in (("Ana", 12), ("Ben", 11), ("Cho", 10)):
            until(window, f"document.querySelector('.entry h3')?.innerText.includes('{name}')")
            tap(window, f'.entry [data-tap="{card}"]')
            tap(window, ".entry .go .accent:enabled")
        totals = "[...document.querySelectorAll('.board .total')].map((it) => it.innerText).join()"
        until(window, f"{totals} === '12,11,10'")
        kept(window)
        window.go(window.run("return location.href"))
        until(window, f"{totals} === '12,11,10'")

        window.go(f"{server.url}/")
        tap(window, "button.accent")
        shown(window, f"{HIT}, {TARGET}")
        assert window.complaints() == []
        window.run(
            "document.body.append(Object.assign(document.createElement('script'), {src: 'http://127.0.0.1:9/'}))"
        )
        assert "script-src" in complained(window)  # it would have been noticed


LACKS = {
    "everything": "CSS.supports = () => false",
    "container queries": """const known = CSS.supports.bind(CSS);
CSS.supports = (...words) => words[0] !== 'container-type' && known(...words)""",
}


@pytest.mark.parametrize("lack", LACKS)
async def test_a_browser_that_is_too_old_is_told_so(stage: Stage, lack: str) -> None:
    context = await stage.context()
    await context.add_init_script(LACKS[lack])
    page = await context.new_page()
    await page.goto(stage.url)
    await expect(page.locator("#too-old")).to_contain_text("too old for Flip 7")
    await expect(page.locator("#too-old")).to_contain_text("Firefox 121")
    await expect(page.locator("button")).to_have_count(0)
