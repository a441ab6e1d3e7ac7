"""Finished games are told again beside the loop, once, and whoever has missed something is told in pieces."""

from __future__ import annotations

import asyncio
import gzip
import random
import time
from collections.abc import Generator
from pathlib import Path

import msgspec
import pytest

from flip7.game.game import Game
from flip7.game.options import Rules
from flip7.protocol.rest import Replay
from flip7.server.catch_up import CatchUp
from flip7.server.errors import Refusal
from flip7.server.hub import Hub
from flip7.server.pieces import Pieces
from flip7.server.play import GameData, Play
from flip7.server.replay_worker import Finished
from flip7.server.replays import work_of
from flip7.server.settings import Settings
from flip7.server.store.base import AddGame, EndGame

from .inside import FAST, Browser, create, serving

ADDRESS = "192.0.2.7"


async def keep_game(hub: Hub, id: str, *, seats: int = 4, target: int = 200) -> Play:
    """Put a finished game into the store, as it would have been played."""
    names = tuple(f"Player {seat}" for seat in range(seats))
    data = GameData(names, "7", "0" * 32, Rules(target=target), "2026-11-18", (), version=2)
    play, chance = Play(id, data), random.Random(7)
    writes = []
    while (ask := play.game.decision) is not None:
        choice = "hit" if ask.kind == "turn" and chance.random() < 0.65 else chance.choice(ask.options)
        play.go_on(choice if isinstance(choice, int) else str(choice), "player")
        writes.append(play.logged())
    await hub.store.write(AddGame(id, "TABLE", msgspec.json.encode(data)), *writes, EndGame(id))
    return play


def unpacked(finished: Finished) -> tuple[Replay, Game]:
    """The replay and the game of the record."""
    replay = msgspec.json.decode(gzip.decompress(finished.replay), type=Replay)
    return replay, Game.from_record(gzip.decompress(finished.record).decode())


async def test_a_game_of_any_length_is_replayed_and_the_loop_does_not_do_it(tmp_path: Path) -> None:
    """With more than 4,000 choices that takes a second or more, which no table may wait for."""
    async with serving(Settings(data=tmp_path)) as hub:
        play = await keep_game(hub, "long", seats=6, target=5500)
        assert play.number > 4000
        begun = time.thread_time()
        finished = await hub.replays.get("long", ADDRESS)
        taken = time.thread_time() - begun
        assert taken < 0.2
        replay, game = unpacked(finished)
    assert [step.number for step in replay.steps] == list(range(play.number + 1))
    assert replay.steps[-1].winner == game.winner == play.game.winner
    assert game.choices == play.game.choices


async def test_a_replay_is_made_once_and_those_who_ask_for_it_again_are_charged_nothing(tmp_path: Path) -> None:
    settings = Settings(data=tmp_path, finished_per_second=0, finished_burst=150)
    async with serving(settings) as hub:
        first, second = await keep_game(hub, "first"), await keep_game(hub, "second")
        assert first.number > 75
        made = await asyncio.gather(*(hub.replays.get("first", ADDRESS) for _ in range(3)))
        assert made[0] is made[1] is made[2]
        assert await hub.replays.get("first", ADDRESS) is made[0]
        with pytest.raises(Refusal, match="many games") as refused:
            await hub.replays.get("second", ADDRESS)
        assert (refused.value.code, refused.value.seconds) == ("too_many", None)
        assert unpacked(await hub.replays.get("second", "192.0.2.8"))[1].choices == second.game.choices


async def test_whoever_has_no_budget_left_is_refused_before_the_game_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with serving(Settings(data=tmp_path, finished_per_second=0, finished_burst=150)) as hub:
        await keep_game(hub, "first")
        await keep_game(hub, "second")
        await hub.replays.get("first", ADDRESS)

        async def never(id: str) -> None:
            raise AssertionError("all choices are read")

        monkeypatch.setattr(hub.store, "game", never)
        with pytest.raises(Refusal, match="many games"):
            await hub.replays.get("second", ADDRESS)


async def test_whoever_has_no_budget_left_is_refused_alone(tmp_path: Path) -> None:
    """Others who ask for the same game at the same moment get it."""
    async with serving(Settings(data=tmp_path, finished_per_second=0, finished_burst=150)) as hub:
        for id in ("first", "second"):
            await keep_game(hub, id)
        await hub.replays.get("first", ADDRESS)
        asked = (hub.replays.get("second", address) for address in (ADDRESS, "192.0.2.8", "192.0.2.9"))
        refused, *got = await asyncio.gather(*asked, return_exceptions=True)
        assert isinstance(refused, Refusal)
        assert refused.code == "too_many"
        assert isinstance(got[0], Finished)
        assert got[0] is got[1]


async def test_a_refusal_says_how_long_to_wait(tmp_path: Path) -> None:
    async with serving(Settings(data=tmp_path, finished_per_second=10, finished_burst=150)) as hub:
        for id in ("first", "second"):
            await keep_game(hub, id)
        await hub.replays.get("first", ADDRESS)
        with pytest.raises(Refusal, match=r"try again in [0-9]+ seconds") as refused:
            await hub.replays.get("second", ADDRESS)
        assert refused.value.seconds is not None
        assert 5 < refused.value.seconds <= 30


async def test_a_worker_that_dies_is_started_again(tmp_path: Path) -> None:
    async with serving(Settings(data=tmp_path)) as hub:
        for id in ("first", "second"):
            await keep_game(hub, id)
        await hub.replays.get("first", ADDRESS)
        worker = hub.replays._worker._process
        assert worker
        worker.kill()
        await worker.wait()
        assert unpacked(await hub.replays.get("second", ADDRESS))[1].winner is not None


async def test_a_finished_game_whose_log_is_damaged_is_told_to_whoever_runs_the_server(tmp_path: Path) -> None:
    async with serving(Settings(data=tmp_path)) as hub:
        play = await keep_game(hub, "game")
        await hub.store.write(AddGame("other", "TABLE", msgspec.json.encode(play.data)), EndGame("other"))
        choice = msgspec.structs.replace(play.logged(), game="other")
        await hub.store.write(choice)
        with pytest.raises(Refusal, match="damaged"):
            await hub.replays.get("other", ADDRESS)
        assert "flip7_alarms_total 1" in hub.metrics.text()


def test_larger_tables_cost_more() -> None:
    assert work_of(100, 4) == 100
    assert work_of(100, 36) > 400


async def test_whoever_was_away_for_long_gets_what_was_missed_and_the_others_their_turn(tmp_path: Path) -> None:
    """A table of 36 goes on while one of its players is told 200 states."""
    async with serving(msgspec.structs.replace(FAST, data=tmp_path, queue=10_000)) as hub:
        names = [f"Player {seat}" for seat in range(36)]
        browser = Browser(hub, await create(hub, *names, start=True, target=1000))
        await browser.open()
        await browser.play(until=200)
        turns = 0

        async def others() -> None:
            nonlocal turns
            while True:
                await asyncio.sleep(0)
                turns += 1

        task = asyncio.create_task(others())
        welcome = await browser.open(browser.game, 0)
        task.cancel()
        assert [step.number for step in welcome.missed] == list(range(1, 201))
        assert turns > 20


async def test_what_happened_while_a_catch_up_was_made_belongs_to_it(tmp_path: Path) -> None:
    async with serving(Settings(data=tmp_path)) as hub:
        whole = await keep_game(hub, "game")
    early = Play(whole.id, whole.data)
    for text, by in whole.choices[:20]:
        early = early.after(int(text) if text.isdecimal() else text, by).settled("")
    catch_up = CatchUp(early, 5, odds=True)
    catch_up.whole()
    told = catch_up.up_to(whole, odds=True, seconds=None)
    assert told == CatchUp(whole, 5, odds=True).whole()
    assert catch_up.up_to(whole, odds=False, seconds=None) is None  # the host has hidden the odds meanwhile


async def test_long_work_takes_turns() -> None:
    pieces, order = Pieces(), []

    def work(name: str) -> Generator[None, None, str]:
        for _ in range(10):
            order.append(name)
            until = time.monotonic() + 0.003
            while time.monotonic() < until:
                pass
            yield
        return name

    assert [*await asyncio.gather(pieces.run(work("a")), pieces.run(work("b")))] == ["a", "b"]
    assert order == ["a", "b"] * 10
