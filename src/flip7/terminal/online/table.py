"""`OnlineTable`: what the screen of a table needs, from a server."""

from __future__ import annotations

from flip7.game.view import Choice
from flip7.protocol.client import TableClient
from flip7.protocol.messages import Skip, Speed, Started, Step, Welcome
from flip7.terminal.tables import Table


class OnlineTable(Table):
    """A game on a server; a choice is sent there, and what followed comes from there."""

    def __init__(self, client: TableClient) -> None:
        super().__init__()
        self.client = client

    async def begin(self) -> None:
        """The server begins by itself."""
        return

    def take(self, message: Welcome | Started | Step) -> None:
        """Let what a server tells wait for the screen."""
        self.own = self.client.own
        if isinstance(message, Step):
            self.arrivals.put(message)
        elif message.game is not None:
            self.arrivals.put(message.game)
            if isinstance(message, Welcome):
                for step in message.missed:
                    self.arrivals.put(step, missed=True)

    async def choose(self, choice: Choice) -> None:
        """Send the choice."""
        await self.client.choose("hit" if choice == "hit" else "stay" if choice == "stay" else int(choice))

    async def skip(self) -> None:
        """Tell the server that what comes need not be waited for, as far as it waits for anyone here."""
        room = self.client.room
        if self.own and room is not None and room.phase == "playing":
            await self.client.send(Skip())

    @property
    def speed(self) -> Speed | None:
        """The speed that the host has set."""
        return self.client.room.options.speed if self.client.room is not None else None
