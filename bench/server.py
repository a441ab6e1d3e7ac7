"""One server process under load: 1,000 tables of 5 connected players, a choice every 2 seconds at each.

Prints how long a choice takes to reach everybody (commit included), the CPU that the server uses, and its memory per
connection. `FLIP7_LOAD=TABLESxSECONDS` changes the size.
"""

from __future__ import annotations

import asyncio
import base64
import json
import os
import random
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

PLAYERS = 5
EVERY = 2.0
MEDIAN, LATE, MEMORY = 10.0, 100.0, 40.0
"""What is required: milliseconds, milliseconds for 99 of 100, and (an aim) kB for each connection."""

SERVER = """
import socket, sys
from pathlib import Path
from flip7.server.app import App
from flip7.server.serve import run
from flip7.server.settings import Settings
port, folder = int(sys.argv[1]), Path(sys.argv[2])
many = 10**6
settings = Settings(data=folder, tables=many, tables_per_address=many, connections=many, connections_per_address=many,
                    requests_per_second=many, request_burst=many)
run(App(settings), socket.create_server(("127.0.0.1", port), backlog=4096))
"""


class Player(asyncio.Protocol):
    """One browser: as small a WebSocket client as there can be, so that the load costs less than the server."""

    def __init__(self, table: Table, token: str, seats: list[int]) -> None:
        self.table, self.token, self.seats = table, token, seats
        self.buffer = b""
        self.open = False
        self.transport: asyncio.Transport | None = None

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
            if self.sent and self.load.measuring:
                self.load.times.append(now - self.sent)
            if player is self.players[0]:
                step = json.loads(frame)
                self.game, self.number, self.ask = step["game"], step["number"], step["ask"]
        elif frame.startswith(b'{"type":"welcome"'):
            self.load.welcome()
        elif frame.startswith((b'{"type":"refused"', b'{"type":"closed"')):
            self.load.complaints.append(frame.decode())

    async def play(self) -> None:
        """A choice every two seconds, not in step with other tables."""
        at = time.perf_counter() + random.uniform(0, EVERY)
        while True:
            await asyncio.sleep(max(0.0, at - time.perf_counter()))
            at += EVERY
            if self.ask is None:
                continue
            choice = self.ask["options"][0 if random.random() < 0.6 else -1]
            self.sent = time.perf_counter()
            player = self.players[self.ask["seat"]]
            player.send({"type": "choose", "game": self.game, "number": self.number, "choice": choice})


class Load:
    """Everything that is measured from outside."""

    def __init__(self) -> None:
        self.measuring = False
        self.times: list[float] = []
        self.complaints: list[str] = []
        self._welcomes: asyncio.Queue[None] = asyncio.Queue()

    def welcome(self) -> None:
        self._welcomes.put_nowait(None)

    async def all_welcomed(self, players: int) -> None:
        for _ in range(players):
            await self._welcomes.get()


def cpu_seconds(pid: int) -> float:
    """User and system time of a process."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def memory_kb(pid: int) -> int:
    """The memory that a process has for itself."""
    line = next(line for line in Path(f"/proc/{pid}/status").read_text().splitlines() if line.startswith("VmRSS"))
    return int(line.split()[1])


def make_tables(port: int, count: int, load: Load) -> list[Table]:
    """Tables with their players, through the REST interface."""

    def make(number: int) -> Table:
        connection = HTTPConnection("127.0.0.1", port)

        def post(path: str, name: str) -> Any:
            body = json.dumps({"players": [{"name": name}]})
            connection.request("POST", path, body, {"content-type": "application/json"})
            answer = connection.getresponse()
            assert answer.status == 201, answer.read()
            return json.loads(answer.read())

        seated = [post("/api/tables", f"P{number}")]
        code = seated[0]["code"]
        seated += [post(f"/api/tables/{code}/join", f"P{number}.{i}") for i in range(1, PLAYERS)]
        connection.close()
        table = Table(code, load)
        table.players = [Player(table, one["token"], one["seats"]) for one in seated]
        return table

    with ThreadPoolExecutor(8) as pool:
        return list(pool.map(make, range(count)))


async def drive(pid: int, port: int, count: int, seconds: float) -> bool:
    load = Load()
    loop = asyncio.get_running_loop()
    began = time.perf_counter()
    tables = await asyncio.to_thread(make_tables, port, count, load)
    print(f"{count} tables made in {time.perf_counter() - began:.1f} s")
    bare = memory_kb(pid)
    players = [player for table in tables for player in table.players]
    for start in range(0, len(players), 100):
        some = players[start : start + 100]
        await asyncio.gather(*(loop.create_connection(lambda p=p: p, "127.0.0.1", port) for p in some))  # type: ignore[misc]
    await load.all_welcomed(len(players))
    await asyncio.sleep(1)
    connected = memory_kb(pid)
    for table in tables:
        for player in table.players[1:]:
            player.send({"type": "ready"})
    await asyncio.sleep(5)
    for table in tables:
        table.players[0].send({"type": "start"})
        await asyncio.sleep(0.002)
    games = [asyncio.create_task(table.play()) for table in tables]
    await asyncio.sleep(5)
    load.measuring = True
    cpu, own, began = cpu_seconds(pid), cpu_seconds(os.getpid()), time.perf_counter()
    await asyncio.sleep(seconds)
    load.measuring = False
    took = time.perf_counter() - began
    cpu, own = cpu_seconds(pid) - cpu, cpu_seconds(os.getpid()) - own
    playing = memory_kb(pid)
    for task in games:
        task.cancel()
    for player in players:
        if player.transport:
            player.transport.abort()
    return report(load, len(players), took, cpu, own, (bare, connected, playing))


def report(load: Load, players: int, took: float, cpu: float, own: float, memory: tuple[int, int, int]) -> bool:
    times = sorted(1000 * value for value in load.times)
    median, late = statistics.median(times), times[int(len(times) * 0.99)]
    each, with_game = (memory[1] - memory[0]) / players, (memory[2] - memory[0]) / players
    print(
        f"{len(times)} messages to {players} connections in {took:.0f} s, {len(times) / took / PLAYERS:.0f} choices/s"
    )
    print(
        f"choice to broadcast, durable: median {median:.1f} ms (required {MEDIAN:.0f}), 99 % {late:.1f} ms ({LATE:.0f})"
    )
    print(f"CPU of the server {100 * cpu / took:.0f} % of one core; of the load {100 * own / took:.0f} %")
    print(f"memory {each:.1f} kB per connection (aim {MEMORY:.0f}); {with_game:.1f} kB with its game")
    print(f"the server in all: {memory[2] / 1024:.0f} MB")
    for complaint in load.complaints[:3]:
        print(f"complaint: {complaint}")
    return median < MEDIAN and late < LATE and not load.complaints


def run() -> bool:
    """Start a server, drive it, stop it."""
    tables, seconds = (int(number) for number in os.environ.get("FLIP7_LOAD", "1000x30").split("x"))
    import resource

    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    with tempfile.TemporaryDirectory() as folder:
        server = subprocess.Popen([sys.executable, "-c", SERVER, str(port), folder])
        try:
            for _ in range(200):
                try:
                    urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz")
                    break
                except OSError:
                    time.sleep(0.05)
            return asyncio.run(drive(server.pid, port, tables, seconds))
        finally:
            server.terminate()
            server.wait()


def main() -> int:
    return 0 if run() else 1


if __name__ == "__main__":
    sys.exit(main())
