"""The settings of a server, each with a default that suits one machine with people of good and bad will."""

from __future__ import annotations

from pathlib import Path

import msgspec

YEAR = 366
"""Days."""


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """How a server behaves. `flip7 serve` offers the few that operators change; tests change the others."""

    data: Path = Path("flip7-data")
    """The directory of the embedded database."""
    database: str | None = None
    """`postgresql://…` for PostgreSQL; `None` for SQLite in `data`."""

    advertise: str | None = None
    """HOST or HOST:PORT at which other servers of the same database reach this one; `None` is this machine alone."""

    allowed_hosts: tuple[str, ...] = ()
    """Names by which the server is called besides those of its machine; `"*"` is any."""

    link_port: int | None = None
    """The port to listen on for other servers, where it is not the one that is advertised."""

    pace: float = 1.0
    """Scales everything that waits for people to see what happens, the bots' thinking included; 0 waits for nothing."""
    grace: float = 60.0
    """Seconds without connection after which a player is played for, where there is no timer."""
    rematch: float = 10.0
    """Seconds in which players may leave before another game begins."""
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
    used: float = 15.0
    """Seconds for which a new table counts as used before anybody has connected."""
    keep_games: float = YEAR
    """Days for which finished games are kept, and what was set aside as damaged."""
    keep_matches: float = YEAR
    """Days for which a shared match is kept after the last entry."""
    tidy: float = 600.0
    """How often what need not be kept is looked for, in seconds."""
    sweep: float = 15.0
    """How often idle tables are looked for, in seconds."""

    frame_bytes: int = 4096
    body_bytes: int = 32768
    messages_per_second: float = 10.0
    message_burst: int = 30
    arrivals_per_second: float = 10.0
    arrival_burst: int = 300
    """Connections of any kind that one network may open; a browser opens up to seven for a page and its table."""
    sockets_per_second: float = 4.0
    socket_burst: int = 100
    """Sockets that one network may open."""
    requests_per_second: float = 10.0
    request_burst: int = 200
    """REST requests that one network may make at once."""
    files_per_second: float = 50.0
    file_burst: int = 1500
    """Files of the client that one network may ask for; large ones count more. A first visit takes below 100."""
    choices_per_second: float = 1000.0
    choice_burst: int = 10_000
    """Choices that bots and people of one network make, in those of a table of four; then they wait for their turn."""
    replay_per_second: float = 200.0
    replay_burst: int = 4000
    """What an address may miss and be told: choices at a table of four; those of larger ones count more."""
    finished_per_second: float = 400.0
    finished_burst: int = 20_000
    """The same for finished games, which another process tells again. Those that are kept cost nothing."""
    engine: bool = False
    """Whether coach and review may think, in processes of their own, where what they need is installed."""
    review_rollouts: int | None = None
    """For each choice of a review; unless told, as many as `flip7.review` takes at a table of that size."""
    reviews_per_second: float = 0.05
    review_burst: int = 10
    """Games that are reviewed for one address."""
    advice_per_second: float = 1.0
    advice_burst: int = 30
    """Questions of one address to the coach."""
    connections_per_address: int = 250
    """Of one network. A device that lost its connection without a word has two until that is noticed."""
    connections: int = 10_000
    spectators: int = 50
    """Spectators of one table."""
    tables_per_address: int = 60
    tables: int = 5000
    """Tables in use, from one network and in all."""
    queue: int = 64
    """Messages that may wait for one slow connection before it is closed."""
    request_seconds: float = 15.0
    """How long a request may take to arrive."""
    hello_seconds: float = 10.0
    """How long a new connection may say nothing."""
    emotes_per_second: float = 0.5
    emote_burst: int = 4
