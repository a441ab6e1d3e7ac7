"""Opponents of every kind: built in, compiled from outside, in plain Python, or none."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from flip7 import Position, Rules
from flip7.envs import Batch
from flip7.envs.gym import Flip7Env, Flip7VectorEnv
from flip7.envs.learner import OUTSIDE, Opponents
from flip7.envs.observation import GIVE, HIT, STAY
from flip7.rules.agenda import may_get
from flip7.rules.table import Table
from flip7.strategy.registry import Strategy, get

from .test_gymnasium import Plain

RULES = Rules(target=100)
QUICK = f"{Path(__file__).resolve().parent.parent.parent / 'examples' / 'my_bots.py'}:Quick"


class Steady:
    """Takes four cards, and gives to the last who may get it. The two static methods can be compiled."""

    def turn(self, position: Position) -> str:
        return "hit" if self.wants_card(position.table) else "stay"

    def target(self, position: Position) -> int:
        return self.chosen_target(position.table)

    @staticmethod
    def wants_card(table: Table) -> bool:
        return table.held[table.seat] < 4

    @staticmethod
    def chosen_target(table: Table) -> int:
        last = table.seat
        for seat in range(table.seats):
            if may_get(table, table.card, seat):
                last = seat
        return last


class Stripped:
    """The same strategy with nothing that could be compiled."""

    def __init__(self, strategy: Strategy) -> None:
        self.turn = strategy.turn
        self.target = strategy.target


def objects(opponents: tuple[Any, ...]) -> list[Strategy]:
    return [get(one) if isinstance(one, str) else one for one in opponents]


@pytest.mark.parametrize(
    "opponents",
    [("ev", "ev", "net"), ("points:25",) * 3, (QUICK, Steady(), QUICK), (Plain(), "net", Plain()), ("net",), ()],
    ids=["ev", "points", "guests", "plain", "two", "alone"],
)
def test_the_same_seed_deals_the_same_cards_as_a_batch(opponents: tuple[Any, ...]) -> None:
    """With the opponents' choices made by hand, a batch plays the same game."""
    asked = objects(opponents)
    players = 1 + len(opponents)
    env = Flip7Env(opponents, RULES)
    batch = Batch(1, players, RULES, seed=11)
    seen, info = env.reset(seed=11)
    choices = 0
    for _ in range(3):
        learner, over, ended = info["seat"], False, False
        while not ended:
            while (seat := int(batch.seats[0])) != learner:
                position = batch.position()
                opponent = asked[(seat - learner) % players - 1]
                if position.decision is not None and position.decision.kind == "turn":
                    batch.step([HIT if opponent.turn(position) == "hit" else STAY])
                else:
                    batch.step([GIVE + (opponent.target(position) - seat) % players])
                if batch.finished[0]:
                    break
            else:
                assert np.array_equal(batch.observations[0], seen)
                mask = info["action_mask"]
                action = HIT if mask[HIT] and choices % 3 else int(len(mask) - 1 - mask[::-1].argmax())
                seen, _, over, _, info = env.step(action)
                batch.step([action])
                choices += 1
            ended = bool(batch.finished[0])
        assert over
        seen, info = env.reset()
    assert choices > 10


def test_guests_play_compiled_as_they_do_in_plain_python() -> None:
    """Two different ones, by name and as an object: every observation, reward and end is the same."""
    guests = (QUICK, Steady(), QUICK)
    plain = tuple(Stripped(one) for one in objects(guests))
    compiled, asked = Opponents(guests), Opponents(plain)
    assert not compiled.outside
    assert [one.__name__ for one in compiled.compiled] == ["Quick", "Steady"]
    assert asked.policies == [OUTSIDE] * 4
    one, other = (Flip7VectorEnv(20, opponents, RULES, reward="points") for opponents in (guests, plain))
    assert np.array_equal(one.reset(seed=3)[0], other.reset(seed=3)[0])
    masks = other.reset(seed=3)[1]["action_mask"]
    random = np.random.default_rng(4)
    ended = 0
    for _ in range(60):
        actions = (masks * random.random(masks.shape)).argmax(axis=1)
        got, wanted = one.step(actions), other.step(actions)
        for these, those in zip(got[:3], wanted[:3], strict=True):
            assert np.array_equal(these, those)
        masks = got[4]["action_mask"]
        assert np.array_equal(masks, wanted[4]["action_mask"])
        for table in np.flatnonzero(got[2]).tolist():
            assert np.array_equal(got[4]["final_obs"][table], wanted[4]["final_obs"][table])
        ended += int(got[2].sum())
    assert ended > 20


def test_one_who_thinks_and_one_who_plays_at_random_play_to_the_end() -> None:
    """`deep` is asked in plain Python, and so is what takes its targets as `deep` does."""
    opponents = ("deep:1", "random", "random@deep:1")
    assert sorted(Opponents(opponents).outside) == [1, 3]
    env = Flip7Env(opponents, Rules(target=15))
    _, info = env.reset(seed=2)
    over = False
    while not over:
        _, reward, over, _, info = env.step(int(info["action_mask"].argmax()) or STAY)
    assert reward in (1.0, -1 / 3)


def test_one_who_plays_at_random_has_luck_of_its_own_from_the_seed() -> None:
    """The same seed and actions give the same game."""
    first, second = Flip7Env(("random", "random"), RULES), Flip7Env(("random", "random"), RULES)
    for env in (first, second):
        env.reset(seed=9)
    for _ in range(30):
        got, same = first.step(HIT), second.step(HIT)
        assert np.array_equal(got[0], same[0])
        if got[2]:
            break
    assert len({first.reset(seed=seed)[0].tobytes() for seed in range(6)}) > 1
