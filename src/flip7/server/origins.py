"""Where requests claim to come from, and which of these claims are believed."""

from __future__ import annotations

import re
from collections.abc import MutableMapping
from ipaddress import IPv6Address, IPv6Network, ip_address
from typing import Any
from urllib.parse import urlsplit

from flip7.server.errors import Refusal

_HOST = re.compile(r"(\[[0-9a-f:.]+\]|[a-z0-9._-]{1,253})(?::(\d{1,5}))?", re.IGNORECASE)
_LOOPBACK = ("127.0.0.1", "[::1]")
PORTS = 65536


def check_origin(scope: MutableMapping[str, Any]) -> None:
    """Raise `Refusal` if the host cannot be one, or if a page of another site sends messages or opens a socket.

    Programs that are no browsers name no origin, and are welcome. Ports are not compared, nor the names of this
    machine, so that a development server in front works.
    """
    headers = dict(scope["headers"])
    host = headers.get(b"host", b"").decode("latin-1")
    name = _name(host)
    if host and name is None:
        raise Refusal("unreadable", "the header Host has to be the name or number of a host, and perhaps a port")
    origin = headers.get(b"origin")
    if origin is None or scope.get("method") in ("GET", "HEAD", "OPTIONS"):
        return
    try:
        theirs = _name(urlsplit(origin.decode("latin-1")).netloc)
    except ValueError:
        theirs = None
    if theirs is None or theirs != name:
        raise Refusal(
            "other_site",
            "this comes from a page of another site; open the game's own address"
            " (a proxy in front of the server has to pass on the header Host)",
        )


def _name(host: str) -> str | None:
    """The host without its port, or `None` if it is no host."""
    match = _HOST.fullmatch(host)
    if match is None or int(match[2] or 0) >= PORTS:
        return None
    name = match[1].lower()
    return "localhost" if name in _LOOPBACK else name


def client_network(address: str) -> str:
    """What limits per address count: the address, but for IPv6 the network of 64 bits that one customer has."""
    try:
        number = ip_address(address)
    except ValueError:
        return address
    if not isinstance(number, IPv6Address):
        return address
    if number.ipv4_mapped is not None:
        return str(number.ipv4_mapped)
    return str(IPv6Network((number.packed[:8] + bytes(8), 64)))
