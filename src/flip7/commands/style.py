"""How the commands look on a terminal: colour where it can be seen and is wanted, plain text everywhere else."""

from __future__ import annotations

import os
import shutil
from typing import TextIO


class Style:
    """Paints text for a stream; paints nothing if it is no terminal, or if `NO_COLOR` is set."""

    def __init__(self, stream: TextIO) -> None:
        """Find out once whether the stream shows colours, and how wide its lines can be."""
        wanted = not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
        self.on = wanted and stream.isatty()
        self.columns = shutil.get_terminal_size().columns if stream.isatty() else 10_000

    def _paint(self, code: str, text: str) -> str:
        return f"\x1b[{code}m{text}\x1b[0m" if self.on and text else text

    def bold(self, text: str) -> str:
        """Text that stands out."""
        return self._paint("1", text)

    def dim(self, text: str) -> str:
        """Text that steps back."""
        return self._paint("2", text)

    def good(self, text: str) -> str:
        """Text about something good."""
        return self._paint("32", text)

    def bad(self, text: str) -> str:
        """Text about something bad."""
        return self._paint("31", text)

    def cold(self, text: str) -> str:
        """Text about a Freeze, and other things to notice."""
        return self._paint("36", text)

    def warm(self, text: str) -> str:
        """Text about luck: Second Chance, Flip 7."""
        return self._paint("33", text)


def printable(text: str) -> str:
    """The text with every character that a terminal would obey or cannot show replaced by its code."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def width() -> int:
    """How wide a paragraph may be: as the terminal, within reason."""
    return max(40, min(shutil.get_terminal_size().columns, 100))
