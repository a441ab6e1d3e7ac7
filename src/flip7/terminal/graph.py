"""Lines over rounds or moments, drawn with dots of which eight share a character."""

from __future__ import annotations

from collections.abc import Sequence

from textual.content import Content
from textual.widget import Widget

from flip7.terminal.look import PLAYERS, PLAYERS_LIGHT

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghij"
"""Stand at the ends of the lines and in the legend, so that they can be told apart without colours."""
_DOTS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))
MARGIN = 5
TAIL = 2
"""Columns at the right for the letters of the lines."""


def colours(count: int, *, light: bool) -> list[str]:
    """Return a colour for each of n lines."""
    known = PLAYERS_LIGHT if light else PLAYERS
    return [known[i % len(known)] for i in range(count)]


def signs(count: int, *, light: bool) -> list[Content]:
    """Return the letter of each of so many lines, in its colour."""
    shades = colours(count, light=light)
    return [Content.styled(LETTERS[i % len(LETTERS)], f"bold {shade}") for i, shade in enumerate(shades)]


class Graph(Widget):
    """Draws one line for each player, from the left edge to the right; a place can be marked."""

    def __init__(self, light: bool, *, id: str = "graph") -> None:
        super().__init__(id=id)
        self._light = light
        self._lines: Sequence[Sequence[float]] = ()
        self._top = 1.0
        self._share = False
        self.place: int | None = None
        """The point at which a mark stands."""

    def plot(self, lines: Sequence[Sequence[float]], *, top: float, share: bool = False) -> None:
        """Show lines of equal length with values from 0 to `top`; as shares the scale says percent."""
        self._lines = lines
        self._top = max(top, 1e-9)
        self._share = share
        self.refresh()

    def render(self) -> Content:
        """Return the picture with its scale at the left."""
        width, height = self.size.width - MARGIN - TAIL, self.size.height
        if width < 4 or height < 2 or not self._lines or len(self._lines[0]) < 2:
            return Content.empty()
        dots = [[0] * width for _ in range(height)]
        whose = [[0] * width for _ in range(height)]
        for number, line in enumerate(self._lines):
            self._draw(line, number, dots, whose)
        mark = None if self.place is None else round(self.place / (len(self._lines[0]) - 1) * (width - 1))
        shades = colours(len(self._lines), light=self._light)
        letters = signs(len(self._lines), light=self._light)
        ends = self._ends(height)
        rows = []
        for y in range(height):
            parts: list[Content | tuple[str, str]] = [(self._scale(y, height), "$soft")]
            for x in range(width):
                if dots[y][x]:
                    parts.append((chr(0x2800 + dots[y][x]), shades[whose[y][x]]))
                else:
                    parts.append(("│" if x == mark else " ", "$hair" if x != mark else "bold $primary"))
            if y in ends:
                parts += [(" ", ""), letters[ends[y]]]
            rows.append(Content.assemble(*parts))
        return Content("\n").join(rows)

    def _ends(self, height: int) -> dict[int, int]:
        """In which row the letter of a line stands: at its end, or where there is room near it, the highest first."""
        ends: dict[int, int] = {}
        for number in sorted(range(len(self._lines)), key=lambda one: -self._lines[one][-1]):
            wanted = round((1 - min(1.0, max(0.0, self._lines[number][-1] / self._top))) * (height - 1))
            free = [row for row in range(height) if row not in ends]
            if free:
                ends[min(free, key=lambda row: (abs(row - wanted), -row))] = number
        return ends

    def _scale(self, y: int, height: int) -> str:
        if y not in (0, height - 1, (height - 1) // 2):
            return " " * MARGIN
        value = self._top * (1 - y / (height - 1))
        text = f"{round(100 * value)}%" if self._share else str(round(value))
        return f"{text:>4} "

    def _draw(self, line: Sequence[float], number: int, dots: list[list[int]], whose: list[list[int]]) -> None:
        """Set the dots of a line, joined from column to column."""
        columns, lines = 2 * len(dots[0]), 4 * len(dots)
        last: int | None = None
        for x in range(columns):
            at = x / (columns - 1) * (len(line) - 1)
            before = min(int(at), len(line) - 2)
            value = line[before] + (line[before + 1] - line[before]) * (at - before)
            y = round((1 - min(1.0, max(0.0, value / self._top))) * (lines - 1))
            for step in range(min(y, y if last is None else last), max(y, y if last is None else last) + 1):
                dots[step // 4][x // 2] |= _DOTS[step % 4][x % 2]
                whose[step // 4][x // 2] = number
            last = y


def legend(names: Sequence[str], values: Sequence[str], width: int, *, light: bool) -> Content:
    """Return who has which letter and colour, each with a value, in lines that break between them."""
    lines: list[Content] = []
    for name, value, letter in zip(names, values, signs(len(names), light=light), strict=True):
        entry = Content.assemble(letter, (f" {name} ", "bold"), (value, "$soft"))
        if lines and lines[-1].cell_length + 3 + entry.cell_length <= width:
            lines[-1] = Content.assemble(lines[-1], "   ", entry)
        else:
            lines.append(entry)
    return Content("\n").join(lines)
