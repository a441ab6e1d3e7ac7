"""Batches: the same games in both builds and in the library, what is written about them, and what is refused."""

from __future__ import annotations

import copy
import pickle
import re
from typing import Any

import numpy as np
import pytest

from flip7 import Card, Game, Rules
from flip7.envs import Batch
from flip7.envs.cells import LEAST_ACTIONS, Cell, cell_layout
from flip7.envs.core import LARGE_PAGE
from flip7.envs.observation import GIVE, HIT, ROUND, STAY, after, allow, observe, row_size
from flip7.rules.cards import CARDS
from flip7.rules.log import CARD_FLIPPED
from flip7.rules.table import GAME_OVER

from .interpreted import Interpreted

ACTION_PACKED = {
    Card(text): n for text, n in [("1", 1), ("12", 2), ("x2", 1), ("freeze", 2), ("flip3", 9), ("second", 4)]
}


def legal(masks: Any, random: np.random.Generator, patience: float = 0.0) -> Any:
    """Some action that is allowed, at every table; with patience it is rarely to stay."""
    weight = masks * random.random(masks.shape)
    weight[:, STAY] *= 1.0 - patience
    return weight.argmax(axis=1)


@pytest.mark.parametrize(
    ("players", "rules", "tables", "patience", "turns", "games"),
    [
        (4, Rules(target=15), 100, 0.5, 60, 450),
        (1, Rules(target=20, first="dealer"), 100, 0.8, 60, 500),
        (3, Rules(target=15, composition=ACTION_PACKED), 150, 0.8, 60, 300),
        (2, Rules(target=15, reshuffle="round", dealer=1), 150, 0.5, 60, 1_050),
        (2, Rules(target=300), 12, 0.4, 300, 25),
        (36, Rules(target=15), 5, 0.3, 300, 12),
    ],
    ids=["four", "one", "actions", "two", "far", "most"],
)
def test_thousands_of_games_agree_with_plain_python_and_with_the_library(
    players: int, rules: Rules, tables: int, patience: float, turns: int, games: int
) -> None:
    """Card by card, observation by observation, mask by mask: the batch, the same code interpreted, and `Game`."""
    plain = Interpreted(tables, players, rules, 9, "points")
    batch = Batch(tables, players, rules, seed=9, reward="points")
    wide = Batch(tables, players, rules, seed=9, dtype="float32", reward="points")
    assert finished_games(plain, [batch, wide], patience, turns) >= games


@pytest.mark.parametrize(
    ("players", "rules"), [(6, Rules(target=20)), (18, Rules(target=20)), (19, Rules(target=20, first="dealer"))]
)
def test_tables_of_every_size_agree_with_the_library(players: int, rules: Rules) -> None:
    """Plain Python only: from 19 seats on there are two decks."""
    assert finished_games(Interpreted(15, players, rules, 3, "points"), [], 0.4, 40 + 12 * players) >= 30


def finished_games(plain: Interpreted, batches: list[Batch], patience: float, turns: int) -> int:
    """Play at random in all of them and in the library, and compare. Returns how many games have ended."""
    random = np.random.default_rng(5)
    players, rules = plain.rewards.shape[1], plain.rules
    games = [Game(players, rules=rules, live=True) for _ in plain.cells]
    finished = 0
    for turn in range(turns):
        for number, game in enumerate(games):
            agrees(plain, number, game)
            if batches and number % 30 == turn % 30:
                assert str(batches[0].position(number)) == str(game.position)
        for batch in batches:
            for name in ("observations", "masks", "seats", "finished", "rewards", "winners"):
                assert np.array_equal(getattr(batch, name), getattr(plain, name)), name
        actions = legal(plain.masks, random, patience)
        for number, game in enumerate(games):
            ask = game.decision
            assert ask is not None
            action = int(actions[number])
            if ask.kind == "turn":
                game.play("hit" if action == HIT else "stay")
            else:
                game.play((ask.seat + action - GIVE) % players)
        plain.step(actions.tolist())
        for batch in batches:
            batch.step(actions.astype(np.int32))
        for number in np.flatnonzero(plain.finished).tolist():
            cards = plain.cards(number)
            while games[number].decision is not None:
                games[number].play(CARDS[cards.pop(0)])
            assert games[number].winner == plain.winners[number]
            games[number] = Game(players, rules=rules, live=True)
            plain.cells[number].log[:] = [(CARD_FLIPPED, 0, card, 0, 0) for card in cards]
            finished += 1
    return finished


def agrees(plain: Interpreted, number: int, game: Game) -> None:
    """Give a live game the cards that came up, and compare it with a table."""
    for card in plain.cards(number):
        game.play(CARDS[card])
    ask = game.decision
    assert ask is not None
    assert ask.kind != "card"
    assert ask.seat == plain.seats[number]
    table = game.table
    row = [0] * row_size(table.seats)
    mask = [0] * (GIVE + table.seats)
    observe(table, table.seat, row)
    allow(table, mask)
    assert row == plain.observations[number].tolist()
    assert mask == plain.masks[number].tolist()
    allowed = {"hit": HIT, "stay": STAY}
    options = {
        allowed[option] if isinstance(option, str) and option in allowed else GIVE + after(table, ask.seat, int(option))
        for option in ask.options
    }
    assert {action for action, one in enumerate(mask) if one} == options


def test_every_table_plays_its_own_stream_and_seeds_tell_batches_apart() -> None:
    one, same, other = (Batch(50, 4, seed=seed) for seed in (1, 1, 2))
    assert np.array_equal(one.observations, same.observations)
    assert not np.array_equal(one.observations, other.observations)
    assert len({row.tobytes() for row in one.observations}) > 40
    first = one.observations.copy()
    one.step(one.masks.argmax(axis=1))
    one.reset(1)
    assert np.array_equal(one.observations, first)
    one.reset(None)
    assert not np.array_equal(one.observations, first)


def test_arrays_are_written_in_place_and_have_the_promised_shapes() -> None:
    batch = Batch(tables=6, players=4, rules=None, seed=0, dtype="float32", reward="win")
    names = ("observations", "masks", "seats", "finished", "rewards", "winners")
    before = {name: getattr(batch, name) for name in names}
    shapes = {name: array.shape for name, array in before.items()}
    assert shapes == {
        "observations": (6, row_size(4)),
        "masks": (6, 6),
        "seats": (6,),
        "finished": (6,),
        "rewards": (6, 4),
        "winners": (6,),
    }
    assert batch.observations.dtype == np.float32
    assert batch.masks.dtype == np.int8
    batch.step(batch.masks.argmax(axis=1))
    assert all(getattr(batch, name) is array for name, array in before.items())


@pytest.mark.parametrize("dtype", ["uint8", "float32"])
def test_large_arrays_lie_in_large_pages(dtype: Any) -> None:
    """Processors find them more quickly there."""
    batch = Batch(8_192, 4, dtype=dtype)
    for array in (batch.cells, batch.observations):
        assert array.ctypes.data % LARGE_PAGE == 0
        assert array.flags.c_contiguous


@pytest.mark.parametrize("kind", [np.int8, np.uint16, np.int64, np.uint64, list])
def test_actions_may_be_any_whole_numbers(kind: Any) -> None:
    batch = Batch(3, 4)
    actions = batch.masks.argmax(axis=1)
    batch.step(actions.tolist() if kind is list else actions.astype(kind))


@pytest.mark.parametrize(
    ("actions", "words"),
    [
        ([0, 5, 0], "table 1: action 5 is forbidden; allowed are 0 (hit), 1 (stay)"),
        ([0, 0, -1], "table 2: action -1 is forbidden"),
        ([0, 0, 64], "table 2: action 64 is forbidden"),
        ([0, -(1 << 62), 0], "table 1: action -4611686018427387904 is forbidden; allowed are 0 (hit), 1 (stay)"),
        (np.array([0, 0, 3 << 62], np.uint64), "table 2: action -4611686018427387904 is forbidden"),
        ([0, 0], "an array of 3 whole numbers is needed, not (2,)"),
        ([0.0, 0.0, 0.0], "an array of 3 whole numbers is needed, not (3,) of float64"),
        ([True, True, True], "of bool"),
    ],
)
def test_a_forbidden_action_names_its_table_and_moves_none(actions: list[float], words: str) -> None:
    batch = next(batch for seed in range(99) if (batch := Batch(3, 4, seed=seed)).masks[:, :GIVE].all())
    before = batch.cells.copy()
    with pytest.raises(ValueError, match=re.escape(words)):
        batch.step(actions)
    assert np.array_equal(batch.cells, before)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"tables": 0}, "tables 0: a whole number from 1"),
        ({"tables": 2.5}, "tables 2.5"),
        ({"players": 37}, "players 37: a whole number from 1 to 36"),
        ({"players": True}, "players True"),
        ({"rules": {"target": 100}}, "flip7.Rules is needed"),
        ({"rules": Rules(dealer=4)}, "dealer 4"),
        ({"rules": Rules(target=70_000)}, "target 70000: an environment plays to 65000"),
        ({"rules": Rules(composition={Card.N12: 300})}, "300 copies of 12"),
        ({"seed": -1}, "seed -1"),
        ({"seed": "x"}, "seed 'x'"),
        ({"dtype": "int32"}, "dtype 'int32': it is one of uint8, float32"),
        ({"reward": "score"}, "reward 'score': it is one of win, points"),
        ({"rules": Rules(composition={Card.N1: 1})}, "never ask anybody anything"),
    ],
)
def test_wrong_arguments_are_refused_with_what_would_be_right(arguments: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=re.escape(words)):
        Batch(**{"tables": 2, "players": 4, **arguments})


def test_without_arguments_it_is_4096_tables_of_four() -> None:
    batch = Batch()
    assert (batch.tables, batch.players, batch.rules, batch.dtype, batch.reward) == (4096, 4, Rules(), "uint8", "win")
    assert np.array_equal(batch.observations[:9], Batch(9, 4, seed=0).observations)


def test_a_win_is_worth_one_and_a_loss_its_share() -> None:
    batch = Batch(64, 4, Rules(target=30), seed=3)
    random = np.random.default_rng(1)
    seen = 0
    for _ in range(80):
        batch.step(legal(batch.masks, random))
        for table in range(64):
            if batch.finished[table]:
                seen += 1
                expected = np.full(4, -1 / 3, np.float32)
                expected[batch.winners[table]] = 1.0
                assert np.allclose(batch.rewards[table], expected)
            else:
                assert batch.winners[table] == -1
                assert not batch.rewards[table].any()
    assert seen > 50


def test_alone_it_is_the_challenge_that_is_rewarded() -> None:
    """SOLO-1: one for fewer than five rounds, nothing otherwise."""
    batch = Batch(200, 1, Rules(target=60), seed=3)
    random = np.random.default_rng(1)
    rewards = set()
    rounds = batch.observations[:, ROUND].astype(int)
    for _ in range(80):
        batch.step(legal(batch.masks, random, 0.6))
        for table in np.flatnonzero(batch.finished).tolist():
            reward = float(batch.rewards[table, 0])
            rewards.add(reward)
            # Who has been asked in the fifth round has not met it.
            assert reward == 0.0 or rounds[table] < 5
        rounds = batch.observations[:, ROUND].astype(int)
    assert rewards == {0.0, 1.0}


def test_points_add_up_to_the_totals() -> None:
    """What a new game brings before its first question is not counted: no action has led to it."""
    batch = Batch(40, 3, Rules(target=80), seed=8, reward="points")
    random = np.random.default_rng(2)
    earned = totals(batch)
    for _ in range(60):
        batch.step(legal(batch.masks, random))
        earned += batch.rewards
        for table in np.flatnonzero(batch.finished).tolist():
            best = int(earned[table].argmax())
            assert best == batch.winners[table]
            assert earned[table, best] >= 80
        earned[batch.finished] = totals(batch)[batch.finished]
        assert np.array_equal(earned, totals(batch))


def totals(batch: Batch) -> Any:
    """Every seat's total, at every table."""
    return np.array([[seat.total for seat in batch.position(table).seats] for table in range(batch.tables)], float)


@pytest.mark.parametrize(
    ("players", "rules", "seats", "actions", "pile"),
    [
        (1, Rules(), 4, 16, 112),
        (5, Rules(), 8, 16, 112),
        (18, Rules(), 18, 16, 112),
        (36, Rules(), 36, 16, 224),
        (4, Rules(composition={Card.FLIP3: 17, Card.N12: 100}), 4, 32, 224),
    ],
)
def test_a_cell_is_as_small_as_the_game_allows(players: int, rules: Rules, seats: int, actions: int, pile: int) -> None:
    layout = cell_layout(Cell(rules, players))
    assert layout["hands"][1] == (seats, 22)
    assert layout["stack_card"][1] == layout["stack_seat"][1] == (actions,)
    assert layout["pile"][1] == (pile,)


class Room(list[Any]):
    """A list that is as strict as memory should be: no place before its first one, none after its last."""

    def __getitem__(self, at: Any) -> Any:
        assert at >= 0
        return super().__getitem__(at)

    def __setitem__(self, at: Any, value: Any) -> None:
        assert at >= 0
        super().__setitem__(at, value)


def with_room(values: list[Any], shape: tuple[int, ...]) -> Room:
    """The same values, with as much room as an array of this shape has."""
    if len(shape) == 1:
        return Room([*values, *[0] * shape[0]][: shape[0]])
    return Room(with_room(values[i] if i < len(values) else [], shape[1:]) for i in range(shape[0]))


def test_a_deck_full_of_actions_stays_within_its_room() -> None:
    """The compiled build does not notice a store out of range: this one, in lists as long as its arrays, does."""
    rules = Rules(composition={Card.FLIP3: 120, Card.FREEZE: 20, Card.N12: 9, Card.N1: 40})
    plain = Interpreted(20, 5, rules, 1)
    for cell in plain.cells:
        for name, (_, shape) in cell_layout(cell).items():
            if shape:
                setattr(cell, name, with_room(getattr(cell, name), shape))
    random = np.random.default_rng(1)
    deepest = 0
    for _ in range(100):
        plain.step(legal(plain.masks, random).tolist())
        deepest = max(deepest, *(cell.stack_count for cell in plain.cells))
    assert len(plain.cells[0].stack_card) == 256
    assert deepest > LEAST_ACTIONS


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda it: pickle.loads(pickle.dumps(it))], ids=["copy", "pickle"])
@pytest.mark.parametrize("dtype", ["uint8", "float32"])
def test_a_copy_plays_on_as_the_batch_would(copied: Any, dtype: Any) -> None:
    batch = Batch(6, 4, Rules(target=30), seed=4, dtype=dtype, reward="points")
    for _ in range(3):
        batch.step(batch.masks.argmax(axis=1))
    before = batch.observations.copy()
    twin = copied(batch)
    for _ in range(20):
        twin.step(twin.masks.argmax(axis=1))
    assert np.array_equal(batch.observations, before)
    for _ in range(20):
        batch.step(batch.masks.argmax(axis=1))
    for name in ("observations", "masks", "seats", "finished", "rewards", "winners"):
        assert np.array_equal(getattr(batch, name), getattr(twin, name)), name
    assert not np.array_equal(batch.observations, before)


def test_a_position_and_what_another_seat_sees() -> None:
    batch = Batch(2, 4, seed=5)
    position = batch.position(1)
    asked = int(batch.seats[1])
    assert position.decision is not None
    assert position.decision.seat == asked
    assert np.array_equal(batch.seen_from(asked, 1), batch.observations[1])
    row = [0] * row_size(4)
    other = (asked + 1) % 4
    observe(position.table, other, row)
    assert batch.seen_from(other, 1).tolist() == row


@pytest.mark.parametrize("table", [-1, 2, 1 << 40, 0.5, "first"])
def test_of_a_table_that_is_not_there_nothing_is_told(table: Any) -> None:
    """The compiled build would read, and write, what lies beside the tables."""
    batch = Batch(2, 4, seed=5)
    for told in (lambda: batch.position(table), lambda: batch.seen_from(0, table)):
        with pytest.raises(ValueError, match=re.escape(f"table {table!r}: a whole number from 0 to 1 is needed")):
            told()


def test_a_table_that_is_left_at_its_end_takes_no_action() -> None:
    batch = Batch.of_single_games(1, 2, Rules(target=10), "uint8", "win")
    batch.reset(1)
    while not batch.finished[0]:
        batch.step(batch.masks.argmax(axis=1))
    assert batch.cells["waiting"][0] == GAME_OVER
    with pytest.raises(ValueError, match="none: the game is over"):
        batch.step([0])
    batch.begin()
    assert not batch.finished[0]
    assert batch.masks.any()
