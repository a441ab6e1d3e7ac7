"""Shared matches without a process: what entering costs, and what is told when the store fails or is slow."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from time import thread_time
from typing import Any

import pytest

from flip7 import Match
from flip7.protocol.matches import AddOperations, SharedMatch, ShareMatch
from flip7.rules.cards import Card
from flip7.scorekeeper.model.operations import AnyOperation, Enter, Rename, Start, Stored
from flip7.server.errors import Conflict, Refusal, StoreError
from flip7.server.limits import Buckets
from flip7.server.matches import Matches
from flip7.server.settings import Settings
from flip7.server.store.base import AddOperation, SaveMatch, Store, Write
from flip7.server.store.factory import make_store


class Shared:
    """A match that is shared from this device, and the server's side of it."""

    def __init__(self, matches: Matches) -> None:
        self.matches = matches
        self.match = Match(["Ana", "Ben"], device="one")
        self.where = SharedMatch("", "")

    async def share(self) -> None:
        self.where = await self.matches.share(ShareMatch(self.match.id, self.match.operations), "192.0.2.1")

    async def add(self) -> int:
        body = AddOperations(self.where.key, self.match.operations)
        return (await self.matches.add(self.where.code, body, "192.0.2.1")).operations

    async def told(self) -> set[str]:
        """The ids of the operations that everybody is told."""
        body = await self.matches.body(self.where.code, "", "192.0.2.1")
        return {operation.id for operation in body.operations}


@pytest.fixture
async def store(tmp_path: Path) -> Any:
    store = make_store(Settings(data=tmp_path))
    await store.open()
    yield store
    await store.close()


@pytest.fixture
async def shared(store: Store) -> Shared:
    shared = Shared(Matches(store))
    await shared.share()
    return shared


async def test_entering_into_a_match_of_3000_entries_keeps_no_table_waiting(store: Store) -> None:
    shared = Shared(Matches(store))
    shared.matches.work = Buckets(0, 1e9)
    start = Start(clock=0, device="one", players=("Ana", "Ben"), target=1_000_000, dealer=0)
    played = [Enter(clock=number, device="one", round=number, entries={"0": 1, "1": 2}) for number in range(1, 3001)]
    shared.where = await shared.matches.share(ShareMatch("long", (start,)), "192.0.2.1")

    async def enter(*operations: AnyOperation) -> None:
        body = AddOperations(shared.where.key, operations)
        await shared.matches.add(shared.where.code, body, "192.0.2.1")

    async with ticking() as pauses:
        for first in range(0, len(played), 500):
            await enter(*played[first : first + 500])
        for number in range(20):
            await enter(Rename(clock=3001 + number, device="one", player="0", name=f"Ana {number}"))
        full: dict[str, Stored] = {
            str(seat): list(map(Card, ("12", "11", "10", "9", "8", "7", "x2"))) for seat in range(36)
        }
        await enter(*(Enter(clock=3021 + i, device="one", round=i, entries=full) for i in range(90)))
        await Matches(store).body(shared.where.code, "", "192.0.2.1")
    assert len(await shared.told()) == 3021 + 90
    assert max(pauses) < 0.04, "seconds of work without a pause"


@asynccontextmanager
async def ticking() -> AsyncIterator[list[float]]:
    """While it lasts, the seconds of work between two moments at which others had their turn."""
    pauses: list[float] = []

    async def tick() -> None:
        while True:
            before = thread_time()
            await asyncio.sleep(0)
            pauses.append(thread_time() - before)

    gc.disable()  # What else there is in this process is not the server's.
    task = asyncio.create_task(tick())
    try:
        yield pauses
    finally:
        task.cancel()
        gc.enable()


async def test_what_a_network_enters_and_reads_has_a_budget(store: Store) -> None:
    shared = Shared(Matches(store))
    shared.matches.work = Buckets(0.1, 11)
    await shared.share()
    shared.match.enter([["12"], 5])
    assert await shared.add() == 2
    for number in range(8):
        shared.match.rename(0, f"Ana {number}")
        await shared.add()
    shared.match.rename(0, "Anna")
    with pytest.raises(Refusal) as refused:
        await shared.add()
    assert (refused.value.code, refused.value.seconds) == ("too_many", 10)
    body = AddOperations(shared.where.key, shared.match.operations)
    assert (await shared.matches.add(shared.where.code, body, "192.0.2.2")).operations == 11


@pytest.mark.parametrize("error", [StoreError("the disk is full"), Conflict("another server was quicker")])
async def test_what_could_not_be_saved_is_told_to_nobody_and_something_else_can_be_entered_instead(
    store: Store, shared: Shared, monkeypatch: pytest.MonkeyPatch, error: StoreError
) -> None:
    before = await shared.told()

    async def refused(*writes: object, **options: object) -> None:
        assert await shared.told() == before
        raise error

    shared.match.rename(0, "Anna")
    with monkeypatch.context() as patch:
        patch.setattr(store, "write", refused)
        with pytest.raises(StoreError):
            await shared.add()
    assert await shared.told() == before
    shared.match = Match.from_operations(shared.match.id, shared.match.operations[:1], device="one")
    shared.match.rename(0, "Annie")
    assert await shared.add() == 2
    assert await shared.told() == {operation.id for operation in shared.match.operations}


async def test_what_was_saved_without_an_answer_is_announced_to_the_other_servers(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    announced: list[str] = []
    shared = Shared(Matches(store, announced.append))
    await shared.share()
    write = store.write

    async def unanswered(*writes: Write, **options: Any) -> None:
        await write(*writes, **options)
        raise StoreError("the answer was lost")

    shared.match.rename(0, "Anna")
    monkeypatch.setattr(store, "write", unanswered)
    assert await shared.add() == 2
    assert announced == [shared.where.code]
    assert await shared.add() == 2
    assert announced == [shared.where.code]


async def test_what_does_not_fit_leaves_the_match_as_it_was(shared: Shared) -> None:
    other = Match(["Cho", "Dan"], device="two")
    with pytest.raises(Refusal):
        await shared.matches.add(shared.where.code, AddOperations(shared.where.key, other.operations), "192.0.2.1")
    assert await shared.add() == 1


async def test_a_match_that_is_slow_to_read_keeps_nobody_waiting_but_its_own(
    store: Store, shared: Shared, monkeypatch: pytest.MonkeyPatch
) -> None:
    fresh = Shared(Matches(store))
    fresh.where, read = shared.where, store.match
    begun, may, reads = asyncio.Event(), asyncio.Event(), 0

    async def slow(code: str) -> bytes | None:
        nonlocal reads
        if code == shared.where.code:
            reads += 1
            begun.set()
            await may.wait()
        return await read(code)

    monkeypatch.setattr(store, "match", slow)
    waiting = [asyncio.create_task(fresh.told()) for _ in range(3)]
    await begun.wait()
    with pytest.raises(Refusal) as refused:
        await fresh.matches.body("another", "", "192.0.2.1")
    assert refused.value.code == "unknown_match"
    may.set()
    assert await asyncio.gather(*waiting) == [await shared.told()] * 3
    assert reads == 1


@pytest.mark.parametrize("damage", [SaveMatch("damaged", b"?"), AddOperation("damaged", 0, b"{")])
async def test_a_match_that_cannot_be_read_is_named_as_damaged(
    store: Store, damage: Write, caplog: pytest.LogCaptureFixture
) -> None:
    await store.write(SaveMatch("damaged", b'{"id": "a", "key": ""}'))
    await store.write(damage)
    with pytest.raises(Refusal) as refused:
        await Matches(store).body("damaged", "", "192.0.2.1")
    assert refused.value.code == "damaged"
    assert "a shared match is damaged" in caplog.text
