"""The store keeps its promises, in SQLite and in PostgreSQL alike."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import sqlite3
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import asyncpg  # type: ignore[import-untyped]
import pytest

from flip7.server.errors import Conflict, Fenced, StoreError
from flip7.server.settings import Settings
from flip7.server.store.base import (
    LEASE_SECONDS,
    AddChoice,
    AddGame,
    AddOperation,
    Claimed,
    CreateRoom,
    DropRoom,
    Elsewhere,
    EndGame,
    Fence,
    GameHead,
    Keep,
    SaveMatch,
    SaveRoom,
    SetGameAside,
    SetRoomAside,
    Store,
    StoredGame,
)
from flip7.server.store.factory import make_store
from flip7.server.store.sqlite import SqliteStore

Open = Callable[[], Store]


async def fresh_database(url: str) -> str:
    """A database of its own on the server."""
    name = f"t{secrets.token_hex(6)}"
    connection = await asyncpg.connect(url)
    await connection.execute(f"CREATE DATABASE {name}")
    await connection.close()
    return url.replace("/postgres?", f"/{name}?")


def made(game: StoredGame) -> list[tuple[str, str]]:
    """The choices of a game, and who made them."""
    return [(choice.choice, choice.by) for choice in game.choices]


@pytest.fixture(params=["sqlite", "postgres"])
async def settings(request: pytest.FixtureRequest, tmp_path: Path) -> Settings:
    if request.param == "sqlite":
        return Settings(data=tmp_path / "new" / "folder")
    url = request.getfixturevalue("postgres")
    return Settings(database=await fresh_database(url))


@pytest.fixture
async def store(settings: Settings) -> AsyncIterator[Store]:
    store = make_store(settings)
    await store.open()
    yield store
    await store.close()


async def test_what_was_written_is_there_after_reopening(settings: Settings) -> None:
    store = make_store(settings)
    await store.open()
    await store.write(CreateRoom("ABCDE", b"one"), AddGame("g", "ABCDE", b"deal"))
    await store.write(AddChoice("g", 0, "hit", "player"))
    await store.write(AddChoice("g", 1, "3", "bot"), SaveRoom("ABCDE", b"two"))
    await store.close()
    store = make_store(settings)
    await store.open()
    assert await store.rooms() == [("ABCDE", b"two")]
    assert await store.room("ABCDE") == b"two"
    game = await store.game("g")
    await store.close()
    assert game
    assert (game.data, game.over, made(game)) == (b"deal", False, [("hit", "player"), ("3", "bot")])


async def test_what_is_not_there_is_none(store: Store) -> None:
    assert await store.rooms() == []
    assert await store.room("ABCDE") is None
    assert await store.game("g") is None


async def test_a_choice_is_written_once(store: Store) -> None:
    await store.write(AddGame("g", "ABCDE", b""), AddChoice("g", 0, "hit", "player"))
    with pytest.raises(Conflict):
        await store.write(AddChoice("g", 0, "stay", "player"))
    game = await store.game("g")
    assert game
    assert made(game) == [("hit", "player")]


async def test_a_group_is_written_whole_or_not_at_all(store: Store) -> None:
    await store.write(AddGame("g", "ABCDE", b""), AddChoice("g", 0, "hit", "player"))
    with pytest.raises(StoreError):
        await store.write(CreateRoom("ABCDE", b"new"), AddChoice("g", 0, "stay", "player"))
    assert await store.room("ABCDE") is None


async def test_a_bad_group_does_not_fail_those_that_share_its_commit(store: Store) -> None:
    await store.write(AddGame("g", "ABCDE", b""), AddChoice("g", 0, "hit", "player"))
    writes = [store.write(AddChoice("g", number, "hit", "bot")) for number in (1, 0, 2, 0, 3)]
    results = await asyncio.gather(*writes, return_exceptions=True)
    assert [isinstance(result, StoreError) for result in results] == [False, True, False, True, False]
    game = await store.game("g")
    assert game
    assert len(game.choices) == 4


async def test_what_no_database_can_hold_is_an_error_and_the_store_goes_on(store: Store) -> None:
    with pytest.raises(Conflict):
        await store.write(CreateRoom("\ud800", b""))
    with pytest.raises(Conflict):
        await store.game("\ud800")
    await store.write(CreateRoom("ABCDE", b"fine"))
    assert await store.room("ABCDE") == b"fine"


async def test_what_is_there_already_is_a_conflict_and_no_illness_of_the_store(store: Store) -> None:
    await store.write(CreateRoom("ABCDE", b""), Keep("try", "me", b"one", once=True))
    for write in (CreateRoom("ABCDE", b""), Keep("try", "me", b"two", once=True), AddOperation("nowhere", 0, b"")):
        with pytest.raises(Conflict):
            await store.write(CreateRoom("FGHJK", b""), write)
    assert await store.room("FGHJK") is None
    await store.write(Keep("try", "me", b"three"), Keep("try", "you", b"one", once=True))
    assert await store.all_kept("try") == [("me", b"one"), ("you", b"one")]


async def test_the_head_of_a_game_tells_how_many_choices_it_has_and_none_of_them(store: Store) -> None:
    assert await store.game_head("g") is None
    await store.write(AddGame("g", "ABCDE", b"deal"), *(AddChoice("g", number, "hit", "bot") for number in range(3)))
    assert await store.game_head("g") == GameHead("g", b"deal", over=False, choices=3)
    await store.write(EndGame("g", "outdated"))
    assert await store.game_head("g") == GameHead("g", b"deal", over=True, choices=3, problem="outdated")


async def test_a_server_finds_all_that_it_owns(store: Store) -> None:
    await store.write(CreateRoom("ABCDE", b""), CreateRoom("FGHJK", b""))
    await store.release(Fence("FGHJK", 1))
    assert await store.owned() == [Fence("ABCDE", 1)]
    await claim(store, "ABCDE")
    assert await store.owned() == [Fence("ABCDE", 2)]


async def test_a_byte_that_postgresql_cannot_hold_is_a_conflict(postgres: str) -> None:
    store = make_store(Settings(database=await fresh_database(postgres)))
    await store.open()
    for ask in (store.game("a\0b"), store.match("\0"), store.write(CreateRoom("A\0", b""))):
        with pytest.raises(Conflict):
            await ask
    await store.close()


async def test_reading_keeps_no_write_waiting(postgres: str) -> None:
    store = make_store(Settings(database=await fresh_database(postgres)))
    await store.open()
    async with contextlib.AsyncExitStack() as readers:
        for _ in range(store._pool.get_max_size()):  # type: ignore[attr-defined]
            await readers.enter_async_context(store._pool.acquire())  # type: ignore[attr-defined]
        async with asyncio.timeout(30):
            await store.write(CreateRoom("ABCDE", b"one"))
    assert await store.room("ABCDE") == b"one"
    await store.close()


async def test_many_writers_share_commits_and_lose_nothing(store: Store) -> None:
    async def play(game: str) -> None:
        await store.write(AddGame(game, "ABCDE", b""))
        for number in range(20):
            await store.write(AddChoice(game, number, "hit", "player"))

    await asyncio.gather(*(play(f"g{i}") for i in range(50)))
    for i in range(50):
        game = await store.game(f"g{i}")
        assert game
        assert len(game.choices) == 20


async def test_a_closed_table_takes_only_unfinished_games_along(store: Store) -> None:
    await store.write(CreateRoom("ABCDE", b""), CreateRoom("OTHER", b"other"))
    for id in ("done", "open"):
        await store.write(AddGame(id, "ABCDE", b""), AddChoice(id, 0, "hit", "player"))
    await store.write(AddGame("theirs", "OTHER", b""))
    await store.write(EndGame("done"))
    await store.write(DropRoom("ABCDE"))
    assert await store.room("ABCDE") is None
    assert await store.room("OTHER") == b"other"
    done = await store.game("done")
    assert done
    assert done.over
    assert done.choices
    assert await store.game("open") is None
    assert await store.game("theirs") is not None


async def test_a_shared_match_is_replaced_whole_and_kept_apart_from_tables(settings: Settings) -> None:
    store = make_store(settings)
    await store.open()
    assert await store.match("abc") is None
    await store.write(SaveMatch("abc", b"one"), SaveMatch("other", b"\x00\xff"), CreateRoom("abc", b"table"))
    await asyncio.gather(*(store.write(SaveMatch(f"m{i}", b"%d" % i)) for i in range(50)))
    await store.write(SaveMatch("abc", b"two"), DropRoom("abc"))
    with pytest.raises(StoreError):
        await store.write(SaveMatch("abc", b"lost"), AddGame("g", "", b""), AddGame("g", "", b""))
    await store.close()
    store = make_store(settings)
    await store.open()
    kept = [await store.match(code) for code in ("abc", "other", "m0", "m49", "nothing")]
    await store.close()
    assert kept == [b"two", b"\x00\xff", b"0", b"49", None]


async def test_one_server_at_a_time_uses_a_directory(tmp_path: Path) -> None:
    first, second = make_store(Settings(data=tmp_path)), make_store(Settings(data=tmp_path))
    await first.open()
    with pytest.raises(StoreError, match="another server"):
        await second.open()
    await second.close()
    await first.close()
    third = make_store(Settings(data=tmp_path))
    await third.open()
    await third.close()


async def claim(store: Store, code: str) -> Claimed:
    claimed = await store.claim(code)
    assert isinstance(claimed, Claimed)
    return claimed


async def test_a_table_is_claimed_in_a_new_epoch_and_written_only_in_that(store: Store) -> None:
    assert await store.claim("ABCDE") is None
    await store.write(CreateRoom("ABCDE", b"one"))
    first = Fence("ABCDE", 1)
    await store.write(SaveRoom("ABCDE", b"two"), fence=first)
    claimed = await claim(store, "ABCDE")
    assert (claimed.epoch, claimed.data) == (2, b"two")
    assert not await store.owns(first)
    assert await store.owns(Fence("ABCDE", 2))
    with pytest.raises(Fenced):
        await store.write(SaveRoom("ABCDE", b"stale"), AddGame("g", "ABCDE", b""), fence=first)
    results = await asyncio.gather(
        store.write(SaveRoom("ABCDE", b"stale"), fence=first),
        store.write(SaveRoom("ABCDE", b"three"), fence=Fence("ABCDE", 2)),
        store.write(AddGame("h", "ABCDE", b"")),
        return_exceptions=True,
    )
    assert [type(result) for result in results] == [Fenced, type(None), type(None)]
    assert await store.room("ABCDE") == b"three"
    assert await store.game("g") is None


async def test_what_is_set_aside_stays_and_is_not_served(store: Store) -> None:
    await store.write(CreateRoom("ABCDE", b"?"), AddGame("g", "ABCDE", b""), AddChoice("g", 0, "hit", "player"))
    await store.write(SetRoomAside("ABCDE", "cannot be read"), SetGameAside("g", "damaged"))
    assert await store.rooms() == []
    assert (await claim(store, "ABCDE")).problem == "cannot be read"
    await store.write(DropRoom("ABCDE"))
    game = await store.game("g")
    assert game
    assert (game.problem, len(game.choices)) == ("damaged", 1)


async def test_tables_that_nobody_serves_are_found_when_they_are_idle(store: Store) -> None:
    await store.write(CreateRoom("LOBBY", b"", maker="me"), CreateRoom("GAMES", b"", playing=True, maker="me"))
    assert await store.idle(-1, -1) == []
    assert await store.made_by("me") == []
    await store.release(Fence("LOBBY", 1), Fence("GAMES", 1))
    assert await store.idle(-1, 100) == ["LOBBY"]
    assert sorted(await store.idle(-1, -1)) == ["GAMES", "LOBBY"]
    assert await store.idle(100, 100) == []
    assert sorted(await store.made_by("me")) == ["GAMES", "LOBBY"]
    assert await store.made_by("you") == []
    assert await store.count_rooms() == 2


async def other_server(url: str) -> Store:
    store = make_store(Settings(database=url))
    await store.open("127.0.0.1:7")
    return store


async def test_a_table_of_a_server_that_is_alive_is_elsewhere(postgres: str) -> None:
    url = await fresh_database(postgres)
    ours, theirs = await other_server(url), await other_server(url)
    await ours.write(CreateRoom("ABCDE", b"one"))
    elsewhere = await theirs.claim("ABCDE")
    assert isinstance(elsewhere, Elsewhere)
    assert (elsewhere.server, elsewhere.address) == (ours.server, "127.0.0.1:7")
    assert 0 < elsewhere.lapses < LEASE_SECONDS
    assert await ours.secret() == await theirs.secret()
    assert await theirs.beat() == {ours.server: "127.0.0.1:7", theirs.server: "127.0.0.1:7"}
    await ours.close()
    assert (await claim(theirs, "ABCDE")).epoch == 2
    await theirs.close()


async def test_a_server_that_was_stopped_for_longer_than_its_lease_can_never_write_again(postgres: str) -> None:
    """Neither can one whose connections were cut, however many servers are started meanwhile."""
    url = await fresh_database(postgres)
    ours, theirs = await other_server(url), await other_server(url)
    await ours.write(CreateRoom("ABCDE", b"one"), AddGame("g", "ABCDE", b""))
    operator = await asyncpg.connect(url)
    await operator.execute("UPDATE servers SET beat = beat - interval '6 seconds' WHERE id = $1", ours.server)
    await operator.execute(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
        "WHERE datname = current_database() AND pid <> pg_backend_pid()"
    )
    await operator.close()
    while not isinstance(claimed := await claim_through_errors(theirs, "ABCDE"), Claimed):
        assert claimed is None
    await theirs.write(SaveRoom("ABCDE", b"two"), fence=Fence("ABCDE", claimed.epoch))
    await through_errors(ours.beat)
    with pytest.raises(Fenced):
        await through_errors(lambda: ours.write(SaveRoom("ABCDE", b"stale"), fence=Fence("ABCDE", 1)))
    with pytest.raises(Fenced):
        await ours.write(AddChoice("g", 0, "hit", "player"), fence=Fence("ABCDE", 1))
    assert isinstance(await ours.claim("ABCDE"), Elsewhere)
    assert await theirs.room("ABCDE") == b"two"
    await ours.close()
    await theirs.close()


async def through_errors(act: Callable[[], Awaitable[object]]) -> None:
    """Do something on connections that were cut, once they have been made again."""
    for _ in range(20):
        try:
            await act()
        except Fenced:
            raise
        except StoreError:
            await asyncio.sleep(0.05)
        else:
            return
    raise AssertionError("the connections are not made again")


async def claim_through_errors(store: Store, code: str) -> object:
    try:
        return await store.claim(code)
    except StoreError:
        return None


async def test_writing_to_a_closed_store_is_an_error(settings: Settings) -> None:
    store = make_store(settings)
    with pytest.raises(StoreError):
        await store.write(CreateRoom("ABCDE", b""))
    await store.open()
    await store.close()
    with pytest.raises(StoreError):
        await store.write(CreateRoom("ABCDE", b""))


async def test_a_directory_that_cannot_be_used_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="file"):
        await make_store(Settings(data=tmp_path / "file" / "below")).open()


async def test_a_file_of_a_newer_version_is_left_alone(tmp_path: Path) -> None:
    import sqlite3

    file = sqlite3.connect(tmp_path / "flip7.sqlite")
    file.execute("PRAGMA user_version = 99")
    file.close()
    store = make_store(Settings(data=tmp_path))
    with pytest.raises(StoreError, match="newer"):
        await store.open()
    await store.close()


async def test_the_file_is_not_closed_while_somebody_reads_who_is_not_waited_for_any_more(tmp_path: Path) -> None:
    store, begun, may = SqliteStore(tmp_path / "flip7.sqlite"), threading.Event(), threading.Event()
    read: list[object] = []

    def slowly(reader: sqlite3.Connection) -> None:
        begun.set()
        may.wait(5)
        read.append(reader.execute("SELECT 1").fetchone())

    await store.open()
    reading = asyncio.create_task(store._read(slowly))
    await asyncio.to_thread(begun.wait)
    other = asyncio.create_task(store.count_rooms())
    await asyncio.sleep(0)
    reading.cancel()
    closing = asyncio.create_task(store.close())
    done, _ = await asyncio.wait([closing, other], timeout=0.1)
    assert not done
    may.set()
    await closing
    assert read == [(1,)]
    assert await other == 0
    with pytest.raises(StoreError, match="not open"):
        await store.count_rooms()


def test_an_unknown_kind_of_database_is_refused() -> None:
    with pytest.raises(StoreError, match="postgresql://"):
        make_store(Settings(database="mysql://x"))


async def test_a_database_that_does_not_answer_is_an_error() -> None:
    with pytest.raises(StoreError, match="cannot use the database"):
        await make_store(Settings(database="postgresql://nobody@127.0.0.1:1/nothing")).open()


_KILLED = """
import asyncio, os, sys
from pathlib import Path
from flip7.server.settings import Settings
from flip7.server.store.base import AddChoice, AddGame
from flip7.server.store.factory import make_store
from flip7.server.store.sqlite import SqliteStore

async def main():
    where = sys.argv[1]
    settings = Settings(database=where) if "://" in where else Settings(data=Path(where))
    store = make_store(settings)
    await store.open()
    await store.write(AddGame("g", "ABCDE", b""))
    for number in range(10_000):
        await store.write(AddChoice("g", number, "hit", "bot"))
        print(number, flush=True)
        if number == 200:
            os.kill(os.getpid(), 9)

asyncio.run(main())
"""


async def test_what_was_acknowledged_survives_a_killed_process(settings: Settings) -> None:
    where = settings.database or str(settings.data)
    done = await asyncio.to_thread(subprocess.run, [sys.executable, "-c", _KILLED, where], capture_output=True)
    acknowledged = int(done.stdout.split()[-1])
    assert acknowledged == 200, done.stderr.decode()
    store = make_store(settings)
    await store.open()
    game = await store.game("g")
    await store.close()
    assert game
    assert len(game.choices) in (acknowledged + 1, acknowledged + 2)


async def test_who_keeps_something_first_wins(store: Store) -> None:
    await store.write(Keep("review", "one", b"first"), Keep("review", "two", b"other"))
    await store.write(Keep("review", "one", b"second"))
    assert await store.kept("review", "one") == b"first"
    assert await store.kept("review", "three") is None
    assert sorted(await store.all_kept("review")) == [("one", b"first"), ("two", b"other")]
    assert await store.all_kept("day") == []


async def test_what_was_kept_goes_with_the_games_of_its_time_but_days_stay(store: Store) -> None:
    await store.write(Keep("review", "one", b"first"), Keep("day", "2026-11-18", b"secret"))
    await store.expire_games(1)
    assert await store.kept("review", "one") == b"first"
    await store.expire_games(0)
    assert await store.kept("review", "one") is None
    assert await store.kept("day", "2026-11-18") == b"secret"
