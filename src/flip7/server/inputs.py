"""What a table is told, and what it answers: all that goes into and comes out of the pure core."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec

from flip7.protocol.codes import Code, Ending
from flip7.protocol.messages import FromClient, FromServer, Hello, Player
from flip7.server.seating import DailyTry, DeckSecret, RoomData
from flip7.server.store.base import Write

if TYPE_CHECKING:
    from flip7.server.catch_up import CatchUp
    from flip7.server.play import Play
    from flip7.server.state import RoomState


class Deal(msgspec.Struct, frozen=True):
    """What chance and the calendar give to a game that begins."""

    id: str
    next: DeckSecret
    """The secret of the game after this one, promised from now on."""
    dealer: int | None
    """Who deals first, where that is known beforehand; otherwise secret and nonces decide it."""
    date: str


class Opened(msgspec.Struct, frozen=True):
    """The table is new: its first people and bots sit down, and the game begins at once if there is a deal."""

    players: Sequence[Player]
    digest: str
    """What is kept of the token that holds these seats."""
    bots: Sequence[str] = ()
    secret: DeckSecret | None = None
    """The secret of the first game."""
    nonce: str | None = None
    """What this device adds to it."""
    deal: Deal | None = None
    daily: DailyTry | None = None
    """Whose try at the daily challenge it is."""


class Joined(msgspec.Struct, frozen=True):
    """People on another device sit down."""

    players: Sequence[Player]
    digest: str
    nonce: str | None = None


class Came(msgspec.Struct, frozen=True):
    """A connection has said hello."""

    connection: int
    hello: Hello
    catch_up: CatchUp | None = None
    """What it has missed, as far as that could be made before."""
    unknown: bool = False
    """Whether it has seen a game that the log does not know."""


class Gone(msgspec.Struct, frozen=True):
    """A connection has been lost."""

    connection: int


class Said(msgspec.Struct, frozen=True):
    """A connection has sent a message."""

    connection: int
    message: FromClient
    deal: Deal | None = None
    """For a message that may begin a game."""
    late: bool = False
    """At the daily challenge: whether the day is over for good, and no result counts any more."""


class Rang(msgspec.Struct, frozen=True):
    """The alarm has rung: what is due is done."""

    deal: Deal | None = None
    """For a game that may begin."""
    late: bool = False
    """As for a message."""


class BotAnswered(msgspec.Struct, frozen=True):
    """A bot that thinks beside the loop has answered a `BotQuestion`; `None` where it cannot think just now."""

    game: str
    number: int
    choice: str | int | None


class Abandoned(msgspec.Struct, frozen=True):
    """Nobody has been here for too long."""


class Reloaded(msgspec.Struct, frozen=True):
    """A write may have failed: this is what the store holds. `None` if the table is not there any more."""

    data: RoomData | None
    play: Play | None = None
    gone: Sequence[int] = ()
    """Connections that have been lost meanwhile."""


Input = Opened | Joined | Came | Gone | Said | Rang | BotAnswered | Abandoned | Reloaded


class Tell(msgspec.Struct, frozen=True):
    """A message to these connections."""

    message: FromServer
    to: Sequence[int]


class HangUp(msgspec.Struct, frozen=True):
    """The last word to a connection."""

    connection: int
    code: Code | Ending
    text: str
    resume: bool = False


class Question(msgspec.Struct, frozen=True):
    """What a player asks the coach about."""

    connection: int
    game: str
    number: int
    position: str


class BotQuestion(msgspec.Struct, frozen=True):
    """What a bot has to think about; the table waits for `BotAnswered`, but not for ever."""

    game: str
    number: int
    bot: str
    position: str


class Outcome(msgspec.Struct, frozen=True):
    """What an input leads to. The state is the table's only when the writes are durable; then the messages go out."""

    state: RoomState
    writes: Sequence[Write]
    messages: Sequence[Tell | HangUp]
    alarm: float | None
    """When the table wants to be rung, on the same clock as `now`."""
    seats: tuple[int, ...] = ()
    """The ids of the seats that people have taken by this."""
    alarms: Sequence[str] = ()
    """What whoever runs the server has to know at once."""
    question: Question | None = None
    """What the coach is asked."""
    bot_question: BotQuestion | None = None
    """What a bot is asked that thinks beside the loop."""
