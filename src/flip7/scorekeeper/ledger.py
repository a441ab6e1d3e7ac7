"""`Ledger`: the operations of a match that others play. What does not fit is refused; nothing is counted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from flip7.scorekeeper import files
from flip7.scorekeeper.errors import MatchError
from flip7.scorekeeper.hands import BOOK
from flip7.scorekeeper.model.checking import check, check_start
from flip7.scorekeeper.model.operations import AnyOperation, Enter, Mend, Start, id_of, told
from flip7.scorekeeper.model.refusals import Refusal
from flip7.scorekeeper.words import refusal_text


def work_of(operation: AnyOperation) -> int:
    """Return what it costs to look at an operation: 1, and 1 more for each hand and each step in it."""
    if isinstance(operation, Enter):
        return 1 + len(operation.entries)
    return 1 + len(operation.steps) if isinstance(operation, Mend) else 1


class Ledger:
    """All operations of a match, in the order in which they came.

    It takes what `Match.merge` takes. A match makes its sheet again for every operation, which takes longer the more
    there are; here an operation costs the same however many there are.
    """

    def __init__(self, operations: Sequence[AnyOperation]) -> None:
        """Take operations that have been checked already. Raises `MatchError` if no match begins so."""
        if not operations or not isinstance(operations[0], Start):
            raise MatchError(refusal_text(Refusal("no_start")))
        self.start: Start = operations[0]
        self.operations: list[AnyOperation] = []
        self.work = 0
        """What it costs to look at all of them."""
        self.latest = 0
        """The latest clock of all."""
        self._by_id: dict[str, AnyOperation] = {}
        self.add(operations)

    @classmethod
    def begin(cls, id: str, start: AnyOperation | None) -> Ledger:
        """Return a match that begins so. Raises `MatchError` if none can have this id, or begin so."""
        files.match_id(id)
        ledger = cls([start] if start is not None else [])
        _raise(check_start(ledger.start))
        return ledger

    def unknown(self, operations: Sequence[AnyOperation]) -> list[AnyOperation]:
        """Return those that are not here. Raises `MatchError` if one of the others is here with other contents."""
        new: dict[str, AnyOperation] = {}
        for operation in operations:
            name = id_of(operation)
            known = self._by_id.get(name) or new.setdefault(name, operation)
            if known != operation and told(known) != told(operation):
                _raise(Refusal("different"))
        return list(new.values())

    def check(self, operations: Sequence[AnyOperation]) -> Iterator[int]:
        """Check operations, and yield after each what it has cost. Raises `MatchError` if one does not fit."""
        for operation in operations:
            _raise(check(operation, self.start, BOOK))
            yield work_of(operation)

    def add(self, operations: Sequence[AnyOperation]) -> None:
        """Take operations that fit."""
        for operation in operations:
            self.operations.append(operation)
            self._by_id.setdefault(id_of(operation), operation)
            self.work += work_of(operation)
            self.latest = max(self.latest, operation.clock)


def _raise(refusal: Refusal | None) -> None:
    if refusal is not None:
        raise MatchError(refusal_text(refusal), refusal)
