"""How long people wait: before the first choice, for bots, and in rounds in which they have no say; and what moves."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

import msgspec
from playwright.async_api import Browser, Page, expect
from tests.browser.conftest import quick
from tests.browser.driver import HIT, ME, RESULT, STAY, TARGET, Stage, waiting
from tests.server.client import Process

from flip7.game.game import Game
from flip7.game.options import Rules
from flip7.strategy import cast

NAMES = ["Ana", *(cast.BY_ID[id].name for id in cast.QUICK)]
FAST = {"target": 60, "speed": "fast"}
SEED = 2
THINKING = 1500
"""Milliseconds that a person takes for a choice."""
HASTE = 50
"""Milliseconds that are taken here, to save time: nothing else happens while a person thinks."""
FIRST_CHOICE = 4000
"""Milliseconds from the first tap to the first choice, at most."""

PLAY = f"""() => new Promise((resolve) => {{
  const begun = performance.now();
  let choices = 0, due = null;
  const timer = setInterval(() => {{
    if (document.querySelector('{RESULT}')) {{
      clearInterval(timer);
      resolve({{ choices, ms: performance.now() - begun }});
      return;
    }}
    const hit = document.querySelector('{HIT}');
    const button = document.querySelector('{TARGET}') ?? document.querySelector('{ME}') ?? hit;
    if (!button) {{
      due = null;
    }} else if (due === null) {{
      due = performance.now() + {HASTE};
    }} else if (performance.now() >= due) {{
      const enough = Number(document.querySelector('.hand .points strong').textContent) >= 20;
      (button === hit && enough ? document.querySelector('{STAY}') : button).click();
      choices += 1;
      due = null;
    }}
  }}, 20);
}})"""
"""Plays the page's seat as a person does, and tells how long the game took."""


FIRST = f"""() => new Promise((resolve) => {{
  const begun = performance.now();
  document.querySelector('.btn.accent').click();
  const timer = setInterval(() => {{
    if (!document.querySelector('{HIT}, {TARGET}, {ME}')) return;
    clearInterval(timer);
    resolve(performance.now() - begun);
  }}, 20);
}})"""
"""Taps "Play now", and tells how long it took to the first choice."""


@contextmanager
def paced(data: Path, seed: int) -> Iterator[Process]:
    """A server that keeps the pace of its tables, and deals the same cards each time."""
    with Process(msgspec.structs.replace(quick(data, seed), pace=1.0)) as process:
        yield process
        assert process.problems() == []


def dealt(seed: int) -> Game:
    """The game that a server with this seed deals to the first who wants to play now, up to their first choice."""
    game = Game(NAMES, seed=seed + 1, rules=Rules(dealer=(seed + 1) % 4))
    while game.decision and game.decision.seat:
        game.play(cast.choice_of(cast.QUICK[game.decision.seat - 1], game))
    return game


async def watch_shifts(page: Page) -> None:
    """Note what has shifted since the page was opened, and where the controls are whenever they are awake."""
    await page.evaluate(
        """(hit) => {
          window.shifts = [];
          window.places = new Set();
          setInterval(() => {
            const box = document.querySelector(hit) && document.querySelector('.controls').getBoundingClientRect();
            if (box) window.places.add([box.x, box.y, box.width, box.height].join(' '));
          }, 20);
          new PerformanceObserver((list) => {
            for (const entry of list.getEntries()) {
              if (!entry.hadRecentInput) {
                window.shifts.push([entry.value, ...entry.sources.map((source) => source.node?.className ?? '')]);
              }
            }
          }).observe({ type: 'layout-shift', buffered: true });
        }""",
        HIT,
    )


def longest_task(trace: bytes) -> float:
    """Return the longest task of a page in a trace, in milliseconds of the processor: a busy machine does not count."""
    events = json.loads(trace)["traceEvents"]
    pages = {
        (event["pid"], event["tid"])
        for event in events
        if event["name"] == "thread_name" and event["args"]["name"] == "CrRendererMain"
    }
    tasks = [event for event in events if (event["pid"], event["tid"]) in pages and event["ph"] == "X"]
    measured = [float(task["tdur"]) for task in tasks if "tdur" in task]
    assert len(measured) > 100
    return max(measured) / 1000


async def test_a_whole_fast_game_waits_little_shifts_nothing_and_has_no_long_task(
    browser: Browser, tmp_path: Path
) -> None:
    """It takes little more than the time to think, on a phone and on a desktop.

    The taps are made by a script, so that no shift is excused by one. A processor that is four times slower takes four
    times as long: that has to stay under 200 ms.
    """
    with paced(tmp_path, SEED) as server:
        stage = Stage(browser, server.url)
        pages = []
        for size in ((390, 844), (1280, 800)):
            seated = server.seat("/api/quick", {"player": {"name": "Ana"}, "options": FAST})
            pages.append(await stage.seated(seated, size, motion="full"))
        for page in pages:
            await waiting(page)
            await watch_shifts(page)
        await browser.start_tracing(page=pages[0], categories=["toplevel", "__metadata"])
        games = await asyncio.gather(*(page.evaluate(PLAY) for page in pages))
        assert 4 * longest_task(await browser.stop_tracing()) < 200
        for page, told in zip(pages, games, strict=True):
            await expect(page.locator(RESULT)).to_be_visible()
            assert told["choices"] >= 6
            whole = told["ms"] + (THINKING - HASTE) * told["choices"]
            assert whole <= 2.5 * THINKING * told["choices"], told
            shifts = await page.evaluate("window.shifts")
            assert sum(shift[0] for shift in shifts) < 0.02, sorted(shifts, reverse=True)[:5]
            assert await page.evaluate("window.places.size") == 1
        assert stage.complaints == []


async def test_the_first_choice_is_one_tap_and_four_seconds_away(browser: Browser, tmp_path: Path) -> None:
    """Also for who is frozen in the deal: the round is told quickly, and the next one follows."""
    frozen = next(seed for seed in count(1) if len(dealt(seed).rounds) == 1)
    plain = next(seed for seed in count(1) if len(dealt(seed).choices) >= 3)
    for seed in (plain, frozen):
        with paced(tmp_path / str(seed), seed) as server:
            page = await Stage(browser, server.url).page("/", speed="normal", motion="full")
            await expect(page.get_by_role("button", name="Play now")).to_be_enabled()
            assert await page.evaluate(FIRST) <= FIRST_CHOICE
            await expect(page.locator("header h1")).to_contain_text(f"Round {len(dealt(seed).rounds) + 1}")
