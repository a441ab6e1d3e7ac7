"""The store as the rest of the server sees it: writes that are durable when they return, and a few reads."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Protocol

import msgspec


class SaveRoom(msgspec.Struct, frozen=True):
    """A table as it is now; replaces what was known of it."""

    code: str
    data: bytes


class DropRoom(msgspec.Struct, frozen=True):
    """A table is closed, and what was not played to the end is forgotten."""

    code: str


class AddGame(msgspec.Struct, frozen=True):
    """A game begins: what it takes to deal it again."""

    id: str
    code: str
    data: bytes


class AddChoice(msgspec.Struct, frozen=True):
    """One choice of a game. A number that the game has already is refused."""

    game: str
    number: int
    choice: str
    by: str


class EndGame(msgspec.Struct, frozen=True):
    """A game is over and can be replayed from now on."""

    id: str


class SaveMatch(msgspec.Struct, frozen=True):
    """A shared match of the scorekeeper as it is now; replaces what was known of it."""

    code: str
    data: bytes


Write = SaveRoom | DropRoom | AddGame | AddChoice | EndGame | SaveMatch


class StoredGame(msgspec.Struct, frozen=True):
    """A game as the log tells it."""

    id: str
    data: bytes
    over: bool
    choices: tuple[tuple[str, str], ...]
    """Each choice, and who made it."""


class Store(Protocol):
    """Where everything is kept."""

    async def open(self) -> None:
        """Connect, and make the tables of the database if they are not there. Raises `StoreError`."""

    async def close(self) -> None:
        """Finish what has been begun, and let go."""

    async def write(self, *writes: Write) -> None:
        """All of them or none, durable when it returns. After a `StoreError` look at what is there."""

    async def rooms(self) -> list[bytes]:
        """All tables, as they were saved."""

    async def room(self, code: str) -> bytes | None:
        """One table, as it was saved last."""

    async def game(self, id: str) -> StoredGame | None:
        """One game with all its choices."""

    async def match(self, code: str) -> bytes | None:
        """One shared match, as it was saved last."""


class Batch:
    """Writes that wait for the next commit, each with the future that is told."""

    def __init__(self) -> None:
        self.waiting: list[tuple[Sequence[Write], asyncio.Future[None]]] = []

    def add(self, writes: Sequence[Write]) -> asyncio.Future[None]:
        """Queue a group of writes; the future is done when they are durable."""
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.waiting.append((writes, future))
        return future

    def take(self) -> list[tuple[Sequence[Write], asyncio.Future[None]]]:
        """Everything that waits now."""
        taken, self.waiting = self.waiting, []
        return taken


def settle(future: asyncio.Future[None], error: Exception | None) -> None:
    """Tell whoever waits, unless they have gone."""
    if future.done():
        return
    if error is None:
        future.set_result(None)
    else:
        future.set_exception(error)
