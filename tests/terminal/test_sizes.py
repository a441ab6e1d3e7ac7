"""Every screen at every size, while the window changes: it fits, says what it is there for, and how one gets out."""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from tests.terminal.conftest import First, Seen, opened
from tests.terminal.test_coach import reviewed
from tests.terminal.test_kept import keep
from tests.terminal.test_looks import PICTURES, SIZES, table
from tests.terminal.test_play import asked
from tests.terminal.test_replay import recorded
from textual.screen import Screen

from flip7.scorekeeper.match import Match
from flip7.terminal.online.play import Feelings
from flip7.terminal.replay.screen import ReplayScreen
from flip7.terminal.score.live import LiveScreen
from flip7.terminal.score.screen import ScoreScreen, TotalsScreen
from flip7.terminal.screens.games import GamesScreen
from flip7.terminal.screens.rules import RulesScreen
from flip7.terminal.screens.settings import SettingsScreen


def match() -> Match:
    found = Match(["Ana", "Ben", "Cho"], target=200)
    found.enter([38, 24, 0])
    found.enter([30, 36, 25])
    return found


def of(make: Callable[[], Screen[Any]]) -> First:
    return lambda _: make()


async def pressed(seen: Seen, key: str) -> None:
    await asked(seen)
    await seen.press(key)


async def feelings(seen: Seen) -> None:
    await asked(seen)
    seen.app.push_screen(Feelings())


async def graph(seen: Seen) -> None:
    screen = seen.app.screen
    assert isinstance(screen, ReplayScreen)
    screen._reviewed(reviewed(recorded("three")))
    await seen.on("ReviewScreen")
    await seen.press("enter")


async def review(seen: Seen) -> None:
    await graph(seen)
    await seen.on("ReplayScreen")
    await seen.press("v")


async def nothing(seen: Seen) -> None:
    return


class Case(NamedTuple):
    """A screen: how one comes to it, what is to be seen there, and what leads out of it."""

    first: First
    there: Callable[[Seen], Awaitable[None]]
    name: str
    seen: tuple[str, ...]
    out: str = " esc "


CASES = {
    "rules": Case(of(RulesScreen), nothing, "RulesScreen", ("The rules", "Find a ruling", "Setup")),
    "log": Case(of(table), lambda seen: pressed(seen, "l"), "LogScreen", ("Ana is dealt 5.", "DEAL-1")),
    "games": Case(of(GamesScreen), nothing, "GamesScreen", ("Round 1 · Ana 0",)),
    "settings": Case(of(SettingsScreen), nothing, "SettingsScreen", ("Language",)),
    "live": Case(of(lambda: LiveScreen(match(), lambda: None)), nothing, "LiveScreen", ("Ana", "Ben", "Cho")),
    "totals": Case(of(lambda: TotalsScreen(match())), nothing, "TotalsScreen", ("A Ana", "B Ben", "C Cho", "68")),
    "odds": Case(of(table), lambda seen: pressed(seen, "o"), "Sheet", ("One more card changes", "Careful Carl"), " q "),
    "feelings": Case(of(table), feelings, "Feelings", ("1 Hello!", "6 Hmm…"), " q "),
    "replay": Case(of(lambda: ReplayScreen(recorded("three"))), graph, "ReplayScreen", ("100%", "A Ana"), " q "),
    "review": Case(of(lambda: ReplayScreen(recorded("three"))), review, "ReviewScreen", ("A Ana", "Blunder")),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
async def test_every_screen_fits_every_size(case: Case) -> None:
    keep(2)
    async with opened(case.first) as seen:
        await case.there(seen)
        await seen.on(case.name)
        for width, height in [*SIZES, (60, 20), (97, 21), (40, 60), (40, 20)]:
            await seen.pilot.resize_terminal(width, height)
            await seen.pilot.pause()
            assert type(seen.app.screen).__name__ == case.name
            assert [len(line) for line in seen.lines] == [width] * height
            told = " ".join(seen.text.split())
            for text in case.seen:
                assert " ".join(text.split()) in told, (width, height, seen.text)
            assert case.out in seen.lines[-1], (width, height, seen.text)


@pytest.mark.parametrize("size", [(40, 20), (110, 34)], ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("name", ["replay", "review", "score"])
async def test_a_screen_looks_as_its_picture(name: str, size: tuple[int, int], tmp_path: Path) -> None:
    """The pictures are looked at before they are kept; FLIP7_PICTURES=1 writes them again."""
    score = Case(of(lambda: ScoreScreen(match(), tmp_path / "match.json")), nothing, "ScoreScreen", ())
    case = CASES.get(name, score)
    async with opened(case.first, size=size) as seen:
        await case.there(seen)
        await seen.on(case.name)
        if name == "score":
            await seen.type("12 7")
            await seen.press("b")
        await seen.pilot.pause()
        path = PICTURES / f"{name}-{size[0]}x{size[1]}.svg"
        if os.environ.get("FLIP7_PICTURES"):
            path.write_text(seen.picture, "utf-8")
        assert seen.picture == path.read_text("utf-8")
