"""Checking a whole store: every table, chain, record, promise and match is read as the server would read it."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator, Callable, Sequence
from typing import Any

from flip7.game.errors import RecordError
from flip7.game.game import Game
from flip7.server.errors import DamagedLog, DamagedStore
from flip7.server.loading import Outdated, read_game, read_room
from flip7.server.matches import read_match
from flip7.server.play import Play
from flip7.server.store.base import StoredChoice, StoredGame
from flip7.server.store.copying import Counts, Progress, Snapshot

Row = tuple[Any, ...]


class Checking:
    """Goes through everything once. What is wrong is told as it is found, each with the name of what it is about."""

    def __init__(self, snapshot: Snapshot, tell: Callable[[str], None], progress: Progress) -> None:
        self._snapshot = snapshot
        self._tell = tell
        self._progress = progress
        self._games: dict[str, bool] = {}
        """Whether each game is over."""
        self._read: Counter[str] = Counter()

    async def run(self) -> Counts:
        """Look at everything that can be read; return how much that is."""
        for look in (self._check_file, self._check_games, self._check_rooms, self._check_matches):
            try:
                await look()
            except DamagedStore as damage:
                self._tell(str(damage))
        return Counts(*(self._read[table] for table in ("rooms", "games", "choices", "matches")))

    async def _rows(self, table: str) -> AsyncIterator[Row]:
        async for row in self._snapshot.rows(table, self._tell):
            self._read[table] += 1
            yield row

    async def _check_file(self) -> None:
        for flaw in await self._snapshot.flaws():
            self._tell(flaw)

    async def _check_games(self) -> None:
        try:
            total = (await self._snapshot.counts()).choices
        except DamagedStore:
            total = 0  # What is wrong is told where it is read.
        done = 0
        choices = _Groups(self._rows("choices"))
        async for row in self._rows("games"):
            id, _, data, over, _, problem = row
            async for stray, rows in choices.before(id):
                self._tell(f"game {stray}: it is gone, but {len(rows)} of its choices are there")
            rows = await choices.take(id)
            self._games[id] = bool(over)
            stored = StoredGame(id, data, bool(over), tuple(StoredChoice(*row[1:]) for row in rows), problem)
            if text := check_game(stored):
                self._tell(f"game {id}: {text.removeprefix(f'game {id}: ')}")
            done += len(rows)
            self._progress(min(1.0, done / total) if total else 0.0)
        async for stray, rows in choices.before(None):
            self._tell(f"game {stray}: it is gone, but {len(rows)} of its choices are there")

    async def _check_rooms(self) -> None:
        async for row in self._rows("rooms"):
            code, saved, _, _, playing, _, problem = row
            try:
                data = read_room(code, saved)
            except DamagedLog as damage:
                self._tell(f"{damage} (set aside already)" if problem else str(damage))
                continue
            if problem is not None:
                self._tell(f"table {code}: set aside as damaged: {problem}")
            elif data.game is not None and data.game not in self._games:
                self._tell(f"table {code}: its game {data.game} is not in the store")
            elif data.phase == "playing" and data.game is not None and self._games[data.game]:
                self._tell(f"table {code}: it plays game {data.game}, which is over")
            elif data.phase == "over" and data.game is not None and not self._games[data.game]:
                self._tell(f"table {code}: it is over, but its game {data.game} is noted as running")
            elif bool(playing) != (data.phase == "playing"):
                self._tell(f"table {code}: whether a game runs is noted wrongly")

    async def _check_matches(self) -> None:
        operations = _Groups(self._rows("operations"))
        async for row in self._rows("matches"):
            code, data, _ = row
            async for stray, rows in operations.before(code):
                self._tell(f"match {stray}: it is gone, but {len(rows)} of its entries are there")
            if text := check_match(data, await operations.take(code)):
                self._tell(f"match {code}: {text}")
        async for stray, rows in operations.before(None):
            self._tell(f"match {stray}: it is gone, but {len(rows)} of its entries are there")


def check_game(stored: StoredGame) -> str:
    """Return what is wrong with a game, or nothing. One that other rules have ended is as it should be."""
    try:
        play = read_game(stored)
    except Outdated as outdated:
        return "" if stored.problem else str(outdated)
    except DamagedLog as damage:
        return f"{damage} (set aside already)" if stored.problem else str(damage)
    if stored.problem is not None:
        return f"set aside: {stored.problem}"
    return check_record(play)


def check_record(play: Play) -> str:
    """Return what is wrong with the record of a game, its promise included, or nothing."""
    text = play.game.record()
    try:
        game = Game.from_record(text)
    except RecordError as error:
        return f"line {error.line} of its record: {error.message}"
    if game.commitment != play.game.commitment or game.commitment is None:
        return "its record has another promise"
    if play.over and game.live:
        return "it is over, but its record does not tell the deck"
    return ""


def check_match(data: bytes, rows: Sequence[Row]) -> str:
    """Return what is wrong with a shared match and its rows of match, number, operation and time, or nothing."""
    for expected, row in enumerate(rows, rows[0][1] if rows else 0):
        if row[1] != expected:
            return f"entry {expected} is missing; the next one is {row[1]}"
    try:
        first = read_match(data, [row[2] for row in rows])
    except ValueError as error:
        return str(error)
    return f"entry {first} is missing; the next one is {rows[0][1]}" if rows and rows[0][1] != first else ""


class _Groups:
    """Rows in the order of their first column, taken together by it."""

    def __init__(self, rows: AsyncIterator[Row]) -> None:
        self._rows = rows
        self._next: Row | None = None

    async def take(self, key: str) -> list[Row]:
        """Return the rows with this key, which come next if there are any."""
        found: list[Row] = []
        while (row := await self._peek()) is not None and row[0] == key:
            found.append(row)
            self._next = None
        return found

    async def before(self, key: str | None) -> AsyncIterator[tuple[str, list[Row]]]:
        """Yield the groups whose keys come before this one, or all that are left."""
        while (row := await self._peek()) is not None and (key is None or row[0] < key):
            yield row[0], await self.take(row[0])

    async def _peek(self) -> Row | None:
        if self._next is None:
            self._next = await anext(self._rows, None)
        return self._next
