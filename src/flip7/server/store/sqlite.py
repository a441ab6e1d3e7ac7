"""The store in one SQLite file: one thread writes, and everything that waits shares one commit."""

from __future__ import annotations

import asyncio
import queue
import sqlite3
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

from flip7.server.errors import StoreError
from flip7.server.store.base import (
    AddChoice,
    AddGame,
    DropRoom,
    EndGame,
    SaveMatch,
    SaveRoom,
    StoredGame,
    Write,
    settle,
)

VERSION = 1
_SCHEMA = """
CREATE TABLE IF NOT EXISTS rooms (code TEXT PRIMARY KEY, data BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS games (
    id TEXT PRIMARY KEY, code TEXT NOT NULL, data BLOB NOT NULL, over INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS unfinished ON games (code) WHERE NOT over;
CREATE TABLE IF NOT EXISTS choices (
    game TEXT NOT NULL, number INTEGER NOT NULL, choice TEXT NOT NULL, by TEXT NOT NULL, PRIMARY KEY (game, number)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS matches (code TEXT PRIMARY KEY, data BLOB NOT NULL) WITHOUT ROWID;
"""
_Group = tuple[Sequence[Write], asyncio.Future[None]]
_T = TypeVar("_T")


class SqliteStore:
    """See `Store`. The file and its directory are made when they are not there."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._groups: queue.SimpleQueue[_Group | None] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._reading = asyncio.Lock()
        self._reader: sqlite3.Connection | None = None
        self._lock: sqlite3.Connection | None = None

    async def open(self) -> None:
        """Open the file, and make its tables if they are not there."""
        try:
            self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)  # Seeds are nobody else's business.
            self._lock = _lock(self._path.with_suffix(".lock"))
            writer = _connect(self._path)
            (version,) = writer.execute("PRAGMA user_version").fetchone()
            if version > VERSION:
                writer.close()
                raise StoreError(
                    f"{self._path} is of a newer flip7 (version {version}); this one reads up to {VERSION}"
                )
            writer.executescript(f"{_SCHEMA} PRAGMA user_version = {VERSION};")
            self._reader = _connect(self._path)
        except (OSError, sqlite3.Error) as error:
            raise StoreError(f"cannot use {self._path}: {error}") from None
        self._loop = asyncio.get_running_loop()
        self._thread = threading.Thread(target=self._run, args=(writer,), name="flip7-store", daemon=True)
        self._thread.start()

    async def close(self) -> None:
        """Finish the writes that wait, and close the file."""
        if self._thread is not None:
            self._groups.put(None)
            await asyncio.to_thread(self._thread.join)
            self._thread = None
        if self._reader is not None:
            self._reader.close()
            self._reader = None
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    async def write(self, *writes: Write) -> None:
        """All of them or none, durable when it returns."""
        if self._loop is None or self._thread is None:
            raise StoreError("the store is not open")
        future: asyncio.Future[None] = self._loop.create_future()
        self._groups.put((writes, future))
        await future

    def _run(self, writer: sqlite3.Connection) -> None:
        """The writing thread: commit whatever waits, again and again."""
        running = True
        while running:
            groups = [self._groups.get()]
            while not self._groups.empty():
                groups.append(self._groups.get())
            running = None not in groups
            self._commit(writer, [group for group in groups if group is not None])
        writer.close()

    def _commit(self, writer: sqlite3.Connection, groups: list[_Group]) -> None:
        if not groups:
            return
        try:
            _transact(writer, [write for writes, _ in groups for write in writes])
        except Exception as error:  # noqa: BLE001 - whatever it is, whoever waits is told, and the next may write
            if len(groups) > 1:  # One bad group must not fail the others.
                for group in groups:
                    self._commit(writer, [group])
                return
            self._tell(groups, StoreError(f"{self._path}: {error}"))
        else:
            self._tell(groups, None)

    def _tell(self, groups: list[_Group], error: StoreError | None) -> None:
        def tell() -> None:
            for _, future in groups:
                settle(future, error)

        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(tell)

    async def rooms(self) -> list[bytes]:
        """All tables, as they were saved."""
        return await self._read(
            lambda reader: [data for (data,) in reader.execute("SELECT data FROM rooms ORDER BY code")]
        )

    async def room(self, code: str) -> bytes | None:
        """One table, as it was saved last."""

        def read(reader: sqlite3.Connection) -> bytes | None:
            row = reader.execute("SELECT data FROM rooms WHERE code = ?", (code,)).fetchone()
            return row[0] if row else None

        return await self._read(read)

    async def game(self, id: str) -> StoredGame | None:
        """One game with all its choices."""

        def read(reader: sqlite3.Connection) -> StoredGame | None:
            with reader:
                row = reader.execute("SELECT data, over FROM games WHERE id = ?", (id,)).fetchone()
                if row is None:
                    return None
                choices = reader.execute("SELECT choice, by FROM choices WHERE game = ? ORDER BY number", (id,))
                return StoredGame(id, row[0], bool(row[1]), tuple(choices))

        return await self._read(read)

    async def match(self, code: str) -> bytes | None:
        """One shared match, as it was saved last."""

        def read(reader: sqlite3.Connection) -> bytes | None:
            row = reader.execute("SELECT data FROM matches WHERE code = ?", (code,)).fetchone()
            return row[0] if row else None

        return await self._read(read)

    async def _read(self, function: Callable[[sqlite3.Connection], _T]) -> _T:
        reader = self._reader
        if reader is None:
            raise StoreError("the store is not open")
        try:
            async with self._reading:
                return await asyncio.to_thread(function, reader)
        except sqlite3.Error as error:
            raise StoreError(f"{self._path}: {error}") from None


def _lock(path: Path) -> sqlite3.Connection:
    """Own the directory until the connection is closed or the process ends, however it ends."""
    lock = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=2)
    try:
        lock.execute("BEGIN EXCLUSIVE")
    except sqlite3.OperationalError:
        lock.close()
        raise StoreError(
            f"another server is using {path.parent}: stop it first, or give this one a directory of its own"
        ) from None
    return lock


def _connect(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=10)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    return connection


def _transact(writer: sqlite3.Connection, writes: Sequence[Write]) -> None:
    writer.execute("BEGIN IMMEDIATE")
    try:
        for write in writes:
            _execute(writer, write)
        writer.execute("COMMIT")
    except BaseException:
        if writer.in_transaction:
            writer.execute("ROLLBACK")
        raise


def _execute(writer: sqlite3.Connection, write: Write) -> None:
    match write:
        case AddChoice(game, number, choice, by):
            writer.execute("INSERT INTO choices VALUES (?, ?, ?, ?)", (game, number, choice, by))
        case SaveRoom(code, data):
            writer.execute(
                "INSERT INTO rooms VALUES (?, ?) ON CONFLICT DO UPDATE SET data = excluded.data", (code, data)
            )
        case SaveMatch(code, data):
            writer.execute(
                "INSERT INTO matches VALUES (?, ?) ON CONFLICT DO UPDATE SET data = excluded.data", (code, data)
            )
        case AddGame(id, code, data):
            writer.execute("INSERT INTO games (id, code, data) VALUES (?, ?, ?)", (id, code, data))
        case EndGame(id):
            writer.execute("UPDATE games SET over = 1 WHERE id = ?", (id,))
        case DropRoom(code):
            writer.execute("DELETE FROM rooms WHERE code = ?", (code,))
            writer.execute(
                "DELETE FROM choices WHERE game IN (SELECT id FROM games WHERE code = ? AND NOT over)", (code,)
            )
            writer.execute("DELETE FROM games WHERE code = ? AND NOT over", (code,))
