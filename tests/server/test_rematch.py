"""Another game at the same table: at once against bots, after a while with friends, and with those who came late."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import msgspec
import pytest

from flip7.protocol.messages import Emote, Leave, Options, Player, Ready, Rematch, RoomChanged, Started, Welcome
from flip7.server.core import handle
from flip7.server.hub import Hub
from flip7.server.inputs import Joined, Reloaded
from flip7.server.settings import Settings
from flip7.server.store.base import AddGame, SaveRoom

from .core_table import CoreTable, Person, play
from .inside import FAST, Browser, create, serving
from .test_log import Unreliable

SHORT = Options(target=10)
NONCE = "0123456789abcdef"


def over(*friends: str, bots: tuple[str, ...] = ("carl",)) -> tuple[CoreTable, Person, list[Person]]:
    """A table after its first game."""
    table = CoreTable("Ana", bots=bots, options=SHORT)
    ana, others = table.host(), [table.join(name) for name in friends]
    table.start()
    play(table)
    assert table.room.phase == "over"
    return table, ana, others


def test_against_bots_another_game_begins_at_once() -> None:
    table, ana, _ = over()
    first = ana.last(Started).game.id
    ana.send(Rematch(again=True, nonce=NONCE))
    assert table.room.phase == "playing"
    assert ana.last(Started).game.id != first
    assert NONCE in ana.last(Started).game.promised
    assert [seat.name for seat in table.room.seats] == ["Ana", "Careful Carl"]


def test_with_friends_it_begins_after_a_while_that_everybody_sees() -> None:
    table, ana, (ben,) = over("Ben")
    ana.send(Rematch(again=True))
    assert ben.last(RoomChanged).room.rematch == 10.0
    table.wait(4)
    assert table.person().last(Welcome).room.rematch == 6.0
    ben.send(Ready(nonce=NONCE))
    table.wait(5.9)
    games = len(ben.all(Started))
    table.wait(0.2)
    assert len(ben.all(Started)) == games + 1
    assert ben.last(RoomChanged).room.rematch is None
    assert NONCE in ben.last(Started).game.promised
    assert [seat.name for seat in table.room.seats] == ["Ana", "Careful Carl", "Ben"]


def test_who_leaves_meanwhile_is_not_in_it() -> None:
    table, ana, (ben,) = over("Ben")
    ana.send(Rematch(again=True))
    ben.send(Leave())
    table.wait(11)
    assert [seat.name for seat in table.room.seats] == ["Ana", "Careful Carl"]


def test_who_has_lost_the_connection_is_played_for_until_they_come() -> None:
    table, ana, (ben,) = over("Ben")
    ana.send(Rematch(again=True))
    ben.leave_without_a_word()
    table.wait(10.1)
    assert table.room.seats[2].presence == "away"
    assert table.person(ben.token).last(Welcome).room.seats[2].presence == "here"


def test_who_sat_down_without_an_answer_is_played_for_like_whoever_is_not_here() -> None:
    table, ana, _ = over()
    seated = handle(table.state, Joined((Player(name="Ben"),), "ben"), table.now).state.data
    table.feed(Reloaded(seated, table.state.play))
    ana.send(Rematch(again=True))
    table.wait(10.1)
    assert [seat.presence for seat in table.room.seats] == ["here", "here", "away"]


def test_while_nobody_is_here_nothing_begins() -> None:
    table, ana, (ben,) = over("Ben")
    ana.send(Rematch(again=True))
    table.wait(4)
    for person in (ana, ben):
        person.leave_without_a_word()
    table.wait(60)
    assert table.room.phase == "over"
    assert table.person(ben.token).last(Welcome).room.rematch == 6.0
    table.wait(6.1)
    assert [seat.presence for seat in table.room.seats] == ["away", "here", "here"]


def test_the_host_can_still_go_back_to_the_lobby() -> None:
    table, ana, _ = over("Ben")
    ana.send(Rematch(again=True))
    ana.send(Rematch())
    assert table.room.phase == "lobby"
    table.wait(20)
    assert table.room.phase == "lobby"


def test_only_the_host_calls_for_it_and_only_after_a_game() -> None:
    _, ana, (ben,) = over("Ben")
    assert ben.refused(Rematch(again=True)).code == "not_host"
    ana.send(Rematch())
    assert ana.refused(Rematch(again=True)).code == "not_now"


def test_who_comes_late_watches_and_plays_from_the_next_game_on() -> None:
    table = CoreTable("Ana", bots=("carl",), options=SHORT)
    ana = table.host()
    table.start()
    ben = table.join("Ben")
    assert [seat.waiting for seat in table.room.seats] == [False, False, True]
    assert table.state.info().joinable
    assert ben.refused(Ready()).code == "not_now"
    ben.send(Emote(emotion="wave"))
    play(table)
    assert ana.last(Started).game.names == ("Ana", "Careful Carl")
    ana.send(Rematch(again=True))
    assert table.room.phase == "over"
    table.wait(10.1)
    assert ben.last(Started).game.names == ("Ana", "Careful Carl", "Ben")
    assert [seat.waiting for seat in table.room.seats] == [False, False, False]


def test_who_came_late_can_go_again() -> None:
    table = CoreTable("Ana", bots=("carl",), options=SHORT)
    table.host()
    table.start()
    table.join("Ben").send(Leave())
    assert [seat.name for seat in table.room.seats] == ["Ana", "Careful Carl"]
    play(table)
    assert table.room.phase == "over"


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return msgspec.structs.replace(FAST, data=tmp_path, rematch=0.3)


@pytest.fixture
def patient(settings: Settings) -> Settings:
    """A server on which no other game begins by itself while a test lasts."""
    return msgspec.structs.replace(settings, rematch=1000)


@asynccontextmanager
async def both_after_a_game(hub: Hub) -> AsyncIterator[tuple[Browser, Browser]]:
    """Ana, who has played a game against a bot, and Ben, who has come for the next one."""
    seated = await create(hub, "Ana", bots=("carl",), start=True, target=10)
    ana, ben = Browser(hub, seated), Browser(hub, await hub.join(seated.code, (Player(name="Ben"),)))
    for browser in (ana, ben):
        await browser.open()
    await ana.play()
    yield ana, ben
    for browser in (ana, ben):
        await browser.close()


async def test_a_game_that_was_begun_without_an_answer_is_not_replaced_by_another_one(settings: Settings) -> None:
    async with serving(settings) as hub, both_after_a_game(hub) as (ana, ben):
        Unreliable(hub, lost=AddGame)
        ana.say(Rematch(again=True))
        shown = (await ben.expect(Welcome)).game
        assert shown
        await asyncio.sleep(2 * settings.rematch)
        (room,) = hub.directory.rooms
        assert room.state.data.game == shown.id


async def test_no_game_begins_by_itself_after_a_way_back_to_the_lobby_without_an_answer(patient: Settings) -> None:
    async with serving(patient) as hub, both_after_a_game(hub) as (ana, ben):
        ana.say(Rematch(again=True))
        await ben.expect(RoomChanged, lambda room: room.room.rematch is not None)
        (room,) = hub.directory.rooms
        assert room.state.next_game_at is not None
        Unreliable(hub, lost=SaveRoom)
        ana.say(Rematch())
        assert (await ben.expect(Welcome)).room.phase == "lobby"
        assert (room.state.data.phase, room.state.data.game, room.state.next_game_at) == ("lobby", None, None)


async def test_a_rematch_that_was_called_for_begins_though_the_server_is_started_again(
    settings: Settings, patient: Settings
) -> None:
    async with serving(patient) as hub, both_after_a_game(hub) as (ana, ben):
        ana.say(Rematch(again=True))
        await ben.expect(RoomChanged, lambda room: room.room.rematch is not None)
        await hub.hand_over()
        assert (await ben.ending()).resume
    async with serving(settings) as hub:
        ana.hub = hub
        assert (await ana.open()).room.rematch is not None
        assert (await ana.expect(Started)).game.names == ("Ana", "Careful Carl", "Ben")
        await ana.close()


async def test_a_rematch_that_was_called_for_without_an_answer_begins(settings: Settings) -> None:
    async with serving(settings) as hub, both_after_a_game(hub) as (ana, ben):
        Unreliable(hub, lost=SaveRoom)
        ana.say(Rematch(again=True))
        assert (await ben.expect(Welcome)).room.rematch is not None
        await ben.expect(Started)
