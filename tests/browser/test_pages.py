"""Every page at every size, by day and by night: nothing overlaps, nothing scrolls sideways, axe finds nothing."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.async_playwright import Axe  # type: ignore[import-untyped]
from playwright.async_api import Page, Response, expect
from tests.browser.driver import GO_ON, ME, TARGET, Stage, act, play, settled, waiting
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


async def sideways(page: Page) -> bool:
    """Whether the page scrolls sideways, once it has been laid out."""
    await settled(page)
    scrolls: bool = await page.evaluate(SIDEWAYS)
    return scrolls


async def resize(page: Page, size: str) -> None:
    """Give the page another size, and wait until it has been laid out."""
    width, height = SIZES[size]
    await page.set_viewport_size({"width": width, "height": height})
    await settled(page)


@pytest.mark.parametrize("seats", [3, 6, 18])
async def test_a_table_fits_every_size(stage: Stage, server: Process, seats: int) -> None:
    bots = [bot["id"] for bot in server.get("/api/bots").json()["bots"]]
    chosen = [bots[i % len(bots)] for i in range(seats - 1)]
    body = {"player": {"name": LONG}, "bots": chosen, "options": {"speed": "instant"}}
    page = await stage.seated(server.seat("/api/quick", body), language="fr", theme="light" if seats == 6 else "dark")
    for turn in range(4 if seats < 18 else 2):
        await waiting(page)
        for size in SIZES:
            await resize(page, size)
            assert await page.evaluate(OVERLAPS) == [], (turn, size)
            await picture(page, f"table-{seats}-{size}")
            acting = page.locator(".seats .seat.acting").first
            if await acting.count():
                await expect(acting).to_be_in_viewport()
        if await page.locator(GO_ON).count():
            break
        await act(page, enough=60)
        await page.wait_for_timeout(60)


async def test_thirty_six_seats_fit_the_big_screen_and_a_phone(stage: Stage, server: Process) -> None:
    bots = [bot["id"] for bot in server.get("/api/bots").json()["bots"]]
    chosen = [bots[i % len(bots)] for i in range(35)]
    seated = server.seat("/api/tables", {"players": [{"name": LONG}], "bots": chosen, "start": True})
    page = await stage.page(f"/tv/{seated.code}")
    await expect(page.locator(".seats [data-seat]")).to_have_count(36)
    for size in SIZES:
        await resize(page, size)
        assert not await sideways(page), size
        await picture(page, f"tv-36-{size}")
    low = await page.locator(".seats").evaluate("list => list.scrollHeight - list.clientHeight")
    assert low <= 1  # on the last size, the largest


async def test_axe_finds_nothing_on_any_page(stage: Stage, server: Process) -> None:
    seated = server.seat(
        "/api/tables",
        {
            "players": [{"name": LONG}, {"name": "Ben"}],
            "options": {"target": 20, "public": True, "odds": True, "timer": 60, "speed": "instant"},
        },
    )
    wrong: dict[str, list[str]] = {}

    async def look(page: Page, name: str) -> None:
        """On a phone and on a laptop, by day and by night."""
        for size, *themes in (("320x568", "light", "dark"), ("1280x800", "dark", "light")):
            await resize(page, size)
            for theme in themes:
                await page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
                await expect(page.locator(f"html[data-theme={theme}]")).to_have_count(1)
                view = f"{name}-{size}-{theme}"
                await picture(page, view)
                wrong[view] = await flaws(page) + (["scrolls sideways"] if await sideways(page) else [])

    player = await stage.seated(seated)
    await player.get_by_text("Invite friends").wait_for()
    page = await stage.page("/", language="de")
    await expect(page.locator(".names")).to_contain_text("gegen")
    await page.get_by_text("Tisch von").first.wait_for()
    await look(page, "home")
    await page.locator(".against .btn").click()
    await look(page, "bots")
    for path, heading in (
        ("/rules", "SET-1"),
        ("/settings", "Tempo"),
        ("/pass", "Wer spielt mit?"),
        ("/how", "In jeder Runde"),
        ("/nowhere", "nichts"),
    ):
        await page.goto(stage.url + path)
        await page.get_by_text(heading).first.wait_for()
        await look(page, path[1:])
    await page.goto(f"{stage.url}/t/{seated.code}")
    await page.get_by_text("lädt dich ein").wait_for()
    await look(page, "join")

    await look(player, "lobby")
    screen = await stage.page(f"/tv/{seated.code}")
    await screen.locator(".lobby").get_by_text(seated.code, exact=True).wait_for()
    await look(screen, "tv-lobby")
    await player.get_by_role("button", name="Start the game").click()
    await waiting(player)
    await look(player, "table")
    await screen.locator("[data-seat]").first.wait_for()
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
    answers: list[Response] = []

    def note(answer: Response) -> None:
        answers.append(answer)

    page.on("response", note)
    await page.goto(stage.url)
    await expect(page.get_by_role("button", name="Play now")).to_be_enabled()
    await settled(page)
    await page.wait_for_load_state("networkidle")
    page.remove_listener("response", note)
    sizes = {answer.url: (await answer.request.sizes())["responseBodySize"] for answer in answers}
    total = sum(sizes.values())
    assert 20_000 < total <= FIRST_LOAD, sizes
    assert stage.hosts == {server.url.removeprefix("http://")}


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
    await expect(page.locator("html")).to_have_attribute("lang", language)
    assert len([url for url in loaded if f"/{language}-" in url]) == 1
    assert not [url for url in loaded for other in ("de", "fr", "es") if other != language and f"/{other}-" in url]
