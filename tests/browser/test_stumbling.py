"""Small things that people stumble over: keys and taps that skip, captions, signs, titles, endings, languages."""

from __future__ import annotations

import re
import socket
from itertools import count
from pathlib import Path

import msgspec
import pytest
from playwright.async_api import Browser, Route, expect
from tests.browser.conftest import quick
from tests.browser.driver import HIT, TARGET, Stage, play, settled, waiting
from tests.browser.test_endings import COUNT_CONFETTI
from tests.browser.test_pace import dealt, paced
from tests.browser.test_seen import own_turn
from tests.server.client import Process

from flip7.catalogue import texts
from flip7.protocol.messages import SeatInfo
from flip7.protocol.rest import EngineStatus, ReviewAnswer
from flip7.server.network import network_address
from flip7.server.static import FOLDER

SMALL = (320, 568)
INSTANT = {"target": 10, "speed": "instant"}


@pytest.mark.parametrize("how", ["tap", "space"])
async def test_a_tap_or_the_space_bar_goes_on_to_the_own_choice_and_makes_none(
    browser: Browser, tmp_path: Path, how: str
) -> None:
    """Also when the button has the focus that is awake by then."""
    seed = next(seed for seed in count(1) if (ask := dealt(seed).decision) and ask.kind == "turn")
    with paced(tmp_path, seed) as server:
        options = {"speed": "calm", "target": 200}
        seated = server.seat(
            "/api/quick", {"player": {"name": "Ana"}, "bots": ["kit", "kit", "kit"], "options": options}
        )
        page = await Stage(browser, server.url).seated(seated, motion="full")
        chosen: list[str] = []
        page.on("websocket", lambda socket: socket.on("framesent", lambda text: chosen.append(str(text))))
        await page.reload()
        await own_turn(page)
        await page.locator(HIT).focus()
        await page.keyboard.press("Enter")
        await expect(page.locator(HIT)).to_have_count(0)
        assert await page.evaluate("document.activeElement.getAttribute('aria-keyshortcuts')") == "H"
        await page.get_by_role("button", name="Skip").wait_for()
        if how == "tap":
            await page.locator(".middle").click(position={"x": 10, "y": 10})
        else:
            await page.keyboard.press(" ", delay=120)
        await page.locator(f"{HIT}, {TARGET}, .summary").first.wait_for(timeout=6000)  # three calm bots take longer
        assert sum('"choose"' in text for text in chosen) == 1
        assert any('"skip"' in text for text in chosen)


@pytest.mark.parametrize("language", ["de", "fr"])
async def test_a_caption_stays_until_it_is_read_and_covers_nothing_that_is_to_be_tapped(
    browser: Browser, tmp_path: Path, language: str
) -> None:
    seed = next(seed for seed in count(1) if (ask := dealt(seed).decision) and ask.kind == "target")
    with Process(quick(tmp_path, seed)) as server:
        stage = Stage(browser, server.url)
        page = await stage.seated(
            server.seat("/api/quick", {"player": {"name": "Ana"}, "options": {"speed": "fast"}}),
            SMALL,
            tips=True,
            language=language,
        )
        await page.locator(TARGET).first.wait_for()
        await expect(page.locator(".lesson")).to_be_visible()
        await settled(page)
        covered = """all => all.filter((seat) => {
          const box = seat.getBoundingClientRect();
          const x = box.left + box.width / 2;
          const over = (share) => document.elementFromPoint(x, box.top + box.height * share)?.closest('.seat');
          return x < innerWidth && [0.1, 0.5, 0.95].some((share) => over(share) !== seat);
        }).length"""
        assert await page.locator(TARGET).evaluate_all(covered) == 0
        lesson = await page.locator(".lesson").bounding_box()
        controls = await page.locator(".controls").bounding_box()
        assert lesson
        assert controls
        assert lesson["y"] + lesson["height"] <= controls["y"] + 1
        words = await page.locator(".lesson p").inner_text()
        await page.locator(TARGET).first.click()
        await waiting(page)
        assert await page.locator(".lesson p").inner_text() == words
        await page.locator(".lesson .btn").click()
        await expect(page.locator(".lesson p")).not_to_have_text(words)


@pytest.mark.parametrize("bots", [1, 8])
async def test_a_lost_player_has_a_sign_that_is_whole_and_says_what_it_means(
    stage: Stage, server: Process, bots: int
) -> None:
    ana = server.seat("/api/tables", {"players": [{"name": "Ana"}], "options": {"speed": "instant"}})
    ben = server.seat(f"/api/tables/{ana.code}/join", {"players": [{"name": "Ben"}]})
    host, guest = await stage.seated(ana, SMALL, language="de"), await stage.seated(ben)
    for _ in range(bots):
        await host.get_by_role("button", name="Bot dazunehmen").click()
        await host.get_by_role("button", name="Bold Bea dazunehmen").click()
        await host.keyboard.press("Escape")
    await guest.get_by_role("button", name="I am ready").click()
    await host.get_by_role("button", name="Spiel beginnen").click()
    await waiting(host, guest)
    await guest.context.close()
    sign = host.locator(".seat .away")
    await sign.wait_for()
    await expect(sign).to_have_attribute("aria-label", texts("de")("table.lost"))
    seat = host.locator(".seat", has=host.locator(".away"))
    await expect(seat).to_have_attribute("aria-label", re.compile(re.escape(texts("de")("table.lost"))))
    await settled(host)
    whole = "sign => sign.scrollWidth <= sign.parentElement.clientWidth && sign.getBoundingClientRect().width >= 12"
    assert await sign.evaluate(whole)


async def test_without_its_language_the_page_is_english_and_without_any_it_says_so(stage: Stage) -> None:
    stage.harmless += ("ERR_FAILED",)

    async def lost(route: Route) -> None:
        await route.abort()

    for missing, told in (("de-play", "Play now"), ("*-play", "Diese Seite ist nicht ganz angekommen")):
        page = await (await stage.context(language="de")).new_page()  # a first visit: nothing is kept yet
        await page.route(f"**/assets/{missing}*", lost)
        await page.goto(stage.url)
        await expect(page.get_by_text(told)).to_be_visible()


def test_the_layout_asks_for_nothing_that_only_the_newest_browsers_read() -> None:
    """Safari before 16.4 passes over media queries that are written as ranges."""
    sheets = [sheet.read_text("utf-8") for sheet in (FOLDER / "assets").glob("*.css")]
    assert sheets
    assert [rule for sheet in sheets for rule in re.findall(r"@media[^{]*[<>][^{]*", sheet)] == []


async def test_the_focus_comes_back_when_a_sheet_is_closed(stage: Stage) -> None:
    page = await stage.page("/")
    button = page.get_by_role("button", name="Change opponents")
    await button.focus()
    await page.keyboard.press("Enter")
    await page.get_by_role("dialog").wait_for()
    await page.keyboard.press("Escape")
    await expect(page.get_by_role("dialog")).to_have_count(0)
    await expect(button).to_be_focused()


async def test_who_plays_alone_is_told_the_rounds_and_gets_confetti_only_for_the_challenge(
    stage: Stage, server: Process
) -> None:
    body = {"players": [{"name": "Ana"}], "options": {"target": 60, "speed": "instant"}, "start": True}
    seated = server.seat("/api/tables", body)
    page = await stage.seated(seated, motion="full")
    screen = await stage.page(f"/tv/{seated.code}", (1920, 1080), motion="full")
    await screen.evaluate(COUNT_CONFETTI)
    await play(page, enough=1)
    rounds = await page.locator("tbody tr").count()
    assert rounds >= 5
    await expect(page.get_by_role("heading", level=1)).to_have_text(f"Done in {rounds} rounds!")
    await expect(page.get_by_text("Next time in fewer than five rounds?")).to_be_visible()
    assert await page.locator(".confetti, .podium").count() == 0
    await expect(page).to_have_title(f"Done in {rounds} rounds! · Flip 7")
    await expect(screen.get_by_role("heading", level=1)).to_have_text(f"Done in {rounds} rounds!")
    assert await screen.evaluate("confetti") == 0
    await page.get_by_role("link", name="Watch the replay").click()
    await page.get_by_role("button", name="To the end").click()
    won = page.locator(".won")
    await expect(won.get_by_role("heading")).to_have_text(f"Done in {rounds} rounds!")
    await expect(won).to_contain_text("Next time in fewer than five rounds?")
    assert await won.locator(".podium").count() == 0


async def test_the_end_is_told_on_the_big_screen_and_every_page_has_its_title(browser: Browser, tmp_path: Path) -> None:
    """Without an engine neither review nor coach are offered."""
    seed = next(seed for seed in count(1) if (ask := dealt(seed).decision) and ask.kind == "turn")
    with Process(quick(tmp_path, seed)) as server:
        stage = Stage(browser, server.url)
        seated = server.seat("/api/quick", {"player": {"name": "Ana"}, "options": INSTANT})
        page = await stage.seated(seated)
        screen = await stage.page(f"/tv/{seated.code}", (1920, 1080), motion="full")
        await expect(screen).to_have_title(f"Round 1 · {seated.code}")
        await screen.evaluate(COUNT_CONFETTI)
        await page.get_by_role("button", name="Settings").click()
        await expect(page.get_by_role("switch", name="Sound")).to_have_count(1)
        await expect(page.get_by_role("switch", name="Coach")).to_have_count(0)
        await page.get_by_role("button", name="Leave the game").click()
        await expect(page.get_by_text("Leave for good? The game ends with that.")).to_be_visible()
        await page.get_by_role("button", name="Keep playing").click()
        await play(page)
        await expect(screen.locator(".podium li")).to_have_count(3)
        assert await screen.evaluate("confetti") > 0
        await expect(page).to_have_title(re.compile("win"))
        await expect(page.get_by_role("link", name="Review")).to_have_count(0)
        await page.get_by_role("link", name="Watch the replay").click()
        await expect(page).to_have_title("Replay · Flip 7")
        select = page.get_by_role("combobox", name="Speed")
        await select.focus()
        at = await page.get_by_role("slider").input_value()
        await page.keyboard.press("ArrowRight")
        assert await page.get_by_role("slider").input_value() == at


async def test_the_big_screen_names_an_address_that_others_reach(browser: Browser, server: Process) -> None:
    reachable = network_address() or "localhost"
    seated = server.seat("/api/tables", {"players": [{"name": "Ana"}]})
    with socket.create_server((reachable, 0 if reachable == "localhost" else server.port)):
        page = await Stage(browser, f"http://localhost:{server.port}").page(f"/tv/{seated.code}", (1280, 800))
        await expect(page.get_by_text(f"http://{reachable}:{server.port}/t/{seated.code}")).to_be_visible()


async def test_a_review_that_is_being_made_names_no_winner_and_the_right_day(stage: Stage, server: Process) -> None:
    seats = [
        SeatInfo(number, name, 0, None, "here", True, number == 1, number, None, False)
        for number, name in ((1, "Ana"), (2, "Ben"))
    ]
    answer = ReviewAnswer("g", "2026-11-18", tuple(seats), EngineStatus("compiling", 0.4), 0.4, None)

    async def being_made(route: Route) -> None:
        await route.fulfill(body=msgspec.json.encode(answer), content_type="application/json")

    context = await stage.browser.new_context(timezone_id="America/Los_Angeles", locale="en")
    page = await context.new_page()
    await page.route("**/api/games/g/review", being_made)
    await page.goto(f"{stage.url}/review/g")
    await expect(page.locator(".lead")).to_have_text("Ana, Ben · 11/18/2026")


async def test_the_deck_of_the_day_is_watched_from_tomorrow_on(stage: Stage) -> None:
    context = await stage.context()
    await context.add_init_script(
        "const day = new Date().toISOString().slice(0, 10);"
        "try { localStorage['flip7.history'] = JSON.stringify(["
        "{ id: 'a', date: day, winner: 'Ana', names: ['Ana'], daily: day },"
        "{ id: 'b', date: '2026-01-02', winner: 'Ana', names: ['Ana', 'Ben'], daily: null }]) } catch {}"
    )
    page = await context.new_page()
    await page.goto(stage.url)
    await expect(page.get_by_text("from tomorrow on")).to_be_visible()
    await expect(page.get_by_text("Ana won · 1/2/2026")).to_be_visible()
    assert await page.locator("a[href^='/replay/']").evaluate_all("all => all.map((a) => a.pathname)") == ["/replay/b"]
