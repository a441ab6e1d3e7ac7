"""Live mode: a real game followed card by card, as it is played and not as it should be (KEEP-5)."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TypedDict

from playwright.async_api import Page, expect
from tests.browser.driver import Stage, settled
from tests.browser.scoring import has_totals, kept, new_match, share
from tests.browser.test_pages import flaws, picture

import flip7
from flip7.cli import main

SIX = ("Ana", "Ben", "Cho", "Dan", "Eve", "Fay")
ASKED = """
() => ({
  name: document.querySelector('.live .now')?.dataset.player ?? '',
  targets: [...document.querySelectorAll('.live li.target')].map((row) => row.dataset.player),
  turn: document.querySelector('.live .stay')?.textContent.includes(' stays') ?? false,
  hand: [...document.querySelectorAll('.live .now [data-card]')].map((card) => card.dataset.card),
  started: document.querySelectorAll('.live .cards [data-card]').length,
})
"""


class Asked(TypedDict):
    """What the page waits for."""

    name: str
    targets: list[str]
    turn: bool
    hand: list[str]
    started: int


class RealTable:
    """People with real cards, and the phone that follows them: every tap is counted, those that mend apart."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.cards = 0
        self.taps = 0

    async def asked(self) -> Asked:
        found: Asked = await self.page.evaluate(ASKED)
        return found

    async def card(self, card: str) -> None:
        """A card comes up for whoever the page proposes."""
        self.cards += 1
        self.taps += 1
        await self.page.locator(f'.live [data-tap="{card}"]').click()

    async def give(self, name: str) -> None:
        self.taps += 1
        await self.page.locator(f'.live [data-player="{name}"] button').click()

    async def stay(self) -> None:
        self.taps += 1
        await self.page.locator(".live .stay").click()

    async def more(self, button: str) -> None:
        """Tell of a mishap."""
        await self.page.get_by_role("button", name="More", exact=True).click()
        await self.page.get_by_role("button", name=button).click()


async def test_a_real_game_of_six_with_everything_that_goes_wrong_at_tables(stage: Stage, tmp_path: Path) -> None:
    page = await new_match(stage, SIX, target="100")
    await page.get_by_role("button", name="Live", exact=True).click()
    table = RealTable(page)

    for card in ("12", "11", "flip3"):  # dealt to Ben, Cho and Dan
        await table.card(card)
    await expect(page.locator(".live .ask")).to_contain_text("Dan chooses who gets Flip Three")
    await table.give("Eve")
    await table.card("5")
    await expect(page.locator(".live .ask")).to_contain_text("Eve flips: card 2 of 3")
    for card in ("flip3", "8"):
        await table.card(card)
    await expect(page.locator(".live .ask")).to_contain_text("set aside")
    await table.give("Ben")
    for card in ("10", "9", "8"):  # the third should be a 7: found out much later
        await table.card(card)
    mistake = "Ben: 8"
    await picture(page, "score-live")
    await settled(page)
    assert await page.evaluate("() => document.querySelector('.live .deeds').getBoundingClientRect().bottom") <= 844

    await table.more("We reshuffled")
    wrong = await table.asked()
    await page.locator('.live [data-player="Cho"] button').click()  # Cho took the card of another
    assert wrong["name"] != "Cho"
    await expect(page.locator(".live .ask")).to_contain_text("Really for Cho")
    await table.card("4")
    for card in ("3", "2"):
        await table.card(card)
    await page.get_by_role("button", name="Cards of this round").click()
    await page.locator("dialog").get_by_role("button", name=mistake).click()
    await page.locator('dialog [data-tap="7"]').click()
    await expect(page.locator("dialog").get_by_role("button", name="Ben: 7")).to_be_visible()
    assert await flaws(page) == []
    await page.get_by_role("button", name="Close").click()
    await table.more("Fay leaves")
    await expect(page.locator('.live [data-player="Fay"]')).to_contain_text("left")
    await kept(page)
    await page.reload()
    await expect(page.locator('.live [data-player="Fay"]')).to_contain_text("left")

    high = ["12", "11", "10", "9", "8", "7", "6", "5", "4", "3", "2"]
    for _ in range(200):
        if await page.locator(".podium").count():
            break
        asked = await table.asked()
        numbers = [card for card in asked["hand"] if card.isdigit()]
        if asked["targets"]:
            await table.give(asked["targets"][-1])
        elif asked["turn"] and asked["name"] in ("Ana", "Dan") and len(numbers) >= 5:
            await table.stay()
        elif asked["turn"] and asked["name"] in ("Eve", "Cho") and len(numbers) >= 4:
            await table.card(numbers[-1])  # busts: no tap more
        else:
            await table.card(next(card for card in high if card not in numbers))
    await expect(page.locator(".status h2")).to_contain_text("wins!")
    assert table.cards > 40
    assert table.taps <= 1.25 * table.cards

    async with page.expect_download() as waiting:
        await page.get_by_role("button", name="Game record").click()
    path = tmp_path / "game.flip7"
    await (await waiting.value).save_as(path)
    text = path.read_text()
    for deviation in ("!shuffle", "!to:", "!leave:5"):
        assert deviation in text
    assert main(["check", str(path)]) == 0
    game = flip7.Game.from_record(text)
    await has_totals(page, {name: seat.total for name, seat in zip(SIX, game.seats, strict=True)})
    assert game.winner is not None
    await expect(page.locator(".status h2")).to_have_text(f"{SIX[game.winner]} wins!")


async def test_live_cards_are_seen_by_all_at_once_and_a_card_that_should_be_gone_is_taken_anyway(stage: Stage) -> None:
    one = await new_match(stage, ["Ana", "Ben"])
    links = await share(one)
    two = await stage.page(links["enter"])
    await two.get_by_role("button", name="I enter for everybody").click()
    follower = await stage.page(links["watch"])
    tv = await stage.page(links["watch"] + "?tv=1", (1280, 800))
    await one.get_by_role("button", name="Live", exact=True).click()
    await two.get_by_role("button", name="Live", exact=True).click()
    await one.locator('.live [data-tap="0"]').click()
    for page in (two, follower, tv):
        await expect(page.locator('.live [data-player="Ben"] [data-card="0"]')).to_be_visible()
    await expect(tv.get_by_role("button")).to_have_count(0)
    await two.locator('.live [data-tap="0"]').click()
    await expect(two.locator(".live .error")).to_contain_text("No 0 should be left")
    await two.get_by_role("button", name="Take it anyway").click()
    await expect(one.locator('.live [data-player="Ana"] [data-card="0"]')).to_be_visible()

    await one.locator(".live").get_by_role("button", name="Undo").click()  # its own step, not that of the other phone
    await expect(one.locator(".status")).to_contain_text("Took back: Ben: 0")
    await expect(two.locator('.live [data-player="Ben"] [data-card="0"]')).to_have_count(0)
    await one.locator('.live [data-tap="0"]').click()
    await expect(one.locator(".live .error")).to_contain_text("No 0 should be left")
    await two.context.set_offline(True)
    await expect(two.locator(".status")).to_contain_text("offline")
    await one.locator('.live [data-tap="9"]').click()
    await two.locator('.live [data-tap="8"]').click()
    await two.context.set_offline(False)
    for page in (one, two):
        await expect(page.get_by_text("A card of round 1")).to_be_visible()
    await one.get_by_role("button", name=re.compile(r"Take \w+: 9")).click()
    for page in (one, two):
        await expect(page.get_by_text("A card of round 1")).to_have_count(0)
        await expect(page.locator('.live .seats [data-card="9"]')).to_be_visible()
        await expect(page.locator('.live .seats [data-card="8"]')).to_have_count(0)
