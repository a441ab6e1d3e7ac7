"""Which operations a match can have: the limits that every device keeps to."""

from flip7.rules.table import SEATS
from flip7.scorekeeper.model.hands import MOST_DECKS, Book, new_hands, take_hand, ways_for
from flip7.scorekeeper.model.history import disagrees, new_history
from flip7.scorekeeper.model.operations import (
    Add,
    AnyOperation,
    Away,
    Dealer,
    Enter,
    Live,
    Mend,
    Redo,
    Remove,
    Rename,
    Start,
    Target,
    Undo,
    id_of,
    told,
)
from flip7.scorekeeper.model.people import good_date, good_device, good_name
from flip7.scorekeeper.model.refusals import Refusal, about

HIGHEST = 1_000_000
"""The highest target, and the highest score to start with."""
MOST_ROUNDS = 10_000
LAST_CLOCK = 1 << 40


def check_all(operations: list[AnyOperation], book: Book) -> Refusal | None:
    """Return why operations are not a match, or not all of one; nothing if they are."""
    if len(operations) == 0:
        return Refusal("no_start")
    start = operations[0]
    if not isinstance(start, Start):
        return Refusal("no_start")
    seen: dict[str, bool] = {}
    for operation in operations:
        if id_of(operation) in seen:
            return Refusal("different")
        seen[id_of(operation)] = True
        refusal = check(operation, start, book)
        if refusal is not None:
            return refusal
    return check_start(start)


def check_start(start: Start) -> Refusal | None:
    """Return why a match cannot be set up like that."""
    count = len(start.players)
    if count < 1 or count > SEATS:
        return Refusal("bad_players", "", None, count, 1, SEATS)
    for seat, name in enumerate(start.players):
        if not good_name(name):
            return Refusal("bad_name", f"{seat}")
    if start.target < 1 or start.target > HIGHEST:
        return Refusal("bad_target", "", None, start.target, 1, HIGHEST)
    if start.dealer < 0 or start.dealer >= count:
        return Refusal("bad_dealer", "", None, start.dealer, 0, count - 1)
    if start.decks is not None and (start.decks < 1 or start.decks > MOST_DECKS):
        return Refusal("bad_decks", "", None, start.decks, 1, MOST_DECKS)
    if start.date is not None and not good_date(start.date):
        return Refusal("bad_date")
    if not good_device(start.device):
        return Refusal("bad_device")
    if start.clock != 0:
        return Refusal("bad_clock", "", None, start.clock)
    return None


def check_many(operations: list[AnyOperation], start: Start, book: Book) -> Refusal | None:
    """Return why one of some operations from elsewhere cannot belong to this match."""
    for operation in operations:
        refusal = check(operation, start, book)
        if refusal is not None:
            return refusal
    return Refusal("different") if disagrees(new_history(), operations) else None


def check(operation: AnyOperation, start: Start, book: Book) -> Refusal | None:
    """Return why no device can have made an operation."""
    if isinstance(operation, Start):
        return None if told(operation) == told(start) else Refusal("second_start")
    if not good_device(operation.device):
        return Refusal("bad_device")
    if operation.clock < 1 or operation.clock > LAST_CLOCK:
        return Refusal("bad_clock", "", None, operation.clock, 1, LAST_CLOCK)
    number = round_of(operation)
    if number < 0 or number > MOST_ROUNDS:
        return Refusal("bad_round", "", None, number, 0, MOST_ROUNDS)
    if isinstance(operation, Enter):
        return check_entries(operation, start, book)
    if isinstance(operation, Rename):
        return None if good_name(operation.name) else Refusal("bad_name", operation.player)
    if isinstance(operation, Add):
        if not good_name(operation.name):
            return Refusal("bad_name")
        return check_score(operation.score)
    if isinstance(operation, Target):
        return check_target(operation.target)
    if isinstance(operation, Away):
        return check_absence(operation)
    if isinstance(operation, Undo):
        return Refusal("start_kept") if operation.what == id_of(start) else None
    if isinstance(operation, Redo):
        return Refusal("start_kept") if operation.what == id_of(start) else None
    return None


def round_of(operation: AnyOperation) -> int:
    """Return the round that an operation is about, or 0."""
    if isinstance(operation, Enter):
        return operation.round
    if isinstance(operation, Remove):
        return operation.round
    if isinstance(operation, Add):
        return operation.round
    if isinstance(operation, Dealer):
        return operation.round
    if isinstance(operation, Live):
        return operation.round
    if isinstance(operation, Mend):
        return operation.round
    return 0


def check_score(score: int) -> Refusal | None:
    """Return why nobody can start with a score."""
    if score < 0 or score > HIGHEST:
        return Refusal("bad_score", "", None, score, 0, HIGHEST)
    return None


def check_target(target: int) -> Refusal | None:
    """Return why a number of points cannot be the target."""
    if target < 1 or target > HIGHEST:
        return Refusal("bad_target", "", None, target, 1, HIGHEST)
    return None


def check_entries(operation: Enter, start: Start, book: Book) -> Refusal | None:
    """Return why a hand is impossible by itself, even with as many decks as there can be."""
    count = len(operation.entries)
    if count < 1 or count > SEATS:
        return Refusal("bad_players", "", None, count, 1, SEATS)
    decks = 2 if start.decks is None else start.decks
    for player, entry in operation.entries.items():
        taken = take_hand(new_hands(1, ways_for(book, decks)), 0, entry)
        if taken.refusal is not None:
            return about(player, taken.refusal)
    return None


def check_absence(operation: Away) -> Refusal | None:
    """Return why a player cannot be away like that: from a round that can be, and back only after they left."""
    for absence in operation.rounds:
        back = absence[1]
        if absence[0] < 0 or absence[0] > MOST_ROUNDS:
            return Refusal("bad_round", "", None, absence[0], 0, MOST_ROUNDS)
        if back is not None and (back < absence[0] or back > MOST_ROUNDS):
            return Refusal("bad_round", "", None, back, absence[0], MOST_ROUNDS)
    return None
