"""The state of a table: what is saved, who is connected, and when something happens by itself."""

from __future__ import annotations

from collections.abc import Sequence
from zlib import crc32

import msgspec

from flip7.game.events import Event
from flip7.protocol.messages import Presence, RoomView, SeatInfo
from flip7.protocol.rest import TableInfo
from flip7.protocol.times import animation_seconds, limit, thinking_seconds, told_quickly
from flip7.rules.table import SEATS
from flip7.server.bots import thinks
from flip7.server.play import Play
from flip7.server.seating import RoomData, Seat
from flip7.server.settings import Settings

RETURN_SECONDS = 30
"""How long the others wait at least for a player whose connection has just come back."""


BOT_SECONDS = 10.0
"""How long the others wait for a bot that thinks; then it answers without thinking."""


class Pondering(msgspec.Struct, frozen=True):
    """A bot thinks beside the loop about a state of a game, until it has answered or the others have waited enough."""

    game: str
    number: int
    bot: str
    until: float
    answered: bool = False
    choice: str | int | None = None


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
    returned: dict[int, float] = {}
    """When each device connected last."""
    heard: dict[int, float] = {}
    """When each device last said something."""
    host_since: float = 0.0
    """When whoever is host now became so."""
    ready_since: float | None = None
    """Since when nobody but the host could begin, and the others wait for that."""
    empty_since: float = 0.0
    """Since when nobody has been connected."""
    shown_at: float = 0.0
    """When people will have seen what happened last."""
    think: float = 0.0
    """How long a bot seems to think about it."""
    quick_seconds: float = 0.0
    """How long the quick steps since the last other one would be on show if they were not told quickly."""
    skipped: set[int] = set()
    """The devices that want to see nothing before the next choice of a player who is here."""
    rematch_at: float | None = None
    """When another game begins."""
    pondering: Pondering | None = None
    """What a bot thinks about, or has thought."""
    closed: bool = False

    @classmethod
    def restore(cls, data: RoomData, play: Play | None, settings: Settings, now: float) -> RoomState:
        """Return the state of a table that nobody is connected to yet."""
        lost = {seat.device: now for seat in data.people()}
        state = cls(data, settings, now, play, lost=lost, empty_since=now, shown_at=now)
        state.note_rematch()
        return state

    def copy(self, now: float) -> RoomState:
        """Return an independent state; what is saved, and the game, are shared until they are replaced."""
        return msgspec.structs.replace(
            self,
            now=now,
            devices=self.devices.copy(),
            spectators=self.spectators.copy(),
            away=self.away.copy(),
            lost=self.lost.copy(),
            returned=self.returned.copy(),
            heard=self.heard.copy(),
            skipped=self.skipped.copy(),
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
        if seat.id in self.away or seat.stand_in is not None:
            return "away"
        return "here" if seat.bot is not None or seat.device in self.devices else "lost"

    # How it looks.

    def view(self) -> RoomView:
        """Return the table as those see it who sit there or watch."""
        data = self.data
        seats, watching = self.seat_infos(), len(self.spectators)
        return RoomView(
            data.code,
            data.phase,
            data.options,
            seats,
            watching,
            data.game,
            self.secret,
            data.notice,
            daily=data.daily.date if data.daily else None,
            rematch=None if self.next_game_at is None else round(max(0.0, self.next_game_at - self.now), 1),
        )

    def info(self) -> TableInfo:
        """Return the table as others see it."""
        data = self.data
        host = next((seat.name for seat in data.seats if seat.id == data.host), "")
        joinable = len(data.seats) < SEATS and data.daily is None
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
                seat.stand_in,
                seat.waiting,
            )
            for seat in self.data.seats
        )

    # When something happens by itself.

    def reach(self, events: Sequence[Event], *, quick: bool = False) -> None:
        """Note that these events are to be shown before anything else happens; quick ones wait for nothing."""
        assert self.play is not None
        chance = crc32(f"{self.play.id} {self.play.number}".encode()) / (1 << 32)
        speed, seats, pace = self.data.options.speed, len(self.play.game.players), self.settings.pace
        self.think = thinking_seconds(chance, speed) * pace
        if self.is_skipping:
            self.shown_at = self.now
        elif quick:
            opening = self.is_opening
            count, most = told_quickly(events, opening=opening), limit(speed, opening=opening) / 1000
            before = min(most, self.quick_seconds)
            self.quick_seconds += animation_seconds(events[:count], seats, speed)
            length = min(most, self.quick_seconds) - before + animation_seconds(events[count:], seats, speed)
            self.shown_at = max(self.now, self.shown_at) + length * pace
        else:
            self.shown_at = self.now + animation_seconds(events, seats, speed) * pace
        if not quick:
            self.quick_seconds = 0.0
        if self.asked is None or self.is_present(self.asked):
            self.skipped.clear()

    def resume_clocks(self) -> None:
        """Go on after a rest: nobody could wait in the meantime."""
        rested = self.now - self.empty_since
        self.shown_at = self.now
        self.lost = {device: min(self.now, at + rested) for device, at in self.lost.items()}
        if self.rematch_at is not None:
            self.rematch_at += rested

    @property
    def asked(self) -> Seat | None:
        """The seat that is asked."""
        if self.play is None or self.play.asked is None or self.data.phase != "playing":
            return None
        return self.data.seats[self.play.asked]

    @property
    def asked_bot(self) -> str | None:
        """The bot that answers for the seat that is asked, where one does."""
        seat = self.asked
        return None if seat is None else seat.bot or seat.stand_in

    @property
    def must_ponder(self) -> bool:
        """Whether a bot is asked that thinks beside the loop, and has not been told so yet."""
        bot = self.asked_bot
        return bot is not None and thinks(bot) and self.pondered is None and not self.is_empty and not self.closed

    @property
    def pondered(self) -> Pondering | None:
        """What the bot that is asked thinks about the present state, if it does."""
        found, play = self.pondering, self.play
        if found is None or play is None or found.bot != self.asked_bot:
            return None
        return found if (found.game, found.number) == (play.id, play.number) else None

    def is_present(self, seat: Seat) -> bool:
        """Return whether a player holds this seat who is here and plays themselves."""
        return seat.bot is None and not seat.waiting and self.presence(seat) == "here"

    @property
    def is_opening(self) -> bool:
        """Whether no player has made a choice in this game yet."""
        return self.play is not None and all(by != "player" for _, by in self.play.choices)

    @property
    def is_skipping(self) -> bool:
        """Whether all players who are here want to see nothing before their next choice."""
        here = {seat.device for seat in self.data.seats if self.is_present(seat)}
        return bool(here) and here <= self.skipped

    @property
    def is_quick(self) -> bool:
        """Whether players are here, and none of them can be asked anything in the time that is to come."""
        if self.play is None:
            return False
        here = [number for number, seat in enumerate(self.data.seats) if self.is_present(seat)]
        if not here:
            return False
        seats = self.play.game.seats
        return self.is_opening or self.is_skipping or all(seats[number].status != "active" for number in here)

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
        if self.asked_bot is not None:
            pondering = self.pondered
            if pondering is None or pondering.answered:
                return self._answers_at
            return max(self._answers_at, pondering.until)
        if self.data.options.timer:
            return self._answers_at if seat.id in self.away else self.deadline
        if self.connections == [self.devices.get(seat.device)]:
            return None  # Nobody waits for them.
        if seat.id in self.away:
            return self._answers_at
        if seat.device in self.lost:
            return max(self.shown_at, self.lost[seat.device] + self.settings.grace)
        return self._patience_ends_at(seat.device, self.shown_at)

    @property
    def _answers_at(self) -> float:
        """When the server makes a choice that is its own to make."""
        return self.now if self.is_quick else self.shown_at + self.think

    def _patience_ends_at(self, device: int, since: float) -> float | None:
        """When the others have waited long enough for a player who is connected; who has just returned gets a while."""
        patience, second = self.data.options.patience, self.settings.timer_second
        if not patience:
            return None
        returned = self.returned.get(device, since) + min(patience, RETURN_SECONDS) * second
        return max(since + patience * second, returned)

    @property
    def next_host_at(self) -> float | None:
        """When a player who is here becomes host instead of one who is not, or who lets the others wait."""
        host = self.data.host_device
        if not host or not self.successors:
            return None
        if host in self.lost:
            return self.lost[host] + self.settings.grace
        heard = max(self.heard.get(host, self.now), self.host_since)
        if self.data.host in self.away:
            ends_at = self._patience_ends_at(host, heard)
            return heard + self.settings.grace if ends_at is None else ends_at
        if self.ready_since is not None:
            return self._patience_ends_at(host, max(heard, self.ready_since))
        return None

    @property
    def successors(self) -> set[int]:
        """The devices whose people could be host instead: those that are here."""
        host = self.data.host_device
        if host in self.lost:
            return set(self.devices)
        others = [seat for seat in self.data.people() if seat.device != host]
        return {seat.device for seat in others if self.presence(seat) == "here"}

    def note_waiting(self) -> None:
        """Note since when nobody but the host could begin a game, while that is so."""
        waiting = self.data.phase == "lobby" and bool(self.successors) and not self.data.not_ready()
        self.ready_since = (self.now if self.ready_since is None else self.ready_since) if waiting else None

    def note_rematch(self) -> None:
        """Note when another game begins, while one has been called for."""
        if not self.data.again:
            self.rematch_at = None
        elif self.rematch_at is None:
            self.rematch_at = self.now + self.settings.rematch

    @property
    def next_game_at(self) -> float | None:
        """When another game begins by itself, which none does while nobody is here."""
        return self.rematch_at if self.data.again and not self.is_empty else None

    @property
    def alarm(self) -> float | None:
        """When the next thing happens by itself."""
        times = [at for at in (self.next_choice_at, self.next_host_at, self.next_game_at) if at is not None]
        return min(times) if times and not self.closed else None
