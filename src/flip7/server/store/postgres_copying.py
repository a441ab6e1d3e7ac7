"""Backup and restore of PostgreSQL: its rows at one moment, and a database that is filled in one transaction."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator
from typing import Any

import asyncpg  # type: ignore[import-untyped]

from flip7.server.errors import DamagedStore, StoreError
from flip7.server.store.copying import KEYS, TABLES, Counts, Lost, Progress, Snapshot, in_batches
from flip7.server.store.postgres_tables import DAMAGED, LOCK, PATIENCE, VERSION, bring_up_to_date, version_of

GOING_SECONDS = 3
"""How long PostgreSQL may take to notice that a server has gone."""
_TIMES = ("used", "ended", "saved")
_BOOLEANS = ("playing", "over")
_ERRORS = (
    OSError,
    asyncpg.PostgresError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,
    TimeoutError,
    ValueError,
)


class PostgresSnapshot:
    """See `Snapshot`."""

    def __init__(self, connection: Any) -> None:
        self._connection = connection

    async def counts(self) -> Counts:
        """Return how much there is."""
        tables = ("rooms", "games", "choices", "matches")
        return Counts(*[await self._connection.fetchval(f"SELECT count(*) FROM {name}") for name in tables])

    async def rows(self, table: str, lost: Lost | None = None) -> AsyncIterator[tuple[Any, ...]]:
        """Yield the rows of a table. What PostgreSQL cannot read ends its transaction, and so everything."""
        columns = [
            f"extract(epoch FROM {name})::float8" if name in _TIMES else f"{name}::int" if name in _BOOLEANS else name
            for name in TABLES[table]
        ]
        # The order of SQLite and Python, whatever the language of the database.
        keys = ", ".join(name if name == "number" else f'{name} COLLATE "C"' for name in KEYS[table].split(", "))
        query = f"SELECT {', '.join(columns)} FROM {table} ORDER BY {keys}"
        async for row in self._connection.cursor(query, prefetch=1000):
            yield tuple(row)

    async def flaws(self) -> list[str]:
        """Return what PostgreSQL finds to be wrong: it refuses to read what is damaged."""
        return []


@contextlib.asynccontextmanager
async def snapshot(url: str) -> AsyncIterator[PostgresSnapshot]:
    """Look at a database as it is at one moment. Raises `StoreError`."""
    async with _connected(url) as connection:
        version = await version_of(connection)
        if version == 0:
            raise StoreError("the database holds nothing of flip7")
        if version < VERSION:
            raise StoreError(f"the database is of an older flip7 (version {version}): open it with 'flip7 serve' once")
        async with connection.transaction(isolation="repeatable_read", readonly=True):
            yield PostgresSnapshot(connection)


async def restore(source: Snapshot, url: str, *, overwrite: bool, progress: Progress) -> None:
    """Make a database hold what a snapshot holds, in one transaction. Raises `StoreError`."""
    async with _connected(url) as connection, connection.transaction():
        await bring_up_to_date(connection)
        await connection.execute(f"SET LOCAL lock_timeout = '{GOING_SECONDS}s'")
        try:
            await connection.execute("SELECT pg_advisory_xact_lock($1)", LOCK)
        except asyncpg.LockNotAvailableError:
            raise StoreError("a server is using this database: stop all of them first") from None
        await connection.execute("SET LOCAL lock_timeout = 0")
        if not overwrite:
            for table in ("rooms", "games", "matches"):
                if await connection.fetchval(f"SELECT EXISTS (SELECT FROM {table})"):
                    raise StoreError("the database holds games already: name an empty one, or add --overwrite")
        await connection.execute(f"TRUNCATE {', '.join(name for name in TABLES if name != 'known')}, servers")
        total, done = sum(await source.counts()), 0
        for table, columns in TABLES.items():
            marks = [
                f"to_timestamp(${i})" if name in _TIMES else f"${i}::int::boolean" if name in _BOOLEANS else f"${i}"
                for i, name in enumerate(columns, 1)
            ]
            insert = f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({', '.join(marks)})"
            if table == "known":
                insert += " ON CONFLICT (name) DO UPDATE SET value = excluded.value"
            async for rows in in_batches(source, table):
                await connection.executemany(insert, rows, timeout=PATIENCE)
                done += len(rows)
                progress(done / max(1, total))


@contextlib.asynccontextmanager
async def _connected(url: str) -> AsyncIterator[Any]:
    try:
        connection = await asyncpg.connect(url)
        try:
            yield connection
        finally:
            await connection.close()
    except DAMAGED as error:
        raise DamagedStore(f"the database is damaged: {error}") from None
    except _ERRORS as error:
        raise StoreError(f"cannot use the database: {error or repr(error)}") from None
