"""QR codes with links to this server, to be pointed at with a phone."""

from __future__ import annotations

import io
from typing import Any

import segno
from litestar import Request
from litestar.datastructures import State

from flip7.server.network import network_address

_OWN = {"localhost", "127.0.0.1", "[::1]"}


def link_base(request: Request[Any, Any, State]) -> str:
    """The address of this server as other devices reach it."""
    base = str(request.base_url).rstrip("/")
    if request.base_url.hostname in _OWN and (reachable := network_address()):
        base = base.replace(str(request.base_url.hostname), reachable, 1)  # A phone has a localhost of its own.
    return base


def picture(link: str) -> bytes:
    """The QR code of a link as SVG."""
    drawn = io.BytesIO()
    segno.make(link, error="m", micro=False).save(
        drawn, kind="svg", border=2, xmldecl=False, svgclass=None, lineclass=None, omitsize=True, light="#fff"
    )
    return drawn.getvalue()
