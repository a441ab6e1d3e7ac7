"""A screen that nobody touches does nothing: no timer of any of its widgets runs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.terminal.conftest import Seen, opened
from tests.terminal.test_play import asked, desk_with
from tests.terminal.test_replay import recorded
from textual.message_pump import MessagePump
from textual.screen import Screen
from textual.widgets import Input

from flip7.scorekeeper.match import Match
from flip7.terminal.replay.screen import ReplayScreen
from flip7.terminal.score.screen import ScoreScreen
from flip7.terminal.screens.play import PlayScreen
from flip7.terminal.screens.rules import RulesScreen
from flip7.terminal.screens.settings import SettingsScreen
from flip7.terminal.screens.start import StartScreen
from flip7.terminal.tables import LocalTable


def running(seen: Seen) -> list[str]:
    """The timers that run."""
    nodes: list[MessagePump] = [seen.app, *seen.app.screen.walk_children(with_self=True)]
    timers: list[Any] = [timer for node in nodes for timer in node._timers]
    return [repr(timer) for timer in timers if timer._active.is_set()]


@pytest.mark.parametrize(
    "first",
    [
        StartScreen,
        SettingsScreen,
        RulesScreen,
        lambda: ReplayScreen(recorded()),
        lambda: ScoreScreen(Match(["Ana", "Ben"]), Path("match.json")),
    ],
    ids=["first", "settings", "rules", "replay", "score"],
)
async def test_nothing_runs_where_nothing_is_done(
    first: Callable[[], Screen[Any]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    async with opened(lambda _: first()) as seen:
        for line in seen.app.screen.query(Input):
            line.focus()
        await seen.until(lambda: not running(seen))


async def test_nothing_runs_while_somebody_thinks() -> None:
    desk = desk_with("5 6 7 8 9 10")
    async with opened(lambda _: PlayScreen(LocalTable(desk), lambda *_: None), speed="normal") as seen:
        await seen.press("space")
        await asked(seen)
        await seen.until(lambda: not running(seen))
