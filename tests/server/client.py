"""A server of its own in another process, and clients that speak the protocol with it over real sockets."""

from __future__ import annotations

import asyncio
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any, TypeVar

import httpx
import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from flip7.protocol.messages import Ask, Choose, FromClient, FromServer, Hello, RoomChanged, RoomView, Step, Welcome
from flip7.protocol.rest import Seated
from flip7.server.settings import Settings

RUN = Path(__file__).with_name("run.py")
PATIENCE = 60.0
WIDE: dict[str, Any] = {"arrival_burst": 100_000, "socket_burst": 100_000, "file_burst": 100_000}
"""What a door takes at which nobody is ever refused: all tests share one address."""
M = TypeVar("M")
_DECODER: msgspec.json.Decoder[FromServer] = msgspec.json.Decoder(FromServer)


class Process:
    """A server in another process, which can be killed and started again on the same data."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.port = free_port()
        self.process: subprocess.Popen[bytes] | None = None
        self.log = settings.data / "server.log"

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> Process:
        self.settings.data.mkdir(parents=True, exist_ok=True)
        words = [
            sys.executable,
            "-W",
            "error",
            str(RUN),
            str(self.port),
            msgspec.json.encode(self.settings, enc_hook=str).decode(),
        ]
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(words, stdout=log, stderr=log)
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            try:
                if httpx.get(f"{self.url}/healthz", timeout=2).status_code == 200:
                    return self
            except httpx.TransportError:
                time.sleep(0.02)
            if self.process.poll() is not None:
                break
        raise AssertionError(f"the server does not start: {self.log.read_text()}")

    def kill(self) -> None:
        """As a power cut would."""
        assert self.process
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(PATIENCE)

    def stop(self) -> int:
        """As an operator would."""
        assert self.process
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(PATIENCE)

    def problems(self) -> list[str]:
        """What the server complained about."""
        lines = self.log.read_text().splitlines()
        return [line for line in lines if not line.startswith('{"at"') or '"level": "error"' in line]

    def __enter__(self) -> Process:
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.process is not None and self.process.poll() is None:
            self.kill()

    def post(self, path: str, body: object) -> httpx.Response:
        return httpx.post(f"{self.url}{path}", json=body, timeout=PATIENCE)

    def get(self, path: str, **headers: str) -> httpx.Response:
        return httpx.get(f"{self.url}{path}", headers=headers, timeout=PATIENCE)

    def wait_until_gone(self, path: str) -> None:
        self.wait_until(path, 404)

    def wait_until(self, path: str, status: int) -> None:
        """Wait until something is answered with this status."""
        deadline = time.monotonic() + PATIENCE
        while (answer := self.get(path)).status_code != status:
            assert time.monotonic() < deadline, f"{path} still has status {answer.status_code}"
            time.sleep(0.05)

    def seat(self, path: str, body: object) -> Seated:
        """Sit down by a request that has to succeed."""
        answer = self.post(path, body)
        assert answer.status_code == 201, answer.text
        return msgspec.json.decode(answer.content, type=Seated)


def plain(ask: Ask) -> str | int:
    """A player who needs no thought: stay at the first question, give cards to the last who may get them."""
    return "stay" if ask.kind == "turn" else ask.options[-1]


def free_port() -> int:
    """A port of this machine that nobody listens on."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port: int = probe.getsockname()[1]
        return port


class Client:
    """One browser, as far as the server can tell. It keeps every frame that it got."""

    def __init__(self, server: Process, code: str, token: str | None = None) -> None:
        self.server = server
        self.code = code
        self.token = token
        self.frames: list[str] = []
        self.seats: tuple[int, ...] = ()
        """The ids of the own seats."""
        self.own: set[int] = set()
        """Their numbers in the game."""
        self.game: str | None = None
        self.room: RoomView | None = None
        self.number = -1
        self.ask: Ask | None = None
        self._answered: tuple[str | None, int] = (None, -1)
        self._socket: ClientConnection | None = None

    async def open(self, game: str | None = None, number: int = 0) -> Welcome:
        """Connect, say hello and be welcomed."""
        self.forget_answers()
        await self.connect()
        await self.send(Hello(token=self.token, game=game, number=number))
        return await self.expect(Welcome)

    def forget_answers(self) -> None:
        """What was answered last may not have been heard: answer it again."""
        self._answered = (None, -1)

    async def connect(self) -> None:
        """Connect, and say nothing yet."""
        await self.close()
        self._socket = await connect(
            f"ws://127.0.0.1:{self.server.port}/ws/{self.code}", compression=None, max_size=None, open_timeout=PATIENCE
        )

    async def send(self, message: FromClient | str | bytes) -> None:
        assert self._socket
        raw = isinstance(message, str | bytes)
        await self._socket.send(message if raw else msgspec.json.encode(message).decode())  # type: ignore[arg-type]

    async def receive(self, patience: float = PATIENCE) -> FromServer:
        assert self._socket
        async with asyncio.timeout(patience):
            frame = await self._socket.recv()
        assert isinstance(frame, str)
        self.frames.append(frame)
        message = _DECODER.decode(frame)
        if isinstance(message, Welcome):
            self.seats = message.seats
        if isinstance(message, RoomChanged | Welcome):
            self._note(message.room)
        last = message if isinstance(message, Step) else None
        if isinstance(message, Welcome):
            last = message.missed[-1] if message.missed else None
            if message.game:
                self.game, self.number, self.ask = message.game.id, message.game.number, message.game.ask
        if last:
            self.game, self.number, self.ask = last.game, last.number, last.ask
        return message

    async def expect(self, kind: type[M], fits: Callable[[M], bool] = lambda message: True) -> M:
        """The next message of this kind that fits; others are kept as frames only."""
        while True:
            message = await self.receive()
            if isinstance(message, kind) and fits(message):
                return message

    async def close(self) -> None:
        if self._socket:
            await self._socket.close()

    async def closed(self) -> list[FromServer]:
        """Everything until the server hangs up."""
        messages = []
        try:
            while True:
                messages.append(await self.receive())
        except ConnectionClosed:
            return messages

    async def play(self, choose: Callable[[Ask], str | int] = lambda ask: plain(ask), until: int | None = None) -> Step:
        """Play from now on, for all own seats, to the end of the game or to a state; returns the last step."""
        while True:
            if until is None or self.number < until:
                await self.answer(choose)
            message = await self.receive()
            if isinstance(message, Step) and (message.ask is None or (until is not None and message.number >= until)):
                return message

    async def answer(self, choose: Callable[[Ask], str | int] = lambda ask: plain(ask)) -> None:
        """Answer the open question if it is for an own seat and has not been answered."""
        ask, state = self.ask, (self.game, self.number)
        if ask is not None and ask.seat in self.own and state != self._answered:
            assert self.game
            self._answered = state
            await self.send(Choose(game=self.game, number=self.number, choice=choose(ask)))  # type: ignore[arg-type]

    def _note(self, room: RoomView) -> None:
        self.room = room
        self.own = {number for number, seat in enumerate(room.seats) if seat.id in self.seats}
        self.game = room.game

    async def __aenter__(self) -> Client:
        await self.open()
        return self

    async def __aexit__(self, *error: object) -> None:
        await self.close()
