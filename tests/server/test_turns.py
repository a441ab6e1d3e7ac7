"""Choices of one network are made one after the other, within a budget, and nobody else waits for them."""

from __future__ import annotations

import asyncio
import heapq
import time
from collections.abc import Callable
from itertools import count, pairwise
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


class Loop(Clock):
    """A clock with a loop that does everything at its moment, or later if something else takes long."""

    def __init__(self) -> None:
        super().__init__()
        self.due: list[tuple[float, int, Callable[[], None]]] = []
        self.order = count()
        self.turns = Turns(SETTINGS, self, self.later)

    def later(self, seconds: float, function: Callable[[], None]) -> None:
        heapq.heappush(self.due, (self.now + seconds, next(self.order), function))

    def run(self) -> None:
        """Do what there is to be done, until there is nothing more."""
        while self.due:
            at, _, function = heapq.heappop(self.due)
            self.now = max(self.now, at)
            function()

    def line_up(self, network: str, times: int, seats: int = 4) -> list[float]:
        """Ask for turns; return the list of the moments at which they come."""
        found: list[float] = []
        for _ in range(times):
            self.turns.call(network, seats, lambda: found.append(self.now))
        return found

    def moments(self, network: str, times: int, seats: int = 4) -> list[float]:
        """The moments at which turns come that are asked for now."""
        found = self.line_up(network, times, seats)
        self.run()
        return found


def gaps(moments: list[float]) -> list[float]:
    return [after - before for before, after in pairwise(moments)]


def test_who_has_been_quiet_does_not_wait_and_what_comes_at_once_is_spread() -> None:
    loop = Loop()
    asked = loop.now
    found = loop.moments("home", 5)
    assert found[0] == asked
    assert gaps(found) == pytest.approx([APART] * 4)


def test_over_the_budget_a_network_gets_its_rate_and_no_more() -> None:
    found = Loop().moments("home", 10 * BURST)
    spent = next(n for n, gap in enumerate(gaps(found)) if gap > 1.5 * APART)
    assert spent >= BURST
    assert gaps(found)[spent + 1 :] == pytest.approx([1 / RATE] * (len(found) - spent - 2))


def test_time_gives_the_budget_back_but_no_more_than_that() -> None:
    loop = Loop()
    first = loop.moments("home", 3 * BURST)
    loop.now += 1e6
    assert gaps(loop.moments("home", 3 * BURST)) == pytest.approx(gaps(first))


def test_networks_do_not_wait_for_each_other() -> None:
    loop = Loop()
    flood, home = loop.line_up("flood", 1000), loop.line_up("home", 1)
    assert home == [loop.now]
    loop.run()
    assert len(flood) == 1000


def test_a_choice_at_a_large_table_counts_more() -> None:
    small, large = gaps(Loop().moments("small", 2, seats=4)), gaps(Loop().moments("large", 2, seats=36))
    assert large == pytest.approx([4.2 * small[0]])


def test_turns_that_are_long_due_come_one_after_the_other_too() -> None:
    """Whatever has kept the loop: when it is free again, others have their turns in between."""
    loop = Loop()
    found = loop.line_up("home", 4)
    loop.now += 100
    loop.run()
    assert gaps(found) == pytest.approx([100, APART, APART])


def test_whoever_asks_during_a_turn_has_the_next_one() -> None:
    loop = Loop()
    found: list[float] = []

    def again() -> None:
        found.append(loop.now)
        if len(found) < 4:
            loop.turns.call("home", 4, again)

    again()
    loop.run()
    assert gaps(found) == pytest.approx([0, APART, APART])


def test_a_turn_that_goes_wrong_keeps_nobody_waiting() -> None:
    def wrong() -> None:
        raise ValueError("a mistake")

    loop = Loop()
    loop.line_up("home", 1)
    loop.turns.call("home", 4, wrong)
    found = loop.line_up("home", 1)
    with pytest.raises(ValueError, match="a mistake"):
        loop.run()
    loop.run()
    assert len(found) == 1


def test_networks_that_have_been_quiet_are_forgotten() -> None:
    loop = Loop()
    loop.moments("home", 5)
    loop.moments("school", 1)
    waiting = loop.line_up("club", 3)
    loop.now += 2 / RATE
    loop.turns.forget()
    assert len(loop.turns) == 2  # what home has used is not given back yet, and some of the club wait
    loop.run()
    assert len(waiting) == 3
    loop.now += 1e6
    loop.turns.forget()
    assert len(loop.turns) == 0


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
