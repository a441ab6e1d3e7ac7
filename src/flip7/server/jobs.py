"""Jobs for processes beside the server: frames on pipes, one job at a time, the last word of each a result."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
from collections.abc import Callable
from time import monotonic
from typing import BinaryIO

import msgspec

from flip7.server.logs import LOG

FRAME_BYTES = 64 << 20
"""No job and no result is larger."""

Report = Callable[[float], None]
Work = Callable[[bytes, Report], bytes]


class Told(msgspec.Struct, omit_defaults=True, frozen=True):
    """What a process says of the job at hand; its last word has a result or a problem."""

    share: float | None = None
    """How much of it is done."""
    result: bytes | None = None
    problem: str | None = None


class Busy(Exception):
    """More jobs wait already than may."""


class JobFailed(Exception):
    """A process did not do its job: it ended, took too long, or could not be understood."""


class CannotDo(Exception):
    """A process says that a job cannot be done, and why."""


def frame(body: bytes) -> bytes:
    """Return the frame with this content: four bytes that tell its length, and the content."""
    return len(body).to_bytes(4, "big") + body


def read_frame(source: BinaryIO) -> bytes | None:
    """Return the content of the next frame; `None` at the end."""
    head = source.read(4)
    size = int.from_bytes(head, "big")
    body = source.read(size) if len(head) == 4 else b""
    return body if len(head) == 4 and len(body) == size else None


def serve(work: Work, niceness: int) -> None:
    """Be such a process: do jobs until there are no more. What is printed meanwhile goes to the error output."""
    with contextlib.suppress(OSError, AttributeError):  # not everywhere
        os.nice(niceness)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which ends the input
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)

    def tell(told: Told) -> None:
        out.write(frame(msgspec.msgpack.encode(told)))
        out.flush()

    while (job := read_frame(sys.stdin.buffer)) is not None:
        try:
            told = Told(result=work(job, lambda share: tell(Told(share=share))))
        except Exception as error:  # noqa: BLE001 - whatever it is, the next job is another one
            told = Told(problem=str(error) or type(error).__name__)
        tell(told)


class Worker:
    """One process that does jobs, one after the other. It is started for the first one, and ends when idle."""

    def __init__(self, command: tuple[str, ...], *, waiting: int, idle_seconds: float) -> None:
        """At most `waiting` jobs are taken at a time, the one that is being done included."""
        self._command = command
        self._most = waiting
        self._idle_seconds = idle_seconds
        self._process: asyncio.subprocess.Process | None = None
        self._turn = asyncio.Lock()
        self._waiting = 0
        self._used = 0.0
        self._idle: asyncio.TimerHandle | None = None
        self._ending: asyncio.Task[None] | None = None

    @property
    def is_running(self) -> bool:
        """Whether there is a process."""
        return self._process is not None and self._process.returncode is None

    async def do(self, job: bytes, *, seconds: float, report: Report = lambda share: None) -> bytes:
        """Have a job done, and return its result. Raises `Busy`, `CannotDo` or `JobFailed`."""
        if self._waiting >= self._most:
            raise Busy
        self._waiting += 1
        try:
            async with self._turn:
                try:
                    async with asyncio.timeout(seconds):
                        return await self._have_done(job, report)
                except CannotDo:
                    raise
                except (TimeoutError, OSError, EOFError, ValueError) as error:
                    await self._kill()
                    LOG.warning("a process failed", extra={"command": self._command[-1], "problem": repr(error)})
                    raise JobFailed(repr(error)) from None
                except BaseException:
                    await self._kill()  # Whatever it answers now belongs to a job that nobody waits for.
                    raise
                finally:
                    self._used = monotonic()
                    self._end_later()
        finally:
            self._waiting -= 1

    async def _have_done(self, job: bytes, report: Report) -> bytes:
        process = self._process
        if process is None or process.returncode is not None:
            process = self._process = await self._start()
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(frame(job))
        await process.stdin.drain()
        while True:
            size = int.from_bytes(await process.stdout.readexactly(4), "big")
            if size > FRAME_BYTES:
                raise ValueError(f"a frame of {size} bytes")
            told = msgspec.msgpack.decode(await process.stdout.readexactly(size), type=Told)
            if told.problem is not None:
                raise CannotDo(told.problem)
            if told.result is not None:
                return told.result
            report(told.share or 0.0)

    async def _start(self) -> asyncio.subprocess.Process:
        # It finds what this process finds, and nothing of the directory in which the server happens to run.
        path = os.pathsep.join(folder for folder in sys.path if folder)
        return await asyncio.create_subprocess_exec(
            *self._command,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            env=os.environ | {"PYTHONPATH": path},
            start_new_session=True,
        )

    async def stop(self) -> None:
        """End the process, whatever it does."""
        if self._idle is not None:
            self._idle.cancel()
        await self._kill()

    async def _kill(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            with contextlib.suppress(BrokenPipeError, ConnectionResetError):
                try:
                    await process.communicate()
                except RuntimeError:  # a job reads already, and hears that the process has ended
                    await process.wait()

    def _end_later(self) -> None:
        if self._idle is not None:
            self._idle.cancel()
        self._idle = asyncio.get_running_loop().call_later(self._idle_seconds, self._look_whether_idle)

    def _look_whether_idle(self) -> None:
        self._ending = asyncio.get_running_loop().create_task(self._end_if_idle())

    async def _end_if_idle(self) -> None:
        async with self._turn:
            if monotonic() - self._used >= self._idle_seconds:
                await self._kill()
