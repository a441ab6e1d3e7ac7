"""Clocks: one that nobody sets, and the time of day with what it was set by."""

from __future__ import annotations

import time
from collections.abc import Callable
from time import monotonic

SET_SECONDS = 60.0
"""A time of day that has moved so far from the other clock was set by somebody, and not just corrected a little."""


def awake_or_not() -> float:
    """Return the time of a clock that goes on while the machine sleeps, where it has such a clock: leases do too."""
    return time.clock_gettime(time.CLOCK_BOOTTIME) if hasattr(time, "CLOCK_BOOTTIME") else monotonic()


class DayClock:
    """The time of day, as a store stamps what it keeps."""

    def __init__(self, now: Callable[[], float] = time.time, steady: Callable[[], float] = awake_or_not) -> None:
        self.now = now
        self._steady = steady
        self.began = 0.0
        """When this clock was started, by what is the time of day now."""
        self._steady_began = 0.0
        self.start()

    def start(self) -> float:
        """Begin to watch the clock; return the time."""
        self.began, self._steady_began = self.now(), self._steady()
        return self.began

    @property
    def elapsed(self) -> float:
        """How many seconds have passed since then, whatever the time of day says."""
        return self._steady() - self._steady_began

    @property
    def set_by(self) -> float:
        """By how many seconds the time of day was set since then; 0 if it was not."""
        moved = self.now() - self.began - self.elapsed
        return moved if abs(moved) >= SET_SECONDS else 0.0
