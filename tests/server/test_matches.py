"""Shared matches: followed live, entered by those who may, merged, and never lost."""

from __future__ import annotations

import json
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest
from websockets.asyncio.client import ClientConnection, connect

from flip7 import Match
from flip7.server.matches import FOLLOWERS, MOST_CLOCK_AHEAD
from flip7.server.settings import Settings

from .client import Process
from .test_store import fresh_database


def plain(match: Match) -> list[dict[str, Any]]:
    operations: list[dict[str, Any]] = msgspec.to_builtins(match.operations)
    return operations


def share(server: Process, match: Match) -> dict[str, str]:
    answer = server.post("/api/matches", {"id": match.id, "operations": plain(match)})
    assert answer.status_code == 201, answer.text
    shared: dict[str, str] = answer.json()
    return shared


def add(server: Process, shared: dict[str, str], match: Match, key: str | None = None) -> httpx.Response:
    body = {"key": shared["key"] if key is None else key, "operations": plain(match)}
    return server.post(f"/api/matches/{shared['code']}/operations", body)


async def hear(socket: ClientConnection) -> dict[str, Any]:
    message: dict[str, Any] = json.loads(await socket.recv())
    return message


def follow(server: Process, code: str) -> connect:
    return connect(f"{server.url.replace('http', 'ws')}/ws/matches/{code}")


async def test_followers_see_at_once_what_is_entered(server: Process) -> None:
    match = Match(["Ana", "Ben"], device="one")
    shared = share(server, match)
    async with follow(server, shared["code"]) as socket:
        first = await hear(socket)
        assert (first["type"], first["id"], len(first["operations"])) == ("operations", match.id, 1)
        match.enter([["12", "x2"], "bust"])
        assert add(server, shared, match).json() == {"operations": 2}
        news = await hear(socket)
        assert [operation["kind"] for operation in news["operations"]] == ["enter"]
        assert news["operations"][0]["entries"] == {"0": ["12", "x2"], "1": "bust"}
        await socket.send("ping")
        assert await hear(socket) == {"type": "pong"}
        assert add(server, shared, match).json() == {"operations": 2}


async def test_a_match_takes_as_many_followers_as_it_can_tell_and_one_more_when_one_leaves(server: Process) -> None:
    code = share(server, Match(["Ana", "Ben"]))["code"]
    async with AsyncExitStack() as stack:
        sockets = [await stack.enter_async_context(follow(server, code)) for _ in range(FOLLOWERS)]
        for socket in sockets:
            assert (await hear(socket))["type"] == "operations"
        async with follow(server, code) as late:
            ending = await hear(late)
            assert ending["code"] == "too_many_watching"
        await sockets[0].close()
        async with follow(server, code) as next_one:
            assert (await hear(next_one))["type"] == "operations"


def test_a_clock_that_leaves_no_room_for_others_is_refused(server: Process) -> None:
    match = Match(["Ana", "Ben"], device="one")
    shared = share(server, match)
    for clock, refused in ((MOST_CLOCK_AHEAD + 1, True), (MOST_CLOCK_AHEAD, False)):
        ahead = {"kind": "target", "clock": clock, "device": f"d{clock}", "target": 300}
        body = {"key": shared["key"], "operations": [ahead]}
        answer = server.post(f"/api/matches/{shared['code']}/operations", body)
        assert (answer.status_code >= 400) is refused, answer.text
        assert not refused or answer.json()["code"] == "bad_match"


def test_two_phones_that_enter_at_once_lose_nothing(server: Process) -> None:
    one = Match(["Ana", "Ben"], device="one")
    shared = share(server, one)
    two = Match.from_json(one.to_json(), device="two")
    one.enter([10, 20])
    two.enter([10, 21])
    assert add(server, shared, one).status_code == 200
    assert add(server, shared, two).status_code == 200
    body = httpx.get(f"{server.url}/api/matches/{shared['code']}", headers={"x-match-key": shared["key"]}).json()
    assert body["enter"] is True
    assert {operation["device"] for operation in body["operations"]} == {"one", "two"}
    assert len(body["operations"]) == 3


def test_the_link_for_looking_on_enters_nothing(server: Process) -> None:
    match = Match(["Ana", "Ben"])
    shared = share(server, match)
    assert shared["key"] not in shared["code"]
    match.enter([1, 2])
    for key in ("", "guess", shared["code"]):
        answer = add(server, shared, match, key=key)
        assert (answer.status_code, answer.json()["code"]) == (403, "not_yours")
    body = httpx.get(f"{server.url}/api/matches/{shared['code']}").json()
    assert (body["enter"], len(body["operations"])) == (False, 1)


def test_what_cannot_be_is_refused_and_changes_nothing(server: Process) -> None:
    match = Match(["Ana", "Ben"], device="one")
    shared = share(server, match)
    good = {"kind": "enter", "clock": 1, "device": "x", "over": [], "round": 0, "entries": {"0": 5}}
    for bad in (
        {**good, "entries": {"0": 999}},
        {**good, "entries": {"0": ["7", "7"]}},
        {**good, "kind": "steal"},
        {**good, "clock": 10**9},
        {**good, "device": "<b>"},
        {**good, "round": -1},
        {**plain(match)[0], "players": ["Eve"]},
    ):
        answer = server.post(f"/api/matches/{shared['code']}/operations", {"key": shared["key"], "operations": [bad]})
        assert answer.status_code == 400, bad
    assert len(httpx.get(f"{server.url}/api/matches/{shared['code']}").json()["operations"]) == 1
    assert server.post("/api/matches", {"id": "x", "operations": []}).json()["code"] == "bad_match"
    assert httpx.get(f"{server.url}/api/matches/nothing").status_code == 404


async def test_an_unknown_code_is_told_so(server: Process) -> None:
    async with follow(server, "nothing") as socket:
        closed = await hear(socket)
        assert (closed["type"], closed["code"], closed["resume"]) == ("closed", "unknown_match", False)


@pytest.mark.parametrize("enter", [False, True])
def test_links_come_as_qr_codes(server: Process, enter: bool) -> None:
    shared = share(server, Match(2))
    path = f"/api/matches/{shared['code']}/qr"
    answer = server.post(path, {"key": shared["key"] if enter else ""})
    assert answer.status_code == 200
    assert answer.text.startswith("<svg")
    assert server.post(path, {"key": "wrong"}).status_code == 403


@pytest.mark.parametrize("kept_in", ["sqlite", "postgres"])
async def test_a_shared_match_survives_a_power_cut(
    kept_in: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    where = (
        Settings(data=tmp_path, pace=0)
        if kept_in == "sqlite"
        else Settings(database=await fresh_database(request.getfixturevalue("postgres")), pace=0)
    )
    with Process(where) as server:
        match = Match(["Ana", "Ben"])
        shared = share(server, match)
        match.enter([1, 2])
        assert add(server, shared, match).status_code == 200
        server.kill()
        server.start()
        async with follow(server, shared["code"]) as socket:
            assert len((await hear(socket))["operations"]) == 2
        match.enter([3, 4])
        assert add(server, shared, match).json() == {"operations": 3}
