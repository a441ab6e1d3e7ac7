"""The operations of a match: everything that anybody entered, on any device, never changed and never deleted.

Two devices merge by uniting their operations. Which of them count, and which replace which, follows from the set alone,
so that everyone who has the same operations sees the same match (docs/decisions/0002-matches-are-operations.md).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal

import msgspec

from flip7.rules.cards import Card
from flip7.scorekeeper.errors import MatchError

Stored = list[Card] | int | Literal["bust"]
Register = tuple[str, str, int]
"""What an operation writes: the name of a thing, a player or "", and a round or -1."""


class Operation(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", forbid_unknown_fields=True):
    """One thing that somebody entered. `clock` counts on from everything that its device had seen."""

    clock: int
    device: str
    over: tuple[str, ...] = ()
    """The operations on the same registers that it knowingly replaces."""

    @property
    def id(self) -> str:
        """What other operations call it."""
        return f"{self.clock}.{self.device}"

    @property
    def order(self) -> tuple[int, str]:
        """Its place among all operations, the same on every device."""
        return (self.clock, self.device)

    def writes(self) -> tuple[Register, ...]:
        """The registers whose value it sets."""
        return ()


class Start(Operation, frozen=True, tag="start"):
    """The match as it was set up. The players' ids are "0", "1", ... clockwise."""

    players: tuple[str, ...]
    target: int
    dealer: int
    decks: int | None = None
    date: str | None = None


class Enter(Operation, frozen=True, tag="enter"):
    """What some or all players ended a round with, by player id."""

    round: int
    entries: dict[str, Stored]

    def writes(self) -> tuple[Register, ...]:
        """One register for each player and round."""
        return tuple(("entry", player, self.round) for player in self.entries)


class Remove(Operation, frozen=True, tag="remove"):
    """The round was none: it no longer counts."""

    round: int

    def writes(self) -> tuple[Register, ...]:
        """Whether the round counts."""
        return (("removed", "", self.round),)


class Rename(Operation, frozen=True, tag="rename"):
    """A player is called something else."""

    player: str
    name: str

    def writes(self) -> tuple[Register, ...]:
        """The player's name."""
        return (("name", self.player, -1),)


class Add(Operation, frozen=True, tag="add"):
    """A player came late, with an agreed score, and sat down after another. Its id is the player's."""

    name: str
    score: int
    round: int
    after: str


class Away(Operation, frozen=True, tag="away"):
    """The rounds in which a player is away: pairs of the first, and the one in which they are back, if they are."""

    player: str
    rounds: tuple[tuple[int, int | None], ...]

    def writes(self) -> tuple[Register, ...]:
        """When the player is away."""
        return (("away", self.player, -1),)


class Target(Operation, frozen=True, tag="target"):
    """Another target was agreed on."""

    target: int

    def writes(self) -> tuple[Register, ...]:
        """The target."""
        return (("target", "", -1),)


class Dealer(Operation, frozen=True, tag="dealer"):
    """Somebody else deals, from that round on."""

    player: str
    round: int

    def writes(self) -> tuple[Register, ...]:
        """Who deals that round."""
        return (("dealer", "", self.round),)


class Undo(Operation, frozen=True, tag="undo"):
    """An operation no longer counts."""

    what: str


class Redo(Operation, frozen=True, tag="redo"):
    """It counts again."""

    what: str


AnyOperation = Start | Enter | Remove | Rename | Add | Away | Target | Dealer | Undo | Redo


class Operations:
    """A set of operations that only grows."""

    def __init__(self, operations: Iterable[AnyOperation]) -> None:
        """Raises `MatchError` if two different operations have the same id."""
        self._all: dict[str, AnyOperation] = {}
        self.add(operations)

    def add(self, operations: Iterable[AnyOperation]) -> bool:
        """Unite with other operations; tells whether any was new. On `MatchError` nothing was added."""
        new: dict[str, AnyOperation] = {}
        for operation in operations:
            known = self._all.get(operation.id) or new.get(operation.id)
            if known is None:
                new[operation.id] = operation
            elif known != operation:
                raise MatchError(f"operation {operation.id} is there twice, with different contents")
        self._all.update(new)
        if new:
            self._order()
        return bool(new)

    def _order(self) -> None:
        self.ordered = sorted(self._all.values(), key=lambda operation: operation.order)
        done: dict[str, None] = {}
        undone: dict[str, None] = {}
        for operation in self.ordered:
            match operation:
                case Undo(what=what) if what in done:
                    del done[what]
                    undone[what] = None
                case Redo(what=what) if what in undone:
                    del undone[what]
                    done[what] = None
                case Undo() | Redo() | Start():
                    pass
                case _:
                    done[operation.id] = None
                    undone.clear()
        self.undo_next = next(reversed(done), None)
        self.redo_next = next(reversed(undone), None)
        self.live = [operation for operation in self.ordered if operation.id in done]
        self.written: dict[Register, list[AnyOperation]] = {}
        for operation in self.live:
            for register in operation.writes():
                self.written.setdefault(register, []).append(operation)

    def __iter__(self) -> Iterator[AnyOperation]:
        return iter(self.ordered)

    def get(self, name: str) -> AnyOperation | None:
        """The operation with that id."""
        return self._all.get(name)

    @property
    def clock(self) -> int:
        """The latest clock of all."""
        return self.ordered[-1].clock

    @property
    def start(self) -> Start:
        """The operation that set the match up."""
        first = self.ordered[0]
        assert isinstance(first, Start)
        return first

    def heads(self, register: Register) -> list[AnyOperation]:
        """The operations whose value the register has: the last, and others that it did not know of."""
        written = self.written.get(register, [])
        replaced = {name for operation in written for name in operation.over}
        return [operation for operation in written if operation.id not in replaced]

    def known(self, registers: Iterable[Register]) -> tuple[str, ...]:
        """What an operation that writes these registers now replaces, for its `over`."""
        names = {operation.id: None for register in registers for operation in self.written.get(register, [])}
        return tuple(names)
