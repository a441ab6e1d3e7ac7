"""The whole web application: sockets, REST and the client's files, with the headers that keep browsers safe."""

from __future__ import annotations

from collections.abc import MutableMapping
from functools import partial
from typing import Any

from flip7.protocol.rest import Problem
from flip7.server.connection import Send
from flip7.server.door import REST
from flip7.server.errors import TROUBLE, Refusal, StoreError
from flip7.server.hub import Hub
from flip7.server.line import Receive
from flip7.server.logs import LOG
from flip7.server.origins import OPERATORS, Origins, address_of, client_network
from flip7.server.refusing import refuse, tell
from flip7.server.rest import make_rest
from flip7.server.settings import Settings
from flip7.server.sockets import serve_socket, serve_visitor
from flip7.server.static import StaticFiles
from flip7.server.store.factory import make_store

_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "style-src-attr 'unsafe-inline'",  # colours and positions of cards
        "img-src 'self' data: blob:",
        "font-src 'self'",
        "media-src 'self' blob:",
        "connect-src 'self'",
        "manifest-src 'self'",
        "worker-src 'self'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    )
)
HEADERS = (
    (b"content-security-policy", _POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"x-frame-options", b"DENY"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), microphone=(), geolocation=(), payment=(), usb=()"),
)
_REST = (REST, *OPERATORS)


class App:
    """The ASGI application. `hub` is there for those who serve it and for tests."""

    def __init__(self, settings: Settings | None = None) -> None:
        """Raises `StoreError` when the settings name no database that can be used."""
        self.settings = settings or Settings()
        self.hub = Hub(self.settings, make_store(self.settings))
        self.hub.links.serve = partial(serve_visitor, self.hub)
        self._rest = make_rest(self.hub)
        self._static = StaticFiles()
        self._origins = Origins(self.settings.allowed_hosts)

    async def __call__(self, scope: MutableMapping[str, Any], receive: Receive, send: Send) -> None:
        """Serve one request, one socket, or the life of the server."""
        if scope["type"] == "lifespan":
            await self._lifespan(receive, send)
            return
        if scope.get("client"):
            scope["client"] = (client_network(scope["client"][0]), scope["client"][1])
        if scope["type"] == "http":
            await self._http(scope, receive, send)
        else:
            await self._socket(scope, receive, send)

    async def _socket(self, scope: MutableMapping[str, Any], receive: Receive, send: Send) -> None:
        try:
            await self.hub.door.check_socket(address_of(scope))
            self._origins.check(scope)
        except Refusal as refusal:
            await receive()
            self.hub.metrics.refusals.labels(refusal.code).inc()
            await refuse(scope, send, refusal, HEADERS)
            return
        await serve_socket(self.hub, scope, receive, send)

    async def _http(self, scope: MutableMapping[str, Any], receive: Receive, send: Send) -> None:
        begun = False

        async def guarded(message: MutableMapping[str, Any]) -> None:
            nonlocal begun
            begun = True
            if message["type"] == "http.response.start":
                names = {name for name, _ in message["headers"]}
                message["headers"] = [*message["headers"], *HEADERS]
                if b"cache-control" not in names:
                    message["headers"].append((b"cache-control", b"no-store"))
            await send(message)

        try:
            address = address_of(scope)
            await self.hub.door.check_request(scope["path"], address)
            self._origins.check(scope)
            if scope["path"].startswith(_REST):
                await self._rest(scope, receive, guarded)  # type: ignore[arg-type]
            else:
                sent = await self._static(scope, guarded, self.hub.previews.page)
                self.hub.door.charge_file(address, sent)
        except Refusal as refusal:
            self.hub.metrics.refusals.labels(refusal.code).inc()
            await refuse(scope, guarded, refusal)
        except Exception:
            LOG.exception("internal error", extra={"path": scope["path"]})
            self.hub.metrics.errors.inc()
            if begun:
                raise
            await tell(scope, guarded, 500, Problem("trouble", TROUBLE))

    async def _lifespan(self, receive: Receive, send: Send) -> None:
        await receive()
        try:
            await self.hub.open()
        except StoreError as error:
            LOG.error("cannot start", extra={"problem": str(error)})
            await send({"type": "lifespan.startup.failed", "message": str(error)})
            return
        await send({"type": "lifespan.startup.complete"})
        await receive()
        await self.hub.close()
        await send({"type": "lifespan.shutdown.complete"})
