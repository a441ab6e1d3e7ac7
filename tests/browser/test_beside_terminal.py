"""A person in a browser and one in a terminal at the same table, to the end."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from playwright.async_api import expect
from tests.browser.driver import Stage, play, ranking
from tests.server.client import Process
from tests.terminal.conftest import opened
from tests.terminal.test_online import play as play_in_terminal

from flip7.terminal.online.lobby import LobbyScreen
from flip7.terminal.screens.results import ResultsScreen


async def test_browser_and_terminal_play_to_the_same_result(
    stage: Stage, server: Process, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"):
        monkeypatch.setenv(name, str(tmp_path))
    seated = server.seat("/api/tables", {"players": [{"name": "Bo"}], "options": {"target": 40, "speed": "instant"}})
    page = await stage.seated(seated)
    async with opened(lambda _: LobbyScreen(server.url, seated.code, "Ana", watch=False)) as seen:
        await expect(page.get_by_text("Ana", exact=True)).to_be_visible()
        await seen.until(lambda: "not ready" in seen.text)
        await seen.press("r")
        await page.get_by_role("button", name="Start the game").click()
        there = asyncio.create_task(play(page))
        for _ in range(6000):
            if await play_in_terminal(seen):
                break
        await seen.on("ResultsScreen")
        await there
        screen = seen.app.screen
        assert isinstance(screen, ResultsScreen)
        totals = zip(screen.scene.names, screen.scene.seats, strict=True)
        assert sorted(await ranking(page)) == sorted([name, str(seat.total)] for name, seat in totals)
