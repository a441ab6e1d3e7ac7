"""A table has one owner, who lets go of it in order: nobody hangs, sits down twice, or is told what is old."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import msgspec
import pytest
from prometheus_client import Counter

from flip7.protocol.messages import Hello, Options, Player, Ready, Welcome
from flip7.protocol.rest import Seated
from flip7.server.errors import Conflict, Refusal, StoreError
from flip7.server.hub import Hub
from flip7.server.inputs import Abandoned, Came, Joined
from flip7.server.names import digest
from flip7.server.repeating import repeat
from flip7.server.room import MAILBOX, Room
from flip7.server.seating import RoomData
from flip7.server.settings import Settings
from flip7.server.state import RoomState
from flip7.server.store.base import CreateRoom, Fence, SaveRoom, Write
from flip7.server.store.clock import awake_or_not

from .core_table import CoreTable
from .inside import FAST, Browser, create, eventually, serving
from .test_cluster import acquainted, age, hubs
from .test_cluster import settings as shared_settings  # noqa: F401 - the fixture of `hubs`
from .test_log import Unreliable

__all__ = ["hubs"]


@pytest.fixture
def alone(tmp_path: Path) -> Settings:
    return msgspec.structs.replace(FAST, data=tmp_path)


@pytest.fixture
def settings(shared_settings: Settings) -> Settings:  # noqa: F811
    return shared_settings


def room_of(hub: Hub, code: str) -> Room:
    return next(room for room in hub.directory.rooms if room.code == code)


class Slow:
    """Makes the writes of a store wait until they may go on."""

    def __init__(self, hub: Hub) -> None:
        self.write = hub.store.write
        self.begun, self.may = asyncio.Event(), asyncio.Event()
        hub.store.write = self  # type: ignore[method-assign]

    async def __call__(self, *writes: Write, fence: Fence | None = None) -> None:
        self.begun.set()
        await self.may.wait()
        await self.write(*writes, fence=fence)


async def test_a_new_table_takes_no_code_of_one_that_is_here(alone: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    async with serving(alone) as hub:
        seated = await create(hub, "Ana")
        letters = iter(seated.code + "BCDFG")
        monkeypatch.setattr("flip7.server.names.secrets.choice", lambda all: next(letters))
        other = await create(hub, "Ben")
        assert other.code == "BCDFG"
        assert (await hub.info(seated.code)).host == "Ana"
        twin = Room(hub, RoomState.restore(RoomData(seated.code, Options()), None, alone, 0.0), 1)
        with pytest.raises(Conflict):
            hub.directory.add(twin)


async def test_a_code_that_the_store_has_already_is_replaced_by_another(
    alone: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with serving(alone) as hub:
        await hub.store.write(CreateRoom("BCDFG", b"{}"))
        letters = iter("BCDFGHJKMN")
        monkeypatch.setattr("flip7.server.names.secrets.choice", lambda all: next(letters))
        assert (await create(hub, "Ana")).code == "HJKMN"
        assert await hub.membership.check() is None


async def test_a_server_that_goes_takes_no_table_back_and_sends_nobody_away_before_it_has_let_go(
    alone: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with serving(alone) as hub:
        seated = await create(hub, "Ana")
        ana = Browser(hub, seated)
        await ana.open()
        release = hub.store.release
        released = asyncio.Event()

        async def watched(*fences: Fence) -> None:
            await asyncio.sleep(0)
            assert ana._news.empty()
            for ask in (hub.info(seated.code), hub.here(seated.code)):
                with pytest.raises(Refusal) as refused:
                    await ask
                assert refused.value.code == "closing"
            await release(*fences)
            released.set()

        monkeypatch.setattr(hub.store, "release", watched)
        await hub.hand_over()
        assert released.is_set()
        closed = await ana.ending()
        assert (closed.code, closed.resume) == ("restart", True)
        assert await hub.store.owned() == []
        late = Browser(hub, seated)
        with pytest.raises(AssertionError, match="closing"):
            await late.open()
        assert late.messages[-1].resume  # type: ignore[union-attr]
        for browser in (ana, late):
            await browser.close()


async def test_a_request_under_way_is_answered_when_its_table_stops(alone: Settings) -> None:
    async with serving(alone) as hub:
        seated = await create(hub, "Ana")
        room = room_of(hub, seated.code)
        before, slow = room.is_idle, Slow(hub)
        first = asyncio.create_task(room.call(Joined((Player(name="Ben"),), "ben")))
        await slow.begun.wait()
        assert (before, room.is_idle) == (True, False)
        others = [asyncio.create_task(room.call(Abandoned())) for _ in range(MAILBOX + 5)]
        await asyncio.sleep(0)
        hub.directory.forget(room)
        async with asyncio.timeout(5):
            await room.stop()
            for error in await asyncio.gather(first, *others, return_exceptions=True):
                assert isinstance(error, Refusal)
                assert error.code == "closing"
        slow.may.set()


def test_who_asks_for_seats_again_with_the_same_token_gets_the_same_ones() -> None:
    table = CoreTable("Ana")
    joined = Joined((Player(name="Ben"), Player(name="Cho")), digest("a token"))
    seats = table.feed(joined).seats
    again = table.feed(joined)
    assert (again.seats, again.writes) == (seats, [])
    assert [seat.name for seat in table.state.data.seats] == ["Ana", "Ben", "Cho"]


async def test_a_join_whose_answer_is_lost_on_the_way_seats_nobody_twice(
    hubs: tuple[Hub, Hub], monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = hubs
    seated = await create(first, "Ana")
    ask, lost = second.links.ask, 0

    async def unreliable(*values: Any) -> bytes:
        nonlocal lost
        answer = await ask(*values)
        lost += 1
        if lost == 1:
            raise TimeoutError
        return answer

    monkeypatch.setattr(second.links, "ask", unreliable)
    ben = await second.join(seated.code, (Player(name="Ben"),))
    assert lost == 2
    assert [seat.name for seat in (await first.info(seated.code)).seats] == ["Ana", "Ben"]
    browser = Browser(second, ben)
    assert (await browser.open()).seats == ben.seats
    await browser.close()


async def test_a_join_that_is_saved_without_an_answer_gives_its_seat_and_seats_nobody_twice(alone: Settings) -> None:
    async with serving(alone) as hub:
        seated = await create(hub, "Ana")
        Unreliable(hub, lost=SaveRoom)
        ben = await hub.join(seated.code, (Player(name="Ben"),))
        assert [seat.name for seat in (await hub.info(seated.code)).seats] == ["Ana", "Ben"]
        browser = Browser(hub, ben)
        assert (await browser.open()).seats == ben.seats
        await browser.close()


async def test_a_join_that_is_saved_without_an_answer_at_another_server_gives_its_seat_too(
    hubs: tuple[Hub, Hub],
) -> None:
    first, second = hubs
    seated = await create(first, "Ana")
    Unreliable(first, lost=SaveRoom)
    ben = await second.join(seated.code, (Player(name="Ben"),))
    assert [(seat.id, seat.name) for seat in (await first.info(seated.code)).seats][1:] == [(*ben.seats, "Ben")]


async def test_a_join_that_cannot_be_saved_is_refused_in_the_end(
    alone: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("flip7.server.hub.REACH_SECONDS", 0.5)
    async with serving(alone) as hub:
        seated = await create(hub, "Ana")
        Unreliable(hub, refused=True)
        with pytest.raises(Refusal, match="not certain") as refused:
            await hub.join(seated.code, (Player(name="Ben"),))
        assert refused.value.code == "not_saved"


async def taken_over(first: Hub, second: Hub, settings: Settings, *, public: bool = False) -> tuple[Seated, Browser]:
    """A table that another server has taken over, and a player whose connection to the first one is alive."""
    seated = await create(first, "Ana", public=public)
    ana = Browser(first, seated)
    await ana.open()
    await age(settings, first)
    await second.join(seated.code, (Player(name="Ben"),))
    return seated, ana


async def test_a_server_that_wakes_up_tells_requests_nothing_old(hubs: tuple[Hub, Hub], settings: Settings) -> None:
    first, second = hubs
    seated, ana = await taken_over(first, second, settings, public=True)
    tv = Browser(second, seated, watch=True)
    await tv.open()
    first.membership._sure_until = 0.0  # So long was it asleep.
    await acquainted(first, second)
    assert first.quotas.maker("192.0.2.1") == room_of(first, seated.code).state.data.maker
    tables = (await first.open_tables()).tables
    assert [len(table.seats) for table in tables] == [2]
    assert first.directory.rooms == []
    assert (await ana.ending()).code == "restart"
    for browser in (ana, tv):
        await browser.close()


@pytest.mark.parametrize("whose", ["its own clock", "the database's clock alone"])
async def test_a_server_that_was_late_sends_those_away_who_say_nothing(
    hubs: tuple[Hub, Hub], settings: Settings, monkeypatch: pytest.MonkeyPatch, whose: str
) -> None:
    """Their connection is alive, so they would never find out that their table is served by another one now."""
    first, second = hubs
    _, ana = await taken_over(first, second, settings)
    if whose == "its own clock":
        first.membership._sure_until = 0.0  # So long was it asleep.
    owned = first.store.owned

    async def ill() -> list[Fence]:
        monkeypatch.setattr(first.store, "owned", owned)
        raise StoreError("the database does not answer")

    monkeypatch.setattr(first.store, "owned", ill)
    await first.membership._beat()
    assert len(first.directory.rooms) == 1
    await first.membership._beat()
    closed = await ana.ending()
    assert (closed.code, closed.resume) == ("restart", True)
    await ana.close()


@pytest.mark.parametrize(("unsure", "others", "sent"), [(4.0, True, False), (6.0, False, False), (6.0, True, True)])
async def test_a_server_that_is_cut_off_from_the_database_for_long_sends_everybody_to_the_others(
    hubs: tuple[Hub, Hub],
    settings: Settings,
    monkeypatch: pytest.MonkeyPatch,
    unsure: float,
    others: bool,
    sent: bool,
) -> None:
    """A browser takes whatever it hears, a pong too, for a sign of life."""
    first, second = hubs
    seated = await create(first, "Ana", start=True)
    ana = Browser(first, seated)
    await ana.open()
    await age(settings, first)
    if not others:
        first.membership.others = {}

    async def ill(*values: object, **options: object) -> Any:
        raise StoreError("the database does not answer")

    with monkeypatch.context() as patch:
        for name in ("beat", "write", "claim", "owns"):
            patch.setattr(first.store, name, ill)
        first.membership._sure_until = awake_or_not() - unsure
        await first.membership._beat()
        assert first.directory.rooms == [] if sent else len(first.directory.rooms) == 1
        if sent:
            closed = await ana.ending()
            assert (closed.code, closed.resume) == ("restart", True)
            again = Browser(second, seated)
            await again.open(ana.game, ana.number)
            await again.play()
            await again.close()
    await ana.close()


async def test_a_server_that_wakes_up_tells_no_old_news(hubs: tuple[Hub, Hub], settings: Settings) -> None:
    """Those that wait for a moment to be told together have to be confirmed too."""
    first, second = hubs
    seated, ana = await taken_over(first, second, settings)
    first.membership._sure_until = 0.0
    seen = len(ana.messages)
    room_of(first, seated.code)._tell_news()
    assert (await ana.ending()).code == "restart"
    assert len(ana.messages) == seen + 1
    await ana.close()


async def test_news_that_cannot_be_confirmed_are_told_when_they_can(
    alone: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with serving(alone) as hub:
        seated = await create(hub, "Ana")
        ana = Browser(hub, seated)
        await ana.open()

        async def ill(fence: Fence) -> bool:
            raise StoreError("the database does not answer")

        room = room_of(hub, seated.code)
        with monkeypatch.context() as patch:
            patch.setattr(hub.store, "owns", ill)
            room.confirmed = -1
            room._tell_news()
            await asyncio.gather(*hub._tasks)
        assert len((await ana.expect(Welcome)).room.seats) == 1
        await ana.close()


async def test_the_state_of_a_table_is_confirmed_before_it_is_told_to_a_request(
    hubs: tuple[Hub, Hub], settings: Settings
) -> None:
    first, second = hubs
    seated = await create(first, "Ana")
    await age(settings, first)
    await second.join(seated.code, (Player(name="Ben"),))
    first.membership._sure_until = 0.0
    assert await first.quotas._used_by(first.quotas.maker("192.0.2.1")) == 0
    assert len((await first.info(seated.code)).seats) == 2


async def test_tables_that_are_owned_but_not_known_are_let_go(alone: Settings) -> None:
    async with serving(alone) as hub:
        kept = await create(hub, "Ana")
        Unreliable(hub, lost=CreateRoom)
        with pytest.raises(Refusal, match="not certain"):
            await create(hub, "Ben")
        assert len(await hub.store.owned()) == 2
        await hub.directory.sweep()
        assert await hub.store.owned() == [Fence(kept.code, 1)]
        assert len(await hub.store.idle(-1, -1)) == 1


async def test_an_error_in_a_table_leaves_nobody_deaf(alone: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    async with serving(alone) as hub:
        seated = await create(hub, "Ana")
        ana, tv = Browser(hub, seated), Browser(hub, seated, watch=True)
        await ana.open()

        def broken(*values: object) -> None:
            raise ValueError("a mistake")

        with monkeypatch.context() as patch:
            patch.setattr("flip7.server.room.handle", broken)
            ana.say(Ready())
            assert "trouble" in str(await ana.receive())
            room = room_of(hub, seated.code)
            with pytest.raises(AssertionError, match="restart"):
                await tv.open()
            assert tv.messages[-1].resume  # type: ignore[union-attr]
            with pytest.raises(ValueError, match="a mistake"):
                await room.call(Came(0, Hello()))
        await tv.open()
        for browser in (ana, tv):
            await browser.close()


async def test_who_goes_while_the_store_is_ill_has_gone_when_it_is_well(
    alone: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with serving(alone) as hub:
        seated = await create(hub, "Ana")
        ana, ben = Browser(hub, seated), Browser(hub, await hub.join(seated.code, (Player(name="Ben"),)))
        tv = Browser(hub, seated, watch=True)
        for browser in (ana, ben, tv):
            await browser.open()

        async def ill(*values: object) -> None:
            raise StoreError("the database does not answer")

        room = room_of(hub, seated.code)
        with monkeypatch.context() as patch:
            patch.setattr(hub.store, "owns", ill)
            patch.setattr(hub.store, "claim", ill)
            room.confirmed = -1  # So that the store is asked before anything is told.
            for browser in (ben, tv):
                await browser.close()
            await eventually(lambda: room._mailbox.empty() and not room._busy)
        welcome = await ana.expect(Welcome)
        assert [seat.presence for seat in welcome.room.seats] == ["here", "lost"]
        assert welcome.room.spectators == 0
        await ana.close()
        await eventually(lambda: room.state.is_empty and room.is_idle)


async def test_what_is_done_again_and_again_survives_every_error() -> None:
    errors = Counter("errors", "", registry=None)
    done = asyncio.Event()
    problems = [StoreError("gone"), ValueError("a mistake"), KeyError("another")]

    async def act() -> None:
        if problems:
            raise problems.pop(0)
        done.set()

    task = asyncio.create_task(repeat(act, 0.0, "it goes wrong", errors))
    async with asyncio.timeout(5):
        await done.wait()
    task.cancel()
    assert errors._value.get() == 2
