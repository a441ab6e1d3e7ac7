"""When the choices of a client network are made: one after the other, with pauses for everybody else, within a budget.

Nothing is refused. What comes in a hurry, or is over the budget, waits for its turn, and networks do not wait for each
other. A table's own choices, those of bots and for players who are away, belong to the network that it was made from.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from time import monotonic

from flip7.server.replays import work_of
from flip7.server.settings import Settings

QUICKEST = 2.0
"""However much of its budget is left, a network has its turns no more than so many times as often as it may for ever:
what its tables do by themselves at the same moment must not keep the loop."""


class Turns:
    """Hands out moments at which choices are made, to each network one after the other."""

    def __init__(self, settings: Settings, clock: Callable[[], float] = monotonic) -> None:
        self._rate = settings.choices_per_second
        self._burst_seconds = settings.choice_burst / settings.choices_per_second
        self._clock = clock
        self._networks: dict[str, tuple[float, float]] = {}
        """From when on each has its next turn, and when what it has used will have been given back."""

    def next(self, network: str, seats: int) -> float:
        """Return when a network may make one more choice, at a table of n seats. That moment is taken then."""
        now, seconds = self._clock(), work_of(1, seats) / self._rate
        free_at, paid_at = self._networks.get(network, (now, now))
        paid_at = max(now, paid_at)
        at = max(now, free_at, paid_at - self._burst_seconds)
        self._networks[network] = at + seconds / QUICKEST, paid_at + seconds
        return at

    async def take(self, network: str, seats: int) -> None:
        """Wait for the next turn of a network."""
        wait = self.next(network, seats) - self._clock()
        if wait > 0:
            await asyncio.sleep(wait)

    def __len__(self) -> int:
        return len(self._networks)

    def forget(self) -> None:
        """Drop the networks that have been quiet."""
        now = self._clock()
        self._networks = {network: (free, paid) for network, (free, paid) in self._networks.items() if paid > now}
