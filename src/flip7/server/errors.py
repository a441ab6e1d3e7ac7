"""Refusals: what a client asked for and cannot have, said so that it knows what would be right."""

from __future__ import annotations

from math import ceil, inf

from flip7.protocol.codes import STATUS, Code
from flip7.protocol.rest import Problem

TROUBLE = "the server made a mistake; it has been noted"
"""What people are told about an error that nobody expected."""
UNREACHABLE = "the server cannot reach its store; try again in a moment"


class Refusal(Exception):
    """The request is not obeyed; nothing has changed, but for `not_saved`, where that is not known.

    The codes are listed in docs/protocol.md.
    """

    def __init__(self, code: Code, text: str, seconds: float | None = None) -> None:
        """`code` is for programs, `text` for people: what was wrong, and what would be right.

        `seconds` is for what can be had later: how long to wait, at least; the text says so too.
        """
        self.seconds = None if seconds is None or seconds == inf else max(1, ceil(seconds))
        if self.seconds is not None:
            text = f"{text}; try again in {self.seconds} second{'' if self.seconds == 1 else 's'}"
        super().__init__(text)
        self.code: Code = code
        self.text = text

    @property
    def problem(self) -> Problem:
        """What an HTTP answer says about it."""
        return Problem(self.code, self.text, self.seconds)

    @property
    def status(self) -> int:
        """The status of an HTTP answer that says so."""
        return STATUS.get(self.code, 400)


class StoreError(Exception):
    """Something could not be written down, or read. Whether a write has happened is not known."""


class Fenced(StoreError):
    """The table has another owner or epoch by now: nothing was written."""


class Conflict(StoreError):
    """The store is well, but what was to be written or read cannot be: nothing was written, whoever asks.

    Something is there already under the same key, or is not there any more, or no database can hold it.
    """


class DamagedStore(StoreError):
    """The files of the database are damaged."""


class DamagedLog(Exception):
    """What the store holds of a table or a game is not what was written; the message names it."""
