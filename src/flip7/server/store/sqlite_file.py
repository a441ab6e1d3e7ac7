"""The SQLite file: its tables, how an older one is brought up to date, who may read it, and whose it is."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path

from flip7.server.errors import DamagedStore, StoreError
from flip7.server.store.upgrade import chain_old_games

VERSION = 4
_DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
_SCHEMA = """
CREATE TABLE IF NOT EXISTS rooms (
    code TEXT PRIMARY KEY, data BLOB NOT NULL, owner TEXT, epoch INTEGER NOT NULL DEFAULT 0,
    used REAL NOT NULL DEFAULT 0, playing INTEGER NOT NULL DEFAULT 0,
    maker TEXT NOT NULL DEFAULT '', problem TEXT
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS games (
    id TEXT PRIMARY KEY, code TEXT NOT NULL, data BLOB NOT NULL, over INTEGER NOT NULL DEFAULT 0,
    ended REAL, problem TEXT
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS unfinished ON games (code) WHERE NOT over;
CREATE TABLE IF NOT EXISTS choices (
    game TEXT NOT NULL, number INTEGER NOT NULL, choice TEXT NOT NULL, by TEXT NOT NULL,
    state TEXT NOT NULL DEFAULT '', hash TEXT NOT NULL DEFAULT '', PRIMARY KEY (game, number)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS matches (
    code TEXT PRIMARY KEY, data BLOB NOT NULL, saved REAL NOT NULL DEFAULT 0
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS operations (
    match TEXT NOT NULL, number INTEGER NOT NULL, data BLOB NOT NULL, saved REAL NOT NULL DEFAULT 0,
    PRIMARY KEY (match, number)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS kept (
    kind TEXT NOT NULL, id TEXT NOT NULL, data BLOB NOT NULL, saved REAL NOT NULL, PRIMARY KEY (kind, id)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS known (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
"""
_INDEXES = """
CREATE INDEX IF NOT EXISTS ended_games ON games (ended) WHERE ended IS NOT NULL;
CREATE INDEX IF NOT EXISTS saved_matches ON matches (saved);
"""
_NEW_COLUMNS = (
    (1, "rooms", "owner TEXT"),
    (1, "rooms", "epoch INTEGER NOT NULL DEFAULT 0"),
    (1, "rooms", "used REAL NOT NULL DEFAULT 0"),
    (1, "rooms", "playing INTEGER NOT NULL DEFAULT 0"),
    (1, "rooms", "maker TEXT NOT NULL DEFAULT ''"),
    (1, "rooms", "problem TEXT"),
    (1, "games", "ended REAL"),
    (1, "games", "problem TEXT"),
    (1, "choices", "state TEXT NOT NULL DEFAULT ''"),
    (1, "choices", "hash TEXT NOT NULL DEFAULT ''"),
    (1, "matches", "saved REAL NOT NULL DEFAULT 0"),
    (2, "matches", "saved REAL NOT NULL DEFAULT 0"),
    (2, "operations", "saved REAL NOT NULL DEFAULT 0"),
)
"""What a file of each older version lacks in the tables that it has."""


def connect(path: Path) -> sqlite3.Connection:
    """Open the file such that what is committed stays, whatever happens."""
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=10)
    connection.text_factory = readable
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    return connection


def readable(text: bytes) -> str:
    """Return a text of the file; bytes that are none any more are spelled out, and whoever checks it notices."""
    return text.decode("utf-8", "backslashreplace")


def damage(path: Path, error: Exception) -> DamagedStore | None:
    """Return what an error says about the file, if it says that the file is damaged."""
    if getattr(error, "sqlite_errorcode", 0) & 0xFF not in _DAMAGED:
        return None
    return DamagedStore(
        f"{path} is damaged: {error}; `flip7 store check` names what it can still read of it, "
        "and `flip7 store restore` brings a backup back"
    )


def version_of(connection: sqlite3.Connection, path: Path) -> int:
    """Return the version of the tables; 0 if there are none yet. Raises `StoreError` for one from the future."""
    version = int(connection.execute("PRAGMA user_version").fetchone()[0])
    if version > VERSION:
        raise StoreError(f"{path} is of a newer flip7 (version {version}); this one reads up to {VERSION}")
    return version


def bring_up_to_date(connection: sqlite3.Connection, path: Path, now: float | None = None) -> None:
    """Make the tables, or give older ones what they lack; nobody owns anything afterwards. Raises `StoreError`."""
    version, now = version_of(connection, path), time.time() if now is None else now
    with transaction(connection):
        make_tables(connection)
        for lacking, table, column in _NEW_COLUMNS:
            if lacking == version:
                connection.execute(f"ALTER TABLE {table} ADD COLUMN {column}")
        for statement in _INDEXES.split(";\n"):
            connection.execute(statement)
        if version == 1:
            games = connection.execute("SELECT id, CAST(data AS BLOB) FROM games").fetchall()
            choices = connection.execute("SELECT game, number, choice, by FROM choices ORDER BY game, number")
            rows = list(chain_old_games(games, choices))
            connection.executemany("UPDATE choices SET hash = ? WHERE game = ? AND number = ?", rows)
            connection.execute("UPDATE games SET ended = ? WHERE over", (now,))
            connection.execute("UPDATE rooms SET playing = 1 WHERE code IN (SELECT code FROM games WHERE NOT over)")
        if version < VERSION:  # What was never dated counts from today.
            connection.execute("UPDATE games SET ended = ? WHERE problem IS NOT NULL AND ended IS NULL", (now,))
            connection.execute("UPDATE matches SET saved = ? WHERE saved = 0", (now,))
            connection.execute("UPDATE operations SET saved = ? WHERE saved = 0", (now,))
        # Who had an owner was served until the server died, whenever that was.
        used = "CASE WHEN owner IS NULL AND used THEN used ELSE ? END"
        connection.execute(f"UPDATE rooms SET owner = NULL, used = {used}", (now,))
        connection.execute(f"PRAGMA user_version = {VERSION}")


_STAMPS = ("rooms.used", "games.ended", "matches.saved", "operations.saved", "kept.saved")


def stamp_again(connection: sqlite3.Connection, first: float, last: float, later: float) -> None:
    """Let what was stamped between two times count as stamped so many seconds later: the clock was wrong."""
    for stamp in _STAMPS:
        table, column = stamp.split(".")
        moved = f"UPDATE {table} SET {column} = {column} + ? WHERE {column} BETWEEN ? AND ?"
        connection.execute(moved, (later, first, last))


def make_tables(connection: sqlite3.Connection) -> None:
    """Make the tables that are not there yet."""
    for statement in _SCHEMA.split(";\n"):
        connection.execute(statement)


@contextlib.contextmanager
def transaction(connection: sqlite3.Connection, begin: str = "BEGIN IMMEDIATE") -> Iterator[None]:
    """Commit what the block does, or nothing of it."""
    connection.execute(begin)
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def make_private(path: Path) -> None:
    """See that nobody else can read a file, which is made if it is not there, nor what SQLite keeps beside it.

    Nothing is opened that is there already: closing it again would let go of the locks that SQLite holds on it.
    """
    with contextlib.suppress(FileExistsError):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    for name in (path, *beside(path)):
        with contextlib.suppress(PermissionError, FileNotFoundError):  # An older file may be another user's.
            name.chmod(0o600)


def beside(path: Path) -> tuple[Path, Path]:
    """Return the files that SQLite keeps beside one; they belong to it alone."""
    return path.with_name(f"{path.name}-wal"), path.with_name(f"{path.name}-shm")


def lock(path: Path) -> sqlite3.Connection:
    """Own the directory of a file until the connection is closed or the process ends, however it ends.

    Raises `StoreError` where a server does.
    """
    path = path.with_suffix(".lock")
    make_private(path)
    held = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=2)
    try:
        held.execute("BEGIN EXCLUSIVE")
    except sqlite3.OperationalError:
        held.close()
        raise StoreError(
            f"another server is using {path.parent}: stop it first, or give this one a directory of its own"
        ) from None
    return held
