"""The review of a game: what luck and skill made of it, and the moments to look at again."""

from __future__ import annotations

from typing import ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option as Row

from flip7 import Card
from flip7.game.game import Game
from flip7.game.layout import shorten, table
from flip7.game.position import Position
from flip7.game.view import Choice
from flip7.strategy.review import Moment, Review
from flip7.terminal.graph import signs
from flip7.terminal.screens.base import BaseScreen, Keys, Sheet
from flip7.terminal.texts import Words
from flip7.terminal.thinking import away

NARROW = 64
"""With fewer columns the table of a review has fewer, too."""


class Reviewing(Sheet[Review]):
    """Reviews a game and says how far it is; closed before its end it gives up, otherwise it leaves with the review."""

    def __init__(self, game: Game, words: Words) -> None:
        super().__init__(words("review.title"), words("review.working", n=words.percent(0)))
        self._game = game
        self._words = words

    def on_mount(self) -> None:
        """Begin."""
        self.think()

    @work(exclusive=True)
    async def think(self) -> None:
        """Review the game, away from the screen."""
        from flip7.strategy.review import review

        words = self._words
        found = await away(
            lambda report: review(self._game, seed=0, progress=report),
            lambda share: self.show(words("review.working", n=words.percent(share))),
        )
        self.dismiss(found)


class ReviewScreen(BaseScreen[int]):
    """Shows a review; it is left with the number of a moment to go to, or with nothing."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q,v", "dismiss(None)", show=False)]

    def __init__(self, review: Review) -> None:
        super().__init__()
        self._review = review
        self._moments: list[tuple[str, Moment]] = []

    def compose(self) -> ComposeResult:
        """Lay out the table and the moments."""
        words, found = self.words, self._review
        yield Static(f" {words('review.title')}", id="top")
        with VerticalScroll(id="luck", can_focus=False):
            yield Static(id="lucky", markup=False)
        named = [("turning", found.turning_point), ("best", found.best), ("worst", found.worst)]
        self._moments = [(words(f"review.{key}"), moment) for key, moment in named if moment is not None]
        blunders = [moment for seat in found.seats for moment in seat.blunders]
        self._moments += [
            (words("term.review.blunder"), moment) for moment in sorted(blunders, key=lambda one: one.gain)
        ]
        yield OptionList(*(Row(self._told(title, moment)) for title, moment in self._moments), id="lines")
        yield Keys([("↑↓", words("term.move")), ("enter", words("review.watch")), ("esc", words("term.back"))])

    def on_mount(self) -> None:
        """Begin with the first moment."""
        self.query_one(OptionList).focus()

    def on_resize(self) -> None:
        """Fit the table: where there is little room, luck, skill and blunders are what it is about."""
        rows = self._table()
        if self.app.size.width < NARROW:
            rows = [[name, luck, skill, blunders] for name, _, luck, skill, _, blunders in rows]
        letters = [Content(" "), *signs(len(rows) - 1, light=self.terminal.settings.theme == "light")]
        told = zip(letters, table(rows, right=range(1, len(rows[0]))), strict=True)
        lines = [Content.assemble(letter, " ", line) for letter, line in told]
        self.query_one("#lucky", Static).update(Content("\n").join(lines))

    def _table(self) -> list[list[str]]:
        words = self.words
        heads = [words(f"review.{key}") for key in ("start", "luck", "skill", "result")]
        rows = [["", *heads, words("term.review.blunders")]]
        rows += [
            [
                shorten(seat.name),
                words.percent(seat.start),
                _signed(seat.luck),
                _signed(seat.skill),
                words("review.won" if seat.result else "review.lost"),
                str(len(seat.blunders)),
            ]
            for seat in self._review.seats
        ]
        return rows

    def _told(self, title: str, moment: Moment) -> Content:
        words = self.words
        name = self._review.seats[moment.seat].name
        key = f"said.{self._kind(moment, moment.choice)}" if moment.kind != "deviation" else "term.review.deviation"
        said = words(key, n=moment.round, name=name, **self._holes(moment))
        if moment.best is not None and moment.best != moment.choice and moment.gain < 0:
            kind = "target" if isinstance(moment.best, int) else moment.best
            to = self._review.seats[moment.best].name if isinstance(moment.best, int) else ""
            said += " " + words(f"said.better.{kind}", p=f"{-100 * moment.gain:.1f} %", to=to)
        return Content.assemble(
            (f"{title}: ", "bold $warning"),
            f"{said} ",
            (_signed(moment.gain), "bold $success" if moment.gain > 0 else "bold $error"),
        )

    @staticmethod
    def _kind(moment: Moment, choice: Choice) -> str:
        if isinstance(choice, Card):
            return "card"
        if isinstance(choice, int):
            return "self" if choice == moment.seat else "target"
        return str(choice)

    def _holes(self, moment: Moment) -> dict[str, str]:
        """The card that the moment is about, and who got it."""
        if isinstance(moment.choice, Card):
            return {"card": self.words.card(moment.choice)}
        if not isinstance(moment.choice, int):
            return {"what": str(moment.choice)}
        ask = Position(moment.position).decision
        card = self.words.card(ask.card) if ask is not None and ask.card is not None else ""
        return {"card": card, "to": self._review.seats[moment.choice].name}

    @on(OptionList.OptionSelected)
    def chosen(self, message: OptionList.OptionSelected) -> None:
        """Go to the moment."""
        self.dismiss(self._moments[message.option_index][1].number)


def _signed(share: float) -> str:
    return f"{100 * share:+.1f} %"
