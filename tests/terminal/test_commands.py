"""The commands that open the application: with which screen, from which options, and what they refuse."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from tests.terminal.heard import CODE
from tests.terminal.test_replay import GOLDEN

from flip7.cli import main
from flip7.commands import screen
from flip7.terminal import settings
from flip7.terminal.app import TerminalApp
from flip7.terminal.online import lines
from flip7.terminal.online.lobby import LobbyScreen
from flip7.terminal.replay.screen import ReplayScreen
from flip7.terminal.settings import Settings

FILE = str(GOLDEN / "four.flip7")


def on_terminals(count: int) -> SimpleNamespace:
    """Standard input, output and error, of which the first ones are terminals."""
    names = ("stdin", "stdout", "stderr")
    return SimpleNamespace(
        **{name: SimpleNamespace(isatty=lambda there=place < count: there) for place, name in enumerate(names)}
    )


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The screens that are opened on a terminal that can show them."""
    found: list[Any] = []

    def show(first: Any, args: object) -> int:
        found.append(first(TerminalApp(first, Settings())))
        return 0

    monkeypatch.setattr(screen, "show", show)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(screen, "sys", on_terminals(3))
    settings.save(Settings(name="Ana", language="en"))
    return found


@pytest.mark.parametrize(
    ("more", "name", "watch"), [([], "Ana", False), (["--name", "Zoe"], "Zoe", False), (["--watch"], "Ana", True)]
)
def test_join_opens_the_lobby_of_the_table(shown: list[Any], more: list[str], name: str, watch: bool) -> None:
    assert main(["join", "192.168.1.5:7007", f" {CODE.lower()} ", *more]) == 0
    (lobby,) = shown
    assert isinstance(lobby, LobbyScreen)
    assert (lobby._address, lobby._code) == ("http://192.168.1.5:7007", CODE)
    assert (lobby._name_wanted, lobby._watch) == (name, watch)


def test_join_follows_the_table_in_lines_where_they_are_wanted(
    shown: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    followed: list[tuple[object, ...]] = []

    def follow(address: str, code: str, name: str, *, watch: bool) -> int:
        followed.append((address, code, name, watch))
        return 2

    monkeypatch.setattr(lines, "follow", follow)
    assert main(["join", "https://a.example", CODE, "--plain", "--watch"]) == 2
    assert followed == [("https://a.example", CODE, "Ana", True)]
    assert shown == []


def test_what_is_no_address_is_refused_before_anything_is_shown(
    shown: list[Any], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["join", "ftp://x", "A"]) == 2
    assert "no address of a server" in capsys.readouterr().err
    assert shown == []


@pytest.mark.parametrize(("more", "begins"), [([], 1), (["--round", "2"], 2)])
def test_replay_opens_the_record_at_its_round(shown: list[Any], more: list[str], begins: int) -> None:
    assert main(["replay", FILE, *more]) == 0
    (replay,) = shown
    assert isinstance(replay, ReplayScreen)
    assert replay._frames.game.record() == Path(FILE).read_text("utf-8")
    assert replay._at == replay._frames.round(begins)


@pytest.mark.parametrize("option", ["--plain", "--scores", "--rulings"])
def test_replay_writes_lines_for_what_only_they_have(
    shown: list[Any], option: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["replay", FILE, option]) == 0
    assert shown == []
    assert capsys.readouterr().out


def test_a_round_that_a_record_lacks_is_refused(shown: list[Any], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", FILE, "--round", "99"]) == 2
    assert "round 99: this game has" in capsys.readouterr().err
    assert shown == []


@pytest.mark.parametrize(
    ("term", "told"), [("dumb", "TERM is 'dumb'"), (None, "TERM is not set"), ("", "TERM is not set")]
)
def test_whoever_wants_a_screen_where_there_is_none_is_told_why(
    capsys: pytest.CaptureFixture[str], shown: list[Any], monkeypatch: pytest.MonkeyPatch, term: str | None, told: str
) -> None:
    monkeypatch.delenv("TERM")
    if term is not None:
        monkeypatch.setenv("TERM", term)
    assert main(["replay", FILE]) == 0
    assert capsys.readouterr().err == ""
    assert main(["replay", FILE, "--no-plain"]) == 0
    assert told in capsys.readouterr().err
    monkeypatch.setattr(screen, "sys", on_terminals(2))
    assert main(["replay", FILE, "--no-plain"]) == 0
    assert "go to no terminal" in capsys.readouterr().err
    assert shown == []


def test_windows_names_no_terminal_and_has_one_all_the_same(shown: list[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TERM")
    monkeypatch.setattr(screen, "WINDOWS", True)
    assert main(["replay", FILE]) == 0
    assert len(shown) == 1
