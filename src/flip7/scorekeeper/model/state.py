"""A match on a device: what it knows, what that adds up to, and who writes here."""

import msgspec

from flip7.scorekeeper.model.checking import check, check_all, check_many
from flip7.scorekeeper.model.hands import Book
from flip7.scorekeeper.model.history import (
    History,
    disagrees,
    latest_clock,
    new_history,
    unite,
)
from flip7.scorekeeper.model.operations import (
    AnyOperation,
    owner_of,
)
from flip7.scorekeeper.model.refusals import Refusal
from flip7.scorekeeper.model.sheet import Sheet, make_sheet, start_of


class State(msgspec.Struct):
    """A match on a device: what it knows, what that adds up to, and who writes here."""

    device: str
    owner: str
    """Whose steps are taken back here; nothing if everybody's may be."""
    book: Book
    history: History
    sheet: Sheet


class Opened(msgspec.Struct):
    """A match, or why the operations do not make one."""

    state: State | None
    refusal: Refusal | None


def open_match(operations: list[AnyOperation], device: str, anyone: bool, book: Book) -> Opened:
    """Return the match that has these operations, on a device. With `anyone`, it may take back everybody's steps."""
    refusal = check_all(operations, book)
    if refusal is not None:
        return Opened(None, refusal)
    history = new_history()
    unite(history, operations)
    return Opened(State(device, "" if anyone else owner_of(device), book, history, make_sheet(history, book)), None)


def merge(state: State, operations: list[AnyOperation]) -> Refusal | None:
    """Take over what another device has entered. Nothing of either is lost."""
    start = start_of(state.history)
    if start is None:
        return Refusal("no_start")
    refusal = check_many(operations, start, state.book)
    if refusal is not None:
        return refusal
    if disagrees(state.history, operations):
        return Refusal("different")
    if unite(state.history, operations):
        state.sheet = make_sheet(state.history, state.book)
    return None


def write(state: State, operation: AnyOperation) -> Refusal | None:
    """Add an operation that this device makes."""
    start = start_of(state.history)
    if start is None:
        return Refusal("no_start")
    refusal = check(operation, start, state.book)
    if refusal is not None:
        return refusal
    unite(state.history, [operation])
    state.sheet = make_sheet(state.history, state.book)
    return None


def clock_of(state: State) -> int:
    """Return the clock of the next operation."""
    return latest_clock(state.history) + 1


def going_on(state: State) -> Refusal | None:
    """Return why nothing more can be played, if so (KEEP-3, KEEP-6)."""
    if state.sheet.winner is not None:
        return Refusal("over", state.sheet.winner)
    if state.sheet.stopped:
        return Refusal("stopped")
    return None
