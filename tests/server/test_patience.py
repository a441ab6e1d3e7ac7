"""How long a connection is waited for: whoever neither finishes a request nor reads the answer is cut off, no other."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest
import uvicorn
from uvicorn.server import ServerState

from flip7.server.serve import PatientProtocol

from .inside import eventually

SECONDS = 0.1
LARGE = bytes(16 << 20)
Answer = Callable[[], Awaitable[bytes]]


@asynccontextmanager
async def serving(answer: Answer, patience: float = SECONDS) -> AsyncIterator[tuple[int, set[Any]]]:
    """A server that gives this answer to everything: its port, and its connections."""

    class Http(PatientProtocol):
        seconds = patience

    async def app(scope: Any, receive: Any, send: Any) -> None:
        while (await receive()).get("more_body"):
            pass
        body = await answer()
        await send({"type": "http.response.start", "status": 200, "headers": [(b"connection", b"close")]})
        await send({"type": "http.response.body", "body": body})

    config, state = uvicorn.Config(app, lifespan="off", log_config=None), ServerState()
    config.load()
    server = await asyncio.get_running_loop().create_server(lambda: Http(config, state, {}), "127.0.0.1", 0)
    async with server:
        yield server.sockets[0].getsockname()[1], state.connections


async def slowly() -> bytes:
    await asyncio.sleep(4 * SECONDS)
    return b"at last"


async def at_once() -> bytes:
    return LARGE


@pytest.mark.parametrize("more", [b"", b"Connection: close\r\n"])
async def test_an_answer_that_takes_long_to_make_is_waited_for(more: bytes) -> None:
    async with serving(slowly) as (port, _):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"GET / HTTP/1.1\r\nHost: localhost\r\n" + more + b"\r\n")
        assert b"at last" in await reader.read()
        writer.close()


@pytest.mark.parametrize(
    "unfinished",
    [b"", b"GET / HTTP/1.1\r\nHost:", b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\nhalf"],
)
async def test_a_request_that_takes_long_to_arrive_is_not(unfinished: bytes) -> None:
    async with serving(slowly) as (port, connections):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(unfinished)
        async with asyncio.timeout(10):
            assert await reader.read() == b""
        assert not connections
        writer.close()


async def test_an_answer_that_nobody_reads_is_given_up_and_one_that_is_read_slowly_is_not() -> None:
    """Slowly is still twenty times as often as it must be: a busy machine may read late."""
    patience = 10 * SECONDS
    async with serving(at_once, patience) as (port, connections):
        idle, busy = connection(port), connection(port)
        async with asyncio.timeout(60):
            read = 0
            while read < len(LARGE):
                part = await asyncio.get_running_loop().sock_recv(busy, 1 << 20)
                assert part, "it was cut off"
                read += len(part)
                await asyncio.sleep(patience / 20)
        await eventually(lambda: not connections)
        for one in (idle, busy):
            one.close()


def connection(port: int) -> socket.socket:
    """A connection on which something has been asked for."""
    one = socket.create_connection(("127.0.0.1", port))
    one.setblocking(False)
    one.send(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
    return one
