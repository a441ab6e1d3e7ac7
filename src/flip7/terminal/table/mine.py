"""The own hand: how its points add up, its cards, the seven pips, and how likely the next card busts."""

from __future__ import annotations

from rich.cells import cell_len
from textual import events
from textual.content import Content

from flip7.terminal.cards import fitting
from flip7.terminal.drawn import Drawn
from flip7.terminal.table.board import Chosen
from flip7.terminal.table.rooms import inside
from flip7.terminal.table.showing import Showing, fitted, spread
from flip7.terminal.texts import total_of

SEVEN = 7


class Mine(Drawn):
    """Draws the seat of whoever sits at this screen."""

    def __init__(self) -> None:
        super().__init__(id="mine")
        self.showing: Showing | None = None

    def drawing(self) -> Content:
        """Return the whole hand."""
        showing, width, height = self.showing, self.size.width, self.size.height
        if showing is None or showing.me is None or not width:
            return Content.empty()
        there = showing.scene.seats[showing.me]
        size, a_row = fitting(len(there.cards), *inside(width, height))
        lines = [self._head(showing, showing.me, width)]
        for start in range(0, len(there.cards), a_row):
            part = there.cards[start : start + a_row]
            lines += showing.painter.row(part, size, dim=there.status == "busted", twin=there.twin)
        lines = lines[: height - 1]
        lines += [Content("")] * (height - 1 - len(lines))
        lines.append(gauge(showing, showing.me, width))
        return Content("\n").join(fitted(Content.assemble(" ", line), width) for line in lines)

    def on_click(self, event: events.Click) -> None:
        """Choose oneself."""
        if self.showing is not None and self.showing.me is not None:
            self.post_message(Chosen(self.showing.me))

    def _head(self, showing: Showing, seat: int, width: int) -> Content:
        there = showing.scene.seats[seat]
        different = min(SEVEN, len(set(there.line)))
        pips = Content.assemble(("●" * different, "bold $success"), ("○" * (SEVEN - different), "$soft"))
        added = total_of(there) if showing.scene.scored is None and there.status != "busted" else ""
        spelled = Content.styled(f"{added} = ", "$soft") if added else Content.empty()
        label = showing.label(seat) if showing.key_of(seat) else ""
        note = Content.styled(label, "bold $warning") if label else showing.status(seat)
        right = Content.assemble(note, "  " if note else "", spelled, showing.points(seat), "  ", pips)
        if right.cell_length > width - 12:
            right = Content.assemble(note, " " if note else "", showing.points(seat, short=True), " ", pips)
        return spread(showing.name(seat), right, width - 2)


def gauge(showing: Showing, seat: int, width: int) -> Content:
    """Return the chance that one more card busts a seat, as a bar and in words."""
    scene, words = showing.scene, showing.words
    if (
        not showing.gauge
        or scene.state.odds is None
        or scene.seats[seat].status != "active"
        or scene.scored is not None
    ):
        return Content("")
    chance = scene.state.odds.bust[seat]
    saved = "second" in scene.seats[seat].cards
    told = words("table.bust.safe") if saved else words.bust(chance)
    length = max(6, min(24, width - cell_len(told) - 16))
    if length + cell_len(told) + 16 > width:
        told, length = "", min(24, width - 16)
    filled = round(length * chance)
    style = "$error" if chance >= 1 / 3 else "$warning" if chance >= 1 / 6 else "$success"
    bar = Content.assemble(("█" * filled, style), ("░" * (length - filled), "$hair"))
    return Content.assemble(
        (f"{words('table.bust')} ", "$soft"), bar, (f" {words.percent(chance)} ", f"bold {style}"), (told, "$soft")
    )
