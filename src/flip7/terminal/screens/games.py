"""All games that were left, to choose from."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from flip7.game.game import Game
from flip7.terminal.desk import unfinished
from flip7.terminal.screens.base import BaseScreen, Keys
from flip7.terminal.texts import Words

SHOWN = 4
"""Of a larger table this many players are named."""


def told(game: Game, words: Words) -> str:
    """Return how far a game is, in one line."""
    scores = ", ".join(f"{name} {seat.total}" for name, seat in zip(game.players, game.seats[:SHOWN], strict=False))
    more = "…" if len(game.players) > SHOWN else ""
    return f"{words('table.round', n=game.position.round)} · {scores}{more}"


class GamesScreen(BaseScreen[Path]):
    """Every game that is kept and not over, the last one first; it is left with the file of the one that is chosen."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q,a", "dismiss(None)", show=False)]

    def __init__(self) -> None:
        super().__init__()
        self._games = list(unfinished())

    def compose(self) -> ComposeResult:
        """List the games."""
        words = self.words
        yield Static(f" {words('home.resume')}", id="top")
        yield OptionList(*(Option(self._line(game)) for _, game in self._games), id="lines")
        yield Keys([("↑↓", words("term.move")), ("enter", words("home.resume.go")), ("esc", words("term.back"))])

    def on_mount(self) -> None:
        """Begin with the last one."""
        self.query_one(OptionList).focus()

    def _line(self, game: Game) -> Content:
        return Content.assemble((f"{game.date or ''}  ", "$soft"), told(game, self.words))

    @on(OptionList.OptionSelected)
    def chosen(self, message: OptionList.OptionSelected) -> None:
        """Go on with this game."""
        self.dismiss(self._games[message.option_index][0])
