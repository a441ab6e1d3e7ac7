"""`flip7.advise`: every choice with its chance to win, and how sure that is."""

from __future__ import annotations

import json
from collections.abc import Callable
from io import StringIO
from typing import Any

import msgspec
import pytest

import flip7
from flip7 import Card, Game, Position, Rules
from flip7.commands.advise import tell
from flip7.commands.style import Style
from flip7.strategy.advice import inputs_of
from flip7.strategy.solver.solve import Problem
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
    found = flip7.advise("170:12,9,3 turn@0 round=4", seed=1)
    hit, stay = found.choices
    assert stay.win == 0
    assert hit.win > 0.1
    assert found.best == "hit"
    assert stay.points == 24
    assert hit.points == flip7.solve(position="170:12,9,3 turn@0 round=4").hit


def test_what_no_rollout_met_may_happen_all_the_same() -> None:
    """Where every rollout ended alike, the interval is as wide as Wilson's."""
    position = Position("188:12/20:12,11,10,9,8/30s:5 turn@0")
    assert position.decision is not None
    survey = Mind(position.table).survey(inputs_of(position.decision), 1)
    survey.add(100)
    survey._sums[1, 0] = survey._gaps[1, 1] = survey._gaps[1, 0] = 0.0
    assert survey.doubt(1) == pytest.approx(1.96**2 / 100, rel=0.01)
    survey._gaps[1, 1] = survey._sums[1, 0] = 50.0
    assert survey.doubt(1) == pytest.approx(1.96 * (0.25 / 100) ** 0.5, rel=0.08)
    lost = flip7.advise("150:12,8/199s:12 turn@0", seed=1)
    assert lost.choices[1].win == 0
    assert lost.rollouts > 380  # fewer cannot tell it from one in a hundred


def test_any_two_choices_are_compared_with_the_same_cards() -> None:
    position = Position(POSITIONS[2])
    assert position.decision is not None
    survey = Mind(position.table).survey(inputs_of(position.decision), 1)
    survey.add(500)
    turned = Mind(position.table).survey(inputs_of(position.decision)[1:] + inputs_of(position.decision)[:1], 1)
    turned.add(500)
    assert survey.difference_error(1, 2) == survey.difference_error(2, 1) == turned.difference_error(0, 1)
    assert survey.difference_error(0, 2) == turned.difference_error(2, 1)


def test_alone_with_the_challenge_lost_the_points_decide_and_are_exact() -> None:
    found = flip7.advise("100:12,11,10 turn@0 round=7", seed=1)
    hit, stay = found.choices
    assert hit.win == stay.win == 0
    assert hit.points < stay.points
    assert (found.best, found.sure) == ("stay", True)


@pytest.mark.parametrize("hand", ["12", "second", "+10", "x2", "0"])
def test_alone_points_are_exact_from_every_first_card_of_a_deck(hand: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Problem, "turn", lambda *_: (20.5, 1.5))  # it would take seconds
    found = flip7.advise(f"0:{hand} turn@0", seed=1, precision=0.05)
    assert [choice.points for choice in found.choices] == [20.5, 1.5]


def test_exact_points_that_take_too_long_are_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(problem: Problem, _: object) -> tuple[float, float]:
        raise AssertionError(f"{problem.states} states")

    monkeypatch.setattr(Problem, "turn", refuse)
    found = flip7.advise("100:12 turn@0 round=2", seed=1, precision=0.05, patience=2.5)
    assert found.choices[1].points == 12
    two_decks = Game(1, seed=1, rules=Rules(decks=2))
    assert flip7.advise(two_decks, seed=1, precision=0.05).choices[1].points == two_decks.seats[0].points


def test_where_memory_is_short_points_are_those_of_the_rollouts(monkeypatch: pytest.MonkeyPatch) -> None:
    def run_out(*_: object) -> tuple[float, float]:
        raise MemoryError

    monkeypatch.setattr(Problem, "turn", run_out)
    assert flip7.advise("100:12,9 turn@0 round=2", seed=1, precision=0.05).choices[1].points == 21


def test_exact_points_tell_how_far_they_are() -> None:
    shares: list[float] = []
    flip7.advise("100:12,9,8 turn@0 round=2", seed=1, precision=0.005, progress=shares.append)
    assert shares == sorted(shares)
    assert shares[-1] == pytest.approx(1)


def test_who_has_left_stays_away() -> None:
    """Two who are left play on for themselves, and one who is left alone has won (KEEP-7)."""
    gone = flip7.advise("150:12,8/199l:12/40:3 turn@0", seed=1)
    assert gone.seats[1] == 0
    assert gone.seats[0] > 0.7
    assert sum(gone.seats) == pytest.approx(1)
    alone = flip7.advise("20:12,8/199l:12 turn@0", seed=1)
    assert alone.seats == [1, 0]


@pytest.mark.parametrize("text", ["0:12,9/0:5 card@0", "0s:12,9/0s:5 round-over", "200:5/0:3 game-over"])
def test_where_nobody_is_asked_there_is_no_advice(text: str) -> None:
    with pytest.raises(ValueError, match="nobody is asked here"):
        flip7.advise(text)


@pytest.mark.parametrize("patience", ["x", None, float("nan"), True])
def test_a_patience_that_is_none_is_refused(patience: Any) -> None:
    with pytest.raises(ValueError, match=f"patience {patience!r}: a number of seconds is needed, such as 7.0"):
        flip7.advise("100:12,9,8 turn@0 round=2", patience=patience)


@pytest.mark.parametrize("precision", [0, 1, -1, float("nan"), "x", None])
def test_a_precision_that_is_none_is_refused(precision: Any) -> None:
    with pytest.raises(ValueError, match="a number between 0 and 1"):
        flip7.advise(POSITIONS[0], precision=precision)


@pytest.mark.parametrize("seed", ["x", -1, 1.5, True, 2**256])
def test_a_seed_that_is_none_is_refused(seed: Any) -> None:
    with pytest.raises(ValueError, match=rf"seed {seed!r}: a whole number from 0 to 2\^256 - 1 is needed"):
        flip7.advise(POSITIONS[0], seed=seed)


@pytest.mark.parametrize("thing", [5, None, Rules(), [POSITIONS[0]]])
def test_advice_is_for_a_game_a_position_or_its_text(thing: Any) -> None:
    with pytest.raises(ValueError, match=r"is no position: a flip7\.Game, a flip7\.Position or its text"):
        flip7.advise(thing)


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
    assert ", seed 1" in out
    for text, word in (("nonsense", "needs its seats"), ("0:12,9/0:5 card@0", "nobody is asked here")):
        status, _, err = run("advise", text)
        assert (status, word in err) == (2, True)


def test_the_command_begins_with_the_best_choice_and_says_what_it_could_not_do(
    run: Callable[..., tuple[int, str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Alone and without the challenge staying is best for its points, though its chance is the same."""
    monkeypatch.setattr("flip7.strategy.advice.MOST", 300)
    status, out, _ = run("advise", "100:12,11,10 turn@0 round=7", "--precision", "0.001")
    assert status == 0
    rows = [line.split()[0] for line in out.splitlines() if line.startswith("  ") and "%" in line]
    assert rows[-2:] == ["stay", "hit"]
    assert "and not ±0.1 %" in out
    assert "300 games for each choice, seed " in out


def test_a_precision_that_is_nearly_reached_is_told_apart_from_the_one_asked_for() -> None:
    position = Position("0:12,5,9/0:3 turn@0")
    found = flip7.advise(position, seed=1, precision=0.1)
    short = msgspec.structs.replace(found, precision=0.000503)
    assert "±0.0503 % and not ±0.05 %: more games would take too long." in tell(
        position, short, Style(StringIO()), 0.0005
    )
