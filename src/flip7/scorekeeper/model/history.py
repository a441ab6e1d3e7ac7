"""The operations of a match in their order: which of them count, what they write, what undo takes back."""

import msgspec

from flip7.scorekeeper.model.operations import (
    AnyOperation,
    Redo,
    Start,
    Undo,
    comes_before,
    id_of,
    owner_of,
    told,
    writes,
)


class History(msgspec.Struct):
    """A set of operations that only grows, and what follows from it."""

    ordered: list[AnyOperation]
    by_id: dict[str, AnyOperation]
    counting: list[AnyOperation]
    """Those that were not taken back, in order."""
    done: list[str]
    """The ids of those that were not taken back; what was brought back comes last."""
    undone: list[str]
    """The ids of those that were taken back, in the order in which that happened."""
    undone_by: dict[str, str]
    """Who took an operation back, while they have entered nothing since."""
    undone_since: list[str]
    """Those that were taken back since anybody entered anything."""
    written: dict[str, list[AnyOperation]]
    """The operations that count, by the registers that they write."""


def new_history() -> History:
    """No operation at all."""
    return History([], {}, [], [], [], {}, [], {})


def disagrees(history: History, operations: list[AnyOperation]) -> bool:
    """Return whether an operation is there already, or twice among these, with different contents."""
    seen: dict[str, AnyOperation] = {}
    for operation in operations:
        name = id_of(operation)
        known = history.by_id.get(name)
        if known is None:
            known = seen.get(name)
        if known is not None and told(known) != told(operation):
            return True
        seen[name] = operation
    return False


def unite(history: History, operations: list[AnyOperation]) -> bool:
    """Add operations that do not disagree; return whether any of them was new."""
    fresh = 0
    for operation in operations:
        name = id_of(operation)
        if name not in history.by_id:
            history.by_id[name] = operation
            at = len(history.ordered)
            while at > 0 and comes_before(operation, history.ordered[at - 1]):
                at -= 1
            history.ordered.insert(at, operation)
            fresh += 1
    if fresh > 0:
        settle(history)
    return fresh > 0


def settle(history: History) -> None:
    """Find out which operations count, and what can be taken back or brought back by whom."""
    history.done = []
    history.undone = []
    history.undone_by = {}
    history.undone_since = []
    counts: dict[str, bool] = {}
    for operation in history.ordered:
        owner = owner_of(operation.device)
        if isinstance(operation, Undo):
            if counts.get(operation.what, False):
                take_out(history.done, operation.what)
                history.undone.append(operation.what)
                history.undone_since.append(operation.what)
                history.undone_by[operation.what] = owner
                counts[operation.what] = False
        elif isinstance(operation, Redo):
            if not counts.get(operation.what, True):
                take_out(history.undone, operation.what)
                take_out(history.undone_since, operation.what)
                history.done.append(operation.what)
                counts[operation.what] = True
        elif not isinstance(operation, Start):
            history.done.append(id_of(operation))
            counts[id_of(operation)] = True
            history.undone_since = []
            for name in history.undone:
                if history.undone_by.get(name, "") == owner:
                    history.undone_by[name] = ""
    history.counting = []
    history.written = {}
    for operation in history.ordered:
        if counts.get(id_of(operation), False):
            history.counting.append(operation)
            for register in writes(operation):
                if register not in history.written:
                    history.written[register] = []
                history.written[register].append(operation)


def take_out(names: list[str], name: str) -> None:
    """Remove a name from a list of names, if it is there."""
    kept = [other for other in names if other != name]
    names.clear()
    names.extend(kept)


def latest_clock(history: History) -> int:
    """Return the latest clock of all."""
    return history.ordered[len(history.ordered) - 1].clock


def heads(history: History, register: str) -> list[AnyOperation]:
    """Return the operations whose value a register has: the last, and others that it did not know of."""
    written = history.written.get(register)
    if written is None:
        return []
    replaced: dict[str, bool] = {}
    for operation in written:
        for name in operation.over:
            replaced[name] = True
    return [operation for operation in written if id_of(operation) not in replaced]


def known_ids(history: History, registers: list[str]) -> list[str]:
    """Return what an operation that writes these registers now replaces, for its `over`."""
    names: list[str] = []
    seen: dict[str, bool] = {}
    for register in registers:
        written = history.written.get(register)
        if written is not None:
            for operation in written:
                if id_of(operation) not in seen:
                    seen[id_of(operation)] = True
                    names.append(id_of(operation))
    return names


def undo_next(history: History, owner: str) -> AnyOperation | None:
    """Return the last thing that a device entered, in any of its tabs; without an owner, the last that anybody did."""
    for at in range(len(history.done) - 1, -1, -1):
        operation = history.by_id[history.done[at]]
        if owner == "" or owner_of(operation.device) == owner:
            return operation
    return None


def redo_next(history: History, owner: str) -> AnyOperation | None:
    """Return what a device took back last, if it has entered nothing since."""
    if owner == "":
        last = len(history.undone_since) - 1
        return history.by_id[history.undone_since[last]] if last >= 0 else None
    for at in range(len(history.undone) - 1, -1, -1):
        if history.undone_by.get(history.undone[at], "") == owner:
            return history.by_id[history.undone[at]]
    return None
