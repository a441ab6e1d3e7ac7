"""What people can do at a table, before, during and after a game."""

from __future__ import annotations

import asyncio

import msgspec
import pytest

from flip7.protocol.messages import (
    AddBot,
    Closed,
    Emote,
    Emoted,
    FromServer,
    Leave,
    Ping,
    Pong,
    Ready,
    Refused,
    Rematch,
    RoomChanged,
    Start,
    Step,
)

from .client import Client, Process


def create(server: Process, *names: str, **more: object) -> tuple[str, str]:
    """A table with its host; returns its code and the host's token."""
    seated = server.seat("/api/tables", {"players": [{"name": name} for name in names], **more})
    return seated.code, seated.token


def join(server: Process, code: str, *names: str) -> str:
    return server.seat(f"/api/tables/{code}/join", {"players": [{"name": name} for name in names]}).token


async def refused(client: Client, code: str) -> Refused:
    refusal = await client.expect(Refused)
    assert refusal.code == code, refusal
    return refusal


async def seats(client: Client, count: int) -> RoomChanged:
    return await client.expect(RoomChanged, lambda room: len(room.room.seats) == count)


async def test_friends_gather_get_ready_and_play_to_the_end(server: Process) -> None:
    code, token = create(server, "Ana")
    async with Client(server, code, token) as ana, Client(server, code, join(server, code.lower(), "Ben")) as ben:
        await ana.send(AddBot(bot="carl"))
        await seats(ben, 3)
        await ana.send(Start())
        assert "Ben" in (await refused(ana, "not_ready")).text
        await ben.send(Ready())
        await ana.expect(RoomChanged, lambda room: room.room.seats[1].ready)
        await ana.send(Start())
        last, same = await asyncio.gather(ana.play(), ben.play())
    assert last == same
    assert last.winner is not None


@pytest.mark.parametrize(
    "name", ["", "x" * 25, "a\u0000b", "\u202eevil", "\u200b", " \u0301 ", "\u3164 \u2800", "a\nb\u0007"]
)
def test_names_that_cannot_be_shown_are_refused(server: Process, name: str) -> None:
    answer = server.post("/api/tables", {"players": [{"name": name}]})
    assert answer.status_code == 400
    assert answer.json()["code"] in ("bad_name", "unreadable")


async def test_a_newer_connection_displaces_the_older_one(server: Process) -> None:
    code, token = create(server, "Ana")
    async with Client(server, code, token) as old, Client(server, code, token) as new:
        assert isinstance(closed := (await old.closed())[-1], Closed)
        assert closed.code == "displaced"
        await new.send(Ping(at=7))
        assert (await new.expect(Pong)).at == 7
        assert new.room
        assert new.room.seats[0].presence == "here"


async def test_whoever_comes_back_is_told_what_was_missed(server: Process) -> None:
    code, token = create(server, "Ana", "Ben")
    async with Client(server, code, token) as device, Client(server, code) as tv:
        await device.send(Start())
        await device.play(until=4)
        await tv.play(until=4)
    seen = [step for frame in tv.frames if isinstance(step := decoded(frame), Step)]
    late = Client(server, code, token)
    welcome = await late.open(game=seen[0].game, number=1)
    assert welcome.game
    assert welcome.game.number == 1
    assert [step.number for step in welcome.missed] == [2, 3, 4]
    assert [(step.events, step.hands, step.choice) for step in welcome.missed] == [
        (step.events, step.hands, step.choice) for step in seen[2:5]
    ]
    async with Client(server, code) as fresh:
        again = await fresh.open()
        assert again.game
        assert (again.game.number, again.missed) == (4, ())
    await late.close()


def decoded(frame: str) -> object:
    return msgspec.json.decode(frame, type=FromServer)


async def test_a_rematch_brings_everybody_back_to_the_lobby(server: Process) -> None:
    code, token = create(server, "Ana", bots=["carl", "bea"])
    async with Client(server, code, token) as ana:
        await ana.send(Rematch())
        await refused(ana, "not_now")
        await ana.send(Start())
        first = await ana.play()
        await ana.send(Start())
        await refused(ana, "not_now")
        await ana.send(Rematch())
        await ana.expect(RoomChanged, lambda room: room.room.phase == "lobby")
        await ana.send(Start())
        second = await ana.play()
    assert first.game != second.game
    assert server.get(f"/api/games/{first.game}/record").status_code == 200


async def test_feelings_are_shown_and_limited(server: Process) -> None:
    code, token = create(server, "Ana")
    async with Client(server, code, token) as ana, Client(server, code) as tv:
        await ana.send(Emote(emotion="wow"))
        assert (await tv.expect(Emoted)).emotion == "wow"
        for _ in range(10):
            await ana.send(Emote(emotion="clap"))
        await refused(ana, "too_many")


async def test_the_table_is_closed_when_everybody_has_left(server: Process) -> None:
    code, token = create(server, "Ana", bots=["carl"])
    async with Client(server, code, token) as ana, Client(server, code) as spectator:
        await ana.send(Leave())
        assert isinstance(closed := (await spectator.closed())[-1], Closed)
        assert closed.code == "table_closed"
    assert server.get(f"/api/tables/{code}").status_code == 404
    assert server.post(f"/api/tables/{code}/join", {"players": [{"name": "late"}]}).status_code == 404
