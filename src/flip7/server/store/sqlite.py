"""The store in one SQLite file: one thread writes, and everything that waits shares one commit."""

from __future__ import annotations

import asyncio
import queue
import secrets
import sqlite3
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from flip7.server.errors import Conflict, Fenced, StoreError
from flip7.server.logs import LOG
from flip7.server.store.base import (
    DAY_SECONDS,
    EXPIRE_AT_ONCE,
    LASTING,
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
from flip7.server.store.clock import SET_SECONDS, DayClock
from flip7.server.store.sqlite_file import (
    bring_up_to_date,
    connect,
    damage,
    lock,
    make_private,
    stamp_again,
    transaction,
)

_T = TypeVar("_T")
_CONFLICTS = (sqlite3.IntegrityError, sqlite3.DataError, UnicodeError, OverflowError)
"""What is wrong with what was to be written or read, and not with the file."""


class _Job(NamedTuple):
    function: Callable[[sqlite3.Connection], Any]
    future: asyncio.Future[Any]


class SqliteStore:
    """See `Store`. The file and its directory are made when they are not there; one server at a time uses them."""

    def __init__(self, path: Path, clock: DayClock | None = None) -> None:
        self.server = secrets.token_hex(8)
        self.shared = False
        self.lapses = 0
        self._clock = clock or DayClock()
        self._path = path
        self._groups: queue.SimpleQueue[Group | _Job | None] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._reading = ThreadPoolExecutor(1, "flip7-store-reading")
        self._reader: sqlite3.Connection | None = None
        self._lock: sqlite3.Connection | None = None

    async def open(self, address: str = "") -> None:
        """Open the file, and make its tables or bring them up to date."""
        try:
            self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)  # Seeds are nobody else's business.
            make_private(self._path)
            self._lock = lock(self._path)
            writer = await asyncio.to_thread(self._prepare)
            self._reader = connect(self._path)
        except (OSError, sqlite3.Error) as error:
            raise damage(self._path, error) or StoreError(f"cannot use {self._path}: {error}") from None
        self._loop = asyncio.get_running_loop()
        self._thread = threading.Thread(target=self._run, args=(writer,), name="flip7-store", daemon=True)
        self._thread.start()

    def _prepare(self) -> sqlite3.Connection:
        """Return the connection that writes, to tables that are up to date."""
        writer = connect(self._path)
        try:
            bring_up_to_date(writer, self._path, self._clock.start())
        except BaseException:
            writer.close()
            raise
        return writer

    async def close(self) -> None:
        """Finish the writes that wait, and close the file."""
        if self._thread is not None:
            self._groups.put(None)
            await asyncio.to_thread(self._thread.join)
            self._thread = None
        reader, self._reader = self._reader, None
        # Whoever wanted to read may have given up, but a connection that is in use must not be closed.
        await asyncio.to_thread(self._reading.shutdown)
        if reader is not None:
            reader.close()
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    async def write(self, *writes: Write, fence: Fence | None = None) -> None:
        """Write all of them or none, durable when it returns."""
        if self._loop is None or self._thread is None:
            raise StoreError("the store is not open")
        future: asyncio.Future[None] = self._loop.create_future()
        self._groups.put(Group(writes, fence, future))
        await future

    async def _do(self, function: Callable[[sqlite3.Connection], _T]) -> _T:
        """Have the writing thread do something in a transaction of its own, after the writes that wait."""
        if self._loop is None or self._thread is None:
            raise StoreError("the store is not open")
        future: asyncio.Future[_T] = self._loop.create_future()
        self._groups.put(_Job(function, future))
        return await future

    def _run(self, writer: sqlite3.Connection) -> None:
        """The writing thread: commit whatever waits, again and again."""
        running = True
        while running:
            waiting = [self._groups.get()]
            while not self._groups.empty():
                waiting.append(self._groups.get())
            running = None not in waiting
            groups: list[Group] = []
            for one in waiting:
                if isinstance(one, Group):
                    groups.append(one)
                elif one is not None:
                    self._commit(writer, groups)
                    groups = []
                    self._perform(writer, one)
            self._commit(writer, groups)
        writer.close()

    def _perform(self, writer: sqlite3.Connection, job: _Job) -> None:
        try:
            with transaction(writer):
                result = job.function(writer)
        except Exception as error:  # noqa: BLE001 - as with a commit
            self._soon(settle, job.future, self._error(error))
        else:
            self._soon(lambda: None if job.future.done() else job.future.set_result(result))

    def _commit(self, writer: sqlite3.Connection, groups: list[Group]) -> None:
        if not groups:
            return
        written: list[Group] = []
        fenced: list[Group] = []
        try:
            with transaction(writer):
                for group in groups:
                    if group.fence is not None and not _owns(writer, group.fence):
                        fenced.append(group)
                        continue
                    for write in group.writes:
                        self._execute(writer, write)
                    written.append(group)
        except Exception as error:  # noqa: BLE001 - whatever it is, whoever waits is told, and the next may write
            if len(groups) > 1:  # One bad group must not fail the others.
                for group in groups:
                    self._commit(writer, [group])
                return
            self._tell(groups, self._error(error))
        else:
            self._tell(fenced, Fenced("the table has another epoch"))
            self._tell(written, None)

    def _error(self, error: Exception) -> StoreError:
        """Return what is told of an error: whether the store is ill, or what it was asked for cannot be."""
        if isinstance(error, StoreError):
            return error
        kind = Conflict if isinstance(error, _CONFLICTS) else StoreError
        return damage(self._path, error) or kind(f"{self._path}: {error}")

    def _tell(self, groups: Sequence[Group], error: StoreError | None) -> None:
        def tell() -> None:
            for group in groups:
                settle(group.future, error)

        self._soon(tell)

    def _soon(self, function: Callable[..., object], *values: object) -> None:
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(function, *values)

    def _execute(self, writer: sqlite3.Connection, write: Write) -> None:
        match write:
            case AddChoice():
                row = (write.game, write.number, write.choice, write.by, write.state, write.hash)
                columns = "game, number, choice, by, state, hash"
                writer.execute(f"INSERT INTO choices ({columns}) VALUES (?, ?, ?, ?, ?, ?)", row)
            case CreateRoom(code, data, playing, maker):
                writer.execute(
                    "INSERT INTO rooms (code, data, playing, maker, owner, epoch, used) VALUES (?, ?, ?, ?, ?, 1, ?)",
                    (code, data, playing, maker, self.server, self._clock.now()),
                )
            case SaveRoom(code, data, playing):
                saved = writer.execute(
                    "UPDATE rooms SET data = ?, playing = ?, used = ? WHERE code = ?",
                    (data, playing, self._clock.now(), code),
                )
                if not saved.rowcount:
                    raise Conflict(f"there is no table {code!r} to be saved")
            case SaveMatch(code, data):
                writer.execute(
                    "INSERT INTO matches (code, data, saved) VALUES (?, ?, ?) "
                    "ON CONFLICT DO UPDATE SET data = excluded.data, saved = excluded.saved",
                    (code, data, self._clock.now()),
                )
            case AddOperation(code, number, data):
                added = writer.execute(
                    "INSERT INTO operations (match, number, data, saved) "
                    "SELECT code, ?, ?, ? FROM matches WHERE code = ?",
                    (number, data, self._clock.now(), code),
                )
                if not added.rowcount:
                    raise Conflict(f"there is no match {code!r} to be added to")
            case Keep(kind, id, data, once):
                otherwise = "ABORT" if once else "IGNORE"
                writer.execute(
                    f"INSERT OR {otherwise} INTO kept (kind, id, data, saved) VALUES (?, ?, ?, ?)",
                    (kind, id, data, self._clock.now()),
                )
            case AddGame(id, code, data):
                writer.execute("INSERT INTO games (id, code, data) VALUES (?, ?, ?)", (id, code, data))
            case EndGame(id, problem):
                values = (self._clock.now(), problem, id)
                writer.execute("UPDATE games SET over = 1, ended = ?, problem = ? WHERE id = ?", values)
            case SetGameAside(id, problem):
                writer.execute("UPDATE games SET problem = ?, ended = ? WHERE id = ?", (problem, self._clock.now(), id))
            case SetRoomAside(code, problem):
                writer.execute("UPDATE rooms SET problem = ? WHERE code = ?", (problem, code))
            case DropRoom(code):
                unfinished = "code = ? AND NOT over AND problem IS NULL"
                writer.execute("DELETE FROM rooms WHERE code = ?", (code,))
                writer.execute(f"DELETE FROM choices WHERE game IN (SELECT id FROM games WHERE {unfinished})", (code,))
                writer.execute(f"DELETE FROM games WHERE {unfinished}", (code,))

    # Owners. There is only one server, but memory and file may still differ after a failed write.

    async def claim(self, code: str) -> Claimed | Elsewhere | None:
        """Own a table, in a new epoch."""

        def claim(writer: sqlite3.Connection) -> Claimed | None:
            writer.execute(
                "UPDATE rooms SET owner = ?, epoch = epoch + 1, used = ? WHERE code = ?",
                (self.server, self._clock.now(), code),
            )
            row = writer.execute(
                "SELECT epoch, CAST(data AS BLOB), problem FROM rooms WHERE code = ?", (code,)
            ).fetchone()
            return Claimed(*row) if row else None

        return await self._do(claim)

    async def owns(self, fence: Fence) -> bool:
        """Return whether the table is there in this epoch."""
        return await self._read(lambda reader: _owns(reader, fence))

    async def owned(self) -> list[Fence]:
        """Return all tables that this server owns."""
        query = "SELECT code, epoch FROM rooms WHERE owner = ?"
        return await self._read(lambda reader: [Fence(*row) for row in reader.execute(query, (self.server,))])

    async def release(self, *fences: Fence) -> None:
        """Note that nobody serves these tables."""

        def release(writer: sqlite3.Connection) -> None:
            rows = [(self._clock.now(), fence.code, fence.epoch) for fence in fences]
            writer.executemany("UPDATE rooms SET owner = NULL, used = ? WHERE code = ? AND epoch = ?", rows)

        await self._do(release)

    async def beat(self) -> dict[str, str]:
        """Write something, to know that it can be done. There are no other servers."""

        def beat(writer: sqlite3.Connection) -> None:
            note = "INSERT INTO known VALUES ('beat', ?) ON CONFLICT DO UPDATE SET value = excluded.value"
            writer.execute(note, (str(self._clock.now()),))

        await self._do(beat)
        return {self.server: ""}

    async def secret(self) -> str:
        """Return what only this server knows."""

        def secret(writer: sqlite3.Connection) -> str:
            writer.execute("INSERT INTO known VALUES ('secret', ?) ON CONFLICT DO NOTHING", (secrets.token_hex(32),))
            (value,) = writer.execute("SELECT value FROM known WHERE name = 'secret'").fetchone()
            return str(value)

        return await self._do(secret)

    # Reading.

    async def rooms(self) -> list[tuple[str, bytes]]:
        """Return code and data of all tables, but for those set aside."""
        query = "SELECT code, CAST(data AS BLOB) FROM rooms WHERE problem IS NULL ORDER BY code"
        return await self._read(lambda reader: reader.execute(query).fetchall())

    async def room(self, code: str) -> bytes | None:
        """Return one table, as it was saved last."""
        return await self._value("SELECT CAST(data AS BLOB) FROM rooms WHERE code = ?", code)

    async def count_rooms(self) -> int:
        """Return how many tables there are."""
        return await self._read(lambda reader: int(reader.execute("SELECT count(*) FROM rooms").fetchone()[0]))

    async def idle(self, lobby_seconds: float, game_seconds: float) -> list[str]:
        """Return the tables that nobody serves, and that were last used so long ago."""
        await self._set_right()
        query = """SELECT code FROM rooms WHERE owner IS NULL AND problem IS NULL
                   AND used < CASE WHEN playing THEN ? ELSE ? END"""
        now = self._clock.now()
        values = (now - game_seconds, now - lobby_seconds)
        return await self._read(lambda reader: [code for (code,) in reader.execute(query, values)])

    async def made_by(self, maker: str) -> list[str]:
        """Return the tables of a maker, or a part of one, that nobody serves, the longest unused first."""
        await self._set_right()
        query = """SELECT code FROM rooms WHERE (maker = ? OR maker LIKE ?)
                   AND owner IS NULL AND problem IS NULL AND used NOT BETWEEN ? AND ? ORDER BY used"""
        began = self._clock.began  # Whoever sat at a table before is on the way back.
        left = (began - ORPHAN_SECONDS, began) if self._clock.elapsed < ORPHAN_SECONDS else (0, -1)
        values = (maker, f"{maker} %", *left)
        return await self._read(lambda reader: [code for (code,) in reader.execute(query, values)])

    async def game(self, id: str) -> StoredGame | None:
        """Return one game with all its choices."""

        def read(reader: sqlite3.Connection) -> StoredGame | None:
            with transaction(reader, "BEGIN"):
                row = reader.execute(
                    "SELECT CAST(data AS BLOB), over, problem FROM games WHERE id = ?", (id,)
                ).fetchone()
                if row is None:
                    return None
                columns = "number, choice, by, state, hash"
                choices = reader.execute(f"SELECT {columns} FROM choices WHERE game = ? ORDER BY number", (id,))
                return StoredGame(id, row[0], bool(row[1]), tuple(StoredChoice(*choice) for choice in choices), row[2])

        return await self._read(read)

    async def game_head(self, id: str) -> GameHead | None:
        """Return one game without its choices."""
        query = """SELECT CAST(data AS BLOB), over, (SELECT count(*) FROM choices WHERE game = games.id), problem
                   FROM games WHERE id = ?"""
        row = await self._read(lambda reader: reader.execute(query, (id,)).fetchone())
        return GameHead(id, row[0], bool(row[1]), row[2], row[3]) if row else None

    async def match(self, code: str) -> bytes | None:
        """Return one shared match, as it was saved last."""
        return await self._value("SELECT data FROM matches WHERE code = ?", code)

    async def operations(self, code: str, first: int) -> list[bytes] | None:
        """Return the operations of a shared match, in the order in which they came, from a number on."""
        query = """SELECT operations.data FROM matches LEFT JOIN operations ON match = code AND number >= ?
                   WHERE code = ? ORDER BY number"""
        rows = await self._read(lambda reader: reader.execute(query, (first, code)).fetchall())
        return [data for (data,) in rows if data is not None] if rows else None

    async def kept(self, kind: str, id: str) -> bytes | None:
        """Return what is kept under a kind and an id."""
        query = "SELECT data FROM kept WHERE kind = ? AND id = ?"
        row = await self._read(lambda reader: reader.execute(query, (kind, id)).fetchone())
        return bytes(row[0]) if row else None

    async def all_kept(self, kind: str) -> list[tuple[str, bytes]]:
        """Return id and data of everything of a kind, in the order in which it came."""
        query = "SELECT id, data FROM kept WHERE kind = ? ORDER BY saved, id"
        return await self._read(lambda reader: reader.execute(query, (kind,)).fetchall())

    # Keeping house.

    async def _set_right(self) -> None:
        """See whether the time of day was set meanwhile, as on a machine that starts with an old one.

        What was stamped before counts from when it was stamped, and not for very old, or as if it were yet to come.
        """

        def stamp(writer: sqlite3.Connection) -> None:
            clock = self._clock
            later = clock.set_by
            stamp_again(writer, clock.began, clock.began + clock.elapsed + SET_SECONDS, later)
            clock.began += later

        if self._clock.set_by:
            LOG.warning("the clock was set", extra={"seconds": round(self._clock.set_by)})
            await self._do(stamp)

    async def expire_games(self, days: float) -> int:
        """Delete some games that ended so many days ago, and what was set aside then."""
        await self._set_right()

        def expire(writer: sqlite3.Connection) -> int:
            before = self._clock.now() - days * DAY_SECONDS
            ids = writer.execute(
                "SELECT id FROM games WHERE ended < ? AND code NOT IN (SELECT code FROM rooms WHERE problem IS NULL) "
                "LIMIT ?",
                (before, EXPIRE_AT_ONCE),
            ).fetchall()
            writer.executemany("DELETE FROM choices WHERE game = ?", ids)
            writer.executemany("DELETE FROM games WHERE id = ?", ids)
            writer.execute("DELETE FROM rooms WHERE problem IS NOT NULL AND used < ?", (before,))
            holes = ", ".join("?" * len(LASTING))
            writer.execute(f"DELETE FROM kept WHERE saved < ? AND kind NOT IN ({holes})", (before, *LASTING))
            return len(ids)

        return await self._do(expire)

    async def expire_matches(self, days: float) -> list[str]:
        """Delete some shared matches into which nothing was entered for so many days; return their codes."""
        await self._set_right()

        def expire(writer: sqlite3.Connection) -> list[str]:
            before = self._clock.now() - days * DAY_SECONDS
            codes = writer.execute(
                "SELECT code FROM matches WHERE saved < ? "
                "AND NOT EXISTS (SELECT 1 FROM operations WHERE match = code AND operations.saved >= ?) LIMIT ?",
                (before, before, EXPIRE_AT_ONCE),
            ).fetchall()
            writer.executemany("DELETE FROM operations WHERE match = ?", codes)
            writer.executemany("DELETE FROM matches WHERE code = ?", codes)
            return [code for (code,) in codes]

        return await self._do(expire)

    async def _value(self, query: str, key: str) -> bytes | None:
        def read(reader: sqlite3.Connection) -> bytes | None:
            row = reader.execute(query, (key,)).fetchone()
            return row[0] if row else None

        return await self._read(read)

    async def _read(self, function: Callable[[sqlite3.Connection], _T]) -> _T:
        reader = self._reader
        if reader is None:
            raise StoreError("the store is not open")
        try:
            return await asyncio.get_running_loop().run_in_executor(self._reading, function, reader)
        except (sqlite3.Error, *_CONFLICTS) as error:
            raise self._error(error) from None


def _owns(connection: sqlite3.Connection, fence: Fence) -> bool:
    row = connection.execute("SELECT epoch FROM rooms WHERE code = ?", (fence.code,)).fetchone()
    return row is not None and row[0] == fence.epoch
