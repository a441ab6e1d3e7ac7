"""`Hold`: a game that is played in one terminal is not gone on with in another one at the same time."""

from __future__ import annotations

import contextlib
import os
import sys
import weakref
from pathlib import Path

if sys.platform == "win32":
    import msvcrt

    def _lock(file: int) -> None:
        msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _lock(file: int) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


class Hold:
    """The lock of one file, beside it: the system lets go of it however a program ends, so none is ever stale."""

    def __init__(self, path: Path) -> None:
        self._path = path.with_name(f".{path.name}.lock")
        self._end: weakref.finalize[[int, Path], Hold] | None = None

    def take(self) -> bool:
        """Return whether nobody else has it; from now on it is ours. Where nothing can be locked it is everybody's."""
        if self._end is not None:
            return True
        try:
            while True:
                file = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600)
                try:
                    _lock(file)
                except OSError as error:
                    os.close(file)
                    return not isinstance(error, BlockingIOError | PermissionError)
                if self._is(file):
                    break
                os.close(file)  # whoever had it has let go of it just now, and taken it away
        except OSError:
            return True
        self._end = weakref.finalize(self, _let_go, file, self._path)
        return True

    def _is(self, file: int) -> bool:
        try:
            return os.path.samestat(os.fstat(file), self._path.stat())
        except FileNotFoundError:
            return False

    def let_go(self) -> None:
        """Let others have it."""
        if self._end is not None:
            self._end()
            self._end = None


def _let_go(file: int, path: Path) -> None:
    if sys.platform != "win32":  # there no open file can be removed
        with contextlib.suppress(OSError):
            path.unlink()
    os.close(file)


def is_held(path: Path) -> bool:
    """Return whether somebody has a file now."""
    hold = Hold(path)
    if not hold._path.exists():
        return False
    free = hold.take()
    hold.let_go()
    return not free
