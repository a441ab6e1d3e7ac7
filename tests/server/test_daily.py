"""The daily challenge: the same deck for everybody, one try, promises before and seeds after, whatever servers do."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import msgspec
import pytest

from flip7 import Card
from flip7.game.events import Hand
from flip7.game.game import Game
from flip7.game.options import Rules
from flip7.game.promise import secret_hash
from flip7.protocol.messages import Closed, Options, Player, Refused, Rematch, RoomChanged, SetOptions, StandIn, Step
from flip7.protocol.rest import DailyResult
from flip7.server.daily_log import signs
from flip7.server.errors import Refusal
from flip7.server.hub import Hub
from flip7.server.settings import Settings
from flip7.server.thinker import solve_day
from flip7.strategy.solver.solve import solve

from .inside import FAST, Browser, FakeEngine, make_hub, serving, two_thinking, use_engine
from .test_store import fresh_database

ONE, TWO = "1" * 32, "2" * 32
ANA = Player(name="Ana")
ADDRESS = "192.0.2.1"


class Calendar:
    """A clock that is set by hand, for one hub or several."""

    def __init__(self) -> None:
        self.now = datetime(2026, 11, 18, 23, 0, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now

    def tomorrow(self, hour: int = 23, minute: int = 0) -> None:
        self.now = (self.now + timedelta(days=1)).replace(hour=hour, minute=minute)


def settings(tmp_path: Path) -> Settings:
    return msgspec.structs.replace(FAST, data=tmp_path)


async def try_it(hub: Hub, device: str = ONE, name: str = "Ana") -> Browser:
    """The whole try of a device, played plainly."""
    browser = Browser(hub, await hub.daily_try(device, Player(name=name), ADDRESS))
    await browser.open()
    await browser.play()
    return browser


async def test_a_deck_is_promised_the_day_before_and_laid_open_the_day_after(tmp_path: Path) -> None:
    calendar = Calendar()
    async with serving(settings(tmp_path), calendar) as hub:
        first = await hub.daily.look()
        assert (first.today.number, first.today.date, first.yesterday) == (1, "2026-11-18", None)
        assert first.seconds == 3600
        calendar.tomorrow()
        second = await hub.daily.look()
        assert second.today.number == 2
        assert second.today.promise == first.tomorrow.promise
        assert second.today.promised == "2026-11-18"
        assert second.today.seed is second.today.salt is second.tomorrow.seed is None
        with pytest.raises(Refusal):
            await hub.daily.past("2026-11-19")
        calendar.tomorrow()
        third = await hub.daily.look()
        assert third.yesterday is not None
        assert third.yesterday.seed is not None
        assert third.yesterday.salt is not None
        assert secret_hash(int(third.yesterday.seed), third.yesterday.salt) == first.tomorrow.promise
        assert (await hub.daily.past("2026-11-19")).deck == third.yesterday
        for nonsense in ("2026-11-17", "2030-01-01", "yesterday"):
            with pytest.raises(Refusal):
                await hub.daily.past(nonsense)


async def test_everybody_gets_the_same_cards_and_one_try(tmp_path: Path) -> None:
    async with serving(settings(tmp_path), Calendar()) as hub:
        one = await try_it(hub)
        two = await try_it(hub, TWO, "Ben")
        seen = [[step.events for step in browser.messages if isinstance(step, Step)] for browser in (one, two)]
        assert seen[0] == seen[1]
        mine = await hub.daily.look(ONE)
        assert mine.mine is not None
        assert (mine.place, mine.players) == (1, 2)
        assert [result.name for result in mine.table] == ["Ana", "Ben"]
        assert len(mine.mine.signs) == mine.mine.rounds
        assert mine.mine.total >= 200
        assert (mine.solver, mine.solving) == (None, False)  # there is no engine here
        again = await hub.daily_try(ONE, ANA, ADDRESS)
        assert again.code == one.code  # the same table, with its result
        one.say(Rematch())
        assert (await one.expect(Refused)).code == "not_now"
        await one.close()
        await two.close()


async def test_the_daily_is_as_fast_as_whoever_begins_it_likes(tmp_path: Path) -> None:
    async with serving(settings(tmp_path), Calendar()) as hub:
        for device, chosen, expected in ((ONE, (), "fast"), (TWO, ("calm",), "calm")):
            browser = Browser(hub, await hub.daily_try(device, ANA, ADDRESS, *chosen))
            welcome = await browser.open()
            assert welcome.room.options.speed == expected
            assert not welcome.room.options.coach
            await browser.close()


async def test_who_leaves_has_had_the_try_and_who_reloads_goes_on(tmp_path: Path) -> None:
    async with serving(settings(tmp_path), Calendar()) as hub:
        assert not (await hub.daily.look(ONE)).begun
        seated = await hub.daily_try(ONE, ANA, ADDRESS)
        looked = await hub.daily.look(ONE)
        assert (looked.begun, looked.spent) == (True, False)
        assert await hub.daily_try(ONE, ANA, ADDRESS) == seated
        browser = Browser(hub, seated)
        await browser.open()
        browser._says.put_nowait({"type": "websocket.receive", "text": '{"type": "leave"}'})
        await browser.ending()
        with pytest.raises(Refusal) as refused:
            await hub.daily_try(ONE, ANA, ADDRESS)
        assert refused.value.code == "not_now"
        left = await hub.daily.look(ONE)
        assert (left.begun, left.spent, left.mine) == (True, True, None)  # so nobody is invited to go on
        await browser.close()


async def test_nothing_tells_the_seed_before_the_day_is_over(tmp_path: Path) -> None:
    calendar = Calendar()
    async with serving(settings(tmp_path), calendar) as hub:
        browser = await try_it(hub)
        again = Browser(hub, await hub.daily_try(ONE, ANA, ADDRESS))
        await again.open()
        secret = hub.daily._secrets["2026-11-18"]
        told = msgspec.json.encode([browser.messages, again.messages, await hub.daily.look(ONE)]).decode()
        assert secret.salt not in told
        assert secret.seed not in told
        for answer in (hub.replays.get(browser.game, ADDRESS), hub.reviews.answer(browser.game, ADDRESS)):
            with pytest.raises(Refusal) as refused:
                await answer
            assert refused.value.code == "not_yet"
        await browser.close()
        await again.close()
        calendar.tomorrow(0, 31)
        await hub.replays.get(browser.game, ADDRESS)


async def test_nobody_helps(tmp_path: Path) -> None:
    async with serving(settings(tmp_path), Calendar()) as hub:
        seated = await hub.daily_try(ONE, ANA, ADDRESS)
        browser = Browser(hub, seated)
        welcome = await browser.open()
        assert welcome.room.daily == "2026-11-18"
        for message in (SetOptions(options=Options(coach=True)), StandIn(seat=seated.seats[0])):
            browser.say(message)
            assert (await browser.expect(Refused)).code == "not_now"
        browser.say(SetOptions(options=Options(coach=False, speed="calm")))
        await browser.expect(RoomChanged)
        watching = Browser(hub, seated, watch=True)
        with pytest.raises(AssertionError, match="hung up"):
            await watching.open()
        assert isinstance(watching.messages[-1], Closed)
        with pytest.raises(Refusal):
            await hub.join(seated.code, (Player(name="Ben"),))
        await browser.close()


async def test_a_try_may_be_finished_a_little_after_midnight_and_the_result_is_found(tmp_path: Path) -> None:
    calendar = Calendar()
    async with serving(settings(tmp_path), calendar) as hub:
        seated = await hub.daily_try(ONE, ANA, ADDRESS)
        calendar.tomorrow(0, 5)
        browser = Browser(hub, seated)
        await browser.open()
        await browser.play()
        body = await hub.daily.look(ONE)
        assert body.mine_yesterday is not None
        assert body.mine_yesterday.game == browser.game
        assert (body.mine, body.begun, body.today.date) == (None, False, "2026-11-19")
        assert body.yesterday is not None
        assert body.yesterday.seed is body.yesterday.salt is None  # others may still play
        with pytest.raises(Refusal):
            await hub.daily.past("2026-11-18")
        calendar.now = calendar.now.replace(minute=30)
        opened = await hub.daily.past("2026-11-18")
        assert opened.deck.seed is not None
        assert [result.game for result in opened.table] == [browser.game]
        assert (await hub.daily.look(TWO)).mine_yesterday is None
        await browser.close()


async def test_no_result_counts_once_the_seed_is_known(tmp_path: Path) -> None:
    calendar = Calendar()
    async with serving(settings(tmp_path), calendar) as hub:
        seated = await hub.daily_try(ONE, ANA, ADDRESS)
        calendar.tomorrow(0, 30)
        opened = (await hub.daily.look(ONE)).yesterday
        assert opened is not None
        assert opened.seed is not None
        browser = Browser(hub, seated)
        await browser.open()
        await browser.play()
        assert browser.ask is None
        assert (await hub.daily.look(ONE)).mine_yesterday is None
        assert (await hub.daily.past("2026-11-18")).table == ()
        await browser.close()


async def test_decks_are_promised_whether_anybody_looks_or_not(tmp_path: Path) -> None:
    calendar = Calendar()
    async with serving(settings(tmp_path), calendar) as hub:
        calendar.tomorrow()
        await hub._sweep()
        calendar.tomorrow()
        body = await hub.daily.look()
        assert (body.today.number, body.today.promised) == (3, "2026-11-19")
        assert (await hub.daily.past("2026-11-18")).deck.promised == "2026-11-18"


async def test_nothing_is_invented_for_days_on_which_no_server_ran(tmp_path: Path) -> None:
    calendar = Calendar()
    async with serving(settings(tmp_path), calendar):
        pass
    calendar.now += timedelta(days=4)
    async with serving(settings(tmp_path), calendar) as hub:
        body = await hub.daily.look()
        assert (body.today.number, body.today.promised, body.today.date) == (5, "2026-11-22", "2026-11-22")
        assert body.yesterday is None
        with pytest.raises(Refusal):
            await hub.daily.past("2026-11-21")
        assert (await hub.daily.past("2026-11-19")).deck.promised == "2026-11-18"


async def test_the_table_of_a_day_is_read_once_for_many_who_look(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with serving(settings(tmp_path), Calendar()) as hub:
        await (await try_it(hub)).close()
        await hub.daily.look(ONE)
        read: list[str] = []
        all_kept = hub.store.all_kept

        async def counted(kind: str) -> Any:
            read.append(kind)
            return await all_kept(kind)

        monkeypatch.setattr(hub.store, "all_kept", counted)
        for _ in range(3):
            assert (await hub.daily.look(ONE)).players == 1
            assert (await hub.daily.look()).players == 1
        assert read == []
        await (await try_it(hub, TWO, "Ben")).close()
        assert (await hub.daily.look(TWO)).players == 2  # whoever has finished is in it at once
        assert len(read) == 1


async def test_a_deck_that_could_not_be_solved_is_not_thought_about_again(tmp_path: Path) -> None:
    hub = make_hub(settings(tmp_path), Calendar())
    engine = FakeEngine(tmp_path, solve=None)
    use_engine(hub, engine)
    await hub.open()
    try:
        await engine.ready()
        await (await try_it(hub)).close()
        assert (await hub.daily.look(ONE)).solving
        await hub.daily.solved()
        for _ in range(3):
            assert not (await hub.daily.look(ONE)).solving
            await hub.daily.solved()
        assert engine.jobs("solve") == 1
    finally:
        await hub.close()


async def test_one_of_several_servers_solves_the_deck_of_the_day(postgres: str, tmp_path: Path) -> None:
    shared = msgspec.structs.replace(settings(tmp_path), database=await fresh_database(postgres))
    answer = msgspec.json.encode(DailyResult("flip7.solve", 4, 210, "🟩🟩🟩🟩")).decode()
    async with two_thinking(shared, tmp_path, Calendar(), solve=answer) as hubs:
        await (await try_it(hubs[0])).close()
        await asyncio.gather(*(hub.daily.look(ONE) for hub in hubs))
        await asyncio.gather(*(hub.daily.solved() for hub in hubs))
        for hub in hubs:
            found = (await hub.daily.look(ONE)).solver
            assert found is not None
            assert found.rounds == 4
        assert hubs[0].engine.jobs("solve") == 1


def test_the_solver_plays_every_question_of_a_deck() -> None:
    """On a small deck; a whole one takes minutes, which is why it is done once a day beside the server."""
    counts = {Card.N1: 1, Card.N2: 2, Card.N3: 3, Card.N4: 4, Card.N5: 5, Card.PLUS4: 1, Card.X2: 1, Card.SECOND: 1}
    rules = Rules(target=30, composition=counts)
    shares: list[float] = []
    found = solve_day(Game(["solver"], seed=3, rules=rules), shares.append)
    again = Game(["Ana"], seed=3, rules=rules)
    while again.decision is not None:
        choice = solve(position=again).choice
        assert choice is not None
        again.play(choice)
    assert found.rounds == len(again.rounds) == len(found.signs)
    assert found.total == again.seats[0].total >= 30
    assert len(shares) == len(again.choices)


@pytest.mark.parametrize(
    ("status", "points", "flip7", "sign"),
    [
        ("busted", 0, 0, "💥"),
        ("stayed", 0, 0, "⬛"),
        ("stayed", 14, 0, "⬛"),
        ("frozen", 15, 0, "🟨"),
        ("stayed", 29, 0, "🟨"),
        ("stayed", 30, 0, "🟩"),
        ("active", 60, 15, "🌟"),
    ],
)
def test_a_sign_stands_for_a_round(status: str, points: int, flip7: int, sign: str) -> None:
    hand = Hand(0, status, (), points - flip7, False, 0, flip7, points, points)
    assert signs([hand]) == sign


async def test_the_database_decides_for_several_servers(postgres: str, tmp_path: Path) -> None:
    shared = msgspec.structs.replace(settings(tmp_path), database=await fresh_database(postgres))
    calendar = Calendar()
    hubs = [make_hub(shared, calendar), make_hub(shared, calendar)]
    for hub in hubs:
        await hub.open()
    try:
        looks = await asyncio.gather(*(hub.daily.look() for hub in hubs * 4))
        assert len({(look.today.promise, look.tomorrow.promise) for look in looks}) == 1
        tries: list[Any] = await asyncio.gather(*(hub.daily_try(ONE, ANA, ADDRESS) for hub in hubs * 4))
        assert len(set(tries)) == 1
        assert await hubs[0].store.count_rooms() == 1
        other = await hubs[1].daily_try(TWO, ANA, ADDRESS)
        assert other.code != tries[0].code
    finally:
        for hub in hubs:
            await hub.close()
