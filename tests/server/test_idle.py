"""Until when a table counts as used, where that is not noted: people who sit there and change nothing write nothing."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import asyncpg  # type: ignore[import-untyped]

from flip7.server.settings import Settings
from flip7.server.store.base import CreateRoom, Fence
from flip7.server.store.factory import make_store

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
