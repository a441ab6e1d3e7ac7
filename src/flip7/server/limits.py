"""Limits on how often somebody may do something."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic


class Bucket:
    """Allows `burst` at once and `rate` a second on average, by a clock that counts seconds."""

    __slots__ = ("_at", "_burst", "_clock", "_level", "_rate")

    def __init__(self, rate: float, burst: float, clock: Callable[[], float] = monotonic) -> None:
        self._rate = rate
        self._burst = burst
        self._clock = clock
        self._level = float(burst)
        self._at = clock()

    def take(self, cost: float = 1.0) -> bool:
        """Whether it is allowed now. What is refused costs too, so that insisting does not help."""
        now = self._clock()
        self._level = min(self._burst, self._level + (now - self._at) * self._rate)
        self._at = now
        self._level -= cost
        if self._level >= 0:
            return True
        self._level = max(self._level, -self._burst)
        return False

    @property
    def exhausted(self) -> bool:
        """Whether somebody goes on and on although it is refused."""
        return self._level <= -self._burst

    @property
    def full(self) -> bool:
        """Whether nothing has been taken for a while, so that the bucket can be forgotten."""
        return self._level + (self._clock() - self._at) * self._rate >= self._burst


class Buckets:
    """One bucket for each address."""

    def __init__(self, rate: float, burst: float, clock: Callable[[], float] = monotonic) -> None:
        self._rate = rate
        self._burst = burst
        self._clock = clock
        self._buckets: dict[str, Bucket] = {}

    def take(self, address: str, cost: float = 1.0) -> bool:
        """Whether this address may do it now."""
        bucket = self._buckets.get(address)
        if bucket is None:
            bucket = self._buckets[address] = Bucket(self._rate, self._burst, self._clock)
        return bucket.take(cost)

    def __len__(self) -> int:
        return len(self._buckets)

    def forget(self) -> None:
        """Drop the addresses that have been quiet."""
        self._buckets = {address: bucket for address, bucket in self._buckets.items() if not bucket.full}
