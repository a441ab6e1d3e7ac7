"""Long work on the loop, done in pieces between which everybody else has their turn."""

from __future__ import annotations

import asyncio
from collections.abc import Generator
from time import monotonic
from typing import TypeVar

PIECE_SECONDS = 0.002
"""How long the loop is kept at once."""
PAUSE_SECONDS = 0.004
"""How long it is left alone afterwards, so that an answer that takes several turns of it is not held up at each."""

T = TypeVar("T")


class Pieces:
    """Does one piece of one work at a time; where there are several works they take turns."""

    def __init__(self) -> None:
        self._turn = asyncio.Lock()

    async def run(self, work: Generator[None, None, T]) -> T:
        """Return what the work returns, and raise what it raises. It yields wherever it may be interrupted."""
        while True:
            async with self._turn:
                until = monotonic() + PIECE_SECONDS
                try:
                    while monotonic() < until:
                        next(work)
                except StopIteration as end:
                    value: T = end.value
                    return value
                await asyncio.sleep(PAUSE_SECONDS)
