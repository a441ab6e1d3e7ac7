"""A bench: everything that games are played with beside the table. A record, as the table is one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from flip7.game.view import whole_deck
from flip7.rules.cards import FACES
from flip7.rules.table import COPIES, SEATS, Table

# The columns of a policy: a kind of strategy with its number, for turns and for targets.
TURNS, TURNS_NUMBER, TARGETS, TARGETS_NUMBER = range(4)

# The columns of the marks.
LAID_OUT, FLIPS = range(2)

SPARE = 12  # cards that the pile has room for beyond the deck
CARDS_AT_MOST = FACES * COPIES + SPARE
BOOK = 4096  # numbers, at the most
INPUTS, HIDDEN = 32, 64  # of a net, at the most


class ForeignStrategy(Protocol):
    """A strategy from outside, as the kernel asks it."""

    def wants_card(self, table: Table) -> bool:
        """Return whether it hits."""

    def chosen_target(self, table: Table) -> int:
        """Return who gets the card on offer."""


LAYOUT: dict[str, tuple[str, tuple[int, ...]]] = {
    "rng": ("i8", (1,)),
    "marks": ("i8", (2,)),
    "order": ("u1", (SEATS,)),
    "policies": ("i8", (SEATS, 4)),
    "deck": ("i8", (FACES,)),
    "book": ("f8", (BOOK,)),
    "inputs": ("f8", (INPUTS,)),
    "hidden": ("f8", (HIDDEN,)),
    "chances": ("f8", (SEATS,)),
    "worths": ("f8", (SEATS,)),
    "totals": ("f8", (SEATS,)),
    "squares": ("f8", (SEATS,)),
    "pile": ("u1", (CARDS_AT_MOST,)),
    "whole": ("u1", (CARDS_AT_MOST,)),
}
"""Every field of a bench: the width of its numbers in the compiled build, and its shape there."""


class Bench:
    """What the kernel needs: the cards, chance, and who plays how."""

    __slots__ = (*LAYOUT, "guests")

    rng: list[int]
    """The stream of random numbers."""
    marks: list[int]
    """For which shuffle of the table the pile is laid out, and how many cards have been turned up."""
    order: list[int]
    """Which entry of the lineup sits in each seat."""
    policies: list[list[int]]
    """How each entry plays, in the columns above."""
    deck: list[int]
    """How many of each card the whole deck has."""
    book: list[float]
    """Numbers that all policies share, such as the weights of a net."""
    inputs: list[float]
    """Where a net finds its inputs."""
    hidden: list[float]
    """Where it works."""
    chances: list[float]
    """Every seat's chance to win, as it was last estimated."""
    worths: list[float]
    """How good every seat looks as a target."""
    totals: list[float]
    """What rollouts have added up to, for every seat."""
    squares: list[float]
    pile: list[int]
    """The draw pile, in no order."""
    whole: list[int]
    """The pile of a whole deck, for the start of a game."""
    guests: Sequence[ForeignStrategy]
    """The strategies from outside, by number. The compiled build has no such field: it contains them."""

    def __init__(
        self,
        table: Table,
        policies: Sequence[Sequence[int]],
        book: Sequence[float] = (),
        guests: Sequence[ForeignStrategy] = (),
    ) -> None:
        """Make a bench for going on from a table, with a policy for each seat."""
        self.rng = [0]
        self.marks = [0, 0]
        self.order = list(range(table.seats))
        self.policies = [list(policy) for policy in policies]
        self.deck = whole_deck(table)
        self.book = list(book)
        self.inputs = [0.0] * INPUTS
        self.hidden = [0.0] * HIDDEN
        self.chances, self.worths, self.totals, self.squares = ([0.0] * table.seats for _ in range(4))
        self.whole = [face for face in range(FACES) for _ in range(self.deck[face])] + [0] * SPARE
        self.pile = self.whole[:]
        self.guests = guests
