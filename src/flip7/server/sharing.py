"""Work that one of several servers does for all of them."""

from __future__ import annotations

import hashlib
from collections.abc import Awaitable, Callable, Iterable

from flip7.server.errors import Refusal
from flip7.server.links import Links
from flip7.server.membership import Membership
from flip7.server.store.base import Store

ASK_SECONDS = 5.0

Ask = Callable[[str, str, bytes], Awaitable[bytes | None]]
"""Asks the server that does a piece of work, by its key, a question by its name and body; `None` if that is here."""


def chosen(key: str, servers: Iterable[str]) -> str:
    """Return the server that does a piece of work: the same, whoever asks, as long as it is alive."""
    return max(servers, key=lambda server: hashlib.sha256(f"{key} {server}".encode()).digest())


class Sharing:
    """Brings a question to the server that does the work."""

    def __init__(self, store: Store, membership: Membership, links: Links) -> None:
        self._store = store
        self._membership = membership
        self._links = links

    async def ask(self, key: str, name: str, body: bytes) -> bytes | None:
        """Return the answer of another server; `None` if the work is done here, also because that one is silent.

        Raises `Refusal` if that server refuses.
        """
        others = self._membership.others
        server = chosen(key, [self._store.server, *others])
        if server == self._store.server:
            return None
        try:
            return await self._links.ask(server, others[server], name, body, ASK_SECONDS)
        except (OSError, TimeoutError):
            return None
        except Refusal as refusal:
            if refusal.code in ("closing", "trouble"):
                return None
            raise


async def alone(key: str, name: str, body: bytes) -> bytes | None:
    """Ask nobody: there is no other server."""
    return None
