"""Reviews and the coach, with the real engine: off the loop, once, kept, bounded, and only what players may ask."""

from __future__ import annotations

import asyncio
import gzip
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest

from flip7.protocol.messages import Advice, Advise, Options, Refused, Step
from flip7.protocol.rest import Replay, ReviewAnswer, ReviewBody
from flip7.server import reviews
from flip7.server.errors import Refusal
from flip7.server.hub import Hub

from .core_table import CoreTable
from .inside import FAST, Browser, FakeEngine, create, make_hub, serving, two_thinking, use_engine
from .test_store import fresh_database

ADDRESS = "192.0.2.1"


def settings(tmp_path: Path, **more: Any) -> Any:
    return msgspec.structs.replace(FAST, data=tmp_path, seed=5, engine=True, review_rollouts=40, **more)


async def finished_game(hub: Hub) -> str:
    """A short game against two bots, played to its end; its id."""
    seated = await create(hub, "Ana", bots=("carl", "bea"), start=True, target=30)
    ana = Browser(hub, seated)
    await ana.open()
    await ana.play()
    await ana.close()
    return ana.game


async def reviewed(hub: Hub, game: str) -> ReviewAnswer:
    await hub.engine.ready()
    await hub.reviews.answer(game, ADDRESS)
    await hub.reviews.finished()
    return await hub.reviews.answer(game, ADDRESS)


async def test_a_game_is_reviewed_once_and_the_review_is_kept(tmp_path: Path) -> None:
    async with serving(settings(tmp_path)) as hub:
        game = await finished_game(hub)
        first = await hub.reviews.answer(game, ADDRESS)
        assert first.review is None
        assert first.engine.state == "compiling"
        done = await reviewed(hub, game)
        assert done.review is not None
        (winner,) = [seat for seat in done.review.seats if seat.result]
        for seat in done.review.seats:
            assert seat.start + seat.luck + seat.skill == pytest.approx(seat.result, abs=0.001)
        told = gzip.decompress((await hub.replays.get(game, ADDRESS)).replay)
        replay = msgspec.json.decode(told, type=Replay)
        assert replay.seats[replay.steps[-1].winner or 0].name == winner.name
        steps = [moment.step for moment in done.review.moments]
        assert steps == sorted(steps)
        assert max(steps) <= replay.steps[-1].number
        for moment in done.review.moments:  # A moment leads to the step of the replay in which it happened.
            step = replay.steps[moment.step]
            if moment.best is not None:
                assert step.choice == moment.choice
                assert step.seat == moment.seat
    # Another server of the same store has it at once, with no engine at all.
    async with serving(msgspec.structs.replace(settings(tmp_path), engine=False)) as hub:
        again = await hub.reviews.answer(game, ADDRESS)
        assert again.review == done.review
        assert again.engine.state == "absent"


async def test_players_ask_the_coach_about_their_own_open_question(tmp_path: Path) -> None:
    async with serving(settings(tmp_path)) as hub:
        await hub.engine.ready()
        ana = Browser(hub, await create(hub, "Ana", bots=("carl",), start=True))
        await ana.open()
        while ana.ask is None or ana.ask.seat != 0:
            await ana.expect(Step)
        ana.say(Advise(game=ana.game, number=ana.number))
        advice = await ana.expect(Advice)
        assert {one.choice for one in advice.choices} == set(ana.ask.options)
        assert all(one.low <= one.win <= one.high for one in advice.choices)
        assert max(advice.choices, key=lambda one: one.win).choice == advice.best or not advice.sure
        assert sum(advice.seats) == pytest.approx(1.0, abs=0.05)
        ana.say(Advise(game=ana.game, number=ana.number + 1))
        assert (await ana.expect(Refused)).code == "stale"
        await ana.close()


async def test_without_an_engine_review_and_coach_are_absent_and_nothing_breaks(tmp_path: Path) -> None:
    async with serving(msgspec.structs.replace(settings(tmp_path), engine=False)) as hub:
        game = await finished_game(hub)
        answer = await hub.reviews.answer(game, ADDRESS)
        assert (answer.review, answer.engine.state) == (None, "absent")
        ana = Browser(hub, await create(hub, "Ana", bots=("carl",), start=True))
        await ana.open()
        while ana.ask is None or ana.ask.seat != 0:
            await ana.expect(Step)
        ana.say(Advise(game=ana.game, number=ana.number))
        assert (await ana.expect(Refused)).code == "no_engine"
        await ana.close()


async def test_there_is_no_review_of_a_game_that_runs_or_never_was(tmp_path: Path) -> None:
    async with serving(settings(tmp_path)) as hub:
        await create(hub, "Ana", bots=("carl",), start=True)
        with pytest.raises(Refusal) as refused:
            await hub.reviews.answer("nothing", ADDRESS)
        assert refused.value.code == "unknown_game"


async def test_an_address_gets_only_so_many_reviews_at_once(tmp_path: Path) -> None:
    async with serving(settings(tmp_path, review_burst=1, reviews_per_second=0)) as hub:
        await hub.engine.ready()
        first, second = await finished_game(hub), await finished_game(hub)
        await hub.reviews.answer(first, ADDRESS)
        with pytest.raises(Refusal) as refused:
            await hub.reviews.answer(second, ADDRESS)
        assert refused.value.code == "too_many"
        await hub.reviews.answer(first, ADDRESS)  # what is under way or kept costs nothing
        await hub.reviews.finished()
        assert (await hub.reviews.answer(first, ADDRESS)).review is not None


async def test_an_address_gets_only_so_much_advice_at_once(tmp_path: Path) -> None:
    async with serving(settings(tmp_path, advice_burst=1, advice_per_second=0.01)) as hub:
        await hub.engine.ready()
        ana = Browser(hub, await create(hub, "Ana", bots=("carl",), start=True))
        await ana.open()
        while ana.ask is None or ana.ask.seat != 0:
            await ana.expect(Step)
        question = Advise(game=ana.game, number=ana.number)
        ana.say(question)
        await ana.expect(Advice)
        ana.say(question)
        assert (await ana.expect(Refused)).code == "too_many"
        ben = Browser(hub, await create(hub, "Ben", bots=("carl",), start=True), address="198.51.100.7")
        await ben.open()
        while ben.ask is None or ben.ask.seat != 0:
            await ben.expect(Step)
        ben.say(Advise(game=ben.game, number=ben.number))
        await ben.expect(Advice)  # another address has its own
        await ana.close()
        await ben.close()


async def test_whoever_played_alone_is_told_what_the_choices_were_worth_in_points(tmp_path: Path) -> None:
    async with serving(settings(tmp_path)) as hub:
        ana = Browser(hub, await create(hub, "Ana", start=True, target=20))
        await ana.open()
        await ana.play()
        await ana.close()
        done = await reviewed(hub, ana.game)
        assert done.review is not None
        turns = [moment for moment in done.review.moments if moment.kind == "turn"]
        assert turns
        assert all(set(moment.points) == {"hit", "stay"} for moment in turns)


EMPTY = msgspec.json.encode(ReviewBody((), (), None, None, None)).decode()


@asynccontextmanager
async def thinking_of(tmp_path: Path, review: str | None) -> AsyncIterator[Hub]:
    """A hub with an engine that answers every review like this."""
    hub = make_hub(settings(tmp_path))
    use_engine(hub, FakeEngine(tmp_path, review=review))
    await hub.open()
    try:
        await hub.engine.ready()
        yield hub
    finally:
        await hub.close()


@pytest.mark.parametrize(("told", "code"), [(None, "no_engine"), ("[]", "trouble"), ("\x00", "trouble")])
async def test_a_review_that_fails_says_so_to_whoever_asks_again(tmp_path: Path, told: str | None, code: str) -> None:
    async with thinking_of(tmp_path, told) as hub:
        game = await finished_game(hub)
        await hub.reviews.answer(game, ADDRESS)
        await hub.reviews.finished()
        with pytest.raises(Refusal) as refused:
            await hub.reviews.answer(game, ADDRESS)
        assert refused.value.code == code
        await hub.reviews.answer(game, ADDRESS)  # is tried again
        await hub.reviews.finished()


async def test_a_failure_that_nobody_asks_for_is_forgotten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with thinking_of(tmp_path, None) as hub:
        await hub.reviews.answer(await finished_game(hub), ADDRESS)
        hub.reviews.forget()
        assert len(hub.reviews._work) == 1  # it is being made
        await hub.reviews.finished()
        monkeypatch.setattr(reviews, "ENDED_SECONDS", 0.0)
        hub.reviews.forget()
        assert hub.reviews._work == {}


async def test_who_looked_before_a_review_was_kept_does_not_have_it_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with thinking_of(tmp_path, EMPTY) as hub:
        game = await finished_game(hub)
        await hub.reviews.answer(game, ADDRESS)
        await hub.reviews.finished()

        async def too_early(kind: str, id: str) -> None:
            return None

        monkeypatch.setattr(hub.store, "kept", too_early)
        assert (await hub.reviews.answer(game, ADDRESS)).review is not None
        await hub.reviews.finished()
        assert isinstance(hub.engine, FakeEngine)
        assert hub.engine.jobs("review") == 1


async def test_one_of_several_servers_makes_a_review(postgres: str, tmp_path: Path) -> None:
    shared = msgspec.structs.replace(settings(tmp_path), database=await fresh_database(postgres))
    async with two_thinking(shared, tmp_path, review=EMPTY) as hubs:
        games = [await finished_game(hubs[0]) for _ in range(3)]
        for game in games:
            first = await asyncio.gather(*(hub.reviews.answer(game, ADDRESS) for hub in hubs))
            assert {answer.id for answer in first} == {game}
            await asyncio.gather(*(hub.reviews.finished() for hub in hubs))
            for hub in hubs:
                assert (await hub.reviews.answer(game, ADDRESS)).review is not None
        assert hubs[0].engine.jobs("review") == len(games)


async def test_a_poll_does_not_read_the_choices_of_a_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with serving(msgspec.structs.replace(settings(tmp_path), engine=False, finished_burst=0)) as hub:
        game = await finished_game(hub)

        async def never(id: str) -> Any:
            raise AssertionError("all choices are read")

        monkeypatch.setattr(hub.store, "game", never)
        assert (await hub.reviews.answer(game, ADDRESS)).review is None
        for kind in ("replay", "review"):
            assert await hub.previews.about(f"/{kind}/{game}", "en") is not None


def test_the_host_may_forbid_the_coach_and_nobody_asks_for_another(tmp_path: Path) -> None:
    table = CoreTable("Ana", "Ben", options=Options(coach=False))
    ana = table.host()
    table.start()
    play = table.state.play
    assert play is not None
    assert ana.refused(Advise(game=play.id, number=play.number)).code == "not_now"
    open_table = CoreTable("Ana", bots=("carl",))
    ana = open_table.host()
    open_table.start()
    play = open_table.state.play
    assert play is not None
    if play.asked != 0:
        assert ana.refused(Advise(game=play.id, number=play.number)).code == "not_your_turn"
    assert ana.refused(Advise(game="another", number=0)).code == "stale"
    hidden = CoreTable("Ana", options=Options(odds=False))
    ana = hidden.host()
    hidden.start()
    play = hidden.state.play
    assert play is not None
    assert ana.refused(Advise(game=play.id, number=play.number)).code == "not_now"
