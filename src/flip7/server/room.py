"""The shell of a table: a mailbox, the store and the connections around the pure core, one input at a time."""

from __future__ import annotations

import asyncio
from math import inf
from time import monotonic
from typing import TYPE_CHECKING

import msgspec

from flip7.protocol.messages import Advise, Emote, Rematch, RoomChanged, Start, Started, Step
from flip7.server.connection import Connection, encode
from flip7.server.core import handle
from flip7.server.errors import TROUBLE, Conflict, Fenced, Refusal, StoreError
from flip7.server.inputs import (
    BotAnswered,
    BotQuestion,
    Came,
    Gone,
    HangUp,
    Input,
    Outcome,
    Question,
    Rang,
    Reloaded,
    Said,
    Tell,
)
from flip7.server.logs import LOG
from flip7.server.state import RoomState
from flip7.server.store.base import AddChoice, AddGame, Claimed, CreateRoom, DropRoom, EndGame, Fence
from flip7.server.thinking_bots import think

if TYPE_CHECKING:
    from flip7.server.hub import Hub

MAILBOX = 256
LOOK_AGAIN_SECONDS = 1.0
NEWS_SECONDS = 0.1
"""How often everybody is told how the table stands, at most; with 36 players that is work."""
UNSURE = "it is not certain that this was saved; the table shows what has happened, so look and try again"
MOVED = "the table moves to another server; your seat is kept"

_Letter = tuple[Input, float, asyncio.Future[Outcome] | None]


class Room:
    """One table. Its task alone replaces the state; everybody else puts inputs into the mailbox."""

    def __init__(self, hub: Hub, state: RoomState, epoch: int, made_at: float = -inf) -> None:
        self.hub = hub
        self.state = state
        self.epoch = epoch
        """The epoch in which this server owns the table."""
        self.made_at = made_at
        """When the table was made, if that was here."""
        self.confirmed: int | None = None
        """How many lapses of the server there were when the table was last known to be its own; `None` if it is new."""
        self._connections: dict[int, Connection] = {}
        self._mailbox: asyncio.Queue[_Letter] = asyncio.Queue(MAILBOX)
        self._alarm: asyncio.TimerHandle | None = None
        self._in_line = False
        """Whether what the table does next by itself waits for its turn."""
        self._doubtful = False
        """Whether the store may hold something else, because a write has failed."""
        self._ending: Refusal | None = None
        """Why the table is served here no longer, though it is not closed."""
        self._busy = False
        """Whether an input is being handled."""
        self._news: asyncio.TimerHandle | None = None
        """Rings when everybody is told how the table stands, where that happened a moment ago already."""
        self._news_at = -inf
        self._task: asyncio.Task[None] | None = None

    @property
    def code(self) -> str:
        """The code of the table."""
        return self.state.data.code

    @property
    def network(self) -> str:
        """The network to which counts what the table does by itself; one whose maker is not known is its own."""
        return self.state.data.maker or self.code

    @property
    def fence(self) -> Fence:
        """The right to write about the table."""
        return Fence(self.code, self.epoch)

    @property
    def is_idle(self) -> bool:
        """Whether nothing waits to be done."""
        return self._mailbox.empty() and not (self._busy or self._doubtful or self._connections)

    @property
    def is_closed(self) -> bool:
        """Whether the table has been closed, or is no longer this server's."""
        return self.state.closed or self._ending is not None

    def start(self) -> None:
        """Begin to work."""
        self._task = asyncio.create_task(self._run(), name=f"table {self.code}")

    async def stop(self) -> None:
        """End the work; what is saved stays. Who waits for an answer gets one; the others are told by `send_away`."""
        self._ring_at(None)
        self._ending = self._ending or Refusal("closing", MOVED)
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        self._refuse_rest()

    def _refuse_rest(self) -> None:
        """Answer what nobody will handle any more."""
        while not self._mailbox.empty():
            input, _, future = self._mailbox.get_nowait()
            self._answer(input, future, None, self._gone())

    # What connections and requests ask for.

    async def call(self, input: Input) -> Outcome:
        """Have an input handled, and wait until it is. Raises `Refusal`, or `Conflict` for what cannot be written."""
        if self.is_closed:
            raise self._gone()
        future: asyncio.Future[Outcome] = asyncio.get_running_loop().create_future()
        await self._put((input, monotonic(), future))
        return await future

    async def post(self, input: Input, arrived: float) -> None:
        """Have an input handled, without waiting for it; waits only while the mailbox is full."""
        if not self.is_closed:
            await self._put((input, arrived, None))

    async def _put(self, letter: _Letter) -> None:
        await self._mailbox.put(letter)
        if self._task is not None and self._task.done():  # The table ended while the mailbox was full.
            self._refuse_rest()

    async def look(self) -> RoomState:
        """Return the state, which is still the table's. Raises `Refusal` if it is another server's by now."""
        try:
            await self._confirm()
        except Fenced:
            self.lose()
        if self.is_closed:
            raise self._gone()
        return self.state

    async def _confirm(self) -> None:
        """See that the table is still this server's. Raises `Fenced` if it is not."""
        membership = self.hub.membership
        lapses = membership.lapses
        if self.confirmed is not None and not (membership.is_sure and self.confirmed == lapses):
            if not await self.hub.store.owns(self.fence):
                raise Fenced("the table has another owner")
            self.confirmed = lapses

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
            self._busy = True
            if isinstance(input, Gone):  # It has gone, whatever becomes of this.
                self._connections.pop(input.connection, None)
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
                self.lose()
                error = self._gone()
            except StoreError as problem:
                LOG.warning("not saved", extra={"table": self.code, "problem": str(problem)})
                self._doubt()
                if isinstance(problem, Conflict):
                    error = problem
                else:
                    self.hub.membership.failed(str(problem))
                    error = Refusal("not_saved", UNSURE)
            except asyncio.CancelledError:
                self._answer(input, future, None, self._gone())
                raise
            except Exception as problem:  # noqa: BLE001 - no message may end a table
                LOG.exception("internal error", extra={"table": self.code})
                self.hub.metrics.errors.inc()
                self._doubt()
                error = problem
            self._answer(input, future, outcome, error)
            self._busy = False

    def _answer(
        self, input: Input, future: asyncio.Future[Outcome] | None, outcome: Outcome | None, error: Exception | None
    ) -> None:
        if future is not None and not future.done():
            if outcome is not None:
                future.set_result(outcome)
            elif error is not None:
                future.set_exception(error)
            return
        if error is None or not isinstance(input, Said | Came) or self._ending is not None:
            return  # At the end of the work here all connections are told the same.
        connection = self._connections.get(input.connection)
        if connection is None:
            return
        if isinstance(input, Came):
            del self._connections[input.connection]
            connection.close("restart", MOVED, resume=True)
        else:
            refusal = _refusal(error)
            connection.refuse(refusal.code, refusal.text, str(input.message.__struct_config__.tag))

    async def _handle(self, input: Input, arrived: float) -> Outcome:
        """Handle an input: write what follows, then make it the state, then tell."""
        if isinstance(input, Said):
            input = self._prepared(input)
        elif isinstance(input, Rang) and self.state.next_game_at is not None:
            input = Rang(self.hub.new_deal())
        daily = self.state.data.daily
        if daily is not None and isinstance(input, Said | Rang) and self.hub.days.is_over(daily.date):
            input = msgspec.structs.replace(input, late=True)
        outcome = handle(self.state, input, monotonic())
        lapses = self.hub.membership.lapses
        if outcome.writes:
            created = any(isinstance(write, CreateRoom) for write in outcome.writes)
            await self.hub.store.write(*outcome.writes, fence=None if created else self.fence)
            self.confirmed = lapses
        else:
            await self._confirm()
        self.state = outcome.state
        self._tell(outcome)
        self._count(outcome, arrived)
        if outcome.question is not None:
            self.hub.keep(asyncio.create_task(self._advise(outcome.question)))
        self._ask_bot(outcome.bot_question)
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
        if isinstance(said.message, Advise):
            self.hub.coach.check(connection.address)
        if isinstance(said.message, Start | Rematch):
            return Said(said.connection, said.message, self.hub.new_deal())
        return said

    def _tell(self, outcome: Outcome) -> None:
        told = [message.message for message in outcome.messages if isinstance(message, Tell)]
        in_order = any(isinstance(one, Started | Step) for one in told)
        for message in outcome.messages:
            if isinstance(message, HangUp):
                connection = self._connections.pop(message.connection, None)
                if connection is not None:
                    connection.close(message.code, message.text, resume=message.resume)
                continue
            if isinstance(message.message, RoomChanged) and not in_order and self._tell_later():
                continue
            text = encode(message.message)
            for id in message.to:
                if id in self._connections:
                    self._connections[id].push(text)

    def _tell_later(self) -> bool:
        """Return whether everybody is told how the table stands in a moment, because they were a moment ago."""
        now = monotonic()
        if self._news is None and now >= self._news_at + NEWS_SECONDS:
            self._news_at = now
            return False
        if self._news is None:
            later = self._news_at + NEWS_SECONDS - now
            self._news = asyncio.get_running_loop().call_later(later, self._tell_news)
        return True

    def _tell_news(self) -> None:
        self._news, self._news_at = None, monotonic()
        if not self.is_closed:
            self.hub.keep(asyncio.create_task(self._tell_how_it_stands()))

    async def _tell_how_it_stands(self) -> None:
        """Tell everybody how the table stands, if it is still this server's."""
        try:
            state = await self.look()
        except Refusal:
            return
        except StoreError:
            self._doubt()  # When it has been looked up, everybody is told everything.
            return
        text = encode(RoomChanged(room=state.view()))
        for id in state.connections:
            if id in self._connections:
                self._connections[id].push(text)

    async def _advise(self, question: Question) -> None:
        """Have the coach think, and tell whoever has asked."""
        try:
            advice = await self.hub.coach.answer(question)
        except Refusal as refusal:
            if connection := self._connections.get(question.connection):
                connection.refuse(refusal.code, refusal.text, "advise")
        else:
            if connection := self._connections.get(question.connection):
                connection.push(encode(advice))

    def _ask_bot(self, question: BotQuestion | None) -> None:
        """Have a bot think; its answer comes in as everybody's does."""
        if question is not None:
            self.hub.keep(asyncio.create_task(self._hear_bot(question)))

    async def _hear_bot(self, question: BotQuestion) -> None:
        choice = await think(self.hub.engine, question)
        await self.hub.turns.take(self.network, len(self.state.data.seats))
        await self.post(BotAnswered(question.game, question.number, choice), monotonic())

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
        self._ring_at(monotonic() + LOOK_AGAIN_SECONDS)

    async def _look_it_up(self) -> None:
        """Take what the store holds for what has happened. Raises `StoreError` while it cannot be asked.

        The table is claimed again, so that a write that is still on its way can no longer happen.
        """
        lapses = self.hub.membership.lapses
        claimed = await self.hub.store.claim(self.code)
        if claimed is None:
            await self._reload(Reloaded(None))
        elif isinstance(claimed, Claimed):
            self.epoch, self.confirmed = claimed.epoch, lapses
            try:
                loaded = await self.hub.directory.load(self.code, claimed)
            except Refusal as damage:
                self._end(damage, resume=False)
                raise
            gone = [id for id in self.state.connections if id not in self._connections]
            await self._reload(Reloaded(loaded.data, loaded.play, gone))
        else:
            self.lose()

    async def _reload(self, reloaded: Reloaded) -> None:
        outcome = handle(self.state, reloaded, monotonic())
        self._doubtful = False
        self.state = outcome.state
        self._tell(outcome)
        self._ask_bot(outcome.bot_question)
        if self.state.closed:
            self.hub.directory.forget(self)
        self._ring_at(outcome.alarm)

    def lose(self) -> None:
        """Another server owns the table now: nothing of it is told from here any more."""
        LOG.warning("table lost", extra={"table": self.code})
        self._end(Refusal("closing", MOVED), resume=True)

    def _end(self, ending: Refusal, *, resume: bool) -> None:
        """Serve the table no longer, though it is not closed."""
        self._ending = ending
        self._ring_at(None)
        self.hub.directory.forget(self)
        for connection in self._connections.values():
            connection.close("restart" if resume else ending.code, ending.text, resume=resume)
        self._connections.clear()
        if self._task is not None and not self._task.done() and self._mailbox.empty():
            self._wake()  # The task sees that there is nothing to be done any more.

    def send_away(self) -> None:
        """Tell everybody to come again."""
        self._end(self._ending or Refusal("closing", MOVED), resume=True)

    def _gone(self) -> Refusal:
        if self._ending is not None:
            return self._ending
        return Refusal("unknown_table", "the table has been closed")

    # The alarm.

    def _ring_at(self, at: float | None) -> None:
        """Set the one alarm to a time of the monotonic clock, or off."""
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None
        if at is not None:
            self._alarm = asyncio.get_running_loop().call_later(max(0.0, at - monotonic()), self._ring)

    def _ring(self) -> None:
        """Ring as soon as it is the turn of the network that the table belongs to."""
        self._alarm = None
        if not self._in_line:
            self._in_line = True
            self.hub.turns.call(self.network, len(self.state.data.seats), self._have_turn)

    def _have_turn(self) -> None:
        self._in_line = False
        if self.is_closed:
            return
        if self._mailbox.full():  # There is more than enough to do; look again soon.
            self._ring_at(monotonic() + 0.1)
        else:
            self._wake()

    def _wake(self) -> None:
        self._mailbox.put_nowait((Rang(), monotonic(), None))


def _refusal(error: Exception) -> Refusal:
    """Return what a player is told about what went wrong."""
    if isinstance(error, Refusal):
        return error
    return Refusal("not_saved", UNSURE) if isinstance(error, StoreError) else Refusal("trouble", TROUBLE)
