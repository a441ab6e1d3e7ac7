"""What thinks away from the screen: the coach of a game here, the review of a replay, and what is said without them."""

from __future__ import annotations

import re
from typing import Any

import pytest
from tests.terminal.conftest import opened
from tests.terminal.test_play import asked, desk_with
from tests.terminal.test_replay import at, recorded

from flip7.game.game import Game
from flip7.game.position import Position
from flip7.game.view import Choice
from flip7.strategy.advice import Advice, Advised
from flip7.strategy.review import Moment, Review, SeatReview
from flip7.terminal.graph import Graph
from flip7.terminal.replay import screen as replay
from flip7.terminal.replay.frames import Frames
from flip7.terminal.replay.screen import ReplayScreen
from flip7.terminal.screens.play import PlayScreen
from flip7.terminal.table import sheets
from flip7.terminal.table.sheets import Coach
from flip7.terminal.tables import LocalTable
from flip7.terminal.thinking import Report


def advice(choices: dict[Choice, tuple[float, float]], best: Choice, *, sure: bool) -> Advice:
    """What a coach says: for every choice the chance to win, and its points."""
    found = [Advised(choice, win, win - 0.01, win + 0.01, points) for choice, (win, points) in choices.items()]
    return Advice(
        seat=0, choices=found, best=best, sure=sure, seats=[0.4, 0.3, 0.3], rollouts=1, seed=0, precision=0.01
    )


def reviewed(game: Game) -> Review:
    """A review as it may be: the chances wander from alike to the result, and the second player erred once."""
    count = len(Frames(game).moments)
    seats = range(len(game.players))
    result = [float(seat == game.winner) for seat in seats]

    def chances(n: int) -> list[float]:
        return [(1 - n / count) / len(result) + n / count * result[seat] for seat in seats]

    moments = [Moment(n, 1, n % len(result), "turn", "stay", chances(n), chances(n + 1)) for n in range(count)]
    bad = Moment(12, 1, 1, "turn", "stay", before=[0.3, 0.4, 0.3], after=[0.4, 0.3, 0.3], best="hit")
    told = [
        SeatReview(name, 1 / len(result), 0.1, -0.1, result[seat], 5, [bad] if seat == 1 else [])
        for seat, name in enumerate(game.players)
    ]
    return Review(seats=told, moments=moments, turning_point=bad, best=None, worst=bad, seed=0)


async def test_the_coach_says_what_every_choice_is_worth(monkeypatch: pytest.MonkeyPatch) -> None:
    desk = desk_with("5 6 7 8 9 10")
    positions: list[Position] = []

    def advise(position: Position, seed: int, precision: float, progress: Report) -> Advice:
        positions.append(position)
        return advice({"hit": (0.42, 20.5), "stay": (0.31, 5.0)}, "hit", sure=False)

    monkeypatch.setattr("flip7.strategy.advice.advise", advise)
    monkeypatch.setattr(Coach, "ready", False)
    async with opened(lambda _: PlayScreen(LocalTable(desk), lambda *_: None)) as seen:
        await asked(seen)
        await seen.press("c")
        await seen.until(lambda: "▸ Hit: 42%   20.5 points this round" in seen.text)
        assert "  Stay: 31%   5.0 points this round" in seen.text
        assert seen.app.words("coach.close")[:30] in seen.text
        assert [str(position) for position in positions] == [str(desk.game.position)]
        assert Coach.ready
        await seen.press("escape")
        await asked(seen)
        assert desk.game.choices == ()


async def test_the_coach_names_those_who_may_get_a_card(monkeypatch: pytest.MonkeyPatch) -> None:
    desk = desk_with("freeze 5 6 7 8 9 10")
    found = advice({0: (0.2, 1.0), 1: (0.5, 2.0), 2: (0.4, 3.0)}, 1, sure=True)
    monkeypatch.setattr("flip7.strategy.advice.advise", lambda *_, **__: found)
    async with opened(lambda _: PlayScreen(LocalTable(desk), lambda *_: None)) as seen:
        await asked(seen)
        await seen.press("c")
        await seen.until(lambda: f"▸ {desk.game.players[1]}: 50%" in seen.text)
        assert f"  {desk.game.players[2]}: 40%" in seen.text
        assert seen.app.words("coach.close")[:30] not in seen.text


async def test_a_key_leads_from_a_replay_to_its_review_and_from_there_to_graph_and_moment(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = recorded("three")

    def review(given: Game, seed: int, progress: Report) -> Review:
        assert given is game
        return reviewed(game)

    monkeypatch.setattr("flip7.strategy.review.review", review)
    async with opened(lambda _: ReplayScreen(game), size=(110, 34)) as seen:
        await seen.on("ReplayScreen")
        assert not seen.app.screen.query_one(Graph).display
        await seen.press("v")
        await seen.on("ReviewScreen")
        for letter, name in zip("ABC", game.players, strict=True):
            assert re.search(rf"^ *{letter} {name} ", seen.text, re.MULTILINE), "whose line is whose"
        await seen.press("enter")
        await seen.on("ReplayScreen")
        await seen.until(lambda: "100%" in seen.text)
        assert at(seen) == Frames(game).moments[12]
        assert seen.app.screen.query_one(Graph).display
        for letter, name in zip("ABC", game.players, strict=True):
            assert f"{letter} {name}" in seen.text
            assert re.search(rf" {letter} *$", seen.text, re.MULTILINE), "the end of a line"


@pytest.mark.parametrize(("module", "key", "what"), [(sheets, "c", "coach.title"), (replay, "v", "review.title")])
async def test_without_what_compiles_thinking_it_is_said_what_to_install(
    monkeypatch: pytest.MonkeyPatch, module: Any, key: str, what: str
) -> None:
    monkeypatch.setattr(module, "find_spec", lambda name: None)
    first: Any = (
        (lambda _: ReplayScreen(recorded("three")))
        if key == "v"
        else (lambda _: PlayScreen(LocalTable(desk_with("5 6 7 8")), lambda *_: None))
    )
    async with opened(first, size=(100, 30)) as seen:
        await (asked(seen) if key == "c" else seen.on("ReplayScreen"))
        await seen.press(key)
        told = f"{seen.app.words(what)} needs the package numba"
        await seen.until(lambda: told in seen.text)
        assert "[sim]" in seen.text
