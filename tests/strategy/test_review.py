"""`flip7.review`: luck and skill of a game that is over."""

from __future__ import annotations

import functools
import json
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from matplotlib import rc_context
from matplotlib.figure import Figure

import flip7
from flip7 import Card, Game, Rules
from flip7.sim import story
from flip7.sim.plots import COLOURS, STYLE
from flip7.sim.story import moment_in_words
from flip7.strategy.cast import answer
from flip7.strategy.registry import get
from flip7.strategy.review import Review, review, rollouts_at


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
        assert seat.start + seat.luck + seat.skill == seat.result
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
    assert seat.start + seat.luck + seat.skill == seat.result
    turns = [moment for moment in found.moments if moment.points]
    assert len(turns) == seat.choices > 0
    last = turns[-1]
    exact = flip7.solve(position=last.position)
    assert last.points == {"hit": exact.hit, "stay": exact.stay}


def live(deviations: dict[int, Callable[[Game], str | None]], seed: int = 3) -> Game:
    """A live game of three, with what happened beside the rules when so many answers had been given."""
    chance = Random(seed)
    game = Game(3, live=True, rules=Rules(target=40))
    while (ask := game.decision) is not None:
        deviate = deviations.get(len(game.choices))
        if deviate is not None and (word := deviate(game)) is not None:
            game.play(word)
        elif ask.kind == "card":
            game.play(chance.choice(ask.options))
        else:
            game.play(answer(get("points:20"), game))
    return game


def to_another(game: Game) -> str | None:
    """The next card comes to the seat after the one that is due."""
    ask = game.decision
    assert ask is not None
    return f"!to:{(ask.seat + 1) % 3} {ask.options[0]}" if ask.kind == "card" else None


def stays_early(game: Game) -> str | None:
    """Somebody stays who is not asked."""
    ask = game.decision
    assert ask is not None
    return f"!stay:{(ask.seat + 2) % 3}" if ask.kind != "target" else None


@functools.cache
def deviated() -> Game:
    return live(
        {
            1: to_another,
            5: lambda game: "!lost:12",
            6: lambda game: "!shuffle",
            8: stays_early,
            14: lambda game: "!leave:1",
        }
    )


def test_what_happened_beside_the_rules_is_luck() -> None:
    game = deviated()
    words = [str(choice) for choice in game.choices if str(choice).startswith("!")]
    assert [word[:5] for word in words] == ["!to:0", "!lost", "!shuf", "!stay", "!leav"]
    found = review(game.record(), seed=1, rollouts=100)
    told = [moment for moment in found.moments if moment.kind == "deviation"]
    assert [moment.choice for moment in told] == words[1:]
    assert all(moment.best is None for moment in told)
    assert [moment.seat for moment in told[2:]] == [int(word[-1]) for word in words[3:]]
    astray = found.moments[1]
    assert (astray.kind, astray.choice, astray.seat) == ("card", Card(words[0].split()[1]), 0)
    for seat in found.seats:
        assert seat.start + seat.luck + seat.skill == seat.result
        assert seat.skill <= 0
    for moment in found.moments:
        assert moment_in_words(moment, game.players)


def test_large_tables_get_fewer_rollouts_and_small_ones_all(monkeypatch: pytest.MonkeyPatch) -> None:
    """A rollout of every choice takes a hundred times as long in a game of 36 as in one of six."""
    counts = [rollouts_at(seats) for seats in range(1, 37)]
    assert counts[:6] == [1_500] * 6
    assert counts == sorted(counts, reverse=True)
    assert counts[17] == 166
    assert counts[35] == 60
    monkeypatch.setattr("flip7.strategy.review.rollouts_at", lambda seats: 10 * seats)
    game = played(2, "ev", "points:25", target=30)
    assert review(game, seed=1) == review(game, seed=1, rollouts=20)


def test_who_has_left_has_no_chance_any_more() -> None:
    found = review(deviated(), seed=1, rollouts=100)
    left = next(moment.number for moment in found.moments if moment.choice == "!leave:1")
    assert found.moments[left].before[1] > 0
    assert all(moment.after[1] == 0 for moment in found.moments[left:])
    assert found.moments[-1].round > found.moments[left].round
    assert found.seats[1].result == 0


def test_a_game_that_is_not_over_is_refused() -> None:
    with pytest.raises(ValueError, match="this game is not over"):
        flip7.review(Game(2, seed=1))
    with pytest.raises(flip7.RecordError):
        flip7.review("nonsense")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"game_or_record_text": 5}, "5 is no game: a flip7.Game that is over or the text of its record is needed"),
        ({"game_or_record_text": Game(2, seed=1).position}, "is no game"),
        ({"seed": "x"}, "seed 'x': a whole number from 0"),
        ({"rollouts": 0}, "rollouts 0: a whole number from 1 to 1,000,000 is needed"),
        ({"rollouts": 2.5}, "rollouts 2.5: a whole number from 1"),
    ],
)
def test_wrong_arguments_are_refused_with_what_would_be_right(arguments: dict[str, Any], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        flip7.review(**{"game_or_record_text": played(2, "ev", "points:25", target=30), **arguments})


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


def test_pictures_need_their_package_and_say_so_first(
    run: Callable[..., tuple[int, str, str]], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("flip7.commands.review.find_spec", lambda name: None)
    for option, file in (("--plot", "x.svg"), ("--report", "x.html")):
        status, out, err = run("review", str(tmp_path / "no such file"), option, str(tmp_path / file))
        assert (status, out) == (2, "")
        assert f"{option} needs the package 'matplotlib'" in err
        assert "[plots]" in err


def test_of_many_players_the_best_eight_are_drawn_and_it_says_so(tmp_path: Path) -> None:
    game = played(10, "ev", "points:25", target=20)
    found = review(game, seed=1, rollouts=10)
    assert game.winner is not None
    names = [f"_{seat.name}" for seat in found.seats]
    seats = [msgspec.structs.replace(seat, name=name) for seat, name in zip(found.seats, names, strict=True)]
    story.save(msgspec.structs.replace(found, seats=seats), tmp_path / "chances.svg")
    drawn = (tmp_path / "chances.svg").read_text(encoding="utf-8")
    assert "The best 8 of 10 players" in drawn
    assert sum(name in drawn for name in names) == 8
    assert names[game.winner] in drawn
    assert all(drawn.count(f"stroke: {colour}") for colour in COLOURS[:7])


def test_signs_that_the_font_lacks_are_no_reason_for_a_warning(tmp_path: Path) -> None:
    found = review(played(2, "ev", "points:25", target=20), seed=1, rollouts=10)
    seats = [msgspec.structs.replace(seat, name="張偉") for seat in found.seats]
    for kind in ("svg", "png"):
        story.save(msgspec.structs.replace(found, seats=seats), tmp_path / f"chances.{kind}")
    assert "張偉" in (tmp_path / "chances.svg").read_text(encoding="utf-8")


def test_the_picture_of_a_page_takes_the_colours_of_the_page() -> None:
    game = played(9, "ev", "points:25", target=20)
    page = story.page(review(game, seed=1, rollouts=10), game)
    assert "currentColor" in page
    assert page.count("background:") == 1  # that of the page, light or dark
    assert COLOURS[-1] not in page


@pytest.mark.parametrize("width", [5.6, 8.0])
def test_rounds_are_named_along_the_axis_without_touching(width: float) -> None:
    found = review(played(2, "ev", "points:25", target=200), seed=1, rollouts=10)
    last = found.moments[-1].number
    short = [  # twenty rounds of one card each
        msgspec.structs.replace(moment, round=max(1, moment.number - last + 20)) for moment in found.moments
    ]
    with rc_context(STYLE):
        figure = Figure(figsize=(width, 4), layout="constrained")
        axes = figure.add_subplot()
        story.draw(axes, msgspec.structs.replace(found, moments=short))
        figure.draw_without_rendering()
        boxes = [word.get_window_extent() for word in axes.get_xticklabels()]
    assert len(boxes) > 1
    assert all(left.x1 < right.x0 for left, right in pairwise(boxes))


def test_a_small_chance_of_the_challenge_can_be_seen_and_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("flip7.strategy.review.PATIENCE", 0)  # points are not what matters here
    game = played(1, "points:25", target=200)
    found = review(game, seed=1, rollouts=100)
    (seat,) = found.seats
    axes = Figure().add_subplot()
    story.draw(axes, found)
    most = max(moment.before[0] for moment in found.moments)
    assert most < 0.2
    assert most < axes.get_ylim()[1] < max(0.021, 1.1 * most)
    page = story.page(found, game)
    assert f"<td>{100 * seat.start:.1f} %</td><td>{story.signed(seat.luck)}</td>" in page
    assert found.turning_point is not None
    assert f"from {100 * found.turning_point.before[0]:.1f} % to" in moment_in_words(found.turning_point, game.players)


def test_alone_words_and_pictures_are_of_the_challenge() -> None:
    game = played(1, "points:25", target=60)
    found = review(game, seed=1, rollouts=100)
    page = story.page(found, game)
    assert "Chance to meet the challenge" in page
    assert "chance to win" not in page
    assert f"<td>{'met' if game.challenge else 'missed'}</td>" in page
    assert found.best is not None
    hit, stay = (found.best.points[choice] for choice in ("hit", "stay"))
    assert f"(points: {hit:.1f} for hit and {stay:.1f} for stay)" in moment_in_words(found.best, game.players)
