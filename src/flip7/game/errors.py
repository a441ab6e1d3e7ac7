"""What can be wrong with an input, told apart so that a program can act on it."""

from __future__ import annotations


class InvalidChoice(ValueError):
    """The choice cannot be read: it is no word, seat or card of this game."""


class IllegalChoice(ValueError):
    """The choice can be read, but the rules do not allow it now."""


class NotationError(ValueError):
    """The text is not a position. The message says which part is wrong."""


class RecordError(ValueError):
    """The text is not a sound record. `line` is the first line that is wrong."""

    def __init__(self, line: int, message: str) -> None:
        """Name the line, counted from 1, and what is wrong with it."""
        super().__init__(f"line {line}: {message}")
        self.line = line
        self.message = message
