"""Every page at every size, by day and by night: nothing overlaps, nothing scrolls sideways, axe finds nothing."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.async_playwright import Axe  # type: ignore[import-untyped]
from playwright.async_api import Page, Response, expect
from tests.browser.driver import GO_ON, HIT, ME, TARGET, Stage, act, play, waiting
from tests.server.client import Process

SIZES = {"320x568": (320, 568), "390x844": (390, 844), "1280x800": (1280, 800), "1920x1080": (1920, 1080)}
LONG = "Maximiliane-Alexandrina"
FIRST_LOAD = 120_000
SHOTS = os.environ.get("FLIP7_SHOTS")
"""A directory for pictures of every page, to be looked at."""

# Boxes that must lie inside the window, apart from each other.
OVERLAPS = """
() => {
  const names = ['.table > header', '.board .seats', '.deck', '.spot', '.hand', '.controls', '.board > .log'];
  const boxes = names
    .flatMap((name) => [...document.querySelectorAll(name)].map((element) => [name, element.getBoundingClientRect()]))
    .filter(([, box]) => box.width && box.height);
  const wrong = [];
  const wide = innerWidth >= 900;
  for (const [name, box] of boxes) {
    if (box.left < -1 || box.top < -1 || box.right > innerWidth + 1 || box.bottom > innerHeight + 1) {
      wrong.push(`${name} leaves the window`);
    }
  }
  const oval = wide && document.querySelector('.board:not(.many)');
  const apart = boxes.filter(([name]) => !(oval && name === '.board .seats'));
  if (oval) {
    for (const seat of document.querySelectorAll('.place')) apart.push(['seat', seat.getBoundingClientRect()]);
  }
  apart.forEach(([name, a], i) =>
    apart.slice(i + 1).forEach(([other, b]) => {
      const x = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const y = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      if (x > 2 && y > 2) wrong.push(`${name} overlaps ${other} by ${Math.round(x)}x${Math.round(y)}`);
    }),
  );
  if (document.documentElement.scrollWidth > innerWidth) wrong.push('the page scrolls sideways');
  for (const button of document.querySelectorAll('.controls button, .table > header :is(a, button)')) {
    const box = button.getBoundingClientRect();
    if (box.width && (box.width < 40 || box.height < 40)) wrong.push(`${button.textContent} is too small to tap`);
  }
  return wrong;
}
"""
SIDEWAYS = "() => document.documentElement.scrollWidth > innerWidth"


async def picture(page: Page, name: str) -> None:
    if SHOTS:
        await page.screenshot(path=Path(SHOTS) / f"{name}.png")


async def flaws(page: Page) -> list[str]:
    """What axe finds wrong, in words."""
    found: dict[str, Any] = (await Axe().run(page)).response
    return [f"{rule['id']}: {node['html'][:160]}" for rule in found["violations"] for node in rule["nodes"]]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("seats", [3, 6, 18])
async def test_a_table_fits(stage: Stage, server: Process, seats: int, size: str) -> None:
    bots = [bot["id"] for bot in server.get("/api/bots").json()["bots"]]
    chosen = [bots[i % len(bots)] for i in range(seats - 1)]
    seated = server.seat("/api/quick", {"player": {"name": LONG}, "bots": chosen})
    page = await stage.seated(seated, SIZES[size], language="fr", theme="light" if seats == 6 else "dark")
    for _ in range(4 if seats < 18 else 2):
        await waiting(page)
        assert await page.evaluate(OVERLAPS) == []
        if await page.locator(GO_ON).count():
            break
        await act(page, enough=60)
        await page.wait_for_timeout(60)
    await waiting(page)
    await picture(page, f"table-{seats}-{size}")
    acting = page.locator(".seats .seat.acting").first
    if await acting.count():
        await expect(acting).to_be_in_viewport()


@pytest.mark.parametrize("size", SIZES)
async def test_thirty_six_seats_fit_the_big_screen_and_a_phone(stage: Stage, server: Process, size: str) -> None:
    bots = [bot["id"] for bot in server.get("/api/bots").json()["bots"]]
    chosen = [bots[i % len(bots)] for i in range(35)]
    seated = server.seat("/api/tables", {"players": [{"name": LONG}], "bots": chosen, "start": True})
    page = await stage.page(f"/tv/{seated.code}", SIZES[size])
    await expect(page.locator(".seats [data-seat]")).to_have_count(36)
    assert not await page.evaluate(SIDEWAYS)
    await picture(page, f"tv-36-{size}")
    if SIZES[size][0] >= 1920:
        low = await page.locator(".seats").evaluate("list => list.scrollHeight - list.clientHeight")
        assert low <= 1


@pytest.mark.parametrize("theme", ["dark", "light"])
@pytest.mark.parametrize("size", ["320x568", "1280x800"])
async def test_axe_finds_nothing_on_any_page(stage: Stage, server: Process, size: str, theme: str) -> None:
    seated = server.seat(
        "/api/tables",
        {
            "players": [{"name": LONG}, {"name": "Ben"}],
            "options": {"target": 20, "public": True, "odds": True, "timer": 60},
        },
    )
    wrong: dict[str, list[str]] = {}

    async def look(page: Page, name: str) -> None:
        await picture(page, f"{name}-{size}-{theme}")
        wrong[name] = await flaws(page) + (["scrolls sideways"] if await page.evaluate(SIDEWAYS) else [])

    player = await stage.seated(seated, SIZES[size], theme=theme)
    await player.get_by_text("Invite friends").wait_for()
    page = await stage.page("/", SIZES[size], theme=theme, language="de")
    await expect(page.locator(".names")).to_contain_text("gegen")
    await page.get_by_text("Tisch von").first.wait_for()
    await look(page, "home")
    await page.locator(".against .btn").click()
    await look(page, "bots")
    for path, heading in (
        ("/rules", "SET-1"),
        ("/settings", "Tempo"),
        ("/pass", "Wer spielt mit?"),
        ("/nowhere", "nichts"),
    ):
        await page.goto(stage.url + path)
        await page.get_by_text(heading).first.wait_for()
        await look(page, path[1:])
    await page.goto(f"{stage.url}/t/{seated.code}")
    await page.get_by_text("lädt dich ein").wait_for()
    await look(page, "join")

    await look(player, "lobby")
    screen = await stage.page(f"/tv/{seated.code}", SIZES[size], theme=theme)
    await screen.get_by_text(seated.code, exact=True).first.wait_for()
    await look(screen, "tv-lobby")
    await player.get_by_role("button", name="Start the game").click()
    await waiting(player)
    await look(player, "table")
    await look(screen, "tv")
    await player.get_by_role("button", name="Settings").click()
    await look(player, "menu")
    await player.keyboard.press("Escape")
    while not (targets := await player.locator(f"{TARGET}, {ME}").count()):
        if await act(player, enough=500):
            break
        await waiting(player)
    if targets:
        await look(player, "target")
    await play(player, enough=10)
    await look(player, "results")
    await player.get_by_role("link", name="Watch the replay").click()
    await player.get_by_role("slider").wait_for()
    await look(player, "replay")
    assert {name: found for name, found in wrong.items() if found} == {}


async def test_the_first_load_is_small_and_calls_nobody_else(stage: Stage, server: Process) -> None:
    context = await stage.context(language="en")
    page = await context.new_page()
    sizes: dict[str, int] = {}

    async def weigh(response: Response) -> None:
        sizes[response.url] = (await response.request.sizes())["responseBodySize"]

    page.on("response", weigh)
    await page.goto(stage.url)
    await expect(page.get_by_role("button", name="Play now")).to_be_enabled()
    await page.evaluate("document.fonts.ready")
    await page.wait_for_load_state("networkidle")
    page.remove_listener("response", weigh)
    total = sum(sizes.values())
    assert 20_000 < total <= FIRST_LOAD, sizes
    assert stage.hosts == {server.url.removeprefix("http://")}


async def test_playing_shifts_nothing(stage: Stage, server: Process) -> None:
    seated = server.seat("/api/quick", {"player": {"name": "Ana"}})
    page = await stage.seated(seated, motion="full")
    await waiting(page)
    await page.evaluate(
        """() => {
          window.shifts = [];
          new PerformanceObserver((list) => {
            for (const entry of list.getEntries()) {
              if (!entry.hadRecentInput && entry.value > 0.001) {
                window.shifts.push([entry.value, ...entry.sources.map((source) => source.node?.className ?? '')]);
              }
            }
          }).observe({ type: 'layout-shift', buffered: false });
        }"""
    )
    box = await page.locator(".controls").bounding_box()
    for _ in range(5):
        await act(page, enough=30)
        await page.wait_for_timeout(100)
        await waiting(page)
        if await page.locator(HIT).count():
            assert await page.locator(".controls").bounding_box() == box
    shifts = await page.evaluate("window.shifts")
    assert sum(shift[0] for shift in shifts) < 0.1, shifts


async def test_a_ruling_opens_from_the_log(stage: Stage, server: Process) -> None:
    seated = server.seat("/api/quick", {"player": {"name": "Ana"}})
    page = await stage.seated(seated, SIZES["1280x800"])
    await waiting(page)
    await page.locator(".log").get_by_role("button", name="Ruling DEAL-1").first.click()
    dialog = page.get_by_role("dialog", name="Ruling DEAL-1")
    await expect(dialog.locator("p").first).to_contain_text("card")
    await page.keyboard.press("Escape")
    await expect(dialog).to_have_count(0)


@pytest.mark.parametrize(("language", "word"), [("de", "Regeln"), ("fr", "Règles"), ("es", "Reglas")])
async def test_only_the_chosen_language_is_loaded(stage: Stage, language: str, word: str) -> None:
    page = await stage.page("/settings")
    loaded: list[str] = []
    page.on("request", lambda request: loaded.append(request.url))
    name = {"de": "Deutsch", "fr": "Français", "es": "Español"}[language]
    await page.get_by_role("radio", name=name).check(force=True)
    await expect(page.get_by_role("button", name=word)).to_be_visible()
    assert await page.locator("html").get_attribute("lang") == language
    assert len([url for url in loaded if f"/{language}-" in url]) == 1
    assert not [url for url in loaded for other in ("de", "fr", "es") if other != language and f"/{other}-" in url]
