"""Files that people hand to a command: read as text or written as a whole, and refused with a reason."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from flip7.commands import CommandError
from flip7.commands.style import printable
from flip7.game import saving

LARGEST = 64 * 1024 * 1024


class UnreadableFile(CommandError):
    """The file is missing, closed to us, or no text."""


def name_of(file: str) -> str:
    """Return what messages call a file; `-` is standard input."""
    return "<stdin>" if file == "-" else printable(file)


def read(file: str) -> str:
    """Return the text of a file, or of standard input for `-`. Raises `UnreadableFile`, which says why."""
    try:
        if file == "-":
            data = sys.stdin.buffer.read(LARGEST + 1)
        else:
            with Path(file).open("rb") as stream:
                data = stream.read(LARGEST + 1)
    except OSError as error:
        raise UnreadableFile(f"{name_of(file)}: {error.strerror or error}") from None
    except ValueError as error:  # a NUL in the name
        raise UnreadableFile(f"{name_of(file)}: {error}") from None
    if len(data) > LARGEST:
        raise UnreadableFile(f"{name_of(file)}: larger than {LARGEST // 1024**2} MB, so it is no record")
    if b"\0" in data:
        raise UnreadableFile(f"{name_of(file)}: a binary file, not text")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise UnreadableFile(f"{name_of(file)}: not UTF-8 text (line {line})") from None


def add_overwrite(parser: argparse.ArgumentParser) -> None:
    """Add the option that every command has which writes files."""
    parser.add_argument("--overwrite", action="store_true", help="replace files that exist already")


def check_new(path: Path, overwrite: bool) -> None:
    """Find out before a long work whether a file can be written. Raises `CommandError` if it cannot or may not be."""
    with refusals(path):
        saving.check(path, overwrite=overwrite)


@contextmanager
def writing(path: Path, overwrite: bool) -> Iterator[Path]:
    """Give the block a path to write to, and make that the file when the block ends well. Raises `CommandError`."""
    with refusals(path), saving.writing(path, overwrite=overwrite) as target:
        yield target


def write(path: Path, data: str | bytes, overwrite: bool) -> None:
    """Write a whole file, text as UTF-8. Raises `CommandError`."""
    with refusals(path):
        saving.write(path, data, overwrite=overwrite)


@contextmanager
def refusals(path: Path) -> Iterator[None]:
    """Raise `CommandError`, with the name of the file, for what the system refuses."""
    try:
        yield
    except FileExistsError:
        raise CommandError(f"{printable(str(path))} exists already: name another, or add --overwrite") from None
    except OSError as error:
        raise CommandError(f"{printable(str(path))}: {error.strerror or error}") from None
    except ValueError as error:  # a NUL in the name
        if "\0" not in str(path):
            raise
        raise CommandError(f"{printable(str(path))}: {error}") from None
