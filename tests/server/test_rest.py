"""The REST interface and the files of the client, as browsers and tools meet them."""

from __future__ import annotations

import gzip
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections.abc import MutableMapping
from pathlib import Path

import httpx
import pytest

from flip7.game.rulebook import RULINGS
from flip7.server.previews import Page
from flip7.server.settings import Settings
from flip7.server.static import StaticFiles

from .client import WIDE, Process
from .test_tables import create


def test_bots_have_names_and_characters(server: Process) -> None:
    bots = server.get("/api/bots").json()["bots"]
    assert len(bots) >= 6
    assert all(bot["name"] and bot["character"].endswith(".") for bot in bots)
    for bot in bots:
        server.seat("/api/quick", {"player": {"name": "Ana"}, "bots": [bot["id"]]})


def test_all_rulings_are_served(server: Process) -> None:
    sections = server.get("/api/rules").json()["sections"]
    assert [ruling["id"] for section in sections for ruling in section["rulings"]] == [ruling.id for ruling in RULINGS]


def test_rulings_are_told_in_the_language_that_is_asked_for(server: Process) -> None:
    german = server.get("/api/rules?language=de").json()["sections"][0]
    assert german["title"] == "Aufbau"
    assert german["rulings"][0]["source"] == "Regelheft"
    assert server.get("/api/rules?language=xx").json() == server.get("/api/rules").json()


def test_a_table_has_its_link_as_a_picture(server: Process) -> None:
    code, _ = create(server, "Ana")
    answer = server.get(f"/api/tables/{code}/qr.svg")
    assert answer.headers["content-type"] == "image/svg+xml"
    assert ET.fromstring(answer.content).tag.endswith("svg")


def test_open_tables_are_the_public_ones_that_a_player_attends(server: Process) -> None:
    create(server, "Nobody here", options={"public": True})
    assert server.get("/api/tables").json()["tables"] == []


@pytest.mark.parametrize(
    ("path", "status"),
    [("/api/tables/NOSUC", 404), ("/api/games/nosuch", 404), ("/api/games/nosuch/record", 404), ("/api/nothing", 404)],
)
def test_what_is_not_there_is_a_clear_404(server: Process, path: str, status: int) -> None:
    answer = server.get(path)
    assert answer.status_code == status
    assert set(answer.json()) == {"code", "text"}


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[]",
        b"\xff\xfe",
        b'{"players":[]}',
        b'{"players":[{"name":7}]}',
        b'{"players":[{"name":"x","colour":99}]}',
        b'{"players":[{"name":"x"}],"bots":["nobody"]}',
        b'{"players":[{"name":"x"}],"options":{"timer":7}}',
        b'{"players":[{"name":"x"}],"options":{"target":-5}}',
        b'{"players":[{"name":"\\ud800"}]}',
        b'{"players":[{"name":"x"}],"more":1}',
        b"[" * 20_000,
        b'{"players":[' + b",".join([b'{"name":"x"}'] * 37) + b"]}",
    ],
)
def test_bodies_that_cannot_be_used_are_refused_with_a_reason(server: Process, body: bytes) -> None:
    answer = httpx.post(f"{server.url}/api/tables", content=body, headers={"content-type": "application/json"})
    assert answer.status_code == 400, answer.text
    assert answer.json()["text"]


def test_every_address_is_described_in_words(server: Process) -> None:
    document = server.get("/api/schema/openapi.json").json()
    assert document["info"]["description"]
    operations = [operation for path in document["paths"].values() for operation in path.values()]
    assert len(operations) >= 10
    assert all(operation["description"].endswith(".") for operation in operations)


def test_every_answer_has_the_headers_that_keep_browsers_safe(server: Process) -> None:
    for path in ("/", "/api/bots", "/api/nothing", "/t/ABCDE", "/nothing.js", "/healthz"):
        headers = server.get(path).headers
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "script-src 'self';" in policy
        assert "http" not in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert "server" not in headers


def test_metrics_are_what_prometheus_reads(server: Process) -> None:
    create(server, "Ana")
    lines = server.get("/metrics").text.splitlines()
    samples = [line for line in lines if not line.startswith("#")]
    assert all(float(line.rpartition(" ")[2]) >= 0 for line in samples)
    assert any(line.startswith("flip7_tables ") for line in samples)


@pytest.fixture
def files(tmp_path: Path) -> httpx.AsyncClient:
    """The static files of a small client, asked through ASGI."""
    (tmp_path / "assets").mkdir()
    (tmp_path / "index.html").write_text("<!doctype html>page")
    (tmp_path / "assets" / "app-B1a2C3d4.js").write_text("let x = 1;" * 100)
    (tmp_path / "assets" / "app-B1a2C3d4.js.br").write_bytes(b"brotli")
    (tmp_path.parent / "secret.txt").write_text("secret")
    static = StaticFiles(tmp_path)

    async def app(scope: dict[str, object], receive: object, send: object) -> None:
        await static(scope, send, found)  # type: ignore[arg-type]

    async def found(scope: MutableMapping[str, object]) -> Page:
        return Page(200, "<title>Flip 7</title>")

    transport = httpx.ASGITransport(app=app)  # type: ignore[arg-type]
    return httpx.AsyncClient(transport=transport, base_url="http://x", headers={"accept-encoding": "identity"})


async def test_pages_of_the_client_are_one_page_that_is_asked_for_anew(files: httpx.AsyncClient) -> None:
    for path in ("/", "/t/ABCDE", "/replay/xyz", "/index.html"):
        answer = await files.get(path)
        assert (answer.status_code, answer.text) == (200, "<!doctype html>page")
        assert answer.headers["cache-control"] == "no-cache"
    again = await files.get("/", headers={"if-none-match": answer.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


async def test_hashed_files_are_kept_and_sent_compressed(files: httpx.AsyncClient) -> None:
    path = "/assets/app-B1a2C3d4.js"
    plain = await files.get(path)
    assert plain.headers["cache-control"] == "public, max-age=31536000, immutable"
    async with files.stream("GET", path, headers={"accept-encoding": "gzip"}) as packed:
        assert gzip.decompress(b"".join([part async for part in packed.aiter_raw()])) == plain.content
    async with files.stream("GET", path, headers={"accept-encoding": "gzip, br"}) as packed:
        assert b"".join([part async for part in packed.aiter_raw()]) == b"brotli"
    assert (await files.head(path)).content == b""


@pytest.mark.parametrize("path", ["/../secret.txt", "/assets/../../secret.txt", "/%2e%2e/secret.txt", "/nothing.js"])
async def test_nothing_outside_the_folder_is_served(files: httpx.AsyncClient, path: str) -> None:
    answer = await files.get(path)
    assert answer.status_code == 404
    assert "secret" not in answer.text
    assert (await files.post("/")).status_code == 405


def test_the_description_leaves_no_room_for_other_fields_and_neither_does_the_server(server: Process) -> None:
    document = server.get("/api/schema/openapi.json").json()
    objects = {name: one for name, one in document["components"]["schemas"].items() if "properties" in one}
    assert len(objects) > 50
    assert [name for name, one in objects.items() if one.get("additionalProperties") is not False] == []
    bodies = 0
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            if "requestBody" in operation:
                bodies += 1
                answer = httpx.request(method, server.url + path.replace("{code}", "NOSUC"), json={"other": 1})
                assert answer.status_code == 400, path
    assert bodies >= 5


@pytest.mark.long
def test_the_interface_withstands_whatever_its_description_allows(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Schemathesis over the whole REST interface: no 500, and every answer is one that the description knows."""
    settings = Settings(
        data=tmp_path_factory.mktemp("schema"),
        pace=0,
        request_burst=100_000,
        tables_per_address=100_000,
        tables=100_000,
        **WIDE,
    )
    with Process(settings) as server:
        checks = "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance"
        words = ["run", f"{server.url}/api/schema/openapi.json", "--checks", checks, "--phases", "fuzzing"]
        words += ["--max-examples", "15", "--seed", "7", "--suppress-health-check", "filter_too_much"]
        program, folder = Path(sys.executable).with_name("schemathesis"), tmp_path_factory.mktemp("cwd")
        done = subprocess.run([program, *words], capture_output=True, text=True, cwd=folder)
        assert done.returncode == 0, done.stdout[-6000:]
        assert server.problems() == []
