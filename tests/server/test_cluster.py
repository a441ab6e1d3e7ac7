"""Several servers on one PostgreSQL: a table has one owner, and everybody reaches it through any server."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import asyncpg  # type: ignore[import-untyped]
import msgspec
import pytest

from flip7.protocol.matches import AddOperations, MatchNews, ShareMatch
from flip7.protocol.messages import Choose, Emote, Emoted, Player, Ready, RoomChanged, Start, Step, Welcome
from flip7.scorekeeper.match import Match
from flip7.server.connection import Connection
from flip7.server.errors import Refusal
from flip7.server.hub import Hub
from flip7.server.settings import Settings
from flip7.server.sockets import serve_socket
from flip7.server.store.base import LEASE_SECONDS

from .client import Client, Process
from .inside import FAST, Browser, create, make_hub
from .test_store import fresh_database


@pytest.fixture
async def settings(postgres: str) -> Settings:
    return msgspec.structs.replace(FAST, database=await fresh_database(postgres))


@pytest.fixture
async def hubs(settings: Settings) -> AsyncIterator[tuple[Hub, Hub]]:
    first, second = make_hub(settings), make_hub(settings)
    await first.open()
    await second.open()
    await acquainted(first, second)
    yield first, second
    await first.close()
    await second.close()


async def acquainted(*hubs: Hub) -> None:
    """Wait until servers know of each other."""
    for hub in hubs:
        while len(hub.membership.others) < len(hubs) - 1:
            await hub.membership._beat()


async def age(settings: Settings, hub: Hub) -> None:
    """Let a server's lease run out: it beats no longer, as one that is stopped."""
    hub.membership.stop()
    connection = await asyncpg.connect(settings.database)
    await connection.execute("UPDATE servers SET beat = beat - interval '6 seconds' WHERE id = $1", hub.store.server)
    await connection.close()


async def test_players_at_any_server_share_a_table(hubs: tuple[Hub, Hub]) -> None:
    first, second = hubs
    seated = await create(first, "Ana", public=True, target=40)
    assert (await second.info(seated.code.lower())).host == "Ana"
    ben = Browser(second, await second.join(seated.code, (Player(name="Ben"),)))
    ana, tv = Browser(first, seated), Browser(second, seated, watch=True)
    for browser in (ana, ben, tv):
        await browser.open()
    for hub in hubs:
        assert [table.code for table in (await hub.open_tables()).tables] == [seated.code]
    ben.say(Ready())
    await ana.expect(RoomChanged, lambda room: room.room.seats[1].ready)
    ana.say(Start())
    await asyncio.gather(*(through(browser) for browser in (ana, ben, tv)))
    steps = [[message for message in browser.messages if isinstance(message, Step)] for browser in (ana, ben, tv)]
    assert steps[0] == steps[1] == steps[2]
    assert steps[0][-1].winner is not None
    assert (await second.replays.get(ana.game, "192.0.2.2")).record
    ben.say(Emote(emotion="wow"))
    assert (await ana.expect(Emoted)).seat == 2
    await ben.close()
    await ana.expect(RoomChanged, lambda room: room.room.seats[1].presence == "lost")
    for browser in (ana, tv):
        await browser.close()


async def through(browser: Browser) -> None:
    """Play for the own seat to the end."""
    welcome = next(message for message in browser.messages if isinstance(message, Welcome))
    own = {index for index, seat in enumerate(welcome.room.seats) if seat.id in welcome.seats}
    while True:
        step = await browser.expect(Step)
        if step.ask is None:
            return
        if step.ask.seat in own:
            choice = "stay" if step.ask.kind == "turn" else step.ask.options[0]
            browser.say(Choose(game=step.game, number=step.number, choice=choice))


async def test_a_server_that_goes_hands_its_tables_over(hubs: tuple[Hub, Hub]) -> None:
    first, second = hubs
    seated = await create(first, "Ana", "Ben")
    near, far = Browser(first, seated), Browser(second, seated, watch=True)
    await near.open()
    await far.open()
    near.say(Start())
    await near.expect(Step)
    await near.play(until=5)
    await first.hand_over()
    for browser in (near, far):
        closed = await browser.ending()
        assert (closed.code, closed.resume) == ("restart", True)
        await browser.close()
    again = Browser(second, seated)
    async with asyncio.timeout(LEASE_SECONDS / 2):
        welcome = await again.open(near.game, 3)
    assert [step.number for step in welcome.missed] == [4, 5]
    await again.play()
    await again.close()


async def test_a_table_of_a_server_that_is_lost_is_taken_over_and_the_old_one_can_do_nothing(
    hubs: tuple[Hub, Hub], settings: Settings
) -> None:
    first, second = hubs
    seated = await create(first, "Ana", "Ben")
    old = Browser(first, seated)
    await old.open()
    old.say(Start())
    await old.expect(Step)
    await old.play(until=4)
    await age(settings, first)
    new = Browser(second, seated)
    assert (await new.open(old.game, 4)).game
    await new.play(until=9)
    # The old one still believes to be the owner; whatever it does, nothing is written and nothing old is told.
    number, seen = old.number, len(old.messages)
    assert old.ask
    old.say(Choose(game=old.game, number=number, choice=old.ask.options[0]))
    closed = await old.ending()
    assert (closed.code, closed.resume) == ("restart", True)
    assert not any(isinstance(message, Step) for message in old.messages[seen:])
    stored = await second.store.game(old.game)
    assert stored
    assert [choice.number for choice in stored.choices] == list(range(9))
    await new.play()
    for browser in (old, new):
        await browser.close()


async def test_a_server_that_was_stopped_tells_nobody_old_states(hubs: tuple[Hub, Hub], settings: Settings) -> None:
    first, second = hubs
    seated = await create(first, "Ana", "Ben")
    old = Browser(first, seated)
    await old.open()
    old.say(Start())
    await old.expect(Step)
    await old.play(until=4)
    await old.close()
    await age(settings, first)
    first.membership._sure_until = 0.0  # its clock says so too
    new = Browser(second, seated)
    await new.open()
    await new.play(until=9)
    late = Browser(first, seated)
    try:
        welcome = await late.open(new.game, 9)
        assert welcome.game
        assert welcome.game.number == 9
    except AssertionError:
        closed = late.messages[-1]
        assert closed.resume  # type: ignore[union-attr]
        welcome = await late.open(new.game, 9)
        assert welcome.game
        assert welcome.game.number == 9
    for browser in (late, new):
        await browser.close()


async def test_tables_per_address_are_counted_over_all_servers(settings: Settings) -> None:
    few = msgspec.structs.replace(settings, tables_per_address=2)
    first, second = make_hub(few), make_hub(few)
    await first.open()
    await second.open()
    await acquainted(first, second)
    await create(first, "Ana")
    await create(second, "Ben")
    for hub in (first, second):
        with pytest.raises(Refusal) as refused:
            await create(hub, "Cho")
        assert refused.value.code == "too_many_tables"
        assert "leave one" in refused.value.text
    for room in (*first.directory.rooms, *second.directory.rooms):
        room.made_at -= 100  # Nobody has ever come.
    await create(second, "Cho")
    await first.close()
    await second.close()


async def test_only_who_knows_the_secret_is_let_in(hubs: tuple[Hub, Hub]) -> None:
    first, second = hubs
    seated = await create(first, "Ana")
    second.links.trust("another secret")
    with pytest.raises(OSError, match="no server"):
        await second.links.ask(first.store.server, second.membership.others[first.store.server], "lobby", b"", 1.0)
    second.links.trust(await second.store.secret())
    assert (await second.info(seated.code)).host == "Ana"


async def test_a_match_is_entered_and_followed_at_any_server(hubs: tuple[Hub, Hub]) -> None:
    """Whoever enters where, at the same time or not: nothing is lost, and everybody hears of it."""
    first, _ = hubs
    ours = Match(["Ana", "Ben"])
    shared = await first.matches.share(ShareMatch(ours.id, ours.operations), "192.0.2.1")
    heard: dict[Hub, list[str]] = {}
    for hub in hubs:
        follower = Follower(hub)
        await hub.matches.follow(shared.code, follower)
        heard[hub] = follower.heard
    for number in range(1, 4):
        twins = [Match.from_operations(ours.id, ours.operations) for _ in hubs]
        for twin, hub in zip(twins, hubs, strict=True):
            twin.rename(0, f"Ana {number} {hubs.index(hub)}")
        bodies = [AddOperations(shared.key, twin.operations) for twin in twins]
        await asyncio.gather(
            *(hub.matches.add(shared.code, body, "192.0.2.1") for hub, body in zip(hubs, bodies, strict=True))
        )
        ours = Match.from_operations(ours.id, (await first.matches.body(shared.code, "", "192.0.2.1")).operations)
    assert len(ours.operations) == 1 + 3 * 2
    for hub in hubs:
        assert set((await hub.matches.body(shared.code, "", "192.0.2.1")).operations) == set(ours.operations)
        await asyncio.gather(*hub._tasks)  # what one server tells the other
        told = {one.id for text in heard[hub] for one in news(text).operations}
        assert told == {operation.id for operation in ours.operations}


async def test_who_follows_a_match_hears_with_the_next_ping_what_was_not_announced(
    hubs: tuple[Hub, Hub], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another server may be too slow to be told; but however many ping, the store is asked only now and then."""
    first, second = hubs
    match = Match(["Ana", "Ben"])
    shared = await first.matches.share(ShareMatch(match.id, match.operations), "192.0.2.1")
    says: asyncio.Queue[Any] = asyncio.Queue()
    heard: asyncio.Queue[Any] = asyncio.Queue()
    says.put_nowait({"type": "websocket.connect"})
    scope = {"path": f"/ws/matches/{shared.code}", "client": ("192.0.2.1", 1), "headers": []}
    following = asyncio.create_task(serve_socket(second, scope, says.get, heard.put))
    assert len(await told(heard)) == 1
    monkeypatch.setattr(first.matches, "_announce", lambda code: None)
    match.rename(0, "Anna")
    await first.matches.add(shared.code, AddOperations(shared.key, match.operations), "192.0.2.1")
    ping = {"type": "websocket.receive", "text": '{"type":"ping"}'}
    monkeypatch.setattr("flip7.server.matches.LOOK_SECONDS", 0.0)
    says.put_nowait(ping)
    assert len(await told(heard)) == 1

    async def never(*values: object) -> None:
        raise AssertionError("the store is asked again")

    monkeypatch.setattr("flip7.server.matches.LOOK_SECONDS", 60.0)
    monkeypatch.setattr(second.store, "operations", never)
    for frame in (ping, ping, {"type": "websocket.disconnect"}):
        says.put_nowait(frame)
    await following


async def told(heard: asyncio.Queue[Any]) -> tuple[object, ...]:
    """The operations that a follower is told next."""
    async with asyncio.timeout(10):
        while True:
            text = (await heard.get()).get("text", "")
            if '"operations"' in text:
                return news(text).operations


def news(text: str) -> MatchNews:
    return msgspec.json.decode(text, type=MatchNews)


class Follower(Connection):
    """A client that follows a match."""

    def __init__(self, hub: Hub) -> None:
        super().__init__(hub, self._nothing, None)
        self.heard: list[str] = []

    async def _nothing(self, message: object) -> None:
        pass

    def push(self, text: str) -> None:
        self.heard.append(text)


async def test_a_server_that_wakes_up_looks_before_it_tells_what_it_remembers(
    settings: Settings, hubs: tuple[Hub, Hub], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It beats again at once, but in the meantime another one has gone on with its tables, and visitors are quicker."""
    first, second = hubs
    seated = await create(first, "Ana", start=True, target=200)
    ana = Browser(first, seated)
    await ana.open()
    await ana.play(until=3)
    await age(settings, first)
    elsewhere = Browser(second, seated)
    await elsewhere.open()
    await elsewhere.play(until=6)
    first.membership._sure_until = 0.0  # So long was it asleep.

    async def slow() -> None:
        raise TimeoutError

    with monkeypatch.context() as patch:
        patch.setattr(first.directory, "confirm", slow)
        await first.membership._beat()
    assert first.membership.is_sure
    watching = Browser(first, seated, watch=True)
    with pytest.raises(AssertionError, match="restart"):  # It is told to come again, and nothing else.
        await watching.open()
    assert not any(isinstance(message, Welcome) for message in watching.messages)
    welcome = await watching.open()
    assert welcome.game
    assert welcome.game.number == 6
    await watching.close()
    await elsewhere.close()


async def test_a_forwarded_visitor_is_told_when_serving_them_fails(hubs: tuple[Hub, Hub]) -> None:
    first, second = hubs
    seated = await create(first, "Ana")
    serve = first.links.serve

    async def broken(visitor: object, code: str, receive: object) -> None:
        first.links.serve = serve
        raise ValueError("a mistake")

    first.links.serve = broken
    before = first.metrics.errors._value.get()
    ana = Browser(second, seated)
    with pytest.raises(AssertionError, match="restart"):
        await ana.open()
    assert ana.messages[-1].resume  # type: ignore[union-attr]
    assert first.metrics.errors._value.get() == before + 1
    assert (await ana.open()).seats == (1,)
    await ana.close()


async def test_real_processes_forward_their_visitors(postgres: str, tmp_path: Path) -> None:
    """Each has the loop that `flip7 serve` has, which need not be that of these tests."""
    database = await fresh_database(postgres)
    ours, theirs = (Process(Settings(data=tmp_path / name, database=database, pace=0)) for name in ("a", "b"))
    with ours, theirs:
        seated = await asyncio.to_thread(ours.seat, "/api/quick", {"player": {"name": "Ana"}, "bots": ["carl"]})
        async with Client(ours, seated.code) as watching:
            async with Client(theirs, seated.code, seated.token) as ana:
                await ana.play(until=5)
            while watching.number < 5:
                await watching.receive()
        assert (await asyncio.to_thread(theirs.get, f"/api/tables/{seated.code}")).status_code == 200
        assert [*ours.problems(), *theirs.problems()] == []
