"""`LiveView`: the next round of a match card by card, as Python programs follow it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

from flip7.game.options import as_card
from flip7.game.position import Position
from flip7.rules.cards import Card
from flip7.scorekeeper.errors import MatchError
from flip7.scorekeeper.model import following
from flip7.scorekeeper.model.live import LiveRound, LiveStep
from flip7.scorekeeper.model.operations import Step
from flip7.scorekeeper.model.refusals import Refusal
from flip7.scorekeeper.model.state import State


class LiveView:
    """The round that is played now. It stays up to date as cards are put down; seats are those of the match."""

    def __init__(self, state: State, do: Callable[[Refusal | None], None]) -> None:
        self._state = state
        self._do = do

    @property
    def _live(self) -> LiveRound:
        live = self._state.sheet.live
        if live is None:
            raise MatchError("no round is open")
        return live

    @property
    def started(self) -> bool:
        """Whether any card of the round has been put down."""
        return self._live.started

    @property
    def due(self) -> Literal["", "card", "turn", "target"]:
        """What is waited for: a card, hit or stay, whom to give a card to; nothing when the round is over."""
        return self._live.due

    @property
    def seat(self) -> int:
        """Who is proposed: for the card, the answer or the choice."""
        return self._live.seat

    @property
    def targets(self) -> tuple[int, ...]:
        """The seats that may get the card on offer."""
        return tuple(self._live.targets)

    @property
    def estimate(self) -> bool:
        """Whether the deck is only estimated, since not every card of earlier rounds is known."""
        return self._live.estimate

    @property
    def position(self) -> Position:
        """The table as everyone sees it. Those who are not there are out."""
        return Position.of(self._live.table)

    @property
    def steps(self) -> tuple[LiveStep, ...]:
        """What was put down, in order, each with a mark where it deviates from the rules or does not fit."""
        return tuple(self._live.steps)

    def card(self, card: Card | str, seat: int | None = None, *, anyway: bool = False) -> None:
        """A card came up: for whoever is due, or for `seat`. One that should be gone is taken only `anyway`."""
        self._do(following.live_card(self._state, _card(card), self._player(seat), anyway))

    def stay(self, seat: int | None = None) -> None:
        """Whoever is asked stays, or `seat` does."""
        self._do(following.live_stay(self._state, self._player(seat)))

    def give(self, seat: int) -> None:
        """The card on offer goes to `seat`."""
        self._do(following.live_give(self._state, self._player(seat)))

    def shuffle(self) -> None:
        """The table shuffled before the deck was empty."""
        self._do(following.live_shuffle(self._state))

    def lost(self, card: Card | str) -> None:
        """A card is gone from the deck for good."""
        self._do(following.live_lost(self._state, _card(card)))

    def mend(self, step: str, steps: Sequence[Step]) -> None:
        """Put other steps in the place of the one with this id, or none; the rest is played again."""
        self._do(following.mend(self._state, step, list(steps)))

    def _player(self, seat: int | None) -> str:
        ids = self._state.sheet.ids
        if seat is None:
            return ""
        if not 0 <= seat < len(ids):
            raise MatchError(f"seat {seat!r}: a whole number from 0 to {len(ids) - 1} is needed")
        return ids[seat]


def _card(card: Card | str) -> Card:
    try:
        return as_card(card)
    except ValueError as error:
        raise MatchError(str(error)) from None
