"""The end of a game, another one, those who come late, and the replay."""

from __future__ import annotations

from pathlib import Path

from playwright.async_api import Browser, expect
from tests.browser.conftest import quick
from tests.browser.driver import RESULT, Stage, play, ranking, settled, waiting
from tests.server.client import Process

from flip7.game.game import Game

SHORT = {"target": 10, "speed": "instant"}
COUNT_CONFETTI = """() => {
    window.confetti = 0;
    const count = () => (window.confetti = Math.max(confetti, document.querySelectorAll('.confetti span').length));
    new MutationObserver(count).observe(document, { childList: true, subtree: true });
}"""


async def test_a_game_ends_on_a_podium_with_the_own_row_marked_and_a_picture_to_share(
    stage: Stage, server: Process
) -> None:
    seated = server.seat("/api/quick", {"player": {"name": "Ana"}, "options": SHORT})
    page = await stage.seated(seated)
    await play(page)
    steps = page.locator(".podium li")
    await expect(steps).to_have_count(3)
    await expect(page.locator(".podium .place1 .num")).to_have_text(
        await page.locator(".ranking strong").first.inner_text()
    )
    await expect(page.locator(".ranking .mine .name")).to_have_text("Ana")
    await expect(page.get_by_text("Biggest round:")).to_be_visible()
    await expect(page.get_by_text("hash", exact=True)).to_be_hidden()
    async with page.expect_download() as taken:
        await page.get_by_role("button", name="Result as a picture").click()
    path = await (await taken.value).path()
    assert path.read_bytes().startswith(b"\x89PNG")


async def test_confetti_falls_for_a_winner_unless_they_asked_for_less_motion(browser: Browser, tmp_path: Path) -> None:
    """Alone at the table one always wins, here with no risk. Confetti falls for some seconds: it is counted at once."""
    with Process(quick(tmp_path, 3)) as server:
        stage = Stage(browser, server.url)
        for motion, pieces in (("full", 56), ("reduced", 0)):
            body = {"players": [{"name": "Ana"}], "options": SHORT, "start": True}
            page = await stage.seated(server.seat("/api/tables", body), motion=motion)
            await page.evaluate(COUNT_CONFETTI)
            await play(page, enough=1)
            await page.locator(RESULT).wait_for()
            assert await page.evaluate("confetti") == pieces


async def test_one_tap_plays_the_same_bots_again(browser: Browser, tmp_path: Path) -> None:
    """With this seed the second game does not end before the first choice, as a short one may."""
    with Process(quick(tmp_path, 3)) as server:
        seated = server.seat("/api/quick", {"player": {"name": "Ana"}, "options": SHORT})
        page = await Stage(browser, server.url).seated(seated)
        await play(page)
        await page.get_by_role("button", name="Rematch").click()
        await expect(page.locator(RESULT)).to_have_count(0)
        await waiting(page)
        await expect(page.locator("header h1")).to_contain_text("Round")


async def test_friends_see_the_next_game_coming_and_who_came_late_is_in_it(browser: Browser, tmp_path: Path) -> None:
    settings = quick(tmp_path)
    with Process(settings) as server:
        stage = Stage(browser, server.url)
        ana = server.seat("/api/tables", {"players": [{"name": "Ana"}], "options": SHORT})
        ben = server.seat(f"/api/tables/{ana.code}/join", {"players": [{"name": "Ben"}]})
        host, guest = await stage.seated(ana), await stage.seated(ben)
        await guest.get_by_role("button", name="I am ready").click()
        await host.get_by_role("button", name="Start the game").click()
        await waiting(host, guest)
        late = await stage.page(f"/t/{ana.code}", name="Cho")
        await late.get_by_role("button", name="Sit down for the next game").click()
        await expect(late.get_by_text("You play from the next game on.")).to_be_visible()
        await play(host, guest)
        await expect(late.get_by_text("Ana starts it")).to_be_visible()
        await host.get_by_role("button", name="Rematch").click()
        for page in (host, guest, late):
            await expect(page.get_by_text("The next game begins in")).to_be_visible()
        await guest.get_by_role("button", name="Not this time").click()
        await guest.wait_for_url(f"{stage.url}/")
        await late.locator(".controls").wait_for()
        await expect(host.locator(".seats")).to_contain_text("Cho")
        await expect(host.locator(".seats")).not_to_contain_text("Ben")
        assert stage.complaints == []


async def test_a_replay_has_marks_a_speed_a_log_on_phones_and_the_winner_at_its_end(
    browser: Browser, tmp_path: Path
) -> None:
    with Process(quick(tmp_path, 8)) as server:
        stage = Stage(browser, server.url)
        seated = server.seat("/api/quick", {"player": {"name": "Ana"}, "options": SHORT | {"target": 60}})
        page = await stage.seated(seated, (320, 568))
        await play(page)
        places = await ranking(page)
        rounds = await page.locator("tbody tr").count()
        await page.get_by_role("link", name="Watch the replay").click()
        await page.get_by_role("slider").wait_for()
        assert await page.locator(".mark.round").count() == rounds
        game = Game.from_record(server.get(f"/api/games/{page.url.rpartition('/')[2]}/record").text)
        for kind, event in (("bust", "player_busted"), ("flip7", "flip7_made")):
            assert await page.locator(f".mark.{kind}").count() == sum(one.kind == event for one in game.events)
        await settled(page)
        assert await page.evaluate("document.documentElement.scrollWidth") <= 320
        await page.get_by_role("button", name="Show the log").click()
        await expect(page.get_by_role("dialog")).to_contain_text("Round 1")
        await page.keyboard.press("Escape")
        await page.get_by_role("combobox", name="Speed").select_option("instant")
        await page.get_by_role("button", name="Play", exact=True).click()
        await expect(page.locator(".won h2")).to_have_text(f"{places[0][0]} wins!")
        await page.get_by_role("button", name="Step back").click()
        await expect(page.locator(".won")).to_have_count(0)
        assert stage.complaints == []
