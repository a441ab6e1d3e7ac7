"""A cell: a table of a batch with its pile and its generator inside. A record, as the table is one.

A batch is an array of cells. They are as small as the game allows, since thousands of them have to stay near the
processor: there are a few sizes, each compiled on its own.
"""

from __future__ import annotations

import hashlib

from flip7.envs.observation import FARTHEST, MOST
from flip7.game.options import Rules
from flip7.rules.cards import CARDS, FACES, Card
from flip7.rules.table import ACTIONS, LAYOUT, SEATS, Table
from flip7.strategy.bench import SPARE
from flip7.strategy.random import MASK

SIZES = (4, 8, 18, SEATS)
"""For how many seats cells are made."""
LEAST_ACTIONS = 16  # pending cards that every cell has room for
LEAST_PILE = 112  # one deck, with room to spare

OWN: dict[str, tuple[str, tuple[int, ...]]] = {
    "learner": ("i8", ()),
    "asked": ("u1", ()),
    "rng": ("i8", (1,)),
    "luck": ("i8", (1,)),
    "marks": ("u4", (2,)),
    "pile": ("u1", (0,)),
}
"""What a cell has beside its table; the pile is as long as the deck needs."""

BOX: dict[str, tuple[str, tuple[int, ...]]] = {
    "marks": ("i8", (2,)),
    "deck": ("i8", (FACES,)),
    "pile": ("u1", (0,)),
    "whole": ("u1", (0,)),
}
"""What all cells of a batch share: the part of a bench from which a game is dealt."""

KINDS = {
    "i8": ("seat", "seats"),  # what is counted with most: functions need be compiled for one width only
    "u1": (
        *("draw", "discard", "shown", "hands"),  # counts of cards, as in observations
        *("waiting", "turn", "opener", "cause", "flips_left", "aside_count", "handed", "stack_count", "active", "idle"),
        *("first", "reshuffle", "dealer", "different"),
    ),
    "i1": ("card", "winner"),
    "u2": ("draw_left", "discard_left", "held"),
    "i2": ("sums", "bonuses", "scores"),
}
"""Numbers that are narrower here than at a table, or wider: what they can be follows from `check_range`."""

CellLayout = dict[str, tuple[str, tuple[int, ...]]]


class Cell(Table):
    """A table with everything that a game on it needs."""

    __slots__ = tuple(OWN)

    learner: int
    """The learner's seat, where the others are opponents."""
    asked: int
    """Whether that seat has been asked in this game: before, nothing is its doing."""
    rng: list[int]
    """The stream of random numbers for the cards, and for nothing else: the same choices get the same cards."""
    luck: list[int]
    """The stream for everything else: who sits where, and opponents who choose at random."""
    marks: list[int]
    """For which shuffle of the table the pile is laid out, and how many cards have been turned up."""
    pile: list[int]
    """The draw pile, in no order."""

    def __init__(self, rules: Rules, seats: int) -> None:
        """Make a cell before its first game. Raises `ValueError` if the rules do not fit n seats."""
        table = rules.table(seats)
        super().__init__(seats)
        for name in LAYOUT:
            setattr(self, name, getattr(table, name))
        self.learner = 0
        self.asked = 0
        self.rng = [0]
        self.luck = [0]
        self.marks = [0, 0]
        self.pile = [0] * (table.draw_left + SPARE)
        check_range(self)


def cell_layout(cell: Cell) -> CellLayout:
    """Return the layout of the smallest size in which a cell has room, whatever happens in its games.

    The compiled build does not notice a store out of range: the room for pending actions follows from the deck.
    """
    seats = next(size for size in SIZES if cell.seats <= size)
    actions = _at_least(LEAST_ACTIONS, cell.draw[Card.FREEZE.face] + cell.draw[Card.FLIP3.face])
    layout = _with_rooms({**LAYOUT, **OWN}, {SEATS: seats, ACTIONS: actions, 0: pile_room(cell)})
    kinds = {name: kind for kind, names in KINDS.items() for name in names}
    fields = [(name, (kinds.get(name, kind), shape)) for name, (kind, shape) in layout.items()]
    return dict(sorted(fields, key=lambda field: field[1][0][1], reverse=True))  # the widest first: without gaps


def box_layout(cell: Cell) -> CellLayout:
    """Return the layout of the box from which a cell is dealt."""
    return _with_rooms(BOX, {0: pile_room(cell)})


def pile_room(cell: Cell) -> int:
    """Return how long the pile has to be."""
    return _at_least(LEAST_PILE, len(cell.pile))


def _with_rooms(layout: CellLayout, rooms: dict[int, int]) -> CellLayout:
    return {
        name: (kind, tuple(rooms.get(length, length) for length in shape)) for name, (kind, shape) in layout.items()
    }


def _at_least(room: int, needed: int) -> int:
    """Double the room until it is enough."""
    while room < needed:
        room *= 2
    return room


def check_range(table: Table) -> None:
    """Raise `ValueError` if some number of an observation would not be a byte. The whole deck is in the draw pile."""
    if table.target > FARTHEST:
        raise ValueError(f"target {table.target}: an environment plays to {FARTHEST} at the most")
    face = max(range(FACES), key=table.draw.__getitem__)
    if table.draw[face] > MOST:
        raise ValueError(
            f"{table.draw[face]} copies of {CARDS[face]} in all decks: an environment has {MOST} at the most"
        )


def stream_seed(seed: int) -> int:
    """Return a seed of any size as a number that fits the generator."""
    digest = hashlib.sha256(f"flip7 environment {seed}".encode()).digest()
    return int.from_bytes(digest[:8], "big") & MASK
