"""A game against bots on the screen: keys, choices that can be taken back, targets, and games that are gone on with."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from types import SimpleNamespace

import msgspec
import pytest
from tests.terminal.conftest import Seen, opened
from textual.widgets import Button, Input

from flip7.game.events import PlayerStayed, RoundScored
from flip7.game.game import Game
from flip7.game.options import Rules
from flip7.protocol.views import hands_of
from flip7.strategy.cast import company
from flip7.terminal.desk import Desk, folder, unfinished
from flip7.terminal.director import SUMMARY, Director
from flip7.terminal.screens import play
from flip7.terminal.screens.play import PlayScreen
from flip7.terminal.screens.results import ResultsScreen
from flip7.terminal.screens.start import StartScreen
from flip7.terminal.table.actions import Actions
from flip7.terminal.table.board import Board
from flip7.terminal.table.sheets import odds_text
from flip7.terminal.tables import LocalTable


def desk_with(deck: str, players: int = 3, path: Path | None = None) -> Desk:
    """A game in which these cards come first; the person at seat 0 is dealt to first."""
    names = ["Ana", *(bot.name for bot in company(players - 1))]
    rules = Rules(dealer=players - 1)
    return Desk(Game(names, seed=1, rules=rules, deck=deck.split()), path)


def screen_of(seen: Seen) -> PlayScreen:
    assert isinstance(seen.app.screen, PlayScreen)
    return seen.app.screen


async def asked(seen: Seen, over: Sequence[object] = ()) -> None:
    """Wait until the person may choose, or the game is over."""

    def fits() -> bool:
        screen = seen.app.screen
        if over or isinstance(screen, ResultsScreen):
            return True
        return isinstance(screen, PlayScreen) and screen.showing is not None and screen.showing.asked

    await seen.until(fits)


async def play_to_the_end(seen: Seen) -> None:
    for turn in range(600):
        await asked(seen)
        screen = seen.app.screen
        if isinstance(screen, ResultsScreen):
            return
        assert isinstance(screen, PlayScreen)
        assert screen.showing is not None
        assert screen.showing.scene.ask is not None
        if screen.showing.scene.ask.kind == "target":
            await seen.press("1")
        else:
            await seen.press("h" if turn % 3 else "s")
    raise AssertionError("the game never ends")


async def play_again(seen: Seen) -> None:
    """From the end of a game to the first choice of another one; games that end before that are followed by others."""
    over = seen.app.screen
    await seen.press("n")
    await seen.until(lambda: seen.app.screen is not over)
    await asked(seen)
    if isinstance(seen.app.screen, ResultsScreen):
        await play_again(seen)


async def test_a_whole_game_is_played_with_keys_and_its_record_is_sound() -> None:
    async with opened(lambda _: StartScreen()) as seen:
        await seen.on("StartScreen")
        seen.app.screen.query_one("#target", Input).value = "60"
        await seen.press("n")
        await play_to_the_end(seen)
        assert " after " in seen.lines[0]
        assert "Scores by round" in seen.text
        assert "This game is kept in" in seen.text
        (path,) = folder().glob("*.flip7")
        game = Game.from_record(path.read_text("utf-8"))
        assert game.winner is not None
        assert game.rules.target == 60
        assert game.players[0] == "Ana"
        await seen.press("n")
        await seen.on("PlayScreen")
        assert list(unfinished()) == [], "it is being played"
    assert next(unfinished())[1].players == game.players


async def test_targets_are_chosen_by_number_through_chained_flip_threes() -> None:
    """Ana flips three for herself, and hands out what she set aside: a Flip Three and a Freeze (F3-4)."""
    desk = desk_with("flip3 5 flip3 freeze 1 2 3 4 9 10")
    async with opened(lambda _: PlayScreen(LocalTable(desk), lambda *_: None)) as seen:
        await asked(seen)
        assert "Who has to flip three? (1–3)" in seen.text
        await seen.press("1")
        await asked(seen)
        assert desk.game.decision is not None
        assert desk.game.decision.card == "flip3"
        await seen.press("2")
        await asked(seen)
        assert "Whom do you freeze?" in seen.text
        assert "banks 5" in seen.text
        await seen.press("3")
        await seen.until(lambda: desk.game.seats[2].status == "frozen")
        assert [str(card) for card in desk.game.seats[1].cards[:3]] == ["1", "2", "3"]
        assert desk.game.choices[:3] == (0, 1, 2)


async def test_a_key_that_is_no_choice_now_changes_nothing() -> None:
    desk = desk_with("flip3 5 6 7 1 2")
    async with opened(lambda _: PlayScreen(LocalTable(desk), lambda *_: None)) as seen:
        await asked(seen)
        await seen.press("h", "s", "9", "0", "u", "space")
        assert desk.game.choices == ()


async def test_staying_can_be_taken_back_until_it_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(play, "UNDO", 60.0)  # a busy machine may need its time
    desk = desk_with("5 6 7 8 9 10")
    async with opened(lambda _: PlayScreen(LocalTable(desk), lambda *_: None), speed="fast") as seen:
        await asked(seen)
        await seen.press("s")
        assert "Staying" in seen.text
        await seen.press("u")
        await asked(seen)
        assert not desk.game.choices
        await seen.press("s", "space")
        await seen.until(lambda: desk.game.choices[:1] == ("stay",))
        await seen.press("u")
        assert desk.game.choices[0] == "stay"


async def test_a_hit_cannot_be_taken_back() -> None:
    desk = desk_with("5 6 7 8 9 10")
    async with opened(lambda _: PlayScreen(LocalTable(desk), lambda *_: None), speed="fast") as seen:
        await asked(seen)
        await seen.press("h", "u")
        assert desk.game.choices[0] == "hit"


async def test_space_does_not_wait_for_calm_bots(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever was still waited for would take longer than anybody here waits."""
    pause = Director.pause

    async def pause_for_long(self: Director, seconds: float) -> None:
        await pause(self, 1000 * seconds)

    monkeypatch.setattr(Director, "pause", pause_for_long)
    desk = desk_with("5 6 7 8 9 10 11 12 4", players=8)
    async with opened(lambda _: PlayScreen(LocalTable(desk), lambda *_: None), speed="calm") as seen:
        await seen.until(lambda: screen_of(seen).director is not None)
        await seen.press("space")
        await asked(seen)


async def test_a_game_that_was_left_in_the_middle_is_gone_on_with() -> None:
    async with opened(lambda _: StartScreen()) as seen:
        await seen.press("n")
        for _ in range(3):
            await asked(seen)
            await seen.press("1", "h")
        await asked(seen)
        left = screen_of(seen).table
        assert isinstance(left, LocalTable)
        before = left.desk.game.record()  # the application ends here without a word, as in a crash
    async with opened(lambda _: StartScreen()) as seen:
        await seen.on("StartScreen")
        assert seen.app.screen.query_one("#goon", Button).display
        await seen.press("g")
        await asked(seen)
        table = screen_of(seen).table
        assert isinstance(table, LocalTable)
        assert table.desk.game.record() == before
        await seen.press("q")
        await seen.on("StartScreen")


async def test_of_more_than_nine_players_the_next_nine_get_keys() -> None:
    desk = desk_with("freeze 5 6 7", players=36)
    async with opened(lambda _: PlayScreen(LocalTable(desk), lambda *_: None), size=(120, 40)) as seen:
        await asked(seen)
        await seen.press("0")
        showing = screen_of(seen).showing
        assert showing is not None
        assert showing.seat_of(1) == 9
        await seen.press("0", "0", "0")
        assert showing.seat_of(1) == 0
        await seen.press("0", "2")
        await seen.until(lambda: desk.game.choices[:1] == (10,))


async def test_everything_can_be_clicked() -> None:
    desk = desk_with("freeze 5 6 7 8 9 10")
    async with opened(lambda _: PlayScreen(LocalTable(desk), lambda *_: None)) as seen:
        await asked(seen)
        await seen.pilot.click(Board, offset=(6, 0))
        await seen.until(lambda: desk.game.choices[:1] == (1,))
        await asked(seen)
        await seen.pilot.click(Actions, offset=(3, 0))
        await seen.until(lambda: "hit" in desk.game.choices)


async def click(seen: Seen, key: str) -> None:
    """Click a key of the last line."""
    await seen.pilot.click(offset=(seen.lines[-1].index(f" {key} ") + 1, len(seen.lines) - 1))


async def test_every_key_of_the_last_line_can_be_clicked_and_a_sheet_closes_with_a_click_beside_it() -> None:
    desk = desk_with("5 6 7 8 9 10")
    async with opened(lambda _: StartScreen(desk), size=(100, 24)) as seen:
        await asked(seen)
        for key, there in (("?", "take another card"), ("o", "One more card changes")):
            await click(seen, key)
            await seen.until(lambda there=there: there in seen.text)  # type: ignore[misc]
            await seen.pilot.click(offset=(50, 12))
            assert there in seen.text
            await seen.pilot.click(offset=(0, 0))
            await seen.on("PlayScreen")
        await click(seen, "l")
        await seen.on("LogScreen")
        await click(seen, "esc")
        await seen.on("PlayScreen")
        await click(seen, "q")
        await seen.on("StartScreen")
        seen.app.screen.query_one("#target", Input).focus()
        await click(seen, ",")
        await seen.on("SettingsScreen")


async def test_help_odds_log_and_rules_open_over_the_game_and_close_again() -> None:
    desk = desk_with("5 6 7 8 9 10")
    async with opened(lambda _: PlayScreen(LocalTable(desk), lambda *_: None)) as seen:
        await asked(seen)
        for key, there in (("question_mark", "take another card"), ("o", "One more card changes"), ("l", "DEAL-1")):
            await seen.press(key)
            await seen.pilot.pause()
            assert there in seen.text
            await seen.press("escape")
            await seen.pilot.pause()
        await seen.press("r")
        await seen.on("RulesScreen")
        await seen.type("second freeze")
        assert "No ruling has these words." in seen.text
        await seen.press(*["backspace"] * 14)
        await seen.type("F3-4")
        assert "F3-4" in seen.text
        await seen.press("escape")
        assert desk.game.choices == ()


async def test_a_key_shows_its_effect_within_50_ms_of_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """Measured as processor time, so that a busy machine does not matter."""
    monkeypatch.setattr(play, "UNDO", 60.0)
    desk = desk_with("5 6 7 8 9 10", players=18)
    async with opened(lambda _: PlayScreen(LocalTable(desk), lambda *_: None), size=(200, 60), speed="calm") as seen:
        await seen.press("space")
        await asked(seen)
        spent = []
        for key, there in (("s", "Staying"), ("u", "Hit"), ("s", "Staying"), ("u", "Hit")):
            begun = time.process_time()
            await seen.press(key)
            spent.append(time.process_time() - begun)
            assert there in seen.text
        assert min(spent) < 0.05


@pytest.mark.parametrize("players", [1, 2, 36])
async def test_few_and_many_play_to_the_end(players: int) -> None:
    desk = Desk.new("Ana", company(players - 1), target=20, seed=5)
    over: list[int] = []
    async with opened(lambda _: PlayScreen(LocalTable(desk), lambda *_: over.append(1))) as seen:
        for _ in range(200):
            await asked(seen, over)
            if over:
                break
            await seen.press("1", "s")
        assert desk.game.winner is not None


async def test_a_game_that_began_at_once_leads_to_the_first_screen_when_it_is_left() -> None:
    desk = Desk.new("Ana", company(2), target=200, seed=3)
    async with opened(lambda _: StartScreen(desk)) as seen:
        await asked(seen)
        await seen.press("q")
        await seen.on("StartScreen")
        assert "Your opponents" in seen.text
        assert "Go on: Round 1" in seen.text
        await seen.press("g")
        await asked(seen)


async def test_between_two_rounds_no_odds_are_told_and_that_is_said() -> None:
    desk = desk_with("5 6 7 8 9 10")
    async with opened(lambda _: PlayScreen(LocalTable(desk), lambda *_: None)) as seen:
        await asked(seen)
        showing = screen_of(seen).showing
        assert showing is not None
        for there in showing.scene.seats:
            there.status = "stayed"
        assert odds_text(showing, None).plain == "No odds are shown at this moment."


async def test_the_points_of_a_round_are_counted_up(monkeypatch: pytest.MonkeyPatch) -> None:
    ticks: list[tuple[float, Callable[[], None], int]] = []

    def set_interval(self: PlayScreen, every: float, tick: Callable[[], None], *, repeat: int = 0) -> SimpleNamespace:
        ticks.append((every, tick, repeat))
        return SimpleNamespace(stop=lambda: None)

    desk = desk_with("8 6 5 7")
    async with opened(lambda _: PlayScreen(LocalTable(desk), lambda *_: None), speed="normal") as seen:
        await seen.press("space")
        await asked(seen)
        monkeypatch.setattr(PlayScreen, "set_interval", set_interval)
        screen = screen_of(seen)
        assert screen.showing is not None
        hands = tuple(msgspec.structs.replace(hand, total=hand.points) for hand in hands_of(desk.game))
        scene = screen.showing.scene
        scene.ask, scene.scored = None, hands
        screen.show(RoundScored(hands=hands))
        await seen.pilot.pause()
        assert "+0" in seen.text
        assert "+8" not in seen.text
        ((every, tick, repeat),) = ticks
        assert every * repeat == pytest.approx(SUMMARY)
        shown = []
        for _ in range(repeat):
            tick()
            await seen.pilot.pause()
            shown += [int(points) for points in re.findall(r"\+(\d+) ", seen.text)[-1:]]
        assert shown == sorted(shown)
        assert 0 < shown[repeat // 2] < 8
        assert "+8    8" in seen.text
        assert "+6    6" in seen.text
        ticks.clear()
        seen.app.settings.speed = "instant"
        screen.show(RoundScored(hands=hands))
        assert ticks == []
        assert "+8    8" in seen.text


async def test_the_log_of_a_game_that_was_left_has_its_earlier_rounds_too() -> None:
    desk = desk_with("8 6 5 7 9 10")
    while desk.game.position.round < 3:
        desk.game.play("stay" if desk.game.decision is not None and desk.game.decision.kind == "turn" else 0)
    stayed = sum(isinstance(event, PlayerStayed) for event in desk.game.events)
    async with opened(lambda _: PlayScreen(LocalTable(desk), lambda *_: None), size=(100, 60)) as seen:
        await asked(seen)
        await seen.press("l")
        await seen.on("LogScreen")
        for number in range(1, 4):
            assert seen.text.count(f"Round {number}. ") == 1, number
        assert "Ana stays with 8 points." in seen.text
        assert seen.text.count(" stays with ") == stayed
