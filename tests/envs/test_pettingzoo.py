"""PettingZoo: its own suites, and the same games as a batch."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, render_test, seed_test  # type: ignore[import-untyped]

from flip7 import Rules
from flip7.envs import flip7_v0
from flip7.envs.batch import Batch


# PettingZoo says this to every environment with an action mask.
@pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be:UserWarning")
@pytest.mark.filterwarnings("ignore:Observation is not a NumPy array:UserWarning")
@pytest.mark.parametrize("make", [flip7_v0.env, flip7_v0.raw_env])
def test_the_suites_of_pettingzoo_pass(make: Any, capsys: pytest.CaptureFixture[str]) -> None:
    api_test(make(players=4), num_cycles=300)
    seed_test(lambda: make(players=4), num_cycles=50)
    render_test(lambda render_mode=None: make(players=3, render_mode=render_mode))
    assert "Passed" in capsys.readouterr().out


@pytest.mark.parametrize("reward", ["win", "points"])
def test_it_plays_the_games_of_a_batch(reward: Any) -> None:
    rules = Rules(target=40)
    aec = flip7_v0.env(players=4, rules=rules, reward=reward, render_mode=None)
    batch = Batch(1, 4, rules, seed=7, reward=reward)
    random = np.random.default_rng(3)
    aec.reset(seed=7)
    for _ in range(3):
        earned, got = np.zeros(4), np.zeros(4)
        finished = False
        while not finished:
            agent = aec.agent_selection
            seen, reward_, _, _, _ = aec.last()
            got[int(agent[-1])] += reward_
            assert agent == f"player_{batch.seats[0]}"
            assert np.array_equal(seen["observation"], batch.observations[0])
            assert np.array_equal(seen["action_mask"], batch.masks[0])
            other = f"player_{(batch.seats[0] + 1) % 4}"
            assert not aec.observe(other)["action_mask"].any()
            action = int((batch.masks[0] * random.random(6)).argmax())
            aec.step(action)
            batch.step([action])
            earned += batch.rewards[0]
            finished = bool(batch.finished[0])
        assert all(aec.terminations.values())
        for agent in aec.agent_iter():
            _, reward_, over, _, _ = aec.last()
            assert over
            got[int(agent[-1])] += reward_
            aec.step(None)
        assert not aec.agents
        assert np.allclose(got, earned)
        assert earned.any()
        aec.reset()


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))], ids=["copy", "pickle"])
def test_a_copy_plays_on_as_the_environment_would(copied: Any) -> None:
    aec = flip7_v0.env(players=3)
    aec.reset(seed=2)
    twin = copied(aec)
    for _ in range(20):
        seen = aec.last()[0]
        assert np.array_equal(seen["observation"], twin.last()[0]["observation"])
        for env in (aec, twin):
            env.step(int(seen["action_mask"].argmax()))


def test_a_forbidden_action_is_an_error_and_changes_nothing() -> None:
    raw = flip7_v0.raw_env(players=4)
    raw.reset(seed=1)
    before = raw.observe(raw.agent_selection)
    wrong = int((1 - before["action_mask"]).argmax())
    with pytest.raises(ValueError, match=f"table 0: action {wrong} is forbidden"):
        raw.step(wrong)
    with pytest.raises(ValueError, match="forbidden"):
        raw.step(None)
    assert np.array_equal(raw.observe(raw.agent_selection)["observation"], before["observation"])


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"players": 0}, "players 0"),
        ({"players": 37}, "players 37"),
        ({"render_mode": "svg"}, "render_mode 'svg'"),
        ({"reward": "x"}, "reward 'x'"),
    ],
)
def test_wrong_arguments_are_refused(options: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        flip7_v0.env(**options)


def test_without_a_render_mode_nothing_is_shown() -> None:
    raw = flip7_v0.raw_env(players=2)
    raw.reset()
    with pytest.raises(ValueError, match="render_mode was not given"):
        raw.render()
