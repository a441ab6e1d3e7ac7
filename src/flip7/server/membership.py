"""Whether this server is alive in the eyes of the others, and who else is."""

from __future__ import annotations

import asyncio
from time import monotonic

from flip7.server.errors import StoreError
from flip7.server.logs import LOG
from flip7.server.store.base import LEASE_SECONDS, Store

BEAT_SECONDS = 1.0


class Membership:
    """Beats for this server, and knows how long its tables are its own for certain."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._sure_until = 0.0
        self._looked_at = 0.0
        self._task: asyncio.Task[None] | None = None
        self.others: dict[str, str] = {}
        """The addresses of the other servers that are alive, by their ids."""
        self.problem: str | None = None
        """Why nothing can be written, as far as is known."""

    def start(self) -> None:
        """Begin to beat, where there may be others. The store has beaten once when it was opened."""
        self._sure_until = monotonic() + LEASE_SECONDS
        if self._store.shared:
            self._task = asyncio.create_task(self._run())

    def stop(self) -> None:
        """Beat no longer."""
        if self._task is not None:
            self._task.cancel()

    @property
    def is_sure(self) -> bool:
        """Whether nobody can have taken a table from this server since it last looked."""
        return not self._store.shared or monotonic() < self._sure_until

    async def check(self) -> str | None:
        """Return why nothing can be written, or `None` if it can; looks at most once a second."""
        if monotonic() - self._looked_at >= BEAT_SECONDS and self._task is None:
            await self._beat()
        elif self._store.shared and not self.is_sure:
            return self.problem or "the database has not answered for some seconds"
        return self.problem

    async def _run(self) -> None:
        while True:
            await self._beat()
            await asyncio.sleep(BEAT_SECONDS)

    async def _beat(self) -> None:
        begun = self._looked_at = monotonic()
        try:
            alive = await self._store.beat()
        except StoreError as error:
            if self.problem is None:
                LOG.error("cannot write", extra={"problem": str(error)})
            self.problem = str(error)
        else:
            if self.problem is not None:
                LOG.warning("can write again")
            self.problem = None
            self._sure_until = begun + LEASE_SECONDS
            self.others = {id: address for id, address in alive.items() if id != self._store.server}
