"""A phone in landscape: seats, piles and the hand with its buttons lie beside each other, and all of it is in view."""

from __future__ import annotations

import pytest
from playwright.async_api import Page, expect
from tests.browser.driver import HIT, ME, STAY, TARGET, Stage, asked, play, settled
from tests.browser.test_pages import LONG, OVERLAPS, flaws, picture
from tests.browser.test_seen import INSIDE, TWELVE, lay_out, own_turn
from tests.server.client import Process

SIZES = ((568, 320), (667, 375), (844, 390), (915, 412), (1024, 500))
OUTSIDE = """() => [...document.querySelectorAll('button, select, [role=slider], input, .total, .points, .note')]
.filter((it) => !it.closest('.many .seats') && it.checkVisibility({ visibilityProperty: true }))
.filter((it) => {
  const box = it.getBoundingClientRect();
  return box.width > 1 && (box.left < 0 || box.top < 0 || box.right > innerWidth || box.bottom > innerHeight);
}).map((it) => it.outerHTML.slice(0, 120))"""
SPILLS = """() => ['.hand', '.controls', '.bar', '.bottom'].filter((name) => {
  const it = document.querySelector(name);
  return it && (it.scrollWidth > it.clientWidth + 1 || it.scrollHeight > it.clientHeight + 1);
})"""


async def turn(page: Page, size: tuple[int, int]) -> None:
    """Give the window this size, and wait until it has been laid out."""
    await page.set_viewport_size({"width": size[0], "height": size[1]})
    await settled(page)


async def fits(page: Page, name: str, size: tuple[int, int]) -> None:
    """Nothing overlaps, leaves the window, or is larger than its place."""
    await turn(page, size)
    await picture(page, f"{name}-{size[0]}x{size[1]}")
    for script in (OVERLAPS, OUTSIDE, SPILLS):
        assert await page.evaluate(script) == [], (name, size)


def bots(server: Process, count: int) -> list[str]:
    known = [bot["id"] for bot in server.get("/api/bots").json()["bots"]]
    return [known[i % len(known)] for i in range(count)]


@pytest.mark.parametrize(("seats", "language", "theme"), [(2, "de", "dark"), (6, "fr", "light"), (18, "de", "dark")])
async def test_hit_and_stay_lie_beside_the_seats(
    stage: Stage, server: Process, seats: int, language: str, theme: str
) -> None:
    body = {"player": {"name": LONG}, "bots": bots(server, seats - 1), "options": {"speed": "instant"}}
    page = await stage.seated(server.seat("/api/quick", body), SIZES[0], language=language, theme=theme)
    await own_turn(page)
    hands: list[tuple[str, list[str]] | None] = [("active", TWELVE[-7:]), ("busted", ["12", "7", "3", "12"])]
    await lay_out(page, [None, *(hands * seats)[: seats - 1]])
    for size in SIZES:
        await fits(page, f"landscape-{seats}", size)
        for button in (HIT, STAY):
            await expect(page.locator(button)).to_be_in_viewport(ratio=1)
            await page.locator(button).click(trial=True)
        if seats < 18:
            assert await page.locator(".seats .card.mini").evaluate_all(INSIDE) == 0, size
    assert await flaws(page) == []


HIDDEN = """all => all.filter((card, i) => {
  const [a, b] = [card, all[i + 1]].map((one) => one?.getBoundingClientRect());
  return b && b.top < a.bottom && a.top < b.bottom && b.left > a.left && b.left < a.right - 1;
}).length"""


async def test_short_hands_are_seen_whole(stage: Stage, server: Process) -> None:
    body = {"player": {"name": "Ana"}, "bots": bots(server, 5), "options": {"speed": "instant"}}
    page = await stage.seated(server.seat("/api/quick", body), (844, 390))
    await own_turn(page)
    await lay_out(page, [None, *[("active", ["12", "10", "11"])] * 5])
    cards = page.locator(".seats .card.mini")
    await expect(cards.nth(14)).to_be_visible()
    assert await cards.evaluate_all(HIDDEN) == 0
    assert await cards.first.evaluate("card => card.getBoundingClientRect().width") >= 19


async def test_the_piles_have_the_room_of_the_seats_where_nobody_else_plays(stage: Stage, server: Process) -> None:
    page = await stage.seated(server.seat("/api/tables", {"players": [{"name": LONG}], "start": True}), SIZES[0])
    await own_turn(page)
    for size in SIZES:
        await fits(page, "landscape-alone", size)
        box = await page.locator(".middle").bounding_box()
        hand = await page.locator(".hand").bounding_box()
        assert box
        assert hand
        assert box["width"] >= hand["x"] - 1


@pytest.mark.parametrize("seats", [4, 10])
async def test_whoever_may_be_chosen_can_be_tapped(stage: Stage, server: Process, seats: int) -> None:
    body = {"player": {"name": LONG}, "bots": bots(server, seats - 1), "options": {"speed": "instant"}}
    page = await asked(stage, server, body, TARGET, enough=200, size=SIZES[0], language="de")
    for size in SIZES:
        await fits(page, f"landscape-target-{seats}", size)
        for choice in await page.locator(f"{TARGET}, {ME}").all():
            await choice.click(trial=True)
    assert await flaws(page) == []


async def test_those_who_watch_and_the_end_find_their_place(stage: Stage, server: Process) -> None:
    body = {"player": {"name": LONG}, "bots": bots(server, 3)}
    seated = server.seat("/api/quick", body | {"options": {"speed": "instant"}})
    await own_turn(await stage.seated(seated))  # nothing else changes the table
    watcher, screen = await stage.page(f"/t/{seated.code}", SIZES[0]), await stage.page(f"/tv/{seated.code}", SIZES[0])
    await watcher.get_by_role("button", name="Just watch").click()
    for one in (watcher, screen):
        await one.locator("[data-seat]").first.wait_for()
        await fits(one, "landscape-watched", SIZES[0])
    await expect(screen.locator("aside.log")).to_have_count(0)
    page = await stage.seated(
        server.seat("/api/quick", body | {"options": {"target": 10, "speed": "instant"}}), SIZES[1], language="fr"
    )
    await play(page)
    await expect(page.get_by_role("button", name="Revanche")).to_be_in_viewport(ratio=1)
    await picture(page, "landscape-result")
    await page.get_by_role("link", name="Revoir la partie").click()
    await page.get_by_role("slider").wait_for()
    for size in SIZES:
        await fits(page, "landscape-replay", size)
    assert await flaws(page) == []


async def test_the_way_into_a_game_is_in_view(stage: Stage) -> None:
    page = await stage.page("/", SIZES[0], language="fr")
    await expect(page.locator(".now .accent")).to_be_in_viewport(ratio=1)
    await page.locator(".how").click()
    for part in (".words", ".bar"):
        await expect(page.locator(f".scene {part}")).to_be_in_viewport(ratio=1)
