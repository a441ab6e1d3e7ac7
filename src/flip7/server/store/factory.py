"""Which store a server uses."""

from __future__ import annotations

from flip7 import extras
from flip7.server.errors import StoreError
from flip7.server.settings import Settings
from flip7.server.store.base import Store
from flip7.server.store.sqlite import SqliteStore


def make_store(settings: Settings) -> Store:
    """The store that the settings name. Raises `StoreError` when there is no such kind."""
    if settings.database is None:
        return SqliteStore(settings.data / "flip7.sqlite")
    if not settings.database.startswith(("postgresql://", "postgres://")):
        raise StoreError(f"database {settings.database!r}: it has to start with postgresql://")
    try:
        from flip7.server.store.postgres import PostgresStore
    except ModuleNotFoundError as error:
        raise StoreError(extras.missing("PostgreSQL", error.name, "postgres")) from None
    return PostgresStore(settings.database)
