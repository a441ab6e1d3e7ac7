"""Refusals: what a client asked for and cannot have, said so that it knows what would be right."""

from __future__ import annotations

from flip7.protocol.codes import STATUS, Code


class Refusal(Exception):
    """The request is not obeyed, and nothing has changed. The codes are listed in docs/protocol.md."""

    def __init__(self, code: Code, text: str) -> None:
        """`code` is for programs, `text` for people: what was wrong, and what would be right."""
        super().__init__(text)
        self.code: Code = code
        self.text = text

    @property
    def status(self) -> int:
        """The status of an HTTP answer that says so."""
        return STATUS.get(self.code, 400)


class StoreError(Exception):
    """Something could not be written down, or read. Whether a write has happened is not known."""


class Fenced(StoreError):
    """The table has another owner or epoch by now: nothing was written."""


class DamagedLog(Exception):
    """What the store holds of a table or a game is not what was written; the message names it."""
