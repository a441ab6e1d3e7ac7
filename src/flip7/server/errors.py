"""Refusals: what a client asked for and cannot have, said so that it knows what would be right."""

from __future__ import annotations

_STATUS = {
    "unknown_table": 404,
    "unknown_game": 404,
    "unknown_match": 404,
    "not_yours": 403,
    "not_host": 403,
    "not_seated": 403,
    "other_site": 403,
    "too_many": 429,
    "too_large": 413,
    "not_now": 409,
    "not_ready": 409,
    "not_your_turn": 409,
    "stale": 409,
    "table_full": 409,
    "closing": 503,
    "not_saved": 503,
}


class Refusal(Exception):
    """The request is not obeyed, and nothing has changed. The codes are listed in docs/protocol.md."""

    def __init__(self, code: str, text: str) -> None:
        """`code` is for programs, `text` for people: what was wrong, and what would be right."""
        super().__init__(text)
        self.code = code
        self.text = text

    @property
    def status(self) -> int:
        """The status of an HTTP answer that says so."""
        return _STATUS.get(self.code, 400)


class StoreError(Exception):
    """Something could not be written down, or read. Whether a write has happened is not known."""
