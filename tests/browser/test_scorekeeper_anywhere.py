"""The scorekeeper where less is to be had: no HTTPS, no database in the browser, a server that lost its data."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from playwright.async_api import Browser, expect
from tests.browser.conftest import quick
from tests.browser.driver import CUT_SHORT, MISSING, Stage, settled
from tests.browser.scoring import enter_round, has_totals, kept, new_match, path_of, share
from tests.server.client import Process

import flip7

NO_DATABASE = """
Object.defineProperty(window, 'indexedDB', { get() { throw new DOMException('not here', 'SecurityError'); } });
"""


async def test_without_https_matches_are_kept_and_links_copied_and_the_page_says_what_is_missing(
    browser: Browser, server: Process
) -> None:
    stage = Stage(browser, f"http://phone.test:{server.port}")
    page = await new_match(stage, ["Ana", "Ben"])
    assert not await page.evaluate("() => isSecureContext")
    await enter_round(page, [["12"], "bust"])
    links = await share(page)
    await page.get_by_role("button", name="Share", exact=True).click()
    await page.get_by_role("button", name="Copy").first.click()
    await expect(page.get_by_role("button", name="Copied")).to_be_visible()
    await page.get_by_role("button", name="Close").click()
    await page.get_by_role("button", name="Players").click()
    late = page.get_by_label("Somebody comes late")
    await late.evaluate("(field) => field.removeAttribute('maxlength')")
    await late.focus()
    await page.keyboard.press("Control+V")
    await expect(late).to_have_value(f"{stage.url}{links['watch']}")
    await kept(page)
    await page.reload()
    await expect(page.locator(".board")).to_be_visible()
    await has_totals(page, {"Ana": 12, "Ben": 0})
    await page.goto(f"{stage.url}/score")
    await page.get_by_text("This address is not secure").click()
    await expect(page.get_by_text("--tls-cert")).to_be_visible()
    await expect(page.get_by_text("does not promise to keep matches")).to_be_visible()
    assert stage.complaints == []


async def test_without_a_database_a_match_lives_in_memory_and_says_so(stage: Stage, tmp_path: Path) -> None:
    context = await stage.context()
    await context.add_init_script(NO_DATABASE)
    page = await context.new_page()
    await page.goto(f"{stage.url}/score")
    await expect(page.get_by_role("alert")).to_contain_text("keeps nothing")
    await page.get_by_label("Name 1", exact=True).fill("Ana")
    await page.get_by_role("button", name="Start", exact=True).click()
    await enter_round(page, [["12", "x2"]])
    await has_totals(page, {"Ana": 24})
    await expect(page.get_by_role("alert").first).to_contain_text("Export the match before you close it")
    await page.get_by_role("link", name="Home").click()
    await page.evaluate("() => history.back()")  # within the page: the match is still there
    async with page.expect_download() as waiting:
        await page.get_by_role("button", name="File (JSON)").click()
    await (await waiting.value).save_as(tmp_path / "match.json")
    assert flip7.Match.from_json((tmp_path / "match.json").read_text()).totals == [24]


async def test_a_server_that_lost_its_data_gets_the_match_again(browser: Browser, tmp_path: Path) -> None:
    with Process(quick(tmp_path / "data")) as server:
        stage = Stage(browser, server.url)
        stage.harmless += (MISSING, *CUT_SHORT)
        page = await new_match(stage, ["Ana", "Ben"])
        await enter_round(page, [["12"], ["7"]])
        first = await share(page)
        server.kill()
        shutil.rmtree(tmp_path / "data")
        server.start()
        await page.evaluate("() => dispatchEvent(new Event('online'))")
        await page.get_by_role("button", name="Share again").click()
        await page.locator("dialog").get_by_role("button", name="Share again").click()
        link = page.locator("[data-link=watch]")
        await expect(link).not_to_contain_text(first["watch"])
        other = await stage.page(path_of(await link.inner_text()))
        await expect(other.locator('[data-player="Ana"] .total')).to_have_text("12")
        assert stage.complaints == []


@pytest.mark.parametrize("margin", ["10mm", "18mm"])
async def test_six_players_are_printed_on_one_page_by_browsers_that_choose_the_margins(
    stage: Stage, margin: str
) -> None:
    page = await stage.page("/score/sheet", (1280, 800))
    await page.get_by_label("Players").fill("6")
    drop = "() => { for (const s of document.styleSheets) for (let i = s.cssRules.length; i--;)"
    await page.evaluate(f"{drop} if (s.cssRules[i] instanceof CSSPageRule) s.deleteRule(i); }}")
    await settled(page)
    sides = dict.fromkeys(("top", "bottom", "left", "right"), margin)
    pdf = await page.pdf(format="A4", margin=sides)  # type: ignore[arg-type]
    assert pdf.count(b"/Type /Page\n") == 1
