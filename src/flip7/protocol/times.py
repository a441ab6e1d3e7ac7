"""How long everything is on show: one table for the server, which waits, and the clients, which show.

`tools/wire.py` writes it for the client (web/src/lib/times.ts).
"""

from __future__ import annotations

from collections.abc import Sequence

from flip7.game.events import Event
from flip7.protocol.messages import Speed

PARTS = {"travel": 240, "turn": 190, "rest": 220, "settle": 160, "shake": 400, "hold": 550, "frost": 400}
"""What the longer moments are made of."""

EVENTS = {
    "card_flipped": PARTS["travel"] + PARTS["turn"] + PARTS["rest"],
    "card_placed": PARTS["settle"],
    "player_busted": PARTS["settle"] + PARTS["shake"] + PARTS["hold"],
    "player_saved": 750,
    "player_stayed": 380,
    "card_set_aside": 420,
    "card_handed_out": 620,
    "second_chance_passed": 620,
    "player_frozen": PARTS["frost"] + 250,
    "flip_three_started": 500,
    "flip7_made": 1800,
    "deck_reshuffled": 700,
    "round_started": 350,
    "round_ended": 300,
    "round_scored": 2200,
    "playoff_called": 1500,
    "game_over": 900,
    "player_left": 380,
    "card_misdealt": 380,
    "card_added": 380,
    "card_lost": 380,
    "card_discarded": 120,
    "player_hit": 0,
}
"""How long each kind of event is on show at normal speed."""

DEALT = {"most": 0.8, "seats": 5}
"""A dealt card takes this share of a card's time, and less at a table of many seats: all of them take as long."""

SCORED = {"seat": 130, "seats": 12, "least": 800}
"""What each seat adds to the scores of a round, up to how many seats, and how long they are on show at any speed."""

FACTORS: dict[Speed, float] = {"calm": 1.45, "normal": 1.0, "fast": 0.26, "instant": 0.0}
"""What the speed of a table makes of all these times."""

THINKING: dict[Speed, float] = {"calm": 1.2, "normal": 1.0, "fast": 0.15, "instant": 0.0}
"""What it makes of the time for which a bot seems to think."""

QUICK = 3000
"""What nobody who is here has a say in is told within this time."""
OPENING = 2600
"""So is everything before the first choice of a game."""
LAG = 2500
"""A client that is further behind compresses everything, and tells within this time what was missed."""

HASTE = {"share": 0.6, "least": 0.12}
"""A client that is behind tells everything within this share of a lag, but in no less than that share of its time."""


def milliseconds(event: Event, seats: int, speed: Speed) -> float:
    """Return how long an event is on show at a table of n seats."""
    length: float = EVENTS[event.kind]
    if event.kind == "card_flipped" and event.ruling == "DEAL-1":
        length *= min(DEALT["most"], DEALT["seats"] / seats)
    if event.kind == "round_scored":
        length += min(SCORED["seats"], seats) * SCORED["seat"]
        return max(SCORED["least"], length * FACTORS[speed])
    return length * FACTORS[speed]


def animation_seconds(events: Sequence[Event], seats: int, speed: Speed) -> float:
    """Return how long these events are on show one after the other, in seconds."""
    return sum(milliseconds(event, seats, speed) for event in events) / 1000


def thinking_seconds(chance: float, speed: Speed) -> float:
    """Return how long a bot seems to think; `chance` from 0 to 1 makes it vary."""
    return (0.4 + 0.6 * chance) * THINKING[speed]


def haste(waited: float, backlog: float, *, missed: bool) -> float:
    """Return the share of its time that a step gets which was missed, or has waited for its turn so long.

    `backlog` is how long all that is not yet told would take, this step included.
    """
    share = min(1.0, LAG / max(1.0, backlog))
    if missed:
        return share
    return 1.0 if waited <= LAG else max(HASTE["least"], HASTE["share"] * share)


def told_quickly(events: Sequence[Event], *, opening: bool) -> int:
    """Return how many events of a quick step are told quickly: before the first choice all, then up to the scores."""
    if opening:
        return len(events)
    return next((i for i, event in enumerate(events) if event.kind == "round_scored"), len(events))


def limit(speed: Speed, *, opening: bool) -> float:
    """Return how long quick steps in a row take at most."""
    return (OPENING if opening else QUICK) * min(1.0, FACTORS[speed])
