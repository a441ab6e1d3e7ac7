"""Reviews of finished games: computed once, in a process of its own, and kept with the game."""

from __future__ import annotations

import asyncio
import gzip
from math import inf
from time import monotonic

import msgspec

from flip7.protocol.messages import SeatInfo
from flip7.protocol.rest import ReviewAnswer, ReviewBody
from flip7.server.daily_log import Days
from flip7.server.engine import Engine
from flip7.server.errors import Refusal, StoreError
from flip7.server.limits import Buckets
from flip7.server.logs import LOG
from flip7.server.play import GameData
from flip7.server.replays import Replays
from flip7.server.settings import Settings
from flip7.server.sharing import Ask, alone
from flip7.server.store.base import Keep, Store
from flip7.server.thinker import ReviewOf

KIND = "review"
ENDED_SECONDS = 600.0
"""How long it is known how the making of a review has ended, for whoever asked while it was made."""


class StoredReview(msgspec.Struct, frozen=True):
    """A review as it is in the store, with what is told of its game."""

    date: str
    seats: tuple[SeatInfo, ...]
    review: ReviewBody | None = None


class _Work:
    """A review that is being made, was made a moment ago, or could not be."""

    def __init__(self, about: StoredReview) -> None:
        self.about = about
        self.share = 0.0
        self.problem: Refusal | None = None
        self.ended_at = inf
        self.task: asyncio.Task[None] | None = None

    def report(self, share: float) -> None:
        self.share = share


class Reviews:
    """Gives out reviews; whoever asks first for one has it made, by one of the servers."""

    def __init__(
        self, settings: Settings, store: Store, engine: Engine, replays: Replays, days: Days, ask: Ask = alone
    ) -> None:
        """`ask` brings a question to the server that makes a review."""
        self._days = days
        self._settings = settings
        self._store = store
        self._engine = engine
        self._replays = replays
        self._ask = ask
        self._budget = Buckets(settings.reviews_per_second, settings.review_burst)
        self._work: dict[str, _Work] = {}

    async def answer(self, id: str, address: str) -> ReviewAnswer:
        """Return the review of a game, or how far it is. Raises `Refusal` if there is no finished game with this id."""
        kept = await self._store.kept(KIND, id)
        if kept is not None:
            return self._told(id, msgspec.json.decode(kept, type=StoredReview))
        if id not in self._work:
            asked = await self._ask(f"{KIND} {id}", KIND, msgspec.json.encode((id, address)))
            answer = None if asked is None else msgspec.json.decode(asked, type=ReviewAnswer)
            if answer is not None and answer.engine.state not in ("absent", "failed"):
                return answer
        return await self._here(id, address)

    async def asked(self, body: bytes) -> bytes:
        """Answer another server, for which this one makes a review."""
        id, address = msgspec.json.decode(body, type=tuple[str, str])
        return msgspec.json.encode(await self._here(id, address))

    async def _here(self, id: str, address: str) -> ReviewAnswer:
        if id not in self._work:
            about = await self._about(id)
            if not self._engine.is_ready:
                return self._told(id, about)
            if id not in self._work:
                self._begin(id, about, address)
        work = self._work[id]
        if work.problem is not None:
            del self._work[id]
            raise work.problem
        return self._told(id, work.about, work.share)

    async def finished(self) -> None:
        """Wait for the reviews that are being made."""
        await asyncio.gather(*(work.task for work in self._work.values() if work.task is not None))

    async def stop(self) -> None:
        """Make no more."""
        tasks = [work.task for work in self._work.values() if work.task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def forget(self) -> None:
        """Drop the addresses that have been quiet, and what ended long ago."""
        self._budget.forget()
        before = monotonic() - ENDED_SECONDS
        self._work = {id: work for id, work in self._work.items() if work.ended_at > before}

    async def _about(self, id: str) -> StoredReview:
        """Return what is told of a game that has been won. Raises `Refusal` if there is none with this id."""
        head = await self._store.game_head(id)
        if head is None or not head.over or head.problem is not None:
            raise Refusal(
                "unknown_game", "there is no finished game with this id; a running one is reviewed afterwards"
            )
        self._days.check_open(head)
        data = msgspec.json.decode(head.data, type=GameData)
        return StoredReview(data.date, data.seats)

    def _told(self, id: str, about: StoredReview, share: float = 0.0) -> ReviewAnswer:
        done = 1.0 if about.review is not None else share
        return ReviewAnswer(id, about.date, about.seats, self._engine.status(), done, about.review)

    def _begin(self, id: str, about: StoredReview, address: str) -> None:
        wait = self._budget.wait(address, 1)
        if wait:
            raise Refusal("too_many", "many games were reviewed for your network", wait)
        self._budget.take(address)
        work = self._work[id] = _Work(about)
        work.task = asyncio.create_task(self._make(id, work, address))

    async def _make(self, id: str, work: _Work, address: str) -> None:
        try:
            finished = await self._replays.get(id, address)
            record = (await asyncio.to_thread(gzip.decompress, finished.record)).decode()
            result = await self._engine.patient.do(ReviewOf(record, self._settings.review_rollouts), work.report)
            review = msgspec.json.decode(result, type=ReviewBody)
            done = msgspec.structs.replace(work.about, review=review)
            await self._store.write(Keep(KIND, id, msgspec.json.encode(done)))
            work.about = done  # for whoever looked into the store before this was written
        except Refusal as refusal:
            work.problem = refusal
        except StoreError as error:
            LOG.warning("a review is not kept", extra={"game": id, "problem": str(error)})
            work.problem = Refusal("not_saved", "the review could not be saved; try again in a moment")
        except Exception:  # noqa: BLE001 - whoever asks has to be told
            LOG.exception("a review failed", extra={"game": id})
            work.problem = Refusal("trouble", "the game could not be reviewed; the server has noted it")
        work.ended_at = monotonic()
