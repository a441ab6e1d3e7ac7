"""Every screen at the smallest size, also with a full table: whatever one needs can be seen."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.terminal.conftest import Seen, opened
from tests.terminal.heard import CODE, Told, at_table, two, welcome
from tests.terminal.test_play import asked, desk_with, screen_of
from tests.terminal.test_replay import recorded
from textual.screen import Screen

from flip7.game.game import Game
from flip7.game.options import Rules
from flip7.protocol.messages import PROTOCOL, Options, RoomView, SeatInfo, Welcome
from flip7.protocol.scene import Scene
from flip7.protocol.views import game_view
from flip7.scorekeeper.match import Match
from flip7.strategy.cast import company
from flip7.strategy.review import Moment, Review, SeatReview
from flip7.terminal.desk import Desk
from flip7.terminal.graph import LETTERS, legend
from flip7.terminal.replay.review import ReviewScreen
from flip7.terminal.replay.screen import ReplayScreen
from flip7.terminal.score.live import LiveScreen
from flip7.terminal.score.screen import ScoreScreen
from flip7.terminal.screens.play import PlayScreen
from flip7.terminal.screens.results import ResultsScreen
from flip7.terminal.screens.start import StartScreen
from flip7.terminal.table.board import Board
from flip7.terminal.table.showing import cut
from flip7.terminal.tables import LocalTable

SMALL = (40, 20)
NAMES = [f"Player number {n}" for n in range(1, 37)]


def fits(seen: Seen, size: tuple[int, int] = SMALL) -> None:
    assert [len(line) for line in seen.lines] == [size[0]] * size[1]


@pytest.mark.parametrize("language", ["en", "de", "fr", "es"])
@pytest.mark.parametrize("page", range(4))
async def test_all_keys_of_a_full_table_are_in_sight_and_so_is_the_one_for_more(language: str, page: int) -> None:
    desk = desk_with("freeze 5 6 7", players=36)
    async with opened(lambda _: PlayScreen(LocalTable(desk), lambda *_: None), size=SMALL, language=language) as seen:
        await asked(seen)
        await seen.press(*["0"] * page)
        fits(seen)
        for key in range(1, 10):
            assert f" {key}  " in seen.text, key
        assert seen.app.words("term.more") in seen.lines[-2]


@pytest.mark.parametrize("language", ["en", "de", "fr", "es"])
@pytest.mark.parametrize("size", [SMALL, (80, 24)])
async def test_help_and_the_way_out_are_on_every_last_line(
    size: tuple[int, int], language: str, tmp_path: Path
) -> None:
    match, game = Match(["Ana", "Ben"]), recorded()
    screens: list[tuple[Callable[[], Screen[Any]], tuple[str, ...]]] = [
        (StartScreen, (" n ", " ? ", " q ")),
        (lambda: PlayScreen(LocalTable(desk_with("5 6 7 8")), lambda *_: None), (" ? ", " q ")),
        (lambda: ReplayScreen(game), (" ? ", " q ")),
        (lambda: ScoreScreen(match, tmp_path / "match.json"), (" F1 ", " esc ")),
    ]
    async with opened(lambda _: screens[0][0](), size=size, language=language) as seen:
        for first, keys in screens:
            shown = first()
            await seen.app.push_screen(shown)
            await seen.pilot.pause()
            assert seen.app.screen is shown
            assert all(key in seen.lines[-1] for key in keys), seen.lines[-1]


@pytest.mark.parametrize("key", ["r", "f5", "live f5", "question_mark"])
async def test_the_rules_are_a_key_away_from_every_table(
    key: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    match = Match(["Ana", "Ben"])
    first: dict[str, Callable[[], Screen[Any]]] = {
        "r": lambda: ReplayScreen(recorded()),
        "f5": lambda: ScoreScreen(match, tmp_path / "match.json"),
        "live f5": lambda: LiveScreen(match, lambda: None),
    }
    async with AsyncExitStack() as stack:
        if key in first:
            seen = await stack.enter_async_context(opened(lambda _: first[key](), size=(120, 30)))
        else:
            seen, client = await stack.enter_async_context(at_table(monkeypatch))
            client().hear(msgspec.structs.replace(welcome(two(), "lobby"), game=None))
            await seen.until(lambda: "Leave the table" in seen.text)
        before = seen.app.screen
        assert "Rules" in seen.lines[-1]
        await seen.press(key.split()[-1])
        await seen.on("RulesScreen")
        await seen.press("escape")
        await seen.until(lambda: seen.app.screen is before)


async def test_only_where_a_game_was_left_it_can_be_gone_on_with() -> None:
    async with opened(lambda _: StartScreen()) as seen:
        await seen.on("StartScreen")
        assert " g " not in seen.lines[-1]
        assert " a " not in seen.lines[-1]
        await seen.press("n")
        await seen.on("PlayScreen")
        await asked(seen)
        await seen.press("q")
        await seen.on("StartScreen")
        await seen.until(lambda: " g " in seen.lines[-1] and " a " in seen.lines[-1])


@pytest.mark.parametrize(("players", "size"), [(18, (80, 24)), (36, (80, 24)), (18, SMALL)])
async def test_twins_can_be_told_apart(players: int, size: tuple[int, int]) -> None:
    desk = desk_with("5 6 7 8", players=players)
    async with opened(lambda _: PlayScreen(LocalTable(desk), lambda *_: None), size=size) as seen:
        await asked(seen)
        board = seen.app.screen.query_one(Board)
        shown = [seat for *_, seat in board._places]
        rows = board.render().plain
        numbered = [name for name in (desk.game.players[seat] for seat in shown) if name[-1].isdecimal()]
        assert numbered
        for name in numbered:
            first, number = name[:5], name.rpartition(" ")[2]
            assert re.search(rf"{first}[^\n·]*? {number}\b", rows), name


async def test_an_outcome_that_is_too_long_for_the_first_line_is_told_below() -> None:
    game = Game(["Wolfeschlegelsteinhausen", "Bo"], seed=1, rules=Rules(target=5, dealer=1), deck=["5", "6"])
    while game.decision is not None:
        game.play(game.decision.options[-1])
    scene = Scene(game_view("one", len(game.choices), game, odds=True, seconds=None))
    for size, below in ((SMALL, True), ((160, 30), False)):
        async with opened(lambda _: ResultsScreen(scene, frozenset(), []), size=size) as seen:
            await seen.on("ResultsScreen")
            assert ("five rounds" in " ".join(seen.text.split())) or scene.state.challenge is None
            assert seen.app.screen.query_one("#outcome").display == below


def test_a_name_is_cut_where_its_twins_are_alike() -> None:
    assert cut("Careful Carl 12", 15) == "Careful Carl 12"
    assert cut("Careful Carl 12", 12) == "Careful… 12"
    assert cut("Careful Carl", 9) == "Careful…"
    assert cut("Careful Carl 12", 4) == "Car…"


@pytest.mark.parametrize("size", [(80, 24), (120, 30)])
async def test_keys_that_would_be_in_two_columns_are_in_sight(size: tuple[int, int]) -> None:
    desk = desk_with("freeze 5 6 7", players=36)
    async with opened(lambda _: PlayScreen(LocalTable(desk), lambda *_: None), size=size) as seen:
        await asked(seen)
        for _ in range(4):
            await seen.press("0")
            for key in range(1, 10):
                assert f" {key}  " in seen.text, key


@pytest.mark.parametrize("language", ["en", "de", "fr", "es"])
async def test_with_a_clock_hit_and_stay_are_still_there(language: str) -> None:
    desk = desk_with("5 6 7 8")
    async with opened(lambda _: PlayScreen(LocalTable(desk), lambda *_: None), size=SMALL, language=language) as seen:
        await asked(seen)
        screen = screen_of(seen)
        assert screen.showing is not None
        screen.showing.deadline = 1e12
        screen.show(None)
        await seen.pilot.pause()
        line = seen.lines[-2]
        assert f"H  {seen.app.words('table.hit')}" in line
        assert f"S  {seen.app.words('table.stay')}" in line


async def test_the_own_seat_can_be_clicked_as_a_target() -> None:
    desk = desk_with("flip3 5 6 7 8 9 10")
    async with opened(lambda _: PlayScreen(LocalTable(desk), lambda *_: None)) as seen:
        await asked(seen)
        await seen.pilot.click("#mine", offset=(4, 1))
        await seen.until(lambda: desk.game.choices[:1] == (0,))


async def test_a_choice_after_a_wide_name_is_clicked_where_it_stands() -> None:
    """A sign of two columns before a button moves it by two."""
    game = Game(["林林林林林林", "Ben", "Cho"], seed=1, rules=Rules(dealer=2), deck=["freeze", "5", "6"])
    desk = Desk(game, None)
    async with opened(lambda _: PlayScreen(LocalTable(desk), lambda *_: None), speed="calm") as seen:
        await seen.press("space")
        await asked(seen)
        await seen.press("1")
        await seen.until(lambda: "Undo" in seen.text)
        line = seen.lines[-2]
        columns = len(line[: line.index("Undo")]) + 6  # each of the six signs takes two
        await seen.pilot.click("#actions", offset=(columns, 0))
        await seen.pilot.pause()
        assert not desk.game.choices
        assert "Undo" not in seen.text


def crowd(count: int) -> RoomView:
    seats = tuple(
        SeatInfo(id=n, name=NAMES[n - 1], colour=0, bot=None, presence="here", ready=n % 2 == 0, host=n == 1, device=n)
        for n in range(1, count + 1)
    )
    return RoomView(code=CODE, phase="lobby", options=Options(), seats=seats, spectators=0, game=None, secret="")


async def test_everybody_in_a_full_lobby_can_be_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    async with at_table(monkeypatch, SMALL) as (seen, client):
        told: Told = client()
        told.hear(Welcome(protocol=PROTOCOL, room=crowd(36), seats=(3,), game=None, missed=()))
        await seen.until(lambda: NAMES[0] in seen.text)
        fits(seen)
        assert "I am ready" in seen.lines[-1]
        assert NAMES[35] not in seen.text
        await seen.press("end")
        await seen.until(lambda: "starts the game" in seen.text)
        assert NAMES[35] in seen.text


@pytest.mark.parametrize("size", [SMALL, (80, 24), (200, 60)])
async def test_a_replay_fits(size: tuple[int, int]) -> None:
    async with opened(lambda _: ReplayScreen(recorded(), 2), size=size) as seen:
        await seen.until(lambda: "Round 2" in seen.text)
        fits(seen, size)
        for name in recorded().players:
            assert name[:8] in seen.text


@pytest.mark.parametrize("size", [SMALL, (80, 24)])
async def test_a_review_of_a_full_table_leaves_room_for_its_moments(size: tuple[int, int]) -> None:
    bad = Moment(number=0, round=1, seat=1, kind="turn", choice="stay", before=[0.4] * 36, after=[0.3] * 36, best="hit")
    seats = [SeatReview(name, 0.3, 0.1, -0.1, 0.0, 5, [bad]) for name in NAMES]
    found = Review(seats=seats, moments=[bad], turning_point=bad, best=None, worst=bad, seed=0)
    async with opened(lambda _: ReviewScreen(found), size=size) as seen:
        await seen.until(lambda: "Turning point" in seen.text)
        fits(seen, size)
        assert "Worst choice" in seen.text
        assert any("Player number 3" in line and "-10.0 %" in line for line in seen.lines), "a line for each"


@pytest.mark.parametrize("size", [SMALL, (80, 24), (200, 60)])
async def test_a_match_of_many_shows_who_is_asked(size: tuple[int, int], tmp_path: Path) -> None:
    match = Match(NAMES[:18], target=200)
    match.enter([10 + n for n in range(18)])
    async with opened(lambda _: ScoreScreen(match, tmp_path / "match.json"), size=size) as seen:
        for _ in range(14):
            await seen.type("b")
        fits(seen, size)
        assert "What does Player number 15 have?" in seen.text
        assert "▸" in seen.text


def ended(count: int) -> Scene:
    game = Game(NAMES[:count], seed=3, rules=Rules(target=20))
    while game.decision is not None:
        game.play(game.decision.options[-1])
    return Scene(game_view("id", len(game.choices), game, odds=True, seconds=None))


@pytest.mark.parametrize("size", [SMALL, (80, 24), (200, 60)])
async def test_a_result_fits_and_its_lines_can_be_told_apart_without_colours(
    size: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    scene = ended(5)
    async with opened(lambda _: ResultsScreen(scene, frozenset({0}), []), size=size, ascii=True) as seen:
        await seen.on("ResultsScreen")
        fits(seen, size)
        ends = {line.rstrip()[-1] for line in seen.lines[2:16] if line.strip()}
        assert set(LETTERS[:5]) <= ends
        await seen.press("end")
        await seen.pilot.pause()
        assert "total" in seen.text


def test_a_legend_breaks_between_players() -> None:
    told = legend(NAMES[:5], ["7"] * 5, 45, light=False).plain
    assert told.split("\n") == [
        "A Player number 1 7   B Player number 2 7",
        "C Player number 3 7   D Player number 4 7",
        "E Player number 5 7",
    ]


async def test_heads_of_the_result_are_in_the_language_that_is_spoken() -> None:
    async with opened(lambda _: ResultsScreen(ended(3), frozenset({0}), []), language="de") as seen:
        await seen.on("ResultsScreen")
        await seen.press("end")
        await seen.until(lambda: "gesamt" in seen.text)


@pytest.mark.parametrize(("language", "there"), [("de", "Stapel"), ("fr", "paquet"), ("es", "mazo")])
async def test_rules_and_the_log_speak_the_language(language: str, there: str) -> None:
    desk = Desk.new("Ana", company(2), target=200, seed=3)
    async with opened(lambda _: PlayScreen(LocalTable(desk), lambda *_: None), language=language) as seen:
        await asked(seen)
        await seen.press("l")
        await seen.on("LogScreen")
        await seen.press("escape", "r")
        await seen.on("RulesScreen")
        await seen.press(*there)
        await seen.until(lambda: there in seen.text)
        assert "A deck is 94 cards" not in seen.text
        assert "SET-1" in seen.text


async def test_the_first_line_tells_more_as_soon_as_there_is_more_room() -> None:
    async with opened(lambda _: PlayScreen(LocalTable(desk_with("5 6 7 8")), lambda *_: None), size=SMALL) as seen:
        await asked(seen)
        assert "discarded" not in seen.lines[0]
        await seen.pilot.resize_terminal(80, 24)
        await seen.until(lambda: "0 discarded" in seen.lines[0])
