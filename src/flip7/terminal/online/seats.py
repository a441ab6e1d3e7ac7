"""Coming to an online table and leaving it: seats are kept, so that the same command leads back to the same one."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

import msgspec

from flip7.game import saving
from flip7.protocol.client import sit_down, table_info
from flip7.protocol.codes import MEANINGS
from flip7.protocol.messages import RoomView
from flip7.strategy.cast import CAST
from flip7.terminal.texts import Words

MOST = 50
GONE = ("unknown_token", "removed", "left", "table_closed", "unknown_table")
"""Endings after which a token opens nothing."""
_BANNERS = {"displaced": "displaced", "removed": "removed", "left": "left", "unknown_token": "token"}


class Place(NamedTuple):
    """How a player is at a table."""

    token: str | None
    """What opens the seat; spectators have none."""
    full: bool = False
    """Whether a seat was wanted and none was left."""


async def come_to(address: str, code: str, name: str, *, watch: bool) -> Place:
    """Come back to the seat that this machine has at a table, or take one. Raises `ServerRefusal`."""
    if watch:
        return Place(None)
    token = held(address, code)
    if token is not None:
        return Place(token)
    if not (await table_info(address, code)).joinable:
        return Place(None, full=True)
    token = (await sit_down(address, code, name)).token
    hold(address, code, token)
    return Place(token)


def ended(address: str, code: str, why: str | None, words: Words) -> str:
    """Return what is said when a connection has ended for good; a seat that is gone is forgotten."""
    if why in GONE:
        hold(address, code, None)
    if why in _BANNERS:
        return words(f"banner.{_BANNERS[why]}")
    return words.refusal(why, "") if why in MEANINGS else words("banner.closed")


def next_bot(room: RoomView) -> str:
    """Return the first of the cast who does not sit at a table; where all do, the first of all."""
    there = {seat.bot for seat in room.seats}
    return next((member.id for member in CAST if member.id not in there), CAST[0].id)


def path() -> Path:
    """Where tokens are kept."""
    home = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    return Path(home) / "flip7" / "seats.json"


def held(address: str, code: str) -> str | None:
    """Return the token of the seat that this machine has at a table."""
    return _load().get(f"{address} {code}")


def hold(address: str, code: str, token: str | None) -> None:
    """Keep the token of a seat, or forget it. Where nothing can be written it holds until the end of the program."""
    seats = _load()
    seats.pop(f"{address} {code}", None)
    if token is not None:
        seats[f"{address} {code}"] = token
    kept = dict(list(seats.items())[-MOST:])
    try:
        path().parent.mkdir(parents=True, exist_ok=True)
        saving.write(path(), msgspec.json.encode(kept))
        path().chmod(0o600)  # a token opens a seat
    except OSError:
        return


def _load() -> dict[str, str]:
    try:
        return msgspec.json.decode(path().read_bytes(), type=dict[str, str])
    except (OSError, msgspec.DecodeError):
        return {}
