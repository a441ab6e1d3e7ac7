"""`Position`: a table as everyone sees it, without names and without history. It prints and parses as one line."""

from __future__ import annotations

from flip7.game import notation
from flip7.game.choices import answer, read_choice
from flip7.game.errors import IllegalChoice
from flip7.game.view import Choice, TableView, chances
from flip7.rules.cards import Card
from flip7.rules.inputs import begin_round
from flip7.rules.table import AWAIT_CARD, ROUND_OVER, Table


class Position(TableView):
    """A public position. `str(position)` writes it down and `Position(text)` reads it (docs/notation.md)."""

    __slots__ = ()

    def __init__(self, text: str) -> None:
        """Read a position. Raises `NotationError` where the text is wrong."""
        self._table = notation.parse(text)

    @classmethod
    def of(cls, table: Table) -> Position:
        """Return the position that a table is in now; the table may go on afterwards."""
        return cls.view_of(table.copy())

    @classmethod
    def view_of(cls, table: Table) -> Position:
        """Return a view of a table that follows it as it goes on."""
        position = cls.__new__(cls)
        position._table = table
        return position

    @property
    def round(self) -> int:
        """The number of this round, from 1."""
        return self._table.round

    @property
    def target(self) -> int:
        """The total that ends the game."""
        return self._table.target

    def after(self, choice: Choice | None = None) -> Position:
        """Return the position that a choice leads to: a word, a seat, or the card that came up.

        Nothing else is done: after a hit the card is still to come, and after the last card the round is over. Without
        a choice the next round begins. Raises `InvalidChoice` or `IllegalChoice`, as `Game.play` does.
        """
        table = self._table.copy()
        if choice is None:
            if table.waiting != ROUND_OVER:
                raise IllegalChoice("after() without a choice begins the next round, but this one is not over")
            begin_round(table)
        else:
            answer(table, read_choice(choice, self.decision))
        return Position.view_of(table)

    def chances(self) -> dict[Card, float]:
        """Return the chance of every card that can come up, where the position waits for one; otherwise nothing."""
        if self._table.waiting != AWAIT_CARD:
            return {}
        return chances(self._table)

    def __str__(self) -> str:
        return notation.text(self._table)

    def __repr__(self) -> str:
        return f"Position({str(self)!r})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        return str(self) == str(other)

    def __hash__(self) -> int:
        return hash(str(self))


def table_view(given: TableView | str) -> TableView:
    """Return the game or the position that is meant. Raises `ValueError` for what is neither, nor a position's text."""
    if isinstance(given, str):
        return Position(given)
    if not isinstance(given, TableView):
        raise ValueError(f"{given!r} is no position: a flip7.Game, a flip7.Position or its text is needed")
    return given
