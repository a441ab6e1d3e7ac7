"""Keeping house: finished games and shared matches are deleted when they have been kept for long enough."""

from __future__ import annotations

import asyncio

from prometheus_client import Counter

from flip7.server.logs import LOG
from flip7.server.matches import Matches
from flip7.server.repeating import repeat
from flip7.server.replays import Replays
from flip7.server.settings import Settings
from flip7.server.store.base import EXPIRE_AT_ONCE, Store

PAUSE_SECONDS = 0.2
"""Between two transactions, so that players notice nothing."""


class Housekeeping:
    """Looks from time to time for what need not be kept. Several servers of one database may all do it."""

    def __init__(self, settings: Settings, store: Store, matches: Matches, replays: Replays, errors: Counter) -> None:
        """`errors` counts what goes wrong though nobody expects it."""
        self._errors = errors
        self._settings = settings
        self._store = store
        self._matches = matches
        self._replays = replays
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin."""
        self._task = asyncio.create_task(
            repeat(self.tidy, self._settings.tidy, "nothing is deleted", self._errors), name="housekeeping"
        )

    def stop(self) -> None:
        """End."""
        if self._task is not None:
            self._task.cancel()

    async def tidy(self) -> None:
        """Delete what has been kept for long enough. Raises `StoreError`."""
        games = matches = 0
        more = True
        while more:
            some = await self._store.expire_games(self._settings.keep_games)
            codes = await self._store.expire_matches(self._settings.keep_matches)
            for code in codes:
                self._matches.forget(code)
            games, matches = games + some, matches + len(codes)
            more = EXPIRE_AT_ONCE in (some, len(codes))
            if more:
                await asyncio.sleep(PAUSE_SECONDS)
        if games:
            self._replays.forget()
        if games or matches:
            LOG.info("deleted", extra={"games": games, "matches": matches})
