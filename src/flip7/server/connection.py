"""One connection of a browser: a bounded queue of what it has to be told, and its limits."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, MutableMapping
from typing import TYPE_CHECKING, Any

import msgspec

from flip7.protocol.codes import Code, Ending
from flip7.protocol.messages import Closed, FromServer, Refused
from flip7.server.limits import Bucket

if TYPE_CHECKING:
    from flip7.server.hub import Hub
    from flip7.server.wire import CalledEnd

Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]

CLOSE_SECONDS = 10.0
_ENCODER = msgspec.json.Encoder()


def encode(message: FromServer) -> str:
    """A message as it goes over the wire."""
    return _ENCODER.encode(message).decode()


class Connection:
    """The server's end of a socket. Whoever has something to tell pushes it and goes on."""

    __slots__ = (
        "_abort",
        "_closing",
        "_draining",
        "_hub",
        "_queue",
        "_send",
        "address",
        "emotes",
        "id",
        "messages",
    )

    def __init__(self, hub: Hub, send: Send, abort: Callable[[], None] | None, address: str = "") -> None:
        settings = hub.settings
        self.id = next(hub.connection_ids)
        self.address = address
        self._hub = hub
        self._send = send
        self._abort = abort
        self._queue: deque[str] = deque()
        self._draining: asyncio.Task[None] | None = None
        self._closing = False
        self.messages = Bucket(settings.messages_per_second, settings.message_burst)
        self.emotes = Bucket(settings.emotes_per_second, settings.emote_burst)

    @property
    def closing(self) -> bool:
        """Whether it has been told to go."""
        return self._closing

    def push(self, text: str) -> None:
        """Tell it something. One that does not keep up is cut off; it can come back and catch up."""
        if self._closing:
            return
        if len(self._queue) >= self._hub.settings.queue:
            self.cut_off("too_slow")
            return
        self._queue.append(text)
        self._hub.metrics.sent.inc()
        self._drain_soon()

    def refuse(self, code: Code, text: str, about: str | None) -> None:
        """Say why a message is not obeyed."""
        self._hub.metrics.refusals.labels(code).inc()
        self.push(encode(Refused(code=code, text=text, about=about)))

    def close(self, code: Code | Ending, text: str, *, resume: bool) -> None:
        """Say why, then hang up."""
        if self._closing:
            return
        self.push(encode(Closed(code=code, text=text, resume=resume)))
        self.finish(code)

    def finish(self, code: Code | Ending) -> None:
        """Hang up when everything has been told."""
        if not self._closing:
            self._closing = True
            self._hub.metrics.closed.labels(code).inc()
            self._drain_soon()
            if self._abort is not None:  # Should it never read that.
                asyncio.get_running_loop().call_later(CLOSE_SECONDS, self._abort)

    def cut_off(self, code: Code | Ending) -> None:
        """Hang up at once, on a client that does not listen."""
        self._closing = True
        self._queue.clear()
        self._hub.metrics.closed.labels(code).inc()
        if self._abort is not None:
            self._abort()

    def _drain_soon(self) -> None:
        if self._draining is None:
            self._draining = asyncio.create_task(self._drain())

    async def _drain(self) -> None:
        try:
            while self._queue:
                await self._send({"type": "websocket.send", "text": self._queue.popleft()})
            if self._closing:
                await self._send({"type": "websocket.close", "code": 1000})
        except (OSError, RuntimeError):
            self._queue.clear()  # It has gone; the reading side notices.
        finally:
            self._draining = None
        if self._queue:
            self._drain_soon()


class Visitor(Connection):
    """A connection that another server forwards. That one keeps the queue, and cuts off who does not read."""

    __slots__ = ("_link", "_number")

    def __init__(self, hub: Hub, link: CalledEnd, number: int, address: str) -> None:
        super().__init__(hub, _nowhere, None, address)
        self._link = link
        self._number = number

    def push(self, text: str) -> None:
        """Tell it something, through the other server."""
        if not self._closing:
            self._hub.metrics.sent.inc()
            self._link.tell(self._number, text)

    def close(self, code: Code | Ending, text: str, *, resume: bool) -> None:
        """Say why, then have the other server hang up."""
        if not self._closing:
            self._closing = True
            self._hub.metrics.closed.labels(code).inc()
            self._link.end(self._number, encode(Closed(code=code, text=text, resume=resume)))

    def cut_off(self, code: Code | Ending) -> None:
        """Hang up at once."""
        self.close(code, "the connection is cut off", resume=False)


async def _nowhere(message: MutableMapping[str, Any]) -> None:
    """Nothing is sent from here."""
