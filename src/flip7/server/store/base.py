"""The store as the rest of the server sees it: durable writes, owners of tables, and a few reads."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import NamedTuple, Protocol

import msgspec

LEASE_SECONDS = 5.0
"""A server whose last beat is older than this, by the store's clock, has lost its tables to whoever asks for them."""


class CreateRoom(msgspec.Struct, frozen=True):
    """A new table, owned by this server from its first epoch on. A code that exists is refused."""

    code: str
    data: bytes
    playing: bool = False
    maker: str = ""
    """Who made it, in a form that tells nobody who that is."""


class SaveRoom(msgspec.Struct, frozen=True):
    """A table as it is now; replaces what was known of it."""

    code: str
    data: bytes
    playing: bool = False
    """Whether a game runs, so that it is kept longer when nobody comes."""


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
    state: str = ""
    """What the choice led to, in short: rules that lead elsewhere are noticed."""
    hash: str = ""
    """The hash of all that, and of the choice before: what is missing or changed is noticed."""


class EndGame(msgspec.Struct, frozen=True):
    """A game is over and can be replayed from now on; with a problem, because it could not be played on."""

    id: str
    problem: str | None = None


class SetGameAside(msgspec.Struct, frozen=True):
    """A game is damaged: it stays as it is, for people to look at, and nobody plays it."""

    id: str
    problem: str


class SetRoomAside(msgspec.Struct, frozen=True):
    """A table is damaged: it stays as it is, for people to look at, and nobody is served it."""

    code: str
    problem: str


class SaveMatch(msgspec.Struct, frozen=True):
    """What a shared match of the scorekeeper is called and opened by; replaces what was known of it."""

    code: str
    data: bytes


class AddOperation(msgspec.Struct, frozen=True):
    """One operation of a shared match. A number that the match has already is refused."""

    match: str
    number: int
    data: bytes


Write = (
    CreateRoom
    | SaveRoom
    | DropRoom
    | AddGame
    | AddChoice
    | EndGame
    | SetGameAside
    | SetRoomAside
    | SaveMatch
    | AddOperation
)


class Fence(msgspec.Struct, frozen=True):
    """The right to write about a table: it holds while this server owns it in this epoch."""

    code: str
    epoch: int


class StoredChoice(NamedTuple):
    """A choice as the log has it."""

    number: int
    choice: str
    by: str
    state: str
    hash: str


class StoredGame(msgspec.Struct, frozen=True):
    """A game as the log tells it."""

    id: str
    data: bytes
    over: bool
    choices: tuple[StoredChoice, ...]
    problem: str | None = None
    """Why it was ended or set aside, if it was."""


class Claimed(msgspec.Struct, frozen=True):
    """This server owns the table now, and nobody else can write about it."""

    epoch: int
    data: bytes
    problem: str | None
    """Why the table was set aside, if it was."""


class Elsewhere(msgspec.Struct, frozen=True):
    """Another server owns the table, and is alive as far as the store knows."""

    server: str
    address: str


class Store(Protocol):
    """Where everything is kept."""

    server: str
    """The id of this server, new with every start."""
    shared: bool
    """Whether other servers may use it at the same time."""

    async def open(self, address: str = "") -> None:
        """Connect, bring the database up to date, and be known at this address. Raises `StoreError`."""

    async def close(self) -> None:
        """Finish what has been begun, let go of all tables, and be no longer known."""

    async def write(self, *writes: Write, fence: Fence | None = None) -> None:
        """Write all of them or none; they are durable when it returns.

        Raises `Fenced` if the table of the fence has another owner or epoch: then nothing was written, and never will
        be. After any other `StoreError` it is not known whether it was: claim the table again and look.
        """

    async def claim(self, code: str) -> Claimed | Elsewhere | None:
        """Own a table, in a new epoch, unless a server that is alive owns it. `None` if there is no such table."""

    async def owns(self, fence: Fence) -> bool:
        """Return whether this server still owns a table."""

    async def release(self, *fences: Fence) -> None:
        """Let go of tables that this server still owns."""

    async def beat(self) -> dict[str, str]:
        """Be known to be alive; return the address of every server that is. Raises `StoreError`: then writing fails."""

    async def secret(self) -> str:
        """Return what only the servers of this store know."""

    async def rooms(self) -> list[tuple[str, bytes]]:
        """Return code and data of all tables that no other server serves, but for those set aside."""

    async def room(self, code: str) -> bytes | None:
        """Return one table, as it was saved last."""

    async def count_rooms(self) -> int:
        """Return how many tables there are."""

    async def idle(self, lobby_seconds: float, game_seconds: float) -> list[str]:
        """Return the tables that nobody serves, and that were last used so long ago."""

    async def made_by(self, maker: str) -> list[str]:
        """Return the tables of a maker that nobody serves, the longest unused first."""

    async def game(self, id: str) -> StoredGame | None:
        """Return one game with all its choices."""

    async def match(self, code: str) -> bytes | None:
        """Return what was saved of a shared match, but for its operations."""

    async def operations(self, code: str, first: int) -> list[bytes]:
        """Return the operations of a shared match, in the order in which they came, from a number on."""


class Group(NamedTuple):
    """Writes that go together, and the future that is told."""

    writes: Sequence[Write]
    fence: Fence | None
    future: asyncio.Future[None]


def settle(future: asyncio.Future[None], error: Exception | None) -> None:
    """Tell whoever waits, unless they have gone."""
    if future.done():
        return
    if error is None:
        future.set_result(None)
    else:
        future.set_exception(error)
