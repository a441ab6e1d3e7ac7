"""Players who are away are played for until they return, and tables that nobody needs rest or are closed."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest

from flip7.protocol.messages import Back, Leave, Ready, RoomChanged, Start, Step
from flip7.server.settings import Settings

from .client import Client, Process
from .test_tables import create, decoded, join


@pytest.fixture(scope="module")
def hasty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Process]:
    """A server on which a minute of grace, and 15 seconds of the timer, are a third of a second."""
    settings = Settings(
        data=tmp_path_factory.mktemp("hasty"),
        pace=0,
        grace=0.3,
        timer_second=0.02,
        request_burst=1000,
        tables_per_address=100,
    )
    with Process(settings) as process:
        yield process
        assert process.problems() == []


async def start_two(server: Process, **options: object) -> tuple[Client, Client]:
    code, token = create(server, "Ana", options=options)
    ana, ben = Client(server, code, token), Client(server, code, join(server, code, "Ben"))
    await ana.open()
    await ben.open()
    await ben.send(Ready())
    await ana.expect(RoomChanged, lambda room: room.room.seats[1].ready)
    await ana.send(Start())
    return ana, ben


async def test_without_a_timer_a_lost_player_is_played_for_after_a_while(hasty: Process) -> None:
    ana, ben = await start_two(hasty, target=60)
    await ben.expect(Step)
    await ben.close()
    await ana.expect(RoomChanged, lambda room: room.room.seats[1].presence == "lost")
    last = await ana.play()
    assert last.winner is not None
    assert ana.room
    assert ana.room.seats[1].presence == "away"
    welcome = await ben.open()
    assert welcome.room.seats[1].presence == "here"
    steps = [message for frame in ana.frames if isinstance(message := decoded(frame), Step)]
    assert {step.by for step in steps if step.seat == 1} == {"away"}
    assert {step.by for step in steps if step.seat == 0} <= {"player"}
    assert {step.choice for step in steps if step.seat == 1 and step.choice in ("hit", "stay")} <= {"stay"}
    await ana.close()
    await ben.close()


async def test_without_a_timer_a_connected_player_may_think_for_ever(hasty: Process) -> None:
    ana, ben = await start_two(hasty)
    step = await ana.expect(Step)
    assert step.ask
    assert step.ask.seconds is None
    with pytest.raises(TimeoutError):
        await ana.receive(1.0)
    await ana.close()
    await ben.close()


async def test_with_a_timer_a_slow_player_is_played_for_until_they_say_they_are_back(hasty: Process) -> None:
    ana, ben = await start_two(hasty, timer=15)
    step = await ana.expect(Step)
    assert step.ask
    assert step.ask.seconds == 0.3
    slow = ana if step.ask.seat == 0 else ben
    room = await slow.expect(RoomChanged, lambda room: any(seat.presence == "away" for seat in room.room.seats))
    assert room.room.seats[step.ask.seat].presence == "away"
    follow = await slow.expect(Step)
    assert follow.by == "away"
    await slow.send(Back())
    await slow.expect(RoomChanged, lambda room: all(seat.presence == "here" for seat in room.room.seats))
    await ana.close()
    await ben.close()


async def test_a_table_where_nobody_is_rests_and_goes_on_when_somebody_comes(hasty: Process) -> None:
    seated = hasty.seat("/api/quick", {"player": {"name": "Ana"}, "options": {"timer": 15}})
    await asyncio.sleep(1)
    ana = Client(hasty, seated.code, seated.token)
    welcome = await ana.open()
    assert welcome.game
    assert welcome.game.number == 0
    await ana.play()
    await ana.close()


async def test_the_minute_of_those_who_are_lost_does_not_pass_while_the_table_rests(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    with Process(Settings(data=tmp_path_factory.mktemp("rest"), pace=0, grace=2.0)) as server:
        ana, ben = await start_two(server)
        step = await ana.expect(Step)
        assert step.ask
        awaited, other = (ana, ben) if step.ask.seat == 0 else (ben, ana)
        await awaited.close()
        await other.close()
        await asyncio.sleep(2.2)
        await other.open()
        with pytest.raises(TimeoutError):
            await other.receive(1.0)
        assert (await other.expect(Step)).by == "away"
        await other.close()


async def test_a_lost_host_is_followed_by_somebody_who_is_here(hasty: Process) -> None:
    code, token = create(hasty, "Ana")
    async with Client(hasty, code, join(hasty, code, "Ben")) as ben:
        ana = Client(hasty, code, token)
        await ana.open()
        await ana.close()
        await ben.expect(RoomChanged, lambda room: room.room.seats[1].host)


async def test_idle_tables_are_closed(tmp_path_factory: pytest.TempPathFactory) -> None:
    settings = Settings(data=tmp_path_factory.mktemp("idle"), idle_lobby=0.5, sweep=0.1)
    with Process(settings) as server:
        code, _ = create(server, "Ana")
        kept, _ = create(server, "Ben")
        async with Client(server, kept):
            await asyncio.sleep(1.2)
            assert server.get(f"/api/tables/{code}").status_code == 404
            assert server.get(f"/api/tables/{kept}").status_code == 200
        assert server.stop() == 0
        server.start()
        assert server.get(f"/api/tables/{code}").status_code == 404


async def test_a_spectator_who_leaves_is_counted_out_and_takes_no_time_from_the_players(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    settings = Settings(data=tmp_path_factory.mktemp("leaving"), idle_lobby=1.5, sweep=0.1)
    with Process(settings) as server:
        code, token = create(server, "Ana")
        watcher, ana = Client(server, code), Client(server, code, token)
        await watcher.open()
        await ana.open()
        await asyncio.sleep(1.7)
        await watcher.send(Leave())
        await ana.expect(RoomChanged, lambda room: room.room.spectators == 0)
        await watcher.open()
        await ana.close()
        await watcher.expect(RoomChanged, lambda room: room.room.seats[0].presence == "lost")
        await watcher.send(Leave())
        await watcher.closed()
        await asyncio.sleep(0.5)
        assert server.get(f"/api/tables/{code}").status_code == 200
