"""How the commands look on a terminal: colour where it can be seen and is wanted, plain text everywhere else."""

from __future__ import annotations

import os
import shutil
from typing import TextIO

from flip7.commands import streams
from flip7.game.telling import Mark, Plain

LEAST = 20
"""A terminal that is narrower is written to as if it had this many columns."""
CODES: dict[Mark, str] = {"bold": "1", "dim": "2", "bad": "31", "good": "32", "warm": "33", "cold": "36"}


class Style(Plain):
    """Paints text for a stream; paints nothing if it is not a terminal, or if `NO_COLOR` is set."""

    def __init__(self, stream: TextIO) -> None:
        """Find out once whether the stream shows colours, and how wide its lines can be."""
        wanted = not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
        self.on = wanted and stream.isatty()
        self._stream = stream
        if stream.isatty():
            self.columns = max(LEAST, shutil.get_terminal_size().columns)

    def shown(self, name: str) -> str:
        """Return a name as the stream will show it."""
        return streams.shown(name, self._stream)

    def mark(self, kind: Mark, text: str) -> str:
        """Return the text in the colour of its kind."""
        return f"\x1b[{CODES[kind]}m{text}\x1b[0m" if self.on and text else text


def printable(text: str) -> str:
    """Return the text with every character that a terminal would obey or cannot show replaced by its code."""
    return "".join(c if c.isprintable() or c in "\u200c\u200d" else c.encode("unicode_escape").decode() for c in text)


def width() -> int:
    """Return how wide a paragraph may be: as the terminal, within reason."""
    return max(LEAST, min(shutil.get_terminal_size().columns, 100))
