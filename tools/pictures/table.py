"""A table of five on a real server, played up to a moment that is worth a picture."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from pathlib import Path

from tests.server.client import Client, Process

import flip7
from flip7.protocol.messages import Ask, Ready, RoomChanged, Start, Step
from flip7.protocol.rest import Seated
from flip7.server.settings import Settings

NAMES = ("Ana", "Ben", "Cho", "Dee", "Eli")
ENOUGH = (99, 27, 31, 22, 29)
"""The points at which each of them stays."""

Moment = Callable[[flip7.Game], bool]


def choice(game: flip7.Game) -> str | int:
    """Return what is chosen now: Ana hardly ever stays, and the others spare her."""
    ask = game.decision
    assert ask is not None
    if ask.kind == "turn":
        return "hit" if game.seats[ask.seat].points < ENOUGH[ask.seat] else "stay"
    others = [seat for seat in ask.options if isinstance(seat, int) and seat != ask.seat]
    spared = [seat for seat in others if seat != 0]
    return max(spared or others, key=lambda seat: (game.seats[seat].total + game.seats[seat].points, -seat))


def choices_until(moment: Moment, seed: int) -> list[str | int]:
    """Return everything that is chosen in the game of this seed until the moment comes."""
    game = flip7.Game(NAMES, seed=seed)
    made: list[str | int] = []
    while game.decision is not None:
        if moment(game):
            return made
        made.append(choice(game))
        game.play(made[-1])
    raise AssertionError(f"the moment never comes in the game of seed {seed}")


@asynccontextmanager
async def five_friends(data: Path, seed: int) -> AsyncIterator[tuple[Process, FiveFriends]]:
    """A server and five people at a table of it, whose game has begun: Ana deals, the deck is that of the seed.

    With a seed, who deals follows from it: it has to be a multiple of five.
    """
    settings = Settings(data=data, seed=seed - 1, pace=0, messages_per_second=1000, message_burst=1000)
    with Process(settings) as server:
        async with FiveFriends(server) as friends:
            assert await friends.start() == 0, f"with seed {seed} Ana does not deal"
            yield server, friends


class FiveFriends:
    """Five people at one table, each with a connection of their own."""

    def __init__(self, server: Process) -> None:
        self.server = server
        self.seated: list[Seated] = []
        self._clients: list[Client] = []
        self._open = AsyncExitStack()

    async def __aenter__(self) -> FiveFriends:
        first = self.server.seat("/api/tables", {"players": [{"name": NAMES[0]}]})
        joining = f"/api/tables/{first.code}/join"
        others = [self.server.seat(joining, {"players": [{"name": name}]}) for name in NAMES[1:]]
        self.seated = [first, *others]
        for seated in self.seated:
            client = Client(self.server, seated.code, seated.token)
            self._clients.append(await self._open.enter_async_context(client))
        return self

    async def __aexit__(self, *error: object) -> None:
        await self._open.aclose()

    async def start(self) -> int:
        """Start the game; return who deals."""
        host, *rest = self._clients
        for client in rest:
            await client.send(Ready())
        await host.expect(RoomChanged, lambda room: all(seat.ready for seat in room.room.seats[1:]))
        await host.send(Start())
        return (await host.expect(Step)).dealer

    async def play(self, choices: Sequence[str | int]) -> None:
        """Make these choices, in a game that has just begun."""
        for number, made in enumerate(choices):
            await self._reach(number)
            for client in self._clients:
                await client.answer(partial(_made, made))
        await self._reach(len(choices))

    async def _reach(self, number: int) -> None:
        for client in self._clients:
            while client.number < number or client.ask is None:
                await client.receive()


def _made(choice: str | int, _ask: Ask) -> str | int:
    """Answer a question with a choice that was made before it was asked."""
    return choice
