"""A table of a server that says what the test says, when the test says it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import msgspec
import pytest
from tests.terminal.conftest import Seen, opened

from flip7.game.game import Game
from flip7.game.options import Rules
from flip7.protocol.client import TableClient
from flip7.protocol.messages import (
    PROTOCOL,
    FromClient,
    FromServer,
    Options,
    Phase,
    RoomView,
    SeatInfo,
    Step,
    Welcome,
)
from flip7.protocol.views import game_view, step_of
from flip7.terminal.online import lobby
from flip7.terminal.online.lobby import LobbyScreen
from flip7.terminal.online.seats import hold

ADDRESS, CODE = "http://127.0.0.1:9", "ABCDE"


class Told(TableClient):
    """A client to which the test says what the server says."""

    sent: list[FromClient]

    async def __aenter__(self) -> Told:
        self.sent = []
        return self

    async def send(self, message: FromClient) -> bool:
        self.sent.append(message)
        return True

    def hear(self, *messages: FromServer) -> None:
        for message in messages:
            self._take(message)


def room(phase: Phase, *, host: bool = False, **options: object) -> RoomView:
    sitting = tuple(
        SeatInfo(id=id, name=name, colour=0, bot=None, presence="here", ready=True, host=(id == 1) == host, device=id)
        for id, name in ((1, "Ana"), (2, "Bo"))
    )
    given = Options(**{"speed": "instant", **options})  # type: ignore[arg-type]
    return RoomView(code=CODE, phase=phase, options=given, seats=sitting, spectators=0, game="one", secret="")


def two(target: int = 200, deck: str = "5 6 7 8") -> Game:
    return Game(["Ana", "Bo"], seed=1, rules=Rules(target=target, dealer=1), deck=deck.split())


def welcome(game: Game, phase: Phase = "playing", id: str = "one", **more: object) -> Welcome:
    view = game_view(id, len(game.choices), game, odds=True, seconds=None)
    return Welcome(protocol=PROTOCOL, room=room(phase, **more), seats=(1,), game=view, missed=())  # type: ignore[arg-type]


def choose(game: Game, choice: str | int, id: str = "one") -> Step:
    """Make a choice, and tell it as a server does."""
    ask = game.decision
    assert ask is not None
    before = game_view(id, len(game.choices), game, odds=True, seconds=None).hands
    events = game.play(choice)
    step, _ = step_of(
        id, len(game.choices), game, events, before, chosen=(ask.seat, choice), by="player", odds=True, seconds=None
    )
    return step


@asynccontextmanager
async def at_table(
    monkeypatch: pytest.MonkeyPatch, size: tuple[int, int] = (80, 24), token: str | None = "token"
) -> AsyncIterator[tuple[Seen, Callable[[], Told]]]:
    """The application at a table of a server that says nothing by itself, and its latest connection."""
    made: list[Told] = []

    def make(address: str, code: str, token: str | None) -> Told:
        made.append(Told(address, code, token))
        return made[-1]

    monkeypatch.setattr(lobby, "TableClient", make)
    hold(ADDRESS, CODE, token)
    async with opened(lambda _: LobbyScreen(ADDRESS, CODE, "Ana", watch=False), size=size) as seen:
        await seen.until(lambda: bool(made) and hasattr(made[-1], "sent"))
        yield seen, lambda: made[-1]


def stack(seen: Seen) -> list[str]:
    return [type(screen).__name__ for screen in seen.app.screen_stack[1:]]


def away(*, mine: bool) -> RoomView:
    """A table at which somebody else chooses for Ana, or no longer."""
    sitting = room("playing")
    ana = msgspec.structs.replace(sitting.seats[0], presence="away" if mine else "here")
    return msgspec.structs.replace(sitting, seats=(ana, sitting.seats[1]))


def late(game: Game) -> Welcome:
    """What somebody is told who has sat down while a game runs."""
    sitting = room("playing")
    seat = SeatInfo(
        id=3, name="Cy", colour=0, bot=None, presence="here", ready=True, host=False, device=3, waiting=True
    )
    sitting = msgspec.structs.replace(sitting, seats=(*sitting.seats, seat))
    view = game_view("one", len(game.choices), game, odds=True, seconds=None)
    return Welcome(protocol=PROTOCOL, room=sitting, seats=(3,), game=view, missed=())
