"""Whole games as the server tells them to browsers, for the tests of the client's bookkeeping."""

from __future__ import annotations

import random
from collections.abc import Iterable

import msgspec

from flip7.game.options import Rules
from flip7.protocol.rest import Replay
from flip7.server.catch_up import CatchUp
from flip7.server.play import GameData, Play


def replay(seed: int, *, seats: int = 3, target: int = 200) -> Replay:
    """A game in which everybody chooses at random, mostly to hit; the same for the same arguments."""
    data = GameData(
        names=tuple(f"Player {seat}" for seat in range(seats)),
        seed=str(seed),
        salt=f"{seed:08x}",
        rules=Rules(target=target),
        date="2026-01-01",
        seats=(),
        version=2,
    )
    play = Play(f"game-{seed}", data)
    chance = random.Random(seed)
    while play.game.decision is not None:
        options = play.game.decision.options
        wild = play.game.decision.kind == "turn" and chance.random() < 0.6
        option = "hit" if wild else chance.choice(options)
        play = play.after(option if isinstance(option, int) else str(option), "player")
    first, steps = CatchUp(play, -1, odds=True).whole()
    return Replay(play.id, data.date, (), first, steps)


def kinds(games: Iterable[Replay]) -> set[str]:
    """The kinds of events that happen in these games."""
    return {event.kind for game in games for step in game.steps for event in step.events}


def as_json(games: Iterable[Replay]) -> bytes:
    """The games as one JSON list."""
    return msgspec.json.encode(list(games))
