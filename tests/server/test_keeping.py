"""Keeping house: what has been kept for long enough is deleted, and nothing else, however many servers there are."""

from __future__ import annotations

import asyncio
import sqlite3
import stat
from pathlib import Path

import asyncpg  # type: ignore[import-untyped]
import msgspec
import pytest

import flip7
from flip7.protocol.matches import AddOperations, SharedMatch, ShareMatch
from flip7.protocol.rest import Seated
from flip7.server.errors import Refusal, StoreError
from flip7.server.hub import Hub
from flip7.server.settings import YEAR, Settings
from flip7.server.store.base import AddGame, AddOperation, EndGame, SaveMatch
from flip7.server.store.factory import make_store

from .inside import FAST, Browser, create, record_of, serving
from .test_store import fresh_database


@pytest.fixture(params=["sqlite", "postgres"])
async def settings(request: pytest.FixtureRequest, tmp_path: Path) -> Settings:
    if request.param == "sqlite":
        return msgspec.structs.replace(FAST, data=tmp_path)
    return msgspec.structs.replace(FAST, database=await fresh_database(request.getfixturevalue("postgres")))


async def age(settings: Settings, days: float) -> None:
    """Make everything that is saved older by so many days."""
    columns = (("games", "ended"), ("rooms", "used"), ("matches", "saved"), ("operations", "saved"))
    if settings.database is None:
        file = sqlite3.connect(settings.data / "flip7.sqlite", timeout=10)
        with file:
            for table, column in columns:
                file.execute(f"UPDATE {table} SET {column} = {column} - ?", (days * 86400,))
        file.close()
    else:
        connection = await asyncpg.connect(settings.database)
        for table, column in columns:
            await connection.execute(f"UPDATE {table} SET {column} = {column} - make_interval(secs => {days * 86400})")
        await connection.close()


async def finished_game(hub: Hub, target: int = 20) -> tuple[Seated, str]:
    seated = await create(hub, "Ana", start=True, target=target)
    browser = Browser(hub, seated)
    await browser.open()
    await browser.play()
    await browser.close()
    return seated, browser.game


async def share(hub: Hub) -> tuple[flip7.Match, SharedMatch]:
    match = flip7.Match(["Ana", "Ben"])
    return match, await hub.matches.share(ShareMatch(match.id, match.operations), "192.0.2.1")


async def test_finished_games_go_after_their_days_and_running_ones_never(settings: Settings) -> None:
    async with serving(settings) as hub:
        closed, game = await finished_game(hub)
        _, kept = await finished_game(hub)
        running = Browser(hub, await create(hub, "Ana", start=True))
        await running.open()
        await hub.directory.close(closed.code)
        await age(settings, YEAR - 1)
        await hub.housekeeping.tidy()
        assert flip7.Game.from_record(await record_of(hub, game)).winner is not None
        await age(settings, 2)
        await hub.housekeeping.tidy()
        with pytest.raises(Refusal) as refusal:
            await record_of(hub, game)
        assert refusal.value.code == "unknown_game"
        assert flip7.Game.from_record(await record_of(hub, kept)).winner is not None, "its table is still there"
        await running.play(until=5)
        await running.close()
        stored = await hub.store.game(running.game)
        assert stored
        assert len(stored.choices) == 5


async def test_more_games_than_one_transaction_deletes_go_in_several(settings: Settings) -> None:
    store = make_store(settings)
    await store.open()
    for number in range(120):
        await store.write(AddGame(f"g{number}", "NONE", b""), EndGame(f"g{number}"))
    await store.close()
    await age(settings, 3)
    async with serving(msgspec.structs.replace(settings, keep_games=2, tidy=0.01)) as hub:
        async with asyncio.timeout(30):
            for number in range(120):
                while await hub.store.game(f"g{number}") is not None:
                    pass


async def test_a_match_goes_when_nothing_was_entered_for_its_days(settings: Settings) -> None:
    async with serving(settings) as hub:
        match, shared = await share(hub)
        await age(settings, YEAR - 1)
        match.enter([10, 20])
        await hub.matches.add(shared.code, AddOperations(shared.key, match.operations), "192.0.2.1")
        await age(settings, 2)
        await hub.housekeeping.tidy()
        assert len((await hub.matches.body(shared.code, "", "192.0.2.1")).operations) == len(match.operations)
        await age(settings, YEAR)
        await hub.housekeeping.tidy()
        with pytest.raises(Refusal) as refusal:
            await hub.matches.body(shared.code, "", "192.0.2.1")
        assert refusal.value.code == "unknown_match"
        assert await hub.store.operations(shared.code, 0) is None


async def test_a_match_that_another_server_deleted_is_gone_here_too(postgres: str) -> None:
    settings = msgspec.structs.replace(FAST, database=await fresh_database(postgres))
    async with serving(settings) as ours, serving(settings) as theirs:
        match, shared = await share(ours)
        await age(settings, YEAR + 1)
        await asyncio.gather(ours.housekeeping.tidy(), theirs.housekeeping.tidy())
        match.enter([10, 20])
        for hub in (ours, theirs):
            with pytest.raises(Refusal) as refusal:
                await hub.matches.add(shared.code, AddOperations(shared.key, match.operations), "192.0.2.1")
            assert refusal.value.code == "unknown_match"


async def test_nothing_is_entered_into_a_match_that_is_not_there(settings: Settings) -> None:
    store = make_store(settings)
    await store.open()
    with pytest.raises(StoreError):
        await store.write(AddOperation("gone", 0, b""))
    await store.write(SaveMatch("here", b""), AddOperation("here", 0, b"x"))
    assert await store.operations("here", 0) == [b"x"]
    assert await store.operations("here", 1) == []
    assert await store.operations("gone", 0) is None
    await store.close()


async def test_what_is_entered_while_matches_are_deleted_is_kept_or_refused(postgres: str) -> None:
    """A match that a player enters something into, in a transaction that is not over yet, stays."""
    settings = msgspec.structs.replace(FAST, database=await fresh_database(postgres))
    store = make_store(settings)
    await store.open()
    await store.write(SaveMatch("abc", b""), AddOperation("abc", 0, b"x"))
    await age(settings, 3)
    other = await asyncpg.connect(settings.database)
    entering = other.transaction()
    await entering.start()
    await other.execute("INSERT INTO operations (match, number, data) VALUES ('abc', 1, 'y')")
    tidying = asyncio.create_task(store.expire_matches(2))
    await asyncio.sleep(0.1)
    await entering.commit()
    assert await tidying == []
    assert await store.operations("abc", 0) == [b"x", b"y"]
    await other.close()
    await store.close()


async def test_nobody_else_may_read_the_files(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    async with serving(msgspec.structs.replace(FAST, data=folder)) as hub:
        await create(hub, "Ana")
        modes = modes_in(folder)
        assert {"flip7.sqlite", "flip7.sqlite-wal", "flip7.sqlite-shm"} < modes.keys()
        assert set(modes.values()) == {0o600}
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def modes_in(folder: Path) -> dict[str, int]:
    """Who may read the files in a folder."""
    return {path.name: stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()}


async def test_files_that_others_could_read_are_closed_to_them(tmp_path: Path) -> None:
    """A killed server of an older flip7 leaves a log beside the file, open to all as the file was."""
    settings = msgspec.structs.replace(FAST, data=tmp_path)
    async with serving(settings) as hub:
        await create(hub, "Ana")
        left = {name: (tmp_path / name).read_bytes() for name in modes_in(tmp_path) if ".sqlite" in name}
    for name, data in left.items():
        (tmp_path / name).write_bytes(data)
        (tmp_path / name).chmod(0o644)
    async with serving(settings) as hub:
        assert await hub.store.count_rooms() == 1
        assert set(modes_in(tmp_path).values()) == {0o600}
