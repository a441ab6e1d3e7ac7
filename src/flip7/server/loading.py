"""Reading tables and games back from the store: verified, and what is damaged or can no longer be played put aside."""

from __future__ import annotations

from collections.abc import Generator
from typing import NamedTuple

import msgspec

from flip7.protocol.messages import By, Notice
from flip7.server.chain import links, verify
from flip7.server.errors import DamagedLog, DamagedStore
from flip7.server.pieces import Pieces
from flip7.server.play import GameData, Play, is_end, read_choice
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
    work = reading(stored)
    while True:
        try:
            next(work)
        except StopIteration as end:
            play: Play = end.value
            return play


def reading(stored: StoredGame) -> Generator[None, None, Play]:
    """Read a game as `read_game` does, in pieces."""
    for _ in links(stored):
        yield
    _check_end(stored)
    try:
        data = msgspec.json.decode(stored.data, type=GameData)
        play = Play(stored.id, data, stored.data)
    except (msgspec.DecodeError, ValueError) as error:
        raise DamagedLog(f"game {stored.id}: {error}") from None
    for choice in stored.choices:
        try:
            play.go_on(read_choice(choice.choice), _by(choice))
        except ValueError as error:
            raise _unplayable(stored, choice, str(error), play) from None
        if choice.state and choice.state != play.summary:
            raise _unplayable(stored, choice, "it leads elsewhere by now", read_game(_up_to(stored, choice)))
        play.link = choice.hash
        yield
    if stored.problem is None and play.over != stored.over:
        text = _wrong_end(stored)
        raise DamagedLog(text) if play.data.is_current else Outdated(text, play)
    return play.settled(play.link)


def _check_end(stored: StoredGame) -> None:
    """Raise `DamagedLog` unless a game has a winner if and only if it is noted as over, as far as the log tells."""
    state = stored.choices[-1].state if stored.choices else ""
    if stored.problem is None and state and is_end(state) != stored.over:
        raise DamagedLog(_wrong_end(stored))


def _wrong_end(stored: StoredGame) -> str:
    wrong = "it is noted as over, but has no winner: its last choices are missing"
    return f"game {stored.id}: {wrong if stored.over else 'it has a winner, but is noted as running'}"


def _by(choice: StoredChoice) -> By:
    return "bot" if choice.by == "bot" else "away" if choice.by == "away" else "player"


def _unplayable(stored: StoredGame, choice: StoredChoice, why: str, play: Play) -> DamagedLog | Outdated:
    """Return what is the matter with a choice that cannot be played: the log, or the rules."""
    text = f"game {stored.id}: choice {choice.number} cannot be played: {why}"
    return DamagedLog(text) if play.data.is_current else Outdated(text, play)


def _up_to(stored: StoredGame, choice: StoredChoice) -> StoredGame:
    """Return the game as it was before a choice."""
    return msgspec.structs.replace(stored, choices=stored.choices[: choice.number], over=False)


async def load(store: Store, code: str, saved: bytes, pieces: Pieces) -> Loaded:
    """Return a table with its game, as they go on. Raises `DamagedLog` for a table that cannot be read."""
    data = read_room(code, saved)
    if data.game is None:
        return Loaded(data, None)
    id = data.game
    try:
        return Loaded(data, await pieces.run(reading(await _stored(store, data))))
    except DamagedLog as damage:
        data.go_on_without_game(Notice("damaged", id))
        return Loaded(data, None, (SetGameAside(id, str(damage)),))
    except Outdated as outdated:
        data.go_on_without_game(Notice("outdated", id))
        return Loaded(data, None, (EndGame(id, str(outdated)),))


async def _stored(store: Store, data: RoomData) -> StoredGame:
    """Return a table's game. Raises `DamagedLog` if it cannot be read, or one of both is over and the other is not."""
    id = data.game or ""
    try:
        stored = await store.game(id)
    except DamagedStore as damage:
        raise DamagedLog(f"game {id}: {damage}") from None
    if stored is None:
        raise DamagedLog(f"game {id}: it is not in the store")
    if stored.over and data.phase == "playing":
        raise DamagedLog(f"game {id}: it is over, but its table plays on")
    if not stored.over and data.phase == "over":
        raise DamagedLog(f"game {id}: it is noted as running, but its table is over")
    return stored


async def inspect(store: Store, code: str, saved: bytes) -> None:
    """Raise `DamagedLog` if a table cannot be read, or choices of its game are missing or were changed."""
    data = read_room(code, saved)
    if data.game is not None:
        stored = await _stored(store, data)
        verify(stored)
        _check_end(stored)
