"""Whole games as the server tells them to browsers, for the tests of the client's bookkeeping."""

from __future__ import annotations

import random
from collections.abc import Iterable

import msgspec

from flip7.game.options import Rules
from flip7.protocol.messages import GameState
from flip7.protocol.rest import Replay
from flip7.protocol.scene import Scene
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


def scenes(game: Replay) -> list[dict[str, object]]:
    """What the terminal application shows after every event of a game, and after every step."""
    scene = Scene(game.game)
    shown = [on_show(scene)]
    for step in game.steps:
        for index in range(len(step.events)):
            scene.play(step, index)
            shown.append(on_show(scene))
        scene.settle(step)
        shown.append(on_show(scene))
    return shown


def on_show(scene: Scene) -> dict[str, object]:
    """Everything that a scene shows, under the client's names; of the log the last line and the length."""
    names = ("round", "dealer", "deck", "discard", "pending", "ask", "winner")
    own = ("names", "target", "cards", "rounds", "playoffs", "scored")
    last = scene.log[-1] if scene.log else None
    seats = [vars(seat) | {"twin": seat.twin} for seat in scene.seats]
    told = {name: getattr(scene.state, name) for name in GameState.__struct_fields__}
    told |= {name: getattr(scene, name) for name in names + own}
    line = {"event": last.event, "points": last.points, "away": last.away} if last else None
    here = {"seats": seats, "shown": scene.shown, "last": line, "lines": len(scene.log)}
    shown: dict[str, object] = msgspec.to_builtins(told | here)
    return shown


def kinds(games: Iterable[Replay]) -> set[str]:
    """The kinds of events that happen in these games."""
    return {event.kind for game in games for step in game.steps for event in step.events}


def as_json(games: Iterable[Replay]) -> bytes:
    """The games as one JSON list."""
    return msgspec.json.encode(list(games))
