"""Games of the environments, told again as games of the library."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

from flip7 import Card, Game, Rules
from flip7.envs import Batch, flip7_v0, replay
from flip7.envs.gym import Flip7Env, Flip7VectorEnv
from flip7.envs.observation import observe

from .test_batch import legal
from .test_gymnasium import Plain
from .test_opponents import QUICK, Steady

SHORT = Rules(target=45)
ISSUE = ("ev", "points:25", "net")


def shows(game: Game, seat: int, row: Any) -> bool:
    """Whether a seat of the game sees this row, and the game can be written down and read again."""
    seen = [0] * len(row)
    observe(game.table, seat, seen)
    again = Game.from_record(game.record())
    return seen == row.tolist() and again.events == game.events and again.position == game.position


def test_a_table_of_a_batch_is_told_again_at_every_moment_and_at_its_end() -> None:
    batch = Batch(3, 4, SHORT, seed=6)
    random = np.random.default_rng(2)
    taken: list[Any] = []
    ended = 0
    while ended < 3:
        if batch.finished[2] or len(taken) % 10 == 0:
            game = replay(6, [actions[2] for actions in taken], rules=SHORT, table=2)
            if batch.finished[2]:
                ended += 1
                assert game.winner == batch.winners[2]
            else:
                assert str(game.position) == str(batch.position(2))
                assert shows(game, int(batch.seats[2]), batch.observations[2])
        taken.append(legal(batch.masks, random, 0.6))
        batch.step(taken[-1])


def test_a_game_of_pettingzoo_is_told_again() -> None:
    env = flip7_v0.raw_env(players=3, rules=SHORT)
    env.reset(seed=5)
    taken = []
    while not any(env.terminations.values()):
        taken.append(int(env.observe(env.agent_selection)["action_mask"].argmax()))
        env.step(taken[-1])
    game = replay(5, taken, 3, SHORT)
    assert game.winner == int(np.argmax([env.rewards[agent] for agent in env.possible_agents]))
    assert all(shows(game, seat, env.observe(f"player_{seat}")["observation"]) for seat in range(3))


@pytest.mark.parametrize(
    "opponents",
    [("ev", "points:25", "random"), (QUICK, Steady(), Plain()), ()],
    ids=["compiled", "foreign", "alone"],
)
def test_a_game_of_gymnasium_is_told_again_with_all_that_opponents_did(opponents: Any) -> None:
    """The learner's actions are enough, forbidden ones among them, also from one game to the next."""
    env: Any = Flip7Env(opponents, SHORT)
    taken: list[int] = []
    _, info = env.reset(seed=8)
    random = np.random.default_rng(3)
    for _ in range(2):
        over = False
        while not over:
            taken.append(int(random.integers(env.action_space.n)))
            seen, _, over, _, now = env.step(taken[-1])
            if over or len(taken) % 10 == 0:
                game = replay(8, taken, rules=SHORT, opponents=opponents)
                assert shows(game, info["seat"], seen)
                assert (game.winner is not None) == over
        assert now["seat"] == info["seat"]
        _, info = env.reset()


def test_a_table_of_a_vector_is_told_again() -> None:
    many = Flip7VectorEnv(3, ISSUE, SHORT)
    seen, infos = many.reset(seed=20)
    taken = []
    over: Any = np.zeros(3)
    while not over[2]:
        before, seat = seen[2], int(infos["seat"][2])
        taken.append(infos["action_mask"].argmax(axis=1))
        seen, _, over, _, infos = many.step(taken[-1])
    actions = [action[2] for action in taken]
    assert shows(replay(20, actions, rules=SHORT, table=2, opponents=ISSUE), seat, infos["final_obs"][2])
    assert shows(replay(20, actions[:-1], rules=SHORT, table=2, opponents=ISSUE), seat, before)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"seed": 3, "actions": [0, 9]}, "action 1: 9 is forbidden; allowed are 0 (hit), 1 (stay)"),
        ({"seed": 3, "actions": [0, -1]}, "action 1: -1 is forbidden"),
        ({"actions": [0.5]}, "action 0 0.5: a whole number"),
        ({"players": 37}, "players 37"),
        ({"table": -1}, "table -1"),
        ({"seed": None}, "seed None: a whole number"),
        ({"rules": Rules(target=70_000)}, "an environment plays to 65000"),
        ({"players": 2, "rules": Rules(composition={Card.N1: 1})}, "never ask anybody anything"),
        ({"opponents": "ev"}, "a list of strategies is needed"),
    ],
)
def test_what_no_environment_has_played_is_refused(arguments: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=re.escape(words)):
        replay(**{"seed": 1, "actions": [], **arguments})
