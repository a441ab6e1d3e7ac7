"""Whether this server is alive in the eyes of the others, and who else is."""

from __future__ import annotations

import asyncio
from time import monotonic
from typing import TYPE_CHECKING

from prometheus_client import Counter

from flip7.server.errors import StoreError
from flip7.server.logs import LOG
from flip7.server.repeating import repeat
from flip7.server.store.base import BEAT_SECONDS, LEASE_SECONDS, Store
from flip7.server.store.clock import awake_or_not

if TYPE_CHECKING:
    from flip7.server.directory import Directory

FAILED_SECONDS = 10.0
"""So long after a write that failed the server is not well."""


class Membership:
    """Beats for this server, and knows how long its tables are its own for certain."""

    def __init__(self, store: Store, directory: Directory, errors: Counter) -> None:
        """`errors` counts what goes wrong though nobody expects it."""
        self._store = store
        self._directory = directory
        self._errors = errors
        self._sure_until = 0.0
        self._looked_at = 0.0
        self._task: asyncio.Task[None] | None = None
        self.lapses = 0
        """How often this server may have lost its tables: whatever it knew of them before has to be looked up."""
        self._noted = 0
        """How many of them the store has counted, by its own clock."""
        self._confirmed = 0
        """For how many lapses all tables here have been looked up."""
        self.others: dict[str, str] = {}
        """The addresses of the other servers that are alive, by their ids."""
        self.problem: str | None = None
        """Why nothing can be written, as far as is known."""
        self._failed: tuple[float, str] | None = None

    async def start(self) -> None:
        """Begin to beat, where there may be others."""
        self._sure_until = awake_or_not() + LEASE_SECONDS  # The store has beaten when it was opened.
        if self._store.shared:
            await self._beat()
            self._task = asyncio.create_task(
                repeat(self._beat, BEAT_SECONDS, "cannot beat", self._errors), name="membership"
            )

    def stop(self) -> None:
        """Beat no longer."""
        if self._task is not None:
            self._task.cancel()

    @property
    def is_sure(self) -> bool:
        """Whether nobody can have taken a table from this server since it last looked."""
        return not self._store.shared or awake_or_not() < self._sure_until

    def failed(self, problem: str) -> None:
        """Note that something could not be written; on a disk that is nearly full, what a look writes may still fit."""
        self._failed = (monotonic(), problem)

    async def check(self) -> str | None:
        """Return why things cannot be written, or `None` if they can; looks at most once a second."""
        if self._failed is not None and monotonic() < self._failed[0] + FAILED_SECONDS:
            return self._failed[1]
        if monotonic() - self._looked_at >= BEAT_SECONDS and self._task is None:
            await self._beat()
        elif self._store.shared and not self.is_sure:
            return self.problem or "the database has not answered for some seconds"
        return self.problem

    async def _beat(self) -> None:
        self._looked_at, begun = monotonic(), awake_or_not()
        try:
            alive = await self._store.beat()
        except StoreError as error:
            if self.problem is None:
                LOG.error("cannot write", extra={"problem": str(error)})
            self.problem = str(error)
            if self._store.shared and self.others and awake_or_not() > self._sure_until + LEASE_SECONDS:
                self._directory.send_away()  # Others can serve them, and here nothing can happen.
        else:
            if self.problem is not None:
                LOG.warning("can write again")
            self.problem = None
            late, self._noted = self._store.lapses > self._noted, self._store.lapses
            if late or (self._store.shared and awake_or_not() > self._sure_until):
                self.lapses += 1  # In between, others may have taken tables that this server believes to be its own.
            self._sure_until = begun + LEASE_SECONDS
            self.others = {id: address for id, address in alive.items() if id != self._store.server}
            await self._confirm()

    async def _confirm(self) -> None:
        """See at once, after a lapse, which tables are lost: who sits there and says nothing would never be told."""
        lapses = self.lapses
        if self._confirmed < lapses:
            try:
                async with asyncio.timeout(BEAT_SECONDS):  # The next beat must not be late.
                    await self._directory.confirm()
            except (StoreError, TimeoutError) as error:
                LOG.warning("tables are not confirmed", extra={"problem": repr(error)})
            else:
                self._confirmed = lapses
