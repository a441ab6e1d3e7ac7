"""The state of a table: what is saved, who is connected, and when something happens by itself."""

from __future__ import annotations

from collections.abc import Sequence
from zlib import crc32

import msgspec

from flip7.game.events import Event
from flip7.protocol.messages import Presence, RoomView, SeatInfo, TableInfo
from flip7.server.pace import animation_seconds, thinking_seconds
from flip7.server.play import Play
from flip7.server.seating import RoomData, Seat
from flip7.server.settings import Settings


class RoomState(msgspec.Struct):
    """A table at one moment. Whoever wants another one copies it first; connections are numbers here."""

    data: RoomData
    settings: Settings
    now: float
    """When this state was reached; every time here is of the same clock."""
    play: Play | None = None
    devices: dict[int, int] = {}
    """The connection of each device that has one."""
    spectators: set[int] = set()
    away: set[int] = set()
    """The ids of seats that are played for until their people return."""
    lost: dict[int, float] = {}
    """Since when each device has had no connection."""
    empty_since: float = 0.0
    """Since when nobody has been connected."""
    shown_at: float = 0.0
    """When people will have seen what happened last."""
    think: float = 0.0
    """How long a bot seems to think about it."""
    closed: bool = False

    @classmethod
    def restore(cls, data: RoomData, play: Play | None, settings: Settings, now: float) -> RoomState:
        """Return the state of a table that nobody is connected to yet."""
        lost = {seat.device: now for seat in data.people()}
        return cls(data, settings, now, play, lost=lost, empty_since=now, shown_at=now)

    def copy(self, now: float) -> RoomState:
        """Return an independent state; what is saved, and the game, are shared until they are replaced."""
        return msgspec.structs.replace(
            self,
            now=now,
            devices=self.devices.copy(),
            spectators=self.spectators.copy(),
            away=self.away.copy(),
            lost=self.lost.copy(),
        )

    # Who is here.

    @property
    def connections(self) -> list[int]:
        """Everybody who is connected."""
        return [*self.devices.values(), *self.spectators]

    @property
    def is_empty(self) -> bool:
        """Whether nobody is connected. Then the table rests: nobody is waiting for anybody."""
        return not (self.devices or self.spectators)

    def device_of(self, connection: int) -> int:
        """Return the device that a connection speaks for; 0 for a spectator."""
        return next((device for device, one in self.devices.items() if one == connection), 0)

    def presence(self, seat: Seat) -> Presence:
        """Return whether a seat's player is there."""
        if seat.id in self.away:
            return "away"
        return "here" if seat.bot is not None or seat.device in self.devices else "lost"

    # How it looks.

    def view(self) -> RoomView:
        """Return the table as those see it who sit there or watch."""
        data = self.data
        seats, watching = self.seat_infos(), len(self.spectators)
        return RoomView(data.code, data.phase, data.options, seats, watching, data.game, self.secret, data.notice)

    def info(self) -> TableInfo:
        """Return the table as others see it."""
        data = self.data
        host = next((seat.name for seat in data.seats if seat.id == data.host), "")
        joinable = data.phase == "lobby"
        return TableInfo(
            data.code, data.phase, host, self.seat_infos(), data.options, len(self.spectators), joinable, self.secret
        )

    @property
    def secret(self) -> str:
        """The hash of the next game's secret, as everybody is shown it."""
        return self.data.secret.hash if self.data.secret else ""

    def seat_infos(self) -> tuple[SeatInfo, ...]:
        """Return who sits where."""
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

    # When something happens by itself.

    def reach(self, events: Sequence[Event]) -> None:
        """Note that these events have to be shown before anything else happens."""
        assert self.play is not None
        chance = crc32(f"{self.play.id} {self.play.number}".encode()) / (1 << 32)
        self.shown_at = self.now + animation_seconds(events) * self.settings.pace
        self.think = thinking_seconds(chance) * self.settings.pace

    def resume_clocks(self) -> None:
        """Go on after a rest: nobody could wait in the meantime."""
        rested = self.now - self.empty_since
        self.shown_at = self.now
        self.lost = {device: min(self.now, at + rested) for device, at in self.lost.items()}

    @property
    def asked(self) -> Seat | None:
        """The seat that is asked."""
        if self.play is None or self.play.asked is None or self.data.phase != "playing":
            return None
        return self.data.seats[self.play.asked]

    @property
    def deadline(self) -> float | None:
        """When the player who is asked has had their time."""
        seat, timer = self.asked, self.data.options.timer
        if seat is None or seat.bot is not None or not timer:
            return None
        return self.shown_at + timer * self.settings.timer_second

    @property
    def seconds(self) -> float | None:
        """How long the player who is asked has left."""
        return None if self.deadline is None else max(0.0, self.deadline - self.now)

    @property
    def next_choice_at(self) -> float | None:
        """When a bot moves, or a player who does not answer is played for."""
        seat = self.asked
        if seat is None or self.is_empty:
            return None
        if seat.bot is not None or seat.id in self.away:
            return self.shown_at + self.think
        if self.deadline is None and seat.device in self.lost:
            return max(self.shown_at, self.lost[seat.device] + self.settings.grace)
        return self.deadline

    @property
    def next_host_at(self) -> float | None:
        """When a player who is here becomes host instead of one who is not."""
        host = self.data.host_device
        if host not in self.lost or not self.devices:
            return None
        return self.lost[host] + self.settings.grace

    @property
    def alarm(self) -> float | None:
        """When the next thing happens by itself."""
        times = [at for at in (self.next_choice_at, self.next_host_at) if at is not None]
        return min(times) if times and not self.closed else None
