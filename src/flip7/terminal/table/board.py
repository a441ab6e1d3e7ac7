"""The other players: large where there is room, a line each where there is little, the one to act always in sight."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from textual import events
from textual.content import Content
from textual.message import Message

from flip7.terminal.cards import HEIGHTS, SIZES, WIDTHS, Size, fitting, short
from flip7.terminal.drawn import Drawn
from flip7.terminal.table.rooms import NARROWEST, abreast
from flip7.terminal.table.showing import Showing, fitted, spread

LINES: tuple[tuple[int, Size | None], ...] = ((6, "large"), (4, "small"), (2, "chip"), (1, None))
"""How many lines a seat takes with cards of each size; without a size cards are words beside the name."""
WHEEL = 3
"""How many seats the wheel moves by."""


class Plan(NamedTuple):
    """How the seats are laid out."""

    columns: int
    lines: int
    size: Size | None
    gap: int
    """Empty lines between seats."""
    rows: int
    """How many seats a column has."""


def plan(count: int, width: int, height: int, cards: int, largest: Size = "large") -> Plan:
    """Return the most generous layout in which all seats fit; `cards` is how many the fullest of them has.

    None are drawn larger than the largest.
    """
    widest = abreast(width)
    for lines, size in LINES:
        if size is not None and SIZES.index(size) < SIZES.index(largest):
            continue
        for columns in range(1, widest + 1):
            rows = -(-count // columns)
            each = width // columns
            if size is not None and cards * WIDTHS[size] + 2 > each - 1:  # a column ends with a blank
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
    """Draws every seat but the own one; where not all fit, those around who acts, until one scrolls on."""

    def __init__(self) -> None:
        super().__init__(id="board")
        self.showing: Showing | None = None
        self._own: tuple[int, int] | None = None
        """The columns and lines of the own cards, if there are any."""
        self._places: list[tuple[int, int, int, int, int]] = []
        self._by = 0
        """How many seats one has scrolled on from those that come into view by themselves."""
        self._about: Sequence[int] = ()
        """Whom those are about."""
        self._hidden = self._page = 0
        """How many seats are not in view, and how many are."""

    def keep_below(self, own: tuple[int, int] | None) -> None:
        """Draw no cards larger than the own ones, which have so many columns and lines, if there are any."""
        if own != self._own:
            self._own = own
            self.redraw()

    def drawing(self) -> Content:
        """Return all seats, or as many as fit and how many more there are."""
        showing, width, height = self.showing, self.size.width, self.size.height
        if showing is None or not width or not height:
            return Content.empty()
        seats = showing.others
        most = max((len(showing.scene.seats[seat].cards) for seat in seats), default=0)
        layout = plan(len(seats), width, height, max(most, 5), self._largest(showing))
        each = width // layout.columns
        step = layout.lines + layout.gap
        all_fit = layout.rows * step - layout.gap <= height
        rows = layout.rows if all_fit else max(1, height - 1)
        self._page = min(rows * layout.columns, len(seats))
        self._hidden = len(seats) - self._page
        first = self._first(showing, seats)
        below = self._hidden - first
        seats = seats[first:]
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
        if self._hidden:
            lines.append(self._more(showing, first, below, width))
        return Content("\n").join(lines[:height])

    def _largest(self, showing: Showing) -> Size:
        """The size of the own cards."""
        if self._own is None or showing.me is None:
            return "large"
        return fitting(len(showing.scene.seats[showing.me].cards), *self._own)[0]

    def _first(self, showing: Showing, seats: Sequence[int]) -> int:
        """The first seat in view: those with keys, or who acts, come into view by themselves."""
        if not self._hidden:
            self._by = 0
            return 0
        scene = showing.scene
        acting = (
            scene.shown[1] if scene.shown is not None else scene.ask.seat if scene.ask is not None else scene.dealer
        )
        about = [seat for seat in seats if showing.key_of(seat)] or [acting]
        if about != self._about:
            self._about, self._by = about, 0
        places = [seats.index(seat) for seat in about if seat in seats] or [0]
        middle = (places[0] + places[-1]) // 2
        itself = max(0, min(middle - (self._page - 1) // 2, self._hidden))
        first = max(0, min(itself + self._by, self._hidden))
        self._by = first - itself
        return first

    @staticmethod
    def _more(showing: Showing, above: int, below: int, width: int) -> Content:
        """How many more players there are, where, and what brings them into view."""
        told = showing.words("term.board.more", n=above + below)
        where = f"↑ {above}  ↓ {below}" if above and below else "↑" if above else "↓"
        return fitted(Content.assemble((f"  {told}", "bold"), (f"  {where}  PgUp PgDn", "$soft")), width)

    def turn(self, pages: int) -> None:
        """Bring the seats of other pages into view."""
        self._scroll(pages * self._page)

    def _scroll(self, seats: int) -> None:
        if self._hidden:
            self._by += seats
            self.redraw()

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """Bring the next seats into view."""
        event.stop()
        self._scroll(WHEEL)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """Bring the seats before into view."""
        event.stop()
        self._scroll(-WHEEL)

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
                return
        if self._hidden and event.y == self.size.height - 1:
            self.turn(1)
