"""The links of a server to the others: visitors are forwarded to the owner of their table, and questions asked."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from itertools import count
from typing import TYPE_CHECKING

import msgspec

from flip7.protocol.messages import Problem
from flip7.server.connection import Connection, Visitor
from flip7.server.errors import Refusal, StoreError
from flip7.server.logs import LOG
from flip7.server.wire import Answer, AnyFrame, Ask, Beat, CalledEnd, CallingEnd, Frame, Left, Open

if TYPE_CHECKING:
    from flip7.server.hub import Hub

CONNECT_SECONDS = 2.0
FRAMES = 64
"""Frames of one visitor that may wait; a visitor who sends more is cut off."""

Question = Callable[[bytes], Awaitable[bytes]]
Serve = Callable[["Visitor", str, Callable[[], Awaitable[dict[str, str]]]], Awaitable[None]]


class Links:
    """All links of this server, those that it made and those that were made to it."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._secret = ""
        self._listener: asyncio.Server | None = None
        self._made: dict[str, asyncio.Task[CallingEnd | None]] = {}
        self._called: dict[CalledEnd, dict[int, _Visit]] = {}
        self._visitors = count(1)
        self._forwarded: dict[int, Connection] = {}
        self.questions: dict[str, Question] = {}
        """What other servers may ask, by name."""
        self.serve: Serve | None = None
        """Serves a visitor of another server."""

    async def listen(self, advertise: str | None, listen_at: int | None = None) -> str:
        """Listen for other servers; return the address at which they find this one. Raises `StoreError`."""
        host, colon, port = (advertise or "127.0.0.1").rpartition(":")
        if not colon:
            host, port = port, ""
        try:
            self._listener = await asyncio.get_running_loop().create_server(
                lambda: CalledEnd(self._hub.store.server, self._secret, self._heard),
                "127.0.0.1" if advertise is None else None,
                int(port or 0) if listen_at is None else listen_at,
            )
        except (OSError, ValueError, OverflowError) as error:
            raise StoreError(f"cannot listen for other servers at {advertise or host}: {error}") from None
        return f"{host}:{port or self._listener.sockets[0].getsockname()[1]}"

    def trust(self, secret: str) -> None:
        """Talk to those only who know this."""
        self._secret = secret

    async def close(self) -> None:
        """End all links."""
        if self._listener is not None:
            self._listener.close()
        for called in list(self._called):
            called.flush()
            called.cut()
        for task in self._made.values():
            if task.done() and not task.cancelled() and (link := task.result()) is not None:
                link.cut()
            task.cancel()
        self._made.clear()

    # The end that calls.

    async def to(self, server: str, address: str) -> CallingEnd | None:
        """Return the link to another server, or `None` if it cannot be reached now."""
        task = self._made.get(server)
        if task is not None and task.done() and (task.cancelled() or task.result() is None or task.result().lost):  # type: ignore[union-attr]
            task = None
        if task is None:
            task = self._made[server] = asyncio.create_task(self._connect(server, address))
        return await asyncio.shield(task)

    async def _connect(self, server: str, address: str) -> CallingEnd | None:
        host, _, port = address.rpartition(":")
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.timeout(CONNECT_SECONDS):
                _, link = await loop.create_connection(
                    lambda: CallingEnd(self._hub.store.server, server, self._secret, self._tell), host, int(port or 0)
                )
                if await link.ready:
                    link.when_lost = lambda: self._lost(link)
                    return link
        except (OSError, TimeoutError, ValueError):
            pass
        return None

    def _tell(self, visitor: int, text: str, last: bool) -> None:
        connection = self._forwarded.get(visitor)
        if connection is not None:
            connection.push(text)
            if last:
                connection.finish("restart")

    def _lost(self, link: CallingEnd) -> None:
        for visitor in list(link.visitors):
            connection = self._forwarded.get(visitor)
            if connection is not None:
                connection.close("restart", "the table moves to another server; your seat is kept", resume=True)

    def forward(self, link: CallingEnd, connection: Connection, code: str) -> int:
        """Bring a visitor to the owner of a table; returns the number by which the link knows them."""
        visitor = next(self._visitors)
        self._forwarded[visitor] = connection
        link.visitors.add(visitor)
        link.send(Open(visitor, code, connection.address))
        return visitor

    def pass_on(self, link: CallingEnd, visitor: int, text: str) -> None:
        """Pass on what a visitor says."""
        link.send(Frame(visitor, text))

    def leave(self, link: CallingEnd, visitor: int) -> None:
        """The visitor has gone."""
        self._forwarded.pop(visitor, None)
        if visitor in link.visitors:
            link.visitors.remove(visitor)
            if not link.lost:
                link.send(Left(visitor))

    async def ask(self, server: str, address: str, name: str, body: bytes, seconds: float) -> bytes:
        """Ask another server something. Raises `Refusal`, or `OSError` or `TimeoutError` if it does not answer."""
        link = await self.to(server, address)
        if link is None:
            raise ConnectionRefusedError(f"no server at {address}")
        answer = await link.ask(name, body, seconds)
        if answer.code is not None:
            problem = msgspec.json.decode(answer.body, type=Problem)
            raise Refusal(problem.code, problem.text)
        return answer.body

    # The end that is called.

    def _heard(self, link: CalledEnd, frame: AnyFrame) -> None:
        visits = self._called.setdefault(link, {})
        match frame:
            case Open(number, code, address):
                visits[number] = _Visit(self, Visitor(self._hub, link, number, address), code)
            case Frame(number, text):
                if number in visits:
                    visits[number].say(text)
            case Left(number):
                if number in visits:
                    visits.pop(number).leave()
            case Ask():
                task = asyncio.create_task(self._answer(link, frame))
                self._hub.keep(task)
            case Beat():
                for visit in self._called.pop(link, {}).values():
                    visit.leave()

    async def _answer(self, link: CalledEnd, ask: Ask) -> None:
        try:
            body, code = await self.questions[ask.name](ask.body), None
        except Refusal as refusal:
            body, code = msgspec.json.encode(Problem(refusal.code, refusal.text)), refusal.code
        except StoreError as error:
            body, code = msgspec.json.encode(Problem("not_saved", str(error))), "not_saved"
        except Exception:  # noqa: BLE001 - no question may end a link
            LOG.exception("internal error", extra={"question": ask.name})
            body, code = (
                msgspec.json.encode(Problem("trouble", "the server made a mistake; it has been noted")),
                "trouble",
            )
        if not link.lost:
            link.send(Answer(ask.number, body, code))


class _Visit:
    """A visitor of another server, served as if the socket were here."""

    def __init__(self, links: Links, visitor: Visitor, code: str) -> None:
        self._frames: asyncio.Queue[dict[str, str]] = asyncio.Queue()
        self._visitor = visitor
        assert links.serve is not None
        task: asyncio.Task[None] = asyncio.ensure_future(links.serve(visitor, code, self._frames.get))
        links._hub.keep(task)

    def say(self, text: str) -> None:
        if self._frames.qsize() < FRAMES:
            self._frames.put_nowait({"type": "websocket.receive", "text": text})
        else:
            self._visitor.close("flood", "far too many messages; connect again and speak slower", resume=True)

    def leave(self) -> None:
        self._frames.put_nowait({"type": "websocket.disconnect"})
