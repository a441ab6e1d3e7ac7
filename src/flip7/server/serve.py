"""Runs the web application in this process, on uvicorn, until it is stopped."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import socket
import ssl
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from flip7.server.app import HEADERS, App
from flip7.server.door import Door
from flip7.server.errors import StoreError
from flip7.server.gc_policy import apply_gc_policy
from flip7.server.logs import LOG

GOODBYE_SECONDS = 5
SEND_BUFFER = 65536


@dataclass(frozen=True)
class Certificate:
    """The two files of PEM that HTTPS needs; they may be one."""

    cert: Path
    key: Path

    def check(self) -> None:
        """Raise `ValueError`, saying what would be right, unless they are a certificate and its key."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        try:
            context.load_cert_chain(self.cert, self.key, password=_no_password)
        except _LockedKeyError:
            raise ValueError(f"the key in {self.key} is locked by a password; give one that is not") from None
        except ssl.SSLError as error:
            why = "the key is not the certificate's" if "MISMATCH" in str(error.reason) else "they need PEM in them"
            raise ValueError(f"{self.cert} and {self.key} are no certificate with its key: {why}") from None


class _LockedKeyError(Exception):
    """The key needs a password, and nobody is there to type it."""


def _no_password() -> str:
    raise _LockedKeyError


class PatientProtocol(H11Protocol):
    """HTTP that hangs up on those who open a connection and do not finish a request, or do not read the answer."""

    seconds = 15.0
    _watch: asyncio.TimerHandle | None = None
    _served = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start the clock."""
        super().connection_made(transport)
        self._watch = self.loop.call_later(self.seconds, self._look, 0, 0)

    def _look(self, served: int, unread: int) -> None:
        """Hang up unless something has happened since the last look, or it is this side's turn."""
        transport = self.transport
        if transport.get_protocol() is not self:
            return
        waiting = transport.get_write_buffer_size()
        has_read = waiting == 0 or waiting != unread
        is_done = self._served > served or transport.is_closing() or self.timeout_keep_alive_task is not None
        if not has_read or not (is_done or self._is_answering):
            transport.abort()
            return
        self._watch = self.loop.call_later(self.seconds, self._look, self._served, waiting)

    @property
    def _is_answering(self) -> bool:
        """Whether a request has arrived to its end, and its answer is being made."""
        has_arrived = self.conn.their_state in (h11.DONE, h11.MUST_CLOSE)
        return has_arrived and self.conn.our_state in (h11.SEND_RESPONSE, h11.SEND_BODY)

    def on_response_complete(self) -> None:
        """Count the request."""
        self._served += 1
        super().on_response_complete()

    def send_400_response(self, msg: str) -> None:
        """Answer what is no HTTP, with the headers that all answers have."""
        headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"connection", b"close"), *HEADERS]
        response = h11.Response(status_code=400, headers=headers, reason=b"Bad Request")
        for event in (response, h11.Data(data=msg.encode()), h11.EndOfMessage()):
            self.transport.write(self.conn.send(event) or b"")
        self.transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the clock."""
        if self._watch is not None:
            self._watch.cancel()
        super().connection_lost(exc)


class Doorway(asyncio.Protocol):
    """Lets a connection in, or hangs up on it before anything is read: that has to be cheap."""

    def __init__(self, door: Door, inside: Callable[[], asyncio.Protocol]) -> None:
        self._door = door
        self._inside = inside

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Decide."""
        peer = transport.get_extra_info("peername")
        if isinstance(peer, tuple) and not self._door.admits(str(peer[0])):
            transport.abort()
            return
        inside = self._inside()
        transport.set_protocol(inside)
        inside.connection_made(transport)


class AbortableProtocol(WebSocketsSansIOProtocol):
    """WebSockets that the application can cut off at once, though the other side does not read."""

    def handle_connect(self, event: Any) -> None:
        """Give the application the means to do so."""
        super().handle_connect(event)
        if hasattr(self, "scope"):
            self.scope["state"]["abort"] = self.transport.abort

    async def send(self, message: Any) -> None:
        """Send, and know that a refusal is an answer too."""
        await super().send(message)
        if message["type"] == "websocket.http.response.body":
            self.handshake_complete = True

    def keepalive_timeout(self) -> None:
        """Do not wait for a peer that has fallen silent to read what is left."""
        super().keepalive_timeout()
        self.transport.abort()


class Server(uvicorn.Server):
    """Says goodbye before it hangs up."""

    def __init__(self, config: uvicorn.Config, app: App, started: Callable[[str], None]) -> None:
        super().__init__(config)
        self._app = app
        self._started = started
        self._tidy: asyncio.Task[None] | None = None

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Stop, which is no failure; asked a second time, at once."""
        self.force_exit = self.should_exit and sig == signal.SIGINT
        self.should_exit = True

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Go on with all games, start to listen, then say where."""
        try:
            await self._app.hub.open()
        except StoreError:
            await self._app.hub.close()
            raise
        await super().startup(sockets)
        if self.started:
            self._tidy = asyncio.create_task(apply_gc_policy())
            host, port = (sockets or self.servers[0].sockets)[0].getsockname()[:2]
            LOG.info("listening", extra={"host": host, "port": port})
            self._started(f"{'https' if self.config.is_ssl else 'http'}://{_reachable(host)}:{port}/")

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Tell everybody to come again, then stop."""
        LOG.info("stopping")
        if self._tidy is not None:
            self._tidy.cancel()
        await self._app.hub.hand_over()
        await asyncio.sleep(0.05)
        await super().shutdown(sockets)
        await self._app.hub.close()
        await asyncio.sleep(0.05)  # What was cut off has to be gone before the loop is.


def run(
    app: App,
    listener: socket.socket,
    started: Callable[[str], None] = lambda address: None,
    tls: Certificate | None = None,
) -> None:
    """Serve on a listening socket until stopped, by HTTPS with a certificate; calls `started` with the address.

    Raises `StoreError` when the database cannot be used.
    """
    _allow_many_files()

    class Http(PatientProtocol):
        seconds = app.settings.request_seconds

    def doorway(**given: Any) -> Doorway:
        return Doorway(app.hub.door, partial(Http, **given))

    config = uvicorn.Config(
        app,
        http=doorway,  # type: ignore[arg-type]
        ws=AbortableProtocol,
        ws_max_size=app.settings.frame_bytes,
        ws_per_message_deflate=False,
        proxy_headers=bool(os.environ.get("FORWARDED_ALLOW_IPS")),
        timeout_graceful_shutdown=GOODBYE_SECONDS,
        access_log=False,
        server_header=False,
        log_config=None,
        ssl_certfile=tls.cert if tls else None,
        ssl_keyfile=tls.key if tls else None,
        lifespan="off",  # the server itself opens and closes the hub, to tell what is wrong
    )
    # What waits for a slow reader waits in a queue that is watched, not in the kernel. Connections inherit it.
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
    with listener:
        Server(config, app, started).run([listener])


def _reachable(host: str) -> str:
    """An address that works on this machine."""
    if host in ("0.0.0.0", "::", "127.0.0.1"):
        return "localhost"
    return f"[{host}]" if ":" in host else host


def _allow_many_files() -> None:
    """Every connection is an open file: take as many as the system gives."""
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource

        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
