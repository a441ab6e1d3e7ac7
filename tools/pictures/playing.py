"""Pictures of games in the browser: Dee flips three, and Ana wins with a Flip 7."""

from __future__ import annotations

from pathlib import Path

from playwright.async_api import Browser, Page, expect
from tests.browser.driver import HIT, RESULT, TARGET, Stage
from tools.pictures.camera import SCALE, Screen, framed, save, screenshot
from tools.pictures.table import NAMES, FiveFriends, choices_until, five_friends

import flip7

EARLY, LATE = 750, 6_505
"""Seeds of games in which the moments come."""
DESKTOP = (1280, 800)
PHONE = (390, 844)
TV = (1920, 1080)


def dee_flips_three(game: flip7.Game) -> bool:
    """Dee gives a Flip Three away in the last round, when everybody has something to lose."""
    ask = game.decision
    assert ask is not None
    return len(game.rounds) == 9 and ask.card == flip7.Card.FLIP3 and game.seats[4].status == "stayed"


def one_card_is_missing(game: flip7.Game) -> bool:
    """Ana has six numbers and a ×2 and has to decide, and there is one of everything at the table."""
    ask = game.decision
    assert ask is not None
    everything = {seat.status for seat in game.seats} == {"active", "stayed", "frozen", "busted"}
    ana = game.seats[0]
    return everything and ask.kind == "turn" and ask.seat == 0 and len(ana.line) == 6 and flip7.Card.X2 in ana.cards


async def take(browser: Browser, data: Path, folder: Path) -> None:
    """Take the pictures of the table and write them into the folder."""
    async with five_friends(data / "early", EARLY) as (server, friends):
        await friends.play(choices_until(dee_flips_three, EARLY))
        stage = Stage(browser, server.url, SCALE)
        page = await seated(stage, friends, 3, PHONE, "dark")
        await expect(page.locator(TARGET).first).to_be_visible()
        choosing = await screenshot(page)

    async with five_friends(data / "late", LATE) as (server, friends):
        await friends.play(choices_until(one_card_is_missing, LATE))
        stage = Stage(browser, server.url, SCALE)
        television = await stage.page(f"/t/{friends.seated[0].code}?tv=1", TV, theme="dark", speed="instant")
        await expect(television.locator(".seat").first).to_be_visible()
        screen = await screenshot(television)
        # A seat is played on one device at a time: the phone takes it over from the desktop.
        page = await seated(stage, friends, 0, DESKTOP, "dark")
        await expect(page.locator(HIT)).to_be_visible()
        desktop = await screenshot(page)
        page = await seated(stage, friends, 0, PHONE, "light")
        await expect(page.locator(HIT)).to_be_visible()
        phone = await screenshot(page)
        await page.locator(HIT).click()
        await expect(page.locator(RESULT)).to_be_visible()
        result = await screenshot(page)
        assert stage.complaints == [], stage.complaints

    side_by_side = [Screen(desktop, 900, "window", "Flip 7", "dark"), Screen(phone, 280)]
    save(await framed(browser, side_by_side), folder / "game.png", 1800)
    phones = [Screen(choosing, 280, theme="dark"), Screen(phone, 280), Screen(result, 280)]
    save(await framed(browser, phones), folder / "phones.png", 1300)
    save(await framed(browser, [Screen(screen, 880, "window", "The big screen", "dark")]), folder / "tv.png", 1400)


async def seated(stage: Stage, friends: FiveFriends, seat: int, size: tuple[int, int], theme: str) -> Page:
    """Open the table on a device of the player who sits there."""
    return await stage.seated(friends.seated[seat], size, theme=theme, name=NAMES[seat], speed="instant")
