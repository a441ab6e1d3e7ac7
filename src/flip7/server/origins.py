"""Where requests claim to come from, and which of these claims are believed."""

from __future__ import annotations

import re
import socket
from collections.abc import Iterable, Mapping, MutableMapping
from contextlib import suppress
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from typing import Any
from urllib.parse import urlsplit

from flip7.server.errors import Refusal
from flip7.server.network import network_address

LOCAL = "localhost"
OPERATORS = ("/healthz", "/readyz", "/metrics")
"""What whoever runs the server asks, under any name."""
_HOST = re.compile(r"(\[[0-9a-f:.]+\]|[a-z0-9._-]{1,253})(?::(\d{1,5}))?", re.IGNORECASE)
PORTS = 65536
ANY = "*"


class Origins:
    """Whose pages may ask this server, and by which names it is known."""

    def __init__(self, allowed: Iterable[str] = ()) -> None:
        """`allowed` are hosts by which this server is called besides its own; "*" is every one."""
        names = {name.lower().rstrip(".") for name in allowed}
        self._any = ANY in names
        self._known = names | own_names()

    def check(self, scope: MutableMapping[str, Any]) -> None:
        """Raise `Refusal` for a host that is not this one, and for messages and sockets of pages of other sites.

        A page of another site that has its name point here is refused by that name (DNS rebinding). Programs that are
        no browsers name no origin, and are welcome. Ports are not compared, nor the names of this machine, so that a
        development server in front works.
        """
        headers = dict(scope["headers"])
        host = headers.get(b"host", b"").decode("latin-1")
        name = _name(host)
        if host and name is None:
            raise Refusal("unreadable", "the header Host has to be the name or number of a host, and perhaps a port")
        if name is not None and scope["path"] not in OPERATORS and not self._knows(name, scope):
            raise Refusal(
                "unknown_host",
                f"this server does not know itself as {name}: open it by its own address, or start it with"
                f" 'flip7 serve --allowed-host {name}'",
            )
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

    def _knows(self, name: str, scope: MutableMapping[str, Any]) -> bool:
        """Return whether a host is this server: by a name, or by the address at which the connection has arrived."""
        if self._any or name in self._known:
            return True
        arrived = scope.get("server")
        try:
            number = ip_address(name.strip("[]"))
            return number.is_loopback or (arrived is not None and number == _number(arrived[0]))
        except ValueError:
            return False


def allowed_name(text: str) -> str:
    """Return the host that is meant by a name or number, with a port or without. Raises `ValueError`."""
    with suppress(ValueError):
        if ip_address(text).version == 6:
            text = f"[{text}]"
    name = ANY if text == ANY else _name(text)
    if name is None:
        raise ValueError(f"{text!r} is no name of a host: write it like flip7.example.org, or '*' for any")
    return name


def _number(address: str) -> IPv4Address | IPv6Address:
    """Return an address, that of IPv4 also where IPv6 carries it. Raises `ValueError`."""
    number = ip_address(address)
    mapped = number.ipv4_mapped if isinstance(number, IPv6Address) else None
    return mapped or number


def own_names() -> set[str]:
    """Return the names and addresses of this machine, as far as it knows them."""
    name = socket.gethostname().lower().rstrip(".")
    address = network_address()
    return {LOCAL, name or LOCAL, f"{name}.local", address or LOCAL}


def _name(host: str) -> str | None:
    """The host without its port, or `None` if it is no host."""
    match = _HOST.fullmatch(host)
    if match is None or int(match[2] or 0) >= PORTS:
        return None
    name = match[1].lower().rstrip(".")
    if name.startswith("["):
        try:
            name = f"[{ip_address(name[1:-1])}]"  # which can be written in several ways
        except ValueError:
            return None
    return LOCAL if name in ("127.0.0.1", "[::1]") else name


def address_of(scope: Mapping[str, Any]) -> str:
    """Return the address from which a request or a socket comes, as limits count it."""
    return scope["client"][0] if scope.get("client") else ""


def client_network(address: str) -> str:
    """What limits per address count: the address, but for IPv6 the network of 64 bits that one customer has."""
    try:
        number = _number(address)
    except ValueError:
        return address
    if isinstance(number, IPv4Address):
        return str(number)
    return str(IPv6Network((number.packed[:8] + bytes(8), 64)))
