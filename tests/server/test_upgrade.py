"""A store of the first version, as flip7 left it, is brought up to date and goes on: SQLite and PostgreSQL."""

from __future__ import annotations

import base64
import json
import sqlite3
from pathlib import Path
from typing import Any

import asyncpg  # type: ignore[import-untyped]
import msgspec
import pytest

from flip7.protocol.messages import Seated
from flip7.server.settings import Settings

from .inside import FAST, Browser, serving
from .test_store import fresh_database

OLD = json.loads(Path(__file__).with_name("upgrade").joinpath("version1.json").read_text("utf-8"))


def rows(table: str) -> list[list[Any]]:
    return [
        [base64.b64decode(value["bytes"]) if isinstance(value, dict) else value for value in row]
        for row in OLD["rows"][table]
    ]


@pytest.fixture(params=["sqlite", "postgres"])
async def settings(request: pytest.FixtureRequest, tmp_path: Path) -> Settings:
    """A store as the first version left it."""
    if request.param == "sqlite":
        file = sqlite3.connect(tmp_path / "flip7.sqlite")
        file.executescript(f"{OLD['sqlite']}; PRAGMA user_version = {OLD['user_version']}")
        for table in OLD["rows"]:
            marks = ", ".join("?" * len(rows(table)[0]))
            file.executemany(f"INSERT INTO {table} VALUES ({marks})", rows(table))
        file.commit()
        file.close()
        return msgspec.structs.replace(FAST, data=tmp_path)
    url = await fresh_database(request.getfixturevalue("postgres"))
    connection = await asyncpg.connect(url)
    await connection.execute(OLD["postgres"])
    for table in OLD["rows"]:
        values = [[bool(v) if table == "games" and i == 3 else v for i, v in enumerate(row)] for row in rows(table)]
        marks = ", ".join(f"${i + 1}" for i in range(len(values[0])))
        await connection.executemany(f"INSERT INTO {table} VALUES ({marks})", values)
    await connection.close()
    return msgspec.structs.replace(FAST, database=url)


async def test_tables_games_and_matches_of_the_first_version_go_on(settings: Settings) -> None:
    running, over, lobby, match = (OLD[name] for name in ("running", "over", "lobby", "match"))
    for _ in range(2):  # Bringing it up to date again changes nothing.
        async with serving(settings) as hub:
            assert (await hub.info(lobby["code"])).joinable
            play = await hub.finished(over["game"], "192.0.2.1")
            assert (play.game.winner, play.number) == (over["winner"], over["choices"])
            body = await hub.matches.body(match["code"], match["key"])
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
        assert (await hub.finished(running["game"], "192.0.2.1")).over


async def test_an_old_game_with_a_gap_is_set_aside(settings: Settings) -> None:
    running = OLD["running"]
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
        assert (await hub.info(OLD["lobby"]["code"])).joinable
        browser = Browser(hub, Seated(running["code"], running["token"], ()))
        welcome = await browser.open()
        assert welcome.room.notice
        assert welcome.room.notice.kind == "damaged"
        await browser.close()
