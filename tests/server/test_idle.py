"""Until when a table counts as used, where that is not noted: people who sit there and change nothing write nothing."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import asyncpg  # type: ignore[import-untyped]
import pytest

from flip7.server.settings import Settings
from flip7.server.store.base import AddGame, Claimed, CreateRoom, EndGame, Fence, Keep, SaveMatch
from flip7.server.store.clock import DayClock
from flip7.server.store.factory import make_store
from flip7.server.store.sqlite import SqliteStore

from .test_store import fresh_database, other_server


async def test_a_table_counts_as_used_until_the_only_server_has_died(tmp_path: Path) -> None:
    first = make_store(Settings(data=tmp_path))
    await first.open()
    await first.write(CreateRoom("LATER", b""), CreateRoom("OLDER", b""))
    await first.release(Fence("OLDER", 1))
    await first.close()
    file = sqlite3.connect(tmp_path / "flip7.sqlite")
    file.execute("UPDATE rooms SET used = used - 3600")
    file.commit()
    file.close()
    second = make_store(Settings(data=tmp_path))
    await second.open()
    assert await second.idle(1800, 1800) == ["OLDER"]
    await second.close()


async def test_a_table_counts_as_used_until_its_server_has_died(postgres: str) -> None:
    url = await fresh_database(postgres)
    ours, theirs = await other_server(url), await other_server(url)
    await ours.write(CreateRoom("ABCDE", b"", maker="me"), CreateRoom("OLDER", b"", maker="me"))
    await ours.release(Fence("OLDER", 1))
    operator = await asyncpg.connect(url)
    await operator.execute("UPDATE rooms SET used = used - interval '1 hour'")
    passes = "UPDATE servers SET beat = beat - make_interval(secs => $2) WHERE id = $1"
    await operator.execute(passes, ours.server, 6)
    assert await theirs.idle(1800, 1800) == ["OLDER"]
    assert await theirs.made_by("me") == ["OLDER"]  # Who was at the other one is still on the way back.
    await operator.execute(passes, ours.server, 60)
    assert await theirs.made_by("me") == ["OLDER", "ABCDE"]
    await operator.execute(passes, ours.server, 1800)
    assert sorted(await theirs.idle(1800, 1800)) == ["ABCDE", "OLDER"]
    await operator.close()
    for store in (ours, theirs):
        await store.close()


async def test_a_table_counts_as_used_until_then_though_its_server_is_long_forgotten(postgres: str) -> None:
    url = await fresh_database(postgres)
    ours = await other_server(url)
    await ours.write(CreateRoom("ABCDE", b""))
    operator = await asyncpg.connect(url)
    await operator.execute("UPDATE rooms SET used = used - interval '9 days'")
    await operator.execute("UPDATE servers SET beat = beat - interval '2 days'")
    theirs = await other_server(url)
    assert await operator.fetchval("SELECT count(*) FROM servers") == 1
    assert await theirs.idle(3 * 86400, 3 * 86400) == []
    assert await theirs.idle(86400, 86400) == ["ABCDE"]
    await operator.close()
    for store in (ours, theirs):
        await store.close()


async def test_a_table_counts_as_used_until_its_server_is_closed(postgres: str) -> None:
    url = await fresh_database(postgres)
    ours, theirs = await other_server(url), await other_server(url)
    await ours.write(CreateRoom("ABCDE", b""))
    operator = await asyncpg.connect(url)
    await operator.execute("UPDATE rooms SET used = used - interval '1 hour'")
    await operator.close()
    await ours.close()
    assert await theirs.idle(1800, 1800) == []
    await theirs.close()


class Clock:
    """The time of day and a clock that nobody sets, as a test wishes."""

    def __init__(self) -> None:
        self.day, self.steady = 1_000_000.0, 50.0

    def wait(self, seconds: float) -> None:
        self.day, self.steady = self.day + seconds, self.steady + seconds

    def store(self, folder: Path) -> SqliteStore:
        return SqliteStore(folder / "flip7.sqlite", DayClock(lambda: self.day, lambda: self.steady))


@pytest.mark.parametrize("set_by", [5 * 86400, -5 * 86400])
async def test_a_clock_that_is_set_makes_nothing_old_and_nothing_young(tmp_path: Path, set_by: float) -> None:
    """A machine may start with an old time of day, and learn the right one while a game runs."""
    clock = Clock()
    store = clock.store(tmp_path)
    await store.open()
    kept = Keep("review", "r", b""), SaveMatch("m", b"")
    await store.write(CreateRoom("ABCDE", b"", playing=True), AddGame("g", "BCDFG", b""), EndGame("g"), *kept)
    await store.release(Fence("ABCDE", 1))
    clock.wait(100)
    clock.day += set_by
    assert await store.idle(86400, 3 * 86400) == []
    assert (await store.expire_games(3), await store.expire_matches(3)) == (0, [])
    assert await store.kept("review", "r") is not None
    clock.wait(3 * 86400 - 200)
    assert await store.idle(86400, 3 * 86400) == []
    clock.wait(200)
    assert await store.idle(86400, 3 * 86400) == ["ABCDE"]
    assert (await store.expire_games(3), await store.expire_matches(3)) == (1, ["m"])
    assert await store.kept("review", "r") is None
    await store.close()


async def test_a_table_whose_only_server_has_just_started_again_does_not_give_way_yet(tmp_path: Path) -> None:
    """A second tab may be quicker than the first one, which is on its way back."""
    clock = Clock()
    first = clock.store(tmp_path)
    await first.open()
    await first.write(*(CreateRoom(code, b"", maker="me") for code in ("ABCDE", "HANDED", "OLDER")))
    await first.release(Fence("OLDER", 1))
    clock.wait(100)
    await first.release(Fence("HANDED", 1))
    await first.close()
    clock.wait(2)
    second = clock.store(tmp_path)
    await second.open()
    assert await second.made_by("me") == ["OLDER"]
    clock.wait(50)
    assert await second.made_by("me") == ["OLDER"]
    clock.wait(20)
    assert sorted(await second.made_by("me")) == ["ABCDE", "HANDED", "OLDER"]
    await second.close()


@pytest.mark.parametrize("set_by", ["10 minutes", "-6 seconds"])
async def test_a_server_whose_beat_the_database_clock_has_left_behind_has_lost_its_tables(
    postgres: str, set_by: str
) -> None:
    """Set back, that clock would have called the beats of the dead alive until it is that late again."""
    url = await fresh_database(postgres)
    ours, theirs = await other_server(url), await other_server(url)
    await ours.write(CreateRoom("ABCDE", b""))
    await ours.beat()
    assert ours.lapses == 0
    operator = await asyncpg.connect(url)
    await operator.execute("UPDATE servers SET beat = beat + $2::text::interval WHERE id = $1", ours.server, set_by)
    await operator.close()
    assert isinstance(await theirs.claim("ABCDE"), Claimed)
    await ours.beat()
    await ours.beat()
    assert ours.lapses == 1
    for store in (ours, theirs):
        await store.close()
