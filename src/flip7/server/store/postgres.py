"""The store in PostgreSQL: one connection writes, and everything that waits shares one commit."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Sequence
from typing import Any

import asyncpg  # type: ignore[import-untyped]

from flip7.server.errors import StoreError
from flip7.server.store.base import (
    AddChoice,
    AddGame,
    Batch,
    DropRoom,
    EndGame,
    SaveMatch,
    SaveRoom,
    StoredGame,
    Write,
    settle,
)

LOCK = 7_001_007  # the number of the advisory lock, ours alone
LOCK_TRIES = 50

_SCHEMA = """
CREATE TABLE IF NOT EXISTS rooms (code TEXT PRIMARY KEY, data BYTEA NOT NULL);
CREATE TABLE IF NOT EXISTS games (
    id TEXT PRIMARY KEY, code TEXT NOT NULL, data BYTEA NOT NULL, over BOOLEAN NOT NULL DEFAULT FALSE
);
CREATE INDEX IF NOT EXISTS unfinished ON games (code) WHERE NOT over;
CREATE TABLE IF NOT EXISTS choices (
    game TEXT NOT NULL, number INTEGER NOT NULL, choice TEXT NOT NULL, by TEXT NOT NULL, PRIMARY KEY (game, number)
);
CREATE TABLE IF NOT EXISTS matches (code TEXT PRIMARY KEY, data BYTEA NOT NULL);
"""
_ERRORS = (OSError, asyncpg.PostgresError, asyncpg.InterfaceError, asyncpg.InternalClientError, TimeoutError)


class PostgresStore:
    """See `Store`. A lost connection is made again for the next write; the writes under way then fail."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._batch = Batch()
        self._wake = asyncio.Event()
        self._closing = False
        self._task: asyncio.Task[None] | None = None
        self._pool: Any = None
        self._lock: Any = None

    async def open(self) -> None:
        """Connect, and make the tables of the database if they are not there."""
        try:
            self._lock = await asyncpg.connect(self._url)
            await self._take_lock()
            # Durable is durable, whatever the database's own default.
            durable = {"synchronous_commit": "on"}
            self._pool = await asyncpg.create_pool(
                self._url, min_size=1, max_size=4, command_timeout=30, server_settings=durable
            )
            await self._lock.execute(_SCHEMA)
        except (*_ERRORS, ValueError) as error:
            raise StoreError(f"cannot use the database: {error}") from None
        self._task = asyncio.create_task(self._run())

    async def _take_lock(self) -> None:
        """One server at a time owns the tables. One that was killed lets go as soon as the database notices."""
        for _ in range(LOCK_TRIES):
            if await self._lock.fetchval("SELECT pg_try_advisory_lock($1)", LOCK):
                return
            await asyncio.sleep(0.2)
        raise StoreError("another server is using this database: stop it first, or give this one a database of its own")

    async def close(self) -> None:
        """Finish the writes that wait, and disconnect."""
        self._closing = True
        self._wake.set()
        if self._task is not None:
            await self._task
            self._task = None
        if self._pool is not None:
            await self._pool.close()
            self._pool = None
        if self._lock is not None:
            await self._lock.close()
            self._lock = None

    async def write(self, *writes: Write) -> None:
        """All of them or none, durable when it returns."""
        if self._task is None or self._closing:
            raise StoreError("the store is not open")
        future = self._batch.add(writes)
        self._wake.set()
        await future

    async def _run(self) -> None:
        while not self._closing or self._batch.waiting:
            await self._wake.wait()
            self._wake.clear()
            await self._commit(self._batch.take())
            if self._closing:
                self._wake.set()

    async def _commit(self, groups: list[tuple[Sequence[Write], asyncio.Future[None]]]) -> None:
        if not groups:
            return
        try:
            async with self._pool.acquire() as connection, connection.transaction():
                for writes in _alike([write for group, _ in groups for write in group]):
                    await _execute(connection, writes)
        except Exception as error:  # noqa: BLE001 - whatever it is, whoever waits is told, and the next may write
            if len(groups) > 1:  # One bad group must not fail the others.
                for group in groups:
                    await self._commit([group])
                return
            settle(groups[0][1], StoreError(f"the database refuses: {error!r}"))
        else:
            for _, future in groups:
                settle(future, None)

    async def rooms(self) -> list[bytes]:
        """All tables, as they were saved."""
        with _reading():
            return [row["data"] for row in await self._pool.fetch("SELECT data FROM rooms ORDER BY code")]

    async def room(self, code: str) -> bytes | None:
        """One table, as it was saved last."""
        with _reading():
            data: bytes | None = await self._pool.fetchval("SELECT data FROM rooms WHERE code = $1", code)
            return data

    async def game(self, id: str) -> StoredGame | None:
        """One game with all its choices."""
        with _reading():
            async with (
                self._pool.acquire() as connection,
                connection.transaction(isolation="repeatable_read", readonly=True),
            ):
                row = await connection.fetchrow("SELECT data, over FROM games WHERE id = $1", id)
                if row is None:
                    return None
                choices = await connection.fetch("SELECT choice, by FROM choices WHERE game = $1 ORDER BY number", id)
                return StoredGame(id, row["data"], row["over"], tuple((c["choice"], c["by"]) for c in choices))

    async def match(self, code: str) -> bytes | None:
        """One shared match, as it was saved last."""
        with _reading():
            data: bytes | None = await self._pool.fetchval("SELECT data FROM matches WHERE code = $1", code)
            return data


@contextlib.contextmanager
def _reading() -> Any:
    try:
        yield
    except _ERRORS as error:
        raise StoreError(f"the database refuses: {error}") from None


def _alike(writes: list[Write]) -> list[list[Write]]:
    """The writes in their order, neighbours of the same kind together: they go over in one message."""
    runs: list[list[Write]] = []
    for write in writes:
        if runs and type(runs[-1][0]) is type(write):
            runs[-1].append(write)
        else:
            runs.append([write])
    return runs


_STATEMENTS: dict[type[Write], tuple[str, ...]] = {
    AddChoice: ("INSERT INTO choices (game, number, choice, by) VALUES ($1, $2, $3, $4)",),
    SaveRoom: ("INSERT INTO rooms (code, data) VALUES ($1, $2) ON CONFLICT (code) DO UPDATE SET data = excluded.data",),
    SaveMatch: (
        "INSERT INTO matches (code, data) VALUES ($1, $2) ON CONFLICT (code) DO UPDATE SET data = excluded.data",
    ),
    AddGame: ("INSERT INTO games (id, code, data) VALUES ($1, $2, $3)",),
    EndGame: ("UPDATE games SET over = TRUE WHERE id = $1",),
    DropRoom: (
        "DELETE FROM rooms WHERE code = $1",
        "DELETE FROM choices WHERE game IN (SELECT id FROM games WHERE code = $1 AND NOT over)",
        "DELETE FROM games WHERE code = $1 AND NOT over",
    ),
}


async def _execute(connection: Any, writes: list[Write]) -> None:
    rows = [tuple(getattr(write, name) for name in write.__struct_fields__) for write in writes]
    for statement in _STATEMENTS[type(writes[0])]:
        await connection.executemany(statement, rows)
