"""The screens of the scorekeeper: rounds that are typed, rounds that are followed card by card, and statistics."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import Input, Static

from flip7.scorekeeper import storage
from flip7.scorekeeper.console import help_lines, statistics_text
from flip7.scorekeeper.errors import MatchError
from flip7.scorekeeper.match import Match
from flip7.scorekeeper.statistics import statistics
from flip7.terminal.graph import Graph, legend
from flip7.terminal.score.keeper import Keeper
from flip7.terminal.score.live import LiveScreen
from flip7.terminal.score.sheet import ScoreSheet
from flip7.terminal.score.words import disagreed, labels, refused, result
from flip7.terminal.screens.base import BaseScreen, Keys, Prompt, Sheet

HANDS = "12 7 x2, 24, b, ?"
"""What can be typed, where there is no room to say so."""


class ScoreScreen(BaseScreen[None]):
    """A match: the sheet above, a line to type into below."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f1", "help", show=False),
        Binding("f2", "live", show=False),
        Binding("f3", "statistics", show=False),
        Binding("f4", "graph", show=False),
        Binding("f5", "rules", show=False),
        Binding("ctrl+z", "type('u')", show=False),
        Binding("ctrl+y", "type('r')", show=False),
        Binding("escape", "app.leave", show=False),
    ]

    def __init__(self, match: Match, path: Path) -> None:
        super().__init__()
        self.match = match
        self.path = path
        self._refused: str | None = None
        """The line that was refused, as long as it is not changed."""

    def compose(self) -> ComposeResult:
        """Lay out sheet and line."""
        words = self.words
        self.keeper = Keeper(self.match, self.path, words, self.action_help)
        yield Static(id="top", markup=False)
        yield ScoreSheet(words)
        yield Static(id="asked", markup=False)
        yield Prompt(self.action_type)
        yield Static(id="problem", markup=False)
        yield Keys(
            [
                ("enter", words("enter.next")),
                ("^z", words("undo")),
                ("F1", words("term.help")),
                ("F2", words("live")),
                ("F3", words("stats.title")),
                ("F4", words("term.graph")),
                ("F5", words("app.rules")),
                ("esc", words("table.leave.go")),
            ]
        )

    def on_mount(self) -> None:
        """Ask for the first hand."""
        self.keeper.save()
        self.query_one(Input).focus()
        self._show()

    def on_screen_resume(self) -> None:
        """Show what a live round has brought."""
        if self.is_mounted and hasattr(self, "keeper"):
            self._show()

    def _show(self, problem: str = "") -> None:
        words, keeper = self.words, self.keeper
        self.query_one("#top", Static).update(
            Content.assemble((f" {words('title')} ", "bold $background on $primary"), f"  {result(self.match, words)}")
        )
        seat = keeper.asked
        self.query_one(ScoreSheet).show(self.match, seat)
        asks = words("wins.wrong") if seat is None else words("enter.for", name=self.match.players[seat])
        if keeper.editing is not None:
            asks = f"{words('enter.edit', n=keeper.editing + 1)}: {asks} ({keeper.before})"
        elif self.match.live is not None and self.match.live.started:
            asks = words("live.running")
        self.query_one("#asked", Static).update(Content.styled(asks, "bold $primary"))
        hints = (words("term.score.placeholder"), HANDS) if keeper.editing is None else (keeper.before,)
        self.query_one(Prompt).hint(*hints)
        shown = self.query_one("#problem", Static)
        conflicts = [disagreed(conflict, words, self.match) for conflict in self.match.sheet.conflicts]
        shown.set_class(not problem and not keeper.trouble, "-news")
        shown.update(problem or keeper.trouble or keeper.told or "; ".join(conflicts))

    @on(Input.Changed)
    def typed(self) -> None:
        """Say at once what cannot be; why the line was refused stays told until it is changed."""
        line = self.query_one(Input).value
        if line == self._refused:
            return
        self._refused = None
        error = self.keeper.refusal(line)
        self._show(refused(error, self.words, self.match) if error is not None else "")

    def action_type(self, line: str) -> None:
        """Do what a line says."""
        word = line.strip().lower()
        if word in ("live", "l"):
            self.query_one(Input).value = ""
            self.action_live()
            return
        if word in ("stats", "statistics"):
            self.query_one(Input).value = ""
            self.action_statistics()
            return
        try:
            self.keeper.take(line)
        except MatchError as error:
            self._refused = line
            self._show(refused(error, self.words, self.match))
            return
        if self.keeper.left:
            self.app.exit(0)
            return
        with self.prevent(Input.Changed):
            self.query_one(Input).value = ""
        self._show()

    def action_help(self) -> None:
        """Show all words."""
        lines = help_lines(min(68, self.app.size.width - 8), self.keeper.say)
        self.app.push_screen(Sheet[None](self.words("term.help"), "\n".join(lines)))

    def action_live(self) -> None:
        """Follow the open round card by card."""
        if self.match.live is not None:
            self.app.push_screen(LiveScreen(self.match, self.keeper.save))

    def action_statistics(self) -> None:
        """Sum up all matches."""
        found, wrong = storage.all_matches()
        summed = statistics(match for _, match in found)
        room = min(68, self.app.size.width - 8)
        text = (
            statistics_text(summed, room, labels(self.words), self.words.language)
            if summed.players
            else self.words("stats.none")
        )
        self.app.push_screen(Sheet[None](self.words("stats.title"), "\n".join([text, *wrong])))

    def action_graph(self) -> None:
        """Show the totals over the rounds."""
        if self.match.rounds:
            self.app.push_screen(TotalsScreen(self.match))


class TotalsScreen(BaseScreen[None]):
    """The totals of a match over its rounds."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q,f4,space,enter", "dismiss(None)", show=False)]

    def __init__(self, match: Match) -> None:
        super().__init__()
        self._match = match

    def compose(self) -> ComposeResult:
        """Lay the graph out."""
        light = self.terminal.settings.theme == "light"
        yield Static(f" {self.words('results.graph')}", id="top")
        yield Graph(light, id="totals")
        yield Static(id="legend", markup=False)
        yield Keys([("esc", self.words("term.back"))])

    def on_resize(self) -> None:
        """Fit the legend."""
        light = self.terminal.settings.theme == "light"
        totals = [str(total) for total in self._match.totals]
        self.query_one("#legend", Static).update(
            legend(self._match.players, totals, self.app.size.width - 5, light=light)
        )

    def on_mount(self) -> None:
        """Draw it."""
        history = self._match.history
        lines = [[0, *(totals[seat] for totals in history)] for seat in range(len(self._match.players))]
        self.query_one(Graph).plot(lines, top=max(self._match.target, *(max(line) for line in lines)))
