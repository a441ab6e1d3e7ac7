"""Reading tables and games back from the store: verified, and what is damaged or can no longer be played put aside."""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from flip7.protocol.messages import By, Notice
from flip7.server.chain import verify
from flip7.server.errors import DamagedLog
from flip7.server.play import GameData, Play, read_choice
from flip7.server.seating import RoomData
from flip7.server.store.base import EndGame, SetGameAside, Store, StoredChoice, StoredGame, Write


class Loaded(NamedTuple):
    """A table as it goes on, and what has to be written before it does."""

    data: RoomData
    play: Play | None
    writes: tuple[Write, ...] = ()


class Outdated(Exception):
    """The game began with other rules, and cannot be played on with these."""

    def __init__(self, text: str, play: Play) -> None:
        super().__init__(text)
        self.play = play
        """The game as far as it can be played."""


def read_room(code: str, saved: bytes) -> RoomData:
    """Return what is saved of a table. Raises `DamagedLog` if it cannot be read."""
    try:
        data = msgspec.json.decode(saved, type=RoomData)
    except msgspec.DecodeError as error:
        raise DamagedLog(f"table {code}: {error}") from None
    if data.code != code:
        raise DamagedLog(f"table {code}: it says that it is table {data.code}")
    return data


def read_game(stored: StoredGame) -> Play:
    """Return a game as the log tells it. Raises `DamagedLog`, or `Outdated` for one of other rules."""
    verify(stored)
    try:
        data = msgspec.json.decode(stored.data, type=GameData)
        play = Play(stored.id, data, stored.data)
    except (msgspec.DecodeError, ValueError) as error:
        raise DamagedLog(f"game {stored.id}: {error}") from None
    for choice in stored.choices:
        try:
            play = _follow(play, choice)
        except ValueError as error:
            text = f"game {stored.id}: choice {choice.number} cannot be played: {error}"
            raise (DamagedLog(text) if data.is_current else Outdated(text, play)) from None
    return play


def _follow(play: Play, choice: StoredChoice) -> Play:
    """Return the game after a choice of the log. Raises `ValueError` if it is illegal, or leads elsewhere."""
    by: By = "bot" if choice.by == "bot" else "away" if choice.by == "away" else "player"
    after = play.after(read_choice(choice.choice), by)
    if choice.state and choice.state != after.summary:
        raise ValueError("it leads elsewhere by now")
    return after.settled(choice.hash)


async def load(store: Store, code: str, saved: bytes) -> Loaded:
    """Return a table with its game, as they go on. Raises `DamagedLog` for a table that cannot be read."""
    data = read_room(code, saved)
    if data.game is None:
        return Loaded(data, None)
    id = data.game
    stored = await store.game(id)
    try:
        if stored is None:
            raise DamagedLog(f"game {id}: it is not in the store")
        return Loaded(data, read_game(stored))
    except DamagedLog as damage:
        data.go_on_without_game(Notice("damaged", id))
        return Loaded(data, None, (SetGameAside(id, str(damage)),))
    except Outdated as outdated:
        data.go_on_without_game(Notice("outdated", id))
        return Loaded(data, None, (EndGame(id, str(outdated)),))


async def inspect(store: Store, code: str, saved: bytes) -> None:
    """Raise `DamagedLog` if a table cannot be read, or choices of its game are missing or were changed."""
    data = read_room(code, saved)
    if data.game is not None:
        stored = await store.game(data.game)
        if stored is None:
            raise DamagedLog(f"game {data.game}: it is not in the store")
        verify(stored)
