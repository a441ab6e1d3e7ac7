"""Coach and review in the browser, with the real engine: numbers, words, and the way back into the replay."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator

import msgspec
import pytest
from playwright.async_api import expect
from tests.browser.conftest import quick
from tests.browser.driver import HIT, ME, TARGET, Stage, act, play, settled, waiting
from tests.browser.test_daily import RESULT, answered, daily_page, deck
from tests.browser.test_pages import SIZES, flaws, picture, resize, sideways
from tests.server.client import Process


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Process]:
    """A server whose engine is compiled already: that takes as long as a whole test may."""
    subprocess.run([sys.executable, "-m", "flip7.server.thinker"], input=b'{"job": "prepare"}\n', check=True)
    settings = msgspec.structs.replace(
        quick(tmp_path_factory.mktemp("thinking"), seed=11), engine=True, review_rollouts=60
    )
    with Process(settings) as process:
        yield process
        assert process.problems() == []


QUICK = {"player": {"name": "Ana"}, "bots": ["carl", "bea"], "options": {"target": 40, "speed": "instant"}}


@pytest.mark.parametrize(("size", "theme"), [("320x568", "dark"), ("390x844", "light"), ("1280x800", "light")])
async def test_the_coach_speaks_and_a_game_is_reviewed_moment_by_moment(
    stage: Stage, server: Process, size: str, theme: str
) -> None:
    for _ in range(20):  # games; one may end before it asks
        page = await stage.seated(server.seat("/api/quick", QUICK), SIZES[size], theme=theme, coach=True)
        await waiting(page)
        said = page.get_by_role("region", name="The coach")
        if await said.count():
            await said.get_by_role("status").evaluate("region => (window.spoken = region)")
        over = False
        while not over and not await page.locator(HIT).count():
            over = await act(page)
            await waiting(page)
        if not over:
            break
        await page.context.close()
    await expect(said).to_contain_text("Hit:")
    await expect(said).to_contain_text("Stay:")
    await expect(said).to_contain_text("%")
    assert "%" in await page.evaluate("spoken.isConnected ? spoken.innerText : ''")  # it was there before its text
    await picture(page, f"coach-{size}-{theme}")
    assert await flaws(page) == []
    await play(page, enough=25)
    missing: list[str] = []
    page.on("response", lambda answer: missing.append(answer.url) if answer.status == 404 else None)
    await page.get_by_role("link", name="Review").click()
    await expect(page.get_by_role("img", name="Chance to win, card by card")).to_be_visible()
    assert await flaws(page) == []
    assert not await sideways(page)
    assert missing == []
    await expect(page.get_by_role("heading", name="Turning point")).to_be_visible()
    await picture(page, f"review-{size}-{theme}")
    await page.get_by_role("slider").fill("3")
    link = page.get_by_role("link", name="Watch this moment").first
    step = int((await link.get_attribute("href") or "").rpartition("=")[2])
    await link.click()
    await expect(page.get_by_role("slider")).to_have_value(str(step + 1))
    # Whoever opens the link later sees the same, and this device remembers luck and skill.
    game = page.url.rpartition("/")[2].partition("?")[0]
    other = await stage.page(f"/review/{game}", SIZES[size], theme=theme, language="de")
    await expect(other.get_by_role("heading", name="Wendepunkt")).to_be_visible()
    kept = await page.evaluate("() => JSON.parse(localStorage['flip7.profile']).games.at(-1)")
    assert kept["id"] == game
    assert kept["bots"] == ["carl", "bea"]
    assert kept["skill"] <= 0 < abs(kept["luck"])
    assert stage.complaints == []


CUT = """() => [...document.querySelectorAll('.seats, .controls .body, .chance, .middle')]
.filter((it) => it.scrollHeight > it.clientHeight + 1 || it.getBoundingClientRect().bottom > innerHeight)
.map((it) => it.className)"""


OUTSIDE = """() => [...document.querySelectorAll('button.seat .chance')]
.filter((it) => it.getBoundingClientRect().left < it.closest('.seat').getBoundingClientRect().left)
.map((it) => it.textContent)"""


NAMELESS = """() => [...document.querySelectorAll('button.seat.target')].filter((seat) => {
  const name = seat.querySelector('.name').getBoundingClientRect();
  return [...seat.querySelectorAll('.effect, .chance')].some((label) => {
    const box = label.getBoundingClientRect();
    return box.left < Math.min(name.right, name.left + 30) && box.top < name.bottom && name.top < box.bottom;
  });
}).length"""


async def test_the_coach_tells_every_target_where_it_is(stage: Stage, server: Process) -> None:
    body = QUICK | {"bots": ["carl", "bea", "sam", "zoe", "nia"], "options": {"target": 200, "speed": "instant"}}
    count = 0
    for _ in range(20):  # games; one may end before it asks twice
        page = await stage.seated(server.seat("/api/quick", body), SIZES["320x568"], coach=True, language="de")
        over = False
        while not over:
            await waiting(page)
            if targets := await page.locator(TARGET).count():
                count += 1
                await expect(page.locator(f"{TARGET} .chance")).to_have_count(targets)
                await expect(page.locator(f"{ME} .chance")).to_have_count(await page.locator(ME).count())
                await expect(page.locator(TARGET).first).to_have_accessible_name(
                    re.compile(r"Sieg \d+\s%, zwischen \d+\s% und \d+\s%")
                )
                await expect(page.locator(f"{TARGET} .range").first).to_be_hidden()
                await picture(page, f"coach-target-{count}")
                await resize(page, "1280x800")
                await expect(page.locator(f"{TARGET} .range").first).to_have_text(re.compile(r"^\d+–\d+\s%$"))
                await expect(page.locator(f"{TARGET} .range").first).to_be_visible()
                assert await page.evaluate(OUTSIDE) == []
                await picture(page, f"coach-target-{count}-1280")
                await page.set_viewport_size({"width": 568, "height": 320})
                await settled(page)
                await picture(page, f"coach-target-{count}-568x320")
                assert await page.evaluate(NAMELESS) == 0
                await resize(page, "320x568")
            elif await page.locator(HIT).count():
                await expect(page.get_by_role("region", name="Der Trainer")).to_contain_text("Karte:")
                await picture(page, "coach-turn")
            assert await page.evaluate(CUT) == []
            if count == 2:
                return
            over = await act(page, enough=1000)
        await page.context.close()
    raise AssertionError("no game asks for a target")


async def test_a_table_without_the_coach_says_so(stage: Stage, server: Process) -> None:
    body = QUICK | {"options": {"target": 40, "coach": False}}
    page = await stage.seated(server.seat("/api/quick", body), coach=True)
    await expect(page.get_by_role("region", name="The coach")).to_have_text("The host plays without the coach.")


async def test_the_coach_is_off_until_somebody_wants_it(stage: Stage, server: Process) -> None:
    page = await stage.seated(server.seat("/api/quick", QUICK))
    await waiting(page)
    assert await page.get_by_role("region", name="The coach").count() == 0


async def test_there_is_a_way_back_to_a_review_from_home_and_from_the_replay(stage: Stage, server: Process) -> None:
    page = await stage.seated(server.seat("/api/quick", QUICK), SIZES["320x568"])
    await play(page, enough=25)
    game = (await page.get_by_role("link", name="Review").get_attribute("href") or "").rpartition("/")[2]
    await page.goto(stage.url)
    past = page.locator("section", has=page.get_by_role("heading", name="Played before"))
    await past.get_by_role("link", name="Review").click()
    await expect(page).to_have_url(f"{stage.url}/review/{game}")
    await page.go_back()
    await expect(past).to_be_visible()
    assert not await sideways(page)
    await picture(page, "home-past-320x568-dark")
    await past.get_by_role("link", name="Replay").click()
    await page.get_by_role("slider").wait_for()
    assert not await sideways(page)
    await picture(page, "replay-review-320x568-dark")
    await page.get_by_role("link", name="Review").click()
    await expect(page).to_have_url(f"{stage.url}/review/{game}")
    assert stage.complaints == []


async def test_yesterdays_daily_game_leads_to_replay_and_review_once_its_seed_is_told(stage: Stage) -> None:
    hidden = await daily_page(stage, [answered(mine_yesterday=RESULT)])
    await expect(hidden.get_by_role("heading", name="Your result of yesterday")).to_be_visible()
    assert await hidden.get_by_role("link", name="Watch the replay").count() == 0
    told = answered(mine_yesterday=RESULT, yesterday=deck(1, "2026-11-18", seed="7", salt="00"))
    page = await daily_page(stage, [told])
    await expect(page.get_by_role("link", name="Watch the replay")).to_have_attribute("href", "/replay/yesterday")
    await expect(page.get_by_role("link", name="Review")).to_have_attribute("href", "/review/yesterday")
    assert await flaws(page) == []
    await picture(page, "daily-yesterday-390x844-dark")
