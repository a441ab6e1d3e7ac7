"""Backup and restore: everything that a store holds in one SQLite file, whichever database it came from or goes to."""

from __future__ import annotations

import contextlib
import sqlite3
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from flip7.game import saving
from flip7.server.errors import DamagedStore, StoreError
from flip7.server.settings import Settings
from flip7.server.store import sqlite_file
from flip7.server.store.factory import FILE, postgres_module

Progress = Callable[[float], None]
"""Is called with the share of the work that is done."""
Lost = Callable[[str], None]
"""Is called with what cannot be read."""

PAGES = 2000
ROWS = 1000
"""So many are copied before progress is told."""

TABLES = {
    "rooms": ("code", "data", "epoch", "used", "playing", "maker", "problem"),
    "games": ("id", "code", "data", "over", "ended", "problem"),
    "choices": ("game", "number", "choice", "by", "state", "hash"),
    "matches": ("code", "data", "saved"),
    "operations": ("match", "number", "data", "saved"),
    "kept": ("kind", "id", "data", "saved"),
    "known": ("name", "value"),
}
"""What is copied: each table with its columns. Who owns a table is nobody's business afterwards."""
KEYS = {"choices": "game, number", "operations": "match, number", "rooms": "code", "games": "id", "matches": "code"}
KEYS |= {"kept": "kind, id", "known": "name"}
NAMES = {"rooms": "tables", "operations": "entries", "matches": "shared matches"}
"""What people call that of which there is a table of the database, where it has another name."""
SHARED = ("secret",)
"""What of `known` belongs to the data, and not to the database it is in."""


class Counts(NamedTuple):
    """How much there is."""

    rooms: int
    games: int
    choices: int
    matches: int

    def __str__(self) -> str:
        words = (("table", "tables"), ("game", "games"), ("choice", "choices"), ("shared match", "shared matches"))
        return ", ".join(f"{n:,} {word[n != 1]}" for n, word in zip(self, words, strict=True))


class Snapshot(Protocol):
    """Everything that a store holds at one moment, whatever happens to it meanwhile. Times are seconds since 1970."""

    async def counts(self) -> Counts:
        """Return how much there is."""

    def rows(self, table: str, lost: Lost | None = None) -> AsyncIterator[tuple[Any, ...]]:
        """Yield the rows of one of `TABLES`, with its columns, in the order of their keys.

        Raises `DamagedStore` where some cannot be read; with `lost` it is told, and as many as possible are yielded.
        """

    async def flaws(self) -> list[str]:
        """Return what the database itself finds to be wrong with its files."""


class SqliteSnapshot:
    """See `Snapshot`."""

    def __init__(self, connection: sqlite3.Connection, path: Path) -> None:
        """`path` is what it is called."""
        self._connection = connection
        self._path = path

    async def counts(self) -> Counts:
        """Return how much there is."""
        tables = ("rooms", "games", "choices", "matches")
        return Counts(*[self._all(f"SELECT count(*) FROM {name}")[0][0] for name in tables])

    async def rows(self, table: str, lost: Lost | None = None) -> AsyncIterator[tuple[Any, ...]]:
        """Yield the rows of a table; behind a damaged page they are found from the other end."""
        last = first = None
        keys = KEYS[table].count(",") + 1
        try:
            for row in self._read(table):
                last = row[:keys]
                yield row
        except DamagedStore as damage:
            if lost is None:
                raise
            lost(f"some {NAMES.get(table, table)} cannot be read: {damage}")
        else:
            return
        with contextlib.suppress(DamagedStore):
            for row in self._read(table, backwards=True):
                if row[:keys] == last:
                    break
                first = row[:keys]
        if first is not None:
            for row in self._read(table, first):
                yield row

    def _read(self, table: str, first: tuple[Any, ...] = (), *, backwards: bool = False) -> Iterator[tuple[Any, ...]]:
        columns = [f"CAST({name} AS BLOB)" if name == "data" else name for name in TABLES[table]]
        query = f"SELECT {', '.join(columns)} FROM {table}"
        if first:
            query += f" WHERE ({KEYS[table]}) >= ({', '.join('?' * len(first))})"
        order = KEYS[table].replace(",", " DESC,") + " DESC" if backwards else KEYS[table]
        with _damage(self._path):
            yield from self._connection.execute(f"{query} ORDER BY {order}", first)

    async def flaws(self) -> list[str]:
        """Return what SQLite finds to be wrong with the file."""
        return [f"{self._path}: {text}" for (text,) in self._all("PRAGMA integrity_check(10)") if text != "ok"]

    def _all(self, query: str) -> list[Any]:
        with _damage(self._path):
            return self._connection.execute(query).fetchall()


@contextlib.asynccontextmanager
async def snapshot(source: Settings | Path) -> AsyncIterator[Snapshot]:
    """Look at a store, or at a backup. One of an older flip7 in SQLite is looked at as it will be when it is opened.

    Raises `StoreError` if it cannot be read.
    """
    if isinstance(source, Settings) and source.database is not None:
        async with postgres_module("postgres_copying").snapshot(source.database) as found:
            yield found
        return
    path = source if isinstance(source, Path) else source.data / FILE
    with _reading(path) as connection:
        if sqlite_file.version_of(connection, path) == sqlite_file.VERSION:
            yield SqliteSnapshot(connection, path)
        else:
            with tempfile.TemporaryDirectory() as folder:  # which is closed to others
                copy = Path(folder) / FILE
                _copy_file(connection, copy, lambda share: None)
                with contextlib.closing(sqlite_file.connect(copy)) as newer:
                    sqlite_file.bring_up_to_date(newer, path)
                    yield SqliteSnapshot(newer, path)


async def backup(settings: Settings, target: Path, *, overwrite: bool, progress: Progress) -> Counts:
    """Write everything into one file that nobody else can read, as it is at one moment; servers may go on meanwhile.

    Raises `StoreError`, and `OSError` about the file: `FileExistsError` where it may not be replaced.
    """
    with saving.writing(target, overwrite=overwrite) as unfinished:
        sqlite_file.make_private(unfinished)
        if settings.database is None:
            with _reading(settings.data / FILE) as connection:
                _copy_file(connection, unfinished, progress)
        else:
            async with snapshot(settings) as source:
                await _copy_rows(source, unfinished, progress)
    sqlite_file.make_private(target)
    async with snapshot(target) as copy:
        return await copy.counts()


async def restore(source: Path, settings: Settings, *, overwrite: bool, progress: Progress) -> Counts:
    """Make a store hold what a backup holds, and nothing else; no server may use it meanwhile.

    Raises `StoreError` where the backup cannot be read, a server runs, or something is there that may not be replaced.
    """
    async with snapshot(source) as found:
        flaws = await found.flaws()
        if flaws:
            raise StoreError(f"{source} is damaged: {flaws[0]}")
        if settings.database is not None:
            into = postgres_module("postgres_copying").restore
            await into(found, settings.database, overwrite=overwrite, progress=progress)
            return await found.counts()
    path = settings.data / FILE
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with contextlib.closing(sqlite_file.lock(path)), saving.writing(path, overwrite=overwrite) as unfinished:
            sqlite_file.make_private(unfinished)
            with _reading(source) as connection:
                _copy_file(connection, unfinished, progress)
            for name in sqlite_file.beside(path):  # They belong to the file that is replaced.
                name.unlink(missing_ok=True)
        sqlite_file.make_private(path)
    except FileExistsError:
        raise StoreError(f"{path} exists already: name another directory, or add --overwrite") from None
    except OSError as error:
        raise StoreError(f"{path}: {error.strerror or error}") from None
    async with snapshot(settings) as restored:
        return await restored.counts()


@contextlib.contextmanager
def _reading(path: Path) -> Iterator[sqlite3.Connection]:
    """Look at a file as it is at one moment. Raises `StoreError` if it is none of ours, or cannot be read."""
    if not path.is_file():
        raise StoreError(f"{path}: there is no such file")
    try:
        connection = sqlite3.connect(path, isolation_level=None, timeout=10)
    except sqlite3.Error as error:
        raise StoreError(f"{path}: {error}") from None
    connection.text_factory = sqlite_file.readable
    with contextlib.closing(connection), _damage(path):
        connection.execute("BEGIN")
        if not sqlite_file.version_of(connection, path):
            raise StoreError(f"{path} is no database of flip7")
        yield connection


@contextlib.contextmanager
def _damage(path: Path) -> Iterator[None]:
    """Raise `DamagedStore` where SQLite cannot read a file."""
    try:
        yield
    except sqlite3.Error as error:
        raise DamagedStore(f"{path}: {error}") from None


def _copy_file(source: sqlite3.Connection, target: Path, progress: Progress) -> None:
    """Copy what a connection sees, page by page, into one file with nothing beside it."""

    def told(status: int, remaining: int, total: int) -> None:
        progress(1 - remaining / max(1, total))

    with contextlib.closing(sqlite3.connect(target, isolation_level=None)) as copy:
        source.backup(copy, pages=PAGES, progress=told)
        copy.execute("PRAGMA journal_mode = DELETE")


async def _copy_rows(source: Snapshot, target: Path, progress: Progress) -> None:
    """Copy row by row into a new file."""
    total, done = sum(await source.counts()), 0
    with contextlib.closing(sqlite3.connect(target, isolation_level=None)) as copy:
        sqlite_file.bring_up_to_date(copy, target)
        with sqlite_file.transaction(copy):
            for table, columns in TABLES.items():
                insert = f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({', '.join('?' * len(columns))})"
                async for rows in in_batches(source, table):
                    copy.executemany(insert, rows)
                    done += len(rows)
                    progress(done / max(1, total))


async def in_batches(source: Snapshot, table: str) -> AsyncIterator[list[tuple[Any, ...]]]:
    """Yield the rows of a table, many at once."""
    rows: list[tuple[Any, ...]] = []
    async for row in source.rows(table):
        if table == "known" and row[0] not in SHARED:
            continue
        rows.append(row)
        if len(rows) == ROWS:
            yield rows
            rows = []
    if rows:
        yield rows
