"""The calendar of the daily challenge, and what is written down with a game of it: who has tried, with what result."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime, timedelta

import msgspec

from flip7.game.events import Hand, RoundScored
from flip7.game.game import Game
from flip7.protocol.rest import DailyResult
from flip7.server.errors import Refusal
from flip7.server.play import GameData
from flip7.server.seating import DailyTry
from flip7.server.store.base import GameHead, Keep

DAY = timedelta(days=1)
GRACE = timedelta(minutes=30)
"""How long after midnight a try that was begun before can be finished; the seed is told afterwards."""
FEW, SOME = 15, 30
"""Points of a round from which on another sign stands for it."""


Clock = Callable[[], datetime]


class Tried(msgspec.Struct, frozen=True):
    """Where a device plays its try."""

    code: str
    seat: int


class Days:
    """The calendar: a day in UTC, and a while after midnight in which a try can still be finished."""

    def __init__(self, clock: Clock = lambda: datetime.now(UTC)) -> None:
        self.clock = clock

    def today(self) -> date:
        """Return the present day."""
        return self.clock().date()

    def is_over(self, day: date | str) -> bool:
        """Return whether a day is over for good: then its deck may be laid open, and no more results count."""
        if isinstance(day, str):
            day = date.fromisoformat(day)
        return self.clock() >= midnight(day + DAY) + GRACE

    def hides(self, head: GameHead) -> bool:
        """Return whether a game is of a deck that others may still play."""
        try:
            day = msgspec.json.decode(head.data, type=GameData).daily
        except msgspec.DecodeError:
            return False
        return day is not None and not self.is_over(day)

    def check_open(self, head: GameHead) -> None:
        """Raise `Refusal` for a game of a deck that others may still play."""
        if self.hides(head):
            raise Refusal("not_yet", "others still play the deck of this day; its games are open from tomorrow on")


def midnight(day: date) -> datetime:
    """Return the moment in which a day begins."""
    return datetime.combine(day, datetime.min.time(), UTC)


def begun(whose: DailyTry, code: str, seat: int) -> Keep:
    """Return what is written when a try begins: it can only once."""
    return Keep(f"try {whose.date}", whose.player, msgspec.json.encode(Tried(code, seat)), once=True)


def ended(whose: DailyTry, game: Game, id: str) -> Keep:
    """Return what is written when it is over."""
    return Keep(f"result {whose.date}", whose.player, msgspec.json.encode(result_of(game, id)))


def result_of(game: Game, id: str = "") -> DailyResult:
    """Return how a finished game of one player went."""
    hands = [event.hands[0] for event in game.events if isinstance(event, RoundScored)]
    return DailyResult(game.players[0], len(hands), hands[-1].total, signs(hands), id)


def signs(hands: Sequence[Hand]) -> str:
    """Return a sign for each round."""
    return "".join(map(_sign, hands))


def _sign(hand: Hand) -> str:
    if hand.status == "busted":
        return "💥"
    if hand.flip7:
        return "🌟"
    return "⬛" if hand.points < FEW else "🟨" if hand.points < SOME else "🟩"
