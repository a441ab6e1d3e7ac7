"""Pictures of the scorekeeper: a hand that is being tapped, the scores so far, and a game followed card by card."""

from __future__ import annotations

from pathlib import Path

from playwright.async_api import Browser, expect
from tests.browser.conftest import quick
from tests.browser.driver import Stage
from tests.browser.scoring import enter_round, start
from tests.browser.test_scorekeeper_live import RealTable
from tests.server.client import Process
from tools.pictures.camera import SCALE, Screen, framed, save, screenshot
from tools.pictures.table import NAMES

PHONE = (390, 844)
ROUNDS = (
    (("12", "7", "x2"), ("5", "9", "+4"), "bust", ("10", "11", "3")),
    (("8", "4", "10"), "bust", ("12", "9", "6", "1"), ("7", "11", "+8")),
    ("bust", ("12", "10", "5", "2", "+10"), ("9", "4", "3", "0", "11", "8", "7"), ("6", "12")),
    (("9", "11", "2", "+6"), ("8", "10", "7"), "bust", ("12", "4", "x2")),
    (("10", "12", "7"), ("11", "12", "9", "3"), ("5", "8", "10", "+2"), "bust"),
    (("11", "8", "6", "+8"), "bust", ("12", "11", "4"), ("9", "10", "12", "5")),
)
LIVE = "9 12 4 7  11 x2 10 5  6 8 freeze >Ben 12  3 10 9  stay 2"
"""What Ben, Cho, Dee and Ana turn up, in their turns; `>` says who gets a card."""
HALF = ("12", "9", "5", "x2")


async def take(browser: Browser, data: Path, folder: Path) -> None:
    """Take the pictures of the scorekeeper and write them into the folder."""
    with Process(quick(data)) as server:
        stage = Stage(browser, server.url, SCALE)
        page = await stage.page("/score", PHONE, theme="light", motion="reduced")
        await start(page, NAMES[:4])
        for hands in ROUNDS:
            await enter_round(page, hands)
        for card in HALF:
            await page.locator(f'.entry [data-tap="{card}"]').click()
        entering = await screenshot(page)
        await page.get_by_role("heading", name="Rounds").evaluate("title => title.scrollIntoView({block: 'start'})")
        await page.evaluate("scrollBy(0, -40)")
        await page.mouse.move(0, 0)
        story = await screenshot(page)
        live = await follow(stage)
        assert stage.complaints == [], stage.complaints
    phones = [Screen(entering, 280), Screen(story, 280), Screen(live, 280, theme="dark")]
    save(await framed(browser, phones), folder / "scorekeeper.png", 1300)


async def follow(stage: Stage) -> bytes:
    """Return a picture of a round that is followed card by card, when the next card matters."""
    page = await stage.page("/score", PHONE, theme="dark", motion="reduced")
    await start(page, NAMES[:4])
    await page.get_by_role("button", name="Live", exact=True).click()
    table = RealTable(page)
    for word in LIVE.split():
        if word == "stay":
            await table.stay()
        elif word.startswith(">"):
            await table.give(word[1:])
        else:
            await table.card(word)
    await expect(page.locator(".live .stay")).to_be_enabled()
    return await screenshot(page)
