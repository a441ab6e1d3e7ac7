"""Secrets that are promised before the table is there for which they are meant."""

from __future__ import annotations

import secrets
from collections import OrderedDict
from collections.abc import Callable
from time import monotonic

from flip7.server.seating import DeckSecret

MOST = 10_000
SECONDS = 600.0


def new_secret() -> DeckSecret:
    """Return a secret that nobody can guess."""
    return DeckSecret(str(secrets.randbits(128)), secrets.token_hex(16))


class Promises:
    """Keeps each secret for a few minutes, until a table is opened with its hash; then it is gone."""

    def __init__(self, make: Callable[[], DeckSecret] = new_secret, clock: Callable[[], float] = monotonic) -> None:
        self._make = make
        self._clock = clock
        self._kept: OrderedDict[str, tuple[float, DeckSecret]] = OrderedDict()

    def offer(self) -> str:
        """Choose a secret, and return its hash."""
        secret = self._make()
        self._kept[secret.hash] = (self._clock(), secret)
        self._forget()
        return secret.hash

    def find(self, hash: str | None) -> DeckSecret | None:
        """Return the secret with this hash, once; `None` where there is none (any more)."""
        self._forget()
        kept = self._kept.pop(hash, None) if hash is not None else None
        return kept[1] if kept else None

    def _forget(self) -> None:
        """Drop the oldest: those that were offered long ago, and those that are too many."""
        before = self._clock() - SECONDS
        while self._kept and (len(self._kept) > MOST or next(iter(self._kept.values()))[0] < before):
            self._kept.popitem(last=False)
