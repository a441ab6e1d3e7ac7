"""The scorekeeper's pages fit: on the narrowest phone, for people who see or point less well, and on paper."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.async_api import Page, expect
from tests import parts
from tests.browser.driver import Stage, settled
from tests.browser.scoring import enter_points, enter_round, leave_live, new_match, share, start
from tests.browser.test_pages import flaws, picture, sideways

SMALL = """
() => [...document.querySelectorAll('.entry button')].filter((b) => b.offsetWidth < 32 || b.offsetHeight < 44).length
"""
# Where the lowest of what one taps to enter a hand ends, with the page not scrolled.
BELOW = """
() => Math.max(...[...document.querySelectorAll('.entry :is(.go, .pad, .digits), .live :is(.pad, .deeds)')].map(
  (one) => one.getBoundingClientRect().bottom + scrollY))
"""
# How far to the right anything on the page can be reached by scrolling.
REACH = "() => Math.max(document.documentElement.scrollWidth, document.body.scrollWidth)"


async def below(page: Page) -> float:
    """Where the lowest of what one taps ends, once the page has been laid out."""
    await settled(page)
    lowest: float = await page.evaluate(BELOW)
    return lowest


async def test_the_cards_to_tap_fit_on_small_phones_and_axe_finds_nothing(stage: Stage) -> None:
    page = await stage.page("/score", (320, 568), theme="light")
    await start(page, [f"Maximiliane {i}" for i in range(6)])
    for how in ("Points", "Cards"):
        await page.get_by_role("radio", name=how).check()
        assert await below(page) <= 568
    assert await page.evaluate(SMALL) == 0
    await enter_round(page, [["12"], *[["11"]] * 4, ["x2", "+4"]])
    assert not await sideways(page)
    assert await flaws(page) == []
    await page.evaluate("() => { document.documentElement.dataset.theme = 'dark' }")
    assert await flaws(page) == []
    await picture(page, "score-6-dark")
    for what in ("Players", "Share", "Correct round 1"):
        await page.get_by_role("button", name=what).first.click()
        await expect(page.get_by_role("dialog")).to_be_visible()
        assert await flaws(page) == []
        await page.get_by_role("button", name="Close").click()
    await page.get_by_role("button", name="Live", exact=True).click()
    await page.locator('.live [data-tap="12"]').click()
    assert await below(page) <= 568
    assert not await sideways(page)
    assert await flaws(page) == []
    await page.goto(f"{stage.url}/score")
    await page.set_viewport_size({"width": 390, "height": 844})
    await start(page, [f"Maximiliane {i}" for i in range(12)])
    assert await below(page) <= 844
    await page.get_by_role("button", name="Live", exact=True).click()
    await page.locator('.live [data-tap="12"]').click()
    assert await below(page) <= 844
    for path in ("/score", "/score/statistics", "/score/sheet"):
        await page.goto(stage.url + path)
        await expect(page.locator("h1")).to_be_visible()
        assert await flaws(page) == []
        assert not await sideways(page)


async def test_no_page_scrolls_sideways_on_a_phone(stage: Stage) -> None:
    wide: list[str] = []
    players = 8

    async def look(page: Page, where: str) -> None:
        for width in (390, 320):
            await page.set_viewport_size({"width": width, "height": 700})
            await settled(page)
            reach: int = await page.evaluate(REACH)
            if reach > width:
                wide.append(f"{where}: {reach} px at {width}")

    names = ["W" * 24, "Ben", *(f"Maximiliane-Charlotte {i}" for i in range(2, players))]
    page = await stage.page("/score", (320, 700))
    await look(page, "new")
    await start(page, names)
    await look(page, "first round")
    await enter_round(page, [["12", "11", "10", "9", "8", "7", "x2"], "bust", ["+10"], *[["12"]] * (players - 3)])
    await look(page, "second round")
    for what in ("Players", "Correct round 1"):
        await page.get_by_role("button", name=what).first.click()
        await expect(page.get_by_role("dialog")).to_be_visible()
        await look(page, what)
        await page.get_by_role("button", name="Close").click()
    links = await share(page)
    await page.get_by_role("button", name="Share", exact=True).click()
    await expect(page.locator("dialog svg").first).to_be_visible()
    await look(page, "share")
    await page.get_by_role("button", name="Close").click()
    follower = await stage.page(links["watch"], (320, 700), language="de")
    await expect(follower.locator(".board")).to_be_visible()
    await look(follower, "following")
    await page.get_by_role("button", name="Live", exact=True).click()
    for card in ("12", "flip3"):
        await page.locator(f'.live [data-tap="{card}"]').click()
        await look(page, f"live: {card}")
    for _ in range(2):
        await page.locator(".live").get_by_role("button", name="Undo").click()
    await leave_live(page)
    await page.get_by_role("radio", name="Points").check()
    await look(page, "points")
    await enter_points(page, [100, *[0] * (players - 1)])
    await expect(page.locator(".status h2")).to_contain_text("wins")
    await look(page, "won")
    for path in ("/score", "/score/statistics", "/score/sheet"):
        await page.goto(stage.url + path)
        await expect(page.locator("h1")).to_be_visible()
        await look(page, path)
    assert wide == []


async def printed(page: Page, folder: Path) -> tuple[str, list[tuple[float, float]]]:
    """The page as the printer gets it: its text, and the size of each sheet in points."""
    path = folder / "print.pdf"
    await settled(page)
    await page.pdf(path=path, prefer_css_page_size=True, print_background=False)
    told = parts.poppler("pdfinfo", "-l", "99", str(path))
    sizes = [(float(w), float(h)) for w, h in re.findall(r"size:\s+([\d.]+) x ([\d.]+)", told)]
    return parts.poppler("pdftotext", "-layout", str(path), "-"), sizes


@pytest.mark.parametrize(
    ("players", "paper", "size", "pages"),
    [("6", "A4", (595, 842), 1), ("12", "Letter", (792, 612), 1), ("20", "A4", (842, 595), 2)],
)
async def test_blank_sheets_are_printed(
    stage: Stage, tmp_path: Path, players: str, paper: str, size: tuple[int, int], pages: int
) -> None:
    page = await stage.page("/score/sheet", (1280, 800))
    await page.get_by_label("Players").fill(players)
    await page.get_by_role("radio", name=paper).check()
    text, sizes = await printed(page, tmp_path)
    assert [(round(w), round(h)) for w, h in sizes] == [size] * pages
    assert text.count("Double that sum") == pages
    assert "Print" not in text


async def test_a_match_is_printed_without_its_buttons(stage: Stage, tmp_path: Path) -> None:
    page = await new_match(stage, ["Ana", "Ben"], size=(1280, 800))
    await enter_round(page, [["12", "x2"], "bust"])
    text, sizes = await printed(page, tmp_path)
    assert len(sizes) == 1
    assert "24" in text
    for button in ("Undo", "Share", "Players", "Spreadsheet"):
        assert button not in text
