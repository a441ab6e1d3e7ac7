"""Replay: a recorded game, back and forth, with its marks; and its review where thinking can be compiled."""

from __future__ import annotations

from collections.abc import Iterable
from importlib.util import find_spec
from typing import ClassVar

from textual import on
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.timer import Timer
from textual.widget import Widget

from flip7.game.game import Game
from flip7.strategy.review import Review
from flip7.terminal.graph import Graph, signs
from flip7.terminal.replay.frames import Frames, Mark
from flip7.terminal.replay.review import Reviewing, ReviewScreen
from flip7.terminal.replay.timeline import Timeline
from flip7.terminal.screens.base import Sheet
from flip7.terminal.table.screen import TableScreen
from flip7.terminal.table.sheets import lacking
from flip7.terminal.table.showing import Showing

PACE = {"calm": 1.4, "normal": 0.9, "fast": 0.4, "instant": 0.1}
"""Seconds for each step while it plays by itself."""


class ReplayScreen(TableScreen[None]):
    """One recorded game."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("right,l,s", "move(1)", show=False),
        Binding("left,h", "move(-1)", show=False),
        Binding("down,j", "turn(1)", show=False),
        Binding("up,k", "turn(-1)", show=False),
        Binding("n", "mark(1)", show=False),
        Binding("p,N", "mark(-1)", show=False),
        Binding("home,g", "go(0)", show=False),
        Binding("end,G", "last", show=False),
        Binding("space", "run", show=False),
        Binding("v", "review", show=False),
        Binding("r", "rules", show=False),
        Binding("question_mark", "help", show=False),
        Binding("q,escape", "leave", show=False),
    ]

    def __init__(self, game: Game, begin: int = 1) -> None:
        """`begin` is the round to begin with."""
        super().__init__()
        self._frames = Frames(game)
        self._at = self._frames.round(begin)
        self._player: Timer | None = None
        self._review: Review | None = None

    def below(self) -> Iterable[Widget]:
        """Graph and line."""
        return Graph(self.terminal.settings.theme == "light", id="chances"), Timeline(self._frames)

    def keys(self) -> list[tuple[str, str]]:
        """Return the ways through a game."""
        words = self.words
        return [
            ("←→", words("term.step")),
            ("↑↓", words("results.round")),
            ("n p", words("term.mark")),
            ("space", words("replay.play")),
            ("v", words("review.title")),
            ("r", words("app.rules")),
            ("?", words("term.help")),
            ("q", words("table.leave.go")),
        ]

    def on_mount(self) -> None:
        """Show where it begins."""
        self.query_one(Graph).display = False
        self._show()

    def on_resize(self) -> None:
        """Lay out again."""
        width, height = self.app.size
        graph = 0 if self._review is None else 8 if height >= 30 else 5
        self.query_one(Graph).styles.height = graph
        self.query_one(Graph).display = graph > 0
        self.lay_out(width, height, graph + 1)

    def _show(self) -> None:
        """Draw the step that one is at."""
        words = self.words
        scene = self._frames.scene(self._at)
        first = self.showing is None
        self.showing = Showing(scene, frozenset(), words, self.terminal.painter)
        self.showing.event = self._frames.told(self._at)
        if self._review is not None:
            self.showing.signs = signs(len(scene.names), light=self.terminal.settings.theme == "light")
        self.draw()
        self.query_one(Timeline).go(self._at)
        if self._review is not None:
            graph = self.query_one(Graph)
            graph.place = self._moment()
            graph.refresh()
        parts = [words("table.round", n=scene.round), words("replay.step", n=self._at + 1, of=len(self._frames))]
        self.head(
            Content.assemble((f" {words('replay.title')} ", "bold $background on $primary"), "  " + " · ".join(parts))
        )
        if first:
            self.on_resize()

    def _moment(self) -> int:
        """The moment of the review that is on show."""
        return sum(frame <= self._at for frame in self._frames.moments.values())

    def action_go(self, frame: int) -> None:
        """Show another step."""
        frame = min(max(0, frame), len(self._frames) - 1)
        if frame != self._at:
            self._at = frame
            self._show()

    def action_move(self, by: int) -> None:
        """One step on or back."""
        self.action_go(self._at + by)

    def action_turn(self, way: int) -> None:
        """To the beginning of another round."""
        self.action_go(self._frames.next_round(self._at, way))

    def action_mark(self, way: int) -> None:
        """To the next mark, or the one before."""
        self.action_go(self._frames.next_mark(self._at, way))

    def action_last(self) -> None:
        """To the end."""
        self.action_go(len(self._frames) - 1)

    @on(Timeline.Went)
    def went(self, message: Timeline.Went) -> None:
        """To where was clicked."""
        self.action_go(message.frame)

    def action_run(self) -> None:
        """Play by itself, or stop doing so."""
        if self._player is not None:
            self._player.stop()
            self._player = None
        else:
            self._player = self.set_interval(PACE[self.terminal.settings.speed], self._run_on)

    def _run_on(self) -> None:
        self.action_move(1)
        if self._at == len(self._frames) - 1 and self._player is not None:
            self.action_run()

    def action_help(self) -> None:
        """Show the keys."""
        words = self.words
        keys = [
            ("← →", "term.help.step"),
            ("↑ ↓", "term.help.round"),
            ("n p", "term.help.mark"),
            ("home end", "term.help.ends"),
            ("PgDn", "term.help.page"),
            ("space", "term.help.play"),
            ("v", "term.help.review"),
            ("r", "term.help.r"),
            ("q", "term.help.back"),
        ]
        lines = [Content.assemble((f"{key:>9}  ", "bold $primary"), words(text)) for key, text in keys]
        self.app.push_screen(Sheet[None](words("term.help"), Content("\n").join(lines)))

    def action_review(self) -> None:
        """Tell luck from skill: think first, then show what was found."""
        words = self.words
        if self._review is not None:
            self._list()
        elif self._frames.game.winner is None:
            self.app.push_screen(Sheet[None](words("review.title"), words("term.review.unfinished")))
        elif find_spec("numba") is None:
            self.app.push_screen(Sheet[None](words("review.title"), lacking(words, "review.title", "numba", "sim")))
        else:
            self.app.push_screen(Reviewing(self._frames.game, words), self._reviewed)

    def _reviewed(self, found: Review | None) -> None:
        if found is None:  # it was given up
            return
        self._review = found
        moments = self._frames.moments
        self._frames.marks += [
            Mark(moments[moment.number], "blunder") for seat in found.seats for moment in seat.blunders
        ]
        lines = [
            [*(moment.before[seat] for moment in found.moments), found.seats[seat].result]
            for seat in range(len(found.seats))
        ]
        self.query_one(Graph).plot(lines, top=1.0, share=True)
        self.on_resize()
        self._show()
        self._list()

    def _list(self) -> None:
        """Show what the review found; a moment that is chosen is gone to."""
        assert self._review is not None

        def then(number: int | None) -> None:
            if number is not None:
                self.action_go(self._frames.moments[number])

        self.app.push_screen(ReviewScreen(self._review), then)

    def action_leave(self) -> None:
        """Leave."""
        if len(self.app.screen_stack) > 2:
            self.dismiss(None)
        else:
            self.app.exit(0)
