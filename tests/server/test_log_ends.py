"""The end of a log: a finished game that has lost its last choices is damaged, a running one with a winner too."""

from __future__ import annotations

import logging
from pathlib import Path

import msgspec
import pytest

from flip7.game.options import Rules
from flip7.game.rulebook import EDITION
from flip7.protocol.rest import Seated
from flip7.server import chain
from flip7.server.checking import Checking
from flip7.server.errors import DamagedLog, Refusal
from flip7.server.loading import Outdated, read_game
from flip7.server.play import GameData, Play, read_choice
from flip7.server.settings import Settings
from flip7.server.store.base import StoredChoice, StoredGame
from flip7.server.store.copying import snapshot

from .inside import FAST, Browser, create, serving
from .test_log import alarms, sql
from .test_replays import keep_game

WITHOUT_END = "it is noted as over, but has no winner: its last choices are missing"
CUT = "DELETE FROM choices WHERE game = ? AND number > 3"
RUNNING = "UPDATE games SET over = 0 WHERE id = ?"
PLAYING = """UPDATE rooms SET data = replace(data, '"phase":"over"', '"phase":"playing"') WHERE instr(data, ?)"""


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return msgspec.structs.replace(FAST, data=tmp_path)


async def whole_game(settings: Settings) -> tuple[Seated, str]:
    """A table where a game was played to its end, and its id."""
    async with serving(settings) as hub:
        seated = await create(hub, "Ana", "Ben", start=True, target=50)
        browser = Browser(hub, seated)
        await browser.open()
        await browser.play()
        await browser.close()
        return seated, browser.game


@pytest.mark.parametrize(
    ("damage", "problem"),
    [
        ((CUT,), WITHOUT_END),
        ((RUNNING, PLAYING), "it has a winner, but is noted as running"),
        ((PLAYING,), "it is over, but its table plays on"),
        ((CUT, RUNNING), "it is noted as running, but its table is over"),
    ],
)
async def test_at_the_start_a_game_without_its_end_is_set_aside_and_named(
    settings: Settings, caplog: pytest.LogCaptureFixture, damage: tuple[str, ...], problem: str
) -> None:
    seated, game = await whole_game(settings)
    sql(settings, *((statement, (game,)) for statement in damage))
    with caplog.at_level(logging.ERROR, "flip7.server"):
        async with serving(settings) as hub:
            assert f"game {game}: {problem}" in alarms(caplog)
            browser = Browser(hub, seated)
            notice = (await browser.open()).room.notice
            assert notice
            assert (notice.kind, notice.game) == ("damaged", game)
            await browser.close()


async def test_a_replay_without_its_end_is_refused_and_named(
    settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    """No table has the game any more, so that nobody has looked at the start."""
    async with serving(settings) as hub:
        await keep_game(hub, "game")
        sql(settings, (CUT, ("game",)))
        with caplog.at_level(logging.ERROR, "flip7.server"), pytest.raises(Refusal, match="damaged"):
            await hub.replays.get("game", "192.0.2.7")
    assert f"game game: {WITHOUT_END}" in alarms(caplog)


async def test_the_check_of_a_store_names_a_table_whose_game_has_lost_its_end(settings: Settings) -> None:
    seated, game = await whole_game(settings)
    sql(settings, (CUT, (game,)), (RUNNING, (game,)))
    told: list[str] = []
    async with snapshot(settings) as found:
        await Checking(found, told.append, lambda share: None).run()
    assert told == [f"table {seated.code}: it is over, but its game {game} is noted as running"]


def cut_short(*, edition: int, problem: str | None = None) -> StoredGame:
    """A finished game without its last choices, in a log that does not say what they led to, as the first ones did."""
    data = GameData(("Ana", "Ben"), "7", "0" * 32, Rules(), "2026-11-18", (), version=2, edition=edition)
    saved, play = msgspec.json.encode(data), Play("game", data)
    choices, link = [], chain.first_link("game", saved)
    for number in range(4):
        assert play.game.decision
        choice = str(play.game.decision.options[0])
        play.go_on(read_choice(choice), "player")
        link = chain.next_link(link, number, choice, "player", "")
        choices.append(StoredChoice(number, choice, "player", "", link))
    return StoredGame("game", saved, True, tuple(choices), problem)


def test_where_the_log_has_no_states_the_missing_end_is_noticed_by_playing() -> None:
    with pytest.raises(DamagedLog, match=f"game game: {WITHOUT_END}"):
        read_game(cut_short(edition=EDITION))


def test_a_game_of_older_rules_that_is_not_over_by_these_is_outdated_and_not_damaged() -> None:
    with pytest.raises(Outdated) as outdated:
        read_game(cut_short(edition=EDITION - 1))
    assert outdated.value.play.number == 4


def test_a_game_that_was_ended_because_of_a_problem_needs_no_winner() -> None:
    assert read_game(cut_short(edition=EDITION, problem="outdated")).number == 4
