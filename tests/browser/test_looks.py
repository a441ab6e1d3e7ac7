"""How it looks on the smallest phone and on the big screen: nothing is cut, hidden, below the fold, or jumps."""

from __future__ import annotations

from playwright.async_api import Page, expect
from tests.browser.driver import TARGET, Stage, asked, play, settled
from tests.browser.test_pages import SIZES, picture, resize
from tests.server.client import Process

from flip7.catalogue import texts

SMALL = "320x568"
QUICK = {
    "player": {"name": "Maximiliane"},
    "bots": ["ned", "zoe", "carl"],
    "options": {"target": 10, "speed": "instant"},
}

CUT = """() => [...document.querySelectorAll('svg text.name')].filter((text) => {
  const box = text.getBoundingClientRect();
  return box.right > text.closest('svg').getBoundingClientRect().right;
}).map((text) => text.textContent)"""

PAINTED = """() => {
  window.painted = [];
  const { fill } = CanvasRenderingContext2D.prototype;
  CanvasRenderingContext2D.prototype.fill = function () { window.painted.push(this.fillStyle); fill.call(this); };
}"""

OWN = """() => {
  const pen = document.createElement('canvas').getContext('2d');
  return [...document.querySelectorAll('.ranking .avatar')].map((mark) => {
    pen.fillStyle = getComputedStyle(mark).backgroundColor;
    return pen.fillStyle;
  });
}"""


async def middle(page: Page, selector: str) -> float:
    box = await page.locator(selector).bounding_box()
    assert box
    return box["x"] + box["width"] / 2


async def test_a_result_its_picture_and_its_replay_can_be_seen_on_every_screen(stage: Stage, server: Process) -> None:
    page = await stage.seated(server.seat("/api/quick", QUICK), SIZES[SMALL], language="fr")
    await play(page)
    await expect(page.get_by_role("button", name="Revanche")).to_be_in_viewport(ratio=1)
    for size in SIZES:
        await resize(page, size)
        assert await page.evaluate(CUT) == [], size
        await page.locator("svg text.name").first.scroll_into_view_if_needed()
        await picture(page, f"result-graph-{size}")
    await resize(page, SMALL)
    await page.evaluate("scrollTo(0, 0)")
    await picture(page, "result-small")
    await page.evaluate(PAINTED)
    await page.get_by_role("button", name="Résultat en image").click()
    await page.wait_for_function("() => window.painted.length >= 4")
    assert await page.evaluate("window.painted") == await page.evaluate(OWN)

    await page.get_by_role("link", name="Revoir la partie").click()
    await page.get_by_role("button", name="À la fin").click()
    await expect(page.locator(".won")).to_be_visible()
    await expect(page.locator(".won .avatar.bot")).to_have_count(await page.locator(".won .avatar").count() - 1)
    await picture(page, "replay-won-small")
    assert (await page.get_by_role("heading", level=1).inner_text()).startswith("Manche")
    await resize(page, "1920x1080")
    assert abs(await middle(page, ".won") - await middle(page, ".seats")) < 20
    await picture(page, "replay-won-large")
    await page.locator(".won").get_by_role("button", name="Fermer").click()
    await expect(page.locator(".won")).to_have_count(0)


async def test_the_buttons_of_how_to_play_stay_where_they_are(stage: Stage) -> None:
    page = await stage.page("/how", SIZES[SMALL], language="fr")
    following = page.get_by_role("button", name="Suivant")
    await expect(following).to_be_visible()
    await settled(page)
    places: list[float] = []
    for _ in range(6):
        places.append(await page.locator(".bar").last.evaluate("bar => bar.getBoundingClientRect().y + scrollY"))
        await following.click()
    assert max(places) - min(places) <= 1  # pixels


async def test_the_settings_open_above_the_lobby(stage: Stage, server: Process) -> None:
    page = await stage.seated(server.seat("/api/tables", {"players": [{"name": "Ana"}]}))
    await page.get_by_role("button", name="Settings").click()
    await expect(page.get_by_role("dialog")).to_contain_text("Language")
    await page.keyboard.press("Escape")
    await expect(page.get_by_role("button", name="Start")).to_be_visible()


HIDDEN = """(words) => [...document.querySelectorAll('button.seat.target')].filter((seat) => {
  seat.querySelector('.effect').lastChild.data = ` ${words}`;
  const total = seat.querySelector('.total');
  total.textContent = '187';
  return seat.querySelector('.effect').getBoundingClientRect().right > total.getBoundingClientRect().left;
}).length"""


async def test_the_label_of_a_target_hides_no_total(stage: Stage, server: Process) -> None:
    body = {"player": {"name": "Ana"}, "bots": ["carl", "bea", "sam"], "options": {"speed": "instant"}}
    page = await asked(stage, server, body, TARGET, enough=200, size=SIZES[SMALL])
    await settled(page)
    for language in ("en", "de", "fr", "es"):
        say = texts(language)
        for words in (say("table.label.bust", n="43 %"), say("table.label.bank", n=43), say("table.label.give")):
            assert await page.evaluate(HIDDEN, words) == 0, words
    await picture(page, "target-label")
