"""Lost connections, reloads, other tabs, killed servers: the seat stays, nothing is lost and nothing doubled."""

from __future__ import annotations

import asyncio
from itertools import count
from pathlib import Path

from playwright.async_api import Browser, Page, WebSocketRoute, expect
from tests.browser.conftest import quick
from tests.browser.driver import (
    CUT_SHORT,
    GO_ON,
    HIT,
    ME,
    RESULT,
    STAY,
    TARGET,
    Stage,
    act,
    becomes,
    controlled,
    play,
    ranking,
    waiting,
)
from tests.browser.test_pace import dealt
from tests.server.client import Process

from flip7.game.game import Game
from flip7.game.options import Rules
from flip7.rules.cards import Card

SHORT = {"target": 40, "timer": 0, "odds": True, "public": False, "speed": "instant"}
CARDS = "all => all.map((card) => card.dataset.card).sort()"


def flip_three_that_sets_something_aside() -> int:
    """A seed with which the first hit of two players is a Flip Three that, on oneself, leaves cards to hand out."""
    for seed in count(1):
        game = Game(["Ana", "Ben"], seed=seed)  # The second seat is asked first; with the other dealer it is the first.
        for choice in ("hit", 1):
            if game.decision is None or game.decision.seat != 1 or choice not in game.decision.options:
                break
            game.play(choice)
        else:
            ask = game.decision
            if ask and ask.kind == "target" and ask.seat == 1 and ask.card in (Card.FREEZE, Card.FLIP3):
                return seed
    raise AssertionError("seeds are endless")


async def holds(page: Page, seat: int, cards: list[str]) -> None:
    """The open hand is that of the seat, and comes to have these cards."""
    shown = page.locator(f'.hand[data-seat="{seat}"] [data-card]')
    await becomes(lambda: shown.evaluate_all(CARDS), cards)


async def test_a_reload_in_the_middle_of_a_flip_three_goes_on_there(browser: Browser, tmp_path: Path) -> None:
    seed = flip_three_that_sets_something_aside()
    with Process(quick(tmp_path, seed - 1)) as server:
        stage = Stage(browser, server.url)
        seated = server.seat("/api/tables", {"players": [{"name": "Ana"}, {"name": "Ben"}], "start": True})
        page = await stage.seated(seated)
        await waiting(page)
        seat = int(await page.locator(".hand").get_attribute("data-seat") or "")
        await page.locator(HIT).click()
        await expect(page.locator('[data-spot] [data-card="flip3"]')).to_be_visible()
        await page.locator(ME).click()
        twin = Game(["Ana", "Ben"], seed=seed, rules=Rules(dealer=1 - seat))
        twin.play("hit")
        twin.play(seat)
        assert twin.decision
        offer = f'[data-spot] [data-card="{twin.decision.card}"]'
        await expect(page.locator(offer)).to_be_visible()
        cards = sorted(str(card) for card in twin.seats[seat].cards)
        await holds(page, seat, cards)

        await page.reload()
        await expect(page.locator(offer)).to_be_visible()
        await holds(page, seat, cards)

        await expect(page.locator(f"{TARGET}, {ME}").first).to_be_visible()
        await page.locator(f"{TARGET}, {ME}").first.click()
        await expect(page.locator(f"{HIT}, {TARGET}, {ME}, {GO_ON}").first).to_be_visible()
        assert stage.complaints == []
        assert server.problems() == []


async def test_a_lost_connection_comes_back_by_itself_with_what_was_missed(stage: Stage, server: Process) -> None:
    ana = server.seat("/api/tables", {"players": [{"name": "Ana"}], "options": SHORT})
    ben = server.seat(f"/api/tables/{ana.code}/join", {"players": [{"name": "Ben"}]})
    host, guest = await stage.seated(ana), await stage.seated(ben)
    sockets: list[WebSocketRoute] = []

    def through(socket: WebSocketRoute) -> None:
        socket.connect_to_server()
        sockets.append(socket)

    await guest.route_web_socket("**/ws/*", through)
    await guest.reload()
    await guest.get_by_role("button", name="I am ready").click()
    await host.get_by_role("button", name="Start the game").click()
    await waiting(host, guest)
    lines = host.locator("[role=log] p")
    before = len(sockets)
    for socket in sockets[:before]:
        await socket.close()
    if await host.locator(HIT).count():
        await host.locator(STAY).click()
    await expect(lines.last).to_be_attached()
    await play(host, guest)
    assert await ranking(host) == await ranking(guest)
    assert len(sockets) > before


async def test_a_killed_server_goes_on_where_it_was(browser: Browser, tmp_path: Path) -> None:
    with Process(quick(tmp_path, next(seed for seed in count(1) if not dealt(seed).rounds))) as server:
        stage = Stage(browser, server.url)
        stage.harmless += CUT_SHORT
        seated = server.seat("/api/quick", {"player": {"name": "Ana"}, "options": SHORT})
        page = await stage.seated(seated)
        chosen = 0
        for kills in range(1, 4):
            for _ in range(2 * kills):
                await waiting(page)
                if await page.locator(RESULT).count():
                    break
                chosen += await page.locator(f"{HIT}, {TARGET}, {ME}").count() > 0
                await act(page)
            server.kill()
            await asyncio.sleep(0.3)
            server.start()
        await play(page)
        places = await ranking(page)
        await page.get_by_role("link", name="Watch the replay").click()
        await page.wait_for_url("**/replay/*")
        game = Game.from_record(server.get(f"/api/games/{page.url.rpartition('/')[2]}/record").text)
        totals = {name: str(seat.total) for name, seat in zip(game.players, game.seats, strict=True)}
        assert dict(places) == totals
        assert chosen > 0
        assert stage.complaints == []


async def test_a_newer_tab_takes_the_seat_and_the_older_can_take_it_back(stage: Stage, server: Process) -> None:
    seated = server.seat("/api/quick", {"player": {"name": "Ana"}})
    first = await stage.seated(seated)
    await waiting(first)
    second = await first.context.new_page()
    await second.goto(first.url)
    await expect(first.get_by_text("You are playing in another tab")).to_be_visible()
    await waiting(second)
    await first.get_by_role("button", name="Play here").click()
    await expect(second.get_by_text("You are playing in another tab")).to_be_visible()
    await waiting(first)


async def test_the_first_page_knows_the_games_that_still_run(stage: Stage, server: Process) -> None:
    seated = server.seat("/api/quick", {"player": {"name": "Ana"}})
    page = await stage.seated(seated)
    await waiting(page)
    await page.get_by_role("link", name="Home").click()
    await page.get_by_role("link", name="Go on").click()
    await waiting(page)
    await expect(page).to_have_url(f"{stage.url}/t/{seated.code}")


async def test_leaving_for_good_makes_a_bot_play_on(stage: Stage, server: Process) -> None:
    ana = server.seat("/api/tables", {"players": [{"name": "Ana"}], "options": SHORT})
    ben = server.seat(f"/api/tables/{ana.code}/join", {"players": [{"name": "Ben"}]})
    host, guest = await stage.seated(ana), await stage.seated(ben)
    await guest.get_by_role("button", name="I am ready").click()
    await host.get_by_role("button", name="Start the game").click()
    await waiting(host, guest)
    await host.get_by_role("button", name="Settings").click()
    await host.get_by_role("button", name="Leave the game").click()
    await host.get_by_role("button", name="Leave", exact=True).click()
    await host.wait_for_url(f"{stage.url}/")
    await play(guest)
    await expect(guest.get_by_role("button", name="Rematch")).to_be_visible()


async def test_the_shell_opens_without_a_network(stage: Stage) -> None:
    page = await stage.page("/")
    await controlled(page)
    await page.reload()
    await page.context.set_offline(True)
    await page.goto(stage.url + "/settings")
    await expect(page.get_by_role("heading", name="Settings")).to_be_visible()
    await page.goto(stage.url + "/")
    await expect(page.get_by_role("alert")).to_contain_text("The server cannot be reached")
