"""Which store a server uses."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from flip7 import extras
from flip7.server.errors import StoreError
from flip7.server.settings import Settings
from flip7.server.store.base import Store
from flip7.server.store.sqlite import SqliteStore

FILE = "flip7.sqlite"
"""The name of the embedded database in its directory."""


def make_store(settings: Settings) -> Store:
    """The store that the settings name. Raises `StoreError` when there is no such kind."""
    if settings.database is None:
        return SqliteStore(settings.data / FILE)
    check_url(settings.database)
    store: Store = postgres_module("postgres").PostgresStore(settings.database)
    return store


def check_url(database: str) -> None:
    """Raises `StoreError` for the URL of another kind of database; what it says may hold a password."""
    if not database.startswith(("postgresql://", "postgres://")):
        raise StoreError("the database has to start with postgresql://")


def postgres_module(name: str) -> Any:
    """Return a module of the store that needs PostgreSQL. Raises `StoreError` if its extra is not installed."""
    try:
        return import_module(f"flip7.server.store.{name}")
    except ModuleNotFoundError as error:
        raise StoreError(extras.missing("PostgreSQL", error.name, "postgres")) from None
