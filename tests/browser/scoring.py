"""Drives the scorekeeper's pages the way people at a table do."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import urlsplit

from playwright.async_api import Page, expect
from tests.browser.driver import Stage, becomes

Hand = Sequence[str] | int | str

# Changes of the database are made one after the other: when this one is done, those that came before it are too.
KEPT = """() => new Promise((resolve, reject) => {
  const opening = indexedDB.open('flip7-matches', 1);
  opening.onerror = () => reject(opening.error);
  opening.onsuccess = () => {
    const change = opening.result.transaction('matches', 'readwrite');
    change.objectStore('matches').count();
    change.onabort = () => reject(change.error);
    change.oncomplete = () => {
      opening.result.close();
      resolve();
    };
  };
})"""
TWICE = """async (button) => {
  button.scrollIntoView({ block: 'nearest' });
  const box = button.getBoundingClientRect();
  for (let taps = 0; taps < 2; taps += 1) {
    const there = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
    (there.closest('button') ?? there).click();
    await new Promise((done) => setTimeout(done, 125));
  }
}"""


class Taps:
    """Counts how often the page is tapped."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.count = 0

    async def tap(self, selector: str) -> None:
        self.count += 1
        await self.page.locator(selector).click()


async def new_match(
    stage: Stage, names: Sequence[str], size: tuple[int, int] = (390, 844), target: str = "200"
) -> Page:
    """A page with a match that has just begun."""
    page = await stage.page("/score", size)
    await start(page, names, target)
    return page


async def start(page: Page, names: Sequence[str], target: str = "200") -> None:
    rows = page.locator("form ol > li")
    await expect(rows.first).to_be_visible()
    there = await rows.count()
    for count in range(there, len(names)):
        await page.get_by_role("button", name="Add a player").click()
        await expect(rows).to_have_count(count + 1)
    for count in range(there, len(names), -1):
        await rows.last.get_by_role("button", name="Remove").click()
        await expect(rows).to_have_count(count - 1)
    for i, name in enumerate(names):
        await rows.nth(i).locator("input[type=text]").fill(name)
    await page.get_by_label("Target").fill(target)
    await page.get_by_role("button", name="Start", exact=True).click()
    await expect(page.locator(".entry")).to_be_visible()


async def enter_round(page: Page, hands: Sequence[Hand]) -> int:
    """Enter a round by tapping; returns how many taps it took."""
    taps = Taps(page)
    for hand in hands:
        before = await page.locator(".entry h3").inner_text()
        if hand == "bust":
            await taps.tap(".entry .go .danger")
        else:
            assert isinstance(hand, Sequence)
            for card in hand:
                await taps.tap(f'.entry [data-tap="{card}"]')
            await taps.tap(".entry .go .accent" if hand else ".entry .nothing")
        if hand is not hands[-1]:
            await expect(page.locator(".entry h3")).not_to_have_text(before)
    return taps.count


async def enter_points(page: Page, points: Sequence[int]) -> None:
    """Enter a round, or the rest of one, by typing points."""
    for number in points:
        await page.locator(".entry input[inputmode=none]").fill(str(number))
        await page.locator(".entry .go .accent").click()


async def totals(page: Page) -> dict[str, int]:
    """Everybody's total as the board shows it."""
    rows = await page.locator(".board li").all()
    return {str(await row.get_attribute("data-player")): int(await row.locator(".total").inner_text()) for row in rows}


async def has_totals(page: Page, wanted: dict[str, int]) -> None:
    """The board comes to show these totals, in this order."""

    async def shown() -> list[tuple[str, int]]:
        return list((await totals(page)).items())

    await becomes(shown, list(wanted.items()))


async def kept(page: Page) -> None:
    """Wait until what was entered is written down: whoever leaves the page at once may lose it."""
    await page.evaluate(KEPT)


def path_of(link: str) -> str:
    """The path of a link: its host is one that others reach, and need not be reached from here."""
    parts = urlsplit(link)
    return parts.path + (f"#{parts.fragment}" if parts.fragment else "")


async def share(page: Page) -> dict[str, str]:
    """Share the match that is open; the paths of the links by what they are for."""
    await page.get_by_role("button", name="Share", exact=True).click()
    await page.get_by_role("button", name="Share this match").click()
    await expect(page.locator("[data-link=enter]")).to_be_visible()
    links = {what: path_of(await page.locator(f"[data-link={what}]").inner_text()) for what in ("watch", "enter")}
    await page.get_by_role("button", name="Close").click()
    return links


async def tap_twice(page: Page, selector: str) -> None:
    """Two taps on one spot, an eighth of a second apart by the clock of the page, whatever lies there by then."""
    await page.locator(f"{selector}:enabled").evaluate(TWICE)


async def leave_live(page: Page) -> None:
    """Back from live mode to entering whole hands; what was tapped stays."""
    await page.get_by_role("button", name="More", exact=True).click()
    await page.get_by_role("button", name="Back to entering rounds").click()
