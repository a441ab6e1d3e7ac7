"""Text in columns: how wide it is, and how it fits a narrow terminal."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence

LONGEST = 16
"""A name that is longer is cut in tables."""
HANGING = 20
"""What stands beside a word gets at least this many columns, or goes below it."""
PLAIN = {
    "█": "#",
    "▏": "|",
    "–": "-",
    "—": "-",
    "−": "-",
    "·": "-",
    "×": "x",
    "…": "~",
    "’": "'",
    "“": '"',
    "”": '"',
    "━": "-",
    "╸": "-",
    "╺": "-",
    "•": "*",
}
"""What stands for a sign of ours where it cannot be written."""


def table(rows: list[list[str]], right: Iterable[int] = ()) -> Iterator[str]:
    """Yield rows as aligned lines; the columns in `right` line up at their right edge."""
    widths = [max(columns(row[i]) for row in rows) for i in range(len(rows[0]))]
    flush = set(right)
    for row in rows:
        yield "  ".join(pad(cell, widths[i], right=i in flush) for i, cell in enumerate(row)).rstrip()


def ledger(
    rows: list[list[str]],
    *,
    room: int,
    right: Iterable[int] = (),
    below: Iterable[int] = (),
    labels: Sequence[str] = (),
    heads: int = 1,
) -> Iterator[tuple[int, str]]:
    """Yield rows as aligned lines, each with the number of its row.

    Where they are wider than `room`, the cells of the columns in `below` follow each row as text, after their label if
    they have one. The first rows, as many as `heads`, have only the other columns then.
    """
    flush, low = set(right), set(below)
    lines = list(table(rows, right=flush))
    if max(map(columns, lines)) <= room:
        yield from enumerate(lines)
        return
    high = [i for i in range(len(rows[0])) if i not in low]
    shown = table([[row[i] for i in high] for row in rows], right=[high.index(i) for i in flush & set(high)])
    for number, line in enumerate(shown):
        yield number, line
        if number >= heads:
            cells = [
                f"{labels[i]} {cell}" if labels and labels[i] else cell
                for i, cell in enumerate(rows[number])
                if i in low and cell.strip()
            ]
            for more in wrapped(", ".join(cells), room, first="    "):
                yield number, more


def definitions(pairs: Iterable[tuple[str, str]], room: int, indent: str = "  ") -> Iterator[str]:
    """Yield words with their meanings, aligned and wrapped; the meanings go below where little room is left."""
    known = list(pairs)
    start = max(columns(word) for word, _ in known) + len(indent) + 2
    for word, meaning in known:
        if room - start >= HANGING:
            yield from wrapped(meaning, room, first=pad(f"{indent}{word}", start), rest=" " * start)
        else:
            yield f"{indent}{word}"
            yield from wrapped(meaning, room, first=f"{indent}    ")


def wrapped(text: str, room: int, first: str = "", rest: str | None = None) -> Iterator[str]:
    """Yield a paragraph in lines that fit; `first` begins the first line, `rest` the others (`first` if not given)."""
    line, empty = first, True
    for word in text.split():
        longer = line + ("" if empty else " ") + word
        if not empty and visible(longer) > room:
            yield line
            longer = (first if rest is None else rest) + word
        line, empty = longer, False
    if not empty:
        yield line


def count(number: int, thing: str) -> str:
    """Return a number with its noun: `1 point`, `2 points`."""
    return f"{number} {thing}{'' if number == 1 else 's'}"


def columns(text: str) -> int:
    """Return how many columns of a terminal a text takes: wide characters take two, combining ones none."""
    return sum((not unicodedata.combining(c)) * (2 if unicodedata.east_asian_width(c) in "WF" else 1) for c in text)


def visible(text: str) -> int:
    """Return how many columns a painted text takes."""
    return columns(re.sub(r"\x1b\[\d+m", "", text))


def pad(text: str, width: int, *, right: bool = False) -> str:
    """Return the text, padded with spaces to a number of columns."""
    fill = " " * (width - columns(text))
    return fill + text if right else text + fill


def shorten(name: str) -> str:
    """Return the name, cut to fit a table."""
    if columns(name) <= LONGEST:
        return name
    short = ""
    for c in name:
        if columns(short + c) >= LONGEST:
            break
        short += c
    return f"{short}…"
