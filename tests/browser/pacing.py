"""How the terminal application paces steps that all arrive at once, for the test that the client paces them alike."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import get_args

from msgspec.structs import replace

from flip7.protocol.messages import Speed, Step
from flip7.protocol.rest import Replay
from flip7.protocol.scene import Scene
from flip7.terminal.director import Director


class Timed(Director):
    """A director whose pauses are over at once; it keeps them, in milliseconds."""

    def __init__(self, scene: Scene, speed: Speed) -> None:
        super().__init__(scene, lambda _: None, lambda: speed, now=lambda: sum(self.pauses) / 1000)
        self.pauses: list[float] = []

    async def pause(self, seconds: float) -> None:
        """Go on at once."""
        self.pauses.append(seconds * 1000)


def paced(game: Replay) -> list[dict[str, object]]:
    """Several ways in which the steps of a game can come, at every speed, with the pauses after their events."""
    behind = [False] * len(game.steps)
    opening = [number < 12 for number in range(len(game.steps))]
    rest = [3 < number < 30 for number in range(len(game.steps))]
    ways = ((behind, False), (opening, False), (rest, False), (rest, True))
    return [
        {"game": game.id, "speed": speed, "quick": quick, "missed": missed, "pauses": own}
        for speed in get_args(Speed)
        for quick, missed in ways
        for own in (pauses(game, speed, quick, missed),)
    ]


def pauses(game: Replay, speed: Speed, quick: Sequence[bool], missed: bool) -> list[float]:
    """The pauses after events, where there are any."""
    steps: list[Step] = [replace(step, quick=one) for step, one in zip(game.steps, quick, strict=True)]
    director = Timed(Scene(game.game), speed)

    async def tell() -> None:
        for number, step in enumerate(steps):
            await director.tell(step, 0.0, steps[number + 1 :], missed=missed)

    asyncio.run(tell())
    return director.pauses
