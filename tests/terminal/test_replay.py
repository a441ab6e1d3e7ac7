"""A recorded game on the screen: back and forth, by marks and rounds, and its review."""

from __future__ import annotations

from pathlib import Path

import msgspec
from tests.terminal.conftest import Seen, opened

from flip7.game.game import Game
from flip7.protocol.views import hands_of
from flip7.strategy.review import Moment, Review, SeatReview
from flip7.terminal.replay.frames import Frames
from flip7.terminal.replay.screen import ReplayScreen
from flip7.terminal.replay.timeline import Timeline

GOLDEN = Path(__file__).parent.parent / "golden"


def recorded(name: str = "four") -> Game:
    return Game.from_record((GOLDEN / f"{name}.flip7").read_text("utf-8"))


def at(seen: Seen) -> int:
    return seen.app.screen.query_one(Timeline).at


def test_every_state_of_every_golden_game_can_be_shown() -> None:
    for path in sorted(GOLDEN.glob("*.flip7")):
        game = recorded(path.stem)
        frames = Frames(game)
        for number in range(0, len(frames), 7):
            scene = frames.scene(number)
            hands = hands_of(frames.frames[number].position)
            assert [seat.points for seat in scene.seats] == [hand.points for hand in hands]
        last = frames.scene(len(frames) - 1)
        assert last.winner == game.winner
        assert [list(points) for points in last.rounds] == game.rounds


def test_marks_are_where_things_happened() -> None:
    frames = Frames(recorded())
    kinds = [mark.kind for mark in frames.marks]
    assert kinds.count("round") == len(frames.game.rounds)
    assert kinds[-1] == "over"
    busts = [mark.frame for mark in frames.marks if mark.kind == "bust"]
    for frame in busts:
        assert any(event.kind == "player_busted" for event in frames.frames[frame].events)


async def test_one_walks_by_steps_rounds_and_marks() -> None:
    game = recorded()
    async with opened(lambda _: ReplayScreen(game)) as seen:
        await seen.on("ReplayScreen")
        frames = Frames(game)
        await seen.press("right", "right", "left")
        assert at(seen) == 1
        await seen.press("down")
        assert at(seen) == frames.round(2)
        assert "Round 2" in seen.lines[0]
        await seen.press("n")
        assert at(seen) == min(mark.frame for mark in frames.marks if mark.frame > frames.round(2))
        await seen.press("p")
        assert at(seen) == frames.round(2)
        await seen.press("end")
        assert at(seen) == len(frames) - 1
        await seen.press("home")
        assert at(seen) == 0
        await seen.pilot.click(Timeline, offset=(40, 0))
        assert 0 < at(seen) < len(frames) - 1
        await seen.press("home", "space")
        await seen.until(lambda: at(seen) > 2)
        await seen.press("space")


async def test_a_record_begins_with_the_round_that_was_asked_for() -> None:
    async with opened(lambda _: ReplayScreen(recorded(), 3)) as seen:
        await seen.until(lambda: "Round 3" in seen.text)


async def test_a_review_shows_chances_and_leads_to_its_moments() -> None:
    """The review itself is computed elsewhere; here it is data."""
    game = recorded("three")
    frames = Frames(game)
    count = len(frames.moments)
    moments = [
        Moment(number=n, round=1, seat=n % 3, kind="turn", choice="stay", before=[0.3, 0.3, 0.4], after=[0.3, 0.3, 0.4])
        for n in range(count)
    ]
    bad = Moment(
        number=12,
        round=1,
        seat=1,
        kind="turn",
        choice="stay",
        before=[0.3, 0.4, 0.3],
        after=[0.4, 0.3, 0.3],
        best="hit",
    )
    seats = [
        SeatReview(name, 0.3, 0.1, -0.1, 0.0, 5, [bad] if seat == 1 else []) for seat, name in enumerate(game.players)
    ]
    left = msgspec.structs.replace(bad, kind="deviation", choice="!leave:1", best=None)
    found = Review(seats=seats, moments=moments, turning_point=left, best=None, worst=bad, seed=0)
    async with opened(lambda _: ReplayScreen(game), size=(110, 34)) as seen:
        await seen.on("ReplayScreen")
        screen = seen.app.screen
        assert isinstance(screen, ReplayScreen)
        screen._reviewed(found)
        await seen.on("ReviewScreen")
        assert "Blunder: Round 1" in seen.text
        assert "(!leave:1)" in seen.text
        assert "A hit would have been worth 10.0 % more." in seen.text
        await seen.press("enter")
        await seen.on("ReplayScreen")
        assert at(seen) == frames.moments[12]
        assert "100%" in seen.text
        await seen.press("home", "v")
        await seen.on("ReviewScreen")


async def test_an_unfinished_game_is_not_reviewed() -> None:
    game = Game(3, seed=1)
    game.play("hit")
    async with opened(lambda _: ReplayScreen(game)) as seen:
        await seen.press("v")
        await seen.until(lambda: "needs its end" in seen.text)
