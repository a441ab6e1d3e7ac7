"""`flip7.review`: luck and skill of a game that is over."""

from __future__ import annotations

import functools
import json
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest

import flip7
from flip7 import Game, Rules
from flip7.strategy.cast import answer
from flip7.strategy.registry import get
from flip7.strategy.review import Review, review


@functools.cache
def played(seats: int, *names: str, seed: int = 5, target: int = 80) -> Game:
    game = Game(seats, seed=seed, rules=Rules(target=target))
    while game.decision is not None:
        game.play(answer(get(names[game.decision.seat % len(names)]), game))
    return game


@functools.cache
def reviewed() -> Review:
    return review(played(3, "net", "points:40", "ev"), seed=1, rollouts=300)


def test_start_luck_and_skill_add_up_to_the_result() -> None:
    found = reviewed()
    assert sum(seat.start for seat in found.seats) == pytest.approx(1)
    assert sum(seat.result for seat in found.seats) == 1
    assert sum(seat.luck + seat.skill for seat in found.seats) == pytest.approx(0)
    for seat in found.seats:
        assert seat.start + seat.luck + seat.skill == pytest.approx(seat.result)
        assert seat.skill <= 0
        assert seat.start == pytest.approx(1 / 3, abs=0.08)
    game = played(3, "net", "points:40", "ev")
    assert game.winner is not None
    assert found.seats[game.winner].result == 1


def test_every_choice_and_every_card_is_a_moment() -> None:
    found, game = reviewed(), played(3, "net", "points:40", "ev")
    assert [moment.choice for moment in found.moments if moment.kind != "card"] == list(game.choices)
    cards = [event.card for event in game.events if event.kind == "card_flipped"]
    assert [moment.choice for moment in found.moments if moment.kind == "card"] == cards
    for moment in found.moments:
        assert sum(moment.before) == pytest.approx(1)
        assert sum(moment.after) == pytest.approx(1)
    for one, other in pairwise(found.moments):
        if "card" in (one.kind, other.kind):
            assert one.after == other.before
    assert found.moments[-1].after == [seat.result for seat in found.seats]


def test_moments_that_stand_out() -> None:
    found = reviewed()
    assert found.turning_point in found.moments
    assert found.best is not None
    assert found.best.margin > 0
    for seat in found.seats:
        for blunder in seat.blunders:
            assert blunder.gain <= -0.03
            assert blunder.choice != blunder.best
    if found.worst is not None:
        assert found.worst.gain == min(moment.gain for moment in found.moments if moment.best is not None)


def test_who_plays_badly_is_found_out() -> None:
    """One who always hits gives away more than the net."""
    found = review(played(2, "net", "hit", seed=2), seed=1, rollouts=300)
    assert found.seats[1].skill < found.seats[0].skill - 0.05
    assert found.seats[1].blunders
    assert found.worst is not None
    assert found.worst.seat == 1


def test_the_same_seed_gives_the_same_review_and_a_record_will_do() -> None:
    game = played(2, "ev", "points:25", target=30)
    one = review(game, seed=1, rollouts=100)
    assert review(game.record(), seed=1, rollouts=100) == one
    assert review(game, seed=2, rollouts=100) != one


def test_alone_it_is_the_challenge() -> None:
    found = review(played(1, "points:25", target=60), seed=1, rollouts=100)
    (seat,) = found.seats
    assert seat.start + seat.luck + seat.skill == pytest.approx(seat.result)
    assert any(moment.points.keys() == {"hit", "stay"} for moment in found.moments)


def test_a_game_that_is_not_over_is_refused() -> None:
    with pytest.raises(ValueError, match="this game is not over"):
        flip7.review(Game(2, seed=1))
    with pytest.raises(flip7.RecordError):
        flip7.review("nonsense")


def test_the_command(run: Callable[..., tuple[int, str, str]], tmp_path: Path) -> None:
    file = tmp_path / "game.flip7"
    file.write_text(played(2, "ev", "points:25", target=30).record())
    plot, report = tmp_path / "chances.svg", tmp_path / "review.html"
    status, out, _ = run("review", str(file), "--plot", str(plot), "--report", str(report))
    assert status == 0
    assert "luck" in out
    assert "Turning point" in out
    assert plot.read_text().lstrip().startswith("<?xml")
    page = report.read_text()
    assert "<svg" in page
    assert "Luck and skill" in page
    status, out, _ = run("review", str(file), "--json")
    assert json.loads(out)["seats"][0]["start"] == pytest.approx(0.5, abs=0.1)
    assert run("review", str(file), "--plot", str(plot))[0] == 2  # it exists
    assert "ends in .svg or .png" in run("review", str(file), "--plot", "x.gif")[2]
    file.write_text(Game(2, seed=1).record())
    assert "this game is not over" in run("review", str(file))[2]
