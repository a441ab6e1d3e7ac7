"""The tables in PostgreSQL, and how older ones are brought up to date."""

from __future__ import annotations

import secrets
from typing import Any

import asyncpg  # type: ignore[import-untyped]

from flip7.server.errors import StoreError
from flip7.server.store.upgrade import chain_old_games

LOCK = 7_001_007
"""The number of the advisory lock. Servers before owners took it for themselves alone; these share it."""
UPGRADE_LOCK = 7_001_008
VERSION = 4
DAMAGED = (asyncpg.DataCorruptedError, asyncpg.IndexCorruptedError)
"""What the database answers where its files are damaged."""
USED = "GREATEST(used, (SELECT beat FROM servers WHERE id = rooms.owner))"
"""When a table was last used: its owner served it until its last beat, and need not have written anything."""
PATIENCE = 600.0
"""Seconds for one command, where there is much to bring up to date."""
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
CREATE INDEX IF NOT EXISTS ended_games ON games (ended) WHERE ended IS NOT NULL;
CREATE TABLE IF NOT EXISTS choices (
    game TEXT NOT NULL, number INTEGER NOT NULL, choice TEXT NOT NULL, by TEXT NOT NULL, PRIMARY KEY (game, number)
);
ALTER TABLE choices ADD COLUMN IF NOT EXISTS state TEXT NOT NULL DEFAULT '';
ALTER TABLE choices ADD COLUMN IF NOT EXISTS hash TEXT NOT NULL DEFAULT '';
CREATE TABLE IF NOT EXISTS matches (code TEXT PRIMARY KEY, data BYTEA NOT NULL);
ALTER TABLE matches ADD COLUMN IF NOT EXISTS saved TIMESTAMPTZ NOT NULL DEFAULT now();
CREATE INDEX IF NOT EXISTS saved_matches ON matches (saved);
CREATE TABLE IF NOT EXISTS operations (
    match TEXT NOT NULL, number INTEGER NOT NULL, data BYTEA NOT NULL, PRIMARY KEY (match, number)
);
ALTER TABLE operations ADD COLUMN IF NOT EXISTS saved TIMESTAMPTZ NOT NULL DEFAULT now();
ALTER TABLE operations DROP CONSTRAINT IF EXISTS of_a_match;
ALTER TABLE operations ADD CONSTRAINT of_a_match FOREIGN KEY (match) REFERENCES matches ON DELETE CASCADE NOT VALID;
CREATE TABLE IF NOT EXISTS kept (
    kind TEXT NOT NULL, id TEXT NOT NULL, data BYTEA NOT NULL, saved TIMESTAMPTZ NOT NULL DEFAULT now(),
    PRIMARY KEY (kind, id)
);
CREATE TABLE IF NOT EXISTS servers (id TEXT PRIMARY KEY, address TEXT NOT NULL, beat TIMESTAMPTZ NOT NULL);
CREATE TABLE IF NOT EXISTS known (name TEXT PRIMARY KEY, value TEXT NOT NULL);
"""


async def version_of(connection: Any) -> int:
    """Return the version of the tables; 0 if there are none yet. Raises `StoreError` for one from the future."""
    if await connection.fetchval("SELECT to_regclass('known')") is None:
        return 1 if await connection.fetchval("SELECT to_regclass('choices')") is not None else 0
    found = await connection.fetchval("SELECT value FROM known WHERE name = 'version'")
    version = int(found) if found is not None else 0
    if version > VERSION:
        raise StoreError(f"the database is of a newer flip7 (version {version}); this one reads {VERSION}")
    return version


async def bring_up_to_date(connection: Any) -> None:
    """Make the tables, or give older ones what they lack, within a transaction. Raises `StoreError`."""
    await connection.execute("SELECT pg_advisory_xact_lock($1)", UPGRADE_LOCK, timeout=60)
    version = await version_of(connection)
    if version == VERSION:
        return
    if not await connection.fetchval("SELECT pg_try_advisory_xact_lock($1)", LOCK):
        raise StoreError("another server of an older flip7 is using this database: stop it first")
    await connection.execute(_SCHEMA, timeout=PATIENCE)
    if version <= 1:
        await _chain(connection)
        await connection.execute("UPDATE games SET ended = now() WHERE over", timeout=PATIENCE)
        await connection.execute(
            "UPDATE rooms SET playing = TRUE WHERE code IN (SELECT code FROM games WHERE NOT over)", timeout=PATIENCE
        )
    # What was never dated counts from today.
    await connection.execute("UPDATE games SET ended = now() WHERE problem IS NOT NULL AND ended IS NULL")
    await connection.execute("INSERT INTO known VALUES ('secret', $1) ON CONFLICT DO NOTHING", secrets.token_hex(32))
    await connection.execute(
        "INSERT INTO known VALUES ('version', $1) ON CONFLICT (name) DO UPDATE SET value = excluded.value", str(VERSION)
    )


async def forget_dead_servers(connection: Any) -> None:
    """Forget the servers that died long ago, but not until when they served their tables."""
    await connection.execute(
        f"""WITH dead AS (SELECT id FROM servers WHERE beat < now() - interval '1 day'),
            left_behind AS (UPDATE rooms SET owner = NULL, used = {USED} WHERE owner IN (SELECT id FROM dead))
            DELETE FROM servers WHERE id IN (SELECT id FROM dead)"""
    )


async def _chain(connection: Any) -> None:
    """Chain the choices of the first version."""
    games = await connection.fetch("SELECT id, data FROM games", timeout=PATIENCE)
    choices = await connection.fetch(
        "SELECT game, number, choice, by FROM choices ORDER BY game, number", timeout=PATIENCE
    )
    rows = list(chain_old_games(map(tuple, games), map(tuple, choices)))
    update = "UPDATE choices SET hash = $1 WHERE game = $2 AND number = $3"
    await connection.executemany(update, rows, timeout=PATIENCE)
