"""Lines between a server and what it talks to, which a test can cut or keep from answering."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from typing import Any


class Proxy:
    """A line between a server and something else, which can be cut, or swallow what comes back."""

    def __init__(self, target: Callable[[], Any]) -> None:
        """`target` opens a connection to the other side."""
        self._target = target
        self._listener: asyncio.Server | None = None
        self._lines: set[asyncio.StreamWriter] = set()
        self._swallow = False
        self._refuse = False
        self.port = 0

    async def open(self) -> None:
        self._listener = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.port = self._listener.sockets[0].getsockname()[1]

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self._refuse:
            writer.close()
            return
        try:
            far_reader, far_writer = await self._target()
        except OSError:
            writer.close()
            return
        lines = {writer, far_writer}
        self._lines |= lines
        with contextlib.suppress(asyncio.CancelledError):  # the end of the run
            await asyncio.gather(self._pump(reader, far_writer, back=False), self._pump(far_reader, writer, back=True))
        self._lines -= lines

    async def _pump(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, *, back: bool) -> None:
        with contextlib.suppress(OSError):
            while data := await reader.read(65536):
                if back and self._swallow:
                    continue
                writer.write(data)
                await writer.drain()
        writer.close()

    async def swallow(self, seconds: float) -> None:
        """Let everything arrive at the other side, but no answer come back; then cut the lines."""
        self._swallow = True
        await asyncio.sleep(seconds)
        self.cut()
        self._swallow = False

    async def refuse(self, seconds: float) -> None:
        """Cut the lines, and let nobody through for a while."""
        self._refuse = True
        self.cut()
        await asyncio.sleep(seconds)
        self._refuse = False

    def cut(self) -> None:
        for line in self._lines:
            if line.transport is not None:
                line.transport.abort()

    async def close(self) -> None:
        if self._listener is not None:
            self._listener.close()
        self.cut()
        await asyncio.sleep(0)
