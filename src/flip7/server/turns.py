"""When the choices of a client network are made: one after the other, with pauses for everybody else, within a budget.

Nothing is refused. What comes in a hurry, or is over the budget, waits for its turn, and networks do not wait for each
other. A table's own choices, those of bots and for players who are away, belong to the network that it was made from.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from functools import partial
from time import monotonic

from flip7.server.replays import work_of
from flip7.server.settings import Settings

QUICKEST = 2.0
"""However much of its budget is left, a network has its turns no more than so many times as often as it may for ever:
what its tables do by themselves at the same moment must not keep the loop."""

Later = Callable[[float, Callable[[], None]], object]


def _later(seconds: float, function: Callable[[], None]) -> None:
    asyncio.get_running_loop().call_later(seconds, function)


class _Line:
    """Those of one network who wait for their turn."""

    def __init__(self, now: float) -> None:
        self.free_at = now
        """From when on somebody may have the next turn."""
        self.paid_at = now
        """When what the network has used will have been given back."""
        self.waiting: deque[tuple[float, Callable[[], None]]] = deque()
        """What each of them costs, in seconds, and what they do then."""
        self.rings = False
        """Whether a clock has been set for the next turn."""


class Turns:
    """Lets choices be made, those of each network one after the other.

    A pause begins when a choice is made, not when it was due: whatever has kept the loop, others have their turns in
    between when it is free again.
    """

    def __init__(self, settings: Settings, clock: Callable[[], float] = monotonic, later: Later = _later) -> None:
        """`later` calls a function after so many seconds."""
        self._rate = settings.choices_per_second
        self._burst_seconds = settings.choice_burst / settings.choices_per_second
        self._clock = clock
        self._later = later
        self._lines: dict[str, _Line] = {}

    def call(self, network: str, seats: int, function: Callable[[], None]) -> None:
        """Call a function when a network may make one more choice, at a table of n seats."""
        now, seconds = self._clock(), work_of(1, seats) / self._rate
        line = self._lines.get(network)
        if line is None:
            line = self._lines[network] = _Line(now)
        line.waiting.append((seconds, function))
        if not line.rings:
            self._serve(line)

    def _serve(self, line: _Line) -> None:
        """Give the next turn, if it is time."""
        line.rings = False
        now = self._clock()
        if self._next_at(line) > now:
            self._go_on(line)
            return
        seconds, function = line.waiting.popleft()
        line.free_at = now + seconds / QUICKEST
        line.paid_at = max(now, line.paid_at) + seconds
        try:
            function()
        finally:
            self._go_on(line)

    def _next_at(self, line: _Line) -> float:
        return max(line.free_at, line.paid_at - self._burst_seconds)

    def _go_on(self, line: _Line) -> None:
        """See to it that whoever is next has a turn."""
        if line.waiting and not line.rings:
            line.rings = True
            self._later(max(0.0, self._next_at(line) - self._clock()), partial(self._serve, line))

    async def take(self, network: str, seats: int) -> None:
        """Wait for the next turn of a network."""
        turn = asyncio.Event()
        self.call(network, seats, turn.set)
        await turn.wait()

    def __len__(self) -> int:
        return len(self._lines)

    def forget(self) -> None:
        """Drop the networks that have been quiet."""
        now = self._clock()
        self._lines = {name: line for name, line in self._lines.items() if line.waiting or line.paid_at > now}
