"""Coming and being lost: connections of players and spectators, and what becomes of them when a write has failed."""

from __future__ import annotations

from flip7.protocol.messages import Notice
from flip7.server.departures import forget_those_who_left
from flip7.server.draft import Draft
from flip7.server.inputs import Came, Reloaded


def come(draft: Draft, came: Came) -> None:
    """A player or a spectator comes, or comes back."""
    state, connection, hello = draft.state, came.connection, came.hello
    device = 0
    if hello.token is not None:
        device = draft.data.device_with(hello.token)
        if not device:
            draft.turn_away(connection, "unknown_token", "this token opens no seat here any more")
            return
    elif draft.data.daily is not None:
        draft.turn_away(connection, "not_yours", "the deck of the day is played alone; play it yourself first")
        return
    elif len(state.spectators) >= state.settings.spectators:
        text = "this table has as many spectators as it can take; look on beside a player, or come back later"
        draft.turn_away(connection, "too_many_watching", text)
        return
    older = state.devices.get(device) if device else None
    if older is not None and older > connection:  # What it has missed took so long to tell that it was given up.
        draft.turn_away(connection, "displaced", "you went on playing in another window")
        return
    if state.is_empty:
        state.resume_clocks()
    if device:
        if older is not None:
            draft.hang_up(older, "displaced", "you went on playing in another window")
        state.devices[device] = connection
        state.lost.pop(device, None)
        state.returned[device] = state.now
        state.heard.setdefault(device, state.now)
        _stop_playing_for(draft, device)
    else:
        state.spectators.add(connection)
    _compare_memories(draft, device, came)
    draft.welcome(connection, came.catch_up)
    draft.tell_room(but=connection)


def _compare_memories(draft: Draft, device: int, came: Came) -> None:
    """See whether a player remembers more of a game than the log, which has lost some then: everybody is told, once."""
    play, hello = draft.state.play, came.hello
    if not device or hello.game is None or draft.data.notice is not None:
        return
    if came.unknown:
        problem = f"game {hello.game}: a player has seen state {hello.number}, the log has nothing of it"
    elif play is not None and hello.game == play.id and hello.number > play.number:
        problem = f"game {play.id}: a player has seen state {hello.number}, the log ends at {play.number}"
    else:
        return
    draft.alarms.append(problem)
    draft.edit().notice = Notice("behind" if play is not None else "damaged", hello.game)


def lose(draft: Draft, connection: int) -> None:
    """A connection has been lost."""
    if connection in draft.state.connections:
        _count_out(draft, connection)
        draft.tell_room()


def _count_out(draft: Draft, connection: int) -> None:
    """Note that a player or a spectator is here no longer."""
    state = draft.state
    device = state.device_of(connection)
    if device:
        del state.devices[device]
        state.lost[device] = state.now
    state.spectators.discard(connection)
    draft.note_if_empty()


def reload(draft: Draft, reloaded: Reloaded) -> None:
    """Take what the store holds for what is, and tell everybody everything again."""
    state = draft.state
    if reloaded.data is None:
        draft.close("table_closed", "the table has been closed")
        return
    state.data, state.play = reloaded.data, reloaded.play
    state.note_rematch()
    for connection in reloaded.gone:
        _count_out(draft, connection)
    for device, connection in list(state.devices.items()):
        if not state.data.seats_of(device):
            draft.hang_up(connection, "unknown_token", "this token opens no seat here any more")
    forget_those_who_left(draft)
    for seat in state.data.people():
        if seat.device not in state.devices:  # One who has just sat down is not here yet either.
            state.lost.setdefault(seat.device, state.now)
    state.shown_at = state.now
    for connection in state.connections:
        draft.welcome(connection)


def come_back(draft: Draft, device: int) -> None:
    """Stop playing for those who hold this device, and say so."""
    if _stop_playing_for(draft, device):
        draft.tell_room()


def _stop_playing_for(draft: Draft, device: int) -> bool:
    """Stop playing for those who hold this device; return whether anybody was played for."""
    own = {seat.id for seat in draft.data.seats_of(device)}
    replaced = any(seat.stand_in for seat in draft.data.seats_of(device))
    if replaced:
        for seat in draft.edit().seats_of(device):
            seat.stand_in = None
    away = bool(own & draft.state.away)
    draft.state.away -= own
    return replaced or away
