"""An owner: one task with a mailbox and an alarm, which alone touches what it owns and does one thing at a time."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable
from time import monotonic
from typing import Any

from flip7.server.errors import Refusal, StoreError
from flip7.server.logs import LOG
from flip7.server.metrics import Metrics

MAILBOX = 256
RETRY_SECONDS = 1.0
NOT_SAVED = "that could not be saved and has not happened; try again in a moment"

Job = Callable[..., Awaitable[Any]]


class Owner(ABC):
    """The part of an owner that is the same whatever it owns. Others send it jobs."""

    def __init__(self, name: str, metrics: Metrics) -> None:
        self.name = name
        self.closed = False
        """Once true, every job is refused."""
        self._metrics = metrics
        self._mailbox: asyncio.Queue[tuple[Job, tuple[Any, ...], asyncio.Future[Any] | None]] = asyncio.Queue(MAILBOX)
        self._alarm: asyncio.TimerHandle | None = None
        self._doubtful = False
        """Whether memory and store may differ, because a write has failed."""
        self._task: asyncio.Task[None] | None = None

    @abstractmethod
    async def recover(self) -> None:
        """Read everything from the store again, because memory may differ from it. Raises `StoreError`."""

    @abstractmethod
    async def tick(self) -> None:
        """Do what is due when the alarm has rung."""

    def start(self) -> None:
        """Begin to work."""
        self._task = asyncio.create_task(self._run(), name=self.name)

    async def stop(self) -> None:
        """End the work; what is saved stays."""
        self.ring_at(None)
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def call(self, job: Job, *args: Any) -> Any:
        """Have the owner do something, and wait for its result. Raises what the job raises."""
        if self.closed:
            raise self._gone()
        future: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        await self._mailbox.put((job, args, future))
        return await future

    async def post(self, job: Job, *args: Any) -> None:
        """Have the owner do something, without waiting for it; waits only while the mailbox is full."""
        if not self.closed:
            await self._mailbox.put((job, args, None))

    async def _run(self) -> None:
        while not self.closed or not self._mailbox.empty():
            job, args, future = await self._mailbox.get()
            error: Exception | None = None
            result = None
            try:
                if self.closed:
                    raise self._gone()
                if self._doubtful:
                    await self.recover()
                    self._doubtful = False
                result = await job(*args)
            except Refusal as refusal:
                error = refusal
            except StoreError as problem:
                LOG.warning("not saved", extra={"owner": self.name, "problem": str(problem)})
                self._doubt()
                error = Refusal("not_saved", NOT_SAVED)
            except Exception as problem:  # noqa: BLE001 - no message may end a table
                LOG.exception("in trouble", extra={"owner": self.name})
                self._metrics.errors.add()
                self._doubt()
                error = problem
            if future is not None and not future.done():
                if error is None:
                    future.set_result(result)
                else:
                    future.set_exception(error)

    def _gone(self) -> Refusal:
        return Refusal("unknown_table", "the table has been closed")

    def _doubt(self) -> None:
        """What memory holds may not be what is saved: look soon, and before anything else."""
        self._doubtful = True
        self.ring_at(monotonic() + RETRY_SECONDS)

    def ring_at(self, at: float | None) -> None:
        """Set the one alarm to a time of the monotonic clock, or off."""
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None
        if at is not None:
            self._alarm = asyncio.get_running_loop().call_later(max(0.0, at - monotonic()), self._ring)

    def _ring(self) -> None:
        self._alarm = None
        if self._mailbox.full():  # There is more than enough to do; look again soon.
            self.ring_at(monotonic() + 0.1)
        else:
            self._mailbox.put_nowait((self.tick, (), None))
