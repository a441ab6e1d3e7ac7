"""Links between servers: addresses of every form, nothing for strangers, and no failure without a word."""

from __future__ import annotations

import asyncio
import logging
import socket
from contextlib import suppress
from pathlib import Path

import msgspec
import pytest

from flip7.server import wire
from flip7.server.links import format_address, parse_address
from flip7.server.settings import Settings
from flip7.server.wire import AnyFrame, Ask, CalledEnd, Challenge, Greeting, Proof, proof

from .inside import FAST, make_hub

SERVER, SECRET = "server", "secret"


@pytest.mark.parametrize(
    ("text", "host", "port"),
    [
        ("club.example", "club.example", 0),
        ("club.example:7100", "club.example", 7100),
        ("192.0.2.1:7100", "192.0.2.1", 7100),
        ("[2001:db8::1]:7100", "2001:db8::1", 7100),
        ("[2001:db8::1]", "2001:db8::1", 0),
        ("2001:db8::1", "2001:db8::1", 0),
        ("::1", "::1", 0),
    ],
)
def test_addresses_have_a_host_and_may_have_a_port(text: str, host: str, port: int) -> None:
    assert parse_address(text) == (host, port)
    assert parse_address(format_address(host, 7100)) == (host, 7100)


@pytest.mark.parametrize(
    "text", ["", ":7100", "club.example:", "club.example:port", "a b", "[::1", "club.example:1:2", "club.example:65536"]
)
def test_what_is_no_address_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is no address"):
        parse_address(text)


class Line(asyncio.Transport):
    """Keeps what is written, and whether it was cut."""

    def __init__(self) -> None:
        super().__init__()
        self.written, self.cut = bytearray(), asyncio.Event()

    def write(self, data: object) -> None:
        self.written += data  # type: ignore[arg-type]

    def abort(self) -> None:
        self.cut.set()

    def is_closing(self) -> bool:
        return self.cut.is_set()

    def get_write_buffer_size(self) -> int:
        return 0


class Called:
    """The end of a server that another one connects to."""

    def __init__(self) -> None:
        self.heard: list[AnyFrame] = []
        self.end = CalledEnd(SERVER, SECRET, lambda link, frame: self.heard.append(frame))
        self.line = Line()
        self.end.connection_made(self.line)

    def say(self, frame: AnyFrame) -> None:
        data = msgspec.msgpack.encode(frame)
        self.end.data_received(len(data).to_bytes(4, "big") + data)

    def prove(self) -> None:
        """Say hello as a server that knows the secret."""
        self.say(Greeting("other", SERVER, "nonce"))
        self.end.flush()
        data, challenge = bytes(self.line.written), None
        while data:
            size = int.from_bytes(data[:4], "big")
            frame: AnyFrame = msgspec.msgpack.decode(data[4 : 4 + size], type=AnyFrame)
            challenge = frame if isinstance(frame, Challenge) else challenge
            data = data[4 + size :]
        assert challenge is not None
        self.say(Proof(proof(SECRET, "calling", challenge.nonce, SERVER)))

    def gone(self) -> None:
        self.end.connection_lost(None)


async def test_a_stranger_may_say_little() -> None:
    called = Called()
    called.say(Greeting("x" * 2000, SERVER, "nonce"))
    assert called.line.cut.is_set()
    called.gone()
    known = Called()
    known.prove()
    known.say(Ask(1, "lobby", b"x" * 100_000))
    assert not known.line.cut.is_set()
    assert len(known.heard) == 1
    known.gone()


async def test_a_stranger_does_not_keep_a_link_for_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wire, "PROOF_SECONDS", 0.0)
    stranger, known = Called(), Called()
    known.prove()
    async with asyncio.timeout(5):
        await stranger.line.cut.wait()
    assert not known.line.cut.is_set()
    for called in (stranger, known):
        called.gone()


@pytest.mark.parametrize("claim", ["", "é", "x" * 64, "\0"])
async def test_a_proof_that_is_none_ends_the_link(claim: str) -> None:
    called = Called()
    called.say(Greeting("other", SERVER, "nonce"))
    called.say(Proof(claim))
    assert called.line.cut.is_set()
    assert called.heard == []
    called.gone()


async def test_a_server_that_cannot_be_reached_is_named_once_with_what_helps(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    hub = make_hub(msgspec.structs.replace(FAST, data=tmp_path))
    hub.membership.others = {"there": "127.0.0.1:1", "nowhere": "a b"}
    with caplog.at_level(logging.WARNING, "flip7.server"):
        for _ in range(2):
            for server, address in hub.membership.others.items():
                assert await hub.links.to(server, address, 1.0) is None
    problems = [str(record.__dict__.get("problem")) for record in caplog.records if record.getMessage() == "no link"]
    assert len(problems) == 2
    assert "--advertise" in problems[0]
    assert "is no address" in problems[1]
    assert (hub.links.unreached, len(hub.links)) == (2, 0)
    assert "flip7_servers_unreached 2.0" in hub.metrics.text()
    await hub.links.close()


async def test_a_server_tells_the_others_an_address_of_ipv6_that_they_can_read() -> None:
    hub = make_hub(Settings(data=Path(), database="postgresql://nobody@127.0.0.1:1/nothing"))
    address = await hub.links.listen("2001:db8::1")
    assert parse_address(address)[0] == "2001:db8::1"
    assert parse_address(address)[1] > 0
    await hub.links.close()


@pytest.mark.parametrize("turns", range(5))
async def test_whoever_connects_while_the_server_goes_is_not_kept(turns: int) -> None:
    hub = make_hub(Settings(data=Path(), database="postgresql://nobody@127.0.0.1:1/nothing"))
    with socket.create_connection(parse_address(await hub.links.listen(None)), timeout=5) as caller:
        for _ in range(turns):
            await asyncio.sleep(0)
        await hub.links.close()
        caller.setblocking(False)
        with suppress(ConnectionResetError):
            async with asyncio.timeout(2):
                while await asyncio.get_running_loop().sock_recv(caller, 1000):
                    pass
