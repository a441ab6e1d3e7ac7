"""What people can do at a table, before, during and after a game."""

from __future__ import annotations

import asyncio

import msgspec
import pytest

from flip7.protocol.messages import (
    AddBot,
    AddPlayer,
    Choose,
    Closed,
    Emote,
    Emoted,
    FromServer,
    Hello,
    Leave,
    Options,
    Ping,
    Player,
    Pong,
    Ready,
    Refused,
    Rematch,
    RemoveSeat,
    Rename,
    RoomChanged,
    SetOptions,
    Start,
    Started,
    Step,
)

from .client import Client, Process


def create(server: Process, *names: str, **more: object) -> tuple[str, str]:
    """A table with its host; returns its code and the host's token."""
    seated = server.seat("/api/tables", {"players": [{"name": name} for name in names], **more})
    return seated.code, seated.token


def join(server: Process, code: str, *names: str) -> str:
    return server.seat(f"/api/tables/{code}/join", {"players": [{"name": name} for name in names]}).token


async def refused(client: Client, code: str) -> Refused:
    refusal = await client.expect(Refused)
    assert refusal.code == code, refusal
    return refusal


async def seats(client: Client, count: int) -> RoomChanged:
    return await client.expect(RoomChanged, lambda room: len(room.room.seats) == count)


async def test_friends_gather_get_ready_and_play_to_the_end(server: Process) -> None:
    code, token = create(server, "Ana")
    async with Client(server, code, token) as ana, Client(server, code, join(server, code.lower(), "Ben")) as ben:
        await ana.send(AddBot(bot="carl"))
        await seats(ben, 3)
        await ana.send(Start())
        assert "Ben" in (await refused(ana, "not_ready")).text
        await ben.send(Ready())
        await ana.expect(RoomChanged, lambda room: room.room.seats[1].ready)
        await ana.send(Start())
        last, same = await asyncio.gather(ana.play(), ben.play())
    assert last == same
    assert last.winner is not None


async def test_names_are_cleaned_and_made_unlike(server: Process) -> None:
    code, token = create(server, "  Ana \t Maria ")
    join(server, code, "Ana Maria")
    async with Client(server, code, token) as ana:
        assert ana.room
        assert [seat.name for seat in ana.room.seats] == ["Ana Maria", "Ana Maria 2"]
        assert ana.room.seats[0].colour != ana.room.seats[1].colour


@pytest.mark.parametrize(
    "name", ["", "x" * 25, "a\u0000b", "\u202eevil", "\u200b", " \u0301 ", "\u3164 \u2800", "a\nb\u0007"]
)
def test_names_that_cannot_be_shown_are_refused(server: Process, name: str) -> None:
    answer = server.post("/api/tables", {"players": [{"name": name}]})
    assert answer.status_code == 400
    assert answer.json()["code"] in ("bad_name", "unreadable")


async def test_only_the_host_rules_the_table(server: Process) -> None:
    code, token = create(server, "Ana")
    async with Client(server, code, token), Client(server, code, join(server, code, "Ben")) as ben:
        for message in (AddBot(bot="carl"), Start(), SetOptions(options=Options(target=50)), RemoveSeat(seat=1)):
            await ben.send(message)
            await refused(ben, "not_host")
        await ben.send(Rename(seat=1, player=Player(name="Mine")))
        await refused(ben, "not_yours")
        await ben.send(Rename(seat=2, player=Player(name="Benno", colour=7)))
        room = await ben.expect(RoomChanged, lambda room: room.room.seats[1].name == "Benno")
        assert room.room.seats[1].colour == 7


async def test_the_host_sets_options_and_removes_bots_and_players(server: Process) -> None:
    code, token = create(server, "Ana", bots=["carl"])
    async with Client(server, code, token) as ana, Client(server, code, join(server, code, "Ben")) as ben:
        await ana.send(SetOptions(options=Options(target=77, timer=15, odds=False, public=True)))
        await ana.expect(
            RoomChanged, lambda room: room.room.options == Options(target=77, timer=15, odds=False, public=True)
        )
        assert code in [table["code"] for table in server.get("/api/tables").json()["tables"]]
        await ana.send(AddBot(bot="nobody"))
        await refused(ana, "unknown_bot")
        await ana.send(RemoveSeat(seat=99))
        await refused(ana, "unknown_seat")
        await ana.send(RemoveSeat(seat=2))
        await seats(ana, 2)
        await ana.send(RemoveSeat(seat=3))
        await seats(ana, 1)
        closed = (await ben.closed())[-1]
        assert isinstance(closed, Closed)
        assert (closed.code, closed.resume) == ("removed", False)
        again = Client(server, code, ben.token)
        await again.connect()
        await again.send(Hello(token=ben.token))
        assert isinstance(last := (await again.closed())[-1], Closed)
        assert last.code == "unknown_token"
        await again.close()


async def test_another_person_becomes_host_when_the_host_leaves(server: Process) -> None:
    code, token = create(server, "Ana", bots=["carl"])
    async with Client(server, code, token) as ana, Client(server, code, join(server, code, "Ben")) as ben:
        await ana.send(Leave())
        room = await ben.expect(RoomChanged, lambda room: len(room.room.seats) == 2)
        assert [(seat.name, seat.host) for seat in room.room.seats] == [("Careful Carl", False), ("Ben", True)]
        assert isinstance((await ana.closed())[-1], Closed)


async def test_the_table_is_closed_when_everybody_has_left(server: Process) -> None:
    code, token = create(server, "Ana", bots=["carl"])
    async with Client(server, code, token) as ana, Client(server, code) as spectator:
        await ana.send(Leave())
        assert isinstance(closed := (await spectator.closed())[-1], Closed)
        assert closed.code == "table_closed"
    assert server.get(f"/api/tables/{code}").status_code == 404


async def test_a_player_who_leaves_in_play_becomes_a_bot(server: Process) -> None:
    code, token = create(server, "Ana")
    async with Client(server, code, token) as ana, Client(server, code, join(server, code, "Ben")) as ben:
        await ben.send(Ready())
        await ana.expect(RoomChanged, lambda room: room.room.seats[1].ready)
        await ana.send(Start())
        await ben.expect(Started)
        await ben.send(Leave())
        last = await ana.play()
        assert ana.room
        assert [seat.bot is not None for seat in ana.room.seats] == [False, True]
        assert last.winner is not None
        await ana.send(Rematch())
        room = await ana.expect(RoomChanged, lambda room: room.room.phase == "lobby")
        assert [seat.name for seat in room.room.seats] == ["Ana"]


async def test_pass_and_play_on_one_device(server: Process) -> None:
    code, token = create(server, "Ana", "Ben")
    async with Client(server, code, token) as device:
        assert len(device.seats) == 2
        await device.send(AddPlayer(player=Player(name="Cho")))
        await seats(device, 3)
    async with Client(server, code, token) as device:
        assert len(device.seats) == 3
        await device.send(Start())
        last = await device.play()
        assert last.winner is not None
        await device.send(RemoveSeat(seat=device.seats[2]))
        await device.expect(
            RoomChanged, lambda room: [seat.bot is None for seat in room.room.seats] == [True, True, False]
        )


async def test_spectators_see_everything_and_may_do_nothing(server: Process) -> None:
    code, token = create(server, "Ana", bots=["carl"])
    async with Client(server, code, token) as ana, Client(server, code) as tv:
        assert tv.seats == ()
        for message in (Start(), Ready(), Emote(emotion="wow"), Choose(game="x", number=0, choice="hit")):
            await tv.send(message)
            await refused(tv, "not_seated")
        await ana.send(Start())
        last, seen = await asyncio.gather(ana.play(), tv.play())
    assert last == seen


async def test_a_newer_connection_displaces_the_older_one(server: Process) -> None:
    code, token = create(server, "Ana")
    async with Client(server, code, token) as old, Client(server, code, token) as new:
        assert isinstance(closed := (await old.closed())[-1], Closed)
        assert closed.code == "displaced"
        await new.send(Ping(at=7))
        assert (await new.expect(Pong)).at == 7
        assert new.room
        assert new.room.seats[0].presence == "here"


async def test_a_stale_doubled_or_illegal_choice_is_refused_without_harm(server: Process) -> None:
    code, token = create(server, "Ana", "Ben")
    async with Client(server, code, token) as device:
        await device.send(Start())
        step = await device.expect(Step)
        game = step.game
        assert step.ask
        await device.send(Choose(game=game, number=step.number + 1, choice="hit"))
        await refused(device, "stale")
        await device.send(Choose(game="other", number=step.number, choice="hit"))
        await refused(device, "stale")
        bad = 35 if step.ask.kind == "turn" else "hit"
        await device.send(Choose(game=game, number=step.number, choice=bad))  # type: ignore[arg-type]
        assert "may" in (await refused(device, "illegal")).text
        good = step.ask.options[0]
        await device.send(Choose(game=game, number=step.number, choice=good))
        await device.send(Choose(game=game, number=step.number, choice=good))
        follow = await device.expect(Step)
        assert follow.number == step.number + 1
        await refused(device, "stale")


async def test_nobody_answers_for_somebody_else(server: Process) -> None:
    code, token = create(server, "Ana")
    async with Client(server, code, token) as ana, Client(server, code, join(server, code, "Ben")) as ben:
        await ben.send(Ready())
        await ana.expect(RoomChanged, lambda room: room.room.seats[1].ready)
        await ana.send(Start())
        step = await ana.expect(Step)
        await ben.expect(Step)
        assert step.ask
        other = ben if step.ask.seat == 0 else ana
        await other.send(Choose(game=step.game, number=0, choice=step.ask.options[0]))
        assert "is asked" in (await refused(other, "not_your_turn")).text


async def test_whoever_comes_back_is_told_what_was_missed(server: Process) -> None:
    code, token = create(server, "Ana", "Ben")
    async with Client(server, code, token) as device, Client(server, code) as tv:
        await device.send(Start())
        await device.play(until=4)
        await tv.play(until=4)
    seen = [step for frame in tv.frames if isinstance(step := decoded(frame), Step)]
    late = Client(server, code, token)
    welcome = await late.open(game=seen[0].game, number=1)
    assert welcome.game
    assert welcome.game.number == 1
    assert [step.number for step in welcome.missed] == [2, 3, 4]
    assert [(step.events, step.hands, step.choice) for step in welcome.missed] == [
        (step.events, step.hands, step.choice) for step in seen[2:5]
    ]
    async with Client(server, code) as fresh:
        again = await fresh.open()
        assert again.game
        assert (again.game.number, again.missed) == (4, ())
    await late.close()


def decoded(frame: str) -> object:
    return msgspec.json.decode(frame, type=FromServer)


async def test_a_rematch_brings_everybody_back_to_the_lobby(server: Process) -> None:
    code, token = create(server, "Ana", bots=["carl", "bea"])
    async with Client(server, code, token) as ana:
        await ana.send(Rematch())
        await refused(ana, "not_now")
        await ana.send(Start())
        first = await ana.play()
        await ana.send(Start())
        await refused(ana, "not_now")
        await ana.send(Rematch())
        await ana.expect(RoomChanged, lambda room: room.room.phase == "lobby")
        await ana.send(Start())
        second = await ana.play()
    assert first.game != second.game
    assert server.get(f"/api/games/{first.game}/record").status_code == 200


async def test_feelings_are_shown_and_limited(server: Process) -> None:
    code, token = create(server, "Ana")
    async with Client(server, code, token) as ana, Client(server, code) as tv:
        await ana.send(Emote(emotion="wow"))
        assert (await tv.expect(Emoted)).emotion == "wow"
        for _ in range(10):
            await ana.send(Emote(emotion="clap"))
        await refused(ana, "too_many")


async def test_eighteen_play_on_one_deck_and_more_on_two(server: Process) -> None:
    for people, cards in ((18, 94), (19, 188), (36, 188)):
        names = [f"P{i}" for i in range(people)]
        code, token = create(server, *names, options={"target": 10})
        async with Client(server, code, token) as device:
            await device.send(Start())
            started = await device.expect(Started)
            assert (len(started.game.hands), started.game.cards) == (people, cards)
            assert (await device.play()).winner is not None
    assert server.post(f"/api/tables/{code}/join", {"players": [{"name": "late"}]}).status_code == 409


async def test_a_full_table_takes_nobody(server: Process) -> None:
    code, _ = create(server, *[f"P{i}" for i in range(36)])
    answer = server.post(f"/api/tables/{code}/join", {"players": [{"name": "P37"}]})
    assert (answer.status_code, answer.json()["code"]) == (409, "table_full")


async def test_hidden_odds_are_sent_to_nobody(server: Process) -> None:
    code, token = create(server, "Ana", bots=["bea"], options={"odds": False, "target": 100})
    async with Client(server, code, token) as ana, Client(server, code) as tv:
        await ana.send(Start())
        await ana.play(lambda ask: ask.options[0])
        await tv.play()
    for frame in (*ana.frames, *tv.frames):
        if isinstance(step := decoded(frame), Step):
            assert step.odds is None
            assert step.ask is None or all(label.bust is None for label in step.ask.targets)
