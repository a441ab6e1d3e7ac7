"""Servers without processes: hubs in this loop, and browsers that speak to them through the application's own door."""

from __future__ import annotations

import asyncio
import gzip
import json
import sys
from collections.abc import Callable
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Any, TypeVar
from urllib.parse import unquote

import msgspec

from flip7.protocol.messages import Ask, Choose, Closed, FromClient, FromServer, Hello, Options, Player, Step, Welcome
from flip7.protocol.rest import Seated
from flip7.server.app import App
from flip7.server.daily_log import Clock
from flip7.server.engine import Engine
from flip7.server.hub import Hub
from flip7.server.settings import Settings
from flip7.server.sockets import serve_socket, serve_visitor
from flip7.server.store.factory import make_store

from .client import plain

M = TypeVar("M")
SECONDS = 30.0
ADDRESS = "192.0.2.1"
FAST = Settings(data=Path(), pace=0, message_burst=10_000, request_burst=10_000, tables_per_address=1000)


@asynccontextmanager
async def serving(settings: Settings, clock: Clock | None = None) -> Any:
    """A hub that is open; it takes the date from a clock, if one is given."""
    hub = make_hub(settings, clock)
    await hub.open()
    try:
        yield hub
    finally:
        await hub.close()


@asynccontextmanager
async def serving_app(settings: Settings) -> Any:
    """A whole application that is open."""
    app = App(settings)
    await app.hub.open()
    try:
        yield app
    finally:
        await app.hub.close()


def make_hub(settings: Settings, clock: Clock | None = None) -> Hub:
    hub = Hub(settings, make_store(settings))
    hub.days.clock = clock or hub.days.clock
    hub.links.serve = partial(serve_visitor, hub)
    return hub


async def eventually(condition: Callable[[], bool]) -> None:
    """Wait until something is so, however busy the machine is."""
    until = monotonic() + SECONDS
    while not condition():
        assert monotonic() < until, "it never is"
        await asyncio.sleep(0.01)


async def create(hub: Hub, *names: str, bots: tuple[str, ...] = (), start: bool = False, **options: Any) -> Seated:
    players = tuple(Player(name=name) for name in names)
    return await hub.create(players, Options(**options), bots, start=start, address=ADDRESS)


async def record_of(hub: Hub, game: str) -> str:
    """The record of a finished game, as it is downloaded."""
    return gzip.decompress((await hub.replays.get(game, "192.0.2.1")).record).decode()


async def get(app: App, path: str, method: str = "GET", body: object = None) -> tuple[int, bytes]:
    """Ask an application that is open for something over HTTP; return status and body."""
    path, _, query = path.partition("?")
    sent: list[Any] = []
    headers = [(b"host", b"localhost"), (b"content-type", b"application/json")]
    scope = {
        "type": "http",
        "method": method,
        "path": unquote(path),
        "raw_path": path.encode(),
        "query_string": query.encode(),
        "headers": headers,
        "client": (ADDRESS, 1),
        "server": ("localhost", 80),
        "scheme": "http",
        "http_version": "1.1",
        "root_path": "",
    }
    asked = [{"type": "http.request", "body": msgspec.json.encode(body) if body is not None else b""}]

    async def receive() -> Any:
        return asked.pop() if asked else {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        sent.append(message)

    await app(scope, receive, send)
    return sent[0]["status"], b"".join(part.get("body", b"") for part in sent[1:])


FAKE = """
import json, sys
from flip7.server.jobs import serve

def work(body, report):
    job = json.loads(body)
    with open(sys.argv[1], "a") as log:
        print(job["job"], file=log)
    answer = json.loads(sys.argv[2]).get(job["job"], "null")
    if answer is None:
        raise RuntimeError("this cannot be thought")
    return answer.encode()

serve(work, 0)
"""


class FakeEngine(Engine):
    """An engine that thinks nothing: it gives these answers, texts by the name of a job; `None` is a failure."""

    def __init__(self, folder: Path, **answers: str | None) -> None:
        self._log = folder / "jobs"
        command = (sys.executable, "-c", FAKE, str(self._log), json.dumps(answers))
        super().__init__(wanted=True, note=folder / "note.json", installed=lambda: True, command=command)

    def jobs(self, name: str) -> int:
        """How often it was given such a job, with all others that write to the same folder."""
        return self._log.read_text().split().count(name) if self._log.exists() else 0


def use_engine(hub: Hub, engine: Engine) -> None:
    """Let a hub that is not open yet think with another engine."""
    hub.engine = hub.coach._engine = hub.reviews._engine = hub.daily._engine = engine


@asynccontextmanager
async def two_thinking(settings: Settings, folder: Path, clock: Clock | None = None, **answers: str | None) -> Any:
    """Two hubs of one database that know of each other, and an engine that counts what both have thought about."""
    hubs = [make_hub(settings, clock) for _ in range(2)]
    for hub in hubs:
        use_engine(hub, FakeEngine(folder, **answers))
        await hub.open()
    try:
        await asyncio.gather(*(hub.engine.ready() for hub in hubs))
        await asyncio.gather(*(hub.membership._beat() for hub in hubs))
        yield hubs
    finally:
        for hub in hubs:
            await hub.close()


class Browser:
    """One browser, as far as the server can tell."""

    def __init__(self, hub: Hub, seated: Seated, *, watch: bool = False, address: str = ADDRESS) -> None:
        self.hub = hub
        self.address = address
        self.code, self.token = seated.code, None if watch else seated.token
        self.messages: list[FromServer] = []
        self.game, self.number = "", -1
        self.ask: Ask | None = None
        self._news: asyncio.Queue[FromServer | None] = asyncio.Queue()
        self._says: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self._task: asyncio.Task[None] | None = None

    async def open(self, game: str | None = None, number: int = 0) -> Welcome:
        await self.close()
        self._news, self._says = asyncio.Queue(), asyncio.Queue()
        scope = {"path": f"/ws/{self.code}", "client": (self.address, 1), "headers": []}
        self._says.put_nowait({"type": "websocket.connect"})
        self._task = asyncio.create_task(serve_socket(self.hub, scope, self._says.get, self._hear))
        self.say(Hello(token=self.token, game=game, number=number))
        return await self.expect(Welcome)

    async def _hear(self, frame: Any) -> None:
        if frame["type"] == "websocket.send":
            self._news.put_nowait(msgspec.json.decode(frame["text"], type=FromServer))
        elif frame["type"] == "websocket.close":
            self._news.put_nowait(None)
            self._says.put_nowait({"type": "websocket.disconnect"})

    def say(self, message: FromClient) -> None:
        self._says.put_nowait({"type": "websocket.receive", "text": msgspec.json.encode(message).decode()})

    async def receive(self) -> FromServer:
        async with asyncio.timeout(SECONDS):
            message = await self._news.get()
        assert message is not None, f"the server has hung up: {self.messages[-1]}"
        self.messages.append(message)
        match message:
            case Welcome(game=game, missed=missed):
                if game is not None:
                    self.game, self.number, self.ask = game.id, game.number, game.ask
                for step in missed:
                    self.number, self.ask = step.number, step.ask
            case Step():
                self.game, self.number, self.ask = message.game, message.number, message.ask
        return message

    async def expect(self, kind: type[M], fits: Callable[[M], bool] = lambda message: True) -> M:
        while True:
            message = await self.receive()
            if isinstance(message, kind) and fits(message):
                return message

    async def ending(self) -> Closed:
        return await self.expect(Closed)

    async def play(self, until: int | None = None) -> None:
        """Play for all seats, which are this browser's, bots waited for."""
        answered = -1
        while self.ask is not None and (until is None or self.number < until):
            if self.number != answered:
                answered = self.number
                choice = plain(self.ask)
                self.say(Choose(game=self.game, number=self.number, choice=choice))  # type: ignore[arg-type]
            await self.expect(Step, lambda step: True)

    async def close(self) -> None:
        if self._task is not None:
            self._says.put_nowait({"type": "websocket.disconnect"})
            await self._task
            self._task = None
