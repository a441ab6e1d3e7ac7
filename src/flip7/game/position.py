"""`Position`: a table as everyone sees it, without names and without history. It prints and parses as one line."""

from __future__ import annotations

from flip7.game import notation, view
from flip7.rules.cards import Card
from flip7.rules.table import GAME_OVER, Table


class Position:
    """A public position. `str(position)` writes it down and `Position(text)` reads it (docs/notation.md)."""

    __slots__ = ("_table",)

    def __init__(self, text: str) -> None:
        """Read a position. Raises `NotationError` where the text is wrong."""
        self._table = notation.parse(text)

    @classmethod
    def of(cls, table: Table) -> Position:
        """The position that a table is in now; the table may go on afterwards."""
        return cls.watching(table.copy())

    @classmethod
    def watching(cls, table: Table) -> Position:
        """A view of a table that follows it as it goes on."""
        position = cls.__new__(cls)
        position._table = table
        return position

    @property
    def table(self) -> Table:
        """The table that is shown. Look, but do not touch."""
        return self._table

    @property
    def players(self) -> tuple[str, ...]:
        """A position knows no names, only seat numbers."""
        return tuple(f"seat {seat}" for seat in range(self._table.seats))

    @property
    def decision(self) -> view.Decision | None:
        """The question that is open, or `None`."""
        return view.decision(self._table)

    @property
    def seats(self) -> tuple[view.Seat, ...]:
        """All seats, clockwise."""
        return tuple(view.Seat(self, seat) for seat in range(self._table.seats))

    @property
    def draw_pile(self) -> dict[Card, int]:
        """How many of each card are left to draw."""
        return view.pile(self._table, self._table.draw)

    @property
    def discard_pile(self) -> dict[Card, int]:
        """How many of each card have been discarded."""
        return view.pile(self._table, self._table.discard)

    @property
    def pending(self) -> tuple[Card, ...]:
        """The cards that lie in front of nobody (ACT-4)."""
        return view.pending(self._table)

    @property
    def dealer(self) -> int:
        """The seat that deals this round."""
        return self._table.dealer

    @property
    def round(self) -> int:
        """The number of this round, from 1."""
        return self._table.round

    @property
    def target(self) -> int:
        """The total that ends the game."""
        return self._table.target

    @property
    def playoffs(self) -> int:
        """How many playoff rounds there have been, this one included."""
        return self._table.playoffs

    @property
    def winner(self) -> int | None:
        """The seat that has won, or `None`."""
        return self._table.winner if self._table.waiting == GAME_OVER else None

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
