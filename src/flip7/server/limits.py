"""Limits on how often a client may do something."""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from time import monotonic


class Bucket:
    """Allows `burst` at once and `rate` a second on average, by a clock that counts seconds."""

    __slots__ = ("_at", "_burst", "_clock", "_level", "_rate", "_refused")

    def __init__(self, rate: float, burst: float, clock: Callable[[], float] = monotonic, refused: float = 1.0) -> None:
        """`refused` is the part of its cost that is taken for what is refused."""
        self._rate = rate
        self._refused = refused
        self._burst = burst
        self._clock = clock
        self._level = float(burst)
        self._at = clock()

    def take(self, cost: float = 1.0) -> bool:
        """Return whether it is allowed now. What is refused costs too, so that insisting does not help."""
        now = self._clock()
        self._level = min(self._burst, self._level + (now - self._at) * self._rate)
        self._at = now
        if self._level >= cost:
            self._level -= cost
            return True
        self._level = max(self._level - cost * self._refused, self._least)
        return False

    @property
    def _least(self) -> float:
        """What is left, however often something is refused."""
        return -self._burst * self._refused

    def wait(self, cost: float = 1.0) -> float:
        """Return how many seconds it takes until so much is allowed, if nobody insists; `inf` if it never is."""
        missing = min(cost, self._burst) - self._level - (self._clock() - self._at) * self._rate
        if missing <= 0:
            return 0.0
        return missing / self._rate if self._rate else inf

    @property
    def exhausted(self) -> bool:
        """Whether a client goes on and on although it is refused."""
        return self._level <= self._least

    @property
    def taken(self) -> float:
        """How much was taken that time has not given back yet."""
        return max(0.0, self._burst - self._level - (self._clock() - self._at) * self._rate)

    @property
    def full(self) -> bool:
        """Whether nothing has been taken for a while, so that the bucket can be forgotten."""
        return self._level + (self._clock() - self._at) * self._rate >= self._burst


class Buckets:
    """One bucket for each address."""

    def __init__(self, rate: float, burst: float, clock: Callable[[], float] = monotonic, refused: float = 1.0) -> None:
        """`refused` is the part of its cost that is taken for what is refused."""
        self._rate = rate
        self._refused = refused
        self.burst = burst
        """How much is allowed at once."""
        self._clock = clock
        self._buckets: dict[str, Bucket] = {}

    def take(self, address: str, cost: float = 1.0) -> bool:
        """Return whether this address may do it now."""
        bucket = self._buckets.get(address)
        if bucket is None:
            bucket = self._buckets[address] = Bucket(self._rate, self.burst, self._clock, self._refused)
        return bucket.take(cost)

    def wait(self, address: str, cost: float = 1.0) -> float:
        """Return how many seconds it takes until this address may."""
        bucket = self._buckets.get(address)
        return bucket.wait(cost) if bucket is not None else 0.0

    def taken(self, address: str) -> float:
        """Return how much this address has taken that time has not given back yet."""
        bucket = self._buckets.get(address)
        return bucket.taken if bucket is not None else 0.0

    def __len__(self) -> int:
        return len(self._buckets)

    def forget(self) -> None:
        """Drop the addresses that have been quiet."""
        self._buckets = {address: bucket for address, bucket in self._buckets.items() if not bucket.full}
