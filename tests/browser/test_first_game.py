"""Whoever plays for the first time is taught: captions in the game, a minute of moving cards, what action cards do."""

from __future__ import annotations

from itertools import count
from pathlib import Path

import pytest
from playwright.async_api import Browser, Page, expect
from tests.browser.conftest import quick
from tests.browser.driver import Stage, act, waiting
from tests.browser.test_pace import NAMES, dealt
from tests.server.client import Process

from flip7.catalogue import texts
from flip7.game.game import Game
from flip7.game.options import Rules
from flip7.strategy import cast

LANGUAGES = ["en", "de", "fr", "es"]
CAPTIONS = {"risk", "modifier", "freeze", "flip3", "second"}


def with_everything() -> int:
    """A seed of a server whose first game turns up a modifier and all three action cards soon."""
    for seed in count(1):
        game = Game(NAMES, seed=seed + 1, rules=Rules(dealer=(seed + 1) % 4))
        while game.decision and len(game.rounds) < 2:
            game.play(cast.choice_of("sam", game))
        cards = {str(event.card) for event in game.events if event.card}
        if {"freeze", "flip3", "second"} <= cards and cards & {"x2", "+2", "+4", "+6", "+8", "+10"}:
            return seed
    raise AssertionError("seeds are endless")


async def learn_all(page: Page, language: str) -> set[str]:
    """Play on, and read every caption; returns those that came."""
    words = {texts(language)(f"lesson.{caption}"): caption for caption in CAPTIONS}
    seen: list[str] = []
    for _ in range(120):
        await waiting(page)
        for _ in CAPTIONS:
            if not await page.locator(".lesson").count():
                break
            seen.append(words[await page.locator(".lesson p").inner_text()])
            await page.locator(".lesson .btn").click()
        if len(set(seen)) == len(CAPTIONS) or await act(page, enough=25):
            break
        await page.wait_for_timeout(40)
    assert len(seen) == len(set(seen))
    return set(seen)


@pytest.mark.parametrize("language", LANGUAGES)
async def test_five_moments_are_explained_once(browser: Browser, tmp_path: Path, language: str) -> None:
    with Process(quick(tmp_path, with_everything())) as server:
        stage = Stage(browser, server.url)
        body = {"player": {"name": "Ana"}, "options": {"speed": "instant"}}
        page = await stage.seated(server.seat("/api/quick", body), tips=True, language=language)
        seen = await learn_all(page, language)
        assert seen == CAPTIONS
        await page.reload()
        await waiting(page)
        left = await page.locator(".lesson p").all_inner_texts()
        assert not [text for text in left if text in {texts(language)(f"lesson.{one}") for one in seen}]
        assert stage.complaints == []


async def test_the_captions_can_be_switched_off(stage: Stage, server: Process) -> None:
    page = await stage.seated(server.seat("/api/quick", {"player": {"name": "Ana"}}), tips=True)
    spoken = page.locator("[aria-live=polite]", has=page.locator(".lesson"))
    await spoken.wait_for(state="attached")
    await spoken.evaluate("region => (window.spoken = region)")
    await page.get_by_role("button", name="No more tips").click()
    await expect(page.locator(".lesson")).to_have_count(0)
    assert await page.evaluate("spoken.isConnected")  # a region that comes with its text is not read
    await page.reload()
    await waiting(page)
    await expect(page.locator(".lesson")).to_have_count(0)


async def test_how_to_play_takes_a_minute_and_moves(stage: Stage) -> None:
    page = await stage.page("/", motion="full")
    await page.clock.install()
    await page.get_by_role("link", name="How to play").click()
    words = page.locator(".words [aria-live]")  # the others only keep its place
    await expect(words).to_contain_text("one at a time")
    assert await page.locator(".fly").first.evaluate("card => card.getAnimations().length") == 1
    for _ in range(6):
        await page.clock.run_for(8600)
    await expect(words).to_contain_text("the most points win")
    await page.get_by_role("button", name="Back").click()
    await expect(words).to_contain_text("Flip 7")


async def test_an_action_card_says_what_it_does_when_it_asks_for_a_target(browser: Browser, tmp_path: Path) -> None:
    asks = ((seed, dealt(seed).decision) for seed in count(1))
    seed, card = next((seed, ask.card) for seed, ask in asks if ask and ask.kind == "target")
    with Process(quick(tmp_path, seed)) as server:
        page = await Stage(browser, server.url).seated(server.seat("/api/quick", {"player": {"name": "Ana"}}))
        await expect(page.locator(".does")).to_have_text(texts("en")(f"rules.{card}"))
