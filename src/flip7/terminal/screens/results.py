"""The end of a game: who has won, how the totals went, every round's points, and what can be done now."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from rich.cells import cell_len
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from flip7.game.telling import scores
from flip7.protocol.scene import Scene
from flip7.terminal.graph import Graph, legend
from flip7.terminal.screens.base import BaseScreen, Keys
from flip7.terminal.texts import Words

Action = tuple[str, str, str]
"""A key, what it is called to do, and what the screen is left with."""


def outcome(words: Words, scene: Scene, own: frozenset[int]) -> str:
    """Return how a game ended, in one sentence or two."""
    if scene.winner is None:
        return ""
    name = scene.names[scene.winner]
    told = words("results.you") if scene.winner in own else words("results.title", name=name)
    told += f" {words('results.rounds', n=len(scene.rounds))}"
    if scene.playoffs:
        told += f", {words('results.playoff', n=scene.playoffs)}"
    if scene.state.challenge is not None:
        told += f" · {words('results.challenge.yes' if scene.state.challenge else 'results.challenge.no')}"
    return told


class ResultsScreen(BaseScreen[str]):
    """Shows the result; it is left with what was chosen, or with nothing. `act` does it without leaving."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q", "choose('')", show=False)]

    def __init__(
        self,
        scene: Scene,
        own: frozenset[int],
        actions: list[Action],
        note: str = "",
        act: Callable[[str], None] | None = None,
    ) -> None:
        super().__init__()
        self.scene = scene
        self._own = own
        self._actions = actions
        self._note = note
        self._act = act
        self._outcome = ""

    def compose(self) -> ComposeResult:
        """Lay out the winner, the graph and the table."""
        words, scene = self.words, self.scene
        light = self.terminal.settings.theme == "light"
        self._outcome = outcome(words, scene, self._own)
        yield Static(Content.styled(f" {self._outcome}", "bold $success"), id="top")
        with VerticalScroll(id="results"):
            yield Static(Content.styled(self._outcome, "bold $success"), id="outcome")
            yield Static(id="note", markup=False)
            yield Static(Content.styled(words("results.graph"), "bold $primary"))
            yield Graph(light)
            yield Static(id="legend", markup=False)
            yield Static(Content.styled(words("results.table"), "bold $primary"))
            yield Static(id="table", markup=False)
        yield Keys([])

    def on_mount(self) -> None:
        """Draw the graph."""
        self.offer(self._actions, self._note)
        lines = self.scene.totals()
        top = max(self.scene.target, *(line[-1] for line in lines))
        self.query_one(Graph).plot(lines, top=top)
        self.query_one(VerticalScroll).focus()

    def on_resize(self) -> None:
        """Fit legend and table of rounds; an outcome that is too long for the first line is told once more below."""
        self.query_one("#outcome").display = cell_len(self._outcome) + 1 > self.app.size.width
        light = self.terminal.settings.theme == "light"
        totals = [str(seat.total) for seat in self.scene.seats]
        self.query_one("#legend", Static).update(legend(self.scene.names, totals, self.app.size.width - 9, light=light))
        rounds = [list(points) for points in self.scene.rounds]
        told = scores(self.scene.names, rounds, self.app.size.width - 4, self.words.language)
        self.query_one("#table", Static).update("\n".join(told))

    def offer(self, actions: list[Action], note: str) -> None:
        """Offer this, and say that."""
        self._actions, self._note = actions, note
        there = self.query_one("#note", Static)
        there.update(Content.styled(note, "$soft"))
        there.display = bool(note)
        keys = [(key, told) for key, told, _ in actions]
        self.query_one(Keys).offer([*keys, ("q", self.words("table.leave.go"))])

    def on_key(self, event: events.Key) -> None:
        """Do what is offered with a key."""
        for key, _, result in self._actions:
            if event.key == key:
                event.stop()
                self.action_choose(result)
                return

    def action_choose(self, result: str) -> None:
        """Do what was chosen, or leave with it."""
        if result and self._act is not None:
            self._act(result)
        else:
            self.dismiss(result)
