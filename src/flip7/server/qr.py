"""QR codes with links to this server, to be pointed at with a phone."""

from __future__ import annotations

import io
import socket
from typing import Any

import segno
from litestar import Request
from litestar.datastructures import State

from flip7.server.network import network_address

_OWN = {"localhost", "127.0.0.1", "[::1]"}
_heard: set[tuple[str, int]] = set()


def link_base(request: Request[Any, Any, State]) -> str:
    """The address of this server as other devices reach it."""
    base = str(request.base_url).rstrip("/")
    server = request.scope["server"]
    reachable = network_address() if request.base_url.hostname in _OWN else None
    if reachable and server and _listens(reachable, server[1] or 0):
        base = base.replace(str(request.base_url.hostname), reachable, 1)  # A phone has a localhost of its own.
    return base


def _listens(address: str, port: int) -> bool:
    """Whether this server is heard at an address of this machine, and not on its loopback alone."""
    if (address, port) not in _heard:
        try:
            socket.create_connection((address, port), timeout=0.2).close()
        except OSError:
            return False
        _heard.add((address, port))
    return True


def picture(link: str) -> bytes:
    """The QR code of a link as SVG."""
    drawn = io.BytesIO()
    segno.make(link, error="m", micro=False).save(
        drawn, kind="svg", border=2, xmldecl=False, svgclass=None, lineclass=None, omitsize=True, light="#fff"
    )
    return drawn.getvalue()
