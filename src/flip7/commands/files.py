"""Files that people hand to a command: read as text, refused with a reason."""

from __future__ import annotations

import sys
from pathlib import Path

from flip7.commands import CommandError
from flip7.commands.style import printable

LARGEST = 64 * 1024 * 1024


class UnreadableFile(CommandError):
    """The file is missing, closed to us, or no text."""


def name_of(file: str) -> str:
    """How messages call a file; `-` is standard input."""
    return "<stdin>" if file == "-" else printable(file)


def read(file: str) -> str:
    """The text of a file, or of standard input for `-`. Raises `UnreadableFile` with a message that says why not."""
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
