"""The engine that coach and review think with: processes of its own, found when installed and compiled before use."""

from __future__ import annotations

import asyncio
import importlib
import sys
import time
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Literal

import msgspec

from flip7.protocol.rest import EngineStatus
from flip7.server.errors import Refusal
from flip7.server.jobs import Busy, CannotDo, JobFailed, Report, Worker
from flip7.server.logs import LOG
from flip7.server.thinker import AnyJob, Prepare

NOTE = Path(sys.prefix) / "flip7-engine.json"
"""Where `tools/setup.py` notes how far it is when it installs the engine into an environment that is in use."""
NOTE_SECONDS = 30.0
"""A note that has not been renewed for this long is of a set-up that was ended."""
IDLE_SECONDS = 120.0
"""A process without work ends; it takes memory."""
JOB_SECONDS = 300.0
PREPARE_SECONDS = 3600.0
WAITING = 8
"""Jobs that a process may have at a time; more are refused."""
BOTS_WAITING = 256
"""Choices of bots that may wait; each takes a millisecond or so."""

State = Literal["absent", "installing", "compiling", "ready", "failed"]
NOT_READY = {"absent": "is not installed here", "failed": "could not be made ready here"}


class Thinking:
    """A process that thinks, as the server asks it."""

    def __init__(self, command: tuple[str, ...], waiting: int = WAITING) -> None:
        self._worker = Worker(command, waiting=waiting, idle_seconds=IDLE_SECONDS)

    async def do(self, job: AnyJob, report: Report = lambda share: None, seconds: float = JOB_SECONDS) -> bytes:
        """Have a job done, and return the JSON of its result. Raises `Refusal`."""
        try:
            return await self._worker.do(msgspec.json.encode(job), seconds=seconds, report=report)
        except Busy:
            raise Refusal("too_many", "the engine has much to do", 5) from None
        except CannotDo as error:
            raise Refusal("no_engine", f"the engine cannot do this: {error}") from None
        except JobFailed:
            raise Refusal("no_engine", "the engine did not answer; try again in a moment") from None

    async def stop(self) -> None:
        """End the process, whatever it does."""
        await self._worker.stop()


class Engine:
    """Whether there is something to think with, and the processes that do, so that who waits for less waits less."""

    def __init__(
        self,
        *,
        wanted: bool,
        note: Path = NOTE,
        installed: Callable[[], bool] | None = None,
        command: tuple[str, ...] = (sys.executable, "-P", "-m", "flip7.server.thinker"),
    ) -> None:
        """An engine that is not wanted is absent. `installed` returns whether its packages are there."""
        self._wanted = wanted
        self._note = note
        self._installed = installed or _has_packages
        self._prepared: asyncio.Task[None] | None = None
        self._state: State = "absent"
        self._problem = ""
        self._share = 0.0
        self._command = command
        self.bots = Thinking(command, BOTS_WAITING)
        """For bots that think: a table waits for them."""
        self.quick = Thinking(command)
        """For the coach."""
        self.patient = Thinking(command)
        """For reviews, and whatever is computed once."""

    def status(self, *, prepare: bool = True) -> EngineStatus:
        """Return how far it is. Whoever asks first has it prepared, once it is installed, unless they only look."""
        if not self._wanted:
            return EngineStatus("absent")
        if self._state in ("compiling", "ready", "failed"):
            return EngineStatus(self._state, 1.0 if self._state == "ready" else self._share, self._problem)
        noted = self._noted()
        if noted is not None and noted.state != "ready":
            return noted
        if not self._installed():
            return EngineStatus("absent")
        if prepare:
            self._state = "compiling"
            self._prepared = asyncio.get_running_loop().create_task(self._prepare())
        return EngineStatus("compiling")

    @property
    def is_there(self) -> bool:
        """Whether there is an engine, or will be."""
        return self.status(prepare=False).state not in ("absent", "failed")

    def another(self) -> Thinking:
        """Return a process for something long. Whoever takes it ends it."""
        return Thinking(self._command)

    @property
    def is_ready(self) -> bool:
        """Whether it can be asked; if not, it is being seen to."""
        return self.status().state == "ready"

    async def ready(self) -> None:
        """Wait until it is prepared, or raise `Refusal` where it is absent or fails."""
        self.status()
        if self._prepared is not None:
            await asyncio.shield(self._prepared)
        self.check()

    def check(self) -> None:
        """Raise `Refusal` unless it can be asked now."""
        status = self.status()
        if status.state != "ready":
            raise Refusal("no_engine", f"the engine {NOT_READY.get(status.state, 'is getting ready')}")

    async def stop(self) -> None:
        """End its processes."""
        if self._prepared is not None:
            self._prepared.cancel()
            await asyncio.gather(self._prepared, return_exceptions=True)
        for process in (self.bots, self.quick, self.patient):
            await process.stop()

    async def _prepare(self) -> None:
        begun = time.monotonic()
        try:
            await self.patient.do(Prepare(), self._compiled, seconds=PREPARE_SECONDS)
        except Refusal as refusal:
            self._state, self._problem = "failed", refusal.text
            LOG.error("no engine", extra={"problem": refusal.text})
        else:
            self._state = "ready"
            LOG.info("engine ready", extra={"seconds": round(time.monotonic() - begun, 1)})

    def _compiled(self, share: float) -> None:
        self._share = max(self._share, share)

    def _noted(self) -> EngineStatus | None:
        """Return what a set-up under way, or one that has failed, says of it."""
        try:
            noted = msgspec.json.decode(self._note.read_bytes(), type=EngineStatus)
            stale = time.time() - self._note.stat().st_mtime > NOTE_SECONDS
        except (OSError, msgspec.DecodeError):
            return None
        if noted.state == "installing" and stale:
            return EngineStatus("failed", text="the set-up of the engine was ended; `make play` starts it again")
        return noted


def _has_packages() -> bool:
    importlib.invalidate_caches()
    return find_spec("numba") is not None
