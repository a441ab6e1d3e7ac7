"""What servers say to each other: frames of their visitors, and questions; both ends have to know the same secret."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import secrets
from abc import ABC, abstractmethod
from collections.abc import Callable
from time import monotonic
from typing import cast

import msgspec

from flip7.server.store.base import BEAT_SECONDS

LONGEST, LONGEST_OF_STRANGERS = 8 << 20, 1 << 10
"""No frame has more bytes; nor one before the other end has proven that it knows the secret."""
PROOF_SECONDS = 3.0
"""So much time there is for that."""
MOST_WAITING = 32 << 20
"""A link whose other end does not read is cut off when this many bytes wait."""
SILENT_SECONDS = 3.0
"""A link over which nothing was heard for so long is dead, whatever the network says."""


class _Frame(msgspec.Struct, array_like=True, frozen=True):
    """One frame between servers."""


class Greeting(_Frame, tag=0, frozen=True):
    """The server that connects tells who it is, and whom it wants to reach."""

    server: str
    target: str
    nonce: str


class Challenge(_Frame, tag=1, frozen=True):
    """The other one proves that it knows the secret, and asks for the same."""

    proof: str
    nonce: str


class Proof(_Frame, tag=2, frozen=True):
    """The one that connected proves it too."""

    proof: str


class Open(_Frame, tag=3, frozen=True):
    """A visitor, under a number of the link's own, wants to come to a table."""

    visitor: int
    code: str
    address: str


class Frame(_Frame, tag=4, frozen=True):
    """A visitor has said something."""

    visitor: int
    text: str


class Left(_Frame, tag=5, frozen=True):
    """A visitor's connection has been lost."""

    visitor: int


class Ask(_Frame, tag=6, frozen=True):
    """A question, which gets an answer with the same number."""

    number: int
    name: str
    body: bytes


class Answer(_Frame, tag=7, frozen=True):
    """The answer: JSON, or the code and text of a refusal."""

    number: int
    body: bytes
    code: str | None = None


class Tell(_Frame, tag=8, frozen=True):
    """Visitors have to be told something."""

    visitors: list[int]
    text: str


class End(_Frame, tag=9, frozen=True):
    """The last thing that a visitor is told."""

    visitor: int
    text: str


class Beat(_Frame, tag=10, frozen=True):
    """Nothing, to be heard."""


AnyFrame = Greeting | Challenge | Proof | Open | Frame | Left | Ask | Answer | Tell | End | Beat
_ENCODER = msgspec.msgpack.Encoder()
_DECODER: msgspec.msgpack.Decoder[AnyFrame] = msgspec.msgpack.Decoder(AnyFrame)


def proof(secret: str, role: str, nonce: str, target: str) -> str:
    """Return what only a server can say that knows the secret."""
    return hmac.new(secret.encode(), f"{role} {nonce} {target}".encode(), hashlib.sha256).hexdigest()


def _same(theirs: str, ours: str) -> bool:
    """Return whether a proof is right, in a time that tells nothing about it."""
    return hmac.compare_digest(theirs.encode(), ours.encode())


class Wire(asyncio.Protocol, ABC):
    """One end of a link. Frames are written together once in each turn of the loop."""

    def __init__(self) -> None:
        self._longest = LONGEST_OF_STRANGERS
        self._transport: asyncio.Transport | None = None
        self._buffer = bytearray()
        self._out: list[bytes] = []
        self._heard = monotonic()
        self._beat: asyncio.TimerHandle | None = None
        self._unwanted = False
        self.lost = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin to listen for the other end."""
        self._transport = cast(asyncio.Transport, transport)  # That of another loop need not be a subclass.
        if self._unwanted:
            self.cut()
        else:
            self._look()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop."""
        self.lost = True
        if self._beat is not None:
            self._beat.cancel()
        self.ended()

    def ended(self) -> None:
        """What has to be done when the link is gone."""

    @abstractmethod
    def received(self, frame: AnyFrame) -> None:
        """What has to be done about a frame."""

    def cut(self) -> None:
        """End the link at once; one that is still being made ends when it is there."""
        self._unwanted = True
        if self._transport is not None:
            self._transport.abort()

    def _look(self) -> None:
        """Be heard, and see whether the other end is."""
        if monotonic() - self._heard > SILENT_SECONDS + BEAT_SECONDS:
            # Had this process itself been stopped, what arrived meanwhile is read first.
            self.cut()
            return
        self.send(Beat())
        self._beat = asyncio.get_running_loop().call_later(BEAT_SECONDS, self._look)

    def data_received(self, data: bytes) -> None:
        """Take frames apart."""
        self._heard = monotonic()
        self._buffer += data
        start = 0
        while len(self._buffer) - start >= 4:
            size = int.from_bytes(self._buffer[start : start + 4], "big")
            if size > self._longest:
                self.cut()
                return
            if len(self._buffer) - start - 4 < size:
                break
            try:
                frame = _DECODER.decode(memoryview(self._buffer)[start + 4 : start + 4 + size])
            except msgspec.DecodeError:
                self.cut()
                return
            start += 4 + size
            self.received(frame)
        del self._buffer[:start]

    def send(self, frame: AnyFrame) -> None:
        """Send a frame soon."""
        if not self._out:
            asyncio.get_running_loop().call_soon(self.flush)
        data = _ENCODER.encode(frame)
        self._out.append(len(data).to_bytes(4, "big"))
        self._out.append(data)

    def flush(self) -> None:
        """Send what waits."""
        out, self._out = self._out, []
        if self._transport is None or self._transport.is_closing():
            return
        self._transport.write(b"".join(out))
        if self._transport.get_write_buffer_size() > MOST_WAITING:
            self.cut()


class CallingEnd(Wire):
    """The end that connected: it forwards visitors to the other server and asks it questions."""

    def __init__(self, server: str, target: str, secret: str, tell: Callable[[int, str, bool], None]) -> None:
        """`tell` is called with visitor, text, and whether it is the last."""
        super().__init__()
        self._server, self._target, self._secret, self._tell = server, target, secret, tell
        self._nonce = secrets.token_hex(16)
        self._answers: dict[int, asyncio.Future[Answer]] = {}
        self._asked = 0
        self.ready: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self.visitors: set[int] = set()
        self.when_lost: Callable[[], None] = lambda: None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Say who one is."""
        super().connection_made(transport)
        self.send(Greeting(self._server, self._target, self._nonce))

    def received(self, frame: AnyFrame) -> None:
        """Take answers, and what visitors are told."""
        if not self.ready.done():
            match frame:
                case Challenge(theirs, nonce) if _same(
                    theirs, proof(self._secret, "called", self._nonce, self._target)
                ):
                    self.send(Proof(proof(self._secret, "calling", nonce, self._target)))
                    self._longest = LONGEST
                    self.ready.set_result(True)
                case Beat():
                    pass
                case _:
                    self.cut()
            return
        match frame:
            case Tell(visitors, text):
                for visitor in visitors:
                    self._tell(visitor, text, False)
            case End(visitor, text):
                self._tell(visitor, text, True)
            case Answer(number):
                future = self._answers.pop(number, None)
                if future is not None and not future.done():
                    future.set_result(frame)

    async def ask(self, name: str, body: bytes, seconds: float) -> Answer:
        """Ask the other server something. Raises `OSError` or `TimeoutError` if it does not answer."""
        if self.lost:
            raise ConnectionResetError("the link is gone")
        self._asked += 1
        number = self._asked
        future: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self._answers[number] = future
        self.send(Ask(number, name, body))
        try:
            async with asyncio.timeout(seconds):
                return await future
        finally:
            self._answers.pop(number, None)

    def ended(self) -> None:
        """Nobody answers any more."""
        if not self.ready.done():
            self.ready.set_result(False)
        for future in self._answers.values():
            if not future.done():
                future.set_exception(ConnectionResetError("the link is gone"))
        self.when_lost()


class CalledEnd(Wire):
    """The end that was connected to: it serves the other server's visitors and answers its questions."""

    def __init__(self, server: str, secret: str, heard: Callable[[CalledEnd, AnyFrame], None]) -> None:
        """`heard` is called with every frame of a caller that knows the secret, and with `Beat` at the end."""
        super().__init__()
        self._server, self._secret, self._heard_frame = server, secret, heard
        self._nonce = secrets.token_hex(16)
        self._greeted = self._proven = False
        self._text: str | None = None
        self._visitors: list[int] = []

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Wait for the proof, but not for long."""
        super().connection_made(transport)
        asyncio.get_running_loop().call_later(PROOF_SECONDS, self._cut_strangers)

    def _cut_strangers(self) -> None:
        if not self._proven:
            self.cut()

    def received(self, frame: AnyFrame) -> None:
        """Believe only who knows the secret."""
        if self._proven:
            if not isinstance(frame, Beat):
                self._heard_frame(self, frame)
            return
        match frame:
            case Beat():
                pass
            case Greeting(_, target, nonce) if not self._greeted and target == self._server:
                self._greeted = True
                self.send(Challenge(proof(self._secret, "called", nonce, target), self._nonce))
            case Proof(theirs) if self._greeted and _same(
                theirs, proof(self._secret, "calling", self._nonce, self._server)
            ):
                self._proven, self._longest = True, LONGEST
            case _:
                self.cut()

    def tell(self, visitor: int, text: str) -> None:
        """Tell a visitor something; the same text to many goes over once."""
        if text is self._text:
            self._visitors.append(visitor)
            return
        self._pass_on()
        self._text, self._visitors = text, [visitor]
        if not self._out:
            asyncio.get_running_loop().call_soon(self.flush)
            self._out.append(b"")

    def _pass_on(self) -> None:
        if self._text is not None:
            text, visitors = self._text, self._visitors
            self._text, self._visitors = None, []
            self.send(Tell(visitors, text))

    def end(self, visitor: int, text: str) -> None:
        """Tell a visitor the last thing."""
        self._pass_on()
        self.send(End(visitor, text))

    def flush(self) -> None:
        """Send what waits, in the order in which it was told."""
        self._pass_on()
        super().flush()

    def ended(self) -> None:
        """Let go of all visitors."""
        if self._proven:
            self._heard_frame(self, Beat())
