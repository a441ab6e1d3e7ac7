"""What requests claim about themselves: hosts, origins and addresses, true and invented."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from flip7.server.app import HEADERS
from flip7.server.errors import Refusal
from flip7.server.origins import Origins, allowed_name, client_network
from flip7.server.settings import Settings

from .client import PATIENCE, Process
from .test_tables import create


def raw(server: Process, request: bytes) -> httpx.Response:
    """The answer to bytes as they are."""
    with socket.create_connection(("127.0.0.1", server.port), PATIENCE) as line:
        line.sendall(request)
        with line.makefile("rb") as answer:
            head, _, body = answer.read().partition(b"\r\n\r\n")
    status, *lines = head.decode("latin-1").split("\r\n")
    headers = [tuple(line.split(": ", 1)) for line in lines if not line.lower().startswith("transfer-encoding")]
    return httpx.Response(int(status.split()[1]), headers=headers, content=body)  # type: ignore[arg-type]


def create_from(server: Process, headers: dict[str, str]) -> httpx.Response:
    """Make a table by a request with these headers."""
    body = '{"players":[{"name":"Eve"}]}'
    return httpx.post(f"{server.url}/api/tables", content=body, headers=headers, timeout=PATIENCE)


def has_all_headers(answer: httpx.Response) -> bool:
    return all(answer.headers.get(name.decode()) == value.decode() for name, value in HEADERS)


@pytest.mark.parametrize("host", [b"[", b"a:b:c", b"localhost:99999", b"x" * 3000, b"a b", b"\xff"])
def test_a_host_that_cannot_be_one_is_refused(server: Process, host: bytes) -> None:
    code, _ = create(server, "Ana")
    path = f"/api/tables/{code}/qr.svg".encode()
    answer = raw(server, b"GET %s HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n" % (path, host))
    assert answer.status_code == 400
    assert has_all_headers(answer)


@pytest.mark.parametrize("path", ["/", "/api/bots", "/ws/TABLE"])
@pytest.mark.parametrize("host", ["attacker.example", "attacker.example:80", "192.0.2.1", "localhost.attacker.example"])
def test_a_name_that_is_made_to_point_here_is_refused_with_what_to_do(server: Process, host: str, path: str) -> None:
    """DNS rebinding: a page of another site whose name has become an address of this machine is not one of ours."""
    upgrade = "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n" if "/ws/" in path else ""
    key = "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n" if upgrade else "Connection: close\r\n"
    answer = raw(server, f"GET {path} HTTP/1.1\r\nHost: {host}\r\n{upgrade}{key}\r\n".encode())
    assert answer.status_code == 421
    assert f"flip7 serve --allowed-host {host.removesuffix(':80')}" in answer.text
    assert "unknown_host" in answer.text
    assert has_all_headers(answer)


@pytest.mark.parametrize(
    "host", ["localhost", "127.0.0.1:80", "127.0.0.5", "[::1]", "LOCALHOST.", socket.gethostname()]
)
def test_the_names_and_addresses_of_this_machine_are_known(server: Process, host: str) -> None:
    request = f"GET /api/bots HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode()
    assert raw(server, request).status_code == 200
    elsewhere = b"GET /healthz HTTP/1.1\r\nHost: balancer.example\r\nConnection: close\r\n\r\n"
    assert raw(server, elsewhere).status_code == 200  # whoever runs the server may ask under any name


def scope(host: str, server: str = "192.168.1.20") -> dict[str, Any]:
    return {"path": "/", "method": "GET", "headers": [(b"host", host.encode())], "server": (server, 7007)}


def test_the_address_at_which_a_connection_arrives_is_the_machines_own() -> None:
    Origins().check(scope("192.168.1.20:7007"))
    Origins().check(scope("192.168.1.20", "::ffff:192.168.1.20"))
    Origins().check(scope("[2001:db8::7]:7007", "2001:db8::7"))
    with pytest.raises(Refusal, match=r"--allowed-host 192\.168\.1\.21"):
        Origins().check(scope("192.168.1.21"))


def test_other_names_are_allowed_by_the_option() -> None:
    origins = Origins(["Flip7.example.org"])
    origins.check(scope("flip7.example.org"))
    origins.check(scope("flip7.example.org.:443"))
    with pytest.raises(Refusal):
        origins.check(scope("www.flip7.example.org"))
    Origins(["*"]).check(scope("anything.example"))


@pytest.mark.parametrize(
    ("text", "host"),
    [
        ("Flip7.Example.org.", "flip7.example.org"),
        ("flip7.example.org:8443", "flip7.example.org"),
        ("192.168.1.21", "192.168.1.21:7007"),
        ("2001:DB8::7", "[2001:db8::7]:7007"),
        ("[2001:db8::7]", "[2001:db8::7]"),
        ("2001:db8:0:0::07", "[2001:db8::7]"),
        ("2001:db8::7", "[2001:DB8:0:0:0:0:0:7]:7007"),
        ("*", "anything.example"),
    ],
)
def test_a_name_is_allowed_however_it_is_written(text: str, host: str) -> None:
    Origins([allowed_name(text)]).check(scope(host))


@pytest.mark.parametrize(
    "text", ["", "https://flip7.example.org", "flip7.example.org/", "a b", "*.example.org", "x:99999", "[a:b]"]
)
def test_what_can_never_be_a_host_is_not_taken_for_one(text: str) -> None:
    with pytest.raises(ValueError, match="is no name of a host"):
        allowed_name(text)


@pytest.mark.parametrize("path", ["/" + "a" * 300, "/" + "a" * 300 + ".js", "/" + "ä" * 150 + ".js", "/" + "a/" * 3000])
def test_a_name_that_no_file_can_have_is_no_trouble(server: Process, path: str) -> None:
    answer = server.get(path)
    assert answer.status_code == 404
    assert has_all_headers(answer)


def test_what_is_no_http_is_answered_with_all_headers(server: Process) -> None:
    answer = raw(server, b"\x00\x01garbage\r\n\r\n")
    assert answer.status_code == 400
    assert has_all_headers(answer)


@pytest.mark.parametrize(
    "origin", ["http://elsewhere.example", "null", "http://[", "http://127.0.0.1.elsewhere.example"]
)
async def test_pages_of_other_sites_open_no_socket_and_make_no_table(server: Process, origin: str) -> None:
    code, _ = create(server, "Ana")
    with pytest.raises(InvalidStatus) as refused:
        await connect(f"ws://127.0.0.1:{server.port}/ws/{code}", additional_headers={"Origin": origin})
    assert refused.value.response.status_code == 403
    assert b"other_site" in (refused.value.response.body or b"")
    tables = _tables(server)
    answer = create_from(server, {"Origin": origin, "Content-Type": "text/plain"})
    assert (answer.status_code, answer.json()["code"]) == (403, "other_site")
    assert has_all_headers(answer)
    assert _tables(server) == tables


@pytest.mark.parametrize("origin", ["http://127.0.0.1:{port}", "http://localhost:5173", "https://LOCALHOST"])
async def test_own_pages_are_welcome(server: Process, origin: str) -> None:
    code, _ = create(server, "Ana")
    headers = {"Origin": origin.format(port=server.port)}
    async with connect(f"ws://127.0.0.1:{server.port}/ws/{code}", additional_headers=headers) as line:
        await line.send('{"type":"hello"}')
        assert '"welcome"' in str(await line.recv())
    assert create_from(server, headers).status_code == 201


def _tables(server: Process) -> str:
    return next(line for line in server.get("/metrics").text.splitlines() if line.startswith("flip7_tables "))


@pytest.mark.parametrize(
    ("address", "counted"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::9", "2001:db8:1:2::/64"),
        ("testclient", "testclient"),
    ],
)
def test_limits_count_what_one_customer_has(address: str, counted: str) -> None:
    assert client_network(address) == counted


@pytest.fixture(params=["", "127.0.0.1"])
def proxied(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple[Process, bool]]:
    """A server for one table of each address, and whether it believes those who connect from this machine."""
    monkeypatch.delenv("FORWARDED_ALLOW_IPS", raising=False)
    if request.param:
        monkeypatch.setenv("FORWARDED_ALLOW_IPS", request.param)
    with Process(Settings(data=tmp_path, tables_per_address=1)) as process:
        yield process, bool(request.param)


def test_an_address_that_is_claimed_counts_only_if_the_operator_trusts_the_proxy(proxied: tuple[Process, bool]) -> None:
    server, trusted = proxied
    codes = [create_from(server, {"X-Forwarded-For": f"192.0.2.{number}"}).status_code for number in (1, 2)]
    assert codes == [201, 201 if trusted else 429]
