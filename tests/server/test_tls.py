"""`flip7 serve --tls-cert --tls-key`: HTTPS and WebSockets through it, and what is said when the files are no good."""

from __future__ import annotations

import shutil
import ssl
from pathlib import Path

import httpx
import pytest
from websockets.asyncio.client import connect

from .test_serve import refused, serving

TLS = Path(__file__).parent / "tls"
CERT, KEY, LOCKED = (str(TLS / name) for name in ("cert.pem", "key.pem", "locked-key.pem"))


async def test_https_serves_pages_and_sockets_to_those_who_trust_the_certificate(tmp_path: Path) -> None:
    trusting = ssl.create_default_context(cafile=CERT)
    words = ("--host", "127.0.0.1", "--port", "0", "--data", str(tmp_path), "--tls-cert", CERT, "--tls-key", KEY)
    with serving(*words) as (_, address):
        assert address.startswith("https://localhost:")
        async with httpx.AsyncClient(verify=trusting) as client:
            assert (await client.get(f"{address}healthz")).text == "ok\n"
            made = (await client.post(f"{address}api/tables", json={"players": [{"name": "Ana"}]})).json()
        async with connect(f"wss{address[5:]}ws/{made['code']}", ssl=trusting, origin=address[:-1]) as socket:  # type: ignore[arg-type]
            await socket.send('{"type":"hello","protocol":1}')
            assert '"type"' in str(await socket.recv())
        async with httpx.AsyncClient() as plain:
            with pytest.raises(httpx.TransportError):
                await plain.get(f"http{address[5:]}healthz")


def test_one_file_may_hold_both(tmp_path: Path) -> None:
    both = tmp_path / "both.pem"
    both.write_text(Path(KEY).read_text() + Path(CERT).read_text())
    words = ("--host", "127.0.0.1", "--port", "0", "--data", str(tmp_path), "--tls-cert", str(both))
    with serving(*words) as (_, address):
        assert httpx.get(f"{address}healthz", verify=ssl.create_default_context(cafile=CERT)).status_code == 200


def test_files_that_are_no_certificate_with_its_key_are_refused(tmp_path: Path) -> None:
    data = ("--port", "0", "--data", str(tmp_path / "data"))
    assert "--tls-cert" in refused(*data, "--tls-key", KEY)
    assert "cannot be read" in refused(*data, "--tls-cert", str(tmp_path / "none.pem"), "--tls-key", KEY)
    assert "locked by a password" in refused(*data, "--tls-cert", CERT, "--tls-key", LOCKED)
    nonsense = shutil.copy(__file__, tmp_path)
    assert "no certificate with its key" in refused(*data, "--tls-cert", str(nonsense), "--tls-key", KEY)
    assert not (tmp_path / "data").exists()
