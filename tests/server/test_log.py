"""Damaged logs, commits whose answers were lost, rules that have changed: found, named, and nobody else is hurt."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from pathlib import Path
from typing import Any

import msgspec
import pytest

from flip7 import Card
from flip7.game import rulebook
from flip7.game.game import Game
from flip7.protocol.messages import Leave, Refused, RoomChanged, Start, Step, Welcome
from flip7.protocol.rest import Seated
from flip7.server import chain
from flip7.server.app import App
from flip7.server.checking import Checking
from flip7.server.errors import DamagedLog, DamagedStore, Refusal, StoreError
from flip7.server.hub import Hub
from flip7.server.play import GameData
from flip7.server.settings import Settings
from flip7.server.store.base import DropRoom, Fence, StoredChoice, StoredGame, Write
from flip7.server.store.copying import snapshot

from .inside import FAST, Browser, create, get, make_hub, record_of, serving, serving_app
from .test_store import fresh_database

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
        record = await record_of(hub, game)
        choices = [choice for choice in Game.from_record(record).choices if not isinstance(choice, Card)]
        assert len(choices) == 5
        assert "unfinished" in record


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
        assert Game.from_record(await record_of(hub, game)).winner is not None


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


async def test_who_claims_to_have_seen_more_makes_one_alarm_for_a_game_and_not_one_for_each_hello(
    settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    seated, game, _ = await half_a_game(settings)
    with caplog.at_level(logging.ERROR, "flip7.server"):
        async with serving(settings) as hub:
            eve = Browser(hub, seated)
            for number in (100, 200, 300):
                await eve.open(game, number)
            await eve.close()
    assert alarms(caplog).count("the log is behind") == 1


async def test_a_player_who_has_seen_a_game_that_the_log_does_not_know_makes_an_alarm_too(
    settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    """As it is when a backup from before the game is brought back."""
    async with serving(settings) as hub:
        seated = await create(hub, "Ana", "Ben")
    before = (settings.data / "flip7.sqlite").read_bytes()
    async with serving(settings) as hub:
        ana = Browser(hub, seated)
        await ana.open()
        ana.say(Start())
        await ana.expect(Step)
        await ana.play(until=3)
        await ana.close()
    (settings.data / "flip7.sqlite").write_bytes(before)
    with caplog.at_level(logging.ERROR, "flip7.server"):
        async with serving(settings) as hub:
            again = Browser(hub, seated)
            welcome = await again.open(ana.game, ana.number)
            assert welcome.room.notice
            assert (welcome.room.notice.kind, welcome.room.notice.game) == ("damaged", ana.game)
            await again.close()
    assert f"game {ana.game}: a player has seen state 3" in alarms(caplog)


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


async def test_a_write_that_failed_is_told_though_smaller_ones_succeed(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a disk with a few pages left the look of `/healthz` itself can be written, and no table can."""
    async with serving(settings) as hub:
        unreliable = Unreliable(hub, refused=True)
        with pytest.raises(Refusal, match="not certain"):
            await create(hub, "Ana")
        unreliable.refused = False
        assert await hub.membership.check() == "the disk is full"
        monkeypatch.setattr("flip7.server.membership.FAILED_SECONDS", 0.0)
        assert await hub.membership.check() is None


async def test_nobody_can_make_a_healthy_server_look_sick(settings: Settings) -> None:
    """What is asked for can be impossible without the store being ill."""
    async with serving_app(settings) as app:
        await not_sick(app)


async def test_nobody_can_make_a_healthy_server_with_postgresql_look_sick(postgres: str) -> None:
    async with serving_app(msgspec.structs.replace(FAST, database=await fresh_database(postgres))) as app:
        await not_sick(app)


async def not_sick(app: App) -> None:
    for path in ("/api/games/a%00b", "/api/games/%00/record", "/api/games/%00/review", "/api/previews/replay/%00"):
        status, _ = await get(app, path)
        assert status in (400, 404), path
    assert (await get(app, "/api/matches/%00"))[0] == 404
    assert (await get(app, "/api/tables/%00"))[0] == 404
    device = {"device": "d" * 32, "player": {"name": "Ana"}}
    tries = await asyncio.gather(*(get(app, "/api/daily/play", "POST", device) for _ in range(3)))
    assert {status for status, _ in tries} == {201}
    assert len({body for _, body in tries}) == 1
    for path in ("/healthz", "/readyz"):
        assert (await get(app, path))[0] == 200
    assert app.hub.metrics.errors._value.get() == 0


async def test_health_shows_nobody_paths_or_what_the_database_says(settings: Settings) -> None:
    async with serving_app(settings) as app:
        app.hub.membership.failed("/secret/path: the disk is full")
        for path in ("/healthz", "/readyz"):
            status, body = await get(app, path)
            assert (status, b"secret" in body, b"log" in body) == (503, False, True)


async def test_a_garbled_byte_of_a_choice_hurts_one_game(settings: Settings, caplog: pytest.LogCaptureFixture) -> None:
    seated, game, other = await half_a_game(settings)
    sql(settings, ("UPDATE choices SET choice = CAST(X'FF' AS TEXT) WHERE game = ? AND number = 2", (game,)))
    with caplog.at_level(logging.ERROR, "flip7.server"):
        async with serving(settings) as hub:
            assert f"game {game}: choice 2 is not the one" in alarms(caplog)
            assert (await hub.info(other.code)).joinable
            assert (await hub.info(seated.code)).phase == "lobby"


async def test_a_garbled_byte_is_named_by_the_check_of_a_store(settings: Settings) -> None:
    _, game, _ = await half_a_game(settings)
    sql(settings, ("UPDATE choices SET by = CAST(X'FF' AS TEXT) WHERE game = ? AND number = 2", (game,)))
    told: list[str] = []
    async with snapshot(settings) as found:
        await Checking(found, told.append, lambda share: None).run()
    assert told == [f"game {game}: choice 2 is not the one that was written"]


async def test_a_garbled_code_of_a_table_hurts_one_table(settings: Settings, caplog: pytest.LogCaptureFixture) -> None:
    seated, _, other = await half_a_game(settings)
    sql(settings, ("UPDATE rooms SET code = CAST(X'FFFE41' AS TEXT) WHERE code = ?", (seated.code,)))
    with caplog.at_level(logging.ERROR, "flip7.server"):
        async with serving(settings) as hub:
            assert f"it says that it is table {seated.code}" in alarms(caplog)
            assert (await hub.info(other.code)).joinable


@pytest.mark.parametrize("error", [DamagedStore("the disk image is malformed"), StoreError("it takes too long")])
async def test_what_cannot_be_read_keeps_no_server_down(
    settings: Settings, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch, error: StoreError
) -> None:
    """The database can be asked, but not for everything. A game on a damaged page is lost, its table is not."""
    seated, game, other = await half_a_game(settings)
    hub = make_hub(settings)
    read = hub.store.game

    async def partly(id: str) -> StoredGame | None:
        if id == game:
            raise error
        return await read(id)

    monkeypatch.setattr(hub.store, "game", partly)
    with caplog.at_level(logging.ERROR, "flip7.server"):
        await hub.open()
    assert str(error) in alarms(caplog)
    assert (await hub.info(other.code)).joinable
    if isinstance(error, DamagedStore):
        assert (await hub.info(seated.code)).phase == "lobby"
    else:
        with pytest.raises(StoreError):
            await hub.info(seated.code)
    await hub.close()


@pytest.mark.parametrize("fault", ["cut", "garbled", "no database"])
async def test_a_file_that_cannot_be_read_at_all_is_named_with_what_helps(settings: Settings, fault: str) -> None:
    await half_a_game(settings)
    path = settings.data / "flip7.sqlite"
    content = path.read_bytes()
    broken = {
        "cut": content[: len(content) // 2],
        "garbled": content[:100] + bytes(len(content) - 100),
        "no database": b"nothing of ours " * 1000,
    }[fault]
    path.write_bytes(broken)
    with pytest.raises(DamagedStore, match=r"flip7 store check.*flip7 store restore"):
        async with serving(settings):
            pass


@pytest.mark.parametrize("fault", ["cut", "garbled"])
async def test_what_a_broken_wal_takes_along_is_noticed_and_the_rest_is_served(settings: Settings, fault: str) -> None:
    """Only whole transactions are lost with its end, so that what is left fits together; who has seen more says so."""
    async with serving(settings) as hub:
        seated, other = await create(hub, "Ana", "Ben"), await create(hub, "Cho")
        browser = Browser(hub, seated)
        await browser.open()
        browser.say(Start())
        await browser.expect(Step)
        await browser.play(until=CHOICES)
        files = {name: (settings.data / name).read_bytes() for name in ("flip7.sqlite", "flip7.sqlite-wal")}
        await browser.close()
    copy = msgspec.structs.replace(settings, data=settings.data / "copy")
    copy.data.mkdir()
    wal = files["flip7.sqlite-wal"]
    middle = len(wal) - 3 * 4096
    files["flip7.sqlite-wal"] = wal[:middle] if fault == "cut" else wal[:middle] + b"?" * 100 + wal[middle + 100 :]
    for name, content in files.items():
        (copy.data / name).write_bytes(content)
    async with serving(copy) as hub:
        assert (await hub.info(other.code)).joinable
        again = Browser(hub, seated)
        welcome = await again.open(browser.game, CHOICES)
        assert welcome.game
        assert welcome.game.number < CHOICES
        assert welcome.room.notice
        assert welcome.room.notice.kind == "behind"
        await again.play()
        await again.close()


async def test_a_table_that_is_found_damaged_while_it_is_played_is_closed_and_players_are_told(
    settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    async with serving(settings) as hub:
        seated = await create(hub, "Ana", "Ben")
        ana, tv = Browser(hub, seated), Browser(hub, seated, watch=True)
        await ana.open()
        await tv.open()
        sql(settings, ("UPDATE rooms SET data = ? WHERE code = ?", (b"{", seated.code)))
        unreliable = Unreliable(hub, refused=True)
        ana.say(Leave())
        assert (await ana.expect(Refused)).code == "not_saved"
        unreliable.refused = False
        with caplog.at_level(logging.ERROR, "flip7.server"):
            for browser in (ana, tv):
                closed = await browser.ending()
                assert (closed.code, closed.resume) == ("damaged", False)
        assert seated.code in alarms(caplog)
        assert hub.directory.rooms == []
        for browser in (ana, tv):
            await browser.close()
