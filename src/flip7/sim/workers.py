"""Worker processes for the interpreted build: each takes jobs on one pipe and answers on another.

They do not import the program that started them, so a script needs no guard around its simulation.
"""

from __future__ import annotations

import queue
import subprocess
import sys
from contextlib import suppress
from types import TracebackType
from typing import IO

import msgspec

from flip7.sim.lineup import Job, play_part
from flip7.sim.tally import Tally
from flip7.strategy.errors import StrategyError


class Part(msgspec.Struct):
    """What a worker is asked."""

    job: Job
    first: int
    count: int


class Answer(msgspec.Struct):
    """What it says: a tally, or why there is none."""

    tally: Tally | None = None
    error: str | None = None


class Workers:
    """Several worker processes; a thread that wants a part played waits for one that is free."""

    def __init__(self, count: int) -> None:
        """Start them."""
        command = [sys.executable, "-m", "flip7.sim.workers"]
        self._processes = [
            subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) for _ in range(count)
        ]
        self._free: queue.SimpleQueue[subprocess.Popen[bytes]] = queue.SimpleQueue()
        for process in self._processes:
            self._free.put(process)

    def play(self, job: Job, first: int, count: int) -> Tally:
        """Play a part in a free worker. Raises what the part raises."""
        process = self._free.get()
        try:
            if process.stdin is None or process.stdout is None:
                raise RuntimeError("a worker was started without pipes")
            send(process.stdin, msgspec.msgpack.encode(Part(job, first, count)))
            answer = msgspec.msgpack.decode(receive(process.stdout), type=Answer)
        finally:
            self._free.put(process)
        if answer.tally is None:
            raise StrategyError(answer.error or "a worker has failed")
        return answer.tally

    def __enter__(self) -> Workers:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for process in self._processes:
            process.kill()
        for process in self._processes:
            process.wait()
            for pipe in (process.stdin, process.stdout):
                if pipe is not None:
                    with suppress(BrokenPipeError):  # what was not sent yet is not wanted any more
                        pipe.close()


def send(pipe: IO[bytes], message: bytes) -> None:
    """Write one message: its length, then itself."""
    pipe.write(len(message).to_bytes(8, "big") + message)
    pipe.flush()


def receive(pipe: IO[bytes]) -> bytes:
    """Read one message. At the end of the pipe, `EOFError`."""
    head = pipe.read(8)
    if len(head) < 8:
        raise EOFError("the other side is gone")
    return pipe.read(int.from_bytes(head, "big"))


def serve() -> None:
    """The life of a worker: play parts until nobody asks any more."""
    while True:
        try:
            part = msgspec.msgpack.decode(receive(sys.stdin.buffer), type=Part)
        except (EOFError, KeyboardInterrupt):
            return
        try:
            answer = Answer(tally=play_part(part.job, part.first, part.count))
        except StrategyError as error:
            answer = Answer(error=str(error))
        except KeyboardInterrupt:
            return
        send(sys.stdout.buffer, msgspec.msgpack.encode(answer))


if __name__ == "__main__":
    serve()
