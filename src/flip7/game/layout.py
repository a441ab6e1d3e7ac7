"""Text in columns: how wide it is, and how it fits."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator

LONGEST = 16
"""A name that is longer is cut in tables."""


def table(rows: list[list[str]], right: Iterable[int] = ()) -> Iterator[str]:
    """Rows as aligned lines; the columns in `right` line up at their right edge."""
    widths = [max(columns(row[i]) for row in rows) for i in range(len(rows[0]))]
    flush = set(right)
    for row in rows:
        yield "  ".join(pad(cell, widths[i], right=i in flush) for i, cell in enumerate(row)).rstrip()


def count(number: int, thing: str) -> str:
    """`1 point`, `2 points`."""
    return f"{number} {thing}{'' if number == 1 else 's'}"


def columns(text: str) -> int:
    """How many columns of a terminal a text takes: wide characters take two, combining ones none."""
    return sum((not unicodedata.combining(c)) * (2 if unicodedata.east_asian_width(c) in "WF" else 1) for c in text)


def visible(text: str) -> int:
    """How many columns a painted text takes."""
    return columns(re.sub(r"\x1b\[\d+m", "", text))


def pad(text: str, width: int, *, right: bool = False) -> str:
    """The text with spaces up to a number of columns."""
    fill = " " * (width - columns(text))
    return fill + text if right else text + fill


def shorten(name: str) -> str:
    """A name that fits a table."""
    if columns(name) <= LONGEST:
        return name
    short = ""
    for c in name:
        if columns(short + c) >= LONGEST:
            break
        short += c
    return f"{short}…"
