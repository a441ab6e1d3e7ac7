"""Standard input, output and error, whatever they are: closed, full, given up by their reader, or without UTF-8."""

from __future__ import annotations

import codecs
import contextlib
import io
import os
import sys
from typing import TextIO


def plain(error: UnicodeError) -> tuple[str, int]:
    """Handle what an encoding lacks: our own signs get a plain one, everything else its code."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    from flip7.game.layout import PLAIN  # seldom needed, and a command starts without

    signs = error.object[error.start : error.end]
    return "".join(PLAIN.get(c) or c.encode("ascii", "backslashreplace").decode() for c in signs), error.end


codecs.register_error("flip7", plain)


def prepare() -> None:
    """Make the three streams such that a command can use them without a second thought."""
    for name, flag, mode in (("stdin", os.O_RDONLY, "r"), ("stdout", os.O_WRONLY, "w"), ("stderr", os.O_WRONLY, "w")):
        if getattr(sys, name) is None:  # closed by whoever started us
            nothing = os.open(os.devnull, flag)  # the lowest free number: that of the stream
            setattr(sys, name, os.fdopen(nothing, mode, encoding="utf-8", closefd=False))
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="flip7")
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="surrogateescape")


def shown(text: str, stream: TextIO) -> str:
    """Return the text as the stream will show it, so that it can be measured."""
    encoding = getattr(stream, "encoding", None) or "utf-8"
    return text.encode(encoding, "flip7").decode(encoding, "replace")


def complain(message: str) -> None:
    """Print a message to standard error, after what has been printed so far. If nobody can read it, it is lost."""
    with contextlib.suppress(OSError, ValueError):
        sys.stdout.flush()
    with contextlib.suppress(OSError, ValueError):
        print(message, file=sys.stderr, flush=True)


def is_broken(stream: TextIO) -> bool:
    """Return whether what was printed to the stream cannot be written."""
    try:
        stream.flush()
    except (OSError, ValueError):
        return True
    return False


def give_up() -> None:
    """Let go of what cannot be written, so that nothing complains about it at the end."""
    for stream in (sys.stdout, sys.stderr):
        if is_broken(stream):
            with contextlib.suppress(OSError, ValueError):
                os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
