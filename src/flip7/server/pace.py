"""When people will have seen what happened, and how long a bot seems to think, in seconds."""

from __future__ import annotations

from collections.abc import Sequence

from flip7.game.events import Event
from flip7.protocol.messages import Speed
from flip7.protocol.times import THINKING, milliseconds


def animation_seconds(events: Sequence[Event], seats: int, speed: Speed) -> float:
    """Return how long the animation of these events takes at a table of n seats."""
    return sum(milliseconds(event, seats, speed) for event in events) / 1000


def thinking_seconds(chance: float, speed: Speed) -> float:
    """Return how long a bot seems to think; `chance` from 0 to 1 makes it vary."""
    return (0.4 + 0.6 * chance) * THINKING[speed]
