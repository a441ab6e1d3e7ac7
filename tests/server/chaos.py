"""Servers on one PostgreSQL that are killed, stopped and cut off while games run: who saw what, and whether it stayed.

`tests/server/test_chaos.py` runs it small; `python -m bench chaos` in full size.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import signal
import socket
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import asyncpg  # type: ignore[import-untyped]
import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

import flip7
from flip7.protocol.messages import Choose, Closed, FromServer, Hello, Refused, Step, Welcome
from flip7.server.settings import Settings

from .client import Process

ANSWER_SECONDS = 2.0
"""A browser that hears nothing for so long connects again, to whichever server."""


class Proxy:
    """A line between a server and something else, which can be cut, or swallow what comes back."""

    def __init__(self, target: Callable[[], Any]) -> None:
        """`target` opens a connection to the other side."""
        self._target = target
        self._listener: asyncio.Server | None = None
        self._lines: set[asyncio.StreamWriter] = set()
        self._swallow = False
        self.port = 0

    async def open(self) -> None:
        self._listener = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.port = self._listener.sockets[0].getsockname()[1]

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            far_reader, far_writer = await self._target()
        except OSError:
            writer.close()
            return
        lines = {writer, far_writer}
        self._lines |= lines
        with contextlib.suppress(asyncio.CancelledError):  # the end of the run
            await asyncio.gather(self._pump(reader, far_writer, back=False), self._pump(far_reader, writer, back=True))
        self._lines -= lines

    async def _pump(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, *, back: bool) -> None:
        with contextlib.suppress(OSError):
            while data := await reader.read(65536):
                if back and self._swallow:
                    continue
                writer.write(data)
                await writer.drain()
        writer.close()

    async def swallow(self, seconds: float) -> None:
        """Let everything arrive at the other side, but no answer come back; then cut the lines."""
        self._swallow = True
        await asyncio.sleep(seconds)
        self.cut()
        self._swallow = False

    def cut(self) -> None:
        for line in self._lines:
            if line.transport is not None:
                line.transport.abort()

    async def close(self) -> None:
        if self._listener is not None:
            self._listener.close()
        self.cut()
        await asyncio.sleep(0)


class Table:
    """What anybody has ever been told of the game at one table."""

    def __init__(self, code: str) -> None:
        self.code = code
        self.game: str | None = None
        self.steps: dict[int, Step] = {}
        self.over = asyncio.Event()

    def note(self, step: Step) -> None:
        """Remember a step; it must be the one that others were told."""
        plain = msgspec.structs.replace(step, ask=None)
        known = self.steps.setdefault(step.number, plain)
        assert (known.choice, known.seat, known.events) == (step.choice, step.seat, step.events), (
            f"table {self.code}: state {step.number} was told in two ways"
        )
        if step.ask is None:
            self.over.set()


class Guest:
    """A player, or with no token a spectator, who goes on through everything, at any server."""

    def __init__(self, chaos: Chaos, table: Table, token: str | None, seed: int) -> None:
        self.chaos, self.table, self.token = chaos, table, token
        self.rng = random.Random(seed)
        self.number = 0
        """The last state that was seen."""
        self.own: set[int] = set()
        self.lost_at: float | None = None

    async def live(self) -> None:
        while not self.table.over.is_set() or self.number < max(self.table.steps):
            with contextlib.suppress(OSError, WebSocketException, TimeoutError, EOFError):
                await self._visit()
            if self.lost_at is None:
                self.lost_at = time.monotonic()
            await asyncio.sleep(self.rng.uniform(0.02, 0.15))

    async def _visit(self) -> None:
        port = self.rng.choice(self.chaos.ports())
        async with connect(
            f"ws://127.0.0.1:{port}/ws/{self.table.code}",
            compression=None,
            max_size=None,
            open_timeout=ANSWER_SECONDS,
            close_timeout=0.1,
        ) as line:
            hello = Hello(token=self.token, game=self.table.game, number=self.number)
            await line.send(msgspec.json.encode(hello).decode())
            ask = None
            answered = -1
            while True:
                if ask is not None and ask.seat in self.own and answered != self.number:
                    answered = self.number
                    await asyncio.sleep(self.rng.uniform(0, self.chaos.thinking))
                    choice = self.rng.choice(ask.options)
                    assert self.table.game is not None
                    chosen = Choose(game=self.table.game, number=self.number, choice=choice)
                    await line.send(msgspec.json.encode(chosen).decode())
                message = await self._receive(line)
                if isinstance(message, Welcome):
                    ask = self._welcomed(message)
                    if ask is None:
                        return
                elif isinstance(message, Step):
                    self._told(message)
                    ask = message.ask
                    if ask is None:
                        return
                elif isinstance(message, Refused) and message.code not in ("stale", "not_your_turn"):
                    answered = -1
                elif isinstance(message, Closed):
                    assert message.resume, f"table {self.table.code}: {message}"
                    return

    async def _receive(self, line: ClientConnection) -> FromServer:
        while True:
            try:
                async with asyncio.timeout(ANSWER_SECONDS):
                    frame = await line.recv()
            except TimeoutError:
                async with asyncio.timeout(ANSWER_SECONDS):
                    await line.send('{"type":"ping","at":1}')
                    frame = await line.recv()
            message: FromServer = msgspec.json.decode(frame, type=FromServer)
            return message

    def _welcomed(self, welcome: Welcome) -> Any:
        now = time.monotonic()
        if self.lost_at is not None:
            self.chaos.outages.append(now - self.lost_at)
            self.lost_at = None
        self.own = {i for i, seat in enumerate(welcome.room.seats) if seat.id in welcome.seats}
        assert welcome.room.notice is None, welcome.room.notice
        game = welcome.game
        assert game is not None
        assert self.table.game in (None, game.id), "another game"
        self.table.game = game.id
        assert game.number >= self.number, f"state {self.number} was told, and is lost: {game.number}"
        assert not welcome.missed or game.number == self.number
        self.number = game.number
        for step in welcome.missed:
            self._told(step)
        if game.ask is None and not welcome.missed:
            self.table.over.set()
            self.chaos.ended.add(self.table.code)
        return welcome.missed[-1].ask if welcome.missed else game.ask

    def _told(self, step: Step) -> None:
        assert step.number == self.number + 1, f"after state {self.number} came {step.number}"
        self.table.note(step)
        self.number = step.number


class Chaos:
    """The whole arrangement."""

    def __init__(self, postgres: Any, url: str, folder: Path, servers: int, tables: int, seed: int = 7) -> None:
        self.postgres, self.url, self.folder = postgres, url, folder
        self.rng = random.Random(seed)
        self.count, self.tables_wanted = servers, tables
        self.servers: list[Process] = []
        self.databases: list[Proxy] = []
        self.links: list[Proxy] = []
        self.tables: list[Table] = []
        self.guests: list[Guest] = []
        self.outages: list[float] = []
        self.ended: set[str] = set()
        self.thinking = 0.6
        self.faults: dict[str, int] = {}

    def ports(self) -> list[int]:
        return [server.port for server in self.servers]

    async def open(self) -> None:
        host = self.url.partition("host=")[2].partition("&")[0]
        name = self.url.partition("?")[0].rpartition("/")[2]
        socket_path = f"{host}/.s.PGSQL.5432"
        for number in range(self.count):
            database = Proxy(lambda: asyncio.open_unix_connection(socket_path))
            await database.open()
            port = _free_port()
            link = Proxy(lambda port=port: asyncio.open_connection("127.0.0.1", port))  # type: ignore[misc]
            await link.open()
            settings = Settings(
                data=self.folder / str(number),
                database=f"postgresql://postgres@127.0.0.1:{database.port}/{name}?sslmode=disable",
                advertise=f"127.0.0.1:{link.port}",
                link_port=port,
                pace=0.05,
                tables_per_address=10_000,
                request_burst=100_000,
                connections_per_address=10_000,
                replay_burst=10_000_000,
                replay_per_second=10_000_000,
                messages_per_second=1000,
                message_burst=1000,
            )
            server = Process(settings)
            self.databases.append(database)
            self.links.append(link)
            self.servers.append(server)
        await asyncio.gather(*(asyncio.to_thread(server.start) for server in self.servers))
        for number in range(self.tables_wanted):
            server = self.servers[number % self.count]
            bots = self.rng.choices(["carl", "bea", "zoe"], k=2)
            body = {"player": {"name": f"Ana {number}"}, "bots": bots, "options": {"target": 200}}
            seated = await asyncio.to_thread(server.seat, "/api/quick", body)
            table = Table(seated.code)
            self.tables.append(table)
            self.guests.append(Guest(self, table, seated.token, number))
            if number % 3 == 0:
                self.guests.append(Guest(self, table, None, -number - 1))

    async def close(self) -> None:
        for server in self.servers:
            if server.process is not None and server.process.poll() is None:
                server.process.send_signal(signal.SIGCONT)
                server.kill()
        for proxy in (*self.databases, *self.links):
            await proxy.close()

    async def run(self, faults: list[str], pause: tuple[float, float]) -> None:
        """Let everybody play while the faults happen; returns when all games are over."""
        lives = [asyncio.create_task(guest.live()) for guest in self.guests]
        storm = asyncio.create_task(self._storm(faults, pause))
        try:
            done, _ = await asyncio.wait([storm, *lives], return_when=asyncio.FIRST_EXCEPTION)
            for task in done:
                task.result()
            await asyncio.gather(storm, *lives)
        finally:
            for task in (storm, *lives):
                task.cancel()
            await asyncio.gather(storm, *lives, return_exceptions=True)

    async def _storm(self, faults: list[str], pause: tuple[float, float]) -> None:
        for fault in faults:
            await asyncio.sleep(self.rng.uniform(*pause))
            victim = self.rng.randrange(self.count)
            await getattr(self, f"_{fault}")(victim)
            self.faults[fault] = self.faults.get(fault, 0) + 1
        self.thinking = 0.0

    async def _kill(self, victim: int) -> None:
        """As a power cut would; started again a moment later."""
        server = self.servers[victim]
        await asyncio.to_thread(server.kill)
        await asyncio.sleep(self.rng.uniform(0, 3))
        await asyncio.to_thread(server.start)

    async def _stop(self, victim: int) -> None:
        """Stopped for longer than the lease, then it goes on."""
        process = self.servers[victim].process
        assert process is not None
        os.kill(process.pid, signal.SIGSTOP)
        await asyncio.sleep(self.rng.uniform(6.0, 8.0))
        os.kill(process.pid, signal.SIGCONT)

    async def _terminate(self, victim: int) -> None:
        """A rolling restart."""
        server = self.servers[victim]
        assert await asyncio.to_thread(server.stop) == 0
        await asyncio.to_thread(server.start)

    async def _cut_database(self, victim: int) -> None:
        self.databases[victim].cut()

    async def _cut_links(self, victim: int) -> None:
        self.links[victim].cut()

    async def _swallow(self, victim: int) -> None:
        """Commits arrive, their answers do not."""
        await self.databases[victim].swallow(self.rng.uniform(0.2, 1.5))

    async def _terminate_backends(self, victim: int) -> None:
        operator = await asyncpg.connect(self.url)
        await operator.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
        await operator.close()

    async def _kill_postgres(self, victim: int) -> None:
        """The database itself is killed, and started again."""
        note = self.postgres.pgdata / "postmaster.pid"
        os.kill(int(note.read_text().split()[0]), signal.SIGKILL)
        for path in (note, *note.parent.glob(".s.PGSQL.*.lock")):
            path.unlink()  # Where nobody buries the dead, the number still looks alive.
        for _ in range(20):  # Its other processes have to be gone first.
            await asyncio.sleep(0.5)
            with contextlib.suppress(subprocess.SubprocessError):
                await asyncio.to_thread(self.postgres.ensure_postgres_running)
                return
        raise AssertionError("the database does not start again")

    async def check(self) -> None:
        """See that nothing that anybody saw was lost, doubled or reordered, and that every record is sound."""
        for table in self.tables:
            assert table.game is not None
            record = None
            for server in self.servers:
                answer = await asyncio.to_thread(server.get, f"/api/games/{table.game}/record")
                assert answer.status_code == 200, answer.text
                assert record in (None, answer.text)
                record = answer.text
            assert record is not None
            game = flip7.Game.from_record(record)
            assert game.winner is not None
            steps = list(game.steps())[1:]
            for number, told in table.steps.items():
                assert told.choice == steps[number - 1].choice, f"table {table.code}: state {number} is another one now"
                assert list(told.events) == list(steps[number - 1].events)

    def report(self) -> str:
        """What happened, in one line."""
        late = max(self.outages, default=0.0)
        steps = sum(len(table.steps) for table in self.tables)
        counts = ", ".join(f"{name} {count}" for name, count in sorted(self.faults.items()))
        return (
            f"{sum(self.faults.values())} faults ({counts}), {len(self.tables)} tables, {steps} choices seen, "
            f"{len(self.outages)} returns, the longest after {late:.1f} s"
        )


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port: int = probe.getsockname()[1]
        return port
