"""A match as a file: its record for people and programs (KEEP-2), and the operations from which it follows."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from flip7.game import names
from flip7.game.options import TARGET, Rules
from flip7.rules.table import SEATS
from flip7.scorekeeper.errors import MatchError, MatchFileError
from flip7.scorekeeper.hands import RoundCheck, read_entry
from flip7.scorekeeper.operations import Add, AnyOperation, Away, Enter, Operations, Redo, Rename, Start, Target, Undo

if TYPE_CHECKING:
    from flip7.scorekeeper.match import Match

FORMAT = "flip7 match"
VERSION = 1
ROUNDS = 10_000
CLOCK = 1 << 40
_DEVICE = re.compile(r"[0-9A-Za-z_-]{1,40}")


class Record(msgspec.Struct, frozen=True, kw_only=True):
    """What a match record keeps (KEEP-2)."""

    date: str | None
    players: tuple[str, ...]
    target: int
    rounds: list[list[int | None]]
    dealers: list[int]
    totals: list[int]
    winner: int | None
    playoffs: list[int]
    """Which rounds were playoffs (GAME-2)."""
    conflicts: int = 0


class MatchFile(msgspec.Struct, frozen=True, kw_only=True):
    """The whole file."""

    format: str
    version: int
    id: str
    record: Record
    operations: tuple[AnyOperation, ...]


class _Head(msgspec.Struct, frozen=True):
    """As much of a file as every version has."""

    format: str
    version: int


def record(match: Match) -> Record:
    """The record of a match as it stands (KEEP-2)."""
    return Record(
        date=match.date,
        players=match.players,
        target=match.target,
        rounds=match.rounds,
        dealers=match.dealers,
        totals=match.totals,
        winner=match.winner,
        playoffs=match.playoffs,
        conflicts=len(match.conflicts),
    )


def write(match: Match) -> str:
    """The file of a match: one operation a line."""
    head = {"format": FORMAT, "version": VERSION, "id": match.id, "record": msgspec.to_builtins(record(match))}
    lines = [f"  {_text(name)}: {_text(value)}," for name, value in head.items()]
    operations = ",\n".join(f"    {_text(operation)}" for operation in match.operations)
    return "\n".join(["{", *lines, '  "operations": [', operations, "  ]", "}", ""])


def _text(value: object) -> str:
    return msgspec.json.encode(value).decode()


def read(text: object) -> MatchFile:
    """Read a file and check every operation in it. Raises `MatchFileError`."""
    if not isinstance(text, str | bytes):
        raise MatchFileError(f"a match is text, not {type(text).__name__}")
    try:
        head = msgspec.json.decode(text, type=_Head)
    except (msgspec.DecodeError, UnicodeError) as error:
        raise MatchFileError(f"this is no match, or it is damaged: {error}") from None
    if head.format != FORMAT:
        raise MatchFileError(f"format {head.format!r}: a match has {FORMAT!r}")
    if head.version > VERSION:
        raise MatchFileError(f"version {head.version} is newer than this program, which reads up to {VERSION}")
    if head.version < 1:
        raise MatchFileError(f"version {head.version}: versions start with 1")
    try:
        file = msgspec.json.decode(text, type=MatchFile)
        match_id(file.id)
        check_all(file.operations)
    except (msgspec.DecodeError, UnicodeError, ValueError) as error:
        raise MatchFileError(f"the match is damaged: {error}") from None
    return file


def check_all(operations: Sequence[AnyOperation]) -> None:
    """Refuse operations that are none of a match, or not all of it. Raises `ValueError`."""
    if not operations or not isinstance(operations[0], Start):
        raise MatchError("the first operation sets the match up")
    if len({operation.id for operation in operations}) < len(operations):
        raise MatchError("two operations have the same id")
    Operations(operations)
    for operation in operations[1:]:
        check(operation, operations[0])
    start = operations[0]
    names.names(start.players)
    names.date(start.date)
    Rules(target=start.target, dealer=start.dealer, decks=start.decks).table(len(start.players))
    device(start.device)
    if start.clock != 0:
        raise MatchError("the clock of the first operation is 0")


def check(operation: AnyOperation, start: Start) -> None:
    """Refuse an operation that no device can have made. Raises `ValueError`."""
    device(operation.device)
    if isinstance(operation, Start):
        if operation != start:
            raise MatchError("a match is set up only once")
        return
    _within("clock", operation.clock, 1, CLOCK)
    _within("round", getattr(operation, "round", 0), 0, ROUNDS)
    match operation:
        case Enter():
            if not 1 <= len(operation.entries) <= SEATS:
                raise MatchError(f"{len(operation.entries)} entries: 1 to {SEATS} can play")
            for player, entry in operation.entries.items():
                _check_entry(player, entry, start.decks)
        case Rename():
            names.text("name", operation.name)
        case Add():
            names.text("name", operation.name)
            _within("score", operation.score, 0, TARGET)
        case Target():
            _within("target", operation.target, 1, TARGET)
        case Away():
            for first, back in operation.rounds:
                _within("round", first, 0, ROUNDS)
                _within("round", first if back is None else back, first, ROUNDS)
        case Undo() | Redo():
            if operation.what == start.id:
                raise MatchError("the start of a match is not taken back")


def _check_entry(player: str, entry: object, decks: int | None) -> None:
    """A hand has to be possible by itself, with as many decks as there can be."""
    try:
        RoundCheck(1, decks or 2).take(0, read_entry(entry))
    except MatchError as error:
        raise MatchError(f"player {player}: {error}") from None


def compare(file: MatchFile, match: Match) -> None:
    """Refuse a file whose record does not follow from its operations."""
    found = record(match)
    for name in Record.__struct_fields__:
        told, counted = getattr(file.record, name), getattr(found, name)
        if told != counted:
            raise MatchFileError(f"the match is damaged: its {name} are {told!r}, but its operations give {counted!r}")


def device(text: Any) -> str:
    """The name of a device. Raises `MatchError`."""
    return _name("device", text)


def match_id(text: Any) -> str:
    """The id of a match. Raises `MatchError`."""
    return _name("id", text)


def _name(what: str, text: Any) -> str:
    if not isinstance(text, str) or not _DEVICE.fullmatch(text):
        raise MatchError(f"{what} {text!r}: 1 to 40 letters, digits, - or _ are needed")
    return text


def _within(what: str, value: int, low: int, high: int) -> None:
    if not low <= value <= high:
        raise MatchError(f"{what} {value}: it lies between {low} and {high}")
