"""Servers on one PostgreSQL that are killed, stopped and cut off while games run: who saw what, and whether it stayed.

`tests/server/test_chaos.py` runs it small; `python -m bench chaos` in full size.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import os
import random
import signal
import socket
import subprocess
import time
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import asyncpg  # type: ignore[import-untyped]
import httpx
import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

import flip7
from flip7.commands.check import broken_promise
from flip7.protocol.messages import Choose, Closed, FromServer, Hello, Refused, Step, Welcome
from flip7.server.settings import Settings

from .client import WIDE, Process
from .proxy import Proxy

JOIN_SECONDS, JOIN_PAUSE = 15.0, 1.0
REFUSED_SECONDS = 8.0
UNDISTURBED, ANSWERED_SECONDS = 0.5, 12.0
"""How often the next fault waits until all tables have answered, and how long it waits at most."""
ANSWER_SECONDS = 2.0
"""A browser that hears nothing for so long connects again, to whichever server."""


class Table:
    """What anybody has ever been told of the game at one table."""

    def __init__(self, code: str) -> None:
        self.code = code
        self.game: str | None = None
        self.commitment = ""
        """What was promised before the first card, as players were told."""
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
        assert self.table.commitment in ("", game.commitment), "another promise"
        self.table.game, self.table.commitment = game.id, game.commitment
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


class Outage(NamedTuple):
    """A table whose owner was lost, and how long it took until it answered again."""

    seconds: float
    fault: str
    code: str
    alone: bool
    """Whether no other fault hit database or servers meanwhile."""


class Join(NamedTuple):
    """A player who wanted to sit down once: where, and whether the server said that they did."""

    code: str
    seated: bool


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
        self.still_playing = 0
        """Tables whose games were not over after the last fault."""
        self.takeovers: list[Outage] = []
        self.joins: dict[str, Join] = {}
        """Who wanted to sit down while it stormed, by name."""
        self.restarts: list[float] = []
        """How long PostgreSQL itself was gone, each time."""
        self.after_restarts: list[Outage] = []
        """How long tables were silent after it was there again."""
        self._probes: dict[str, asyncio.Task[None]] = {}
        self._faults_so_far = 0

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
            link = Proxy(partial(asyncio.open_connection, "127.0.0.1", port))
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
                **WIDE,
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
        lives.append(asyncio.create_task(self._newcomers()))
        storm = asyncio.create_task(self._storm(faults, pause))
        try:
            done, _ = await asyncio.wait([storm, *lives], return_when=asyncio.FIRST_EXCEPTION)
            for task in done:
                task.result()
            await asyncio.gather(storm, *lives)
            await asyncio.gather(*self._probes.values())
        finally:
            tasks = (storm, *lives, *self._probes.values())
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _storm(self, faults: list[str], pause: tuple[float, float]) -> None:
        for fault in faults:
            await asyncio.sleep(self.rng.uniform(*pause))
            victims = [number for number in range(self.count) if await self._owned(number)]
            victim = self.rng.choice(victims or range(self.count))
            self._faults_so_far += 1
            await getattr(self, f"_{fault}")(victim)
            self.faults[fault] = self.faults.get(fault, 0) + 1
            if self._probes and self.rng.random() < UNDISTURBED:
                await asyncio.wait(self._probes.values(), timeout=ANSWERED_SECONDS)
        self.still_playing = sum(not table.over.is_set() for table in self.tables)
        self.thinking = 0.0

    async def _newcomers(self) -> None:
        """One after the other sits down at any table, through any server, for the next game there."""
        for number in itertools.count():
            if all(table.over.is_set() for table in self.tables):
                return
            name, table = f"Eve {number}", self.rng.choice(self.tables)
            seated = False
            with contextlib.suppress(httpx.TransportError):
                url = f"http://127.0.0.1:{self.rng.choice(self.ports())}/api/tables/{table.code}/join"
                async with httpx.AsyncClient(timeout=JOIN_SECONDS) as client:
                    seated = (await client.post(url, json={"players": [{"name": name}]})).status_code == 201
            self.joins[name] = Join(table.code, seated)
            await asyncio.sleep(self.rng.uniform(0, JOIN_PAUSE))

    # How long a table is without an owner.

    async def _owned(self, victim: int) -> list[str]:
        """Return the tables that a server owns now."""
        operator = await asyncpg.connect(self.url)
        rows = await operator.fetch(
            "SELECT code FROM rooms "
            "WHERE owner = (SELECT id FROM servers WHERE address = $1 ORDER BY beat DESC LIMIT 1)",
            self.servers[victim].settings.advertise,
        )
        await operator.close()
        return [row["code"] for row in rows]

    def _probe(self, fault: str, victim: int | None, codes: list[str], into: list[Outage]) -> None:
        """From now on, ask for these tables at servers that are not the victim, until they answer."""
        for code in codes:
            if code in self._probes:  # It had not answered yet, and has lost its owner again.
                self._probes.pop(code).cancel()
            task = asyncio.create_task(self._ask(fault, victim, code, into))
            self._probes[code] = task

    async def _ask(self, fault: str, victim: int | None, code: str, into: list[Outage]) -> None:
        lost, number = time.monotonic(), self._faults_so_far
        ports = [server.port for i, server in enumerate(self.servers) if i != victim]
        while True:
            with contextlib.suppress(OSError, WebSocketException, TimeoutError, EOFError):
                url = f"ws://127.0.0.1:{self.rng.choice(ports)}/ws/{code}"
                async with connect(url, compression=None, max_size=None, close_timeout=0.1) as line:
                    await line.send(msgspec.json.encode(Hello()).decode())
                    message: FromServer = msgspec.json.decode(await line.recv(), type=FromServer)
                    if isinstance(message, Welcome):
                        seconds = time.monotonic() - lost
                        into.append(Outage(seconds, fault, code, number == self._faults_so_far))
                        self._probes.pop(code, None)
                        return
            await asyncio.sleep(0.05)

    async def _kill(self, victim: int) -> None:
        """As a power cut would; started again a moment later."""
        server = self.servers[victim]
        codes = await self._owned(victim)
        self._probe("kill", victim, codes, self.takeovers)
        await asyncio.to_thread(server.kill)
        await asyncio.sleep(self.rng.uniform(0, 3))
        await asyncio.to_thread(server.start)

    async def _stop(self, victim: int) -> None:
        """Stopped for longer than the lease, then it goes on."""
        process = self.servers[victim].process
        assert process is not None
        codes = await self._owned(victim)
        self._probe("stop", victim, codes, self.takeovers)
        os.kill(process.pid, signal.SIGSTOP)
        await asyncio.sleep(self.rng.uniform(6.0, 8.0))
        os.kill(process.pid, signal.SIGCONT)

    async def _terminate(self, victim: int) -> None:
        """A rolling restart."""
        server = self.servers[victim]
        codes = await self._owned(victim)
        self._probe("terminate", victim, codes, self.takeovers)
        assert await asyncio.to_thread(server.stop) == 0
        await asyncio.to_thread(server.start)

    async def _cut_database(self, victim: int) -> None:
        self.databases[victim].cut()

    async def _refuse_database(self, victim: int) -> None:
        """For longer than the lease nobody gets through to the database from one server, which goes on otherwise."""
        self._probe("refuse_database", victim, await self._owned(victim), self.takeovers)
        await self.databases[victim].refuse(REFUSED_SECONDS)

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
        killed = time.monotonic()
        os.kill(int(note.read_text().split()[0]), signal.SIGKILL)
        for path in (note, *note.parent.glob(".s.PGSQL.*.lock")):
            path.unlink()  # Where nobody buries the dead, the number still looks alive.
        for _ in range(20):  # Its other processes have to be gone first.
            await asyncio.sleep(0.5)
            with contextlib.suppress(subprocess.SubprocessError):
                await asyncio.to_thread(self.postgres.ensure_postgres_running)
                self.restarts.append(time.monotonic() - killed)
                self._probe("kill_postgres", None, [table.code for table in self.tables], self.after_restarts)
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
            assert broken_promise(game, table.commitment) is None
            steps = list(game.steps())[1:]
            for number, told in table.steps.items():
                assert told.choice == steps[number - 1].choice, f"table {table.code}: state {number} is another one now"
                assert list(told.events) == list(steps[number - 1].events)
            await self._check_seats(table.code)

    async def _check_seats(self, code: str) -> None:
        """See that everybody who was told so sits at a table, and nobody twice."""
        answer = await asyncio.to_thread(self.servers[0].get, f"/api/tables/{code}")
        names = [seat["name"] for seat in answer.json()["seats"] if seat["name"].startswith("Eve")]
        assert len(set(names)) == len(names)
        wanted = {name for name, join in self.joins.items() if join.code == code}
        assert {name for name in wanted if self.joins[name].seated} <= set(names) <= wanted

    def slowest(self) -> float:
        """Return how long the slowest table took to answer after it had lost its owner, other faults left aside."""
        return max((outage.seconds for outage in self.takeovers if outage.alone), default=0.0)

    def report(self) -> str:
        """What happened, in a few lines."""
        steps = sum(len(table.steps) for table in self.tables)
        counts = ", ".join(f"{name} {count}" for name, count in sorted(self.faults.items()))
        tables = f"{len(self.tables)} tables ({self.still_playing} still playing after the last fault)"
        lines = [
            f"{sum(self.faults.values())} faults ({counts}), {tables}, {steps} choices seen",
            f"{sum(join.seated for join in self.joins.values())} of {len(self.joins)} newcomers were given a seat",
            f"{len(self.outages)} returns of clients, the longest after {max(self.outages, default=0.0):.1f} s",
        ]
        lines += [
            _summary(f"owner lost by {fault}", [one for one in self.takeovers if one.fault == fault])
            for fault in sorted({outage.fault for outage in self.takeovers})
        ]
        if self.restarts:
            lines.append(f"PostgreSQL gone {len(self.restarts)} times, for up to {max(self.restarts):.1f} s")
            lines.append(_summary("after it was there again", self.after_restarts))
        return "\n".join(lines)


def _summary(what: str, outages: list[Outage]) -> str:
    alone = sorted(outage.seconds for outage in outages if outage.alone)
    others = [outage.seconds for outage in outages if not outage.alone]
    median = alone[len(alone) // 2] if alone else 0.0
    text = (
        f"{what}: {len(alone)} tables answered after {median:.1f} s (median), {max(alone, default=0.0):.1f} s (longest)"
    )
    return (
        f"{text}; {len(others)} more, hit by another fault meanwhile, {max(others):.1f} s (longest)" if others else text
    )


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port: int = probe.getsockname()[1]
        return port
