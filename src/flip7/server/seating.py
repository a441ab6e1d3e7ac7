"""Who sits at a table: people, bots, devices and the host. Plain data, saved as it is."""

from __future__ import annotations

from collections.abc import Container

import msgspec

from flip7.game.promise import secret_hash
from flip7.protocol.messages import COLOURS, Notice, Options, Phase, Player
from flip7.rules.table import SEATS
from flip7.server.bots import SUBSTITUTE, bot
from flip7.server.errors import Refusal
from flip7.server.names import clean_name, digest, unlike

NO_DEVICE = 0


class Seat(msgspec.Struct):
    """One seat. Its position in the list is the seat number of the game."""

    id: int
    name: str
    colour: int
    bot: str | None = None
    device: int = NO_DEVICE
    ready: bool = False
    departed: bool = msgspec.field(default=False, name="left")
    """Whether the person has gone for good; a bot goes on until the game is over."""
    stand_in: str | None = None
    """The bot that plays for the person until they return."""
    waiting: bool = False
    """Whether the person plays from the next game on."""


class DeckSecret(msgspec.Struct, frozen=True):
    """What the server alone knows about the next game until it is over."""

    seed: str
    salt: str

    @property
    def hash(self) -> str:
        """What everybody is shown of it before anybody adds a nonce."""
        return secret_hash(int(self.seed), self.salt)


class DailyTry(msgspec.Struct, frozen=True):
    """One device's only try at the deck of a day."""

    date: str
    player: str
    """What is kept of the device: enough to recognise it, and no more."""


class RoomData(msgspec.Struct):
    """Everything about a table that survives a restart, but for the cards."""

    code: str
    options: Options
    phase: Phase = "lobby"
    seats: list[Seat] = []
    devices: dict[str, int] = {}
    """The number of each device, by the digest of its token."""
    host: int = 0
    """The id of the seat whose device is host; 0 for nobody."""
    game: str | None = None
    again: bool = False
    """After a game: whether another one has been called for, which begins in a while."""
    secret: DeckSecret | None = None
    """The secret of the next game; a table from before there were such has none until it is served again."""
    nonces: dict[int, str] = {}
    """What the devices have added to it, by their number."""
    notice: Notice | None = None
    maker: str = ""
    """The network that the table was made from, in a form that tells nobody which; empty if it is not known."""
    device: str = ""
    """The device that made it, in such a form too, if it is a quick game."""
    daily: DailyTry | None = None
    """Whose try at the daily challenge is played here, where it is one."""
    seats_so_far: int = 0
    devices_so_far: int = 0

    @property
    def made_by(self) -> str:
        """By whom the store finds the table: its network, and for a quick game the device."""
        return f"{self.maker} {self.device}" if self.device else self.maker

    def seat(self, id: int) -> Seat:
        """The seat with this id. Raises `Refusal` if there is none."""
        for seat in self.seats:
            if seat.id == id:
                return seat
        raise Refusal("unknown_seat", f"there is no seat with the id {id}")

    def seats_of(self, device: int) -> list[Seat]:
        """The seats that a device holds."""
        return [seat for seat in self.seats if seat.device == device != NO_DEVICE]

    def device_with(self, token: str) -> int:
        """Return the number of the device whose token this is; `NO_DEVICE` if there is none."""
        return self.devices.get(digest(token), NO_DEVICE)

    def people(self) -> list[Seat]:
        """The seats that people hold."""
        return [seat for seat in self.seats if seat.bot is None]

    @property
    def host_device(self) -> int:
        """The device of the host."""
        return next((seat.device for seat in self.seats if seat.id == self.host), NO_DEVICE)

    def new_device(self, digest: str) -> int:
        """A number for the device whose token has this digest."""
        self.devices_so_far += 1
        self.devices[digest] = self.devices_so_far
        return self.devices_so_far

    def promise(self, secret: DeckSecret) -> None:
        """Fix the secret of the next game; what devices have added before does not count for it."""
        self.secret, self.nonces = secret, {}

    def add_nonce(self, device: int, nonce: str | None) -> None:
        """Let a device have its share in the next deck."""
        if nonce is not None:
            self.nonces[device] = nonce

    def take_nonces(self) -> tuple[str, ...]:
        """What those at the table have added, in the order in which they sat down; the next game asks again."""
        nonces = tuple(nonce for device, nonce in sorted(self.nonces.items()) if self.seats_of(device))
        self.nonces = {}
        return nonces

    def sit(self, player: Player, device: int) -> Seat:
        """Give a person a seat."""
        seat = self._add(clean_name(player.name), player.colour)
        seat.device, seat.waiting = device, self.phase != "lobby"
        if not self.host:
            self.host = seat.id
        return seat

    def sit_bot(self, id: str) -> Seat:
        """Give a bot a seat."""
        who = bot(id)
        seat = self._add(who.name, None)
        seat.bot, seat.ready = who.id, True
        return seat

    def _add(self, name: str, colour: int | None) -> Seat:
        if len(self.seats) >= SEATS:
            raise Refusal("table_full", f"all {SEATS} seats are taken")
        self.seats_so_far += 1
        name = unlike(name, {seat.name for seat in self.seats})
        seat = Seat(self.seats_so_far, name, self._colour(colour))
        self.seats.append(seat)
        return seat

    def _colour(self, wanted: int | None) -> int:
        """The colour that is wanted, or the one that fewest have."""
        if wanted is not None:
            return wanted
        used = [seat.colour for seat in self.seats]
        return min(range(COLOURS), key=used.count)

    def rename(self, seat: Seat, player: Player) -> None:
        """Give a seat another name or colour."""
        name = clean_name(player.name)
        seat.name = unlike(name, {other.name for other in self.seats if other is not seat})
        if player.colour is not None:
            seat.colour = player.colour

    def free(self, seat: Seat) -> None:
        """A player goes for good: in play a bot takes the seat over, otherwise it is gone."""
        device = seat.device
        if self.phase == "lobby" or seat.waiting:
            self.seats.remove(seat)
        else:
            seat.bot, seat.device, seat.departed, seat.ready = SUBSTITUTE, NO_DEVICE, True, True
            seat.stand_in = None
        if device != NO_DEVICE and not self.seats_of(device):
            self.devices = {digest: number for digest, number in self.devices.items() if number != device}

    def back_to_lobby(self) -> None:
        """After a game: those who have gone are gone, and everybody says again that they are ready."""
        self.phase, self.game, self.notice, self.again = "lobby", None, None, False
        self.seats = [seat for seat in self.seats if not seat.departed]
        for seat in self.seats:
            seat.ready, seat.stand_in, seat.waiting = seat.bot is not None, None, False

    def go_on_without_game(self, notice: Notice) -> None:
        """Come back to the lobby because the game cannot go on, and say so to everybody."""
        self.back_to_lobby()
        self.notice = notice

    def name_host(self, here: Container[int]) -> bool:
        """See that a person is host, one who is here if possible. Return whether the host is another one now."""
        old = self.host
        people = self.people()
        if any(seat.id == old and seat.device in here for seat in people):
            return False
        best = next((seat for seat in people if seat.device in here), None)
        if best is None:
            best = next((seat for seat in people if seat.id == old), people[0] if people else None)
        self.host = best.id if best else 0
        return self.host != old

    def not_ready(self) -> list[str]:
        """The names of those whom the host waits for."""
        host = self.host_device
        return [seat.name for seat in self.people() if not seat.ready and seat.device != host]
