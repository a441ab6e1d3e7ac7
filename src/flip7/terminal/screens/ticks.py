"""What can be ticked: the box of what is not is empty, so that nothing depends on a colour."""

from __future__ import annotations

from rich.segment import Segment
from textual.content import Content
from textual.geometry import Size
from textual.strip import Strip
from textual.widgets import Checkbox, SelectionList

from flip7.terminal.table.showing import indented

BLANK = " "
BOX = 4
"""The columns of a box, with the one behind it."""


class Tick(Checkbox):
    """One box with its text."""

    def render(self) -> Content:
        """Return the box and all of the text."""
        return self._lines(self.size.width)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """Return how many lines the text takes."""
        return len(self._lines(width).plain.splitlines())

    def _lines(self, width: int) -> Content:
        drawn = super().render()
        box, label = drawn[:BOX], drawn[BOX:].rstrip()
        if not self.value:
            box = Content(box.plain.replace(self.BUTTON_INNER, BLANK), [*box.spans])
        return indented(box, label, width)


class Ticks(SelectionList[str]):
    """A list of which any number can be picked."""

    def render_line(self, y: int) -> Strip:
        """Return a line with its box."""
        strip = super().render_line(y)
        at = self.scroll_offset.y + y
        if at >= self.option_count or self.get_option_at_index(at).value in self.selected:
            return strip
        left, inner, *rest = strip
        return Strip([left, Segment(BLANK, inner.style), *rest], strip.cell_length)
