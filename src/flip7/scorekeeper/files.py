"""A match as a file: its record for people and programs (KEEP-2), and the operations from which it follows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from flip7.scorekeeper.errors import MatchError, MatchFileError
from flip7.scorekeeper.model.operations import AnyOperation
from flip7.scorekeeper.model.people import good_device, good_id

if TYPE_CHECKING:
    from flip7.scorekeeper.match import Match

FORMAT = "flip7 match"
VERSION = 2


class Plain(msgspec.Struct, frozen=True):
    """A struct of values that compare equal."""


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
    stopped: bool = False
    """Whether the match was stopped before anybody had won (KEEP-6)."""


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
    """Return the record of a match as it stands (KEEP-2)."""
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
        stopped=match.stopped,
    )


def write(match: Match) -> str:
    """Return the file of a match: one operation a line."""
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
    except (msgspec.DecodeError, UnicodeError, ValueError) as error:
        raise damaged(str(error)) from None
    return file


def damaged(why: str) -> MatchFileError:
    """Return the error for a file that is not a sound match."""
    return MatchFileError(f"the match is damaged: {why}")


def compare(file: MatchFile, match: Match) -> None:
    """Refuse a file whose record does not follow from its operations."""
    found = record(match)
    for name in Record.__struct_fields__:
        told, counted = getattr(file.record, name), getattr(found, name)
        if told != counted:
            raise MatchFileError(f"the match is damaged: its {name} are {told!r}, but its operations give {counted!r}")


def device(text: Any) -> str:
    """Return the name of a device. Raises `MatchError` if it cannot be one."""
    if not isinstance(text, str) or not good_device(text):
        raise MatchError(f"device {text!r}: 1 to 40 letters, digits, - or _ are needed, and after a ~ those of a tab")
    return text


def match_id(text: Any) -> str:
    """Return the id of a match. Raises `MatchError` if it cannot be one."""
    if not isinstance(text, str) or not good_id(text):
        raise MatchError(f"id {text!r}: 1 to 40 letters, digits, - or _ are needed")
    return text
