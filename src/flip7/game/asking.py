"""What a person may answer in lines, and how an answer is read: the same at a table here and on a server."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from flip7.catalogue import Texts


class Question(Protocol):
    """An open question: whether to hit, or who gets a card."""

    @property
    def kind(self) -> str:
        """`turn` or `target`."""

    @property
    def options(self) -> Sequence[object]:
        """`"hit"` and `"stay"`, or the seats that may get the card."""


def read_choice(word: str, ask: Question, names: Sequence[str]) -> str | int | None:
    """Return the choice that a word means: `h` or `s`, a seat counted from 1, or a name that fits only one."""
    if ask.kind == "turn":
        return {"h": "hit", "hit": "hit", "s": "stay", "stay": "stay"}.get(word)
    seats = targets(ask)
    if word in map(str, (seat + 1 for seat in seats)):
        return int(word) - 1
    fits = [seat for seat in seats if word and word in names[seat].lower()]
    return fits[0] if len(fits) == 1 else None


def targets(ask: Question) -> list[int]:
    """Return the seats that may get the card."""
    return [seat for seat in ask.options if isinstance(seat, int)]


def answers(ask: Question, say: Texts) -> str:
    """Return what may be typed, in a few words of the chapter `lines`."""
    if ask.kind == "turn":
        return say("play.answers.turn")
    *numbers, last = [str(seat + 1) for seat in targets(ask)]
    return say("play.answers.target", numbers=", ".join(numbers), last=last)
