"""The chain of a game's choices: each carries a hash of the one before, so that gaps and changes are noticed."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

from flip7.server.errors import DamagedLog
from flip7.server.store.base import StoredGame


def first_link(id: str, data: bytes) -> str:
    """Return the hash that the first choice of a game follows: that of what it was dealt from."""
    return hashlib.sha256(b"flip7 game %s %s" % (id.encode(), data)).hexdigest()


def next_link(previous: str, number: int, choice: str, by: str, state: str) -> str:
    """Return the hash of a choice and of all before it."""
    return hashlib.sha256(f"{previous} {number} {choice} {by} {state}".encode()).hexdigest()


def verify(game: StoredGame) -> str:
    """Return the hash of a game's last choice. Raises `DamagedLog` if a choice is missing or was changed."""
    link = first_link(game.id, game.data)
    for link in links(game):  # noqa: B007 - the last one is wanted
        pass
    return link


def links(game: StoredGame) -> Iterator[str]:
    """Yield the hash of each choice of a game. Raises `DamagedLog` at the first that is missing or was changed."""
    link = first_link(game.id, game.data)
    for expected, stored in enumerate(game.choices):
        if stored.number != expected:
            raise DamagedLog(f"game {game.id}: choice {expected} is missing; the next one is {stored.number}")
        link = next_link(link, stored.number, stored.choice, stored.by, stored.state)
        if stored.hash != link:
            raise DamagedLog(f"game {game.id}: choice {expected} is not the one that was written")
        yield link
