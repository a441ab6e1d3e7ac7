"""The other players: large where there is room, a line each where there is little, the one to act always in sight."""

from __future__ import annotations

from typing import NamedTuple

from textual import events
from textual.content import Content
from textual.message import Message

from flip7.terminal.cards import HEIGHTS, WIDTHS, Size, short
from flip7.terminal.drawn import Drawn
from flip7.terminal.table.showing import Showing, fitted, spread

NARROWEST = 36
"""A column of seats has at least this many characters."""
LINES: tuple[tuple[int, Size | None], ...] = ((6, "large"), (4, "small"), (2, "chip"), (1, None))
"""How many lines a seat takes with cards of each size; without a size cards are words beside the name."""


class Plan(NamedTuple):
    """How the seats are laid out."""

    columns: int
    lines: int
    size: Size | None
    gap: int
    """Empty lines between seats."""
    rows: int
    """How many seats a column has."""


def plan(count: int, width: int, height: int, cards: int) -> Plan:
    """Return the most generous layout in which all seats fit; `cards` is how many the fullest of them has."""
    widest = max(1, width // NARROWEST)
    for lines, size in LINES:
        for columns in range(1, widest + 1):
            rows = -(-count // columns)
            each = width // columns
            if size is not None and cards * WIDTHS[size] + 2 > each:
                continue
            for gap in (1, 0):
                if rows * lines + (rows - 1) * gap <= height and (lines > 1 or not gap):
                    return Plan(columns, lines, size, gap, rows)
    return Plan(widest, 1, None, 0, -(-count // widest))


class Chosen(Message):
    """A seat was clicked."""

    def __init__(self, seat: int) -> None:
        super().__init__()
        self.seat = seat


class Board(Drawn):
    """Draws every seat but the own one."""

    def __init__(self) -> None:
        super().__init__(id="board")
        self.showing: Showing | None = None
        self._places: list[tuple[int, int, int, int, int]] = []

    @staticmethod
    def needed(width: int, count: int) -> int:
        """Return how many lines n seats take with chips, which is what a small screen gives them."""
        return 2 * -(-count // max(1, width // NARROWEST))

    def drawing(self) -> Content:
        """Return all seats."""
        showing, width, height = self.showing, self.size.width, self.size.height
        if showing is None or not width or not height:
            return Content.empty()
        seats = showing.others
        most = max((len(showing.scene.seats[seat].cards) for seat in seats), default=0)
        layout = plan(len(seats), width, height, max(most, 5))
        each = width // layout.columns
        step = layout.lines + layout.gap
        rows = min(layout.rows, max(1, (height + layout.gap) // step))
        seats = seats[self._first(showing, seats, rows * layout.columns) :]
        self._places = []
        lines: list[Content] = []
        for row in range(rows):
            cells = []
            for column in range(layout.columns):
                place = column * rows + row
                if place < len(seats):
                    self._places.append((column * each, row * step, each, layout.lines, seats[place]))
                    cells.append(self._seat(showing, seats[place], each - 1, layout))
                else:
                    cells.append([Content.blank(each - 1)] * layout.lines)
            lines += [Content(" ").join(parts) for parts in zip(*cells, strict=True)]
            lines += [Content.blank(width)] * layout.gap
        return Content("\n").join(lines[:height])

    @staticmethod
    def _first(showing: Showing, seats: list[int], room: int) -> int:
        """The first seat on show where there is room for n: those with keys, or who acts, are always in view."""
        if len(seats) <= room:
            return 0
        scene = showing.scene
        acting = (
            scene.shown[1] if scene.shown is not None else scene.ask.seat if scene.ask is not None else scene.dealer
        )
        keyed = [place for place, seat in enumerate(seats) if showing.key_of(seat)]
        if not keyed:
            keyed = [seats.index(acting)] if acting in seats else [0]
        middle = (keyed[0] + keyed[-1]) // 2
        return max(0, min(middle - (room - 1) // 2, len(seats) - room))

    def _seat(self, showing: Showing, seat: int, width: int, layout: Plan) -> list[Content]:
        there = showing.scene.seats[seat]
        label = showing.label(seat) if showing.key_of(seat) else ""
        note = Content.styled(label, "bold $warning") if label else showing.status(seat)
        if layout.size is None:
            return [self._one_line(showing, seat, width, note)]
        right = Content.assemble(note, "  " if note else "", showing.points(seat))
        if right.cell_length > width * 2 // 3:
            right = Content.assemble(note, " " if note else "", showing.points(seat, short=True))
        head = spread(showing.name(seat, width - right.cell_length - 1), right, width)
        dim = there.status == "busted"
        cards = showing.painter.row(there.cards, layout.size, dim=dim, twin=there.twin)
        blank = [Content.blank(width)] * (HEIGHTS[layout.size] - len(cards))
        return [head, *(fitted(Content.assemble("  ", line), width) for line in cards), *blank]

    def _one_line(self, showing: Showing, seat: int, width: int, note: Content) -> Content:
        there = showing.scene.seats[seat]
        points = showing.points(seat, short=True)
        narrow = width < 2 * NARROWEST and not showing.key_of(seat)
        sign = Content.assemble(note[:1] if narrow else note.truncate(12), " ") if note else Content.empty()
        room = width - points.cell_length - 1
        called = min(max(14, room // 3), 20)
        cards = Content(" ".join(short(card) for card in there.cards))
        middle = Content.assemble(fitted(showing.name(seat, called), called), " ", sign, cards)
        return spread(middle, points, width)

    def on_click(self, event: events.Click) -> None:
        """Choose the seat under the mouse."""
        for x, y, width, height, seat in self._places:
            if x <= event.x < x + width and y <= event.y < y + height:
                self.post_message(Chosen(seat))
