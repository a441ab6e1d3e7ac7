"""Servers without processes: hubs in this loop, and browsers that speak to them through the application's own door."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from flip7.protocol.messages import (
    Ask,
    Choose,
    Closed,
    FromClient,
    FromServer,
    Hello,
    Options,
    Player,
    Seated,
    Step,
    Welcome,
)
from flip7.server.hub import Hub
from flip7.server.settings import Settings
from flip7.server.sockets import serve_socket, serve_visitor
from flip7.server.store.factory import make_store

from .client import plain

M = TypeVar("M")
SECONDS = 30.0
FAST = Settings(data=Path(), pace=0, message_burst=10_000, request_burst=10_000, tables_per_address=1000)


@asynccontextmanager
async def serving(settings: Settings) -> Any:
    """A hub that is open."""
    hub = make_hub(settings)
    await hub.open()
    try:
        yield hub
    finally:
        await hub.close()


def make_hub(settings: Settings) -> Hub:
    hub = Hub(settings, make_store(settings))
    hub.links.serve = partial(serve_visitor, hub)
    return hub


async def create(hub: Hub, *names: str, bots: tuple[str, ...] = (), start: bool = False, **options: Any) -> Seated:
    players = tuple(Player(name=name) for name in names)
    return await hub.create(players, Options(**options), bots, start=start, address="192.0.2.1")


class Browser:
    """One browser, as far as the server can tell."""

    def __init__(self, hub: Hub, seated: Seated, *, watch: bool = False) -> None:
        self.hub = hub
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
        scope = {"path": f"/ws/{self.code}", "client": ("192.0.2.1", 1), "headers": []}
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
