"""A round at a real table, card by card: whose card comes next, what it does, and the odds."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container
from textual.content import Content
from textual.widgets import Input, Static

from flip7.catalogue import texts
from flip7.game.game import Game
from flip7.protocol.scene import Scene
from flip7.protocol.views import game_view
from flip7.scorekeeper.console import Console, read_card
from flip7.scorekeeper.errors import MatchError
from flip7.scorekeeper.live import LiveView
from flip7.scorekeeper.match import Match
from flip7.terminal.score.words import done, refused, result
from flip7.terminal.screens.base import BaseScreen, Keys, Prompt, Sheet
from flip7.terminal.table.board import Board
from flip7.terminal.table.mine import gauge
from flip7.terminal.table.showing import Showing

CARDS = "12, x2, +4, freeze, flip3, second"
"""What can be typed, where there is no room to say so."""


class LiveScreen(BaseScreen[None]):
    """The round that is being played with real cards."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,f2", "dismiss(None)", show=False),
        Binding("f1", "help", show=False),
        Binding("f5", "rules", show=False),
        Binding("ctrl+z", "type('u')", show=False),
        Binding("ctrl+y", "type('r')", show=False),
    ]

    def __init__(self, match: Match, save: Callable[[], None]) -> None:
        super().__init__()
        self.match = match
        self._save = save

    def compose(self) -> ComposeResult:
        """Lay out table and line."""
        words = self.words
        self._names = Console(
            self.match, lambda _: "", lambda _: None, self._save, say=texts(words.language, "lines")
        )  # it knows whom a name means
        yield Static(id="top", markup=False)
        with Container(id="middle"):
            yield Board()
        yield Static(id="odds", markup=False)
        yield Static(id="asked", markup=False)
        yield Prompt(self.action_type)
        yield Static(id="problem", markup=False)
        yield Keys(
            [
                ("enter", words("enter.next")),
                ("^z", words("undo")),
                ("F1", words("term.help")),
                ("F5", words("app.rules")),
                ("esc", words("live.stop")),
            ]
        )

    def on_mount(self) -> None:
        """Wait for the first card."""
        self.query_one(Input).focus()
        self._show()

    def _show(self, problem: str = "", news: str = "") -> None:
        words, live = self.words, self.match.live
        self.query_one("#top", Static).update(
            Content.assemble((f" {words('live')} ", "bold $background on $primary"), f"  {result(self.match, words)}")
        )
        shown = self.query_one("#problem", Static)
        shown.set_class(not problem, "-news")
        shown.update(problem or news)
        if live is None:
            self.dismiss(None)
            return
        position = live.position
        game = Game.at(position, players=self.match.players, live=True)
        scene = Scene(game_view("", 0, game, odds=True, seconds=None))
        for seat, total in enumerate(self.match.totals):
            scene.seats[seat].total = total
        showing = Showing(scene, frozenset(), words, self.terminal.painter)
        board = self.query_one(Board)
        board.showing = showing
        board.redraw()
        name = self.match.players[live.seat]
        if live.due == "target":
            choices = ", ".join(f"{seat + 1} {self.match.players[seat]}" for seat in live.targets)
            ask = position.decision
            asks = words(f"table.choose.{ask.card}") if ask is not None and ask.card else name
            asks = f"{name}: {asks} {choices}"
        else:
            asks = words("live.turn" if live.due == "turn" else "live.card", name=name)
        self.query_one("#asked", Static).update(Content.styled(asks, "bold $primary"))
        due = live.due or "card"
        self.query_one(Prompt).hint(words(f"term.live.{due}"), *([CARDS] if due == "card" else []))
        chance = gauge(showing, live.seat, self.app.size.width) if live.due == "turn" else Content("")
        estimate = f"  {words('live.estimate')}" if live.estimate else ""
        left = words("live.left", n=scene.deck)
        self.query_one("#odds", Static).update(Content.assemble(chance, (f"  {left}{estimate}", "$soft")))

    def action_type(self, line: str) -> None:
        """Put down what a line says."""
        live = self.match.live
        if live is None:
            return
        rounds = len(self.match.rounds)
        try:
            news = self._take(live, line.lower().replace("×", "x").split())
        except MatchError as error:
            self._show(refused(error, self.words, self.match))
            return
        self._save()
        self.query_one(Input).value = ""
        if len(self.match.rounds) > rounds:
            news = f"{self.words('round', n=rounds + 1)}: " + ", ".join(
                f"{name} {points}"
                for name, points in zip(self.match.players, self.match.rounds[-1], strict=True)
                if points is not None
            )
        self._show(news=news)

    def _take(self, live: LiveView, words: list[str]) -> str:
        """Do what the words say; returns what is to be told of it."""
        match words:
            case []:
                return ""
            case ["u" | "undo"]:
                told = done(self.match.undoable, self.words, self.match)
                self.match.undo()
                return self.words("took.back", what=told)
            case ["r" | "redo"]:
                told = done(self.match.redoable, self.words, self.match)
                self.match.redo()
                return self.words("took.again", what=told)
            case ["shuffle"]:
                live.shuffle()
            case ["lost", card]:
                live.lost(read_card(card, self._names.say))
            case ["s" | "stay"]:
                live.stay()
            case ["s" | "stay", *who]:
                live.stay(self._names.seat(" ".join(who)))
            case ["leave", *who] if who:
                self.match.retire(self._names.seat(" ".join(who)))
            case who if live.due == "target":
                live.give(self._target(" ".join(who)))
            case [card]:
                live.card(read_card(card.removesuffix("!"), self._names.say), anyway=card.endswith("!"))
            case [card, *who]:
                seat = self._names.seat(" ".join(who))
                live.card(read_card(card.removesuffix("!"), self._names.say), seat, anyway=card.endswith("!"))
        return ""

    def _target(self, word: str) -> int:
        """Return who is meant where players are offered by their numbers. Raises `MatchError`."""
        if word.isdecimal() and 1 <= int(word) <= len(self.match.players):
            return int(word) - 1
        return self._names.seat(word)

    def action_help(self) -> None:
        """Show what can be typed."""
        self.app.push_screen(Sheet[None](self.words("term.help"), self.words("term.live.words")))
