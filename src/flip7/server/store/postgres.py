"""The store in PostgreSQL: one connection writes, everything that waits shares one commit, and servers share tables."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from collections.abc import AsyncIterator, Iterator, Sequence
from typing import Any

import asyncpg  # type: ignore[import-untyped]

from flip7.server.errors import Fenced, StoreError
from flip7.server.store.base import (
    LEASE_SECONDS,
    AddChoice,
    AddGame,
    AddOperation,
    Claimed,
    CreateRoom,
    DropRoom,
    Elsewhere,
    EndGame,
    Fence,
    Group,
    SaveMatch,
    SaveRoom,
    SetGameAside,
    SetRoomAside,
    StoredChoice,
    StoredGame,
    Write,
    settle,
)
from flip7.server.store.upgrade import chain_old_games

LOCK = 7_001_007
"""The number of the advisory lock. Servers before owners took it for themselves alone; these share it."""
UPGRADE_LOCK = 7_001_008
COMMAND_SECONDS = 4.0
"""No command may take longer; less than a lease, so that whoever waits for a table gets it in time."""
_VERSION = "2"
_SCHEMA = """
CREATE TABLE IF NOT EXISTS rooms (code TEXT PRIMARY KEY, data BYTEA NOT NULL);
ALTER TABLE rooms ADD COLUMN IF NOT EXISTS owner TEXT;
ALTER TABLE rooms ADD COLUMN IF NOT EXISTS epoch BIGINT NOT NULL DEFAULT 0;
ALTER TABLE rooms ADD COLUMN IF NOT EXISTS used TIMESTAMPTZ NOT NULL DEFAULT now();
ALTER TABLE rooms ADD COLUMN IF NOT EXISTS playing BOOLEAN NOT NULL DEFAULT FALSE;
ALTER TABLE rooms ADD COLUMN IF NOT EXISTS maker TEXT NOT NULL DEFAULT '';
ALTER TABLE rooms ADD COLUMN IF NOT EXISTS problem TEXT;
CREATE INDEX IF NOT EXISTS makers ON rooms (maker);
CREATE TABLE IF NOT EXISTS games (
    id TEXT PRIMARY KEY, code TEXT NOT NULL, data BYTEA NOT NULL, over BOOLEAN NOT NULL DEFAULT FALSE
);
ALTER TABLE games ADD COLUMN IF NOT EXISTS ended TIMESTAMPTZ;
ALTER TABLE games ADD COLUMN IF NOT EXISTS problem TEXT;
CREATE INDEX IF NOT EXISTS unfinished ON games (code) WHERE NOT over;
CREATE TABLE IF NOT EXISTS choices (
    game TEXT NOT NULL, number INTEGER NOT NULL, choice TEXT NOT NULL, by TEXT NOT NULL, PRIMARY KEY (game, number)
);
ALTER TABLE choices ADD COLUMN IF NOT EXISTS state TEXT NOT NULL DEFAULT '';
ALTER TABLE choices ADD COLUMN IF NOT EXISTS hash TEXT NOT NULL DEFAULT '';
CREATE TABLE IF NOT EXISTS matches (code TEXT PRIMARY KEY, data BYTEA NOT NULL);
CREATE TABLE IF NOT EXISTS operations (
    match TEXT NOT NULL, number INTEGER NOT NULL, data BYTEA NOT NULL, PRIMARY KEY (match, number)
);
CREATE TABLE IF NOT EXISTS servers (id TEXT PRIMARY KEY, address TEXT NOT NULL, beat TIMESTAMPTZ NOT NULL);
CREATE TABLE IF NOT EXISTS known (name TEXT PRIMARY KEY, value TEXT NOT NULL);
"""
_ALIVE = f"beat > clock_timestamp() - interval '{LEASE_SECONDS} seconds'"
_FREE = f"(owner IS NULL OR NOT EXISTS (SELECT FROM servers WHERE id = rooms.owner AND {_ALIVE}))"
_LOST = (OSError, asyncpg.InterfaceError, asyncpg.PostgresConnectionError, TimeoutError)
_ERRORS = (*_LOST, asyncpg.PostgresError, asyncpg.InternalClientError)


class PostgresStore:
    """See `Store`. A lost connection is made again for the next write; the writes under way then fail."""

    def __init__(self, url: str) -> None:
        self.server = secrets.token_hex(8)
        self.shared = True
        self._url = url
        self._address = ""
        self._waiting: list[Group] = []
        self._wake = asyncio.Event()
        self._closing = False
        self._task: asyncio.Task[None] | None = None
        self._pool: Any = None
        self._pulse: Any = None
        """The connection that beats, and shares the lock."""

    async def open(self, address: str = "") -> None:
        """Connect, bring the tables of the database up to date, and be known at this address."""
        self._address = address
        settings = {
            "synchronous_commit": "on",  # Durable is durable, whatever the database's own default.
            # A server that is stopped in the middle of a transaction must not keep others from its tables.
            "idle_in_transaction_session_timeout": "3000",
        }
        try:
            self._pool = await asyncpg.create_pool(
                self._url, min_size=1, max_size=4, command_timeout=COMMAND_SECONDS, server_settings=settings
            )
            await self._upgrade()
            await self.beat()
        except (*_ERRORS, ValueError) as error:
            raise StoreError(f"cannot use the database: {error}") from None
        self._task = asyncio.create_task(self._run())

    async def _upgrade(self) -> None:
        async with self._pool.acquire() as connection, connection.transaction():
            await connection.execute("SELECT pg_advisory_xact_lock($1)", UPGRADE_LOCK, timeout=60)
            if await connection.fetchval("SELECT to_regclass('known')") is not None:
                version = await connection.fetchval("SELECT value FROM known WHERE name = 'version'")
                if version is not None and int(version) > int(_VERSION):
                    raise StoreError(f"the database is of a newer flip7 (version {version}); this one reads {_VERSION}")
                if version == _VERSION:
                    return
            if not await connection.fetchval("SELECT pg_try_advisory_xact_lock($1)", LOCK):
                raise StoreError("another server of an older flip7 is using this database: stop it first")
            await connection.execute(_SCHEMA, timeout=600)
            games = await connection.fetch("SELECT id, data FROM games", timeout=600)
            choices = await connection.fetch(
                "SELECT game, number, choice, by FROM choices ORDER BY game, number", timeout=600
            )
            rows = list(chain_old_games(map(tuple, games), map(tuple, choices)))
            update = "UPDATE choices SET hash = $1 WHERE game = $2 AND number = $3"
            await connection.executemany(update, rows, timeout=600)
            await connection.execute("UPDATE games SET ended = now() WHERE over")
            await connection.execute(
                "UPDATE rooms SET playing = TRUE WHERE code IN (SELECT code FROM games WHERE NOT over)"
            )
            secret = secrets.token_hex(32)
            await connection.executemany(
                "INSERT INTO known VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
                [("version", _VERSION), ("secret", secret)],
            )

    async def close(self) -> None:
        """Finish the writes that wait, let go of all tables, and disconnect."""
        self._closing = True
        self._wake.set()
        if self._task is not None:
            await self._task
            self._task = None
            with contextlib.suppress(*_ERRORS):
                async with self._pool.acquire() as connection, connection.transaction():
                    await connection.execute("UPDATE rooms SET owner = NULL WHERE owner = $1", self.server)
                    await connection.execute("DELETE FROM servers WHERE id = $1", self.server)
        if self._pool is not None:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._pool.close(), COMMAND_SECONDS)
            self._pool.terminate()
            self._pool = None
        if self._pulse is not None:
            self._pulse.terminate()
            self._pulse = None

    @contextlib.asynccontextmanager
    async def _connection(self) -> AsyncIterator[Any]:
        """Lend a connection for a short time. One that fails, or does not answer, is cut off, not waited for."""
        if self._pool is None:
            raise StoreError("the store is not open")
        connection = await self._pool.acquire(timeout=COMMAND_SECONDS)
        try:
            async with asyncio.timeout(COMMAND_SECONDS):
                yield connection
        except (*_LOST, asyncio.CancelledError):
            with contextlib.suppress(asyncpg.InterfaceError):  # It is gone already.
                connection.terminate()
            raise
        finally:
            await self._pool.release(connection, timeout=1.0)

    # Writing.

    async def write(self, *writes: Write, fence: Fence | None = None) -> None:
        """Write all of them or none, durable when it returns."""
        if self._task is None or self._closing:
            raise StoreError("the store is not open")
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append(Group(writes, fence, future))
        self._wake.set()
        await future

    async def _run(self) -> None:
        while not self._closing or self._waiting:
            await self._wake.wait()
            self._wake.clear()
            groups, self._waiting = self._waiting, []
            await self._commit(groups)
            if self._closing:
                self._wake.set()

    async def _commit(self, groups: list[Group]) -> None:
        if not groups:
            return
        try:
            async with self._connection() as connection, connection.transaction():
                allowed = await self._fence(connection, groups)
                for writes in _alike([write for group in allowed for write in group.writes]):
                    await self._execute(connection, writes)
        except Exception as error:  # noqa: BLE001 - whatever it is, whoever waits is told, and the next may write
            if len(groups) > 1 and not isinstance(error, _LOST):  # One bad group must not fail the others.
                for group in groups:
                    await self._commit([group])
                return
            for group in groups:
                settle(group.future, StoreError(f"the database refuses: {error!r}"))
        else:
            for group in groups:
                settle(group.future, None if group in allowed else Fenced("the table has another owner or epoch"))

    async def _fence(self, connection: Any, groups: list[Group]) -> list[Group]:
        """Return the groups that may be written; until the end of the transaction nobody can claim their tables."""
        fences = {group.fence for group in groups if group.fence is not None}
        if not fences:
            return groups
        rows = await connection.fetch(
            "SELECT code, epoch FROM rooms WHERE code = ANY($1) AND owner = $2 ORDER BY code FOR UPDATE",
            [fence.code for fence in fences],
            self.server,
        )
        held = {Fence(row["code"], row["epoch"]) for row in rows}
        return [group for group in groups if group.fence is None or group.fence in held]

    async def _execute(self, connection: Any, writes: list[Write]) -> None:
        if isinstance(writes[0], CreateRoom):
            rows = [
                (write.code, write.data, write.playing, write.maker, self.server)
                for write in writes
                if isinstance(write, CreateRoom)
            ]
            columns = "code, data, playing, maker, owner, epoch"
            await connection.executemany(f"INSERT INTO rooms ({columns}) VALUES ($1, $2, $3, $4, $5, 1)", rows)
            return
        values = [tuple(getattr(write, name) for name in write.__struct_fields__) for write in writes]
        for statement in _STATEMENTS[type(writes[0])]:
            await connection.executemany(statement, values)

    # Owners.

    async def claim(self, code: str) -> Claimed | Elsewhere | None:
        """Own a table, in a new epoch, unless a server that is alive owns it."""
        with _reading():
            async with self._connection() as connection:
                row = await connection.fetchrow(
                    f"UPDATE rooms SET owner = $2, epoch = epoch + 1, used = now() "
                    f"WHERE code = $1 AND (owner = $2 OR {_FREE}) RETURNING epoch, data, problem",
                    code,
                    self.server,
                )
                if row is not None:
                    return Claimed(row["epoch"], row["data"], row["problem"])
                row = await connection.fetchrow(
                    "SELECT owner, address FROM rooms LEFT JOIN servers ON servers.id = owner WHERE code = $1", code
                )
        return Elsewhere(row["owner"] or "", row["address"] or "") if row is not None else None

    async def owns(self, fence: Fence) -> bool:
        """Return whether this server still owns a table."""
        query = "SELECT TRUE FROM rooms WHERE code = $1 AND epoch = $2 AND owner = $3"
        return await self._value(query, fence.code, fence.epoch, self.server) is not None

    async def release(self, *fences: Fence) -> None:
        """Let go of tables that this server still owns."""
        rows = [(fence.code, fence.epoch, self.server) for fence in fences]
        with _reading():
            async with self._connection() as connection:
                await connection.executemany(
                    "UPDATE rooms SET owner = NULL, used = now() WHERE code = $1 AND epoch = $2 AND owner = $3", rows
                )

    async def beat(self) -> dict[str, str]:
        """Be known to be alive; return the address of every server that is."""
        with _reading():
            try:
                async with asyncio.timeout(COMMAND_SECONDS):
                    return await self._beat()
            except (*_LOST, asyncio.CancelledError):
                if self._pulse is not None:
                    self._pulse.terminate()
                    self._pulse = None
                raise

    async def _beat(self) -> dict[str, str]:
        if self._pulse is None or self._pulse.is_closed():
            self._pulse = await asyncpg.connect(self._url)
            if not await self._pulse.fetchval("SELECT pg_try_advisory_lock_shared($1)", LOCK):
                raise StoreError("another server of an older flip7 is using this database: stop it first")
        await self._pulse.execute(
            "INSERT INTO servers VALUES ($1, $2, clock_timestamp()) "
            "ON CONFLICT (id) DO UPDATE SET beat = excluded.beat, address = excluded.address",
            self.server,
            self._address,
        )
        rows = await self._pulse.fetch(f"SELECT id, address FROM servers WHERE {_ALIVE}")
        return {row["id"]: row["address"] for row in rows}

    async def secret(self) -> str:
        """Return what only the servers of this database know."""
        return str(await self._value("SELECT value FROM known WHERE name = 'secret'"))

    # Reading.

    async def rooms(self) -> list[tuple[str, bytes]]:
        """Return code and data of all tables that no other server serves, but for those set aside."""
        with _reading():
            rows = await self._pool.fetch(
                f"SELECT code, data FROM rooms WHERE problem IS NULL AND {_FREE} ORDER BY code", timeout=60
            )
            return [(row["code"], row["data"]) for row in rows]

    async def room(self, code: str) -> bytes | None:
        """Return one table, as it was saved last."""
        data: bytes | None = await self._value("SELECT data FROM rooms WHERE code = $1", code)
        return data

    async def count_rooms(self) -> int:
        """Return how many tables there are."""
        return int(await self._value("SELECT count(*) FROM rooms"))

    async def idle(self, lobby_seconds: float, game_seconds: float) -> list[str]:
        """Return the tables that nobody serves, and that were last used so long ago."""
        with _reading():
            rows = await self._fetch(
                f"SELECT code FROM rooms WHERE problem IS NULL AND {_FREE} AND used < clock_timestamp() "
                "- make_interval(secs => CASE WHEN playing THEN $1::float8 ELSE $2::float8 END) LIMIT 100",
                game_seconds,
                lobby_seconds,
            )
            return [row["code"] for row in rows]

    async def made_by(self, maker: str) -> list[str]:
        """Return the tables of a maker that nobody serves, the longest unused first."""
        with _reading():
            rows = await self._fetch(
                f"SELECT code FROM rooms WHERE maker = $1 AND problem IS NULL AND {_FREE} ORDER BY used", maker
            )
            return [row["code"] for row in rows]

    async def game(self, id: str) -> StoredGame | None:
        """Return one game with all its choices."""
        with _reading():
            async with (
                self._connection() as connection,
                connection.transaction(isolation="repeatable_read", readonly=True),
            ):
                row = await connection.fetchrow("SELECT data, over, problem FROM games WHERE id = $1", id)
                if row is None:
                    return None
                choices = await connection.fetch(
                    "SELECT number, choice, by, state, hash FROM choices WHERE game = $1 ORDER BY number", id
                )
                stored = tuple(StoredChoice(*choice) for choice in choices)
                return StoredGame(id, row["data"], row["over"], stored, row["problem"])

    async def match(self, code: str) -> bytes | None:
        """Return one shared match, as it was saved last."""
        data: bytes | None = await self._value("SELECT data FROM matches WHERE code = $1", code)
        return data

    async def operations(self, code: str, first: int) -> list[bytes]:
        """Return the operations of a shared match, in the order in which they came, from a number on."""
        with _reading():
            rows = await self._fetch(
                "SELECT data FROM operations WHERE match = $1 AND number >= $2 ORDER BY number", code, first
            )
            return [row["data"] for row in rows]

    async def _fetch(self, query: str, *values: Any) -> Any:
        async with self._connection() as connection:
            return await connection.fetch(query, *values)

    async def _value(self, query: str, *values: Any) -> Any:
        with _reading():
            async with self._connection() as connection:
                return await connection.fetchval(query, *values)


@contextlib.contextmanager
def _reading() -> Iterator[None]:
    try:
        yield
    except _ERRORS as error:
        raise StoreError(f"the database refuses: {error!r}") from None


def _alike(writes: list[Write]) -> list[list[Write]]:
    """Return the writes in their order, neighbours of the same kind together: they go over in one message."""
    runs: list[list[Write]] = []
    for write in writes:
        if runs and type(runs[-1][0]) is type(write):
            runs[-1].append(write)
        else:
            runs.append([write])
    return runs


_UNFINISHED = "code = $1 AND NOT over AND problem IS NULL"
_STATEMENTS: dict[type[Write], Sequence[str]] = {
    AddChoice: ("INSERT INTO choices (game, number, choice, by, state, hash) VALUES ($1, $2, $3, $4, $5, $6)",),
    SaveRoom: ("UPDATE rooms SET data = $2, playing = $3, used = now() WHERE code = $1",),
    SaveMatch: (
        "INSERT INTO matches (code, data) VALUES ($1, $2) ON CONFLICT (code) DO UPDATE SET data = excluded.data",
    ),
    AddOperation: ("INSERT INTO operations (match, number, data) VALUES ($1, $2, $3)",),
    AddGame: ("INSERT INTO games (id, code, data) VALUES ($1, $2, $3)",),
    EndGame: ("UPDATE games SET over = TRUE, ended = now(), problem = $2 WHERE id = $1",),
    SetGameAside: ("UPDATE games SET problem = $2 WHERE id = $1",),
    SetRoomAside: ("UPDATE rooms SET problem = $2 WHERE code = $1",),
    DropRoom: (
        "DELETE FROM rooms WHERE code = $1",
        f"DELETE FROM choices WHERE game IN (SELECT id FROM games WHERE {_UNFINISHED})",
        f"DELETE FROM games WHERE {_UNFINISHED}",
    ),
}
