"""What can be wrong with what a scorekeeper is told."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from flip7.scorekeeper.model.refusals import Refusal


class MatchError(ValueError):
    """The match refuses this; the message says why and what would be right. Nothing has changed."""

    def __init__(self, message: str, refusal: Refusal | None = None) -> None:
        """`refusal` is what the model said, for programs that have words of their own."""
        super().__init__(message)
        self.refusal = refusal


class MatchFileError(MatchError):
    """The text is not a sound match: damaged, cut off, or written by a newer version. Nothing was read from it."""
