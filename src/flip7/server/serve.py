"""Runs the web application in this process, on uvicorn, until somebody stops it."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import socket
import ssl
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Any

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from flip7.server.app import HEADERS, App
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
    """HTTP that hangs up on those who open a connection and then do not finish a request."""

    seconds = 15.0
    _watch: asyncio.TimerHandle | None = None
    _served = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start the clock."""
        super().connection_made(transport)
        self._watch = self.loop.call_later(self.seconds, self._look, 0)

    def _look(self, served: int) -> None:
        """Whether a request has been served since the last look, or the connection is only kept alive."""
        transport = self.transport
        if transport.is_closing() or transport.get_protocol() is not self:
            return
        idle = self.timeout_keep_alive_task is not None
        if not idle and self._served == served:
            transport.abort()
            return
        self._watch = self.loop.call_later(self.seconds, self._look, self._served)

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

    config = uvicorn.Config(
        app,
        http=Http,
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
