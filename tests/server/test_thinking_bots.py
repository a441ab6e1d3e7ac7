"""Bots that think are asked beside the loop: their choice comes in like everybody's, and nobody is kept waiting."""

from __future__ import annotations

import asyncio
import sys
import time
from pathlib import Path

import msgspec
import pytest

from flip7.game.position import Position
from flip7.protocol.messages import StandIn, Step
from flip7.server.bots import offered
from flip7.server.engine import Engine
from flip7.server.inputs import BotAnswered, BotQuestion, Rang
from flip7.server.state import BOT_SECONDS
from flip7.server.store.base import AddChoice
from flip7.server.thinking_bots import think
from flip7.strategy.cast import prompt_choice
from flip7.strategy.registry import get

from .core_table import CoreTable
from .inside import FAST, Browser, create, serving

PAUSE_SECONDS = 0.25
"""Of processor time: far more than a choice at a table of 36 takes, and less than loading one thinker does."""


def asked(table: CoreTable) -> BotQuestion:
    """Play on until Dee is asked, and return what she is asked; a question comes with the choice that led to it."""
    ana = next(iter(table.people.values()))
    while True:
        found = table.state.pondered
        if found is not None and not found.answered:
            assert table.state.play is not None
            return BotQuestion(found.game, found.number, found.bot, str(table.state.play.game.position))
        if ana.is_asked:
            ana.answer()
        else:
            assert table.alarm is not None
            table.wait(table.alarm - table.now)


def choices(table: CoreTable) -> list[AddChoice]:
    return [write for write in table.writes if isinstance(write, AddChoice)]


def at_dees_turn(bots: tuple[str, ...] = ("dee",)) -> tuple[CoreTable, BotQuestion]:
    table = CoreTable("Ana", bots=bots)
    table.host()
    table.start()
    return table, asked(table)


async def play_own_seat(ana: Browser, until: int = 10_000) -> None:
    while ana.ask is not None and ana.number < until:
        if ana.ask.seat == 0:
            await ana.play(until=ana.number + 1)
        else:
            await ana.expect(Step)


def test_a_bot_that_thinks_is_asked_and_its_choice_comes_in_by_the_same_door() -> None:
    table, question = at_dees_turn()
    position = Position(question.position).decision
    assert position is not None
    prompt = prompt_choice("dee", Position(question.position))
    other = next(option for option in position.options if option != prompt)
    table.feed(BotAnswered(question.game, question.number, other))
    last = choices(table)[-1]
    assert (last.number, last.choice, last.by) == (question.number, str(other), "bot")


def test_whoever_waits_too_long_for_a_thinker_sees_it_play_at_once() -> None:
    table, question = at_dees_turn()
    before = len(choices(table))
    table.wait(BOT_SECONDS - 0.1)
    assert len(choices(table)) == before
    table.wait(0.2)
    assert choices(table)[before].choice == str(prompt_choice("dee", Position(question.position)))
    again = len(choices(table))
    table.feed(BotAnswered(question.game, question.number, "hit"))  # too late
    assert len(choices(table)) == again


@pytest.mark.parametrize("choice", [None, 17, "fold"])
def test_what_cannot_be_played_is_as_good_as_no_answer(choice: str | int | None) -> None:
    table, question = at_dees_turn()
    table.feed(BotAnswered(question.game, question.number, choice))
    last = choices(table)[-1]
    assert (last.number, last.choice) == (
        question.number,
        str(prompt_choice("dee", Position(question.position))),
    )


def test_a_question_is_asked_once_and_again_after_a_change_of_bots() -> None:
    table = CoreTable("Ana", "Ben", bots=("carl",))
    ana = table.host()
    table.start()
    ben = table.state.data.seats[1].id
    ana.send(StandIn(seat=ben, bot="dee"))
    question = asked(table)
    assert table.feed(Rang(table.deal())).bot_question is None
    ana.send(StandIn(seat=ben, bot="sam"))
    assert table.state.pondered is None
    table.feed(BotAnswered(question.game, question.number, "stay"))  # what Dee would have done
    outcome_after = table.feed(Rang(table.deal()))
    assert outcome_after.bot_question is None or outcome_after.bot_question.number != question.number


def test_nobody_thinks_for_an_empty_table() -> None:
    table, _ = at_dees_turn()
    ana = next(iter(table.people.values()))
    ana.leave_without_a_word()
    assert table.alarm is None
    assert not table.state.must_ponder


async def test_without_an_engine_a_thinker_has_no_answer_and_is_not_offered(tmp_path: Path) -> None:
    question = BotQuestion("game", 0, "dee", "0:5/0:7 turn@0")
    absent = Engine(wanted=False)
    assert await think(absent, question) is None
    dead = Engine(wanted=True, note=tmp_path / "note", installed=lambda: True, command=(sys.executable, "-c", ""))
    assert await think(dead, question) is None
    await asyncio.gather(dead.ready(), return_exceptions=True)
    assert await think(dead, question) is None
    assert "dee" not in {bot.id for bot in offered(engine=absent.is_there)}
    assert "dee" in {bot.id for bot in offered(engine=True)}


async def test_a_table_without_an_engine_plays_on_with_its_thinker(tmp_path: Path) -> None:
    async with serving(msgspec.structs.replace(FAST, data=tmp_path)) as hub:
        ana = Browser(hub, await create(hub, "Ana", bots=("dee",), start=True, target=30))
        await ana.open()
        await play_own_seat(ana)
        assert ana.ask is None
        await ana.close()


async def test_a_table_of_36_with_a_thinker_never_stops_the_loop(tmp_path: Path) -> None:
    """The loop's longest task while Dee plays on 35 seats, with the real engine; a busy machine does not count."""
    async with serving(msgspec.structs.replace(FAST, data=tmp_path, seed=5, engine=True, queue=10_000)) as hub:
        await hub.engine.ready()
        ana = Browser(hub, await create(hub, "Ana", bots=("dee",) * 35, start=True, target=1000))
        tasks: list[float] = []

        async def watch() -> None:
            while True:
                before = time.thread_time()
                await asyncio.sleep(0.001)
                tasks.append(time.thread_time() - before)

        watcher = asyncio.create_task(watch())
        await ana.open()
        await play_own_seat(ana, until=60)
        watcher.cancel()
        room = hub.directory.rooms[0]
        assert room.state.play is not None
        position = room.state.play.game.position
        thought = await think(hub.engine, BotQuestion("", 0, "dee", str(position)))
        strategy = get("deep")
        assert position.decision is not None
        assert thought == (strategy.turn if position.decision.kind == "turn" else strategy.target)(position)
        await ana.close()
    assert max(tasks) < PAUSE_SECONDS
