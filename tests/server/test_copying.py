"""`flip7 store`: a backup is whole and sound, goes into either database, replaces nothing unasked; damage is named."""

from __future__ import annotations

import asyncio
import sqlite3
import stat
import time
from pathlib import Path
from typing import Any, NamedTuple

import asyncpg  # type: ignore[import-untyped]
import msgspec
import pytest

import flip7
from flip7.cli import main
from flip7.protocol.rest import Seated
from flip7.server.settings import Settings
from flip7.server.store import copying, sqlite_file
from flip7.server.store.postgres_tables import LOCK

from .inside import FAST, Browser, create, record_of, serving
from .test_keeping import finished_game, share
from .test_store import fresh_database


class Filled(NamedTuple):
    """A store in which something has happened."""

    settings: Settings
    running: Seated
    running_game: str
    over: str
    match: str

    @property
    def where(self) -> list[str]:
        return where(self.settings)

    async def execute(self, statement: str) -> None:
        """Tamper with it."""
        if self.settings.database is None:
            with sqlite3.connect(self.settings.data / "flip7.sqlite") as file:
                file.execute(statement)
            file.close()
        else:
            connection = await asyncpg.connect(self.settings.database)
            await connection.execute(statement)
            await connection.close()


def where(settings: Settings) -> list[str]:
    return ["--database", settings.database] if settings.database else ["--data", str(settings.data)]


async def store(*words: object) -> int:
    """Run the command, which has a loop of its own."""
    return await asyncio.to_thread(main, ["store", *map(str, words)])


async def empty(kind: str, request: pytest.FixtureRequest, folder: Path) -> Settings:
    if kind == "sqlite":
        return msgspec.structs.replace(FAST, data=folder)
    return msgspec.structs.replace(FAST, database=await fresh_database(request.getfixturevalue("postgres")))


@pytest.fixture(params=["sqlite", "postgres"])
async def filled(request: pytest.FixtureRequest, tmp_path: Path) -> Filled:
    settings = await empty(request.param, request, tmp_path / "data")
    async with serving(settings) as hub:
        _, over = await finished_game(hub, target=100)  # Enough for several choices, whatever the deck.
        running = await create(hub, "Ana", "Ben", start=True)
        browser = Browser(hub, running)
        await browser.open()
        await browser.play(until=6)
        await browser.close()
        _, shared = await share(hub)
    return Filled(settings, running, browser.game, over, shared.code)


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
async def test_a_backup_goes_into_either_database_and_games_go_on(
    filled: Filled, kind: str, request: pytest.FixtureRequest, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "backup.sqlite"
    assert await store("backup", file, *filled.where) == 0
    assert "2 tables, 2 games, " in capsys.readouterr().out
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert not any(beside.exists() for beside in sqlite_file.beside(file))
    settings = await empty(kind, request, tmp_path / "restored")
    assert await store("restore", file, *where(settings)) == 0
    assert await store("check", *where(settings)) == await store("check", file) == 0
    async with serving(settings) as hub:
        assert flip7.Game.from_record(await record_of(hub, filled.over)).winner is not None
        assert (await hub.matches.body(filled.match, "", "192.0.2.1")).operations
        browser = Browser(hub, filled.running)
        welcome = await browser.open(filled.running_game, 6)
        assert welcome.game
        assert (welcome.game.number, welcome.room.notice) == (6, None)
        await browser.play()
        await browser.close()
    if kind == "sqlite":
        assert stat.S_IMODE((settings.data / "flip7.sqlite").stat().st_mode) == 0o600


async def test_a_backup_of_a_running_server_is_of_one_moment(
    filled: Filled, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Choices, games and tables are written while it is made."""
    monkeypatch.setattr(copying, "PAGES", 1)
    monkeypatch.setattr(copying, "ROWS", 2)
    file = tmp_path / "backup.sqlite"
    steps: list[float] = []

    def slowly(share: float) -> None:
        steps.append(share)
        time.sleep(0.002)

    def back_up() -> copying.Counts:
        return asyncio.run(copying.backup(filled.settings, file, overwrite=False, progress=slowly))

    async with serving(filled.settings) as hub:
        backing_up = asyncio.create_task(asyncio.to_thread(back_up))
        played = 0
        while not backing_up.done() or not played:
            await finished_game(hub)
            played += 1
        counts = await backing_up
        async with copying.snapshot(filled.settings) as now:
            assert sum(await now.counts()) > sum(counts), "nothing was written meanwhile"
    assert len(steps) > 5
    assert await store("check", file) == 0


async def test_nothing_is_replaced_unless_it_is_said(
    filled: Filled, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "backup.sqlite"
    assert await store("backup", file, *filled.where) == 0
    assert await store("backup", file, *filled.where) == 2
    assert "exists already: name another, or add --overwrite" in capsys.readouterr().err
    async with serving(filled.settings) as hub:
        late = await create(hub, "Late")
        assert await store("restore", file, *filled.where, "--overwrite") == 2
        assert "stop" in capsys.readouterr().err
    assert await store("restore", file, *filled.where) == 2
    assert "add --overwrite" in capsys.readouterr().err
    file.chmod(0o644)
    assert await store("restore", file, *filled.where, "--overwrite") == 0
    async with serving(filled.settings) as hub:
        assert await hub.store.room(late.code) is None
        assert await hub.store.room(filled.running.code) is not None
    assert await store("backup", file, *filled.where, "--overwrite") == 0
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


async def test_a_server_that_is_just_going_is_waited_for(filled: Filled, tmp_path: Path) -> None:
    """PostgreSQL notices a moment later that a connection was closed."""
    if filled.settings.database is None:
        return
    file = tmp_path / "backup.sqlite"
    assert await store("backup", file, *filled.where) == 0
    going = await asyncpg.connect(filled.settings.database)
    await going.execute("SELECT pg_advisory_lock_shared($1)", LOCK)
    asyncio.get_running_loop().call_later(0.3, going.terminate)
    assert await store("restore", file, *filled.where, "--overwrite") == 0


async def test_a_restored_file_does_not_inherit_the_log_of_the_one_before(filled: Filled, tmp_path: Path) -> None:
    """A killed server leaves a log beside its file, which belongs to that file alone."""
    if filled.settings.database is not None:
        return
    file, data = tmp_path / "backup.sqlite", filled.settings.data
    assert await store("backup", file, *filled.where) == 0
    async with serving(filled.settings) as hub:
        await create(hub, "Late")
        log = (data / "flip7.sqlite-wal").read_bytes()
    (data / "flip7.sqlite-wal").write_bytes(log)
    assert await store("restore", file, *filled.where, "--overwrite") == 0
    assert not (data / "flip7.sqlite-wal").exists()
    assert await store("check", *filled.where) == 0


DAMAGE = {
    "DELETE FROM choices WHERE game = '{game}' AND number = 2": "game {game}: choice 2 is missing; the next one is 3",
    "UPDATE choices SET choice = 'stay', by = 'bot' WHERE game = '{over}' AND number = 0": "game {over}: choice 0",
    "UPDATE choices SET hash = '' WHERE game = '{game}' AND number = 5": "game {game}: choice 5 is not the one",
    "DELETE FROM games WHERE id = '{game}'": "game {game}: it is gone, but 6 of its choices are there",
    "DELETE FROM choices WHERE game = '{over}' AND number > 0": "game {over}: it is noted as over",
    "UPDATE games SET over = {true} WHERE id = '{game}'": "game {game}: it is noted as over, but has no winner",
    "UPDATE games SET data = 'x' WHERE id = '{game}'": "game {game}:",
    "UPDATE rooms SET data = '?' WHERE code = '{code}'": "table {code}:",
    "UPDATE rooms SET problem = 'odd' WHERE code = '{code}'": "table {code}: set aside as damaged: odd",
    "UPDATE matches SET data = '?' WHERE code = '{match}'": "match {match}:",
    "UPDATE operations SET number = 3 WHERE match = '{match}'": "match {match}: entry 0 is missing; the next one is 3",
    "UPDATE operations SET data = '?' WHERE match = '{match}'": "match {match}:",
}


async def test_what_is_damaged_is_named(filled: Filled, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "backup.sqlite"
    assert await store("backup", file, *filled.where) == 0
    assert await store("check", *filled.where) == 0
    assert "sound: 2 tables, 2 games" in capsys.readouterr().out
    names: dict[str, Any] = {"game": filled.running_game, "over": filled.over, "match": filled.match}
    names |= {"code": filled.running.code, "true": "TRUE"}
    for statement, expected in DAMAGE.items():
        await filled.execute(statement.format(**names))
        assert await store("check", *filled.where) == 1, statement
        out = capsys.readouterr().out
        assert expected.format(**names) in out
        assert "damaged: " in out.splitlines()[-1]
        assert await store("restore", file, *filled.where, "--overwrite") == 0
    assert await store("check", *filled.where) == 0


async def test_what_is_not_on_a_damaged_page_is_checked_all_the_same(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whichever page it is, but for the first, which tells what the others are."""
    settings = msgspec.structs.replace(FAST, data=tmp_path, seed=1)
    async with serving(settings) as hub:
        for _ in range(6):
            await finished_game(hub, target=200)
    path = settings.data / "flip7.sqlite"
    with sqlite3.connect(path) as file:
        file.execute("VACUUM")  # so that every page is used
        (size,) = file.execute("PRAGMA page_size").fetchone()
        games = [id for (id,) in file.execute("SELECT id FROM games")]
    file.close()
    whole, lost = path.read_bytes(), []
    for start in range(size, len(whole), size):
        path.write_bytes(
            whole[:start] + bytes(byte ^ 90 for byte in whole[start : start + size]) + whole[start + size :]
        )
        assert await store("check", *where(settings)) == 1
        out = capsys.readouterr().out
        assert "damaged: " in out.splitlines()[-1]
        if "some choices cannot be read" in out:
            lost.append(sum(game in out for game in games))
    assert len(lost) > 2
    assert lost.count(len(games)) <= 1  # the page that leads to all others


async def test_a_changed_seed_is_noticed_before_the_first_choice(filled: Filled) -> None:
    """The promise that everybody was shown is in the log too."""
    async with serving(filled.settings) as hub:
        await create(hub, "Ana", "Ben", start=True, target=77)
    if filled.settings.database is None:
        await filled.execute("UPDATE games SET data = replace(CAST(data AS TEXT), '\"target\":77', '\"target\":78')")
    else:
        changed = "replace(convert_from(data, 'UTF8'), '\"target\":77', '\"target\":78')"
        await filled.execute(f"UPDATE games SET data = convert_to({changed}, 'UTF8')")
    assert await store("check", *filled.where) == 1


async def test_files_that_are_no_backups_are_refused(
    filled: Filled, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "backup.sqlite"
    assert await store("backup", file, *filled.where) == 0
    whole = file.read_bytes()
    for name, data, status in (
        ("text", b"What a surprise!" * 100, 1),
        ("empty", b"", 2),
        ("cut", whole[: len(whole) // 2], 1),
        ("changed", whole.replace(b"player", b"plaxer", 1), 1),
    ):
        (tmp_path / name).write_bytes(data)
        assert await store("check", tmp_path / name) == status, name
        assert "is not the one that was written" in capsys.readouterr().out or name != "changed"
        if name != "changed":  # A backup of a damaged store can be restored, to be looked at.
            assert await store("restore", tmp_path / name, *filled.where, "--overwrite") == status, name
            captured = capsys.readouterr()
            assert name in captured.out + captured.err
    assert await store("check", *filled.where) == 0
    assert await store("restore", tmp_path / "nothing", *filled.where, "--overwrite") == 2
    assert await store("backup") == 2
    assert await store("check", "--database", "mysql://user:secret@host") == 2
    assert "secret" not in capsys.readouterr().err
