"""The store as the rest of the server sees it: durable writes, owners of tables, and a few reads."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import NamedTuple, Protocol

import msgspec

LEASE_SECONDS = 5.0
"""A server whose last beat is older than this, by the store's clock, has lost its tables to whoever asks for them."""

BEAT_SECONDS = 1.0
"""How often a server shows that it is alive, to the store and to other servers."""
RETRY_SECONDS, SHORTEST_RETRY = 0.2, 0.02
DAY_SECONDS = 86400.0
ORPHAN_SECONDS = 60.0
"""So long after its owner has died a table does not give way to a new one: its people are on their way back."""
EXPIRE_AT_ONCE = 50
"""So many games or matches are deleted in one transaction: others wait to write meanwhile."""


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
    """One operation of a shared match that is there. A number that the match has already is refused."""

    match: str
    number: int
    data: bytes


class Keep(msgspec.Struct, frozen=True):
    """Something to be kept under a kind and an id. What is there already stays as it is."""

    kind: str
    id: str
    data: bytes
    once: bool = False
    """Whether this is refused, with all that goes with it, if something is there already."""


LASTING = ("day", "first day")
"""The kinds that are kept for ever; all others as long as finished games are."""

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
    | Keep
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


class GameHead(msgspec.Struct, frozen=True):
    """What the log knows of a game without its choices: its data names the players and the date."""

    id: str
    data: bytes
    over: bool
    choices: int
    """How many there are."""
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
    lapses: float = LEASE_SECONDS
    """Seconds after which it has lost the table, unless it shows itself to be alive."""

    @property
    def retry(self) -> float:
        """How long to wait before the table is asked for again, if the owner does not answer."""
        return min(RETRY_SECONDS, max(SHORTEST_RETRY, self.lapses))


class Store(Protocol):
    """Where everything is kept."""

    server: str
    """The id of this server, new with every start."""
    shared: bool
    """Whether other servers may use it at the same time."""
    lapses: int
    """How often this server was dead by the store's clock when it beat, so that it may have lost its tables."""

    async def open(self, address: str = "") -> None:
        """Connect, bring the database up to date, and be known at this address. Raises `StoreError`."""

    async def close(self) -> None:
        """Finish what has been begun, let go of all tables, and be no longer known."""

    async def write(self, *writes: Write, fence: Fence | None = None) -> None:
        """Write all of them or none; they are durable when it returns.

        Raises `Fenced` if the table of the fence has another owner or epoch, and `Conflict` for what cannot be written
        beside what is there: then nothing was written, and never will be. After any other `StoreError` it is not known
        whether it was: claim the table again and look.
        """

    async def claim(self, code: str) -> Claimed | Elsewhere | None:
        """Own a table, in a new epoch, unless a server that is alive owns it. `None` if there is no such table."""

    async def owns(self, fence: Fence) -> bool:
        """Return whether this server still owns a table."""

    async def owned(self) -> list[Fence]:
        """Return all tables that this server owns, whether it knows so or not."""

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
        """Return the tables of a maker, or a part of one, that nobody serves, the longest unused first.

        A part is named after its maker and a space. One whose owner has just died is left out: its people come back.
        """

    async def game(self, id: str) -> StoredGame | None:
        """Return one game with all its choices."""

    async def game_head(self, id: str) -> GameHead | None:
        """Return one game without its choices."""

    async def match(self, code: str) -> bytes | None:
        """Return what was saved of a shared match, but for its operations."""

    async def operations(self, code: str, first: int) -> list[bytes] | None:
        """Return the operations of a shared match, in the order in which they came, from a number on.

        `None` if there is no such match (any more).
        """

    async def kept(self, kind: str, id: str) -> bytes | None:
        """Return what is kept under a kind and an id."""

    async def all_kept(self, kind: str) -> list[tuple[str, bytes]]:
        """Return id and data of everything of a kind, in the order in which it came."""

    async def expire_games(self, days: float) -> int:
        """Delete some games that ended, or were set aside as damaged, n days ago; return how many.

        What was kept then, but for `LASTING`, goes too, and so do tables that were set aside then. A game whose table
        is still there stays, and so does every running one.
        """

    async def expire_matches(self, days: float) -> list[str]:
        """Delete some shared matches into which nothing was entered for n days; return their codes."""


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
