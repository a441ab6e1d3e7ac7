"""What an online table offers when its game is over: another one, which may begin by itself, or the way out of it."""

from __future__ import annotations

import secrets

from flip7.protocol.client import TableClient
from flip7.protocol.messages import FromClient, Leave, Rematch, RoomView
from flip7.terminal.screens.results import Action
from flip7.terminal.texts import Words


def offers(client: TableClient, words: Words, left: int | None) -> tuple[list[Action], str]:
    """Return what can be done after a game, and what is said; `left` seconds until the next one begins by itself."""
    room = client.room
    if room is None or room.daily is not None:
        return [], ""
    actions, note = _next(client, room, words, left)
    return [*actions, ("v", words("results.replay"), "replay")], note


def _next(client: TableClient, room: RoomView, words: Words, left: int | None) -> tuple[list[Action], str]:
    if left is not None:
        note = words("results.counting", n=left)
        if client.is_host:
            return [("l", words("results.lobby"), "lobby")], note
        return [("x", words("results.out"), "out")] if client.seats else [], note
    if client.is_host:
        alone = all(seat.bot or seat.id in client.seats for seat in room.seats)
        change = words("results.change" if alone else "results.lobby")
        return [("n", words("results.rematch"), "again"), ("l", change, "lobby")], ""
    host = next((seat.name for seat in room.seats if seat.host), "")
    if not client.seats or not host:
        return [], ""
    return [], words("results.late" if client.waits else "results.rematch.wait", name=host)


def message(result: str) -> FromClient:
    """Return what is sent for what was chosen."""
    if result == "out":
        return Leave()
    return Rematch(again=True, nonce=secrets.token_hex(16)) if result == "again" else Rematch()
