"""`Position`: a table as everyone sees it, without names and without history. It prints and parses as one line."""

from __future__ import annotations

from flip7.game import notation
from flip7.game.view import Shown
from flip7.rules.table import Table


class Position(Shown):
    """A public position. `str(position)` writes it down and `Position(text)` reads it (docs/notation.md)."""

    __slots__ = ()

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
    def round(self) -> int:
        """The number of this round, from 1."""
        return self._table.round

    @property
    def target(self) -> int:
        """The total that ends the game."""
        return self._table.target

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
