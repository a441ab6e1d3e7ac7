"""Finished games, told again by a process of its own and kept, so that no table waits for them."""

from __future__ import annotations

import asyncio
import sys
from collections import OrderedDict
from collections.abc import Callable
from time import monotonic
from typing import NamedTuple

import msgspec

from flip7.server.daily_log import Days
from flip7.server.errors import Refusal
from flip7.server.jobs import Busy, CannotDo, JobFailed, Worker
from flip7.server.limits import Buckets
from flip7.server.logs import LOG
from flip7.server.play import GameData
from flip7.server.replay_worker import Finished, Spoiled
from flip7.server.store.base import GameHead, Store, StoredGame

KEPT_BYTES = 32 << 20
"""Replays that are kept, by their compressed size."""
KEPT_SECONDS = 3600.0
"""Then they are made again: another server may have deleted the game."""
WAITING = 32
"""Games that may wait to be told again."""
SECONDS = 60.0
"""No game takes longer; the process is started again then."""
IDLE_SECONDS = 300.0
"""When nobody has wanted a replay for this long the process ends."""
COMMAND = (sys.executable, "-P", "-m", "flip7.server.replay_worker")


def work_of(choices: int, seats: int) -> float:
    """Return what it costs to replay a game: 1 for each choice at a table of four, more at larger ones."""
    return choices * (seats + 6) / 10


class Replays:
    """Makes the replay and the record of a finished game once, however many ask for it."""

    def __init__(self, store: Store, days: Days, budget: Buckets, damaged: Callable[[str], None]) -> None:
        """`damaged` is called with what is wrong with a game whose log is damaged."""
        self._days = days
        self._store = store
        self.budget = budget
        self._damaged = damaged
        self._kept: OrderedDict[str, _Cached] = OrderedDict()
        self._size = 0
        self._making: dict[str, asyncio.Task[Finished]] = {}
        self._worker = Worker(COMMAND, waiting=WAITING, idle_seconds=IDLE_SECONDS)

    async def get(self, id: str, address: str) -> Finished:
        """Return a finished game. Raises `Refusal` if there is none, or this address has asked for very many."""
        kept = self._kept.get(id)
        if kept is not None and kept.until > monotonic():
            self._kept.move_to_end(id)
            return kept.made
        if id not in self._making:
            head = await self._head(id)
            if id not in self._making:  # Nobody else has asked for it meanwhile.
                self._begin(head, address)
        return await asyncio.shield(self._making[id])

    async def _head(self, id: str) -> GameHead:
        """Return what is known of a finished game without its choices. Raises `Refusal` if there is none."""
        head = await self._store.game_head(id)
        if head is None or not head.over:
            raise Refusal(
                "unknown_game", "there is no finished game with this id; a running one is replayed afterwards"
            )
        self._days.check_open(head)
        return head

    def _begin(self, head: GameHead, address: str) -> None:
        """Make a replay at the cost of an address. Raises `Refusal` if it has asked for very many."""
        if len(self._making) >= WAITING:
            raise Refusal("too_many", "many games are being told again just now", 5)
        self._charge(head, address)
        task = self._making[head.id] = asyncio.create_task(self._make(head.id))
        task.add_done_callback(lambda done: self._made(head.id, done))

    def _made(self, id: str, task: asyncio.Task[Finished]) -> None:
        del self._making[id]
        if not task.cancelled():
            task.exception()  # Whoever asked may have gone.

    async def _make(self, id: str) -> Finished:
        stored = await self._store.game(id)
        if stored is None:
            raise Refusal("unknown_game", "the game has just been deleted")
        made = await self._replayed(stored)
        if isinstance(made, Spoiled):
            self._damaged(made.problem)
            raise Refusal("damaged", "what was saved of this game is damaged")
        self._keep(id, made)
        return made

    async def _replayed(self, stored: StoredGame) -> Finished | Spoiled:
        try:
            body = await self._worker.do(msgspec.msgpack.encode(stored), seconds=SECONDS)
        except (Busy, CannotDo, JobFailed) as error:
            LOG.error("a replay failed", extra={"game": stored.id, "problem": str(error)})
            raise Refusal("trouble", "the game could not be told again; the server has noted it") from None
        return msgspec.msgpack.decode(body, type=Finished | Spoiled)

    def _charge(self, head: GameHead, address: str) -> None:
        """Take what the work costs from the address's budget; the longest game costs no more than all of it."""
        try:
            seats = len(msgspec.json.decode(head.data, type=GameData).names)
        except msgspec.DecodeError:
            seats = 1
        cost = min(work_of(head.choices, seats), self.budget.burst)
        wait = self.budget.wait(address, cost)
        if wait:
            raise Refusal("too_many", "many games were asked for from your network", wait)
        self.budget.take(address, cost)

    def _keep(self, id: str, made: Finished) -> None:
        self._drop(id)
        self._kept[id] = _Cached(made, monotonic() + KEPT_SECONDS)
        self._size += made.size
        while self._size > KEPT_BYTES and len(self._kept) > 1:
            self._drop(next(iter(self._kept)))

    def _drop(self, id: str) -> None:
        old = self._kept.pop(id, None)
        if old is not None:
            self._size -= old.made.size

    def forget(self) -> None:
        """Keep nothing that was made so far: some of these games may have been deleted."""
        self._kept.clear()
        self._size = 0

    async def close(self) -> None:
        """End the process."""
        for task in self._making.values():
            task.cancel()
        await self._worker.stop()


class _Cached(NamedTuple):
    made: Finished
    until: float
