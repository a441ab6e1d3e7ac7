"""`flip7.advise`: every choice with its chance to win, and how sure that is."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

import flip7
from flip7 import Card, Game, Position, Rules
from flip7.strategy.advice import inputs_of
from flip7.strategy.thinking import WHOLE_GAME, Mind

POSITIONS = ("34:12,9,4/51:5/40:11 turn@0", "150:12,11,10/190:5 turn@0", "100:5/160:12,9/20:3 target@0:freeze")


def test_every_choice_is_there_and_the_best_one_is_the_best() -> None:
    for text in POSITIONS:
        found = flip7.advise(text, seed=1, precision=0.03)
        ask = Position(text).decision
        assert ask is not None
        assert tuple(choice.choice for choice in found.choices) == ask.options
        best = max(found.choices, key=lambda choice: choice.win)
        assert best.choice == found.best
        assert sum(found.seats) == pytest.approx(1)
        assert found.seats[0] == pytest.approx(best.win)
        for choice in found.choices:
            assert 0 <= choice.low <= choice.win <= choice.high <= 1
            assert choice.points >= 0


def test_it_stops_when_the_precision_is_reached() -> None:
    counts = [flip7.advise(POSITIONS[0], seed=1, precision=p).rollouts for p in (0.05, 0.02, 0.01)]
    assert counts == sorted(counts)
    assert 100 <= counts[0] < counts[2] < 20_000


def test_the_same_seed_gives_the_same_advice() -> None:
    one, two, other = (flip7.advise(POSITIONS[0], seed=seed, precision=0.03) for seed in (1, 1, 2))
    assert one == two
    assert one.choices != other.choices
    assert flip7.advise(Position(POSITIONS[0]), seed=1, precision=0.03) == one


def test_what_is_clear_is_sure() -> None:
    """Behind a banked winner only a hit can help; with the game in hand only staying is right."""
    lost = flip7.advise("150:12,8/199s:12 turn@0", seed=1)
    assert (lost.best, lost.sure) == ("hit", True)
    assert lost.choices[1].win == 0
    won = flip7.advise("188:12,11/20:12,11,10,9,8/30s:5 turn@0", seed=1)
    assert won.best == "stay"
    assert won.choices[1].win > 0.95


@pytest.mark.parametrize("text", POSITIONS)
def test_the_intervals_hold_what_whole_games_say(text: str) -> None:
    """Against rollouts of whole games, which have no bias; `python -m bench strength` does it for 200 positions."""
    found = flip7.advise(text, seed=3)
    position = Position(text)
    assert position.decision is not None
    survey = Mind(position.table).survey(inputs_of(position.decision), 4, rounds=WHOLE_GAME)
    survey.add(4_000)
    for number, choice in enumerate(found.choices):
        doubt = 2.6 * survey.error(number)
        assert choice.low - doubt <= survey.win(number) <= choice.high + doubt


def test_alone_it_is_the_challenge_and_the_points_are_exact() -> None:
    found = flip7.advise("170:12,9 turn@0 round=4", seed=1)
    hit, stay = found.choices
    assert stay.win == 0
    assert hit.win > 0.1
    assert found.best == "hit"
    assert stay.points == 21
    assert hit.points == flip7.solve(position="170:12,9 turn@0 round=4").hit


@pytest.mark.parametrize("text", ["0:12,9/0:5 card@0", "0s:12,9/0s:5 round-over", "200:5/0:3 game-over"])
def test_where_nobody_is_asked_there_is_no_advice(text: str) -> None:
    with pytest.raises(ValueError, match="nobody is asked here"):
        flip7.advise(text)


@pytest.mark.parametrize("precision", [0, 1, -1])
def test_a_precision_that_is_none_is_refused(precision: float) -> None:
    with pytest.raises(ValueError, match="a number between 0 and 1"):
        flip7.advise(POSITIONS[0], precision=precision)


def test_any_deck_and_any_number_of_seats() -> None:
    house = Rules(target=40, composition={Card.N12: 3, Card.N5: 2, Card.FLIP3: 2, Card.PLUS4: 2})
    for seats, rules in ((2, house), (20, None), (36, None)):
        game = Game(seats, seed=3, rules=rules)
        found = flip7.advise(game, seed=1, precision=0.1)
        assert len(found.seats) == seats
        assert sum(found.seats) == pytest.approx(1)


def test_the_command_tells_the_same(run: Callable[..., tuple[int, str, str]]) -> None:
    status, out, _ = run("advise", POSITIONS[0], "--seed", "1", "--precision", "0.03", "--json")
    assert status == 0
    found = flip7.advise(POSITIONS[0], seed=1, precision=0.03)
    assert [choice["win"] for choice in json.loads(out)["choices"]] == [choice.win for choice in found.choices]
    status, out, _ = run("advise", POSITIONS[2], "--seed", "1", "--precision", "5%")
    assert status == 0
    assert "to seat 1" in out
    assert "Chances to win now: seat 0" in out
    for text, word in (("nonsense", "needs its seats"), ("0:12,9/0:5 card@0", "nobody is asked here")):
        status, _, err = run("advise", text)
        assert (status, word in err) == (2, True)
