"""The coach: what the choices of an open question are worth, thought about off the loop and within limits."""

from __future__ import annotations

from collections import OrderedDict

import msgspec

from flip7.protocol.messages import Advice, AdvisedChoice
from flip7.server.engine import Engine
from flip7.server.errors import Refusal
from flip7.server.inputs import Question
from flip7.server.limits import Buckets
from flip7.server.settings import Settings
from flip7.server.thinker import AdviseOn

PRECISION = 0.01
SECONDS = 20.0
"""A player who has waited for this long has chosen without the coach."""
REMEMBERED = 256


class Advised(msgspec.Struct):
    """What the engine says of a position, as far as people are told."""

    seat: int
    choices: list[AdvisedChoice]
    best: str | int
    sure: bool
    seats: list[float]


class Coach:
    """Answers questions, each thought about once."""

    def __init__(self, settings: Settings, engine: Engine) -> None:
        self._engine = engine
        self._budget = Buckets(settings.advice_per_second, settings.advice_burst)
        self._known: OrderedDict[str, Advised] = OrderedDict()

    def check(self, address: str) -> None:
        """Raise `Refusal` where there is no engine, or an address asks too often."""
        self._engine.check()
        if not self._budget.take(address):
            raise Refusal("too_many", "the coach has been asked very often", self._budget.wait(address, 1))

    async def answer(self, question: Question) -> Advice:
        """Return what can be said of a question. Raises `Refusal`."""
        found = self._known.get(question.position)
        if found is None:
            result = await self._engine.quick.do(AdviseOn(question.position, PRECISION), seconds=SECONDS)
            found = self._known[question.position] = msgspec.json.decode(result, type=Advised)
            while len(self._known) > REMEMBERED:
                self._known.popitem(last=False)
        return Advice(
            game=question.game,
            number=question.number,
            seat=found.seat,
            choices=tuple(found.choices),
            best=found.best if isinstance(found.best, int) else "hit" if found.best == "hit" else "stay",
            sure=found.sure,
            seats=tuple(found.seats),
        )

    def forget(self) -> None:
        """Drop the addresses that have been quiet."""
        self._budget.forget()
