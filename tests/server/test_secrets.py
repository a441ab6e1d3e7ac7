"""Nobody learns the order of the deck or the seed before the end: checked on recorded traffic of whole games."""

from __future__ import annotations

import asyncio
import hashlib
import re
import sqlite3

import msgspec
import pytest

import flip7
from flip7.protocol.messages import Emote, FromServer, Ping, Ready, RoomChanged, Start, Started, Step, Welcome

from .client import Client, Process
from .test_tables import create, join

RUN = 9
"""So many cards in their order are no accident."""
KNOWN = {
    name for schema in msgspec.json.schema_components([FromServer])[1].values() for name in schema.get("properties", {})
}
"""Every field of every message."""


def seed_and_salt(server: Process, game: str) -> tuple[str, str]:
    """What the server alone knows, from its own database."""
    with sqlite3.connect(server.settings.data / "flip7.sqlite") as file:
        (data,) = file.execute("SELECT data FROM games WHERE id = ?", (game,)).fetchone()
    file.close()
    secret = msgspec.json.decode(data)
    return secret["seed"], secret["salt"]


def tellings(number: int) -> set[str]:
    """Ways in which a seed could be written."""
    return {str(number), f"{number:x}", f"{number:X}", str(number % 2**64), str(number // 2**64)}


async def recorded_game(server: Process, *, reconnect: bool) -> tuple[list[str], Step]:
    """All frames that two players and two spectators got in a whole game, and its last step."""
    code, token = create(server, "Ana", bots=["bea", "ada"], options={"target": 120})
    clients = [
        Client(server, code, token),
        Client(server, code, join(server, code, "Ben")),
        Client(server, code),
        Client(server, code),
    ]
    for client in clients:
        await client.open()
    ana, ben, *_ = clients
    await ben.send(Ready())
    await ana.expect(RoomChanged, lambda room: room.room.seats[-1].ready)
    await ana.send(Start())
    if reconnect:
        await asyncio.gather(ana.play(until=6), ben.play(until=6))
        await ana.open(game=ana.game, number=2)
        await ana.send(Emote(emotion="think"))
        await ana.send(Ping())
        steps = await asyncio.gather(ana.play(), *(client.play() for client in clients[1:]))
    else:
        steps = await asyncio.gather(*(client.play() for client in clients))
    for client in clients:
        await client.close()
    last = steps[1]
    return [frame for client in clients for frame in client.frames], last


@pytest.mark.parametrize("reconnect", [False, True])
async def test_no_frame_tells_the_seed_the_salt_or_a_card_before_its_time(server: Process, reconnect: bool) -> None:
    frames, last = await recorded_game(server, reconnect=reconnect)
    seed, salt = seed_and_salt(server, last.game)
    assert last.reveal
    assert (last.reveal.seed, last.reveal.salt) == (seed, salt)
    before = [frame for frame in frames if '"reveal":{' not in frame]
    assert len(before) > 50
    for frame in before:
        for secret in (*tellings(int(seed)), salt):
            assert secret not in frame
    revealing = [msgspec.json.decode(frame, type=FromServer) for frame in frames if '"reveal":{' in frame]
    assert revealing
    assert all(isinstance(message, Step) and message.winner is not None for message in revealing)


async def test_frames_hold_no_card_that_has_not_been_turned_up(server: Process) -> None:
    """Steps tell the cards turned up since the last one; no frame holds a run of those to come, or an unknown field."""
    frames, last = await recorded_game(server, reconnect=False)
    game = flip7.Game.from_record(server.get(f"/api/games/{last.game}/record").text)
    order = [str(event.card) for event in game.events if event.kind == "card_flipped"]
    for frame in frames:
        message = msgspec.json.decode(frame, type=FromServer)
        assert _fields(msgspec.json.decode(frame)) <= KNOWN
        if isinstance(message, Step):
            known = _turned_up(game, message.number)
            flipped = [str(event.card) for event in message.events if event.kind == "card_flipped"]
            assert flipped == order[known - len(flipped) : known]
            coming, shown = order[known : known + RUN], _cards(frame)
            for run in (coming, coming[::-1]):
                assert len(run) < RUN or all(shown[i : i + RUN] != run for i in range(len(shown)))


def _fields(value: object) -> set[str]:
    if isinstance(value, dict):
        return set(value).union(*map(_fields, value.values()))
    return set().union(*map(_fields, value)) if isinstance(value, list) else set()


def _cards(frame: str) -> list[str]:
    """Every card that a frame names anywhere, in order."""
    faces = "|".join(re.escape(str(card)) for card in flip7.Card)
    return re.findall(rf'"({faces})"', frame)


def _turned_up(game: flip7.Game, number: int) -> int:
    """How many cards had been turned up when so many choices had been made."""
    again = flip7.Game(game.players, seed=game.seed, salt=game.salt, commit=True, rules=game.rules, nonces=game.nonces)
    for choice in game.choices[:number]:
        again.play(choice)
    return sum(event.kind == "card_flipped" for event in again.events)


async def test_the_deck_is_promised_before_the_first_card_and_anybody_can_check_it(server: Process) -> None:
    code, token = create(server, "Ana", "Ben", options={"target": 50})
    async with Client(server, code, token) as device:
        await device.send(Start())
        started = await device.expect(Started)
        last = await device.play()
    assert last.reveal
    secret = hashlib.sha256(f"flip7 secret {last.reveal.seed} {last.reveal.salt}".encode()).hexdigest()
    assert f"secret {secret}" in started.game.promised.splitlines()
    assert started.game.commitment == hashlib.sha256(started.game.promised.encode()).hexdigest()


async def test_whoever_opens_a_table_is_shown_the_secrets_hash_before_adding_a_nonce(server: Process) -> None:
    secret = server.post("/api/secrets", {}).json()["secret"]
    body = {"players": [{"name": "Ana"}], "options": {"target": 25}, "secret": secret, "nonce": "aaaaaaaa"}
    ana = server.seat("/api/tables", body)
    assert server.get(f"/api/tables/{ana.code}").json()["secret"] == secret
    ben = server.seat(f"/api/tables/{ana.code}/join", {"players": [{"name": "Ben"}], "nonce": "bbbbbbbb"})
    again = server.post("/api/tables", body)  # A secret is good for one game, and no other is taken in its place.
    assert (again.status_code, again.json()["code"]) == (409, "unknown_secret")
    async with Client(server, ana.code, ana.token) as host, Client(server, ana.code, ben.token) as guest:
        await guest.send(Ready())
        await host.expect(RoomChanged, lambda room: room.room.seats[-1].ready)
        await host.send(Start(nonce="cccccccc"))
        started = await host.expect(Started)
        last, _ = await asyncio.gather(host.play(), guest.play())
    lines = started.game.promised.splitlines()
    assert {f"secret {secret}", "nonces cccccccc bbbbbbbb", f"game {started.game.id}"} <= set(lines)
    game = flip7.Game.from_record(server.get(f"/api/games/{last.game}/record").text)
    assert (game.nonces, game.secret, game.commitment) == (
        ("cccccccc", "bbbbbbbb"),
        secret,
        started.game.commitment,
    )
    for nonce in ("xyz", "AAAAAAAA", "a" * 65, 7):
        assert server.post("/api/tables", {**body, "nonce": nonce}).status_code == 400


async def test_a_running_game_has_no_replay_and_no_record(server: Process) -> None:
    code, token = create(server, "Ana", "Ben")
    async with Client(server, code, token) as device:
        await device.send(Start())
        step = await device.expect(Step)
        for path in (f"/api/games/{step.game}", f"/api/games/{step.game}/record"):
            assert server.get(path).status_code == 404
        for secret in seed_and_salt(server, step.game):
            assert secret not in server.get(f"/api/tables/{code}").text
            assert secret not in server.get("/metrics").text


async def test_tokens_are_stored_only_as_digests_and_never_sent_to_others(server: Process) -> None:
    code, token = create(server, "Ana", options={"public": True})
    async with Client(server, code, token) as ana, Client(server, code) as tv:
        assert isinstance(await tv.open(), Welcome)
        await ana.open()
        open_tables = server.get("/api/tables").text
    digest = hashlib.sha256(token.encode()).hexdigest()
    for text in (*tv.frames, *ana.frames, open_tables, server.get(f"/api/tables/{code}").text, server.log.read_text()):
        assert token not in text
        assert digest not in text
    files = b"".join(path.read_bytes() for path in server.settings.data.glob("flip7.sqlite*"))
    assert token.encode() not in files
    assert digest.encode() in files
