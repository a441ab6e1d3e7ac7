"""What happened, in words, the latest last."""

from __future__ import annotations

from textual.content import Content

from flip7.protocol.scene import Line
from flip7.terminal.drawn import Drawn
from flip7.terminal.table.showing import CALLOUTS, Showing

HEADINGS = {"round_started": "bold $primary", "game_over": "bold $success", "playoff_called": "bold $warning"}


def told(showing: Showing, line: Line) -> Content | None:
    """Return a line of the log in its style, or `None` for what another line tells."""
    text = showing.words.line(line, showing.scene.names)
    if text is None:
        return None
    style = HEADINGS.get(line.event.kind) or CALLOUTS.get(line.event.kind, "")
    return Content.styled(text, style)


class Log(Drawn):
    """Draws as many of the latest lines as there is room for."""

    def __init__(self) -> None:
        super().__init__(id="log")
        self.showing: Showing | None = None

    def drawing(self) -> Content:
        """Return the end of the log."""
        showing, width, height = self.showing, self.size.width, self.size.height
        if showing is None or not width or not height:
            return Content.empty()
        rows: list[Content] = []
        for line in reversed(showing.scene.log):
            text = told(showing, line)
            if text is not None:
                first, *rest = text.wrap(max(8, width - 2))
                rows[:0] = [first, *(Content.assemble("  ", more) for more in rest)]
            if len(rows) >= height:
                break
        return Content("\n").join(rows[-height:])
