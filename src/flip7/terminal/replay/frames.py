"""`Frames`: a recorded game as a row of states that can be shown in any order, and the marks among them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

from flip7.game import events as ev
from flip7.game.game import Game
from flip7.game.position import Position
from flip7.protocol.scene import Scene
from flip7.protocol.views import game_view

Kind = Literal["round", "bust", "flip7", "saved", "frozen", "over", "blunder"]
_MARKED: dict[type[ev.Event], Kind] = {
    ev.RoundStarted: "round",
    ev.PlayerBusted: "bust",
    ev.Flip7Made: "flip7",
    ev.PlayerSaved: "saved",
    ev.PlayerFrozen: "frozen",
    ev.GameOver: "over",
}


class Mark(NamedTuple):
    """Something worth a look."""

    frame: int
    kind: Kind


class Frame(NamedTuple):
    """The table after one card or choice."""

    position: Position
    events: Sequence[ev.Event]
    last: int
    """The end of its events, counted in the whole game."""


class Frames:
    """Every state of a game, from the first card to the last."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self._events: list[ev.Event] = []
        self.frames: list[Frame] = []
        self.moments: dict[int, int] = {}
        """Which frame shows a moment of a review, by its number."""
        steps = list(game.steps(cards=True))
        for number, step in enumerate(steps):
            after = steps[number + 1].position if number + 1 < len(steps) else game.position
            if step.decision is not None:
                self.moments[len(self.moments)] = number
            self._events += step.events
            self.frames.append(Frame(after, step.events, len(self._events)))
        self.marks = [
            Mark(number, kind)
            for number, frame in enumerate(self.frames)
            for event in frame.events
            if (kind := _MARKED.get(type(event))) is not None
        ]

    def __len__(self) -> int:
        return len(self.frames)

    def scene(self, number: int) -> Scene:
        """Return the table after a step, with the log of its round."""
        frame = self.frames[number]
        past = (frame.position, self._events[: frame.last])
        scene = Scene(game_view("", number, self.game, odds=True, seconds=None, past=past))
        flipped = [event for event in frame.events if isinstance(event, ev.CardFlipped)]
        if flipped and flipped[-1].card is not None and flipped[-1].seat is not None:
            scene.shown = (flipped[-1].card, flipped[-1].seat)
        return scene

    def told(self, number: int) -> ev.Event | None:
        """Return the event of a step that says most about it."""
        events = self.frames[number].events
        loud = [event for event in events if type(event) in _MARKED]
        quiet = [event for event in events if not isinstance(event, ev.CardPlaced | ev.PlayerHit | ev.RoundScored)]
        found = loud or quiet
        return found[-1] if found else None

    def next_mark(self, number: int, way: int) -> int:
        """Return the frame of the next mark before or after one; the same where there is none."""
        found = [mark.frame for mark in self.marks if (mark.frame - number) * way > 0]
        return (min(found) if way > 0 else max(found)) if found else number

    def round(self, number: int) -> int:
        """Return the first frame of a round."""
        found = [mark.frame for mark in self.marks if mark.kind == "round"]
        return found[number - 1] if 1 <= number <= len(found) else 0

    def next_round(self, number: int, way: int) -> int:
        """Return the first frame of the next round, or of this one or the one before."""
        found = [mark.frame for mark in self.marks if mark.kind == "round" and (mark.frame - number) * way > 0]
        if found:
            return min(found) if way > 0 else max(found)
        return len(self) - 1 if way > 0 else 0
