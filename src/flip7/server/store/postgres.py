"""The store in PostgreSQL: one connection writes, everything that waits shares one commit, and servers share tables."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from collections.abc import AsyncIterator, Iterator, Sequence
from typing import Any

import asyncpg  # type: ignore[import-untyped]

from flip7.server.errors import Conflict, DamagedStore, Fenced, StoreError
from flip7.server.store.base import (
    DAY_SECONDS,
    EXPIRE_AT_ONCE,
    LASTING,
    LEASE_SECONDS,
    ORPHAN_SECONDS,
    AddChoice,
    AddGame,
    AddOperation,
    Claimed,
    CreateRoom,
    DropRoom,
    Elsewhere,
    EndGame,
    Fence,
    GameHead,
    Group,
    Keep,
    SaveMatch,
    SaveRoom,
    SetGameAside,
    SetRoomAside,
    StoredChoice,
    StoredGame,
    Write,
    settle,
)
from flip7.server.store.postgres_tables import DAMAGED, LOCK, USED, bring_up_to_date, forget_dead_servers

COMMAND_SECONDS = 4.0
"""No command may take longer; less than a lease, so that whoever waits for a table gets it in time."""
READERS = 4
"""Connections for everything but commits and beats."""
_ALIVE = (
    f"beat > clock_timestamp() - interval '{LEASE_SECONDS} seconds' AND beat <= clock_timestamp() + interval '1 second'"
)
"""A beat that is yet to come is from before the database's clock was set back."""
_FREE = f"(owner IS NULL OR NOT EXISTS (SELECT FROM servers WHERE id = rooms.owner AND {_ALIVE}))"
_LEFT = f"(owner IS NULL OR {USED} < clock_timestamp() - interval '{ORPHAN_SECONDS} seconds')"
_LOST = (OSError, asyncpg.InterfaceError, asyncpg.PostgresConnectionError, TimeoutError)
_ERRORS = (*_LOST, asyncpg.PostgresError, asyncpg.InternalClientError)
_CONFLICTS = (asyncpg.IntegrityConstraintViolationError, asyncpg.DataError, UnicodeError)
"""What is wrong with what was to be written or read, and not with the database."""


class PostgresStore:
    """See `Store`. A lost connection is made again for the next write; the writes under way then fail."""

    def __init__(self, url: str) -> None:
        self.server = secrets.token_hex(8)
        self.shared = True
        self.lapses = 0
        self._beaten = False
        self._url = url
        self._address = ""
        self._waiting: list[Group] = []
        self._wake = asyncio.Event()
        self._closing = False
        self._task: asyncio.Task[None] | None = None
        self._pool: Any = None
        self._writer: Any = None
        """A pool of one connection, which nothing but commits may use: reading must not keep them waiting."""
        self._pulse: Any = None
        """The connection that beats, and shares the lock."""

    async def open(self, address: str = "") -> None:
        """Connect, bring the tables of the database up to date, and be known at this address."""
        self._address = address
        try:
            self._pool = await self._connect(READERS)
            self._writer = await self._connect(1)
            async with self._pool.acquire() as connection, connection.transaction():
                await bring_up_to_date(connection)
                await forget_dead_servers(connection)
            await self.beat()
        except (*_ERRORS, ValueError) as error:
            raise StoreError(f"cannot use the database: {error}") from None
        self._task = asyncio.create_task(self._run())

    async def _connect(self, most: int) -> Any:
        settings = {
            "synchronous_commit": "on",  # Durable is durable, whatever the database's own default.
            # A server that is stopped in the middle of a transaction must not keep others from its tables.
            "idle_in_transaction_session_timeout": "3000",
        }
        # None is kept for its own sake: the pool would make it again by itself, in its own time and with tracebacks.
        return await asyncpg.create_pool(
            self._url, min_size=0, max_size=most, command_timeout=COMMAND_SECONDS, server_settings=settings
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
                    await connection.execute(
                        "UPDATE rooms SET owner = NULL, used = now() WHERE owner = $1", self.server
                    )
                    await connection.execute("DELETE FROM servers WHERE id = $1", self.server)
        for pool in (self._pool, self._writer):
            if pool is not None:
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(pool.close(), COMMAND_SECONDS)
                pool.terminate()
        self._pool = self._writer = None
        if self._pulse is not None:
            self._pulse.terminate()
            self._pulse = None

    @contextlib.asynccontextmanager
    async def _connection(self, *, writer: bool = False) -> AsyncIterator[Any]:
        """Lend a connection for a short time. One that fails, or does not answer, is cut off, not waited for."""
        pool = self._writer if writer else self._pool
        if pool is None:
            raise StoreError("the store is not open")
        connection = await pool.acquire(timeout=COMMAND_SECONDS)
        try:
            async with asyncio.timeout(COMMAND_SECONDS):
                yield connection
        except (*_LOST, asyncio.CancelledError):
            with contextlib.suppress(asyncpg.InterfaceError):  # It is gone already.
                connection.terminate()
            raise
        finally:
            await pool.release(connection, timeout=1.0)

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
            async with self._connection(writer=True) as connection, connection.transaction():
                held = await self._held(connection, groups)
                allowed = [group for group in groups if group.fence in held]
                for writes in _alike([write for group in allowed for write in group.writes]):
                    await self._execute(connection, writes)
        except Exception as error:  # noqa: BLE001 - whatever it is, whoever waits is told, and the next may write
            if len(groups) > 1 and not isinstance(error, _LOST):  # One bad group must not fail the others.
                for group in groups:
                    await self._commit([group])
                return
            for group in groups:
                settle(group.future, _error(error))
        else:
            for group in groups:
                fenced = Fenced("the table has another owner or epoch")
                settle(group.future, None if group.fence in held else fenced)

    async def _held(self, connection: Any, groups: list[Group]) -> set[Fence | None]:
        """Return the fences that hold; until the end of the transaction nobody can claim their tables."""
        fences = {group.fence for group in groups if group.fence is not None}
        if not fences:
            return {None}
        rows = await connection.fetch(
            "SELECT code, epoch FROM rooms WHERE code = ANY($1) AND owner = $2 ORDER BY code FOR UPDATE",
            [fence.code for fence in fences],
            self.server,
        )
        return {None, *(Fence(row["code"], row["epoch"]) for row in rows)}

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
        names = [name for name in writes[0].__struct_fields__ if name != "once"]
        values = [tuple(getattr(write, name) for name in names) for write in writes]
        for statement in _KEEP_ONCE if _is_once(writes[0]) else _STATEMENTS[type(writes[0])]:
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
                    "SELECT owner, address, extract(epoch FROM beat - clock_timestamp())::float8 AS beaten "
                    "FROM rooms LEFT JOIN servers ON servers.id = owner WHERE code = $1",
                    code,
                )
        if row is None:
            return None
        return Elsewhere(row["owner"] or "", row["address"] or "", LEASE_SECONDS + (row["beaten"] or -LEASE_SECONDS))

    async def owns(self, fence: Fence) -> bool:
        """Return whether this server still owns a table."""
        query = "SELECT TRUE FROM rooms WHERE code = $1 AND epoch = $2 AND owner = $3"
        return await self._value(query, fence.code, fence.epoch, self.server) is not None

    async def owned(self) -> list[Fence]:
        """Return all tables that this server owns."""
        with _reading():
            rows = await self._fetch("SELECT code, epoch FROM rooms WHERE owner = $1", self.server)
            return [Fence(row["code"], row["epoch"]) for row in rows]

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
        was_alive = await self._pulse.fetchval(
            f"WITH before AS (SELECT {_ALIVE} AS alive FROM servers WHERE id = $1) "
            "INSERT INTO servers VALUES ($1, $2, clock_timestamp()) "
            "ON CONFLICT (id) DO UPDATE SET beat = excluded.beat, address = excluded.address "
            "RETURNING (SELECT alive FROM before)",
            self.server,
            self._address,
        )
        if self._beaten and not was_alive:
            self.lapses += 1
        self._beaten = True
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
                f"SELECT code FROM rooms WHERE problem IS NULL AND {_FREE} AND {USED} < clock_timestamp() "
                "- make_interval(secs => CASE WHEN playing THEN $1::float8 ELSE $2::float8 END) LIMIT 100",
                game_seconds,
                lobby_seconds,
            )
            return [row["code"] for row in rows]

    async def made_by(self, maker: str) -> list[str]:
        """Return the tables of a maker, or a part of one, that nobody serves, the longest unused first."""
        with _reading():
            rows = await self._fetch(
                "SELECT code FROM rooms WHERE (maker = $1 OR maker LIKE $1 || ' %') "
                f"AND problem IS NULL AND {_FREE} AND {_LEFT} ORDER BY {USED}",
                maker,
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

    async def game_head(self, id: str) -> GameHead | None:
        """Return one game without its choices."""
        with _reading():
            rows = await self._fetch(
                "SELECT id, data, over, (SELECT count(*) FROM choices WHERE game = games.id), problem "
                "FROM games WHERE id = $1",
                id,
            )
            return GameHead(*rows[0]) if rows else None

    async def match(self, code: str) -> bytes | None:
        """Return one shared match, as it was saved last."""
        data: bytes | None = await self._value("SELECT data FROM matches WHERE code = $1", code)
        return data

    async def operations(self, code: str, first: int) -> list[bytes] | None:
        """Return the operations of a shared match, in the order in which they came, from a number on."""
        with _reading():
            rows = await self._fetch(
                "SELECT operations.data FROM matches LEFT JOIN operations ON match = code AND number >= $2 "
                "WHERE code = $1 ORDER BY number",
                code,
                first,
            )
            return [row["data"] for row in rows if row["data"] is not None] if rows else None

    async def kept(self, kind: str, id: str) -> bytes | None:
        """Return what is kept under a kind and an id."""
        data: bytes | None = await self._value("SELECT data FROM kept WHERE kind = $1 AND id = $2", kind, id)
        return data

    async def all_kept(self, kind: str) -> list[tuple[str, bytes]]:
        """Return id and data of everything of a kind, in the order in which it came."""
        with _reading():
            rows = await self._fetch("SELECT id, data FROM kept WHERE kind = $1 ORDER BY saved, id", kind)
            return [(row["id"], row["data"]) for row in rows]

    # Keeping house. Several servers may do it at the same time.

    async def expire_games(self, days: float) -> int:
        """Delete some games that ended n days ago, and what was set aside then."""
        with _reading():
            async with self._connection() as connection, connection.transaction():
                rows = await connection.fetch(
                    "DELETE FROM games WHERE id IN (SELECT id FROM games WHERE ended < clock_timestamp() "
                    "- make_interval(secs => $1) AND NOT EXISTS (SELECT FROM rooms WHERE rooms.code = games.code "
                    "AND rooms.problem IS NULL) LIMIT $2 FOR UPDATE SKIP LOCKED) RETURNING id",
                    days * DAY_SECONDS,
                    EXPIRE_AT_ONCE,
                )
                await connection.execute("DELETE FROM choices WHERE game = ANY($1)", [row["id"] for row in rows])
                await connection.execute(
                    "DELETE FROM kept WHERE kind <> ALL($2) AND saved < clock_timestamp() - make_interval(secs => $1)",
                    days * DAY_SECONDS,
                    list(LASTING),
                )
                await connection.execute(
                    "DELETE FROM rooms WHERE problem IS NOT NULL AND used < clock_timestamp() "
                    "- make_interval(secs => $1)",
                    days * DAY_SECONDS,
                )
                return len(rows)

    async def expire_matches(self, days: float) -> list[str]:
        """Delete some shared matches into which nothing was entered for n days; return their codes."""
        before = "clock_timestamp() - make_interval(secs => $1)"
        unused = f"NOT EXISTS (SELECT FROM operations WHERE match = code AND operations.saved >= {before})"
        with _reading():
            async with self._connection() as connection, connection.transaction():
                rows = await connection.fetch(
                    f"SELECT code FROM matches WHERE saved < {before} AND {unused} LIMIT $2 FOR UPDATE SKIP LOCKED",
                    days * DAY_SECONDS,
                    EXPIRE_AT_ONCE,
                )
                # Nobody can enter anything any more; what was entered until then is seen by a second look.
                rows = await connection.fetch(
                    f"DELETE FROM matches WHERE code = ANY($2) AND {unused} RETURNING code",
                    days * DAY_SECONDS,
                    [row["code"] for row in rows],
                )
                return [row["code"] for row in rows]

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
    except (*_ERRORS, *_CONFLICTS) as error:
        raise _error(error) from None


def _error(error: Exception) -> StoreError:
    """Return what is told of an error: whether the database is ill, or what it was asked for cannot be."""
    kind = Conflict if isinstance(error, _CONFLICTS) else DamagedStore if isinstance(error, DAMAGED) else StoreError
    return kind(f"the database refuses: {error!r}")


def _alike(writes: list[Write]) -> list[list[Write]]:
    """Return the writes in their order, neighbours of the same kind together: they go over in one message."""
    runs: list[list[Write]] = []
    for write in writes:
        if runs and type(runs[-1][0]) is type(write) and _is_once(runs[-1][0]) == _is_once(write):
            runs[-1].append(write)
        else:
            runs.append([write])
    return runs


def _is_once(write: Write) -> bool:
    return isinstance(write, Keep) and write.once


_KEEP_ONCE = ("INSERT INTO kept (kind, id, data) VALUES ($1, $2, $3)",)
_SAVE_MATCH = """INSERT INTO matches (code, data) VALUES ($1, $2)
                 ON CONFLICT (code) DO UPDATE SET data = excluded.data, saved = now()"""
_UNFINISHED = "code = $1 AND NOT over AND problem IS NULL"
_STATEMENTS: dict[type[Write], Sequence[str]] = {
    AddChoice: ("INSERT INTO choices (game, number, choice, by, state, hash) VALUES ($1, $2, $3, $4, $5, $6)",),
    SaveRoom: ("UPDATE rooms SET data = $2, playing = $3, used = now() WHERE code = $1",),
    Keep: (f"{_KEEP_ONCE[0]} ON CONFLICT DO NOTHING",),
    SaveMatch: (_SAVE_MATCH,),
    AddOperation: ("INSERT INTO operations (match, number, data) VALUES ($1, $2, $3)",),
    AddGame: ("INSERT INTO games (id, code, data) VALUES ($1, $2, $3)",),
    EndGame: ("UPDATE games SET over = TRUE, ended = now(), problem = $2 WHERE id = $1",),
    SetGameAside: ("UPDATE games SET problem = $2, ended = now() WHERE id = $1",),
    SetRoomAside: ("UPDATE rooms SET problem = $2 WHERE code = $1",),
    DropRoom: (
        "DELETE FROM rooms WHERE code = $1",
        f"DELETE FROM choices WHERE game IN (SELECT id FROM games WHERE {_UNFINISHED})",
        f"DELETE FROM games WHERE {_UNFINISHED}",
    ),
}
