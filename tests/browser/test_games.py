"""Whole games in a real browser: against bots, with friends, on one device, watched, and by keyboard alone."""

from __future__ import annotations

import json
from functools import partial
from urllib.parse import urlsplit

from playwright.async_api import Page, Route, expect
from tests.browser.driver import (
    HIT,
    ME,
    MISSING,
    RESULT,
    STAY,
    TARGET,
    Stage,
    act,
    becomes,
    glimpsed,
    play,
    points,
    ranking,
    waiting,
)
from tests.browser.test_seen import own_turn
from tests.server.client import Process

from flip7.game.game import Game

SHORT: dict[str, object] = {"target": 30, "timer": 0, "odds": True, "public": False, "speed": "instant"}
CARDS = "all => all.map((card) => card.dataset.card).sort()"
STAY_AND_UNDO = """async (stay) => {
  document.querySelector(stay).click();
  await null;  // the button is there
  [...document.querySelectorAll('.prompt button')].find((button) => button.textContent === 'Undo').click();
}"""


async def shorten(route: Route) -> None:
    """Let a game that is started from the first page end early."""
    await with_options(route, SHORT)


async def lengthen(route: Route) -> None:
    """Let nobody win before all have been asked."""
    await with_options(route, SHORT | {"target": 90})


async def with_options(route: Route, options: dict[str, object]) -> None:
    body = json.loads(route.request.post_data or "{}")
    await route.continue_(post_data=json.dumps(body | {"options": options}))


async def check_the_deck(page: Page) -> None:
    await page.get_by_text("Check the deck").click()
    await page.get_by_role("button", name="Check it here").click()
    await expect(page.get_by_text("It is as promised")).to_be_visible()


async def test_one_tap_plays_a_whole_game_against_bots(stage: Stage, server: Process) -> None:
    page = await stage.page("/")
    await page.route("**/api/quick", shorten)
    await page.get_by_role("button", name="Play now").click()
    await play(page)
    places = await ranking(page)
    assert len(places) == 4
    assert places[0][1] == max((place[1] for place in places), key=int)
    await check_the_deck(page)
    await page.get_by_role("link", name="Watch the replay").click()
    await page.wait_for_url("**/replay/*")
    record = server.get(f"/api/games/{page.url.rpartition('/')[2]}/record").text
    game = Game.from_record(record)
    assert game.winner is not None
    assert game.players[game.winner] == places[0][0]
    assert stage.hosts == {server.url.removeprefix("http://")}


async def test_two_browsers_play_to_the_end_after_one_joined_by_link(stage: Stage) -> None:
    host = await stage.page("/", name="Ana")
    await host.get_by_role("button", name="Play with friends").click()
    await host.get_by_text("Invite friends").wait_for()
    link = await host.locator(".link").inner_text()
    await host.locator("img[alt*=QR]").evaluate("image => image.decode()")  # waits for it, and refuses a broken one
    await host.locator("label", has_text="50").first.click()

    guest = await stage.page("/", name="Ben")
    await guest.goto(stage.url + urlsplit(link).path)  # this server is not reached from the network
    await expect(guest.get_by_role("heading", name="Ana invites you")).to_be_visible()
    await guest.get_by_role("button", name="Sit down").click()
    await expect(host.get_by_text("Waiting for Ben")).to_be_visible()
    await guest.get_by_role("button", name="I am ready").click()
    await host.get_by_role("button", name="Start the game").click()
    await play(host, guest)
    assert await ranking(host) == await ranking(guest)
    assert {name for name, _ in await ranking(host)} == {"Ana", "Ben"}
    for page in (host, guest):
        await check_the_deck(page)

    await host.get_by_role("button", name="Rematch").click()
    await expect(guest.get_by_text("The next game begins in")).to_be_visible()
    await host.get_by_role("button", name="Back to the lobby").click()
    await expect(guest.get_by_role("button", name="I am ready")).to_be_visible()


async def test_a_code_opens_a_table_and_an_unknown_one_says_what_to_do(stage: Stage, server: Process) -> None:
    stage.harmless += (MISSING,)
    seated = server.seat("/api/tables", {"players": [{"name": "Ana"}]})
    page = await stage.page("/", name="Cho")
    await page.get_by_label("Table code").fill(seated.code.lower())
    await page.get_by_role("button", name="Join", exact=True).click()
    await page.get_by_role("button", name="Sit down").click()
    await expect(page.get_by_text("Ana starts the game")).to_be_visible()
    await page.goto(f"{server.url}/t/QQQQQ")
    await expect(page.get_by_text("There is no table with the code QQQQQ")).to_be_visible()


async def test_the_host_adds_and_removes_bots_and_opens_the_table(stage: Stage, server: Process) -> None:
    page = await stage.page("/", name="Ana")
    await page.get_by_role("button", name="Play with friends").click()
    await page.get_by_role("button", name="Add a bot").click()
    await page.get_by_role("button", name="Add Bold Bea").click()
    await page.keyboard.press("Escape")
    await expect(page.locator(".seats li")).to_have_count(2)
    await page.get_by_role("switch", name="Show in the list of open tables").click()
    await expect(page.get_by_role("switch", name="Show in the list of open tables")).to_be_checked()
    other = await stage.page("/")
    await expect(other.get_by_text("Ana's table")).to_be_visible()
    await page.get_by_role("button", name="Remove Bold Bea").click()
    await expect(page.locator(".seats li")).to_have_count(1)


async def test_people_pass_one_device_round(stage: Stage) -> None:
    page = await stage.page("/pass")
    await page.route("**/api/tables", lengthen)
    for number, name in enumerate(("Ana", "Ben", "Cho"), 1):
        await page.get_by_label(f"Player {number}", exact=True).fill(name)
    await page.get_by_role("button", name="Start the game").click()
    asked = set()
    for _ in range(300):
        await waiting(page)
        if await page.locator(HIT).count():
            asked.add(await page.locator(".hand .name").inner_text())
            await expect(page.locator(".prompt")).to_contain_text("Pass the device to")
        if await act(page, enough=15):
            break
    assert asked == {"Ana", "Ben", "Cho"}
    assert {name for name, _ in await ranking(page)} == asked


async def test_spectators_and_the_big_screen_see_what_the_players_see(stage: Stage, server: Process) -> None:
    bots = [bot["id"] for bot in server.get("/api/bots").json()["bots"]]
    longer = SHORT | {"target": 90}  # nobody wins before Ana is asked
    seated = server.seat("/api/quick", {"player": {"name": "Ana"}, "bots": bots[:3], "options": longer})
    player = await stage.seated(seated)
    screen = await stage.page(f"/t/{seated.code}?tv=1", (1920, 1080))
    await screen.wait_for_url(f"**/tv/{seated.code}")
    watcher = await stage.page(f"/t/{seated.code}")
    await expect(watcher.get_by_role("button", name="Sit down for the next game")).to_be_visible()
    await watcher.get_by_role("button", name="Just watch").click()
    await waiting(player)
    for page in (watcher, screen):
        await expect(page.locator("[data-seat]")).to_have_count(4)
        await expect(page.locator("button[aria-keyshortcuts]")).to_have_count(0)
    if await player.locator(HIT).count():
        mine = await player.locator(".hand [data-card]").evaluate_all(CARDS)
        for page in (watcher, screen):
            await becomes(partial(page.locator('[data-seat="0"] [data-card]').evaluate_all, CARDS), mine)
    assert await screen.locator("main button").count() == 0
    await play(player)
    await expect(screen.get_by_role("heading", name="wins!")).to_be_visible()
    assert await ranking(watcher) == await ranking(player)


async def test_a_finished_game_is_watched_again_and_its_record_taken_home(stage: Stage, server: Process) -> None:
    seated = server.seat("/api/quick", {"player": {"name": "Ana"}, "options": SHORT})
    player = await stage.seated(seated)
    await play(player)
    places = await ranking(player)
    await player.get_by_role("link", name="Watch the replay").click()
    scrubber = player.get_by_role("slider", name="Place in the game")
    await expect(scrubber).to_have_value("1")
    await player.get_by_role("button", name="Step forward").click()
    await expect(scrubber).to_have_value("2")
    await player.get_by_role("button", name="To the end").click()
    for name, total in places:
        seat = player.locator("[data-seat]", has=player.locator(".name", has_text=name))
        await expect(seat.first.locator(".total")).to_have_text(total)
    await player.get_by_role("button", name="To the start").click()
    await player.get_by_role("button", name="Play", exact=True).click()
    await expect(scrubber).not_to_have_value("0")
    async with player.expect_download() as download:
        await player.get_by_role("link", name="Record").click()
    path = await (await download.value).path()
    assert Game.from_record(path.read_text("utf-8")).winner is not None


async def test_the_keyboard_alone_starts_and_plays_a_game(stage: Stage) -> None:
    page = await stage.page("/", (1280, 800))
    await page.route("**/api/quick", shorten)
    await expect(page.get_by_role("button", name="Play now")).to_be_enabled()
    for _ in range(12):
        await page.keyboard.press("Tab")
        if await page.evaluate("document.activeElement?.textContent?.trim() === 'Play now'"):
            break
    ring = await page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
    assert ring == "solid"
    await page.keyboard.press("Enter")
    for _ in range(400):
        await waiting(page)
        if await page.locator(RESULT).count():
            break
        if await page.locator(HIT).count():
            await page.keyboard.press("h" if await points(page) < 20 else "s")
        elif await page.locator(f"{TARGET}, {ME}").count():
            await page.keyboard.press("1")
        await page.wait_for_timeout(30)
    assert await ranking(page)


async def test_a_choice_that_reveals_nothing_can_be_taken_back(stage: Stage, server: Process) -> None:
    """There is less than a second for it: a script takes back at once what it has chosen."""
    seated = server.seat("/api/tables", {"players": [{"name": "Ana"}, {"name": "Ben"}], "start": True})
    page = await stage.seated(seated, speed="normal")
    await own_turn(page)
    who = await page.locator(".hand .name").inner_text()
    await page.evaluate(STAY_AND_UNDO, STAY)
    await page.wait_for_timeout(1200)
    await expect(page.locator(STAY)).to_be_enabled()
    assert await page.locator(".hand .name").inner_text() == who
    await page.locator(STAY).click()
    await expect(page.locator(".hand .name")).not_to_have_text(who)


async def test_feelings_are_shown_to_the_others(stage: Stage, server: Process) -> None:
    ana = server.seat("/api/tables", {"players": [{"name": "Ana"}]})
    ben = server.seat(f"/api/tables/{ana.code}/join", {"players": [{"name": "Ben"}]})
    host, guest = await stage.seated(ana), await stage.seated(ben)
    await guest.get_by_role("button", name="I am ready").click()
    await host.get_by_role("button", name="Start the game").click()
    await waiting(host, guest)
    await guest.get_by_role("button", name="Show a feeling").click()
    async with glimpsed(host, ".feeling", "Wow!"):
        await guest.get_by_role("button", name="Wow!").click()


async def test_the_host_lets_a_bot_play_for_a_silent_player_and_removes_them(stage: Stage, server: Process) -> None:
    # A bot that plays for Ben while Ana is out must not end the game.
    ana = server.seat("/api/tables", {"players": [{"name": "Ana"}], "options": SHORT | {"target": 120}})
    ben = server.seat(f"/api/tables/{ana.code}/join", {"players": [{"name": "Ben"}]})
    host, guest = await stage.seated(ana), await stage.seated(ben)
    await guest.get_by_role("button", name="I am ready").click()
    await host.get_by_role("button", name="Start the game").click()
    await waiting(host, guest)

    await guest.get_by_role("button", name="Settings").click()
    await expect(guest.get_by_role("heading", name="As the host")).to_have_count(0)
    await guest.keyboard.press("Escape")
    await host.get_by_role("button", name="Settings").click()
    await host.get_by_role("radio", name="for ever").check(force=True)
    await host.get_by_role("button", name="Let a bot play for Ben until they are back").click()
    await expect(host.get_by_text("A bot plays until they are back")).to_be_visible()
    await guest.get_by_role("button", name="I am back").click()
    await expect(host.get_by_text("A bot plays until they are back")).to_have_count(0)

    await host.get_by_role("button", name="Remove Ben").click()
    await expect(host.get_by_text("Remove Ben for good?")).to_be_visible()
    await host.get_by_role("button", name="Keep").click()
    await host.get_by_role("button", name="Remove Ben").click()
    await host.get_by_role("button", name="Remove Ben").click()
    await expect(guest.get_by_text("The host has removed you from this table.")).to_be_visible()
    await expect(host.get_by_text("Is somebody not answering?")).to_have_count(0)
    await host.keyboard.press("Escape")
    await play(host)
