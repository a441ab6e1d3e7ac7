"""Files that are written as a whole: whatever happens meanwhile, there is the old one or the new one."""

from __future__ import annotations

import errno
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


def check(path: Path, *, overwrite: bool) -> None:
    """Find out whether a file can be written. Raises `OSError`: `FileExistsError` where one may not be replaced."""
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if path.is_file() and not overwrite:
        raise FileExistsError(errno.EEXIST, "exists already", str(path))
    if _is_special(path):
        return
    if path.exists():
        with path.open("ab"):
            pass
    probe = _beside(path)
    probe.touch()
    probe.unlink()


@contextmanager
def writing(path: Path, *, overwrite: bool = True) -> Iterator[Path]:
    """Give the block a path to write to, and make that the file when the block has ended well. Raises as `check`."""
    check(path, overwrite=overwrite)
    if _is_special(path):
        yield path
        return
    path = path.resolve()  # a link stays one
    unfinished = _beside(path)
    try:
        yield unfinished
        with unfinished.open("rb+") as file:
            os.fsync(file.fileno())
        if path.exists():
            unfinished.chmod(path.stat().st_mode & 0o7777)
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)


def write(path: Path, data: str | bytes, *, overwrite: bool = True) -> None:
    """Write a file, text as UTF-8. Raises as `check`."""
    with writing(path, overwrite=overwrite) as target:
        target.write_bytes(data.encode() if isinstance(data, str) else data)


def _is_special(path: Path) -> bool:
    """Return whether a path is a device or a pipe, of which nothing is lost."""
    return path.exists() and not path.is_file()


def _beside(path: Path) -> Path:
    """Return a new name in the same folder, with the same ending."""
    return path.with_name(f".flip7-{secrets.token_hex(6)}{path.suffix}")
