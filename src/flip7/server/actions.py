"""What each message from a browser does at its table, and who may send it when."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import msgspec

from flip7.game.options import Rules
from flip7.protocol.messages import (
    AddBot,
    AddPlayer,
    Back,
    Choose,
    Emote,
    Emoted,
    FromClient,
    Hello,
    Leave,
    Phase,
    Ping,
    Pong,
    Ready,
    Rematch,
    RemoveSeat,
    Rename,
    SetOptions,
    Start,
)
from flip7.server.connection import Connection, encode
from flip7.server.errors import Refusal
from flip7.server.names import new_id
from flip7.server.play import GameData, Play
from flip7.server.seating import RoomData, Seat
from flip7.server.store.base import AddGame

if TYPE_CHECKING:
    from flip7.server.room import Room


async def obey(room: Room, connection: Connection, message: FromClient, arrived: float) -> None:
    """Do what a message asks for. Raises `Refusal`, and then nothing has changed."""
    match message:
        case Choose():
            await choose(room, connection, message, arrived)
        case Ping(at=at):
            connection.push(encode(Pong(at=at)))
        case Hello():
            raise Refusal("not_now", "hello has been said; connect again to be somebody else")
        case Emote():
            emote(room, connection, message)
        case Ready(ready=ready):
            await set_ready(room, connection, ready)
        case SetOptions():
            await set_options(room, connection, message)
        case AddBot(bot=bot):
            _host(room, connection)
            _phase(room, "lobby", "bots sit down before the game begins")
            await room.change(lambda draft: draft.sit_bot(bot))
        case AddPlayer(player=player):
            _seated(connection)
            _phase(room, "lobby", "people sit down before the game begins")
            await room.change(lambda draft: draft.sit(player, connection.device))
        case RemoveSeat(seat=seat):
            await remove(room, connection, seat)
        case Rename(seat=seat, player=player):
            _phase(room, "lobby", "names are chosen before the game begins")
            _own(room, connection, seat)
            await room.change(lambda draft: draft.rename(draft.seat(seat), player))
        case Start():
            _host(room, connection)
            await start(room)
        case Rematch():
            _host(room, connection)
            await rematch(room)
        case Back():
            _seated(connection)
            come_back(room, connection)
        case Leave():
            await leave(room, connection)


async def choose(room: Room, connection: Connection, message: Choose, arrived: float) -> None:
    """A player answers the open question."""
    _seated(connection)
    _phase(room, "playing", "no game is being played")
    play = room.play
    assert play is not None
    if message.game != play.id or message.number != play.number:
        raise Refusal("stale", f"that answers state {message.number}; the game is at state {play.number} now")
    assert play.asked is not None
    seat = room.data.seats[play.asked]
    if seat.device != connection.device:
        raise Refusal("not_your_turn", f"{seat.name} is asked now")
    come_back(room, connection)
    await room.choose(message.choice, "player", arrived)


def come_back(room: Room, connection: Connection) -> None:
    """Stop playing for those who hold this device."""
    own = {seat.id for seat in room.data.seats_of(connection.device)}
    if own & room.away:
        room.away -= own
        room.tell_room()
        room.look_ahead()


def emote(room: Room, connection: Connection, message: Emote) -> None:
    """Show everybody a feeling."""
    _seated(connection)
    own = room.data.seats_of(connection.device)
    seat = own[0] if message.seat is None else _own(room, connection, message.seat)
    if not connection.emotes.take():
        raise Refusal("too_many", "not so many feelings at once; wait a little")
    room.tell(Emoted(seat=seat.id, emotion=message.emotion))


async def set_ready(room: Room, connection: Connection, ready: bool) -> None:
    """The people of one device are ready, or not."""
    _seated(connection)
    _phase(room, "lobby", "the game has begun already")

    def edit(draft: RoomData) -> None:
        for seat in draft.seats_of(connection.device):
            seat.ready = ready

    await room.change(edit)


async def set_options(room: Room, connection: Connection, message: SetOptions) -> None:
    """The host sets the options."""
    _host(room, connection)
    if room.data.phase == "playing" and message.options.target != room.data.options.target:
        raise Refusal("not_now", "the target cannot change while the game runs")

    def edit(draft: RoomData) -> None:
        draft.options = message.options

    await room.change(edit)


async def remove(room: Room, connection: Connection, id: int) -> None:
    """The host removes somebody, or somebody frees one of their own seats."""
    _seated(connection)
    seat = room.data.seat(id)
    if seat.device != connection.device:
        _host(room, connection)
    if seat.bot is not None and room.data.phase != "lobby":
        raise Refusal("not_now", "a bot plays on until the game is over")
    device = seat.device
    await _free(room, lambda draft: draft.free(draft.seat(id)))
    if device and not room.data.seats_of(device) and (gone := room.devices.pop(device, None)):
        gone.close("removed", "the host has taken you off the table", resume=False)
        room.rest_if_empty()
    await _close_if_deserted(room)


async def leave(room: Room, connection: Connection) -> None:
    """Somebody goes for good, with all seats of the device."""
    if connection.device:

        def edit(draft: RoomData) -> None:
            for seat in draft.seats_of(connection.device):
                draft.free(seat)

        device = connection.device
        room.devices.pop(device, None)
        await _free(room, edit)
    else:
        await room.gone(connection)
    connection.close("left", "you have left the table", resume=False)
    await _close_if_deserted(room)


async def _free(room: Room, edit: Callable[[RoomData], object]) -> None:
    await room.change(edit)
    holders = {seat.device for seat in room.data.people()}
    room.lost = {device: at for device, at in room.lost.items() if device in holders}
    room.away &= {seat.id for seat in room.data.people()}
    room.rest_if_empty()


async def _close_if_deserted(room: Room) -> None:
    if not room.data.people():
        await room.close("table_closed", "everybody has left the table")


async def start(room: Room) -> None:
    """The game begins: its deck is fixed and promised before the first card."""
    _phase(room, "lobby", "the game has begun already")
    waiting = room.data.not_ready()
    if waiting:
        raise Refusal("not_ready", f"not ready yet: {', '.join(waiting)}")
    draft = msgspec.json.decode(msgspec.json.encode(room.data), type=RoomData)
    id = new_id()
    names = tuple(seat.name for seat in draft.seats)
    data = GameData(
        names=names,
        seed=str(room.hub.new_seed()),
        salt=secrets.token_hex(16),
        rules=Rules(target=draft.options.target, dealer=secrets.randbelow(len(names))),
        date=datetime.now(UTC).date().isoformat(),
        seats=room.seat_infos(),
    )
    draft.phase, draft.game = "playing", id
    await room.begin(draft, Play(id, data), AddGame(id, draft.code, msgspec.json.encode(data)))


async def rematch(room: Room) -> None:
    """Everybody comes back to the lobby."""
    _phase(room, "over", "a rematch comes after the end of a game")
    room.away.clear()
    await room.change(RoomData.back_to_lobby)
    room.play = None


def _seated(connection: Connection) -> None:
    if not connection.device:
        raise Refusal("not_seated", "spectators only watch; sit down first")


def _host(room: Room, connection: Connection) -> None:
    _seated(connection)
    if room.data.host_device != connection.device:
        raise Refusal("not_host", "only the host may do this")


def _own(room: Room, connection: Connection, id: int) -> Seat:
    _seated(connection)
    seat = room.data.seat(id)
    if seat.device != connection.device:
        raise Refusal("not_yours", "this seat belongs to somebody else")
    return seat


def _phase(room: Room, phase: Phase, text: str) -> None:
    if room.data.phase != phase:
        raise Refusal("not_now", text)
