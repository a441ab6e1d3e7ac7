"""Live mode: a real game followed card by card."""

from __future__ import annotations

from pathlib import Path

from playwright.async_api import expect
from tests.browser.driver import Stage
from tests.browser.scoring import new_match, totals
from tests.browser.test_pages import picture

import flip7


async def test_live_mode_follows_a_real_game_with_a_chained_flip_three(stage: Stage, tmp_path: Path) -> None:
    page = await new_match(stage, ["Ana", "Ben", "Cho"], target="30")
    await page.get_by_role("button", name="Live", exact=True).click()

    async def tap(*cards: str) -> None:
        for card in cards:
            await page.locator(f'.live [data-tap="{card}"]').click()

    async def choose(name: str) -> None:
        await page.locator(".live").get_by_role("button", name=name, exact=True).click()

    await expect(page.locator(".live .ask")).to_contain_text("Which card came up for Ben?")
    await tap("12")
    await tap("flip3")
    await expect(page.locator(".live .ask")).to_contain_text("Cho chooses who gets Flip Three")
    await choose("Ben")
    await tap("5", "flip3", "freeze")
    await expect(page.locator(".live .ask")).to_contain_text("Ben chooses who gets Flip Three")
    await choose("Ana")
    await choose("Cho")
    await expect(page.locator(".live .ask")).to_contain_text("Which card came up for Ana?")
    await tap("second", "9", "9")
    await expect(page.locator(".live .log")).to_contain_text("A Second Chance saves Ana from another 9.")
    await expect(page.locator(".live .log")).to_contain_text("F3-1")
    await expect(page.locator('.live [data-seat="2"]')).to_contain_text("frozen")
    await expect(page.locator(".live .ask")).to_contain_text("Ana: hit or stay?")
    await expect(page.locator(".live .odds")).to_contain_text("bust")
    await picture(page, "score-live")
    await page.get_by_role("switch", name="Purist: no odds").check()
    await expect(page.locator(".live .odds")).to_have_count(0)
    await page.reload()
    await expect(page.locator(".live .ask")).to_contain_text("Ana: hit or stay?")
    await choose("Hit")
    await tap("10")
    await choose("Stay")
    await page.locator(".live").get_by_role("button", name="Undo").click()
    await choose("Hit")
    await tap("x2")
    await choose("Stay")
    await choose("Stay")
    await expect(page.locator(".status h2")).to_have_text("Ben wins!")
    assert await totals(page) == {"Ana": 19, "Ben": 34, "Cho": 0}
    async with page.expect_download() as waiting:
        await page.get_by_role("button", name="Game record").click()
    path = tmp_path / "game.txt"
    await (await waiting.value).save_as(path)
    game = flip7.Game.from_record(path.read_text())
    assert game.winner == 1
    assert [seat.total for seat in game.seats] == list((await totals(page)).values())
