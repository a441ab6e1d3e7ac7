"""`TableClient`: a client of the server's protocol, which comes back after every loss and misses nothing.

async with TableClient("http://localhost:8000", "ABCD", token) as table:
    async for news in table:
        if table.asked is not None:
            await table.choose("stay")
"""

from __future__ import annotations

import asyncio
import random
import re
import secrets
from collections.abc import AsyncIterator
from contextlib import suppress
from http.client import HTTPException
from types import TracebackType
from typing import Literal, TypeVar
from urllib.error import HTTPError
from urllib.parse import quote, urlsplit
from urllib.request import Request, urlopen

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus, InvalidURI

from flip7.protocol.messages import (
    PROTOCOL,
    Ask,
    Choose,
    Closed,
    FromClient,
    FromServer,
    Hello,
    Player,
    Refused,
    RoomChanged,
    RoomView,
    Started,
    Step,
    Welcome,
    Word,
)
from flip7.protocol.rest import CreateTable, JoinTable, Problem, Seated, TableInfo

FIRST_RETRY, LAST_RETRY = 0.4, 15.0
"""Seconds before the first attempt to come back, and at most between later ones."""
PING_EVERY, PONG_WITHIN = 15.0, 8.0
PATIENCE = 10.0
"""Seconds for a request, or for a connection to open."""

FOR_GOOD = ("unknown_host", "other_site")
"""Why a server opens no connection, however often it is asked."""

_HOST = re.compile(r"[\w.:%-]+", re.ASCII)
State = Literal["connecting", "open", "retrying", "ended"]
T = TypeVar("T")
_DECODER: msgspec.json.Decoder[FromServer] = msgspec.json.Decoder(FromServer)


class LinkChanged(msgspec.Struct, frozen=True):
    """The connection was opened, lost or ended."""

    state: State
    code: str | None = None
    """Why it has ended, if it has."""


News = FromServer | LinkChanged


class ServerRefusal(Exception):
    """A server refused a request, or cannot be reached: then the code is `network`."""

    def __init__(self, code: str, text: str) -> None:
        """`text` says what was wrong, in English."""
        super().__init__(text)
        self.code = code
        self.text = text


def pause(attempt: int) -> float:
    """Return how many seconds lie before an attempt to come back, counted from 0 after the last welcome."""
    return min(LAST_RETRY, FIRST_RETRY * 2.0 ** min(attempt, 10))


def base_of(address: str) -> str:
    """Return the address of a server as a URL: `192.168.1.5:8000` is one by http. Raises `ValueError` for others."""
    url = address if "://" in address else f"http://{address}"
    try:
        parts = urlsplit(url)
        good = parts.scheme in ("http", "https") and parts.username is None
        good = good and (parts.port is None or parts.port > 0)
        good = good and _HOST.fullmatch((parts.hostname or "").encode("idna").decode()) is not None
    except ValueError:  # a port that is none, or a name of which a part is empty or too long
        good = False
    if not good:
        raise ValueError(f"{address!r} is no address of a server: it is written host:port, or https://host")
    return f"{parts.scheme}://{parts.netloc}"


async def table_info(address: str, code: str) -> TableInfo:
    """Return what is told of a table to those who have not sat down. Raises `ServerRefusal`."""
    return await _request(f"{base_of(address)}/api/tables/{quote(code)}", None, TableInfo)


async def sit_down(address: str, code: str, name: str) -> Seated:
    """Take a seat; the token that comes back opens it. Raises `ServerRefusal`."""
    body = JoinTable(players=(Player(name=name),), nonce=secrets.token_hex(16))
    return await _request(f"{base_of(address)}/api/tables/{quote(code)}/join", body, Seated)


async def open_table(address: str, table: CreateTable) -> Seated:
    """Make a new table. Raises `ServerRefusal`."""
    return await _request(f"{base_of(address)}/api/tables", table, Seated)


async def record_of(address: str, game: str) -> str:
    """Return the record of a game that is over. Raises `ServerRefusal`."""
    record = await asyncio.to_thread(_fetch, f"{base_of(address)}/api/games/{quote(game)}/record", None)
    return record.decode("utf-8", "replace")


async def _request(url: str, body: msgspec.Struct | None, kind: type[T]) -> T:
    return await asyncio.to_thread(_ask, url, body, kind)


def _ask(url: str, body: msgspec.Struct | None, kind: type[T]) -> T:
    try:
        return msgspec.json.decode(_fetch(url, body), type=kind)
    except msgspec.DecodeError as error:
        raise ServerRefusal("network", f"{url} is no server of this game: {error}") from None


def _fetch(url: str, body: msgspec.Struct | None) -> bytes:
    data = None if body is None else msgspec.json.encode(body)
    request = Request(url, data, {"Content-Type": "application/json"})  # base_of allows http and https only
    try:
        answer, refused = _exchange(request)
    except OSError as error:
        raise ServerRefusal("network", f"{url}: {getattr(error, 'reason', error)}") from None
    except HTTPException as error:  # whoever answers does not speak HTTP, or stops in the middle
        raise ServerRefusal("network", f"{url} is no server of this game: {str(error).strip()}") from None
    if refused is None:
        return answer
    try:
        problem = msgspec.json.decode(answer, type=Problem)
    except msgspec.DecodeError:
        raise ServerRefusal("network", f"{url}: {refused}") from None
    raise ServerRefusal(problem.code, problem.text)


def _exchange(request: Request) -> tuple[bytes, HTTPError | None]:
    """Return the body of an answer, and with which status it was refused, if it was."""
    try:
        with urlopen(request, timeout=PATIENCE) as answer:
            return bytes(answer.read()), None
    except HTTPError as error:
        with error:
            return bytes(error.read()), error


def _code(refused: InvalidStatus) -> str:
    """Return why a server has opened no connection; nothing if it does not say."""
    try:
        return msgspec.json.decode(refused.response.body or b"", type=Problem).code
    except msgspec.DecodeError:
        return ""


class TableClient:
    """One device at a table: a seat with its token, or a spectator without one.

    It is used as a context and as an iterator of news, which ends when the table does. Steps come in order, each once,
    whatever happens to the connection: after a loss it says what it has seen and is told what it missed.
    """

    def __init__(self, address: str, code: str, token: str | None = None) -> None:
        parts = urlsplit(base_of(address))
        scheme = "wss" if parts.scheme == "https" else "ws"
        self.code = code
        self.token = token
        self.state: State = "connecting"
        self.room: RoomView | None = None
        self.seats: tuple[int, ...] = ()
        """The ids of the own seats."""
        self.game: str | None = None
        self.number = -1
        """The number of the last state that was told."""
        self.ask: Ask | None = None
        self._url = f"{scheme}://{parts.netloc}/ws/{quote(code)}"
        self._socket: ClientConnection | None = None
        self._news: asyncio.Queue[News | None] = asyncio.Queue()
        self._running: asyncio.Task[None] | None = None
        self._hurry = asyncio.Event()
        self._settled = asyncio.Event()

    async def __aenter__(self) -> TableClient:
        self._running = asyncio.create_task(self._run())
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def __aiter__(self) -> AsyncIterator[News]:
        while (news := await self._news.get()) is not None:
            yield news

    @property
    def own(self) -> frozenset[int]:
        """The numbers of the own seats in the game that is on; who waits for the next one has none in it."""
        if self.room is None:
            return frozenset()
        seats = enumerate(self.room.seats)
        return frozenset(number for number, seat in seats if seat.id in self.seats and not seat.waiting)

    @property
    def waits(self) -> bool:
        """Whether there is a seat here from the next game on only."""
        return bool(self.seats) and not self.own

    @property
    def is_host(self) -> bool:
        """Whether the host is on this device."""
        return self.room is not None and any(seat.host and seat.id in self.seats for seat in self.room.seats)

    @property
    def asked(self) -> Ask | None:
        """The open question, if it is for a seat of one's own."""
        return self.ask if self.ask is not None and self.ask.seat in self.own else None

    async def send(self, message: FromClient) -> bool:
        """Send a message; returns whether there was a connection to send it on."""
        if self._socket is None or self.state != "open":
            return False
        try:
            await self._socket.send(msgspec.json.encode(message).decode())
        except ConnectionClosed:
            return False
        return True

    async def choose(self, choice: Word | int) -> bool:
        """Answer the open question; returns whether the answer was sent. What follows comes as a step."""
        if self.game is None:
            return False
        return await self.send(Choose(game=self.game, number=max(0, self.number), choice=choice))

    async def connected(self) -> None:
        """Wait until there is a connection, or never will be one."""
        await self._settled.wait()

    def hurry(self) -> None:
        """Do not wait for the next attempt to come back."""
        self._hurry.set()

    async def close(self) -> None:
        """Hang up for good."""
        if self._running is not None:
            self._running.cancel()
            await asyncio.gather(self._running, return_exceptions=True)
            self._running = None
        self._news.put_nowait(None)

    async def _run(self) -> None:
        """Connect, listen, and come back, until the table ends or the server says that it makes no sense."""
        attempt = 0
        while True:
            self._change("retrying" if attempt else "connecting")
            try:
                if await self._listen():
                    return
            except (InvalidURI, msgspec.DecodeError):  # no server of this protocol
                self._end("unreadable")
                return
            except InvalidStatus as refused:
                code = _code(refused)
                if code in FOR_GOOD:
                    self._end(code)
                    return
            except (OSError, ConnectionClosed, InvalidHandshake, TimeoutError):
                pass  # it comes back as after a farewell
            if self.state == "open":  # only a welcome shows that a server is there
                attempt = 0
            self._change("retrying")
            await self._wait(pause(attempt) * random.uniform(0.7, 1.3))
            attempt += 1

    async def _wait(self, seconds: float) -> None:
        self._hurry.clear()
        try:
            async with asyncio.timeout(seconds):
                await self._hurry.wait()
        except TimeoutError:
            return

    async def _listen(self) -> bool:
        """One connection from hello to its end; returns whether it was the last."""
        connecting = connect(
            self._url,
            compression=None,
            max_size=None,
            ping_interval=PING_EVERY,
            ping_timeout=PONG_WITHIN,
            open_timeout=PATIENCE,
        )
        try:
            async with connecting as socket:
                self._socket = socket
                hello = Hello(token=self.token, game=self.game, number=max(0, self.number))
                with suppress(ConnectionClosed):  # whoever hangs up at once has said why
                    await socket.send(msgspec.json.encode(hello).decode())
                async for frame in socket:
                    if self._take(_DECODER.decode(frame)):
                        return True
        finally:  # whoever is told to stop while waiting for the other side's farewell leaves nothing open
            if self._socket is not None:
                self._socket.transport.abort()
                self._socket = None
        return False

    def _take(self, message: FromServer) -> bool:
        """Note what a message says and pass it on; returns whether it is the last one."""
        match message:
            case Welcome():
                if message.protocol != PROTOCOL:
                    self._end("unreadable")
                    return True
                self.room, self.seats = message.room, message.seats
                self._note(message)
                self._change("open")
            case RoomChanged():
                self.room = message.room
            case Started():
                self.game, self.number, self.ask = message.game.id, message.game.number, None
            case Step():
                if message.game == self.game and message.number <= self.number:
                    return False  # told already
                self.game, self.number, self.ask = message.game, message.number, message.ask
            case Closed():
                self._news.put_nowait(message)
                if not message.resume:
                    self._end(message.code)
                return not message.resume
            case Refused() if message.code == "stale":
                return False  # the step that overtook the choice tells it
        self._news.put_nowait(message)
        return False

    def _note(self, welcome: Welcome) -> None:
        """The state that a welcome ends with."""
        last = welcome.missed[-1] if welcome.missed else None
        if last is not None:
            self.game, self.number, self.ask = last.game, last.number, last.ask
        elif welcome.game is not None:
            self.game, self.number, self.ask = welcome.game.id, welcome.game.number, welcome.game.ask
        else:
            self.game, self.number, self.ask = None, -1, None

    def _change(self, state: State, code: str | None = None) -> None:
        if state != self.state or code is not None:
            self.state = state
            (self._settled.set if state in ("open", "ended") else self._settled.clear)()
            self._news.put_nowait(LinkChanged(state, code))

    def _end(self, code: str) -> None:
        self._change("ended", code)
        self._news.put_nowait(None)
