"""A game that is being played online: dealt from what the log holds, and told step by step."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from flip7.game.events import Event
from flip7.game.game import Game
from flip7.game.options import Rules
from flip7.protocol.messages import By, GameView, SeatInfo, Step
from flip7.server.store.base import StoredGame
from flip7.server.views import first_view, game_view, hands_of, step_of


class GameData(msgspec.Struct, frozen=True):
    """What it takes to deal a game again. It holds the seed: it never leaves the server while the game runs."""

    names: tuple[str, ...]
    seed: str
    salt: str
    rules: Rules
    date: str
    seats: tuple[SeatInfo, ...]

    def deal(self) -> Game:
        """The game before its first choice."""
        return Game(self.names, seed=int(self.seed), salt=self.salt, rules=self.rules, date=self.date, commit=True)


class Play:
    """One game with its id and its choices so far."""

    def __init__(self, id: str, data: GameData) -> None:
        self.id = id
        self.data = data
        self.game = data.deal()
        self.choices: list[tuple[str, By]] = []
        self._first_events = self.game.events
        self._hands = hands_of(self.game)

    @classmethod
    def restore(cls, stored: StoredGame) -> Play:
        """The game as the log tells it."""
        play = cls(stored.id, msgspec.json.decode(stored.data, type=GameData))
        for text, by in stored.choices:
            play.choose(read_choice(text), _by(by))
        return play

    @property
    def number(self) -> int:
        """The number of the present state."""
        return len(self.choices)

    @property
    def over(self) -> bool:
        """Whether the game has a winner."""
        return self.game.decision is None

    @property
    def asked(self) -> int | None:
        """The seat that is asked."""
        return self.game.decision.seat if self.game.decision else None

    def choose(self, choice: str | int, by: By) -> list[Event]:
        """Answer the open question; returns what followed. Raises what `Game.play` raises, and then nothing changed."""
        events = self.game.play(choice)
        self.choices.append((str(choice), by))
        return events

    def view(self, *, odds: bool, seconds: float | None) -> GameView:
        """The present state."""
        return game_view(self.id, self.number, self.game, odds=odds, seconds=seconds)

    def first_view(self) -> GameView:
        """The state before the first card."""
        return first_view(self.id, self.game)

    def deal_step(self, *, odds: bool, seconds: float | None) -> Step:
        """The step that leads from there to the first question."""
        before = self.first_view().hands
        step, _ = step_of(
            self.id, 0, self.game, self._first_events, before, chosen=None, by="player", odds=odds, seconds=seconds
        )
        return step

    def step(self, events: Sequence[Event], seat: int, *, odds: bool, seconds: float | None) -> Step:
        """The step that the last choice made."""
        text, by = self.choices[-1]
        step, self._hands = step_of(
            self.id,
            self.number,
            self.game,
            events,
            self._hands,
            chosen=(seat, read_choice(text)),
            by=by,
            odds=odds,
            seconds=seconds,
        )
        return step

    def retell(self, since: int, *, odds: bool, seconds: float | None) -> tuple[GameView, tuple[Step, ...]]:
        """The state with the number `since`, and every step from there to now."""
        again = Play(self.id, self.data)
        steps = []
        view = again.first_view() if since < 0 else None
        if since < 0:
            steps.append(again.deal_step(odds=odds, seconds=None))
        for number, (text, by) in enumerate(self.choices):
            if number == since:
                view = again.view(odds=odds, seconds=None)
                again._hands = view.hands
            seat = again.asked
            assert seat is not None
            events = again.choose(read_choice(text), by)
            if number >= since:
                last = number == self.number - 1
                steps.append(again.step(events, seat, odds=odds, seconds=seconds if last else None))
        if view is None:
            view = again.view(odds=odds, seconds=seconds)
        return view, tuple(steps)


def read_choice(text: str) -> str | int:
    """A choice as the log writes it."""
    return int(text) if text.isdecimal() else text


def _by(text: str) -> By:
    return "bot" if text == "bot" else "away" if text == "away" else "player"
