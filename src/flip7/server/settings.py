"""The settings of a server, each with a default that suits one machine with people of good and bad will."""

from __future__ import annotations

from pathlib import Path

import msgspec


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """How a server behaves. `flip7 serve` offers the few that operators change; tests change the others."""

    data: Path = Path("flip7-data")
    """The directory of the embedded database."""
    database: str | None = None
    """`postgresql://…` for PostgreSQL; `None` for SQLite in `data`."""

    advertise: str | None = None
    """HOST or HOST:PORT at which other servers of the same database reach this one; `None` is this machine alone."""

    link_port: int | None = None
    """The port to listen on for other servers, where it is not the one that is advertised."""

    pace: float = 1.0
    """Scales everything that waits for people to see what happens, the bots' thinking included; 0 waits for nothing."""
    grace: float = 60.0
    """Seconds without connection after which a player is played for, where there is no timer."""
    timer_second: float = 1.0
    """How long a second of the turn timer is; tests are in a hurry."""
    seed: int | None = None
    """For tests: games are dealt from this number on, whatever players add. `None` takes seeds nobody can guess."""

    idle_lobby: float = 1800.0
    """Seconds after which a table without a running game is closed when nobody is connected."""
    idle_game: float = 3 * 86400.0
    """The same for a running game."""
    rest: float = 60.0
    """Seconds after which a table where nobody is connected is kept in the store alone."""
    used: float = 60.0
    """Seconds for which a table counts as used when nobody is connected."""
    sweep: float = 15.0
    """How often idle tables are looked for, in seconds."""

    frame_bytes: int = 4096
    body_bytes: int = 32768
    messages_per_second: float = 10.0
    message_burst: int = 30
    requests_per_second: float = 5.0
    request_burst: int = 60
    """REST requests that one address may make at once."""
    replay_per_second: float = 200.0
    replay_burst: int = 4000
    """Choices that are played again for one address, to replay games or to tell what somebody has missed."""
    connections_per_address: int = 100
    connections: int = 10_000
    spectators: int = 50
    """Spectators of one table."""
    tables_per_address: int = 20
    tables: int = 5000
    queue: int = 64
    """Messages that may wait for one slow connection before it is closed."""
    request_seconds: float = 15.0
    """How long a request may take to arrive."""
    hello_seconds: float = 10.0
    """How long a new connection may say nothing."""
    emotes_per_second: float = 0.5
    emote_burst: int = 4
