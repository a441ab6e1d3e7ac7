"""Gymnasium: its own checker, the vector beside the single environment, and what is refused."""

from __future__ import annotations

import copy
import pickle
import re
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode, SyncVectorEnv

from flip7 import Game, Position, Rules, StrategyError
from flip7.envs.describing import describe
from flip7.envs.gym import Flip7Env, Flip7VectorEnv
from flip7.envs.observation import HIT, POINTS, SEATS_FROM, STAY
from flip7.envs.stepping import LEFT_ALONE

NAME = "flip7/Flip7-v0"
SHORT = Rules(target=60)


def make(**options: Any) -> Any:
    return gymnasium.make(NAME, **{"rules": SHORT, **options})


class Plain:
    """An opponent in plain Python: stays at 15, and gives every card to the first who may get it."""

    def turn(self, position: Position) -> str:
        ask = position.decision
        assert ask is not None
        return "stay" if position.seats[ask.seat].points >= 15 else "hit"

    def target(self, position: Position) -> int:
        assert position.decision is not None
        return int(position.decision.options[0])


@pytest.mark.parametrize("dtype", ["uint8", "float32"])
def test_the_checker_of_gymnasium_passes(dtype: str, capsys: pytest.CaptureFixture[str]) -> None:
    for mode in ("ansi", "rgb_array") if dtype == "uint8" else (None,):
        check_env(make(render_mode=mode, dtype=dtype).unwrapped)


def test_the_interface_of_the_issue() -> None:
    env = gymnasium.make(
        NAME,
        opponents=("ev", "points:25", "net"),
        rules=Rules(),
        reward="win",
        illegal="first",
        render_mode=None,
    )
    seen, info = env.reset(seed=1)
    assert env.observation_space.contains(seen)
    assert info["action_mask"].dtype == np.int8
    assert "asked of oneself" in describe(seen)


def test_a_game_ends_with_its_reward_and_shows_its_end() -> None:
    env = make()
    rewards = set()
    for seed in range(20):
        seen, info = env.reset(seed=seed)
        over = False
        while not over:
            assert "asked of oneself" in describe(seen)
            mask = info["action_mask"]
            wanted = HIT if seen[SEATS_FROM + POINTS] < 20 else STAY
            seen, reward, over, truncated, info = env.step(
                wanted if mask[wanted] else len(mask) - mask[::-1].argmax() - 1
            )
            assert not truncated
            assert over or reward == 0.0
        assert "the game is over" in describe(seen)
        assert not info["action_mask"].any()
        rewards.add(round(float(reward), 4))
    assert rewards == {1.0, -0.3333}


def test_after_the_end_and_in_the_middle_reset_goes_on_with_the_next_game() -> None:
    env, same = make(), make()
    first, _ = env.reset(seed=3)
    second, _ = env.reset()
    assert not np.array_equal(first, second)
    same.reset(seed=3)
    assert np.array_equal(same.reset()[0], second)


@pytest.mark.parametrize(
    ("opponents", "options", "steps"),
    [
        (("ev", "points:25", "net"), {"dtype": "float32"}, 120),
        # Who is asked in plain Python may be asked, and may bank, before the learner's first question of a game.
        ((Plain(), "net", Plain()), {"rules": Rules(target=30)}, 80),
    ],
    ids=["compiled", "plain"],
)
def test_a_vector_is_what_gymnasium_makes_of_single_environments(
    opponents: Any, options: dict[str, Any], steps: int
) -> None:
    """Observations, rewards, ends and infos, at every step, as those of Gymnasium's own vector."""
    options = {"rules": SHORT, "opponents": opponents, "reward": "points", **options}
    many = gymnasium.make_vec(NAME, num_envs=8, vectorization_mode="vector_entry_point", **options)
    same = AutoresetMode.SAME_STEP
    single = SyncVectorEnv([lambda: Flip7Env(**options)] * 8, autoreset_mode=same)
    assert many.metadata["autoreset_mode"] == same
    agree(many.reset(seed=40), single.reset(seed=40))
    random = np.random.default_rng(1)
    masks = many.reset(seed=np.int64(40))[1]["action_mask"]  # type: ignore[arg-type]  # a seed may come from NumPy
    ended = 0
    for _ in range(steps):
        actions = (masks * random.random(masks.shape)).argmax(axis=1)
        got = many.step(actions)
        agree(got, single.step(actions))
        masks = got[4]["action_mask"]
        ended += got[2].sum()
    assert ended > 8


def test_without_a_seed_the_tables_of_a_vector_go_on_with_their_streams() -> None:
    """As those of Gymnasium's own vector do, which resets single environments."""
    many = Flip7VectorEnv(3, rules=SHORT)
    single = SyncVectorEnv([make] * 3, autoreset_mode=AutoresetMode.SAME_STEP)
    for seed in (7, None, [None, 3, None], None):
        got = many.reset(seed=seed)
        agree(got, single.reset(seed=seed))
        for _ in range(40):
            actions = got[1]["action_mask"].argmax(axis=1)
            *_, infos = step = many.step(actions)
            agree(step, single.step(actions))
            got = step[0], infos


def agree(got: Any, wanted: Any) -> None:
    """The same arrays of the same types, at every depth."""
    if isinstance(wanted, dict):
        assert got.keys() == wanted.keys()
        for name in wanted:
            agree(got[name], wanted[name])
    elif isinstance(wanted, tuple) or wanted.dtype == object:
        for one, other in zip(got, wanted, strict=True):
            assert (one is None) == (other is None)
            if other is not None:
                agree(one, other)
    else:
        assert got.dtype == wanted.dtype
        assert np.array_equal(got, wanted)


def test_opponents_that_cannot_be_compiled_play_to_the_end() -> None:
    env = make(opponents=(Plain(), "points:20", "net"), rules=Rules(target=20))
    _, info = env.reset(seed=2)
    over = False
    while not over:
        _, reward, over, _, info = env.step(env.action_space.sample(info["action_mask"]))
    assert reward in (1.0, -1 / 3)


class Unwell(Plain):
    """An opponent that fails once."""

    well = False

    def turn(self, position: Position) -> str:
        if not self.well:
            self.well = True
            raise ZeroDivisionError("seven")
        return super().turn(position)


@pytest.mark.parametrize("vector", [False, True])
def test_after_an_opponent_has_failed_only_a_reset_helps(*, vector: bool) -> None:
    """Its table still waits for it: no action of the learner's may be taken for its own."""
    unwell = Unwell()
    unwell.well = True
    env = Flip7VectorEnv(3, opponents=(unwell, "net"), rules=SHORT) if vector else make(opponents=(unwell, "net"))
    actions: Any = [HIT] * 3 if vector else HIT

    def play_on() -> None:
        while True:
            env.step(actions)

    env.reset(seed=4)
    unwell.well = False
    with pytest.raises(StrategyError, match="ZeroDivisionError: seven"):
        play_on()
    with pytest.raises(RuntimeError, match="an opponent has failed"):
        env.step(actions)
    first, _ = env.reset(seed=4)
    assert np.array_equal(env.reset(seed=4)[0], first)
    env.step(actions)


@pytest.mark.parametrize("vector", [False, True])
def test_a_forbidden_action_counts_as_the_first_legal_one_or_is_an_error(*, vector: bool) -> None:
    def ready(**options: Any) -> Any:
        env = Flip7VectorEnv(2, rules=SHORT, **options) if vector else make(**options)
        return env, env.reset(seed=5)[1]["action_mask"]

    lenient, mask = ready()
    exact, _ = ready()
    strict, _ = ready(illegal="error")
    first, wrong = mask.argmax(axis=-1), (1 - mask).argmax(axis=-1)
    assert np.array_equal(lenient.step(wrong)[0], exact.step(first)[0])
    last = [first[0], wrong[1]] if vector else wrong
    with pytest.raises(ValueError, match=f"table {int(vector)}: action {np.max(last)} is forbidden"):
        strict.step(last)
    none = np.full_like(first, LEFT_ALONE)
    with pytest.raises(ValueError, match=f"table 0: action {LEFT_ALONE} is forbidden"):
        strict.step(none)
    for env in (lenient, exact):
        env.reset(seed=5)
    assert np.array_equal(lenient.step(none)[0], exact.step(first)[0])
    exact.reset(seed=5)
    assert np.array_equal(strict.step(first)[0], exact.step(first)[0])


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))], ids=["copy", "pickle"])
def test_a_copy_plays_on_as_the_environment_would(copied: Any) -> None:
    single = make(opponents=(Plain(), "points:25", "net"), dtype="float32")
    for env in (single, Flip7VectorEnv(3, rules=SHORT)):
        seen, infos = env.reset(seed=8)
        mask = infos["action_mask"]
        twin = copied(env)
        for _ in range(20):
            action = mask.argmax(axis=-1)
            got = env.step(action)
            for one, other in zip(got[:4], twin.step(action)[:4], strict=True):
                assert np.array_equal(one, other)
            assert not np.array_equal(got[0], seen)
            if env is single and got[2]:
                break
            mask = got[4]["action_mask"]


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"opponents": ("eve",)}, StrategyError, "unknown strategy 'eve'; did you mean 'ev'?"),
        ({"opponents": "ev"}, ValueError, "a list of strategies is needed"),
        ({"opponents": (7,)}, StrategyError, "7 is no strategy"),
        ({"opponents": ("ev",) * 36}, ValueError, "36 opponents: at most 35"),
        ({"illegal": "ignore"}, ValueError, "illegal 'ignore': it is one of first, error"),
        ({"reward": "score"}, ValueError, "reward 'score'"),
        ({"render_mode": "svg"}, ValueError, "render_mode 'svg': it is one of ansi, human, rgb_array"),
        ({"rules": 200}, ValueError, "flip7.Rules is needed"),
    ],
)
def test_wrong_arguments_are_refused(options: dict[str, Any], error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=re.escape(words)):
        Flip7Env(**options)


@pytest.mark.parametrize("many", [0, 2.0, "8", 1 << 21])
def test_a_wrong_number_of_tables_is_refused_under_the_name_that_gymnasium_gives_it(many: Any) -> None:
    with pytest.raises(ValueError, match=re.escape(f"num_envs {many!r}: a whole number from 1 to 1,048,576 is needed")):
        gymnasium.make_vec(NAME, num_envs=many, vectorization_mode="vector_entry_point", opponents=("ev",))


def test_before_the_first_reset_there_is_no_step() -> None:
    for env, action in ((Flip7Env(), HIT), (Flip7VectorEnv(2), [HIT, HIT])):
        with pytest.raises(ResetNeeded, match="no game has begun"):
            env.step(action)


def test_a_vector_is_not_shown_and_wants_a_seed_for_each_table() -> None:
    with pytest.raises(ValueError, match="a vector of tables cannot be shown"):
        Flip7VectorEnv(2, render_mode="ansi")
    many = Flip7VectorEnv(2)
    with pytest.raises(ValueError, match="3 seeds for 2 tables"):
        many.reset(seed=[1, 2, 3])
    for seed in (-1, 2.5, "x"):
        with pytest.raises(ValueError, match=f"seed {seed!r}"):
            many.reset(seed=seed)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="no reset_mask can be obeyed"):
        many.reset(options={"reset_mask": np.array([True, False])})
    first, _ = many.reset(seed=[5, 5], options={})
    assert np.array_equal(first[0], first[1])
    assert np.array_equal(many.reset(seed=np.array([5, 5]))[0], first)  # type: ignore[arg-type]


def test_what_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    env = make(render_mode="human")
    env.reset(seed=1)
    shown = capsys.readouterr().out
    assert "you: hit or stay?" in shown or "you: who gets the" in shown
    assert shown.count("total 0") == 4
    picture = make(render_mode="rgb_array")
    picture.reset(seed=1)
    pixels = picture.render()
    assert pixels.dtype == np.uint8
    assert pixels.shape == (532, 960, 3)
    assert len(np.unique(pixels.reshape(-1, 3), axis=0)) > 50
    with pytest.raises(ValueError, match="render_mode was not given"):
        make().unwrapped.render()


def test_text_tells_of_cards_that_lie_in_front_of_nobody() -> None:
    from flip7.envs.pictures import text

    game = Game(3, deck=["flip3", "freeze", "flip3", "5"], seed=1)
    assert "discard pile 0 · pending: flip3 · seat 1: who gets the flip3?" in text(game.position)
    game.play(1)
    assert "discard pile 0 · pending: freeze flip3 · you: who gets the freeze?" in text(game.position, you=1)
    assert "pending" not in text(Position("0:12/0:1 turn@0"))


def test_pictures_of_many_seats_are_lower(monkeypatch: pytest.MonkeyPatch) -> None:
    from flip7.envs.pictures import picture

    game = Game(18, seed=4)
    for _ in range(30):
        game.play(game.decision.options[0] if game.decision else "stay")
    assert picture(game.position).shape == (72 + 18 * 64 + 12, 960, 3)


def test_in_a_picture_no_card_covers_another() -> None:
    """Each is seen whole, from its left edge to its right one. Only a deck made for it brings more than have room."""
    from flip7.envs.pictures import PAPER, PRINT, picture

    hand = ",".join(["10", "11", "12", "9", "8", "7"] + ["+2"] * 9)
    pixels = picture(Position(f"0:{hand}/0:- turn@0 draw={'.'.join(['9'] * 22)}"))
    line = pixels[72 + 8 + 47]  # through the middle of the first seat
    edges = [x for x in range(240, 960) if tuple(line[x]) == PRINT and tuple(line[x - 1]) != PRINT]
    papers = {x for x in range(240, 960) if tuple(line[x]) == PAPER}
    numbers = [x for x in edges if x + 3 in papers or x - 1 in papers]
    assert len(numbers) == 12
    widths = {right - left for left, right in zip(numbers[::2], numbers[1::2], strict=True)}
    assert len(widths) == 1
    packed = Position(f"0:{','.join(['+2'] * 120)}/0:- turn@0 draw={'.'.join(['9'] * 22)}")
    assert picture(packed).shape == (72 + 2 * 112 + 12, 960, 3)


@pytest.mark.parametrize("cards", ["0,1,2,3,4,4", "5,6,7,8,9,9", "10,11,12,+6,x2,freeze,flip3,second,10"])
def test_in_a_picture_cards_of_a_busted_hand_can_be_read(cards: str) -> None:
    """What is printed on a faded card stands out from its paper as WCAG 2.1 asks of large text, 3 to 1."""
    from flip7.envs.pictures import picture

    def light(colour: tuple[int, ...]) -> float:
        red, green, blue = (x / 3294.6 if x < 11 else ((x / 255 + 0.055) / 1.055) ** 2.4 for x in colour)
        return 0.05 + 0.2126 * red + 0.7152 * green + 0.0722 * blue

    pixels = picture(Position(f"0:12/0b:{cards} turn@0"))
    for place in range(len(cards.split(","))):
        left, top = 240 + 70 * place, 72 + 112 + 8
        inside = pixels[top + 6 : top + 80, left + 6 : left + 56].reshape(-1, 3)
        colours, counts = np.unique(inside, axis=0, return_counts=True)
        paper, ink = (light(tuple(colours[at].tolist())) for at in np.argsort(counts)[:-3:-1])
        assert max(paper, ink) / min(paper, ink) >= 3, cards.split(",")[place]
