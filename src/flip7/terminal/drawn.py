"""`Drawn`: a widget of lines that draws again only those that have changed, so that a slow link has little to carry."""

from __future__ import annotations

from abc import abstractmethod
from itertools import zip_longest

from textual.content import Content
from textual.geometry import Region, Size
from textual.widget import Widget


class Drawn(Widget):
    """Draws what `drawing` returned when `redraw` was called last, or when the size changed."""

    _content = Content("")
    _drawn_at: Size | None = None
    """The size for which the content was drawn."""

    @abstractmethod
    def drawing(self) -> Content:
        """Return what is to be seen, line by line."""

    def render(self) -> Content:
        """Return what is to be seen."""
        if self._drawn_at != self.size:
            self._content, self._drawn_at = self.drawing(), self.size
        return self._content

    def redraw(self) -> None:
        """Draw those lines that have changed."""
        if self._drawn_at != self.size:
            self._drawn_at = None
            self.refresh()
            return
        before, self._content = self._content, self.drawing()
        pairs = zip_longest(
            self._content.split("\n", allow_blank=True), before.split("\n", allow_blank=True), fillvalue=Content("")
        )
        changed = [Region(0, y, self.size.width, 1) for y, (now, then) in enumerate(pairs) if not now.is_same(then)]
        if changed:
            self.refresh(*changed)
