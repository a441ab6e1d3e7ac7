"""A store of each older version, as flip7 left it, is brought up to date and goes on: SQLite and PostgreSQL."""

from __future__ import annotations

import base64
import json
import sqlite3
from pathlib import Path
from typing import Any, NamedTuple

import asyncpg  # type: ignore[import-untyped]
import msgspec
import pytest

from flip7.game.game import Game
from flip7.protocol.rest import Seated
from flip7.server.settings import Settings
from flip7.server.store.base import Keep

from .inside import FAST, Browser, record_of, serving
from .test_store import fresh_database

VERSIONS = ("version1", "version2", "version3")
TIMES = ("used", "ended", "saved")
"""Columns that hold a time: a number in SQLite."""


class Old(NamedTuple):
    """A store as an older version left it, and what is in it."""

    settings: Settings
    told: dict[str, Any]


def rows(told: dict[str, Any], table: str) -> list[list[Any]]:
    return [
        [base64.b64decode(value["bytes"]) if isinstance(value, dict) else value for value in row]
        for row in told["rows"][table]
    ]


@pytest.fixture(
    params=[(database, version) for database in ("sqlite", "postgres") for version in VERSIONS], ids="-".join
)
async def old(request: pytest.FixtureRequest, tmp_path: Path) -> Old:
    """A store as an older version left it: the first, the one before matches expired, the one before days were kept."""
    database, version = request.param
    told = json.loads(Path(__file__).with_name("upgrade").joinpath(f"{version}.json").read_text("utf-8"))
    if database == "sqlite":
        file = sqlite3.connect(tmp_path / "flip7.sqlite")
        file.executescript(f"{told['sqlite']}; PRAGMA user_version = {told['user_version']}")
        for table in told["rows"]:
            marks = ", ".join("?" * len(rows(told, table)[0]))
            file.executemany(f"INSERT INTO {table} VALUES ({marks})", rows(told, table))
        file.commit()
        file.close()
        return Old(msgspec.structs.replace(FAST, data=tmp_path), told)
    url = await fresh_database(request.getfixturevalue("postgres"))
    connection = await asyncpg.connect(url)
    await connection.execute(told["postgres"])
    for table in told["rows"]:
        columns = await connection.fetch(
            "SELECT column_name AS name, data_type AS type FROM information_schema.columns "
            "WHERE table_name = $1 ORDER BY ordinal_position",
            table,
        )
        marks = ", ".join(
            f"to_timestamp(${i})" if one["name"] in TIMES else f"${i}" for i, one in enumerate(columns, 1)
        )
        values = [
            [bool(value) if one["type"] == "boolean" else value for one, value in zip(columns, row, strict=True)]
            for row in rows(told, table)
        ]
        await connection.executemany(f"INSERT INTO {table} VALUES ({marks})", values)
    if told["user_version"] > 1:
        await connection.execute("INSERT INTO known VALUES ('version', $1)", str(told["user_version"]))
    await connection.close()
    return Old(msgspec.structs.replace(FAST, database=url), told)


async def test_tables_games_and_matches_of_an_older_version_go_on(old: Old) -> None:
    settings, told = old
    running, over, lobby, match = (told[name] for name in ("running", "over", "lobby", "match"))
    for _ in range(2):  # Bringing it up to date again changes nothing.
        async with serving(settings) as hub:
            info = await hub.info(lobby["code"])
            assert (info.joinable, len(info.secret)) == (True, 64)
            game = Game.from_record(await record_of(hub, over["game"]))
            assert (game.winner, len(game.choices)) == (over["winner"], over["choices"])
            assert game.commitment == over.get("commitment", game.commitment)
            body = await hub.matches.body(match["code"], match["key"], "192.0.2.1")
            assert (body.enter, len(body.operations)) == (True, match["operations"])
            stored = await hub.store.game(running["game"])
            assert stored
            assert all(choice.hash for choice in stored.choices)
    async with serving(settings) as hub:
        browser = Browser(hub, Seated(running["code"], running["token"], ()))
        welcome = await browser.open(running["game"], running["number"])
        assert welcome.game
        assert (welcome.game.number, welcome.room.notice) == (running["choices"], None)
        await browser.play()
        await browser.close()
        assert Game.from_record(await record_of(hub, running["game"])).winner is not None


async def test_an_old_game_with_a_gap_is_set_aside(old: Old) -> None:
    settings, told = old
    running = told["running"]
    statement = f"DELETE FROM choices WHERE game = '{running['game']}' AND number = 2"
    if settings.database is None:
        file = sqlite3.connect(settings.data / "flip7.sqlite")
        file.execute(statement)
        file.commit()
        file.close()
    else:
        connection = await asyncpg.connect(settings.database)
        await connection.execute(statement)
        await connection.close()
    async with serving(settings) as hub:
        assert (await hub.info(told["lobby"]["code"])).joinable
        browser = Browser(hub, Seated(running["code"], running["token"], ()))
        welcome = await browser.open()
        assert welcome.room.notice
        assert welcome.room.notice.kind == "damaged"
        await browser.close()


async def test_what_servers_share_is_kept_and_what_was_never_dated_counts_from_today(old: Old) -> None:
    settings, told = old
    secret = dict(told["rows"].get("known", [])).get("secret")
    async with serving(settings) as hub:
        assert secret in (None, await hub.store.secret())
        await hub.directory.close(told["over"]["code"])
        if told["user_version"] == 1:
            assert await hub.store.expire_games(1) == 0
        if told["user_version"] < 3:
            assert await hub.store.expire_matches(1) == []
        assert await hub.store.expire_games(-1) == 1
        assert await hub.store.expire_matches(-1) == [told["match"]["code"]]
        await hub.store.write(Keep("review", "one", b"kept"))
        assert await hub.store.kept("review", "one") == b"kept"
