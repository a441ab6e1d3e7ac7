"""The whole game in one line: rounds, busts, Flip 7s and blunders, and where one is."""

from __future__ import annotations

from textual import events
from textual.content import Content
from textual.message import Message

from flip7.terminal.drawn import Drawn
from flip7.terminal.replay.frames import Frames, Kind

SIGNS: dict[Kind, tuple[str, str]] = {
    "round": ("│", "$soft"),
    "saved": ("♥", "$success"),
    "frozen": ("❄", "$frost"),
    "bust": ("✗", "bold $error"),
    "flip7": ("7", "bold $success"),
    "over": ("●", "bold $success"),
    "blunder": ("!", "bold $warning"),
}
ORDER = list(SIGNS)
"""Where several marks share a place, the last of these is drawn."""


class Timeline(Drawn):
    """Draws the line; a click goes there."""

    class Went(Message):
        """A place was clicked."""

        def __init__(self, frame: int) -> None:
            super().__init__()
            self.frame = frame

    def __init__(self, frames: Frames) -> None:
        super().__init__(id="timeline")
        self._frames = frames
        self.at = 0

    def go(self, frame: int) -> None:
        """Show another place."""
        self.at = frame
        self.redraw()

    def _place(self, frame: int) -> int:
        return round(frame / max(1, len(self._frames) - 1) * (self.size.width - 1))

    def drawing(self) -> Content:
        """Return the line."""
        width = self.size.width
        if not width:
            return Content.empty()
        cells: list[tuple[str, str]] = [("─", "$hair")] * width
        for mark in sorted(self._frames.marks, key=lambda one: ORDER.index(one.kind)):
            cells[self._place(mark.frame)] = SIGNS[mark.kind]
        sign = cells[self._place(self.at)][0]
        cells[self._place(self.at)] = ("▲" if sign == "─" else sign, "bold reverse")
        return Content.assemble(*cells)

    def on_click(self, event: events.Click) -> None:
        """Go where was clicked."""
        last = max(1, self.size.width - 1)
        share = min(max(0, event.x - self.gutter.left), last) / last
        self.post_message(self.Went(round(share * (len(self._frames) - 1))))
