"""Faults that people met once: each of these tests failed before it was mended."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from playwright.async_api import Browser, Page, Route, WebSocketRoute, expect
from tests.browser.driver import HIT, ME, TARGET, Stage, act, asked, glimpsed, play, settled, waiting
from tests.browser.test_pages import picture
from tests.server.client import Process

from flip7.server.network import network_address

PHONE, DESKTOP = (390, 844), (1280, 800)
LONG = "Maximiliane von und zu 24"[:24]


async def own_turn(page: Page) -> None:
    """Go on until "hit or stay?" is asked."""
    for _ in range(50):
        await waiting(page)
        if await page.locator(HIT).count():
            return
        await act(page)
    raise AssertionError("it is never this player's turn")


async def test_running_games_fit_the_first_page_of_a_phone(stage: Stage, server: Process) -> None:
    seated = server.seat("/api/quick", {"player": {"name": LONG}, "bots": ["carl", "bea", "ada", "zoe", "ned"]})
    page = await stage.seated(seated, (320, 568))
    await waiting(page)
    await page.get_by_role("link", name="Home").click()
    link = page.get_by_role("link", name="Go on")
    await expect(link).to_be_visible()
    await settled(page)
    assert await page.evaluate("document.documentElement.scrollWidth") <= 320
    box = await link.bounding_box()
    assert box
    assert box["x"] + box["width"] <= 320


async def test_a_seat_is_given_up_only_after_a_question_and_the_server_knows_it(stage: Stage, server: Process) -> None:
    ana = server.seat("/api/tables", {"players": [{"name": "Ana"}]})
    server.seat(f"/api/tables/{ana.code}/join", {"players": [{"name": "Ben"}]})
    page = await stage.seated(ana)
    await page.get_by_role("link", name="Home").click()
    forget = page.get_by_role("button", name=f"Remove {ana.code} from this list")
    await forget.click()
    await page.get_by_role("button", name="Keep playing").click()
    assert len(server.get(f"/api/tables/{ana.code}").json()["seats"]) == 2
    await forget.click()
    await page.get_by_role("button", name="Leave", exact=True).click()
    await expect(forget).to_have_count(0)
    assert [seat["name"] for seat in server.get(f"/api/tables/{ana.code}").json()["seats"]] == ["Ben"]


async def test_a_host_on_localhost_invites_to_an_address_that_others_reach(browser: Browser, server: Process) -> None:
    """The server listens on the loopback alone; a socket of the test stands for one that is heard by others."""
    stage = Stage(browser, f"http://localhost:{server.port}")
    page = await stage.page("/")
    await page.get_by_role("button", name="Play with friends").click()
    await expect(page.locator(".link")).to_contain_text(f"http://localhost:{server.port}/t/")
    if reachable := network_address():  # where there is no network, nobody else is invited
        with socket.create_server((reachable, server.port)):
            await page.reload()
            await expect(page.locator(".link")).to_contain_text(f"http://{reachable}:{server.port}/t/")


async def test_without_https_links_are_copied_the_deck_is_checked_and_the_page_says_what_is_missing(
    browser: Browser, server: Process
) -> None:
    stage = Stage(browser, f"http://phone.test:{server.port}")
    page = await stage.page("/")
    await page.get_by_role("button", name="Play with friends").click()
    await expect(page.get_by_text("This address is not encrypted")).to_be_visible()
    async with glimpsed(page, "button", "Copied"):
        await page.get_by_role("button", name="Copy").click()
    options = {"target": 10, "speed": "instant"}
    page = await stage.seated(server.seat("/api/quick", {"player": {"name": "Ana"}, "options": options}))
    await play(page)
    await page.get_by_text("Check the deck").click()
    await page.get_by_role("button", name="Check it here").click()
    await expect(page.get_by_text("It is as promised")).to_be_visible()
    assert stage.complaints == []


async def test_a_tap_into_a_dead_connection_is_told_and_sent_again(stage: Stage, server: Process) -> None:
    seated = server.seat("/api/quick", {"player": {"name": "Ana"}})
    context = await stage.context()
    page = await context.new_page()
    dead = False
    heard = 0

    def through(socket: WebSocketRoute) -> None:
        upstream = socket.connect_to_server()
        mine = dead

        def from_page(message: str | bytes) -> None:
            nonlocal heard
            if not dead or mine:
                heard += b"choose" in (message if isinstance(message, bytes) else message.encode())
                upstream.send(message)

        socket.on_message(from_page)
        upstream.on_message(lambda message: None if dead and not mine else socket.send(message))

    await page.route_web_socket("**/ws/*", through)
    held = {"code": seated.code, "token": seated.token, "at": 1, "game": None, "number": 0}
    await context.add_init_script(f"localStorage['flip7.table.{seated.code}'] ??= {json.dumps(json.dumps(held))}")
    await page.goto(f"{stage.url}/t/{seated.code}")
    await page.locator(f"{HIT}, {TARGET}, {ME}").first.wait_for()
    dead = True
    before = await page.locator("[role=log] p").last.text_content()
    await page.locator(f"{HIT}, {TARGET}, {ME}").first.click()
    await expect(page.locator(".prompt")).to_contain_text("Sending")
    await page.wait_for_function(
        "before => [...document.querySelectorAll('[role=log] p')].at(-1)?.textContent !== before", arg=before
    )
    assert heard == 1


GREETINGS = """async (times) => {
  for (let i = 0; i < times; i += 1) {
    document.querySelector('[aria-label="Show a feeling"]').click();
    await null;  // the sheet is open
    [...document.querySelectorAll('dialog button')].find((button) => button.textContent === 'Hello!').click();
    await null;  // and closed
  }
}"""


async def test_a_refusal_goes_away_by_itself(stage: Stage, server: Process) -> None:
    seated = server.seat("/api/quick", {"player": {"name": "Ana"}})
    page = await stage.seated(seated)
    await waiting(page)
    await page.clock.install()
    await page.evaluate(GREETINGS, 6)
    await expect(page.get_by_role("alert")).to_be_visible()
    await page.clock.fast_forward(6000)
    await expect(page.get_by_role("alert")).to_have_count(0)


async def test_a_slow_link_asks_nobody_to_pick_opponents(stage: Stage) -> None:
    context = await stage.context()
    page = await context.new_page()
    seen = asyncio.Event()

    async def slow(route: Route) -> None:
        await seen.wait()
        await route.continue_()

    await page.route("**/api/bots", slow)
    await page.goto(stage.url)
    await expect(page.get_by_role("button", name="Play now")).to_be_enabled()
    await expect(page.get_by_text("Pick at least one opponent")).to_have_count(0)
    seen.set()
    await expect(page.locator(".names")).to_contain_text("against")


@pytest.mark.parametrize(("language", "sign"), [("en", "."), ("de", ","), ("fr", ","), ("es", ",")])
async def test_decimals_are_written_as_the_language_does(
    stage: Stage, server: Process, language: str, sign: str
) -> None:
    page = await stage.seated(server.seat("/api/quick", {"player": {"name": "Ana"}}), language=language)
    await own_turn(page)
    await expect(page.locator(f"{HIT} small")).to_contain_text(sign)


async def test_a_guest_sees_the_table_before_the_invitation(stage: Stage, server: Process) -> None:
    ana = server.seat("/api/tables", {"players": [{"name": "Ana"}]})
    ben = server.seat(f"/api/tables/{ana.code}/join", {"players": [{"name": "Ben"}]})
    for seated, first in ((ana, "Invite friends"), (ben, "At the table")):
        page = await stage.seated(seated)
        await expect(page.locator("main h2").first).to_have_text(first)


async def test_the_keyboard_reaches_hit_before_the_log_and_the_log_does_not_shout(
    stage: Stage, server: Process
) -> None:
    page = await stage.seated(server.seat("/api/quick", {"player": {"name": "Ana"}}), DESKTOP)
    await own_turn(page)
    order = await page.evaluate(
        f"""() => {{
          const hit = document.querySelector('{HIT}'), log = document.querySelector('aside.log');
          return !!(hit.compareDocumentPosition(log) & Node.DOCUMENT_POSITION_FOLLOWING);
        }}"""
    )
    assert order
    assert "DEAL-1" not in await page.locator("aside.log").inner_text()


WIDTHS = "all => Math.min(...all.map((card) => card.getBoundingClientRect().width))"


async def lay_out(
    page: Page,
    hands: Sequence[tuple[str, Sequence[str]] | None],
    change: Callable[[dict[str, Any]], None] = lambda game: None,
) -> None:
    """Load a table again as if these were the hands at it, each with its status; `None` leaves one as it is.

    `change` may alter what else is told of the game.
    """

    def through(socket: WebSocketRoute) -> None:
        upstream = socket.connect_to_server()

        def from_server(message: str | bytes) -> None:
            told = json.loads(message)
            if told["type"] == "welcome":
                for hand, new in zip(told["game"]["hands"], hands, strict=True):
                    hand["status"], hand["cards"] = new or (hand["status"], hand["cards"])
                change(told["game"])
            socket.send(json.dumps(told))

        upstream.on_message(from_server)

    await page.route_web_socket("**/ws/*", through)
    await page.reload()
    await page.locator(".seats .seat").first.wait_for()  # which need not have cards
    await settled(page)


TWELVE = ["12", "11", "10", "9", "8", "7", "x2", "+2", "+4", "+6", "+8", "+10"]
INSIDE = """all => all.filter((card) => {
  const [box, seat] = [card.getBoundingClientRect(), card.closest('.seat').getBoundingClientRect()];
  return box.left < seat.left || box.right > seat.right || box.top < seat.top || box.bottom > seat.bottom;
}).length"""


@pytest.mark.parametrize("most", [9, 12])
async def test_cards_of_long_hands_stay_as_large_on_big_screens(stage: Stage, server: Process, most: int) -> None:
    body = {"player": {"name": "Ana"}, "bots": ["carl", "bea", "ada", "sam", "nia"]}
    seated = server.seat("/api/quick", body)
    page = await stage.seated(seated, DESKTOP)
    await own_turn(page)  # nothing else changes the table
    screen = await stage.page(f"/tv/{seated.code}", (1920, 1080))
    hands = [None] + 5 * [("active", TWELVE[-most:])]
    for name, one, least in (("1280", page, 56), ("tv", screen, 96)):
        await lay_out(one, hands)
        cards = one.locator(".seats .card.mini")
        await expect(cards.nth(5 * most - 1)).to_be_visible()
        await picture(one, f"long-{most}-{name}")
        assert await cards.evaluate_all(WIDTHS) >= least
        assert await cards.evaluate_all(INSIDE) == 0


async def test_big_screens_use_their_room(stage: Stage, server: Process) -> None:
    bots = ["carl", "bea", "ada", "sam", "nia"]
    body = {"player": {"name": "Ana"}, "bots": bots, "options": {"speed": "instant"}}
    seated = server.seat("/api/quick", body)
    page = await stage.seated(seated, DESKTOP)
    screen = await stage.page(f"/tv/{seated.code}", (1920, 1080))
    await own_turn(page)
    await expect(screen.locator(".actor")).to_have_text("Ana")
    for one in (page, screen):
        await one.locator(".seats .card.mini").first.wait_for()
        await settled(one)
    assert await page.locator(".seats .card.mini").evaluate_all(WIDTHS) >= 56
    assert await screen.locator(".seats .card.mini").evaluate_all(WIDTHS) >= 96
    names = screen.locator(".seat .name")
    sizes = await names.evaluate_all("all => all.map((name) => parseFloat(getComputedStyle(name).fontSize))")
    actor = await screen.locator(".actor").evaluate("name => parseFloat(getComputedStyle(name).fontSize)")
    assert actor > max(sizes)


@pytest.mark.parametrize("bots", [3, 5])
async def test_the_name_of_whoever_acts_is_written_whole(stage: Stage, server: Process, bots: int) -> None:
    body = {"player": {"name": LONG}, "bots": ["carl", "bea", "ada", "sam", "nia"][:bots]}
    seated = server.seat("/api/quick", body)
    page = await stage.seated(seated, DESKTOP)
    await own_turn(page)
    screen = await stage.page(f"/tv/{seated.code}", (1920, 1080))
    for one, names in ((page, (".actor", ".hand .name")), (screen, (".actor",))):
        for name in names:
            await expect(one.locator(name)).to_have_text(LONG)
            await settled(one)
            assert await one.locator(name).evaluate("name => name.scrollWidth <= name.clientWidth"), name


async def test_a_callout_stands_over_the_board_not_over_the_log(stage: Stage, server: Process) -> None:
    page = await stage.seated(server.seat("/api/quick", {"player": {"name": "Ana"}}), DESKTOP)
    await waiting(page)
    await settled(page)
    area, log = await page.locator(".callouts").bounding_box(), await page.locator("aside.log").bounding_box()
    assert area
    assert log
    assert area["x"] + area["width"] <= log["x"]


RINGS = """cards => cards.map((card) => {
  const ring = getComputedStyle(card, '::after');
  const out = -parseFloat(ring.top);
  const box = card.getBoundingClientRect();
  const [left, right, top, bottom] = [box.left - out, box.right + out, box.top - out, box.bottom + out];
  const cut = [];
  for (let over = card; over !== document.documentElement; over = over.parentElement) {
    const { overflowX, overflowY, clipPath } = getComputedStyle(over);
    const room = over.getBoundingClientRect();
    if (clipPath !== 'none') cut.push(over.className);
    if (overflowX !== 'visible' && (left < room.left - 1 || right > room.right + 1)) cut.push(over.className);
    if (overflowY !== 'visible' && (top < room.top - 1 || bottom > room.bottom + 1)) cut.push(over.className);
  }
  return { out, line: parseFloat(ring.outlineWidth) + parseFloat(ring.borderTopWidth), cut };
})"""


async def test_the_ring_round_the_twins_is_whole(stage: Stage, server: Process) -> None:
    seated = server.seat("/api/quick", {"player": {"name": "Ana"}, "bots": ["carl", "bea", "ada", "zoe"]})
    page = await stage.seated(seated, (1920, 1080))
    await own_turn(page)
    tv = await stage.page(f"/tv/{seated.code}", (1920, 1080))
    hands = [None] + 4 * [("busted", ["12", "7", "3", "12"])]
    for name, screen in (("1920", page), ("tv", tv)):
        await lay_out(screen, hands)
        twins = screen.locator(".seats .card.twin")
        await expect(twins).to_have_count(8)
        for ring in await twins.evaluate_all(RINGS):
            assert ring["out"] > 0
            assert ring["line"] > 0
            assert ring["cut"] == []
        await picture(screen, f"rings-{name}")
        order = await screen.locator(".place").first.evaluate("place => getComputedStyle(place).zIndex")
        assert int(order) > 0  # what flies to a seat flies over the piles
    note = await tv.locator(".note").first.evaluate("note => parseFloat(getComputedStyle(note).fontSize)")
    assert note >= 20  # read from four metres


SILENT = """
class Fake {
  constructor() {
    window.audio = this;
    Object.assign(this, { state: 'running', resumed: 0, currentTime: 0, sampleRate: 8000 });
  }
  resume() { this.resumed += 1; return new Promise((done) => setTimeout(() => done(this.state = 'running'), 20)); }
  createBuffer() { return { getChannelData: () => new Float32Array(4000) }; }
}
class Node_ {
  constructor() { this.gain = this.frequency = new Proxy({}, { get: () => () => undefined }); }
  connect(next) { return next; }
  start() { window.started = (window.started ?? 0) + 1; }
  stop() {}
}
Object.assign(window, { AudioContext: Fake, OscillatorNode: Node_, GainNode: Node_,
  AudioBufferSourceNode: Node_, BiquadFilterNode: Node_ });
"""


async def test_sound_comes_back_after_a_call_has_interrupted_it_and_nothing_is_saved_up(stage: Stage) -> None:
    context = await stage.context(sound=True)
    await context.add_init_script(SILENT)
    page = await context.new_page()
    await page.goto(stage.url + "/settings")
    switch = page.get_by_role("switch", name="Sound")
    await switch.click()
    await switch.click()
    before = await page.evaluate("audio.state = 'interrupted', started")
    await page.wait_for_timeout(250)  # a new one may take as long to start
    await switch.click()
    await switch.click()
    await page.wait_for_function("() => audio.state === 'running'")
    assert await page.evaluate("audio.resumed") > 0
    assert await page.evaluate("started") == before
    await switch.click()
    await switch.click()
    assert await page.evaluate("started") > before


async def test_the_page_behind_a_sheet_stays_where_it_is(stage: Stage) -> None:
    page = await stage.page("/", PHONE)
    await page.get_by_role("button", name="Change opponents").click()
    await page.get_by_role("dialog").wait_for()
    await page.mouse.move(195, 40)
    await page.mouse.wheel(0, 600)
    await page.wait_for_timeout(200)
    assert await page.evaluate("scrollY") == 0
    assert await page.evaluate("getComputedStyle(document.documentElement).scrollbarGutter") == "stable"


MANY = ["12", "11", "8", "+2", "+4", "+6", "+8", "+10", "x2", "flip3", "flip3", "flip3", "second"]
WITHIN = """() => {
  const hand = document.querySelector('.hand').getBoundingClientRect();
  const cards = [...document.querySelectorAll('.hand .card')].map((card) => card.getBoundingClientRect());
  return cards.filter((box) => box.right > hand.right || box.bottom > hand.bottom || box.top < hand.top).length;
}"""


async def test_a_hand_with_every_special_card_stays_within_its_place(stage: Stage, server: Process) -> None:
    """The most that one deck can give a player; on a laptop the cards once covered the button to stay."""
    seated = server.seat("/api/quick", {"player": {"name": "Ana"}})
    page = await stage.seated(seated)
    await own_turn(page)

    def through(socket: WebSocketRoute) -> None:
        upstream = socket.connect_to_server()
        upstream.on_message(lambda message: socket.send(json.dumps(rich(json.loads(message)))))

    def rich(news: Any) -> Any:
        """Give every seat all special cards, wherever its cards are told."""
        if isinstance(news, dict):
            return {key: MANY if key == "cards" and "points" in news else rich(value) for key, value in news.items()}
        return [rich(value) for value in news] if isinstance(news, list) else news

    await page.route_web_socket("**/ws/*", through)
    for width, height in ((320, 568), PHONE, DESKTOP, (1920, 1080)):
        await page.set_viewport_size({"width": width, "height": height})
        await page.reload()
        await expect(page.locator(".hand .card")).to_have_count(len(MANY))
        await settled(page)
        assert await page.evaluate(WITHIN) == 0, (width, height)
        await page.locator(HIT).click(trial=True)
        await page.get_by_role("button", name="Stay").click(trial=True)


PHONES = (320, 568), PHONE, (568, 320), (844, 390)
RICH: dict[str, Any] = {"numbers": 57, "doubled": True, "bonus": 30, "points": 144, "total": 188}
LINE = """line => {
  const inside = (it) => {
    const [a, b] = [it.getBoundingClientRect(), line.getBoundingClientRect()];
    return a.left >= b.left - 1 && a.right <= b.right + 1;
  };
  const [points, sum] = [line.querySelector('.points'), line.querySelector('.sum')];
  const [row, place] = [points.getBoundingClientRect(), sum?.getBoundingClientRect()];
  return { all: [...line.children].every(inside), sum: !!sum && place.top < row.bottom && inside(sum) };
}"""


@pytest.mark.parametrize("status", ["active", "stayed", "frozen", "busted"])
async def test_the_own_points_and_their_sum_leave_room_for_the_total(
    stage: Stage, server: Process, status: str
) -> None:
    body = {"player": {"name": LONG}, "bots": ["carl", "bea"]}
    page = await stage.seated(server.seat("/api/quick", body), language="de")
    await own_turn(page)
    await lay_out(page, [(status, TWELVE), None, None], lambda game: game["hands"][0].update(RICH))
    for size in PHONES:
        await page.set_viewport_size({"width": size[0], "height": size[1]})
        await settled(page)
        await picture(page, f"rich-{status}-{size[0]}")
        line = await page.locator(".hand .top").evaluate(LINE)
        assert line["all"], size
        if status == "active" and size == PHONE:
            assert line["sum"]


FLIPPING = """() => {
  const [count, words] = [document.querySelector('.hand .flips'), document.querySelector('.prompt span')];
  if (!count || !/^Faltan? [123] cartas? por destapar$/.test(words?.innerText)) return undefined;
  const [a, b] = [count.getBoundingClientRect(), count.parentElement.getBoundingClientRect()];
  const name = document.querySelector('.hand .name');
  return a.top >= b.top && a.bottom <= b.bottom && name.scrollWidth <= name.clientWidth;
}"""


async def test_how_many_cards_are_still_to_be_flipped_is_told_whole(stage: Stage, server: Process) -> None:
    body = {"player": {"name": "Ana"}, "bots": ["carl", "bea"], "options": {"speed": "fast"}}
    forced = f'.board:has([data-spot] [data-card="flip3"]) {ME}'
    page = await asked(stage, server, body, forced, enough=200, size=(320, 568), language="es")
    await page.locator(ME).click()
    await page.wait_for_function(FLIPPING)


@pytest.mark.parametrize("size", [PHONE, (844, 390), (1024, 768), DESKTOP])
async def test_the_chance_of_a_flip_7_is_not_cut_off(stage: Stage, server: Process, size: tuple[int, int]) -> None:
    def likely(game: dict[str, Any]) -> None:
        game["odds"]["bust"][0], game["odds"]["flip7"][0] = 0, 0.31

    page = await stage.seated(server.seat("/api/quick", {"player": {"name": "Ana"}}), size, language="de")
    await own_turn(page)
    await lay_out(page, [("active", [*TWELVE[:6], "second"]), None, None, None], likely)
    words = page.locator(".hand .words")
    await expect(words).to_contain_text("31")
    fits = "it => it.scrollWidth <= it.clientWidth && it.scrollHeight <= it.clientHeight + 1"
    assert await words.evaluate(fits)
