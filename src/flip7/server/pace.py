"""How long people need to see what happened, and how long a bot seems to think, in seconds."""

from __future__ import annotations

from collections.abc import Sequence

from flip7.game.events import Event

LONGEST = 6.0
"""Clients retell long sequences quicker."""
_SECONDS = {
    "card_flipped": 0.8,
    "player_busted": 1.0,
    "player_saved": 0.6,
    "player_frozen": 0.4,
    "flip7_made": 1.8,
    "round_scored": 2.0,
}


def animation_seconds(events: Sequence[Event]) -> float:
    """How long the animation of these events takes."""
    return min(LONGEST, sum(_SECONDS.get(event.kind, 0.0) for event in events))


def thinking_seconds(chance: float) -> float:
    """How long a bot seems to think; `chance` from 0 to 1 makes it vary."""
    return 0.5 + 0.8 * chance
