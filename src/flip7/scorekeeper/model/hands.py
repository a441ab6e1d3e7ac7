"""The hands of a round as they are entered: whether each can be, and what it is worth (KEEP-4)."""

import msgspec

from flip7.rules import keeping
from flip7.rules.cards import CARDS, FACES, STANDARD, X2, Card
from flip7.rules.scoring import FLIP7, points
from flip7.rules.table import Table, new_table
from flip7.scorekeeper.model.operations import Stored
from flip7.scorekeeper.model.refusals import Refusal

MOST_DECKS = 9
COPIES = tuple(STANDARD.values())


class Ways(msgspec.Struct):
    """What can be made with n decks."""

    decks: int
    found: list[int]
    """For every number of points whether it can be made; see `flip7.rules.keeping.ways`."""
    needs: list[list[int]]
    """For every number of points the cards without which it cannot be made; empty until it is asked for."""


class Book(msgspec.Struct):
    """What has been found out about decks, by their number."""

    ways: dict[str, Ways]


class Hands(msgspec.Struct):
    """The hands of one round, entered one after the other."""

    table: Table
    ways: Ways
    seven: bool
    """Whether one of them is a Flip 7."""
    needed: list[int]
    """How many of each card the hands that were entered as points cannot do without."""


class Taken(msgspec.Struct):
    """The points of a hand, or why it is impossible."""

    points: int
    refusal: Refusal | None


def face_of(card: Card) -> int:
    """Return the number of a card in the rules."""
    for face in range(FACES):
        if CARDS[face] == card:
            return face
    return -1


def deck_of(decks: int) -> list[int]:
    """Return n whole decks, by face."""
    return [copies * decks for copies in COPIES]


def make_ways(decks: int) -> Ways:
    """Return what can be made with n decks."""
    found = keeping.ways(deck_of(decks))
    most = len(found)
    while found[most - 1] == keeping.IMPOSSIBLE:
        most -= 1
    found = found[:most]
    return Ways(decks, found, [])


def needs_of(ways: Ways, value: int) -> list[int]:
    """Return the cards without which a number of points cannot be made. Finding them takes a while: they are kept."""
    if len(ways.needs) == 0:
        ways.needs = [[] for _ in ways.found]
        for face in range(X2 + 1):
            without = deck_of(ways.decks)
            without[face] = 0
            other = keeping.ways(without)
            for number in range(len(ways.found)):
                missing = number >= len(other) or other[number] == keeping.IMPOSSIBLE
                if missing and ways.found[number] != keeping.IMPOSSIBLE:
                    ways.needs[number].append(face)
    return ways.needs[value]


def ways_for(book: Book, decks: int) -> Ways:
    """Return what can be made with n decks, from the book."""
    key = f"{decks}"
    known = book.ways.get(key)
    if known is not None:
        return known
    made = make_ways(decks)
    book.ways[key] = made
    return made


def new_hands(seats: int, ways: Ways) -> Hands:
    """Return a round for n players, with no hand entered yet."""
    table = new_table(max(1, seats), 1, 0, 1, 0, deck_of(ways.decks))
    return Hands(table, ways, False, [0] * FACES)


def card_problem(hands: Hands, seat: int, card: Card) -> Refusal | None:
    """Return why a card cannot join a hand, or nothing."""
    face = face_of(card)
    problem = keeping.fits(hands.table, seat, face, hands.seven)
    if problem == keeping.TWIN:
        return Refusal("twin", "", card)
    if problem == keeping.EIGHTH:
        return Refusal("eighth", "", card)
    if problem == keeping.SECOND_SECOND:
        return Refusal("second_second", "", card)
    if problem == keeping.SECOND_FREEZE:
        return Refusal("second_freeze", "", card)
    if problem == keeping.FROZEN_FLIP7:
        return Refusal("frozen_flip7", "", card)
    if problem == keeping.OTHER_FLIP7:
        return Refusal("other_flip7", "", card)
    if problem == keeping.NONE_LEFT:
        return Refusal("none_left", "", card, COPIES[face] * hands.ways.decks)
    if hands.table.draw[face] <= hands.needed[face]:
        return Refusal("together", "", card, COPIES[face] * hands.ways.decks)
    return None


def lay_card(hands: Hands, seat: int, card: Card) -> None:
    """Lay a card that fits."""
    keeping.lay(hands.table, seat, face_of(card))


def take_hand(hands: Hands, seat: int, entry: Stored) -> Taken:
    """Return the points of the next hand, or why it is impossible."""
    if isinstance(entry, int):
        return take_points(hands, entry)
    if isinstance(entry, list):
        for card in entry:
            problem = card_problem(hands, seat, card)
            if problem is not None:
                return Taken(0, problem)
            lay_card(hands, seat, card)
        if hands.table.different[seat] == FLIP7:
            hands.seven = True
        return Taken(points(hands.table, seat), None)
    return Taken(0, None)


def take_points(hands: Hands, value: int) -> Taken:
    """Return the points of a hand that is entered as points, or why it is impossible."""
    found = hands.ways.found
    if value < 0:
        return Taken(0, Refusal("negative", "", None, value))
    if value >= len(found):
        return Taken(0, Refusal("too_many", "", None, value, 0, len(found) - 1))
    if found[value] == keeping.IMPOSSIBLE:
        below = value
        above = value
        while found[below] == keeping.IMPOSSIBLE:
            below -= 1
        while found[above] == keeping.IMPOSSIBLE:
            above += 1
        return Taken(0, Refusal("impossible", "", None, value, below, above))
    if found[value] == keeping.ONLY_FLIP7 and hands.seven:
        return Taken(0, Refusal("seven_points", "", None, value))
    if hands.table.seats > 1:
        for face in needs_of(hands.ways, value):
            if hands.table.draw[face] <= hands.needed[face]:
                return Taken(0, Refusal("together", "", CARDS[face], value))
        for face in needs_of(hands.ways, value):
            hands.needed[face] += 1
    if found[value] == keeping.ONLY_FLIP7:
        hands.seven = True
    return Taken(value, None)


def worth_alone(entry: Stored) -> int:
    """Return the points of one possible hand on its own."""
    if isinstance(entry, int):
        return entry
    if isinstance(entry, list):
        table = new_table(1, 1, 0, 1, 0, deck_of(MOST_DECKS))
        for card in entry:
            keeping.lay(table, 0, face_of(card))
        return points(table, 0)
    return 0


def in_order(entry: Stored) -> Stored:
    """Return the entry with its cards as they lie in the box, so that equal hands look equal."""
    if isinstance(entry, list):
        faces = sorted([face_of(card) for card in entry])
        return [CARDS[face] for face in faces]
    return entry
