"""A table: one whole position as a handful of integers, and what it waits for."""

from __future__ import annotations

from flip7.rules.cards import FACES

SEATS = 36  # SET-2
SEATS_PER_DECK = 18
ACTIONS = 250  # Freezes and Flip Threes in all decks together, at the most: the agenda has room for them
COPIES = 9999  # of one card in all decks together, at the most

# What a table waits for. While it is moving, the agenda is being worked off; nobody sees that from outside.
AWAIT_CARD, HIT_OR_STAY, CHOOSE_TARGET, ROUND_OVER, GAME_OVER, MOVING = range(6)

# How a seat stands in the round.
ACTIVE, STAYED, FROZEN, BUSTED, LEFT = range(5)

# Why a card is being turned up.
DEALT, HIT, FORCED = range(3)

NOBODY = NOTHING = -1

LAYOUT: dict[str, tuple[str, tuple[int, ...]]] = {
    "waiting": ("u4", ()),
    "seat": ("u4", ()),
    "card": ("i4", ()),
    "turn": ("u4", ()),
    "opener": ("u4", ()),
    "lap": ("u4", ()),
    "cause": ("u4", ()),
    "flips_left": ("u4", ()),
    "aside_count": ("u4", ()),
    "handed": ("u4", ()),
    "stack_count": ("u4", ()),
    "active": ("u4", ()),
    "idle": ("u4", ()),
    "draw_left": ("u4", ()),
    "discard_left": ("u4", ()),
    "shuffles": ("u4", ()),
    "seats": ("i4", ()),
    "target": ("i4", ()),
    "first": ("u4", ()),
    "reshuffle": ("u4", ()),
    "dealer": ("u4", ()),
    "round": ("u4", ()),
    "playoffs": ("u4", ()),
    "winner": ("i4", ()),
    "draw": ("i2", (FACES,)),
    "discard": ("i2", (FACES,)),
    "shown": ("i2", (FACES,)),
    "aside": ("u1", (3,)),
    "given": ("u1", (3,)),
    "stack_card": ("u1", (ACTIONS,)),
    "stack_seat": ("u1", (ACTIONS,)),
    "status": ("u1", (SEATS,)),
    "held": ("u4", (SEATS,)),
    "different": ("u4", (SEATS,)),
    "sums": ("i4", (SEATS,)),
    "bonuses": ("i4", (SEATS,)),
    "scores": ("i4", (SEATS,)),
    "totals": ("i4", (SEATS,)),
    "lines": ("u1", (SEATS, 8)),
    "hands": ("i2", (SEATS, FACES)),
}
"""Every field of a table: the width of its integers in the compiled build, and its shape."""


class Table:
    """A position of the game. It holds what everyone can see, and nothing else: the deck's order is not here."""

    __slots__ = (*LAYOUT, "log")

    waiting: int
    """What the table waits for: a card, a choice, the next round, or nothing."""
    seat: int
    """Who gets the card, or makes the choice."""
    card: int
    """The card on offer while a target is chosen."""
    turn: int
    """Whose turn it is, though a Flip Three may have made someone else `seat` since (TURN-4)."""
    opener: int
    """Who comes first in the turn order of this round (SET-5)."""
    lap: int
    """How often the turn has gone round; lap 1 is the deal."""
    cause: int
    """Why a card is being turned up: dealt, hit, or forced by a Flip Three."""
    flips_left: int
    """How many more cards `seat` turns up."""
    aside_count: int
    handed: int
    """How many of the cards set aside have been handed out."""
    stack_count: int
    active: int
    """How many seats are active."""
    idle: int
    """Reshuffles without progress in this round (DECK-4)."""
    draw_left: int
    discard_left: int
    shuffles: int
    """How often a new draw pile has been made. Whoever keeps its order watches this."""
    seats: int
    target: int
    first: int
    """How many places after the dealer the turn order starts: 1, or 0 (SET-5)."""
    reshuffle: int
    """Whether every round starts with the whole deck."""
    dealer: int
    round: int
    playoffs: int
    winner: int
    draw: list[int]
    """The draw pile: how many of each card."""
    discard: list[int]
    shown: list[int]
    """What lies in front of all seats together."""
    aside: list[int]
    """Cards set aside by the seat that flips, in order (F3-3)."""
    given: list[int]
    """To whom each of them has been handed out so far (F3-4)."""
    stack_card: list[int]
    """Cards handed out and not yet resolved; the last one is next (F3-5, F3-7)."""
    stack_seat: list[int]
    status: list[int]
    held: list[int]
    """How many cards lie in front of each seat."""
    different: list[int]
    """How many different numbers each seat has."""
    sums: list[int]
    """What each seat's numbers add up to."""
    bonuses: list[int]
    """What each seat's +N cards add up to."""
    scores: list[int]
    """The points of the last finished round."""
    totals: list[int]
    lines: list[list[int]]
    """Each seat's numbers as they were turned up; a duplicate that busts comes last."""
    hands: list[list[int]]
    """What lies in front of each seat: how many of each card."""
    log: list[tuple[int, int, int, int, int]]
    """The events since they were last taken away: kind, seat, card, other, ruling."""

    def __init__(self, seats: int) -> None:
        """Make an empty table for n seats, with no card in any pile."""
        for name, (_, shape) in LAYOUT.items():
            setattr(self, name, _zeros(tuple(seats if n == SEATS else n for n in shape)))
        self.seats = seats
        self.log = []

    def copy(self) -> Table:
        """Return an independent table in the same position, with an empty log."""
        twin = Table.__new__(Table)
        for name in LAYOUT:
            value = getattr(self, name)
            if isinstance(value, list):
                value = [row[:] for row in value] if isinstance(value[0], list) else value[:]
            setattr(twin, name, value)
        twin.log = []
        return twin

    def __eq__(self, other: object) -> bool:
        """Two tables are equal when they show the same position."""
        if not isinstance(other, Table):
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in LAYOUT)


def _zeros(shape: tuple[int, ...]) -> object:
    if not shape:
        return 0
    if len(shape) == 1:
        return [0] * shape[0]
    return [_zeros(shape[1:]) for _ in range(shape[0])]


def decks_for(seats: int) -> int:
    """Return how many decks n players use (SET-2)."""
    return 1 if seats <= SEATS_PER_DECK else 2


def new_table(seats: int, target: int, dealer: int, first: int, reshuffle: int, deck: list[int]) -> Table:
    """Return a table before its first round, with the whole deck in the draw pile. `begin_round` starts it."""
    table = Table(seats)
    table.waiting = ROUND_OVER
    table.card = table.winner = NOBODY
    table.target = target
    table.first = first
    table.reshuffle = reshuffle
    table.dealer = dealer
    table.shuffles = 1
    table.draw = deck[:]
    table.draw_left = sum(deck)
    return table
