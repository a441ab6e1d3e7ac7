"""A table online: one task owns it and does one thing at a time, whatever its connections ask for."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from time import monotonic
from typing import TYPE_CHECKING

import msgspec

from flip7.game.errors import IllegalChoice, InvalidChoice
from flip7.game.events import Event
from flip7.protocol.codes import Code, Ending
from flip7.protocol.messages import (
    PROTOCOL,
    By,
    FromClient,
    FromServer,
    GameView,
    Hello,
    Player,
    Presence,
    RoomChanged,
    RoomView,
    Seated,
    SeatInfo,
    Started,
    Step,
    TableInfo,
    Welcome,
)
from flip7.server import actions
from flip7.server.bots import away_choice, bot_choice
from flip7.server.connection import Connection, encode
from flip7.server.errors import Refusal, StoreError
from flip7.server.logs import LOG
from flip7.server.names import digest, new_token
from flip7.server.owner import NOT_SAVED, Owner
from flip7.server.pace import showing, thinking
from flip7.server.play import Play
from flip7.server.seating import RoomData, Seat
from flip7.server.store.base import AddChoice, DropRoom, EndGame, SaveRoom, Write

if TYPE_CHECKING:
    from flip7.server.hub import Hub


class Room(Owner):
    """The owner of one table. Only its task touches what is in here; everybody else sends it jobs."""

    def __init__(self, hub: Hub, data: RoomData, play: Play | None = None, address: str = "") -> None:
        super().__init__(f"table {data.code}", hub.metrics)
        self.hub = hub
        self.data = data
        self.play = play
        self.address = address
        """Who made the table, for the limit of tables per address."""
        self.devices: dict[int, Connection] = {}
        self.spectators: set[Connection] = set()
        self.away: set[int] = set()
        """The ids of seats that are played for until their people return."""
        self.lost: dict[int, float] = {seat.device: monotonic() for seat in data.people()}
        """Since when each device has had no connection."""
        self.quiet_since = monotonic()
        """Since when nobody has been connected."""
        self._shown_at = monotonic()
        """When people will have seen what happened last."""
        self._think = 0.0

    async def recover(self) -> None:
        """After a failed write the log alone knows what has happened: read it again."""
        saved = await self.hub.store.room(self.data.code)
        if saved is None:
            raise StoreError("the table is not in the store")
        self.data = msgspec.json.decode(saved, type=RoomData)
        self.play = await self.hub.load_play(self.data.game)
        self.welcome_all()

    # What connections and requests ask for.

    async def join(self, players: Sequence[Player]) -> Seated:
        """Give people on a new device their seats."""
        if self.data.phase != "lobby":
            raise Refusal("not_now", "the game has begun: watch it, and sit down for the next one")
        draft = self._draft()
        token = new_token()
        device = draft.new_device(digest(token))
        seats = [draft.sit(player, device) for player in players]
        await self.save(draft)
        self.lost[device] = monotonic()
        self.tell_room()
        return Seated(self.data.code, token, tuple(seat.id for seat in seats))

    async def hello(self, connection: Connection, hello: Hello) -> None:
        """Somebody comes, or comes back."""
        device, rested = 0, not self.watched
        if hello.token is not None:
            device = self.data.devices.get(digest(hello.token), 0)
            if not device:
                connection.close("unknown_token", "this token opens no seat here any more", resume=False)
                return
            older = self.devices.pop(device, None)
            if older is not None:
                older.close("displaced", "you went on playing in another window", resume=False)
        elif len(self.spectators) >= self.hub.settings.spectators:
            connection.close("too_many", "this table has as many spectators as it can take", resume=False)
            return
        if rested:
            self._wake()
        connection.device = device
        if device:
            self.devices[device] = connection
            self.lost.pop(device, None)
            self.away -= {seat.id for seat in self.data.seats_of(device)}
        else:
            self.spectators.add(connection)
        self._welcome(connection, hello)
        self.tell_room(but=connection)
        self.look_ahead()

    async def gone(self, connection: Connection) -> None:
        """A connection has been lost."""
        if self.devices.get(connection.device) is connection:
            del self.devices[connection.device]
            self.lost[connection.device] = monotonic()
        elif connection in self.spectators:
            self.spectators.remove(connection)
        else:
            return
        self.rest_if_empty()
        self.tell_room()
        self.look_ahead()

    def rest_if_empty(self) -> None:
        """Note since when nobody has been here, once somebody has gone."""
        if not self.watched:
            self.quiet_since = monotonic()

    def _wake(self) -> None:
        """Somebody comes to a table that rested: all clocks go on, for nobody could wait in the meantime."""
        now = monotonic()
        rested = now - self.quiet_since
        self._shown_at = now
        self.lost = {device: min(now, at + rested) for device, at in self.lost.items()}

    async def message(self, connection: Connection, message: FromClient, arrived: float) -> None:
        """Obey a message, or say why not."""
        if connection.closing:
            return
        about = str(message.__struct_config__.tag)
        try:
            await actions.obey(self, connection, message, arrived)
        except Refusal as refusal:
            connection.refuse(refusal.code, refusal.text, about)
        except StoreError:
            connection.refuse("not_saved", NOT_SAVED, about)
            raise

    # What changes the table.

    def _draft(self) -> RoomData:
        """A copy to change, so that a failed write changes nothing."""
        return msgspec.json.decode(msgspec.json.encode(self.data), type=RoomData)

    async def save(self, draft: RoomData, *more: Write) -> None:
        """Make the draft the state of the table, once it is written down."""
        await self.hub.store.write(SaveRoom(draft.code, msgspec.json.encode(draft)), *more)
        self.data = draft

    async def change(self, edit: Callable[[RoomData], object]) -> None:
        """Change the seats or options, save it and tell everybody."""
        draft = self._draft()
        edit(draft)
        if not draft.host_device:
            draft.name_host(self.devices)
        await self.save(draft)
        self.tell_room()
        self.look_ahead()

    async def begin(self, draft: RoomData, play: Play, *more: Write) -> None:
        """A game begins."""
        await self.save(draft, *more)
        self.play = play
        self.away.clear()
        self.hub.metrics.games.add("started")
        LOG.info("game started", extra={"table": draft.code, "game": play.id, "seats": len(draft.seats)})
        self._state_reached(play.game.events)
        self.tell_room()
        self.tell(Started(game=play.first_view()))
        self.tell(play.deal_step(odds=draft.options.odds, seconds=self._seconds()))
        self.look_ahead()

    async def choose(self, choice: str | int, by: By, arrived: float) -> None:
        """Take a choice: play it, write it down, and only then tell everybody."""
        play = self.play
        assert play is not None
        seat = play.asked
        assert seat is not None
        try:
            events = play.choose(choice, by)
        except (IllegalChoice, InvalidChoice) as error:
            raise Refusal("illegal", str(error)) from None
        writes: list[Write] = [AddChoice(play.id, play.number - 1, str(choice), by)]
        draft = self.data
        if play.over:
            draft = self._draft()
            draft.phase = "over"
            writes += [EndGame(play.id), SaveRoom(draft.code, msgspec.json.encode(draft))]
        await self.hub.store.write(*writes)
        self.data = draft
        self._state_reached(events)
        self.tell(play.step(events, seat, odds=self.data.options.odds, seconds=self._seconds()))
        self.hub.metrics.choices.add(by)
        self.hub.metrics.latency.observe(monotonic() - arrived)
        if play.over:
            self.hub.metrics.games.add("finished")
            LOG.info("game over", extra={"table": self.data.code, "game": play.id, "choices": play.number})
            self.tell_room()
        self.look_ahead()

    async def close(self, code: Code | Ending, text: str) -> None:
        """End the table for good."""
        await self.hub.store.write(DropRoom(self.data.code))
        self.closed = True
        self.ring_at(None)
        for connection in self.connections:
            connection.close(code, text, resume=False)
        self.hub.forget(self)
        LOG.info("table closed", extra={"table": self.data.code, "reason": code})

    # What everybody is told.

    @property
    def connections(self) -> list[Connection]:
        """Everybody who is connected."""
        return [*self.devices.values(), *self.spectators]

    @property
    def watched(self) -> bool:
        """Whether anybody is connected. Otherwise the table rests: nobody is waiting for anybody."""
        return bool(self.devices or self.spectators)

    def tell(self, message: FromServer, but: Connection | None = None) -> None:
        """Tell everybody the same; it is encoded once."""
        text = encode(message)
        for connection in self.connections:
            if connection is not but:
                connection.push(text)

    def tell_room(self, but: Connection | None = None) -> None:
        """Tell everybody how the table stands, but for the cards."""
        self.tell(RoomChanged(room=self.view()), but)

    def welcome_all(self) -> None:
        """Tell everybody everything anew."""
        for connection in self.connections:
            self._welcome(connection, Hello())

    def _welcome(self, connection: Connection, hello: Hello) -> None:
        play, odds = self.play, self.data.options.odds
        view: GameView | None = None
        missed: tuple[Step, ...] = ()
        if play is not None:
            behind = hello.game == play.id and hello.number < play.number
            if behind and self.hub.retellings.take(connection.address, play.number):
                view, missed = play.retell(hello.number, odds=odds, seconds=self._seconds())
            else:
                view = play.view(odds=odds, seconds=self._seconds())
        seats = tuple(seat.id for seat in self.data.seats_of(connection.device))
        welcome = Welcome(protocol=PROTOCOL, room=self.view(), seats=seats, game=view, missed=missed)
        connection.push(encode(welcome))

    def view(self) -> RoomView:
        """The table as those see it who sit there or watch."""
        data = self.data
        return RoomView(data.code, data.phase, data.options, self.seat_infos(), len(self.spectators), data.game)

    def info(self) -> TableInfo:
        """The table as others see it."""
        data = self.data
        host = next((seat.name for seat in data.seats if seat.id == data.host), "")
        joinable = data.phase == "lobby"
        return TableInfo(data.code, data.phase, host, self.seat_infos(), data.options, len(self.spectators), joinable)

    def seat_infos(self) -> tuple[SeatInfo, ...]:
        """Who sits where."""
        return tuple(
            SeatInfo(
                seat.id,
                seat.name,
                seat.colour,
                seat.bot,
                self.presence(seat),
                seat.ready,
                seat.id == self.data.host,
                seat.device,
            )
            for seat in self.data.seats
        )

    def presence(self, seat: Seat) -> Presence:
        """Whether somebody is there."""
        if seat.id in self.away:
            return "away"
        return "here" if seat.bot is not None or seat.device in self.devices else "lost"

    # What happens by itself.

    def _state_reached(self, events: Sequence[Event]) -> None:
        self._shown_at = monotonic() + showing(events) * self.hub.settings.pace
        self._think = thinking(random.random()) * self.hub.settings.pace

    def _deadline(self) -> float | None:
        """When the player who is asked has had their time."""
        seat = self._asked()
        timer = self.data.options.timer
        if seat is None or seat.bot is not None or not timer:
            return None
        return self._shown_at + timer * self.hub.settings.timer_second

    def _seconds(self) -> float | None:
        deadline = self._deadline()
        return None if deadline is None else max(0.0, deadline - monotonic())

    def _asked(self) -> Seat | None:
        if self.play is None or self.play.asked is None or self.data.phase != "playing":
            return None
        return self.data.seats[self.play.asked]

    def _next_choice_at(self) -> float | None:
        """When a bot moves, or somebody who does not answer is played for."""
        seat = self._asked()
        if seat is None or not self.watched:
            return None
        if seat.bot is not None or seat.id in self.away:
            return self._shown_at + self._think
        deadline = self._deadline()
        if deadline is None and seat.device in self.lost:
            deadline = max(self._shown_at, self.lost[seat.device] + self.hub.settings.grace)
        return deadline

    def _next_host_at(self) -> float | None:
        """When somebody who is here becomes host instead of one who is not."""
        host = self.data.host_device
        if host not in self.lost or not self.devices:
            return None
        return self.lost[host] + self.hub.settings.grace

    def look_ahead(self) -> None:
        """Set the alarm for what happens next by itself."""
        times = [at for at in (self._next_choice_at(), self._next_host_at()) if at is not None]
        self.ring_at(min(times) if times and not self.closed else None)

    async def tick(self) -> None:
        """Do what is due."""
        now = monotonic()
        host_at, choice_at = self._next_host_at(), self._next_choice_at()
        if host_at is not None and host_at <= now:
            await self.change(lambda draft: draft.name_host(self.devices))
        if choice_at is not None and choice_at <= now:
            await self._play_for(self._asked())
        else:
            self.look_ahead()

    async def _play_for(self, seat: Seat | None) -> None:
        assert seat is not None
        assert self.play is not None
        if seat.bot is not None:
            await self.choose(bot_choice(seat.bot, self.play.game), "bot", monotonic())
            return
        if seat.id not in self.away:
            self.away.add(seat.id)
            self.tell_room()
        await self.choose(away_choice(self.play.game), "away", monotonic())
