"""The shell of a table: a mailbox, the store and the connections around the pure core, one input at a time."""

from __future__ import annotations

import asyncio
from time import monotonic
from typing import TYPE_CHECKING

from flip7.protocol.messages import Emote, Start
from flip7.server.connection import Connection, encode
from flip7.server.core import handle
from flip7.server.errors import Fenced, Refusal, StoreError
from flip7.server.inputs import Came, Gone, HangUp, Input, Outcome, Rang, Reloaded, Said
from flip7.server.logs import LOG
from flip7.server.state import RoomState
from flip7.server.store.base import AddChoice, AddGame, Claimed, CreateRoom, DropRoom, EndGame, Fence

if TYPE_CHECKING:
    from flip7.server.hub import Hub

MAILBOX = 256
RETRY_SECONDS = 1.0
UNSURE = "it is not certain that this was saved; the table shows what has happened, so look and try again"
MOVED = "the table moves to another server; your seat is kept"

_Letter = tuple[Input, float, asyncio.Future[Outcome] | None]


class Room:
    """One table. Its task alone replaces the state; everybody else puts inputs into the mailbox."""

    def __init__(self, hub: Hub, state: RoomState, epoch: int) -> None:
        self.hub = hub
        self.state = state
        self.epoch = epoch
        """The epoch in which this server owns the table."""
        self.born = monotonic()
        self._connections: dict[int, Connection] = {}
        self._mailbox: asyncio.Queue[_Letter] = asyncio.Queue(MAILBOX)
        self._alarm: asyncio.TimerHandle | None = None
        self._doubtful = False
        """Whether the store may hold something else, because a write has failed."""
        self._lost = False
        self._task: asyncio.Task[None] | None = None

    @property
    def code(self) -> str:
        """The code of the table."""
        return self.state.data.code

    @property
    def fence(self) -> Fence:
        """The right to write about the table."""
        return Fence(self.code, self.epoch)

    @property
    def is_idle(self) -> bool:
        """Whether nothing waits to be done."""
        return self._mailbox.empty() and not self._doubtful and not self._connections

    @property
    def is_closed(self) -> bool:
        """Whether the table has been closed, or is no longer this server's."""
        return self.state.closed or self._lost

    def start(self) -> None:
        """Begin to work."""
        self._task = asyncio.create_task(self._run(), name=f"table {self.code}")

    async def stop(self) -> None:
        """End the work; what is saved stays. Whoever is here is told to come again."""
        self._ring_at(None)
        self._lost = True
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        while not self._mailbox.empty():
            input, _, future = self._mailbox.get_nowait()
            self._answer(input, future, None, Refusal("closing", MOVED))
        self._send_away()

    # What connections and requests ask for.

    async def call(self, input: Input) -> Outcome:
        """Have an input handled, and wait until it is. Raises `Refusal`."""
        if self.is_closed:
            raise self._gone()
        future: asyncio.Future[Outcome] = asyncio.get_running_loop().create_future()
        await self._mailbox.put((input, monotonic(), future))
        return await future

    async def post(self, input: Input, arrived: float) -> None:
        """Have an input handled, without waiting for it; waits only while the mailbox is full."""
        if not self.is_closed:
            await self._mailbox.put((input, arrived, None))

    async def come(self, connection: Connection, came: Came) -> None:
        """Have a connection welcomed."""
        if self.is_closed:
            connection.close("restart", MOVED, resume=True)
            return
        self._connections[connection.id] = connection
        await self.post(came, monotonic())

    async def go(self, connection: Connection) -> None:
        """Have a connection counted out that has been lost."""
        await self.post(Gone(connection.id), monotonic())

    # One input at a time.

    async def _run(self) -> None:
        while not self.is_closed or not self._mailbox.empty():
            input, arrived, future = await self._mailbox.get()
            error: Exception | None = None
            outcome: Outcome | None = None
            try:
                if self.is_closed:
                    raise self._gone()
                if self._doubtful:
                    await self._look_it_up()
                if self.is_closed:
                    raise self._gone()
                outcome = await self._handle(input, arrived)
            except Refusal as refusal:
                error = refusal
            except Fenced:
                self._lose()
                error = self._gone()
            except StoreError as problem:
                LOG.warning("not saved", extra={"table": self.code, "problem": str(problem)})
                self._doubt()
                error = Refusal("not_saved", UNSURE)
            except Exception as problem:  # noqa: BLE001 - no message may end a table
                LOG.exception("internal error", extra={"table": self.code})
                self.hub.metrics.errors.inc()
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
            return
        if not isinstance(error, Refusal) or not isinstance(input, Said | Came):
            return
        connection = self._connections.get(input.connection)
        if connection is None:
            return
        if isinstance(input, Came):
            del self._connections[input.connection]
            connection.close("restart", MOVED, resume=True)
        else:
            connection.refuse(error.code, error.text, str(input.message.__struct_config__.tag))

    async def _handle(self, input: Input, arrived: float) -> Outcome:
        """Handle an input: write what follows, then make it the state, then tell."""
        if isinstance(input, Said):
            input = self._prepared(input)
        outcome = handle(self.state, input, monotonic())
        if outcome.writes:
            created = any(isinstance(write, CreateRoom) for write in outcome.writes)
            await self.hub.store.write(*outcome.writes, fence=None if created else self.fence)
        elif not self.hub.membership.is_sure and not await self.hub.store.owns(self.fence):
            raise Fenced("the table has another owner")
        self.state = outcome.state
        self._tell(outcome)
        self._count(outcome, arrived)
        if isinstance(input, Gone):
            self._connections.pop(input.connection, None)
        if self.state.closed:
            self.hub.directory.forget(self)
        self._ring_at(outcome.alarm)
        return outcome

    def _prepared(self, said: Said) -> Said:
        """Return a message with what chance gives to it. Raises `Refusal` for what its connection may not do."""
        connection = self._connections.get(said.connection)
        if connection is None or connection.closing:
            raise Refusal("not_now", "the connection is closed")
        if isinstance(said.message, Emote) and not connection.emotes.take():
            raise Refusal("too_many", "not so many feelings at once; wait a little")
        if isinstance(said.message, Start):
            return Said(said.connection, said.message, self.hub.new_deal())
        return said

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
        for problem in outcome.alarms:
            self.hub.alarm("the log is behind", table=self.code, problem=problem)
        for write in outcome.writes:
            match write:
                case AddChoice(by=by):
                    metrics.choices.labels(by).inc()
                    metrics.latency.observe(monotonic() - arrived)
                case AddGame(id=id):
                    metrics.games.labels("started").inc()
                    seats = len(outcome.state.data.seats)
                    LOG.info("game started", extra={"table": self.code, "game": id, "seats": seats})
                case EndGame(id=id):
                    metrics.games.labels("finished").inc()
                    LOG.info("game over", extra={"table": self.code, "game": id})
                case DropRoom():
                    LOG.info("table closed", extra={"table": self.code})

    # When a write has failed.

    def _doubt(self) -> None:
        """What memory holds may not be what is saved: look soon, and before anything else."""
        self._doubtful = True
        self._ring_at(monotonic() + RETRY_SECONDS)

    async def _look_it_up(self) -> None:
        """Take what the store holds for what has happened. Raises `StoreError` while it cannot be asked.

        The table is claimed again, so that a write that is still on its way can no longer happen.
        """
        claimed = await self.hub.store.claim(self.code)
        if claimed is None:
            await self._reload(Reloaded(None))
        elif isinstance(claimed, Claimed):
            self.epoch = claimed.epoch
            loaded = await self.hub.directory.load(self.code, claimed)
            await self._reload(Reloaded(loaded.data, loaded.play))
        else:
            self._lose()

    async def _reload(self, reloaded: Reloaded) -> None:
        outcome = handle(self.state, reloaded, monotonic())
        self._doubtful = False
        self.state = outcome.state
        self._tell(outcome)
        if self.state.closed:
            self.hub.directory.forget(self)
        self._ring_at(outcome.alarm)

    def _lose(self) -> None:
        """Another server owns the table now: nothing of it is told from here any more."""
        LOG.warning("table lost", extra={"table": self.code})
        self._lost = True
        self._ring_at(None)
        self.hub.directory.forget(self)
        self._send_away()

    def _send_away(self) -> None:
        """Tell everybody to come again."""
        for connection in self._connections.values():
            connection.close("restart", MOVED, resume=True)
        self._connections.clear()

    def _gone(self) -> Refusal:
        if self.state.closed:
            return Refusal("unknown_table", "the table has been closed")
        return Refusal("closing", MOVED)

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
