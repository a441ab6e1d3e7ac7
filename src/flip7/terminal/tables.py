"""Where a table comes from: what the screen of a table needs of a game here or on a server."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from random import Random
from time import monotonic
from typing import NamedTuple

from flip7.game.events import Event
from flip7.game.position import Position
from flip7.game.view import Choice
from flip7.protocol.messages import GameView, Speed, Step
from flip7.terminal.desk import Desk
from flip7.terminal.thinking import away

Think = Callable[[float], Awaitable[None]]


class Arrived(NamedTuple):
    """A state or a step, and when it came."""

    told: GameView | Step
    at: float
    """By the monotonic clock, in seconds."""
    missed: bool
    """Whether it happened while there was no connection."""


class Arrivals:
    """What a table has told and no screen has shown yet, in order, for one reader."""

    def __init__(self) -> None:
        self._waiting: deque[Arrived] = deque()
        self._there = asyncio.Event()

    def put(self, told: GameView | Step, *, missed: bool = False) -> None:
        """Let something wait for its reader, from now on."""
        self._waiting.append(Arrived(told, monotonic(), missed))
        self._there.set()

    async def next(self) -> Arrived:
        """Return what came first, as soon as there is anything."""
        while not self._waiting:
            self._there.clear()
            await self._there.wait()
        return self._waiting.popleft()

    def empty(self) -> bool:
        """Return whether nothing is waiting."""
        return not self._waiting

    @property
    def steps(self) -> list[Step]:
        """The steps that are waiting, up to the next whole state."""
        found = []
        for waiting in self._waiting:
            if not isinstance(waiting.told, Step):
                break
            found.append(waiting.told)
        return found


class Table(ABC):
    """A table whose states and steps arrive in `arrivals`, in order."""

    def __init__(self) -> None:
        self.arrivals = Arrivals()
        self.own: frozenset[int] = frozenset()
        """The numbers of the seats that are played at this screen."""

    @abstractmethod
    async def begin(self) -> None:
        """Tell the first state, and what followed it."""

    @abstractmethod
    async def choose(self, choice: Choice) -> None:
        """Answer the open question for a seat of one's own."""

    async def go_on(self, think: Think) -> None:
        """See to it that whoever else is asked answers; a server does so by itself."""
        return

    async def skip(self) -> None:
        """Say that nothing has to be waited for, to whom that matters."""
        return

    @property
    def speed(self) -> Speed | None:
        """How fast the table plays, where that is not up to this screen."""
        return None

    @property
    def position(self) -> Position | None:
        """The whole position, where it is known."""
        return None

    @property
    def past(self) -> Sequence[Event]:
        """Everything that happened, where the whole game is known."""
        return ()

    @property
    def trouble(self) -> str:
        """Why the game is not kept at the moment; nothing if it is."""
        return ""

    async def close(self) -> None:
        """Let go of everything, with everything kept."""
        return

    def let_go(self) -> None:
        """Let go of what others may want, at the latest moment that there is."""
        return


class LocalTable(Table):
    """A game against the cast on this machine."""

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self.desk = desk
        self.own = desk.own
        self._chance = Random(desk.game.seed)
        self._writing = asyncio.Lock()
        desk.hold()

    async def begin(self) -> None:
        """Tell the deal, or the state in which the game was left."""
        if self.desk.number:
            self.arrivals.put(self.desk.view())
        else:
            for told in self.desk.opening():
                self.arrivals.put(told)
        await self._keep()

    async def choose(self, choice: Choice) -> None:
        """Play the choice; what followed is on show while it is being written down."""
        self.arrivals.put(self.desk.choose(choice))
        await self._keep()

    async def go_on(self, think: Think) -> None:
        """Let the bot that is asked answer."""
        number = self.desk.number
        answer = asyncio.create_task(away(lambda _: self.desk.bot_choice()))
        await think(self._chance.random())
        choice = await answer
        if self.desk.number == number:
            await self.choose(choice)

    async def _keep(self) -> None:
        text = self.desk.game.record()
        async with self._writing:
            await asyncio.to_thread(self.desk.save, text)

    @property
    def position(self) -> Position | None:
        """The position of the game."""
        return self.desk.game.position

    @property
    def past(self) -> Sequence[Event]:
        """Everything that happened in the game."""
        return self.desk.game.events

    @property
    def trouble(self) -> str:
        """Why the game could not be written down last."""
        return self.desk.trouble

    async def close(self) -> None:
        """Write the game down once more."""
        await self._keep()
        self.let_go()

    def let_go(self) -> None:
        """Let the game be gone on with in another terminal."""
        self.desk.let_go()
