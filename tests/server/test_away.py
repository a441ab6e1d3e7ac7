"""Players who are away are played for until they return, and tables that nobody needs rest or are closed."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest

from flip7.protocol.messages import Back, Ready, RoomChanged, Start, Step
from flip7.server.settings import Settings

from .client import Client, Process
from .test_tables import create, join


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


async def test_with_a_timer_a_slow_player_is_played_for_until_they_say_they_are_back(hasty: Process) -> None:
    ana, ben = await start_two(hasty, timer=15)
    step = await ana.expect(Step)
    assert step.ask
    assert step.ask.seconds == 0.3
    asked = step.ask.seat
    slow = ana if asked == 0 else ben
    await slow.expect(RoomChanged, lambda room: room.room.seats[asked].presence == "away")
    follow = await slow.expect(Step)
    assert follow.by == "away"
    await slow.send(Back())
    await slow.expect(RoomChanged, lambda room: room.room.seats[asked].presence == "here")
    await ana.close()
    await ben.close()


async def test_a_lost_host_is_followed_by_a_player_who_is_here(hasty: Process) -> None:
    code, token = create(hasty, "Ana")
    async with Client(hasty, code, join(hasty, code, "Ben")) as ben:
        ana = Client(hasty, code, token)
        await ana.open()
        await ana.close()
        await ben.expect(RoomChanged, lambda room: room.room.seats[1].host)


async def test_idle_tables_are_closed(tmp_path_factory: pytest.TempPathFactory) -> None:
    settings = Settings(data=tmp_path_factory.mktemp("idle"), idle_lobby=2.0, sweep=0.1)
    with Process(settings) as server:
        code, _ = create(server, "Ana")
        kept, _ = create(server, "Ben")
        async with Client(server, kept):
            await asyncio.to_thread(server.wait_until_gone, f"/api/tables/{code}")
            assert server.get(f"/api/tables/{kept}").status_code == 200
        assert server.stop() == 0
        server.start()
        assert server.get(f"/api/tables/{code}").status_code == 404
