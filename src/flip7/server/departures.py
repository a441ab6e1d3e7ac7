"""Going for good: a player or a spectator leaves, or the host takes a seat from a player."""

from __future__ import annotations

from flip7.protocol.messages import StandIn
from flip7.server.bots import SUBSTITUTE, bot
from flip7.server.draft import Draft
from flip7.server.errors import Refusal


def remove(draft: Draft, connection: int, id: int) -> None:
    """The host removes a bot or a player, or a player frees one of their own seats."""
    device = draft.seated(connection)
    seat = draft.data.seat(id)
    if seat.device != device:
        draft.host(connection)
    if seat.bot is not None and draft.data.phase != "lobby":
        raise Refusal("not_now", "a bot plays on until the game is over")
    holder = seat.device
    data = draft.edit()
    data.free(data.seat(id))
    if holder and not data.seats_of(holder) and holder in draft.state.devices:
        draft.hang_up(draft.state.devices[holder], "removed", "the host has taken you off the table")
    _after_leaving(draft)


def stand_in(draft: Draft, connection: int, message: StandIn) -> None:
    """The host lets a bot play for a player, who keeps the seat and can return at any moment."""
    draft.host(connection)
    draft.phase("playing", "a bot stands in while a game is being played")
    if draft.data.daily is not None:
        raise Refusal("not_now", "nobody stands in at the daily challenge")
    if draft.data.seat(message.seat).bot is not None:
        raise Refusal("not_now", "a bot plays there already")
    draft.edit().seat(message.seat).stand_in = bot(message.bot or SUBSTITUTE).id
    draft.tell_room()


def leave(draft: Draft, connection: int) -> None:
    """A player goes for good, with all seats of the device, or a spectator goes."""
    device = draft.state.device_of(connection)
    draft.hang_up(connection, "left", "you have left the table")
    if device:
        data = draft.edit()
        for seat in data.seats_of(device):
            data.free(seat)
        _after_leaving(draft)
    else:
        draft.tell_room()


def _after_leaving(draft: Draft) -> None:
    """See to those who stay: a host, or nobody, and then the table is closed."""
    data, state = draft.data, draft.state
    if not data.host_device:
        draft.edit().name_host(state.devices)
    forget_those_who_left(draft)
    if data.people():
        draft.tell_room()
    else:
        draft.close("table_closed", "everybody has left the table")


def forget_those_who_left(draft: Draft) -> None:
    """Keep no times of devices that hold no seat any more."""
    people, state = draft.data.people(), draft.state
    holders = {seat.device for seat in people}
    state.lost = {device: at for device, at in state.lost.items() if device in holders}
    state.returned = {device: at for device, at in state.returned.items() if device in holders}
    state.heard = {device: at for device, at in state.heard.items() if device in holders}
    state.away &= {seat.id for seat in people}
