"""What is kept between runs: every game that was left, settings, and what is said when nothing can be kept."""

from __future__ import annotations

import asyncio
import errno
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.terminal.conftest import Seen, opened
from tests.terminal.test_play import asked, desk_with, play_again, play_to_the_end, screen_of
from tests.terminal.test_replay import recorded
from textual.widgets import Button, Input, OptionList, Select

from flip7.cli import main
from flip7.commands import screen
from flip7.game import saving
from flip7.game.game import Game
from flip7.game.options import Rules
from flip7.strategy.cast import SUBSTITUTE, company
from flip7.terminal import holding, settings
from flip7.terminal.app import TerminalApp
from flip7.terminal.desk import Desk, bot_of, folder, unfinished
from flip7.terminal.replay.screen import ReplayScreen
from flip7.terminal.screens.play import PlayScreen
from flip7.terminal.screens.settings import SettingsScreen
from flip7.terminal.screens.start import StartScreen
from flip7.terminal.settings import Settings
from flip7.terminal.tables import LocalTable
from flip7.terminal.thinking import GivenUp, Report, away


def keep(count: int) -> list[Path]:
    """So many games that were left, the first one longest ago."""
    paths = []
    for seed in range(count):
        desk = Desk.new("Ana", company(2), target=200, seed=seed)
        desk.save()
        assert desk.path is not None
        os.utime(desk.path, (1000 + seed, 1000 + seed))
        paths.append(desk.path)
    return paths


def seed_of(seen: Seen) -> int | None:
    table = screen_of(seen).table
    assert isinstance(table, LocalTable)
    return table.desk.game.seed


async def test_every_game_that_was_left_can_be_chosen() -> None:
    keep(12)
    finished = recorded()
    (folder() / "over.flip7").write_text(finished.record(), "utf-8")
    (folder() / "broken.flip7").write_text("flip7 record\nunfinished\n", "utf-8")
    async with opened(lambda _: StartScreen()) as seen:
        await seen.press("a")
        await seen.on("GamesScreen")
        assert seen.app.screen.query_one(OptionList).option_count == 12
        await seen.press("down", "down", "enter")
        await asked(seen)
        assert seed_of(seen) == 9
        await seen.press("q")
        await seen.on("StartScreen")
        assert next(unfinished())[1].seed == 9, "it was played last"


async def test_a_file_that_is_gone_or_broken_is_told_of_and_nothing_crashes() -> None:
    (path,) = keep(1)
    async with opened(lambda _: StartScreen()) as seen:
        await seen.on("StartScreen")
        path.write_text("nonsense", "utf-8")
        await seen.press("g")
        await seen.until(lambda: "line 1" in seen.text)
        assert not seen.app.screen.query_one("#goon", Button).display


HOLDER = """
import sys
from pathlib import Path
from flip7.terminal.desk import Desk
desk = Desk.resume(Path(sys.argv[1]))
print("held", flush=True)
sys.stdin.read()
"""


@contextmanager
def held_elsewhere(path: Path) -> Iterator[subprocess.Popen[str]]:
    """Another program that plays the game of a file."""
    command = [sys.executable, "-c", HOLDER, str(path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        yield process
        process.kill()


async def test_a_game_that_is_played_in_another_terminal_is_not_gone_on_with_here(
    capsys: pytest.CaptureFixture[str],
) -> None:
    other, path = keep(2)
    async with opened(lambda _: StartScreen()) as seen:
        await seen.until(lambda: " g " in seen.lines[-1])
        with held_elsewhere(path) as process:
            assert [found for found, _ in unfinished()] == [other]
            await seen.press("g")
            await seen.until(lambda: "is being played in another" in " ".join(seen.text.split()))
            process.kill()  # without a word: the lock is not stale
            process.wait()
            assert [found for found, _ in unfinished()] == [path, other]
            await seen.press("a")
            await seen.on("GamesScreen")
            await seen.press("enter")
            await asked(seen)
            assert seed_of(seen) == 1
            assert [found for found, _ in unfinished()] == [other]
            with pytest.raises(ValueError, match="in another terminal"):
                Desk.resume(path)
    assert len(list(unfinished())) == 2, "it was left with the application"
    assert list(path.parent.glob(".*.lock")) == []
    with held_elsewhere(path):
        assert main(["play", str(path), "--plain"]) == 2
    assert "is being played in another terminal" in capsys.readouterr().err


def test_where_nothing_can_be_locked_games_are_played_all_the_same(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def lacks(file: int) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(holding, "_lock", lacks)
    assert holding.Hold(tmp_path / "game.flip7").take()
    assert holding.Hold(tmp_path / "none" / "game.flip7").take()
    assert not holding.is_held(tmp_path / "game.flip7")


async def test_a_name_that_cannot_be_is_refused_on_the_first_screen() -> None:
    async with opened(lambda _: StartScreen(), name="A\tB") as seen:
        await seen.press("n")
        await seen.pilot.pause()
        assert seen.app.screen.query_one("#problem").display
        await seen.on("StartScreen")


async def test_a_game_that_cannot_be_kept_says_so_and_is_kept_as_soon_as_it_can_be(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    write = saving.write

    def full(path: Path, data: str | bytes, *, overwrite: bool = True) -> None:
        raise OSError(28, "No space left on device")

    desk = desk_with("5 6 7 8 9 10 11 12", path=tmp_path / "game.flip7")
    async with opened(lambda _: PlayScreen(LocalTable(desk), lambda *_: None)) as seen:
        await asked(seen)
        monkeypatch.setattr(saving, "write", full)
        await seen.press("h")
        await seen.until(lambda: "not kept: No space left on device" in seen.lines[0])
        monkeypatch.setattr(saving, "write", write)
        await asked(seen)
        await seen.press("h")
        await seen.until(lambda: "not kept" not in seen.lines[0])
        assert Game.from_record(desk.path.read_text("utf-8")).choices[0] == "hit"  # type: ignore[union-attr]


async def test_a_rematch_begins_though_something_lay_over_the_end_of_the_game() -> None:
    async with opened(lambda _: StartScreen(Desk.new("Ana", company(2), target=5, seed=3))) as seen:
        await asked(seen)
        await seen.press("s", "l")
        await play_to_the_end(seen)
        await play_again(seen)
        names = [type(one).__name__ for one in seen.app.screen_stack[1:]]
        assert names == ["StartScreen", "PlayScreen"]


async def test_whoever_is_no_bot_is_there_in_the_rematch_too(tmp_path: Path) -> None:
    """A record from elsewhere: two people played who are none of the cast."""
    game = Game(["Ana", "Ben", "Bold Bea", "Cho"], seed=3, rules=Rules(target=5, dealer=3))
    assert [bot_of(name).id for name in game.players[1:]] == [SUBSTITUTE, "bea", SUBSTITUTE]
    async with opened(lambda _: StartScreen(Desk(game, tmp_path / "game.flip7"))) as seen:
        await play_to_the_end(seen)
        await play_again(seen)
        table = screen_of(seen).table
        assert isinstance(table, LocalTable)
        assert table.desk.game is not game
        assert table.desk.game.players == game.players


async def test_after_the_settings_the_first_screen_offers_what_it_offered_before() -> None:
    keep(1)
    async with opened(lambda _: StartScreen()) as seen:
        await seen.press("comma")
        await seen.on("SettingsScreen")
        await seen.press("escape")
        await seen.on("StartScreen")
        await seen.until(lambda: "Go on: Round 1" in seen.text)
        assert not seen.app.screen.query_one("#problem").display


async def test_a_language_that_is_chosen_is_spoken_at_once() -> None:
    async with opened(lambda _: SettingsScreen()) as seen:
        await seen.on("SettingsScreen")
        seen.app.screen.query_one("#language", Select).value = "de"
        await seen.until(lambda: "Einstellungen" in seen.lines[0])
        assert "Einstellungen" in seen.lines[0]
        assert seen.app.screen.focused is seen.app.screen.query_one("#language")


async def test_ascii_by_an_option_holds_for_one_run() -> None:
    given = Settings(language="en", speed="instant", opponents=["carl", "bea"])
    app = TerminalApp(lambda _: StartScreen(), given, ascii_only=True)
    async with app.run_test(size=(80, 24)) as pilot:
        seen = Seen(app, pilot)
        await seen.on("StartScreen")
        assert seen.text.isascii()
        seen.app.screen.query_one("#target", Input).value = "50"
        await seen.press("n")
        await asked(seen)
        assert seen.text.isascii()
    assert settings.load().target == 50
    assert not settings.load().ascii


@pytest.mark.parametrize(
    ("words", "lines", "expected"),
    [([], False, True), (["--plain"], False, False), ([], True, False), (["--no-plain"], True, True)],
)
def test_plain_lines_can_be_chosen_and_unchosen(
    monkeypatch: pytest.MonkeyPatch, words: list[str], lines: bool, expected: bool
) -> None:
    settings.save(Settings(lines=lines))
    monkeypatch.setenv("TERM", "xterm")
    for stream in ("stdin", "stdout", "stderr"):
        monkeypatch.setattr(f"sys.{stream}.isatty", lambda: True, raising=False)
    shown: list[object] = []

    def show(first: object, args: object) -> int:
        shown.append(first)
        return 0

    monkeypatch.setattr(screen, "show", show)
    monkeypatch.setattr("builtins.input", lambda _: "q")
    assert main(["play", "--seed", "3", *words]) == 0
    assert bool(shown) == expected


def test_a_game_in_a_file_of_its_own_is_gone_on_with_in_lines(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "mine.flip7"
    answers = iter(["h", "q"])
    monkeypatch.setattr("builtins.input", lambda _: next(answers))
    assert main(["play", "--seed", "11", "--record", str(path), "--plain"]) == 0
    before = Game.from_record(path.read_text("utf-8"))
    answers = iter(["s", "q"])
    capsys.readouterr()
    assert main(["play", str(path), "--plain"]) == 0
    out = capsys.readouterr().out
    assert "Round 1" in out
    assert "Collect different numbers" not in out
    after = Game.from_record(path.read_text("utf-8"))
    assert after.choices[: len(before.choices)] == before.choices
    assert len(after.choices) > len(before.choices)


def test_in_lines_too_the_settings_hold_and_every_game_is_kept_and_gone_on_with(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.save(Settings(lines=True, name="Ana", language="en", target=50, opponents=["bea", "sam"]))
    monkeypatch.setattr("secrets.randbelow", lambda _: 3)  # a deck in which Ana is asked in the first round
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    answers = iter(["q"])
    asked: list[str] = []

    def answer(question: str) -> str:
        asked.append(question)
        return next(answers)

    monkeypatch.setattr("builtins.input", answer)
    assert main(["play"]) == 0
    ((path, game),) = unfinished()
    assert game.players == ("Ana", "Bold Bea", "Steady Sam")
    assert game.rules.target == 50
    assert str(path) in capsys.readouterr().out.replace("\n", "")
    answers = iter(["y", "q"])
    assert main(["play"]) == 0
    assert "You left a game in round 1, to 50 points: Ana, Bold Bea, Steady Sam." in capsys.readouterr().out
    assert [found for found, _ in unfinished()] == [path]
    answers = iter(["n", "q"])
    assert main(["play"]) == 0
    assert len(list(unfinished())) == 2
    assert asked.count("Go on with it? (y/n) ") == 2


def test_what_cannot_be_gone_on_with_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "over.flip7"
    path.write_text(recorded().record(), "utf-8")
    settings.save(Settings(language="fr"))
    assert main(["play", str(path)]) == 2
    assert "cette partie est finie" in capsys.readouterr().err
    settings.save(Settings(language="en"))
    for words, told in (
        ([str(path)], "this game is over; 'flip7 replay' shows it"),
        ([str(path), "--seed", "3"], "has its game already: leave --seed out"),
        ([str(tmp_path / "none")], "No such file"),
    ):
        assert main(["play", *words]) == 2
        assert told in capsys.readouterr().err


async def test_work_that_nobody_waits_for_ends_at_its_next_report() -> None:
    begun, ended = asyncio.Event(), asyncio.Event()
    loop = asyncio.get_running_loop()

    def work(report: Report) -> None:
        try:
            while True:
                report(0.5)
                loop.call_soon_threadsafe(begun.set)
                time.sleep(0.001)
        except GivenUp:
            loop.call_soon_threadsafe(ended.set)
            raise

    shares: list[float] = []
    waiting = asyncio.create_task(away(work, shares.append))
    await begun.wait()
    waiting.cancel()
    await asyncio.wait_for(ended.wait(), 10)
    assert shares[0] == 0.5


async def test_what_the_work_raises_is_raised() -> None:
    def work(report: Report) -> None:
        raise LookupError("put in by hand")

    with pytest.raises(LookupError, match="put in by hand"):
        await away(work)


async def test_a_review_that_is_given_up_never_comes(monkeypatch: pytest.MonkeyPatch) -> None:
    ended: list[str] = []

    def review(game: Game, seed: int, progress: Report) -> None:
        try:
            while True:
                progress(0.25)
                time.sleep(0.001)
        except GivenUp:
            ended.append("given up")
            raise

    monkeypatch.setattr("flip7.strategy.review.review", review)
    async with opened(lambda _: ReplayScreen(recorded())) as seen:
        await seen.press("v")
        await seen.until(lambda: "25%" in seen.text)
        await seen.press("escape")
        await seen.until(lambda: ended == ["given up"])
        await seen.on("ReplayScreen")
        await seen.press("right")
        await seen.on("ReplayScreen")
