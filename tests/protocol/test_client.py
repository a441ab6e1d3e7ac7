"""What a client makes of addresses, and of whoever answers there."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from flip7.protocol.client import ServerRefusal, base_of, record_of, sit_down, table_info


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
