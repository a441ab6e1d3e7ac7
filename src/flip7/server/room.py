"""The shell of a table: a mailbox, the store and the connections around the pure core, one input at a time."""

from __future__ import annotations

import asyncio
from time import monotonic
from typing import TYPE_CHECKING

from flip7.protocol.messages import Emote, Start
from flip7.server.connection import Connection, encode
from flip7.server.core import handle
from flip7.server.errors import Refusal, StoreError
from flip7.server.inputs import Came, Gone, HangUp, Input, Outcome, Rang, Reloaded, Said
from flip7.server.logs import LOG
from flip7.server.state import RoomState
from flip7.server.store.base import AddChoice, AddGame, DropRoom, EndGame

if TYPE_CHECKING:
    from flip7.server.hub import Hub

MAILBOX = 256
RETRY_SECONDS = 1.0
UNSURE = "it is not certain that this was saved; the table shows what has happened, so look and try again"

_Letter = tuple[Input, float, asyncio.Future[Outcome] | None]


class Room:
    """One table. Its task alone replaces the state; everybody else puts inputs into the mailbox."""

    def __init__(self, hub: Hub, state: RoomState, address: str = "") -> None:
        self.hub = hub
        self.state = state
        self.address = address
        """Who made the table, for the limit of tables per address."""
        self._connections: dict[int, Connection] = {}
        self._mailbox: asyncio.Queue[_Letter] = asyncio.Queue(MAILBOX)
        self._alarm: asyncio.TimerHandle | None = None
        self._doubtful = False
        """Whether the store may hold something else, because a write has failed."""
        self._task: asyncio.Task[None] | None = None

    @property
    def code(self) -> str:
        """The code of the table."""
        return self.state.data.code

    def start(self) -> None:
        """Begin to work."""
        self._task = asyncio.create_task(self._run(), name=f"table {self.code}")

    async def stop(self) -> None:
        """End the work; what is saved stays."""
        self._ring_at(None)
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    # What connections and requests ask for.

    async def call(self, input: Input) -> Outcome:
        """Have an input handled, and wait until it is. Raises `Refusal`."""
        if self.state.closed:
            raise _gone()
        future: asyncio.Future[Outcome] = asyncio.get_running_loop().create_future()
        await self._mailbox.put((input, monotonic(), future))
        return await future

    async def post(self, input: Input, arrived: float) -> None:
        """Have an input handled, without waiting for it; waits only while the mailbox is full."""
        if not self.state.closed:
            await self._mailbox.put((input, arrived, None))

    async def come(self, connection: Connection, came: Came) -> None:
        """Have a connection welcomed."""
        self._connections[connection.id] = connection
        await self.post(came, monotonic())

    async def go(self, connection: Connection) -> None:
        """Have a connection counted out that has been lost."""
        await self.post(Gone(connection.id), monotonic())

    # One input at a time.

    async def _run(self) -> None:
        while not self.state.closed or not self._mailbox.empty():
            input, arrived, future = await self._mailbox.get()
            error: Exception | None = None
            outcome: Outcome | None = None
            try:
                if self.state.closed:
                    raise _gone()
                if self._doubtful:
                    await self._look_it_up()
                outcome = await self._handle(input, arrived)
            except Refusal as refusal:
                error = refusal
            except StoreError as problem:
                LOG.warning("not saved", extra={"table": self.code, "problem": str(problem)})
                self._doubt()
                error = Refusal("not_saved", UNSURE)
            except Exception as problem:  # noqa: BLE001 - no message may end a table
                LOG.exception("internal error", extra={"table": self.code})
                self.hub.metrics.errors.add()
                self._doubt()
                error = problem
            self._answer(input, future, outcome, error)

    def _answer(
        self, input: Input, future: asyncio.Future[Outcome] | None, outcome: Outcome | None, error: Exception | None
    ) -> None:
        if future is not None and not future.done():
            if outcome is not None:
                future.set_result(outcome)
            elif error is not None:
                future.set_exception(error)
        elif isinstance(input, Said) and isinstance(error, Refusal) and input.connection in self._connections:
            about = str(input.message.__struct_config__.tag)
            self._connections[input.connection].refuse(error.code, error.text, about)

    async def _handle(self, input: Input, arrived: float) -> Outcome:
        """Handle an input: write what follows, then make it the state, then tell."""
        if isinstance(input, Said):
            connection = self._connections.get(input.connection)
            if connection is None or connection.closing:
                raise Refusal("not_now", "the connection is closed")
            if isinstance(input.message, Start):
                input = Said(input.connection, input.message, self.hub.new_deal())
            if isinstance(input.message, Emote) and not connection.emotes.take():
                raise Refusal("too_many", "not so many feelings at once; wait a little")
        outcome = handle(self.state, input, monotonic())
        if outcome.writes:
            await self.hub.store.write(*outcome.writes)
        self.state = outcome.state
        self._tell(outcome)
        self._count(outcome, arrived)
        if isinstance(input, Gone):
            self._connections.pop(input.connection, None)
        if self.state.closed:
            self.hub.forget(self)
        self._ring_at(outcome.alarm)
        return outcome

    def _tell(self, outcome: Outcome) -> None:
        for message in outcome.messages:
            if isinstance(message, HangUp):
                connection = self._connections.pop(message.connection, None)
                if connection is not None:
                    connection.close(message.code, message.text, resume=message.resume)
                continue
            text = encode(message.message)
            for id in message.to:
                if id in self._connections:
                    self._connections[id].push(text)

    def _count(self, outcome: Outcome, arrived: float) -> None:
        """Note what has happened, for those who run the server."""
        metrics = self.hub.metrics
        for write in outcome.writes:
            match write:
                case AddChoice(by=by):
                    metrics.choices.add(by)
                    metrics.latency.observe(monotonic() - arrived)
                case AddGame(id=id):
                    metrics.games.add("started")
                    seats = len(outcome.state.data.seats)
                    LOG.info("game started", extra={"table": self.code, "game": id, "seats": seats})
                case EndGame(id=id):
                    metrics.games.add("finished")
                    LOG.info("game over", extra={"table": self.code, "game": id})
                case DropRoom():
                    LOG.info("table closed", extra={"table": self.code})

    # When a write has failed.

    def _doubt(self) -> None:
        """What memory holds may not be what is saved: look soon, and before anything else."""
        self._doubtful = True
        self._ring_at(monotonic() + RETRY_SECONDS)

    async def _look_it_up(self) -> None:
        """Take what the store holds for what has happened. Raises `StoreError` while it cannot be asked."""
        data, play = await self.hub.load(self.code)
        self._doubtful = False
        await self._handle(Reloaded(data, play), monotonic())

    # The alarm.

    def _ring_at(self, at: float | None) -> None:
        """Set the one alarm to a time of the monotonic clock, or off."""
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None
        if at is not None:
            self._alarm = asyncio.get_running_loop().call_later(max(0.0, at - monotonic()), self._ring)

    def _ring(self) -> None:
        self._alarm = None
        if self._mailbox.full():  # There is more than enough to do; look again soon.
            self._ring_at(monotonic() + 0.1)
        else:
            self._mailbox.put_nowait((Rang(), monotonic(), None))


def _gone() -> Refusal:
    return Refusal("unknown_table", "the table has been closed")
