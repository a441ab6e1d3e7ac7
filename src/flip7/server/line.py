"""What comes in over a socket, such that one can see whether the other side has hung up already."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

Frame = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Frame]]

TURNS = 3
"""Turns of the loop after which everything that has arrived has been read."""


class Line:
    """The frames of one connection. Use it in `async with`."""

    def __init__(self, receive: Receive) -> None:
        self._receive = receive
        self._read: deque[Frame] = deque()
        self._waiting: asyncio.Future[Frame] | None = None

    async def receive(self) -> Frame:
        """Return the next frame."""
        if self._read:
            return self._read.popleft()
        if self._waiting is not None:
            waiting, self._waiting = self._waiting, None
            return await waiting
        return await self._receive()

    async def is_open(self) -> bool:
        """Return whether the other side is still there, as far as what has arrived tells.

        A client that waited in vain has come again by another way, and must not be served here as if it had come now.
        """
        while True:
            if self._waiting is None:
                self._waiting = asyncio.ensure_future(self._receive())
            for _ in range(TURNS):
                if not self._waiting.done():
                    await asyncio.sleep(0)
            if not self._waiting.done():
                return True
            frame = self._waiting.result()
            self._waiting = None
            self._read.append(frame)
            if frame["type"] != "websocket.receive":
                return False

    async def __aenter__(self) -> Line:
        return self

    async def __aexit__(self, *error: object) -> None:
        if self._waiting is not None:
            self._waiting.cancel()
