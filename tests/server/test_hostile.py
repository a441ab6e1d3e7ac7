"""Hostile clients: they may harm themselves, but no table, nobody else, and they get no 500."""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed

from flip7.protocol.messages import AddBot, Choose, Closed, Hello, Ping, Player, Pong, Refused, RoomChanged, Start, Step
from flip7.server.settings import Settings

from . import inside
from .client import PATIENCE, WIDE, Client, Process
from .inside import Browser, serving
from .test_tables import create, join


@pytest.fixture(scope="module")
def strict(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Process]:
    """A server with the limits that it has in earnest, but for those on one address, which all tests share."""
    settings = Settings(
        data=tmp_path_factory.mktemp("strict"),
        pace=0,
        request_burst=10_000,
        tables_per_address=10_000,
        connections_per_address=3000,
        hello_seconds=1.0,
        request_seconds=1.0,
        **WIDE,
    )
    with Process(settings) as process:
        yield process
        assert process.problems() == []
        assert "flip7_errors_total 0" in process.get("/metrics").text


GARBAGE: list[str | bytes] = [
    "",
    "hello",
    "{",
    "null",
    "[]",
    "7",
    '{"type":"nonsense"}',
    '{"type":"choose"}',
    '{"type":"choose","game":"x","number":-1,"choice":"hit"}',
    '{"type":"choose","game":"x","number":1e99,"choice":"hit"}',
    '{"type":"choose","game":"x","number":0,"choice":{"seat":1}}',
    '{"type":"choose","game":"x","number":0,"choice":"7"}',
    '{"type":"ready","ready":"yes"}',
    '{"type":"ping","at":1e400}',
    '{"type":"ping","at":0,"more":1}',
    '{"type":"add_player","player":{"name":"\\u0000"}}',
    '{"type":"rename","seat":99999999999999999999,"player":{"name":"x"}}',
    "[" * 2000,
    '{"type":"set_options","options":{"target":0}}',
    b"\x00\xff\xfe",
    b"\x80" * 100,
    "\ud7ff\U0010ffff",
]


async def alive(client: Client) -> None:
    """The connection still answers."""
    at = random.random()
    await client.send(Ping(at=at))
    await client.expect(Pong, lambda pong: pong.at == at)


async def test_garbage_is_refused_and_nothing_happens(strict: Process) -> None:
    code, token = create(strict, "Ana", bots=["carl"])
    async with Client(strict, code, token) as witness:
        for garbage in GARBAGE:
            async with Client(strict, code) as client:
                await client.send(garbage)
                assert isinstance(await client.expect(Refused), Refused)
                await alive(client)
        await alive(witness)
        await witness.send(Start())
        assert (await witness.play()).winner is not None


async def test_garbage_instead_of_hello_ends_the_connection_only(strict: Process) -> None:
    code, _ = create(strict, "Ana")
    for garbage in (*GARBAGE, '{"type":"start"}'):
        client = Client(strict, code)
        await client.connect()
        await client.send(garbage)
        assert isinstance(closed := (await client.closed())[-1], Closed)
        assert closed.code == "hello_first"
        await client.close()


@pytest.mark.parametrize("token", ["", "x", "x" * 64, "🂡" * 16, "\x00"])
async def test_guessed_tokens_open_nothing(strict: Process, token: str) -> None:
    code, _ = create(strict, "Ana")
    client = Client(strict, code)
    await client.connect()
    await client.send(Hello(token=token))
    assert isinstance(closed := (await client.closed())[-1], Closed)
    assert closed.code == "unknown_token"
    await client.close()


async def test_a_token_of_another_table_opens_nothing_here(strict: Process) -> None:
    (code, _), (_, other) = create(strict, "Ana"), create(strict, "Ben")
    client = Client(strict, code, other)
    await client.connect()
    await client.send(Hello(token=other))
    assert isinstance(closed := (await client.closed())[-1], Closed)
    assert closed.code == "unknown_token"
    await client.close()


@pytest.mark.parametrize("path", ["NOSUCH", "", "..", "a" * 3000, "%00", "%F0%9F%82%A1", "x/y"])
async def test_sockets_to_no_table_are_told_so(strict: Process, path: str) -> None:
    client = Client(strict, path)
    await client.connect()
    assert isinstance(closed := (await client.closed())[-1], Closed)
    assert closed.code == "unknown_table"
    await client.close()


async def test_a_frame_that_is_too_large_ends_the_connection_only(strict: Process) -> None:
    code, token = create(strict, "Ana")
    async with Client(strict, code, token) as witness, Client(strict, code) as client:
        await client.send("x" * 100_000)
        assert not any(isinstance(message, Refused) for message in await client.closed())
        await alive(witness)


async def test_a_flood_is_first_refused_then_cut_and_disturbs_no_other_table(strict: Process) -> None:
    code, token = create(strict, "Ana", "Ben")
    other = strict.seat("/api/quick", {"player": {"name": "Cho"}})
    flooder = Client(strict, code, token)
    await flooder.open()

    async def flood() -> None:
        try:
            for _ in range(3000):
                await flooder.send(Ping())
        except ConnectionClosed:
            pass

    async def play() -> Step:
        async with Client(strict, other.code, other.token) as cho:
            return await cho.play()

    last, messages, _ = await asyncio.gather(play(), flooder.closed(), flood())
    assert last.winner is not None
    assert any(isinstance(message, Refused) and message.code == "too_many" for message in messages)
    assert isinstance(messages[-1], Closed)
    assert messages[-1].code == "flood"
    await flooder.close()
    async with Client(strict, code, token) as back:
        await alive(back)


async def test_silent_sockets_are_closed_and_keep_nobody_out(strict: Process) -> None:
    code, token = create(strict, "Ana")
    silent = [Client(strict, code) for _ in range(200)]
    for start in range(0, len(silent), 10):  # a handshake that takes a second is given up
        await asyncio.gather(*(client.connect() for client in silent[start : start + 10]))
    async with Client(strict, code, token) as ana:
        await alive(ana)
        endings = await asyncio.gather(*(client.closed() for client in silent))
        await alive(ana)
    assert {message.code for ending in endings for message in ending if isinstance(message, Closed)} == {"hello_first"}
    await asyncio.gather(*(client.close() for client in silent))


async def test_thousands_of_half_open_connections_keep_nobody_out(strict: Process) -> None:
    halves = [
        b"",
        b"GET /ws/",
        b"GET /ws/X HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\n",
        b"POST /api/quick HTTP/1.1\r\n",
    ]
    sockets = []
    for i in range(2000):
        half = await asyncio.to_thread(socket.create_connection, ("127.0.0.1", strict.port))
        half.sendall(halves[i % len(halves)])
        sockets.append(half)
    seated = await asyncio.to_thread(strict.seat, "/api/quick", {"player": {"name": "Ana"}})
    async with Client(strict, seated.code, seated.token) as ana:
        assert (await ana.play()).winner is not None
    for half in sockets:
        half.settimeout(PATIENCE)
        with contextlib.suppress(ConnectionResetError):
            assert half.recv(1000) == b"", "still open"
        half.close()


async def test_whoever_does_not_read_is_cut_off_and_the_table_goes_on(server: Process) -> None:
    code, token = create(server, *[f"P{i}" for i in range(36)])
    async with Client(server, code, token) as device:
        deaf = socket.socket()
        deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        deaf.connect(("127.0.0.1", server.port))
        deaf.sendall(
            f"GET /ws/{code} HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
        )
        assert deaf.recv(1000).startswith(b"HTTP/1.1 101")
        hello = b'{"type":"hello"}'
        deaf.sendall(bytes([0x81, 0x80 | len(hello), 0, 0, 0, 0]) + hello)
        await device.expect(RoomChanged, lambda room: room.room.spectators == 1)
        await device.send(Start())
        await device.expect(Step)
        while True:
            await device.answer()
            message = await device.receive()
            if isinstance(message, RoomChanged) and message.room.spectators == 0:
                break
            assert not (isinstance(message, Step) and message.ask is None), "the game is over and it still hangs on"
        assert (await device.play(until=device.number + 10)).number
    assert 'flip7_closed_total{code="too_slow"} 1' in server.get("/metrics").text
    deaf.close()


async def test_moves_out_of_turn_and_for_others_change_nothing(strict: Process) -> None:
    code, token = create(strict, "Ana", bots=["carl"])
    async with Client(strict, code, token) as ana, Client(strict, code, join(strict, code, "Mallory")) as mallory:
        await mallory.send(json.dumps({"type": "ready"}))
        await ana.expect(RoomChanged, lambda room: room.room.seats[2].ready)
        await ana.send(Start())
        rng = random.Random(7)
        game = (await mallory.expect(Step)).game
        for _ in range(20):
            choice = rng.choice(["hit", "stay", 0, 1, 2])
            await mallory.send(Choose(game=game, number=rng.randrange(50), choice=choice))  # type: ignore[arg-type]
        await mallory.send(AddBot(bot="bea"))
        refusals = [await mallory.expect(Refused) for _ in range(18)]
        assert {refusal.code for refusal in refusals} <= {"stale", "not_your_turn", "illegal", "not_host", "too_many"}
    assert strict.get("/healthz").text == "ok\n"


def test_limits_on_tables_and_requests_have_clear_errors(tmp_path_factory: pytest.TempPathFactory) -> None:
    settings = Settings(
        data=tmp_path_factory.mktemp("few"), tables_per_address=3, requests_per_second=0, request_burst=60
    )
    with Process(settings) as server:
        for _ in range(3):
            create(server, "Ana")
        answer = server.post("/api/tables", {"players": [{"name": "Ana"}]})
        assert (answer.status_code, answer.json()["code"]) == (429, "too_many_tables")
        codes = [server.get("/api/tables/NOSUC").status_code for _ in range(settings.request_burst)]
        assert codes == sorted(codes)  # nothing is given back: the clock does not count here
        assert set(codes) == {404, 429}
        huge = server.post("/api/tables", {"players": [{"name": "x" * 100_000}]})
        assert huge.status_code in (413, 429)
        assert server.get("/healthz").status_code == 200
        assert server.problems() == []


async def test_a_hundred_devices_come_back_whose_old_connections_still_look_open(
    tmp_path: Path,
) -> None:
    """Where a wireless network has failed nothing hangs up, and a server finds out after 40 seconds."""
    async with serving(Settings(data=tmp_path)) as hub:
        lost: list[Browser] = []
        back: list[Browser] = []
        for _ in range(4):
            seated = [await inside.create(hub, "Ana")]
            seated += [await hub.join(seated[0].code, (Player(name=f"Player {n}"),)) for n in range(24)]
            lost += [Browser(hub, one) for one in seated]
            back += [Browser(hub, one) for one in seated]
        for browser in lost:
            await browser.open()
        await asyncio.gather(*(browser.open() for browser in back))
        for browser in (*lost, *back):
            await browser.close()


async def test_too_many_connections_of_one_address_are_refused(tmp_path_factory: pytest.TempPathFactory) -> None:
    with Process(Settings(data=tmp_path_factory.mktemp("crowd"), connections_per_address=5, spectators=3)) as server:
        code, token = create(server, "Ana")
        clients = [Client(server, code) for _ in range(3)]
        for client in clients:
            await client.open()
        fourth = Client(server, code)
        await fourth.connect()
        await fourth.send(Hello())
        assert isinstance(closed := (await fourth.closed())[-1], Closed)
        assert closed.code == "too_many_watching"
        ana = Client(server, code, token)
        await ana.open()
        more = [Client(server, code, token) for _ in range(3)]
        for client in more:
            await client.connect()
        # The last one is over the limit; the others may have been let in, and wait.
        message = await more[-1].receive()
        assert isinstance(message, Closed)
        assert message.code == "too_many_connections"
        for client in (*clients, fourth, ana, *more):
            await client.close()


async def test_games_are_not_told_again_and_again_to_one_address(tmp_path_factory: pytest.TempPathFactory) -> None:
    """It takes the time of all tables; who comes back then still gets the present state."""
    settings = Settings(data=tmp_path_factory.mktemp("retold"), pace=0, replay_per_second=0.1, replay_burst=200)
    with Process(settings) as server:
        code, token = create(server, "Ana", bots=["bea"], options={"target": 100})
        async with Client(server, code, token) as ana:
            await ana.send(Start())
            last = await ana.play()
            assert last.number < 150
            first, *more = [await ana.open(game=last.game, number=0) for _ in range(30)]
            assert len(first.missed) == last.number
            assert more[-1].missed == ()
            assert more[-1].game
            assert more[-1].game.number == last.number


async def test_text_that_is_no_utf_8_ends_the_connection_and_logs_no_error(strict: Process) -> None:
    """The fixture looks at the log: a traceback for every such frame would fill it."""
    code, _ = create(strict, "Ana")
    for opening in (b"", b'{"type":"hello"}'):
        with socket.create_connection(("127.0.0.1", strict.port), PATIENCE) as line:
            line.sendall(
                f"GET /ws/{code} HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
            )
            assert line.recv(1000).startswith(b"HTTP/1.1 101")
            for text in filter(None, (opening, b"\xff\xfe\x80")):
                line.sendall(bytes([0x81, 0x80 | len(text), 0, 0, 0, 0]) + text)
            heard = b""
            while part := await asyncio.to_thread(line.recv, 65536):
                heard += part
        assert b"\x88" in heard
        assert (1007).to_bytes(2, "big") in heard
    async with Client(strict, code) as witness:
        await alive(witness)


async def test_a_frame_that_is_too_long_ends_the_connection_with_the_code_for_it(strict: Process) -> None:
    code, _ = create(strict, "Ana")
    eve = Client(strict, code)
    await eve.open()
    await eve.send("x" * 5000)
    with pytest.raises(ConnectionClosed) as closed:
        await eve.receive()
    assert closed.value.rcvd
    assert closed.value.rcvd.code == 1009
