"""OpenSpiel: its own suites with this game named, its own search on a tiny deck, and the same games as the library."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pyspiel  # type: ignore[import-not-found]
import pytest

from flip7 import Card, Rules, solve
from flip7.envs import openspiel
from flip7.envs.observation import GIVE, observe, row_size
from flip7.rules.table import AWAIT_CARD

from .interpreted import Interpreted

ROOT = Path(__file__).resolve().parent.parent.parent
PLAYTHROUGHS = Path(__file__).with_name("playthroughs")
TINY = "1:1;5:2;12:2;x2:1;freeze:1"


def load(**parameters: Any) -> Any:
    return pyspiel.load_game("python_flip7", parameters)


@pytest.mark.parametrize(
    "parameters",
    [
        {"players": 3, "target": 30},
        {"players": 1, "target": 30},
        {"players": 4, "target": 40, "reward": "points"},
        {"players": 10, "target": 200, "rounds": 1},
        {"players": 2, "composition": TINY, "rounds": 2, "reward": "points"},
    ],
    ids=["win", "alone", "points", "ten", "tiny"],
)
def test_random_simulation_passes(parameters: dict[str, Any]) -> None:
    pyspiel.random_sim_test(load(**parameters), num_sims=2, serialize=True, verbose=False)


def test_the_api_tests_pass_with_this_game_named() -> None:
    """The suite as it is shipped. It reads the list of games when it is imported, so ours has to be there first."""
    script = (
        "import unittest, flip7.envs.openspiel\n"
        "from absl import flags\n"
        "from open_spiel.integration_tests import api_test\n"
        "flags.FLAGS(['api_test', '--test_only_games=^python_flip7$'])\n"
        "suite = api_test.load_tests(unittest.defaultTestLoader, None, None)\n"
        "result = unittest.TextTestRunner().run(suite)\n"
        "raise SystemExit(0 if result.wasSuccessful() and result.testsRun >= 4 else 1)\n"
    )
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, cwd=ROOT, check=False)
    assert run.returncode == 0, run.stdout + run.stderr


@pytest.mark.parametrize("deck", [TINY, "1:2;2:2;3:2;+4:1;second:1", "3:3;12:2;flip3:1;freeze:1"])
def test_expectimax_of_openspiel_finds_what_solve_finds(deck: str) -> None:
    """One player, points, one round: the same number, from another program's search through our chance nodes."""
    from open_spiel.python.algorithms import minimax  # type: ignore[import-untyped]

    game = load(players=1, composition=deck, reward="points", rounds=1)
    value, _ = minimax.expectiminimax(game.new_initial_state(), 1_000, lambda state: 0.0, 0)
    composition = openspiel.read_composition(deck)
    assert value == pytest.approx(solve(Rules(composition=composition)).value, abs=1e-12)


def test_the_games_of_a_batch_are_those_of_openspiel() -> None:
    """The cards of a seed given as outcomes of chance: the same questions, observations and ends."""
    rules = Rules(target=30)
    game = load(players=3, target=30)
    plain = Interpreted(20, 3, rules, 4)
    observer = game.make_py_observer()
    states = [game.new_initial_state() for _ in range(20)]
    ended = 0
    for turn in range(40):
        actions = []
        for number in range(20):
            state = states[number]
            for card in plain.cards(number):
                if state.is_terminal():
                    winner = max(range(3), key=state.returns().__getitem__)
                    assert winner == plain.winners[number]
                    state = states[number] = game.new_initial_state()
                    ended += 1
                assert state.is_chance_node()
                state.apply_action(card)
            seat = int(plain.seats[number])
            assert state.current_player() == seat
            allowed = [action for action in range(GIVE + 3) if plain.masks[number][action]]
            assert state.legal_actions() == allowed
            observer.set_from(state, seat)
            assert observer.tensor.tolist() == plain.observations[number].tolist()
            actions.append(allowed[(turn * 7 + number) % len(allowed)])
            state.apply_action(actions[-1])
        plain.step(actions)
    assert ended > 20


def test_what_players_and_chance_see_and_do_is_told_in_words() -> None:
    game = load(players=2, composition="7:2;12:2;freeze:2", target=40)
    state = game.new_initial_state()
    assert [(game_card, round(chance, 4)) for game_card, chance in state.chance_outcomes()] == [
        (Card.N7.face, 0.3333),
        (Card.N12.face, 0.3333),
        (Card.FREEZE.face, 0.3333),
    ]
    assert state.action_to_string(state.current_player(), Card.FREEZE.face) == "freeze"
    state.apply_action(Card.FREEZE.face)
    assert state.current_player() == 1
    assert [state.action_to_string(1, action) for action in state.legal_actions()] == [
        "give the card to oneself",
        "give the card to the seat 1 after one's own",
    ]
    row = [0] * row_size(2)
    observe(state.table, 0, row)
    assert state.observation_tensor(0) == row
    assert state.information_state_tensor(0) == row
    assert str(state) in state.observation_string(0)
    assert state.information_state_string(1) == "p1 19"


def test_while_a_card_is_to_come_up_no_player_may_do_anything() -> None:
    """OpenSpiel itself would write 22 cards into a mask of five actions."""
    state = load(players=3).new_initial_state()
    for one in (state, state.clone()):
        assert [one.legal_actions_mask(player) for player in range(3)] == [[0] * 5] * 3
        assert one.legal_actions_mask() == one.legal_actions_mask(pyspiel.PlayerId.CHANCE) == [1] * 22
    for card in (Card.N12, Card.N5, Card.N11):
        state.apply_action(card.face)
    asked = [1, 1, 0, 0, 0]
    assert state.legal_actions_mask() == state.legal_actions_mask(1) == asked
    assert state.legal_actions_mask(0) == state.legal_actions_mask(2) == [0] * 5


def test_a_state_is_cloned_and_saved_whole() -> None:
    game = load(players=3, target=20)
    state = game.new_initial_state()
    while state.table.waiting == AWAIT_CARD or state.table.round < 2:
        outcomes = state.chance_outcomes() if state.is_chance_node() else [(state.legal_actions()[-1], 1.0)]
        state.apply_action(outcomes[len(state.history()) % len(outcomes)][0])
    twin = state.clone()
    assert str(twin) == str(state)
    twin.apply_action(twin.legal_actions()[0])
    assert str(twin) != str(state)
    _, again = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(game, state))
    assert str(again) == str(state)


def test_a_playthrough_can_be_written() -> None:
    from open_spiel.python.algorithms import generate_playthrough

    text = generate_playthrough.playthrough("python_flip7(players=2,target=10,rounds=1)", None)
    assert 'GameType.short_name = "python_flip7"' in text
    assert "IsTerminal() = True" in text


@pytest.mark.parametrize("path", sorted(PLAYTHROUGHS.glob("*.txt")), ids=lambda path: path.stem)
def test_what_was_played_through_once_plays_through_in_the_same_way(path: Path) -> None:
    """The game's parameters, and every state with all that it shows. `playthrough(NAME, None, seed=1)` wrote these."""
    from open_spiel.python.algorithms import generate_playthrough

    kept = path.read_text(encoding="utf-8")
    name = kept.splitlines()[0].removeprefix("game: ")
    actions = [int(action) for action in re.findall(r"^action: (\d+)$", kept, re.MULTILINE)]
    assert generate_playthrough.playthrough(name, actions).splitlines() == kept.splitlines()


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({"players": 11}, "players 11: a whole number from 1 to 10"),
        ({"players": 0}, "players 0"),
        ({"target": 0}, "target 0"),
        ({"reward": "score"}, "reward 'score': it is one of win, points"),
        ({"rounds": -1}, "rounds -1"),
        ({"composition": "7"}, "'7' should be CARD:COUNT"),
        ({"composition": "14:1"}, "'14' is no card"),
        ({"composition": "12:1;5:2;12:3"}, "12 is there twice"),
        ({"target": 65_001}, "target 65001: a whole number from 1 to 65,000 is needed"),
        ({"composition": "1:1;12:256"}, "256 copies of 12 in all decks: an environment has 255 at the most"),
    ],
)
def test_wrong_parameters_are_refused(parameters: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        load(**parameters)


def test_what_cannot_be_is_refused_and_changes_nothing() -> None:
    state = load(players=2, composition="7:2;12:2;freeze:1", rounds=1).new_initial_state()

    def refuses(action: int, words: str) -> None:
        before = str(state), state.history()
        with pytest.raises(ValueError, match=words):
            state.apply_action(action)
        assert (str(state), state.history()) == before

    for card in (Card.N5.face, -2, 22, 10**9):
        refuses(card, rf"card {card} cannot come up; these can: 7 \(7\), 12 \(12\), 19 \(freeze\)")
    state.apply_action(Card.FREEZE.face)
    refuses(Card.N7.face, "action 7 is forbidden; allowed are 2 .give the card to oneself., 3 .give")
    refuses(0, "action 0 is forbidden")
    state.apply_action(3)  # it freezes the other one
    refuses(Card.FREEZE.face, r"these can: 7 \(7\), 12 \(12\)$")
    state.apply_action(Card.N7.face)
    for action in (2, -2):
        refuses(action, rf"action {action} is forbidden; allowed are 0 \(hit\), 1 \(stay\)")
    state.apply_action(1)
    assert state.is_terminal()
    refuses(1, "none: the game is over")


def test_a_stopped_game_is_won_by_who_leads_alone() -> None:
    game = load(players=2, composition="7:2;12:2", rounds=1)
    state = game.new_initial_state()
    for action in (Card.N12.face, Card.N7.face, 1, 1):
        state.apply_action(action)
    assert state.is_terminal()
    assert state.returns() == [-1.0, 1.0]
    draw = game.new_initial_state()
    for action in (Card.N7.face, Card.N7.face, 1, 1):
        draw.apply_action(action)
    assert draw.returns() == [0.0, 0.0]
