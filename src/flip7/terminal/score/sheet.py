"""The score sheet as a table: a line for each player, a column for each round, as many as fit."""

from __future__ import annotations

from textual.content import Content

from flip7.scorekeeper.export import describe
from flip7.scorekeeper.hands import BUST
from flip7.scorekeeper.match import Match
from flip7.terminal.drawn import Drawn
from flip7.terminal.table.showing import fitted
from flip7.terminal.texts import Words, mark


class ScoreSheet(Drawn):
    """Draws a match; the latest rounds are always in sight, and so is whoever is asked."""

    def __init__(self, words: Words) -> None:
        super().__init__(id="score")
        self._words = words
        self.match: Match | None = None
        self.asked: int | None = None

    def show(self, match: Match, asked: int | None) -> None:
        """Draw a match."""
        self.match, self.asked = match, asked
        self.redraw()

    def drawing(self) -> Content:
        """Return the table."""
        match, words, width, height = self.match, self._words, self.size.width, self.size.height
        if match is None or not width:
            return Content.empty()
        called = min(16, max(6, width // 4))
        tail = 12
        cell = 5
        fit = max(1, (width - called - tail - 2) // cell - 1)
        first = max(0, len(match.rounds) - fit)
        heads = [f"{number + 1:>{cell}}" for number in range(first, len(match.rounds))]
        rows = [
            Content.styled(
                fitted(Content(" " * called + "".join(heads) + f"{words('total'):>7} {'':>3}"), width).plain,
                "bold $primary",
            )
        ]
        order = list(range(len(match.players)))
        space = height - 1
        if len(order) > space > 0:
            at = self.asked if self.asked is not None else 0
            start = max(0, min(at - space // 2, len(order) - space))
            order = order[start : start + space]
        rows += [self._row(match, seat, first, called, cell, width) for seat in order]
        return Content("\n").join(rows)

    def _row(self, match: Match, seat: int, first: int, called: int, cell: int, width: int) -> Content:
        words = self._words
        deals = seat == match.dealer and match.winner is None
        away = match.winner is None and seat not in match.present
        sign = "▸" if seat == self.asked else "*" if deals else " "
        name = fitted(Content(f"{sign}{match.players[seat]}"), called)
        style = "bold reverse" if seat == self.asked else "$soft" if away else "bold"
        parts: list[Content | tuple[str, str]] = [Content.styled(name.plain, style)]
        for number in range(first, len(match.rounds)):
            points, entry = match.rounds[number][seat], match.entries[number][seat]
            text = "-" if points is None else "✗" if entry == BUST else str(points)
            shade = "$error" if entry == BUST else "$warning" if number in match.playoffs else ""
            parts.append((f"{text:>{cell}}", shade))
        best = max((match.totals[other] for other in match.present), default=0)
        leads = match.totals[seat] == best and bool(match.rounds)
        parts.append((f"{match.totals[seat]:>7}", "bold $success" if leads else "bold"))
        rank = 1 + sum(match.totals[other] > match.totals[seat] for other in match.present)
        parts.append((f" {words('left') if away else words('rank.short', n=rank)} ", "$soft"))
        value = match.open_round[seat]
        if value is not None:
            told = words("value.bust") if value == BUST else str(value) if isinstance(value, int) else _cards(value)
            parts.append((f" {told}", "$secondary"))
        return fitted(Content.assemble(*parts), width)


def _cards(value: object) -> str:
    return " ".join(mark(card) for card in value) if isinstance(value, tuple) and value else describe(())
