"""The links of a server to the others: visitors are forwarded to the owner of their table, and questions asked."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable
from contextlib import suppress
from itertools import count
from typing import TYPE_CHECKING

import msgspec

from flip7.protocol.rest import Problem
from flip7.server.connection import Connection, Visitor
from flip7.server.errors import TROUBLE, UNREACHABLE, Refusal, StoreError
from flip7.server.logs import LOG
from flip7.server.origins import PORTS
from flip7.server.wire import Answer, AnyFrame, Ask, Beat, CalledEnd, CallingEnd, Frame, Left, Open

if TYPE_CHECKING:
    from flip7.server.hub import Hub

LOOPBACK = "127.0.0.1"
CONNECT_SECONDS = 2.0
SHORTEST_SECONDS = 0.05
"""Everybody gets so much time to answer."""
FRAMES = 64
"""Frames of one visitor that may wait; a visitor who sends more is cut off."""

_ADDRESS = re.compile(
    r"(?:\[(?P<bracketed>[0-9A-Fa-f:.%\w]+)\]|(?P<host>[^\s:\[\]]+))(?::(?P<port>\d{1,5}))?"
    r"|[0-9A-Fa-f]*:[0-9A-Fa-f:.]*:[0-9A-Fa-f:.%\w]*"
)
Question = Callable[[bytes], Awaitable[bytes]]
Serve = Callable[["Visitor", str, Callable[[], Awaitable[dict[str, str]]]], Awaitable[None]]


class Links:
    """All links of this server, those that it made and those that were made to it."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._secret = ""
        self._listener: asyncio.Server | None = None
        self._made: dict[str, asyncio.Task[CallingEnd | None]] = {}
        self._accepted: list[CalledEnd] = []
        self._called: dict[CalledEnd, dict[int, _Visit]] = {}
        self._visitors = count(1)
        self._forwarded: dict[int, Connection] = {}
        self._unreached: set[str] = set()
        """The servers that could not be reached when they were last needed."""
        self.questions: dict[str, Question] = {}
        """What other servers may ask, by name."""
        self.serve: Serve | None = None
        """Serves a visitor of another server."""

    def __len__(self) -> int:
        """How many other servers this one has a link to."""
        return sum(_is_up(task) for task in self._made.values())

    @property
    def unreached(self) -> int:
        """How many servers that are alive could not be reached when they were last needed."""
        return len(self._unreached & set(self._hub.membership.others))

    async def listen(self, advertise: str | None, listen_at: int | None = None) -> str:
        """Listen for other servers; return the address at which they find this one. Raises `StoreError`."""
        advertised = advertise or LOOPBACK
        try:
            host, port = parse_address(advertised)
            self._listener = await asyncio.get_running_loop().create_server(
                self._accept, LOOPBACK if advertise is None else None, port if listen_at is None else listen_at
            )
        except (OSError, ValueError, OverflowError) as error:
            raise StoreError(f"cannot listen for other servers at {advertised}: {error}") from None
        return format_address(host, port or self._listener.sockets[0].getsockname()[1])

    def _accept(self) -> CalledEnd:
        end = CalledEnd(self._hub.store.server, self._secret, self._heard)
        self._accepted = [*(other for other in self._accepted if not other.lost), end]
        return end

    def trust(self, secret: str) -> None:
        """Talk to those only who know this."""
        self._secret = secret

    async def close(self) -> None:
        """End all links."""
        if self._listener is not None:
            loop = asyncio.get_running_loop()
            with suppress(NotImplementedError):  # on a loop that does not read by turns
                for listening in self._listener.sockets:
                    loop.remove_reader(listening)
            await asyncio.sleep(0)  # Python forgets to close what it has let in but not begun to serve when it closes.
            self._listener.close()
        for called in self._accepted:
            called.flush()
            called.cut()
        for task in self._made.values():
            if task.done() and not task.cancelled() and (link := task.result()) is not None:
                link.cut()
            task.cancel()
        self._made.clear()

    # The end that calls.

    async def to(self, server: str, address: str, seconds: float) -> CallingEnd | None:
        """Return the link to another server, or `None` if it cannot be reached within n seconds."""
        task = self._made.get(server)
        if task is None or (task.done() and not _is_up(task)):
            task = self._made[server] = asyncio.create_task(self._connect(server, address))
        try:
            async with asyncio.timeout(max(SHORTEST_SECONDS, seconds)):
                return await asyncio.shield(task)
        except TimeoutError:
            return None

    async def _connect(self, server: str, address: str) -> CallingEnd | None:
        link = CallingEnd(self._hub.store.server, server, self._secret, self._tell)
        known, problem = False, "it does not know the secret, or is another server"
        try:
            host, port = parse_address(address)
            async with asyncio.timeout(CONNECT_SECONDS):
                await asyncio.get_running_loop().create_connection(lambda: link, host, port)
                known = await link.ready
        except (OSError, TimeoutError, ValueError) as error:
            problem = str(error) or "it does not answer"
        finally:
            if not known:
                link.cut()
        if not known:
            self._complain(server, address, problem)
            return None
        self._unreached.discard(server)
        link.when_lost = lambda: self._lost(link)
        return link

    def _complain(self, server: str, address: str, problem: str) -> None:
        """Say once that a server cannot be reached, until it can be."""
        if server in self._unreached or server not in self._hub.membership.others:
            return  # One that has just gone need not be reached.
        if address.startswith(LOOPBACK):
            problem += "; servers on several machines have to be told where the others reach them, by --advertise"
        LOG.warning("no link", extra={"server": server, "address": address, "problem": problem})
        self._unreached.add(server)

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
        """Ask another server something. Raises `Refusal`, or `OSError` or `TimeoutError` if nobody answers in time."""
        link = await self.to(server, address, seconds)
        if link is None:
            raise ConnectionRefusedError(f"no server at {address}")
        answer = await link.ask(name, body, max(SHORTEST_SECONDS, seconds))
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
            LOG.warning("not answered", extra={"question": ask.name, "problem": str(error)})
            body, code = msgspec.json.encode(Problem("not_saved", UNREACHABLE)), "not_saved"
        except Exception:  # noqa: BLE001 - no question may end a link
            LOG.exception("internal error", extra={"question": ask.name})
            self._hub.metrics.errors.inc()
            body, code = msgspec.json.encode(Problem("trouble", TROUBLE)), "trouble"
        if not link.lost:
            link.send(Answer(ask.number, body, code))


def _is_up(task: asyncio.Task[CallingEnd | None]) -> bool:
    """Return whether a link was made, and is there."""
    if not task.done() or task.cancelled() or task.exception() is not None:
        return False
    link = task.result()
    return link is not None and not link.lost


def parse_address(text: str) -> tuple[str, int]:
    """Return host and port of `HOST`, `HOST:PORT` or `[HOST]:PORT`, or 0 for no port. Raises `ValueError`."""
    match = _ADDRESS.fullmatch(text)
    if match is None or int(match["port"] or 0) >= PORTS:
        raise ValueError(f"{text!r} is no address: write HOST, HOST:PORT or [HOST]:PORT")
    return match["bracketed"] or match["host"] or text, int(match["port"] or 0)


def format_address(host: str, port: int) -> str:
    """Return host and port as `parse_address` reads them."""
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


class _Visit:
    """A visitor of another server, served as if the socket were here."""

    def __init__(self, links: Links, visitor: Visitor, code: str) -> None:
        self._frames: asyncio.Queue[dict[str, str]] = asyncio.Queue()
        self._visitor = visitor
        assert links.serve is not None
        links._hub.keep(asyncio.create_task(self._serve(links._hub, links.serve, code)))

    async def _serve(self, hub: Hub, serve: Serve, code: str) -> None:
        try:
            await serve(self._visitor, code, self._frames.get)
        except Exception:  # noqa: BLE001 - no visitor may be left with a connection behind which nobody is
            LOG.exception("internal error", extra={"table": code})
            hub.metrics.errors.inc()
            self._visitor.close("restart", TROUBLE, resume=True)

    def say(self, text: str) -> None:
        if self._frames.qsize() < FRAMES:
            self._frames.put_nowait({"type": "websocket.receive", "text": text})
        else:
            self._visitor.close("flood", "far too many messages; connect again and speak slower", resume=True)

    def leave(self) -> None:
        self._frames.put_nowait({"type": "websocket.disconnect"})
