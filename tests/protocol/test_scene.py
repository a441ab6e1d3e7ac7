"""A scene that is moved on event by event is, after every step, what a fresh look at the game shows."""

from __future__ import annotations

from random import Random

import pytest

from flip7.game.events import RoundScored
from flip7.game.game import Game
from flip7.game.options import Rules
from flip7.protocol.messages import GameState
from flip7.protocol.scene import Scene
from flip7.protocol.views import first_view, game_view, hands_of, step_of


def looks(scene: Scene) -> dict[str, object]:
    """Everything that a scene shows of a table."""
    seats = [{name: value for name, value in vars(seat).items() if name != "flips"} for seat in scene.seats]
    names = ("round", "dealer", "deck", "discard", "rounds", "playoffs", "ask", "winner")
    state = {name: getattr(scene.state, name) for name in GameState.__struct_fields__ if name != "pending"}
    moved = {name: getattr(scene, name) for name in names}
    assert moved.items() >= {name: value for name, value in state.items() if name in names}.items()
    return {"seats": seats, "pending": sorted(scene.pending), "moved": moved, "state": state}


@pytest.mark.parametrize("seats", [1, 2, 4, 19])
def test_a_scene_follows_random_games(seats: int) -> None:
    for seed in range(6):
        random = Random(seed)
        game = Game(seats, seed=seed, rules=Rules(target=60))
        scene = Scene(first_view("id", game))
        events, before, chosen = game.events, first_view("id", game).hands, None
        while True:
            number = len(game.choices)
            step, before = step_of(
                "id", number, game, events, before, chosen=chosen, by="player", odds=True, seconds=None
            )
            for index, event in enumerate(step.events):
                scene.play(step, index)
                if isinstance(event, RoundScored):
                    assert [seat.total for seat in scene.seats] == [hand.total for hand in event.hands]
            told = [(seat.status, seat.points, seat.total) for seat in scene.seats]
            scene.settle(step)
            fresh = looks(Scene(game_view("id", number, game, odds=True, seconds=None)))
            assert looks(scene) == fresh
            assert told == [(seat.status, seat.points, seat.total) for seat in scene.seats], "by the events alone"
            assert before == hands_of(game)
            ask = game.decision
            if ask is None:
                break
            choice = random.choice(ask.options)
            chosen = (ask.seat, choice)
            events = game.play(choice)
        assert scene.winner == game.winner
        assert [line[-1] for line in scene.totals()] == [seat.total for seat in game.seats]
