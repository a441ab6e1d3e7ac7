"""The daily challenge and the profile in the browser: one try, a line to share, and what the device remembers."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from playwright.async_api import Page, Route, expect
from tests.browser.driver import Stage, glimpsed, play
from tests.browser.test_pages import SIZES, flaws, picture, sideways
from tests.server.client import Process


@pytest.mark.parametrize(("size", "theme"), [("320x568", "dark"), ("1280x800", "light")])
async def test_the_deck_of_the_day_is_played_once_and_shared(
    stage: Stage, server: Process, size: str, theme: str
) -> None:
    page = await stage.page("/", SIZES[size], theme=theme)
    await page.get_by_role("link", name="Daily challenge").click()
    await expect(page).to_have_title("Daily challenge · Flip 7")
    await expect(page.get_by_role("heading", name="Flip 7 #1")).to_be_visible()
    assert await flaws(page) == []
    await picture(page, f"daily-{size}-{theme}")
    await page.get_by_role("button", name="Play today’s deck").click()
    await play(page, enough=30)
    assert await page.get_by_role("button", name="Rematch").count() == 0
    await page.get_by_role("link", name="To the daily challenge").click()
    await expect(page.get_by_role("button", name="Share the result")).to_be_visible()
    assert await flaws(page) == []
    assert not await sideways(page)
    await picture(page, f"daily-done-{size}-{theme}")
    await page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    await page.evaluate("() => Object.defineProperty(navigator, 'share', { value: undefined })")
    async with glimpsed(page, "button", "Copied"):
        await page.get_by_role("button", name="Share the result").click()
    shared = await page.evaluate("() => navigator.clipboard.readText()")
    assert shared.startswith("Flip 7 #1 ")
    assert " round" in shared
    assert shared.endswith("/daily")
    await page.reload()
    await expect(page.locator("li.me")).to_have_count(1)
    assert await page.get_by_role("button", name="Play today’s deck").count() == 0
    # Somebody else on another device does not see the table before the own try.
    other = await stage.page("/daily", SIZES[size], theme=theme, language="fr")
    await expect(other.get_by_text("Le classement s’affiche après votre essai.")).to_be_visible()
    assert stage.complaints == []


RESULT = {"name": "Ana", "rounds": 6, "total": 204, "signs": "🟩🟩💥🟨🟩🟩", "game": "yesterday"}


def deck(number: int, date: str, **more: object) -> dict[str, object]:
    return {"number": number, "date": date, "promise": f"{number:064x}", "promised": date, **more}


def answered(**more: object) -> dict[str, object]:
    """What the server says of the second day."""
    return {
        "today": deck(2, "2026-11-19", promised="2026-11-18"),
        "tomorrow": deck(3, "2026-11-20", promised="2026-11-19"),
        "yesterday": deck(1, "2026-11-18"),
        "target": 200,
        "seconds": 86_000.0,
        "players": 3,
        "begun": False,
        "spent": False,
        "place": None,
        "mine": None,
        "mine_yesterday": None,
        "table": [],
        "solver": None,
        "solving": False,
        **more,
    }


async def daily_page(stage: Stage, bodies: list[dict[str, object]]) -> Page:
    """The page of the day, with a server that gives these answers, the last one again and again.

    The list may be changed later: what it holds then is answered from then on.
    """
    page = await stage.page("/", SIZES["390x844"])

    async def answer(route: Route) -> None:
        await route.fulfill(json=bodies.pop(0) if len(bodies) > 1 else bodies[0])

    await page.route("**/api/daily", answer)
    await page.get_by_role("link", name="Daily challenge").click()
    return page


async def test_whoever_finished_after_midnight_finds_the_result_and_the_streak_goes_on(stage: Stage) -> None:
    page = await daily_page(stage, [answered(mine_yesterday=RESULT)])
    await expect(page.get_by_role("heading", name="Your result of yesterday")).to_be_visible()
    await expect(page.get_by_text("Flip 7 #1 · 6 rounds")).to_be_visible()
    await expect(page.get_by_role("button", name="Share yesterday’s result")).to_be_visible()
    await expect(page.get_by_text("1 day in a row")).to_be_visible()  # though no game ended on this page
    await expect(page.get_by_text("Seed and salt are told half an hour after midnight UTC.")).to_be_visible()
    await expect(page.get_by_text("promised on the day itself")).to_have_count(1)
    assert await flaws(page) == []


async def test_whoever_left_is_not_invited_to_go_on(stage: Stage) -> None:
    page = await daily_page(stage, [answered(begun=True, spent=True)])
    await expect(page.get_by_text("that was your try")).to_be_visible()
    assert await page.get_by_role("button", name="today’s deck").count() == 0


async def test_a_row_below_the_table_is_shown_and_the_page_does_not_grow_old(stage: Stage) -> None:
    others = [{**RESULT, "name": f"Player {place}", "game": f"g{place}"} for place in range(1, 101)]
    done = answered(begun=True, mine={**RESULT, "game": "mine"}, place=140, players=150, table=others, seconds=1.0)
    answers = [done]
    page = await daily_page(stage, answers)
    await expect(page.locator("li.me")).to_contain_text("140")
    answers[:] = [answered(seconds=3700.0)]
    await expect(page.get_by_role("button", name="Play today’s deck")).to_be_visible()  # the next day has come
    await expect(page.get_by_text("in 1 h 2 min")).to_be_visible()
    answers[:] = [answered(begun=True)]
    await page.evaluate("() => document.dispatchEvent(new Event('visibilitychange'))")
    await expect(page.get_by_role("button", name="Go on with today’s deck")).to_be_visible()


async def test_the_profile_counts_what_was_played_and_travels_as_a_file(
    stage: Stage, server: Process, tmp_path: Path
) -> None:
    page = await stage.seated(
        server.seat("/api/quick", {"player": {"name": "Ana"}, "bots": ["carl", "bea"], "options": {"target": 30}})
    )
    await play(page, enough=25)
    won = int(await page.locator(".ranking li .name").first.inner_text() == "Ana")
    await page.goto(f"{stage.url}/profile")
    facts = page.locator(".facts div")
    await expect(facts.filter(has_text="Games")).to_contain_text("1")
    await expect(facts.filter(has=page.get_by_text("Won", exact=True))).to_contain_text(str(won))
    await expect(page.get_by_text(f"{won} of 1 won")).to_have_count(2)
    assert await flaws(page) == []
    await picture(page, "profile-390x844-dark")
    async with page.expect_download() as download:
        await page.get_by_role("button", name="Export").click()
    path = tmp_path / "profile.json"
    await (await download.value).save_as(path)
    kept = json.loads(path.read_text())
    assert kept["games"][0]["bots"] == ["carl", "bea"]

    other = await stage.page("/profile", SIZES["320x568"], theme="light")
    await expect(other.get_by_text("Finish a game, and it is counted here.")).to_be_visible()
    await other.locator("input[type=file]").set_input_files(path)
    await expect(other.get_by_role("status")).to_have_text("1 game was added.")
    await expect(other.get_by_text("Careful Carl")).to_be_visible()
    await other.locator("input[type=file]").set_input_files(path)
    await expect(other.get_by_role("status")).to_have_text("0 games were added.")
    (tmp_path / "other.json").write_text('{"format": "something"}')
    await other.locator("input[type=file]").set_input_files(tmp_path / "other.json")
    await expect(other.get_by_role("status")).to_have_text("This file is no profile. Nothing was changed.")
    assert not await sideways(other)
    assert await flaws(other) == []
    assert stage.complaints == []


@pytest.mark.parametrize(
    ("path", "title"),
    [
        ("/", "Flip 7"),
        ("/rules", "The rules · Flip 7"),
        ("/settings", "Settings · Flip 7"),
        ("/profile", "Your profile · Flip 7"),
        ("/score", "Scorekeeper · Flip 7"),
        ("/nowhere", "There is nothing at this address. · Flip 7"),
    ],
)
async def test_every_page_says_its_title(stage: Stage, server: Process, path: str, title: str) -> None:
    page = await stage.page(path)
    await expect(page).to_have_title(title)
