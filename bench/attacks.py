"""An ordinary evening, and an attacker who would spoil it: what each attack does to the tables of everybody else.

A server with the limits that it comes with; 100 tables of 5, each from a network of its own, a choice every two
seconds. Meanwhile one address asks for replays of games of 36, connects and drops, floods the server with requests for
files, enters into a shared match of 3,000 entries, eight loops each, spams a table of 36 with "ready", and plays at 60
tables against 35 bots or for 36 people at once, all as fast as it can. Fails if the 99th percentile of the
ordinary tables more than doubles and is above 20 ms. `FLIP7_ATTACKS=TABLESxSECONDS` changes the size, and
`FLIP7_ATTACKS_ONLY=NAME` leaves one attack. The attacker runs on the same machine, but an attacker's own processor is
elsewhere: so it runs at a niceness of 10, or of `FLIP7_ATTACKS_NICE`.
"""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import os
import random
import secrets
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from functools import partial
from http.client import HTTPConnection
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from bench._load import Load, Player, Table, allow_many_files, begin, cpu_seconds, make_tables
from tests.server.client import Process
from tests.server.inside import FAST, Browser, create, serving

from flip7.server.settings import Settings

SEATS, BIG, LOOPS, GAMES, ENTRIES = 5, 36, 8, 6, 3000
ATTACKER, SPAMMER, GAMBLER = "127.0.66.6", "127.0.66.7", "127.0.66.8"
MOST_TABLES = Settings().tables_per_address
LATE = 20.0
"""Milliseconds that are good enough, whatever they were before."""


class Prey(NamedTuple):
    """What there is to be attacked."""

    games: list[str]
    """Finished games of 36."""
    match: dict[str, str]
    """Where a long match is shared, and its key."""


Deed = Callable[[int, Prey], Awaitable[None]]
Siege = Callable[[int, Prey, float], Awaitable[int]]


async def large_games(folder: Path) -> list[str]:
    """Finished games of 36, in a store."""
    ids = []
    settings = {name: getattr(FAST, name) for name in FAST.__struct_fields__} | {"data": folder}
    async with serving(Settings(**settings)) as hub:
        for _ in range(GAMES):
            browser = Browser(hub, await create(hub, "Ana", bots=("zoe",) * (BIG - 1), start=True))
            await browser.open()
            await browser.play()
            ids.append(browser.game)
            await browser.close()
    return ids


def long_match(server: Process) -> dict[str, str]:
    """Share a match of very many entries."""
    start = {"kind": "start", "clock": 0, "device": "a", "players": ["Ana", "Ben"], "target": 1_000_000, "dealer": 0}
    shared: dict[str, str] = server.post("/api/matches", {"id": "long", "operations": [start]}).json()
    entries = [
        {"kind": "enter", "clock": number, "device": "a", "round": number, "entries": {"0": 1, "1": 2}}
        for number in range(1, ENTRIES)
    ]
    for first in range(0, len(entries), 300):
        body = {"key": shared["key"], "operations": entries[first : first + 300]}
        assert server.post(f"/api/matches/{shared['code']}/operations", body).status_code == 200
    return shared


# The attacks, in a process of their own.


async def fetch(port: int, path: str, body: bytes = b"") -> bytes:
    """Ask for something on a new connection, or bring something, and return how the answer begins."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(ATTACKER, 0))
    try:
        head = f"{'POST' if body else 'GET'} {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close"
        kind = f"\r\nContent-Type: application/json\r\nContent-Length: {len(body)}" if body else ""
        writer.write(f"{head}{kind}\r\n\r\n".encode() + body)
        answer = await reader.read(12)
        while await reader.read(1 << 16):
            pass
        return answer
    finally:
        writer.transport.abort()


async def replays(port: int, prey: Prey) -> None:
    await fetch(port, f"/api/games/{random.choice(prey.games)}{random.choice(('', '/record'))}")


async def connect_and_drop(port: int, prey: Prey) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(ATTACKER, 0))
    try:
        writer.write(
            b"GET /ws/ABCDE HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
        )
        await reader.read(12)
    finally:
        writer.transport.abort()


async def static_files(port: int, prey: Prey) -> None:
    await fetch(port, random.choice(("/", "/manifest.webmanifest", "/t/ABCDE")))


async def entries(port: int, prey: Prey) -> None:
    name = {"kind": "rename", "clock": ENTRIES, "device": secrets.token_hex(8), "player": "0", "name": "Anna"}
    body = {"key": prey.match["key"], "operations": [name]}
    await fetch(port, f"/api/matches/{prey.match['code']}/operations", json.dumps(body).encode())


async def repeat(deed: Deed, port: int, prey: Prey, seconds: float) -> int:
    """Do something in eight loops; return how often."""
    until, times = time.monotonic() + seconds, 0

    async def loop() -> None:
        nonlocal times
        while time.monotonic() < until:
            try:
                await deed(port, prey)
            except OSError:
                await asyncio.sleep(0.001)
            times += 1

    await asyncio.gather(*(loop() for _ in range(LOOPS)))
    return times


async def spam(port: int, prey: Prey, seconds: float) -> int:
    """Let 36 people on 36 devices at one table say again and again that they are ready, or not; return how often."""
    load = Load()
    (table,) = await asyncio.to_thread(make_tables, [port], 1, BIG, load, 200, [SPAMMER])
    for player in table.players:
        await player.connect(port, SPAMMER)
    await load.all_welcomed(BIG)
    until, said = time.monotonic() + seconds, 0
    while time.monotonic() < until:
        for player in table.players:
            if player.transport is not None and not player.transport.is_closing():
                player.send({"type": "ready", "ready": said % 2 == 0})
                said += 1
        await asyncio.sleep(0.01)
    return said


class Alone(Table):
    """A table at which one browser holds all seats but those of bots: it stays, at once, and plays again."""

    def __init__(self, port: int, people: int) -> None:
        players = [{"name": f"P{number}"} for number in range(people)]
        options = {"target": 1000, "speed": "instant"}
        body = {"players": players, "bots": ["carl"] * (BIG - people), "options": options, "start": True}
        connection = HTTPConnection("127.0.0.1", port, source_address=(GAMBLER, 0))
        connection.request("POST", "/api/tables", json.dumps(body), {"content-type": "application/json"})
        seated = json.loads(connection.getresponse().read())
        connection.close()
        super().__init__(seated["code"], Load())
        self.players = [Player(self, seated["token"])]
        self.people, self.heard, self.free_at = people, 0, 0.0

    def told(self, player: Player, frame: bytes) -> None:
        self.heard += frame.startswith(b'{"type":"step"')
        if b'"phase":"over"' in frame:
            self.say({"type": "rematch", "again": True})
        elif b'"ask":{' in frame:
            state = json.loads(frame)
            state = state if state["type"] == "step" else state["game"] | {"game": state["game"]["id"]}
            ask = state["ask"]
            if ask["seat"] < self.people:
                choice = "stay" if ask["kind"] == "turn" else ask["options"][0]
                self.say({"type": "choose", "game": state["game"], "number": state["number"], "choice": choice})

    def say(self, message: dict[str, Any]) -> None:
        """Say something, as soon as no more than ten messages a second are said."""
        now = time.monotonic()
        self.free_at = max(now, self.free_at + 0.1)
        asyncio.get_running_loop().call_later(self.free_at - now, self.players[0].send, message)


async def gamble(port: int, prey: Prey, seconds: float, people: int) -> int:
    """Play at as many tables of 36 as one network may have, with so many people and else bots; return the choices."""
    tables = [await asyncio.to_thread(Alone, port, people) for _ in range(MOST_TABLES)]
    for table in tables:
        await table.players[0].connect(port, GAMBLER)
    await asyncio.sleep(seconds)
    return sum(table.heard for table in tables)


ATTACKS: dict[str, Siege] = {
    "replays": partial(repeat, replays),
    "connect and drop": partial(repeat, connect_and_drop),
    "static files": partial(repeat, static_files),
    "entries into a match": partial(repeat, entries),
    "ready spam": spam,
    "bots at 60 tables": partial(gamble, people=1),
    "people at 60 tables": partial(gamble, people=BIG),
}


def niceness() -> int:
    """Return how far the attacker gives way to server and players, with whom it has to share a machine here."""
    return int(os.environ.get("FLIP7_ATTACKS_NICE", "10"))


def attack(name: str, port: int, prey: Prey, seconds: float, done: Any) -> None:
    """Attack for some seconds, and put how often into `done`."""
    os.nice(niceness())
    allow_many_files()

    async def run() -> int:
        return await ATTACKS[name](port, prey, seconds)

    done.put(asyncio.run(run()))


async def measure(load: Load, server: Process, seconds: float) -> tuple[float, float, float]:
    """Return median and 99th percentile of some seconds in milliseconds, and the share of a core that was used."""
    assert server.process is not None
    load.times.clear()
    load.measuring, cpu = True, cpu_seconds(server.process.pid)
    await asyncio.sleep(seconds)
    load.measuring = False
    return *load.milliseconds(), (cpu_seconds(server.process.pid) - cpu) / seconds


async def evening(server: Process, prey: Prey, tables: int, seconds: float, only: str | None = None) -> bool:
    """Let people play while each attack runs, or only one."""
    load = Load()
    addresses = [f"127.0.{1 + i // 200}.{1 + i % 200}" for i in range(tables)]
    made = await asyncio.to_thread(make_tables, [server.port], tables, SEATS, load, 1000, addresses)
    for table, address in zip(made, addresses, strict=True):
        for player in table.players:
            await player.connect(server.port, address)
    await load.all_welcomed(tables * SEATS)
    await begin(made)
    playing = [asyncio.create_task(table.play()) for table in made]
    await asyncio.sleep(3)
    loops = f"{LOOPS} loops at niceness {niceness()}"
    print(f"{tables} tables of {SEATS}, one address attacks with {loops}, {seconds:.0f} s each")
    print(f"{'attack':<22}{'times':>9}{'median':>10}{'99 %':>10}{'server':>9}{'99 % just before':>20}")
    context = multiprocessing.get_context("spawn")
    well = True
    for name in [only] if only else ATTACKS:
        _, usual, _ = await measure(load, server, seconds)
        queue = context.Queue()
        attacker = context.Process(target=attack, args=(name, server.port, prey, seconds + 2, queue))
        attacker.start()
        await asyncio.sleep(2.5)  # until it is under way
        median, late, cpu = await measure(load, server, seconds)
        times = await asyncio.to_thread(queue.get)
        await asyncio.to_thread(attacker.join)
        bad = late > max(LATE, 2 * usual)
        well = well and not bad
        print(
            f"{name:<22}{times:>9,}{median:>7.1f} ms{late:>7.1f} ms{100 * cpu:>7.0f} %{usual:>17.1f} ms"
            f"{'  too slow' if bad else ''}",
            flush=True,
        )
        await asyncio.sleep(2)
    for task in playing:
        task.cancel()
    for complaint in load.complaints[:3]:
        print(f"complaint: {complaint}")
    return well and not load.complaints


def run() -> bool:
    """Measure every attack."""
    tables, seconds = (int(number) for number in os.environ.get("FLIP7_ATTACKS", "100x12").split("x"))
    allow_many_files()
    with tempfile.TemporaryDirectory() as name:
        ids = asyncio.run(large_games(Path(name)))
        with Process(Settings(data=Path(name))) as server:
            prey = Prey(ids, long_match(server))
            return asyncio.run(evening(server, prey, tables, float(seconds), os.environ.get("FLIP7_ATTACKS_ONLY")))


if __name__ == "__main__":
    sys.exit(0 if run() else 1)
