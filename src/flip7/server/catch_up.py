"""A game told from one of its states on: what a player has missed, or all of it."""

from __future__ import annotations

from collections.abc import Generator
from itertools import chain

import msgspec

from flip7.game.events import Event
from flip7.protocol.messages import GameView, Step
from flip7.protocol.views import game_view, step_of
from flip7.server.play import Play, read_choice


class CatchUp:
    """What led from a state of a game to its present one, made in pieces between which others have their turn."""

    def __init__(self, play: Play, since: int, *, odds: bool) -> None:
        """From the state with the number `since`; -1 is before the first card."""
        self._play = play
        self._since = since
        self._odds = odds
        self._view = play.first_view() if since < 0 else None
        self._steps: list[Step] = []

    def pieces(self) -> Generator[None, None, None]:
        """Make it; each piece takes as long as a choice does to be played and told."""
        play, game = self._play, self._play.game
        steps = game.steps()
        step = next(steps)
        before = self._view.hands if self._view else ()
        told: list[Event] = []
        for number, following in enumerate(chain(steps, (None,))):
            now = following.position if following is not None else game
            told += step.events
            if number == self._since:
                self._view = game_view(play.id, number, game, odds=self._odds, seconds=None, past=(now, told))
                before = self._view.hands
            elif number > self._since:
                text, by = play.choices[number - 1] if number else ("", "player")
                made, before = step_of(
                    play.id,
                    number,
                    game,
                    step.events,
                    before,
                    chosen=(step.decision.seat, read_choice(text)) if step.decision and number else None,
                    by=by,
                    odds=self._odds,
                    seconds=None,
                    past=now,
                )
                self._steps.append(made)
            if following is not None:
                step = following
            yield

    def whole(self) -> tuple[GameView, tuple[Step, ...]]:
        """Make all of it at once; return the state that it begins with, and every step from there."""
        for _ in self.pieces():
            pass
        return self._told()

    def up_to(self, now: Play, *, odds: bool, seconds: float | None) -> tuple[GameView, tuple[Step, ...]] | None:
        """Return what has been made, and what has happened meanwhile; `None` if it is not fit to be told any more."""
        if now.id != self._play.id or odds != self._odds:
            return None
        play = self._play
        while play.number < now.number:
            seat = play.asked
            assert seat is not None
            text, by = now.choices[play.number]
            play = play.after(read_choice(text), by)
            self._steps.append(play.step(seat, odds=odds, seconds=None))
        if self._steps and self._steps[-1].ask is not None and seconds is not None:
            ask = msgspec.structs.replace(self._steps[-1].ask, seconds=round(seconds, 1))
            self._steps[-1] = msgspec.structs.replace(self._steps[-1], ask=ask)
        return self._told()

    def _told(self) -> tuple[GameView, tuple[Step, ...]]:
        assert self._view is not None
        return self._view, tuple(self._steps)
