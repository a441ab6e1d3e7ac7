"""Damaged logs, commits whose answers were lost, rules that have changed: found, named, and nobody else is hurt."""

from __future__ import annotations

import logging
import sqlite3
from pathlib import Path
from typing import Any

import msgspec
import pytest

from flip7.game import rulebook
from flip7.protocol.messages import Leave, Refused, RoomChanged, Seated, Start, Step, Welcome
from flip7.server import chain
from flip7.server.errors import DamagedLog, Refusal, StoreError
from flip7.server.hub import Hub
from flip7.server.play import GameData
from flip7.server.settings import Settings
from flip7.server.store.base import DropRoom, Fence, StoredChoice, StoredGame, Write

from .inside import FAST, Browser, create, make_hub, serving

CHOICES = 8


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return msgspec.structs.replace(FAST, data=tmp_path)


async def half_a_game(settings: Settings) -> tuple[Seated, str, Seated]:
    """A table with a game of some choices, its id, and another table."""
    async with serving(settings) as hub:
        seated, other = await create(hub, "Ana", "Ben"), await create(hub, "Cho")
        browser = Browser(hub, seated)
        await browser.open()
        browser.say(Start())
        await browser.expect(RoomChanged, lambda room: room.room.phase == "playing")
        await browser.expect(Step)
        await browser.play(until=CHOICES)
        await browser.close()
        return seated, browser.game, other


def sql(settings: Settings, *statements: tuple[str, tuple[Any, ...]]) -> None:
    file = sqlite3.connect(settings.data / "flip7.sqlite")
    for statement, values in statements:
        file.execute(statement, values)
    file.commit()
    file.close()


def alarms(caplog: pytest.LogCaptureFixture) -> str:
    return " ".join(f"{record.getMessage()} {record.__dict__.get('problem')}" for record in caplog.records)


DAMAGE = {
    "missing": ("DELETE FROM choices WHERE game = ? AND number = 3", "choice 3 is missing"),
    "changed": (
        "UPDATE choices SET choice = 'hit', by = 'bot' WHERE game = ? AND number = 2",
        "choice 2 is not the one",
    ),
    "dealt": ("UPDATE games SET data = replace(data, 'Ben', 'Bob') WHERE id = ?", "choice 0 is not the one"),
    "gone": ("DELETE FROM games WHERE id = ?", "not in the store"),
}


@pytest.mark.parametrize("damage", DAMAGE)
async def test_a_damaged_game_is_set_aside_and_named_and_everything_else_is_served(
    settings: Settings, damage: str, caplog: pytest.LogCaptureFixture
) -> None:
    seated, game, other = await half_a_game(settings)
    statement, problem = DAMAGE[damage]
    sql(settings, (statement, (game,)))
    with caplog.at_level(logging.ERROR, "flip7.server"):
        async with serving(settings) as hub:
            assert game in alarms(caplog)
            assert problem in alarms(caplog)
            assert (await hub.info(other.code)).joinable
            browser = Browser(hub, seated)
            welcome = await browser.open()
            assert (welcome.room.phase, welcome.game) == ("lobby", None)
            assert welcome.room.notice
            assert (welcome.room.notice.kind, welcome.room.notice.game) == ("damaged", game)
            browser.say(Start())
            await browser.expect(RoomChanged, lambda room: room.room.notice is None)
            await browser.close()
    async with serving(settings) as hub:
        stored = await hub.store.game(game)
        assert (stored is None) == (damage == "gone")
        assert stored is None or (stored.problem and stored.choices)


async def test_an_unreadable_table_is_set_aside_and_everything_else_is_served(
    settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    seated, _, other = await half_a_game(settings)
    sql(settings, ("UPDATE rooms SET data = ? WHERE code = ?", (b"{", seated.code)))
    with caplog.at_level(logging.ERROR, "flip7.server"):
        async with serving(settings) as hub:
            assert f"table {seated.code}" in alarms(caplog)
            assert (await hub.info(other.code)).joinable
            with pytest.raises(Refusal) as refused:
                await hub.info(seated.code)
            assert refused.value.code == "damaged"
            assert await hub.store.room(seated.code) == b"{"


def forge(settings: Settings, game: str, *, edition: int, number: int, choice: str) -> None:
    """Change a choice and the edition, and mend the chain: as if other rules had allowed it."""
    file = sqlite3.connect(settings.data / "flip7.sqlite")
    (saved,) = file.execute("SELECT data FROM games WHERE id = ?", (game,)).fetchone()
    data = msgspec.json.encode(msgspec.structs.replace(msgspec.json.decode(saved, type=GameData), edition=edition))
    file.execute("UPDATE games SET data = ? WHERE id = ?", (data, game))
    file.execute("UPDATE choices SET choice = ? WHERE game = ? AND number = ?", (choice, game, number))
    link = chain.first_link(game, data)
    columns = "number, choice, by, state"
    for row in file.execute(f"SELECT {columns} FROM choices WHERE game = ? ORDER BY number", (game,)).fetchall():
        link = chain.next_link(link, *row)
        file.execute("UPDATE choices SET hash = ? WHERE game = ? AND number = ?", (link, game, row[0]))
    file.commit()
    file.close()


async def test_a_game_of_older_rules_that_cannot_be_played_is_ended_and_its_record_kept(settings: Settings) -> None:
    seated, game, _ = await half_a_game(settings)
    forge(settings, game, edition=rulebook.EDITION - 1, number=5, choice="33")
    async with serving(settings) as hub:
        browser = Browser(hub, seated)
        welcome = await browser.open()
        assert welcome.room.notice
        assert (welcome.room.notice.kind, welcome.room.phase) == ("outdated", "lobby")
        await browser.close()
        play = await hub.finished(game, "192.0.2.1")
        assert play.number == 5
        assert "unfinished" in play.game.record()


async def test_a_game_of_older_rules_that_can_still_be_played_goes_on(settings: Settings) -> None:
    seated, game, _ = await half_a_game(settings)
    file = sqlite3.connect(settings.data / "flip7.sqlite")
    (choice,) = file.execute("SELECT choice FROM choices WHERE game = ? AND number = 5", (game,)).fetchone()
    file.close()
    forge(settings, game, edition=rulebook.EDITION - 1, number=5, choice=choice)
    async with serving(settings) as hub:
        browser = Browser(hub, seated)
        welcome = await browser.open()
        assert welcome.game
        assert (welcome.game.number, welcome.room.notice) == (CHOICES, None)
        await browser.play()
        await browser.close()
        assert (await hub.finished(game, "192.0.2.1")).over


async def test_a_choice_that_is_illegal_by_these_rules_is_damage(settings: Settings) -> None:
    seated, game, _ = await half_a_game(settings)
    forge(settings, game, edition=rulebook.EDITION, number=5, choice="33")
    async with serving(settings) as hub:
        browser = Browser(hub, seated)
        welcome = await browser.open()
        assert welcome.room.notice
        assert welcome.room.notice.kind == "damaged"
        await browser.close()


async def test_a_player_who_has_seen_more_than_the_log_makes_an_alarm_and_everybody_is_told(
    settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    seated, game, _ = await half_a_game(settings)
    sql(settings, ("DELETE FROM choices WHERE game = ? AND number >= ?", (game, CHOICES - 2)))
    async with serving(settings) as hub:
        tv, eve, ana = Browser(hub, seated, watch=True), Browser(hub, seated, watch=True), Browser(hub, seated)
        await tv.open()
        assert (await eve.open(game, 999)).room.notice is None
        with caplog.at_level(logging.ERROR, "flip7.server"):
            welcome = await ana.open(game, CHOICES)
        assert f"state {CHOICES}" in alarms(caplog)
        assert welcome.game
        assert welcome.game.number == CHOICES - 2
        told = await tv.expect(RoomChanged, lambda room: room.room.notice is not None)
        assert told.room.notice
        assert told.room.notice.kind == "behind"
        await ana.play()
        for browser in (tv, eve, ana):
            await browser.close()


def test_the_chain_notices_every_change() -> None:
    link = chain.first_link("g", b"data")
    choices = []
    for number, (choice, by) in enumerate((("hit", "player"), ("2", "bot"), ("stay", "away"))):
        link = chain.next_link(link, number, choice, by, "s")
        choices.append(StoredChoice(number, choice, by, "s", link))
    whole = StoredGame("g", b"data", False, tuple(choices))
    assert chain.verify(whole) == link
    broken = [
        msgspec.structs.replace(whole, id="h"),
        msgspec.structs.replace(whole, data=b"date"),
        msgspec.structs.replace(whole, choices=tuple(choices[1:])),
        msgspec.structs.replace(whole, choices=(choices[0], choices[2])),
        msgspec.structs.replace(whole, choices=(choices[1], choices[0], choices[2])),
    ]
    for field, value in (("number", 7), ("choice", "stay"), ("by", "bot"), ("state", "t"), ("hash", "0" * 64)):
        first = StoredChoice(**(choices[0]._asdict() | {field: value}))
        broken.append(msgspec.structs.replace(whole, choices=(first, *choices[1:])))
    for game in broken:
        with pytest.raises(DamagedLog):
            chain.verify(game)


class Unreliable:
    """Makes a store fail: before a write, so that nothing happens, or after it, so that only the answer is lost."""

    def __init__(self, hub: Hub, *, lost: type[Write] | None = None, refused: bool = False) -> None:
        self.write = hub.store.write
        self.lost, self.refused = lost, refused
        hub.store.write = self  # type: ignore[method-assign]

    async def __call__(self, *writes: Write, fence: Fence | None = None) -> None:
        if self.refused:
            raise StoreError("the disk is full")
        await self.write(*writes, fence=fence)
        if self.lost is not None and any(isinstance(write, self.lost) for write in writes):
            self.lost = None
            raise StoreError("the answer was lost")


async def test_a_leave_that_cannot_be_saved_leaves_nobody_deaf(settings: Settings) -> None:
    async with serving(settings) as hub:
        seated = await create(hub, "Ana", "Ben", "Cho")
        ana = Browser(hub, seated)
        await ana.open()
        unreliable = Unreliable(hub, refused=True)
        ana.say(Leave())
        refused = await ana.expect(Refused)
        assert refused.code == "not_saved"
        assert "has not happened" not in refused.text
        unreliable.refused = False
        assert (await ana.expect(Welcome)).seats == (1, 2, 3)
        ana.say(Leave())
        assert (await ana.ending()).code == "left"
        await ana.close()


async def test_a_table_whose_end_was_committed_without_an_answer_is_no_zombie(settings: Settings) -> None:
    async with serving(settings) as hub:
        seated = await create(hub, "Ana")
        ana, tv = Browser(hub, seated), Browser(hub, seated, watch=True)
        await ana.open()
        await tv.open()
        Unreliable(hub, lost=DropRoom)
        ana.say(Leave())
        assert (await ana.expect(Refused)).code == "not_saved"
        assert (await tv.ending()).code == "table_closed"
        assert (await ana.ending()).code == "table_closed"
        with pytest.raises(Refusal) as refused:
            await hub.info(seated.code)
        assert refused.value.code == "unknown_table"
        for browser in (ana, tv):
            await browser.close()


async def test_health_tells_whether_anything_can_be_written(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    hub = make_hub(settings)
    await hub.open()
    assert await hub.membership.check() is None

    async def full() -> dict[str, str]:
        raise StoreError("the disk is full")

    monkeypatch.setattr(hub.store, "beat", full)
    monkeypatch.setattr(hub.membership, "_looked_at", 0.0)
    assert await hub.membership.check() == "the disk is full"
    monkeypatch.undo()
    monkeypatch.setattr(hub.membership, "_looked_at", 0.0)
    assert await hub.membership.check() is None
    await hub.close()
