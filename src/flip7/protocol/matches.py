"""What is said of shared matches of the scorekeeper: bodies of requests and answers, and what followers are told."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from flip7.scorekeeper.model.operations import AnyOperation

Operations = Annotated[tuple[AnyOperation, ...], Meta(max_length=500)]


class ShareMatch(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A match that is to be shared: its id and all its operations, or the first of them."""

    id: Annotated[str, Meta(max_length=40)]
    operations: Operations
    """The others can be added afterwards."""


class SharedMatch(msgspec.Struct, frozen=True):
    """Where a match is shared: `code` opens it for reading, `key` for entering too."""

    code: str
    key: str


class MatchBody(msgspec.Struct, frozen=True):
    """A shared match as it is now."""

    id: str
    operations: tuple[AnyOperation, ...]
    enter: bool
    """Whether the key that was given opens it for entering."""


class AddOperations(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a device has entered."""

    key: Annotated[str, Meta(max_length=64)]
    operations: Operations
    """Those that the match has already change nothing."""


class Accepted(msgspec.Struct, frozen=True):
    """What was entered is kept."""

    operations: int
    """How many the match has now."""


class QrWish(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A QR code is wanted: for looking on, or with the key for entering."""

    key: Annotated[str, Meta(max_length=64, pattern=r"^[\w-]*$")] = ""


class MatchNews(msgspec.Struct, frozen=True, tag="operations", tag_field="type"):
    """Operations that a follower has not seen; the first message has all of them."""

    id: str
    operations: tuple[AnyOperation, ...]
