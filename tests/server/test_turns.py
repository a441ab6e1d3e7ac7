"""Choices of one network are made one after the other, within a budget, and nobody else waits for them."""

from __future__ import annotations

import asyncio
import time
from itertools import pairwise
from pathlib import Path

import msgspec
import pytest

from flip7.protocol.messages import Step
from flip7.server.replays import work_of
from flip7.server.settings import Settings
from flip7.server.turns import QUICKEST, Turns

from .inside import FAST, SECONDS, Browser, FakeEngine, create, eventually, make_hub, serving, use_engine
from .test_limits import Clock

RATE, BURST = 10.0, 20
SETTINGS = Settings(choices_per_second=RATE, choice_burst=BURST)
APART = 1 / (QUICKEST * RATE)
"""Seconds between two choices of one network at tables of four, while there is budget left."""


def moments(turns: Turns, network: str, times: int, seats: int = 4) -> list[float]:
    return [turns.next(network, seats) for _ in range(times)]


def gaps(moments: list[float]) -> list[float]:
    return [after - before for before, after in pairwise(moments)]


def test_who_has_been_quiet_does_not_wait_and_what_comes_at_once_is_spread() -> None:
    clock = Clock()
    turns = Turns(SETTINGS, clock)
    found = moments(turns, "home", 5)
    assert found[0] == clock.now
    assert gaps(found) == pytest.approx([APART] * 4)


def test_over_the_budget_a_network_gets_its_rate_and_no_more() -> None:
    clock = Clock()
    found = moments(Turns(SETTINGS, clock), "home", 10 * BURST)
    spent = next(n for n, gap in enumerate(gaps(found)) if gap > 1.5 * APART)
    assert spent >= BURST
    assert gaps(found)[spent + 1 :] == pytest.approx([1 / RATE] * (len(found) - spent - 2))


def test_time_gives_the_budget_back_but_no_more_than_that() -> None:
    clock = Clock()
    turns = Turns(SETTINGS, clock)
    first = moments(turns, "home", 3 * BURST)
    clock.now = first[-1] + 1e6
    again = moments(turns, "home", 3 * BURST)
    assert gaps(again) == pytest.approx(gaps(first))


def test_networks_do_not_wait_for_each_other() -> None:
    clock = Clock()
    turns = Turns(SETTINGS, clock)
    moments(turns, "flood", 1000)
    assert turns.next("home", 4) == clock.now


def test_a_choice_at_a_large_table_counts_more() -> None:
    turns = Turns(SETTINGS, Clock())
    small, large = gaps(moments(turns, "small", 2, seats=4)), gaps(moments(turns, "large", 2, seats=36))
    assert large == pytest.approx([4.2 * small[0]])


def test_networks_that_have_been_quiet_are_forgotten() -> None:
    clock = Clock()
    turns = Turns(SETTINGS, clock)
    moments(turns, "home", 5)
    moments(turns, "school", 1)
    clock.now += 2 / RATE
    turns.forget()
    assert len(turns) == 1  # what the other has used is not given back yet
    clock.now += 1e6
    turns.forget()
    assert len(turns) == 0


PER_SECOND = 40.0


def slow(folder: Path) -> Settings:
    """A server that makes so many choices a second for one network, in those of a table of four, and never more."""
    return msgspec.structs.replace(FAST, data=folder, choices_per_second=PER_SECOND, choice_burst=1)


def least_seconds(choices: int, seats: int) -> float:
    """The least time that takes so many choices one after the other, but for the first ones, which wait for nobody."""
    return (choices - 3) * work_of(1, seats) / PER_SECOND


async def test_people_of_one_network_choose_one_after_the_other(tmp_path: Path) -> None:
    async with serving(slow(tmp_path)) as hub:
        four = Browser(hub, await create(hub, "Ana", "Ben", "Cho", "Dan", start=True, target=500))
        await four.open()
        began = time.monotonic()
        await four.play(until=40)
        assert time.monotonic() - began >= least_seconds(40, 4)
        await four.close()


async def test_who_plays_in_another_network_does_not_wait(tmp_path: Path) -> None:
    """In each network the first choice is made at once, and the second one long after this test."""
    patient = msgspec.structs.replace(FAST, data=tmp_path, choices_per_second=1 / (10 * SECONDS), choice_burst=1)
    async with serving(patient) as hub:
        tables = [await create(hub, "Eve", "Flo", start=True, target=500) for _ in range(4)]
        busy, *calm = [Browser(hub, seated, address=f"198.51.100.{n}") for n, seated in enumerate(tables)]
        for browser in (busy, *calm):
            await browser.open()
        hurrying = asyncio.create_task(busy.play(until=3))
        await eventually(lambda: busy.number == 1)
        for browser in calm:
            await browser.play(until=1)
        assert busy.number == 1
        for task in (hurrying, busy._task):
            assert task
            task.cancel()
        await asyncio.gather(hurrying, *(browser.close() for browser in calm), return_exceptions=True)


@pytest.mark.parametrize("bot", ["carl", "dee"])
async def test_bots_choose_no_faster_than_the_network_of_their_table_may(bot: str, tmp_path: Path) -> None:
    """They do so for whoever is at their table, wherever that is."""
    hub = make_hub(slow(tmp_path))
    use_engine(hub, FakeEngine(tmp_path, choose='"hit"'))
    await hub.open()
    try:
        await hub.engine.ready()
        seated = await create(hub, "Ana", bots=(bot,) * 3, start=True, target=500, speed="instant")
        ana = Browser(hub, seated, address="198.51.100.1")
        await ana.open()
        began, told = time.monotonic(), 0
        while told < 30:
            if ana.ask is not None and ana.ask.seat == 0:
                await ana.play(until=ana.number + 1)
            else:
                await ana.expect(Step)
                told += 1
        assert time.monotonic() - began >= least_seconds(30, 4)
        await ana.close()
    finally:
        await hub.close()
