"""What a client makes of addresses, and of whoever answers there."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from websockets.utils import accept_key

from flip7.protocol.client import (
    LinkChanged,
    News,
    ServerRefusal,
    TableClient,
    base_of,
    record_of,
    sit_down,
    table_info,
)


@pytest.mark.parametrize("host", ["my_host", "münchen.example", "[fe80::1%eth0]:80"])
def test_names_and_numbers_of_every_kind_are_addresses(host: str) -> None:
    assert base_of(host) == f"http://{host}"


@pytest.mark.parametrize(
    "address",
    ["", "http://", "ftp://example.org", "host:99999", "http://[::1", "my host:80", "a..b:80", "x" * 64, "me@host:80"],
)
def test_what_can_be_no_address_is_refused(address: str) -> None:
    with pytest.raises(ValueError, match="is no address of a server: it is written host:port, or https://host"):
        base_of(address)


@asynccontextmanager
async def answering(answer: bytes) -> AsyncIterator[str]:
    """Somebody who says this to whoever comes, and hangs up; yields the address."""

    async def say(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(answer)
        await reader.readuntil(b"\r\n\r\n")
        writer.close()

    server = await asyncio.start_server(say, "127.0.0.1", 0)
    async with server:
        host, port = server.sockets[0].getsockname()
        yield f"{host}:{port}"


@pytest.mark.parametrize(
    "answer",
    [
        b"SSH-2.0-OpenSSH_9\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{",
        b"HTTP/1.1 500 Oh\r\nContent-Length: 100\r\n\r\n{",
        b"HTTP/1.1 404 Not Found\r\nContent-Length: 2\r\n\r\nno",
        b"",
    ],
    ids=["another protocol", "half an answer", "half a refusal", "another page", "nothing"],
)
async def test_whoever_is_no_server_of_this_game_is_told_of_as_such(answer: bytes) -> None:
    async with answering(answer) as address:
        for asked in (table_info(address, "ABCD"), sit_down(address, "ABCD", "Ana"), record_of(address, "x")):
            with pytest.raises(ServerRefusal) as refused:
                await asked
            assert refused.value.code == "network"
            assert address in refused.value.text


async def last_news(address: str) -> News | None:
    """How a connection to a table ended, for whoever only watches."""
    async with TableClient(address, "ABCDE") as table:
        news = [one async for one in table]
    return news[-1]


async def test_who_is_told_something_at_once_and_hung_up_on_has_been_told() -> None:
    """Also where that arrives before anything was said."""
    word = b'{"type":"closed","code":"unknown_table","text":"no such table","resume":false}'

    async def hang_up(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        request = await reader.readuntil(b"\r\n\r\n")
        key = re.search(rb"Sec-WebSocket-Key: (.*)\r\n", request)
        assert key
        head = "HTTP/1.1 101 Switching\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: "
        frames = b"\x81" + bytes([len(word)]) + word + b"\x88\x02\x03\xe8"
        writer.write(f"{head}{accept_key(key[1].decode())}\r\n\r\n".encode() + frames)
        writer.close()

    server = await asyncio.start_server(hang_up, "127.0.0.1", 0)
    async with server:
        assert await last_news("{}:{}".format(*server.sockets[0].getsockname())) == LinkChanged(
            "ended", "unknown_table"
        )


async def test_a_server_that_will_never_open_a_connection_is_asked_once() -> None:
    problem = b'{"code":"unknown_host","text":"this server does not know itself as that"}'
    head = b"HTTP/1.1 421 Misdirected Request\r\nContent-Length: %d\r\n\r\n" % len(problem)
    async with answering(head + problem) as address:
        assert await last_news(address) == LinkChanged("ended", "unknown_host")


async def test_whoever_opens_no_connection_for_a_while_is_asked_again() -> None:
    problem = b'{"code":"too_many","text":"many pages were opened from your network at once"}'
    head = b"HTTP/1.1 429 Too Many Requests\r\nContent-Length: %d\r\n\r\n" % len(problem)
    for answer in (head + problem, b"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 2\r\n\r\nno"):
        async with answering(answer) as address, TableClient(address, "ABCDE") as table:
            assert await anext(aiter(table)) == LinkChanged("retrying")
