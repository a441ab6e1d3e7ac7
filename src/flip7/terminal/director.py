"""`Director`: shows the events of steps one after the other, each for its time; it catches up, and can be hurried."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from time import monotonic

from flip7.game.events import Event, RoundScored
from flip7.protocol.messages import Speed, Step
from flip7.protocol.scene import Scene
from flip7.protocol.times import haste, limit, milliseconds, thinking_seconds, told_quickly

Show = Callable[[Event | None], None]
SUMMARY = 0.8
"""Seconds within which points are counted up."""


class Director:
    """Tells steps. `show` is called after every change with what happened, and with nothing when a step is over."""

    def __init__(
        self, scene: Scene, show: Show, speed: Callable[[], Speed], now: Callable[[], float] = monotonic
    ) -> None:
        self.scene = scene
        self._show = show
        self._speed = speed
        self._now = now
        self._hurried = False
        self._wake = asyncio.Event()
        self._opening = scene.state.number <= 0
        self._spent = 0.0
        """Milliseconds for which quick steps in a row have been on show."""
        self._catching_up: float | None = None
        """The share of their time that steps get which were missed."""

    def hurry(self) -> None:
        """Wait for nothing until someone here is asked, or a round is scored."""
        self._hurried = True
        self._wake.set()

    def rest(self) -> None:
        """Stop hurrying."""
        self._hurried = False

    async def tell(self, step: Step, at: float, waiting: Sequence[Step] = (), *, missed: bool = False) -> None:
        """Show a step that came at a time, event by event; the more is waiting behind it, the quicker.

        Steps that were missed while there was no connection are told within a moment, however many there are.
        """
        if missed or not step.quick:
            self._opening, self._spent = False, 0.0
        factor = self._haste(1000 * (self._now() - at), [step, *waiting], missed=missed)
        for index, event in enumerate(step.events):
            self.scene.play(step, index)
            if isinstance(event, RoundScored):
                self._hurried = False
            length = self._length(event) * factor
            if step.quick and not missed:
                length = self._quickly(length, index, [step, *waiting])
            if length and not self._hurried:
                self._show(event)
                await self.pause(length / 1000)
        self.scene.settle(step)
        self._show(None)

    def _length(self, event: Event) -> float:
        return milliseconds(event, len(self.scene.seats), self._speed())

    def _haste(self, waited: float, steps: Sequence[Step], *, missed: bool) -> float:
        """The share of its time for which a step is on show that has waited for n milliseconds."""
        backlog = sum(self._length(event) for step in steps for event in step.events)
        if missed:
            if self._catching_up is None:
                self._catching_up = haste(waited, backlog, missed=True)
            return self._catching_up
        self._catching_up = None
        return 1.0 if steps[0].quick else haste(waited, backlog, missed=False)

    def _quickly(self, length: float, index: int, steps: Sequence[Step]) -> float:
        """How long an event of a quick step is on show: all of them in a row share one time."""
        if index >= told_quickly(steps[0].events, opening=self._opening):
            return length
        coming = 0.0
        for place, step in enumerate(steps):
            count = told_quickly(step.events, opening=self._opening) if step.quick else 0
            coming += sum(map(self._length, step.events[index if place == 0 else 0 : count]))
            if count < len(step.events):
                break
        left = max(0.0, limit(self._speed(), opening=self._opening) - self._spent)
        quick = length * min(1.0, left / max(1.0, coming))
        self._spent += quick
        return quick

    async def think(self, chance: float) -> None:
        """Wait as long as a bot seems to think."""
        await self.pause(thinking_seconds(chance, self._speed()))

    async def pause(self, seconds: float) -> None:
        """Wait, unless hurried."""
        if self._hurried or seconds <= 0:
            return
        self._wake.clear()
        try:
            async with asyncio.timeout(seconds):
                await self._wake.wait()
        except TimeoutError:
            return
