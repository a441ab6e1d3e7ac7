"""What a server tells, in an order of the test's own: endings, results, losses, steps that pile up, and the coach."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from types import SimpleNamespace

import msgspec
import pytest
from tests.terminal.heard import ADDRESS, CODE, at_table, away, choose, late, room, stack, two, welcome
from tests.terminal.test_play import asked
from websockets.asyncio.server import ServerConnection, serve
from websockets.protocol import State

from flip7.game.events import RoundScored
from flip7.game.game import Game
from flip7.protocol import client as protocol
from flip7.protocol.client import LinkChanged, TableClient, pause
from flip7.protocol.messages import (
    PROTOCOL,
    AddBot,
    Advice,
    Advise,
    AdvisedChoice,
    Back,
    Choose,
    Closed,
    Emoted,
    Leave,
    Notice,
    Ready,
    Refused,
    Rematch,
    RoomChanged,
    Skip,
    Speed,
    Start,
    Started,
    Step,
    Welcome,
)
from flip7.protocol.scene import Scene
from flip7.protocol.times import LAG, QUICK
from flip7.protocol.views import first_view, game_view, step_of
from flip7.strategy.cast import CAST
from flip7.terminal.director import Director
from flip7.terminal.online import lobby, seats
from flip7.terminal.online.play import FEELING, OnlinePlayScreen
from flip7.terminal.online.seats import held
from flip7.terminal.table.actions import Actions


@pytest.mark.parametrize(
    ("code", "told"),
    [("displaced", "in another window"), ("removed", "has removed you"), ("table_closed", "is closed")],
)
@pytest.mark.parametrize("over", [[], ["l"], ["r"]], ids=["the table", "the log", "the rules"])
async def test_whoever_is_cut_off_in_the_middle_of_a_game_is_told_why(
    monkeypatch: pytest.MonkeyPatch, code: str, told: str, over: list[str]
) -> None:
    async with at_table(monkeypatch) as (seen, client):
        client().hear(welcome(two()))
        await asked(seen)
        await seen.press(*over)
        client().hear(Closed(code=code, text="", resume=False))  # type: ignore[arg-type]
        await seen.on("LobbyScreen")
        await seen.until(lambda: told in seen.text)
        assert stack(seen) == ["LobbyScreen"]
        assert seen.app.is_running
        assert (held(ADDRESS, CODE) is None) == (code != "displaced")
        before = client()
        await seen.press("p")
        if code == "displaced":
            await seen.until(lambda: client() is not before)
        await seen.press("q")
    assert seen.app.return_code == 0


@pytest.mark.parametrize("size", [(80, 24), (40, 20)])
async def test_who_was_played_for_says_so_with_a_key_or_a_click(
    monkeypatch: pytest.MonkeyPatch, size: tuple[int, int]
) -> None:
    game = two()
    async with at_table(monkeypatch, size=size) as (seen, client):
        client().hear(welcome(game), choose(game, "hit"))
        await seen.until(lambda: "Bo is thinking" in seen.text)
        await seen.press("b")
        assert client().sent == []
        client().hear(RoomChanged(room=away(mine=True)))
        await seen.until(lambda: "You were away" in seen.text and "I am back" in seen.text)
        await seen.press("b")
        await seen.until(lambda: client().sent == [Back()])
        bottom = seen.app.screen.query_one(Actions).size.height - 1
        await seen.pilot.click(Actions, offset=(4, bottom))
        await seen.until(lambda: client().sent == [Back(), Back()])
        client().hear(RoomChanged(room=away(mine=False)))
        await seen.until(lambda: "You were away" not in seen.text and "Bo is thinking" in seen.text)


@pytest.mark.parametrize("size", [(80, 24), (40, 20)])
async def test_who_waits_for_the_next_game_sees_the_one_that_runs(
    monkeypatch: pytest.MonkeyPatch, size: tuple[int, int]
) -> None:
    game = two(target=5)
    async with at_table(monkeypatch, size=size) as (seen, client):
        client().hear(late(game))
        await seen.on("OnlinePlayScreen")
        await seen.until(lambda: "from the next game on" in seen.text)
        assert "starts it." in seen.text
        assert "Ana" in seen.text
        await seen.press("h", "s", "e")
        assert client().sent == []
        client().hear(choose(game, "stay"), choose(game, "stay"))
        await seen.on("ResultsScreen")
        assert "You are in from the next game on" in seen.text


async def test_nobody_is_told_that_there_was_nothing_to_skip(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever watches is waited for by nobody, and a game may be over by the time that the server hears the key."""
    game = two(target=5)
    async with at_table(monkeypatch) as (seen, client):
        client().hear(msgspec.structs.replace(welcome(game), seats=()))
        await seen.until(lambda: "Ana is thinking" in seen.text)
        await seen.press("space")
        await seen.pilot.pause()
        assert client().sent == []
        client().hear(welcome(game), choose(game, "stay"))
        await seen.until(lambda: "Bo is thinking" in seen.text)
        await seen.press("space")
        await seen.until(lambda: client().sent == [Skip()])
        client().hear(choose(game, "stay"), RoomChanged(room=room("over")))
        await seen.on("ResultsScreen")
        await seen.until(lambda: "Bo can offer a rematch" in seen.text)
        client().hear(Refused(code="not_now", text="no game is being played", about="skip"))
        await seen.until(client()._news.empty)
        assert "not possible" not in seen.text
        assert "Bo can offer a rematch" in seen.text


async def test_whoever_leaves_a_game_leaves_the_program(monkeypatch: pytest.MonkeyPatch) -> None:
    async with at_table(monkeypatch) as (seen, client):
        client().hear(welcome(two()))
        await asked(seen)
        await seen.press("q")
        await seen.until(lambda: not seen.app.is_running or seen.app._exit)


async def test_one_result_is_shown_over_whatever_was_open_and_no_screen_is_left_behind(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Log open at the end of a game, a lost connection while the result is shown, then a rematch and another game."""
    game = two(target=5)
    async with at_table(monkeypatch) as (seen, client):
        client().hear(welcome(game))
        await asked(seen)
        await seen.press("l")
        await seen.on("LogScreen")
        client().hear(choose(game, "stay"), choose(game, "stay"))
        await seen.on("ResultsScreen")
        assert stack(seen) == ["LobbyScreen", "OnlinePlayScreen", "ResultsScreen"]
        client()._change("retrying")
        client().hear(welcome(game, "over"))
        await seen.pilot.pause(0.05)
        assert stack(seen) == ["LobbyScreen", "OnlinePlayScreen", "ResultsScreen"]
        client().hear(RoomChanged(room=room("lobby")))
        await seen.on("LobbyScreen")
        assert stack(seen) == ["LobbyScreen"]
        client().hear(Started(game=first_view("two", two())))
        await seen.on("OnlinePlayScreen")
        assert stack(seen) == ["LobbyScreen", "OnlinePlayScreen"]


async def test_why_a_choice_was_not_taken_is_told_at_the_table_until_the_next_step(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = two()
    async with at_table(monkeypatch, size=(40, 20)) as (seen, client):
        client().hear(welcome(game))
        await asked(seen)
        await seen.press("h")
        client().hear(Refused(code="too_many", text="", about="choose"))
        await asked(seen)
        await seen.until(lambda: "a lot at once" in seen.text)
        assert "H  Hit" in seen.text
        client().hear(choose(game, "hit"))
        await seen.until(lambda: "a lot at once" not in seen.text)


class Pausing:
    """Timers that go off when the test says so."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.waiting: list[SimpleNamespace] = []
        monkeypatch.setattr(OnlinePlayScreen, "set_timer", self._set)

    def _set(self, delay: float, callback: Callable[[], object]) -> SimpleNamespace:
        timer = SimpleNamespace(delay=delay, callback=callback)
        timer.stop = lambda: self._stop(timer)
        self.waiting.append(timer)
        return timer

    def _stop(self, timer: SimpleNamespace) -> None:
        self.waiting = [other for other in self.waiting if other is not timer]

    def pass_by(self, seconds: float) -> None:
        """Let so much time pass."""
        over = [timer for timer in self.waiting if timer.delay <= seconds]
        for timer in self.waiting:
            timer.delay -= seconds
        for timer in over:
            timer.callback()
            timer.stop()


async def test_a_choice_that_did_not_count_yet_is_not_sent_after_a_new_welcome(monkeypatch: pytest.MonkeyPatch) -> None:
    """The connection is lost while staying can be taken back; whoever is asked again has not answered."""
    time = Pausing(monkeypatch)
    async with at_table(monkeypatch) as (seen, client):
        client().hear(welcome(two(), speed="fast"))
        await asked(seen)
        await seen.press("s")
        assert "Staying" in seen.text
        later = two(deck="5 6 7 8 9")
        later.play("hit")
        later.play("hit")
        client()._change("retrying")
        client().hear(welcome(later, speed="fast"))
        await asked(seen)
        assert "H  Hit" in seen.text
        time.pass_by(60)
        await seen.pilot.pause()
        assert client().sent == []
        await seen.press("s")
        time.pass_by(60)
        await seen.until(lambda: client().sent == [Choose(game="one", number=2, choice="stay")])


async def test_the_log_outlives_a_lost_connection_and_tells_everything_once(monkeypatch: pytest.MonkeyPatch) -> None:
    game = two()
    async with at_table(monkeypatch, size=(90, 50)) as (seen, client):
        client().hear(welcome(game))
        client().hear(choose(game, "stay"))
        await seen.until(lambda: "Bo is thinking" in seen.text)
        choose(game, "stay")
        choose(game, "stay")
        client()._change("retrying")
        await seen.until(lambda: "Connection lost" in seen.text)
        client().hear(welcome(game))
        await seen.until(lambda: "Connection lost" not in seen.text)
        await seen.press("l")
        await seen.on("LogScreen")
        assert "Ana stays with 5 points." in seen.text
        assert all(seen.text.count(f"Round {number}. ") == 1 for number in (1, 2))
        await seen.press("escape")
        client().hear(Started(game=first_view("two", two())))
        await seen.until(lambda: "Round 2 " not in seen.lines[0])
        await seen.press("l")
        await seen.on("LogScreen")
        assert "stays with" not in seen.text


async def test_a_second_feeling_is_shown_as_long_as_the_first_one(monkeypatch: pytest.MonkeyPatch) -> None:
    time = Pausing(monkeypatch)
    async with at_table(monkeypatch) as (seen, client):
        client().hear(welcome(two()))
        await asked(seen)
        client().hear(Emoted(seat=2, emotion="wow"))
        await seen.until(lambda: "“Wow!”" in seen.text)
        time.pass_by(FEELING - 0.5)
        client().hear(Emoted(seat=2, emotion="clap"))
        await seen.until(lambda: "“Wow!”" not in seen.text)
        time.pass_by(0.6)
        await seen.pilot.pause()
        assert "“" in seen.text
        time.pass_by(FEELING)
        await seen.until(lambda: "“" not in seen.text)


async def test_who_finds_the_table_full_is_told_so_while_a_game_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    async def info(address: str, code: str) -> SimpleNamespace:
        return SimpleNamespace(joinable=False)

    monkeypatch.setattr(seats, "table_info", info)
    game = two()
    async with at_table(monkeypatch, token=None) as (seen, client):
        client().hear(msgspec.structs.replace(welcome(game), seats=()))
        await seen.on("OnlinePlayScreen")
        await seen.until(lambda: "No seat is left at this table. You can watch." in seen.text)
        client().hear(choose(game, "hit"), RoomChanged(room=room("playing")))
        await seen.until(lambda: "Bo is thinking" in seen.text)
        assert "No seat is left at this table." in seen.text
        client().hear(RoomChanged(room=room("lobby")))
        await seen.on("LobbyScreen")
        await seen.until(lambda: "No seat is left at this table." in seen.text)
        await seen.press("r", "s", "b", "x")
        assert client().sent == []


async def test_the_host_starts_and_adds_bots_and_anybody_gives_the_seat_up(monkeypatch: pytest.MonkeyPatch) -> None:
    async with at_table(monkeypatch) as (seen, client):
        hello = msgspec.structs.replace(welcome(two(), "lobby", host=True), game=None)
        client().hear(hello)
        await seen.until(lambda: "Start the game" in seen.lines[-1])
        await seen.press("s")
        await seen.until(lambda: len(client().sent) == 1)
        assert isinstance(client().sent[0], Start)
        await seen.press("b")
        await seen.until(lambda: client().sent[1:] == [AddBot(bot=CAST[0].id)])
        bot = msgspec.structs.replace(hello.room.seats[1], bot=CAST[0].id, name=CAST[0].name)
        client().hear(RoomChanged(room=msgspec.structs.replace(hello.room, seats=(hello.room.seats[0], bot))))
        await seen.until(lambda: CAST[0].name in seen.text)
        await seen.press("b")
        await seen.until(lambda: client().sent[2:] == [AddBot(bot=CAST[1].id)])
        client().hear(RoomChanged(room=room("lobby")))
        await seen.until(lambda: "Start the game" not in seen.text)
        await seen.press("s", "b")
        await seen.press("x")
        await seen.until(lambda: client().sent[3:] == [Leave()])


async def test_a_notice_stands_at_the_table_until_somebody_chooses(monkeypatch: pytest.MonkeyPatch) -> None:
    async with at_table(monkeypatch) as (seen, client):
        hello = welcome(two())
        behind = msgspec.structs.replace(hello.room, notice=Notice(kind="behind", game="one"))
        client().hear(msgspec.structs.replace(hello, room=behind))
        await asked(seen)
        assert "The server has lost the last choices of this game." in seen.text
        await seen.press("h")
        await seen.until(lambda: "The server has lost" not in seen.text)
        damaged = msgspec.structs.replace(room("lobby"), notice=Notice(kind="damaged", game="one"))
        client().hear(RoomChanged(room=damaged))
        await seen.on("LobbyScreen")
        assert "The table is open for another one." in " ".join(seen.text.split())


@pytest.mark.parametrize("host", [True, False])
async def test_a_result_says_when_the_next_game_begins_and_how_to_stay_out_of_it(
    monkeypatch: pytest.MonkeyPatch, host: bool
) -> None:
    game = two(target=5)
    async with at_table(monkeypatch) as (seen, client):
        client().hear(welcome(game, host=host), choose(game, "stay"), choose(game, "stay"))
        await seen.on("ResultsScreen")
        over = room("over", host=host)
        client().hear(RoomChanged(room=over))
        if host:
            await seen.press("n")
            await seen.until(lambda: bool(client().sent))
            sent = client().sent[-1]
            assert isinstance(sent, Rematch)
            assert sent.again
        else:
            assert "Bo can offer a rematch" in seen.text
        client().hear(RoomChanged(room=msgspec.structs.replace(over, rematch=30.0)))
        await seen.until(lambda: re.search(r"The next game begins in \d+ seconds", seen.text) is not None)
        assert isinstance(client().sent[-1], Rematch if host else Ready)
        await seen.press("l" if host else "x")
        await seen.until(lambda: client().sent[-1] == (Rematch() if host else Leave()))
        client().hear(Refused(code="too_many", text="", about=""))
        await seen.until(lambda: "a lot at once" in seen.text)


async def test_the_replay_of_a_game_that_is_over_comes_from_the_server(monkeypatch: pytest.MonkeyPatch) -> None:
    game = two(target=5)

    async def record_of(address: str, id: str) -> str:
        assert (address, id) == (ADDRESS, "one")
        return game.record()

    async with at_table(monkeypatch) as (seen, client):
        client().hear(welcome(game), choose(game, "stay"), choose(game, "stay"))
        await seen.on("ResultsScreen")
        await seen.press("v")  # nobody listens at this address
        await seen.until(lambda: "cannot be reached" in seen.text)
        monkeypatch.setattr(lobby, "record_of", record_of)
        await seen.press("v")
        await seen.on("ReplayScreen")
        await seen.press("escape")
        await seen.on("ResultsScreen")


async def test_the_next_game_takes_the_place_of_a_result(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody came back to the lobby: a rematch began by itself."""
    game = two(target=5)
    async with at_table(monkeypatch) as (seen, client):
        client().hear(welcome(game), choose(game, "stay"), choose(game, "stay"))
        await seen.on("ResultsScreen")
        client().hear(RoomChanged(room=room("playing")), Started(game=first_view("two", two())))
        client().hear(welcome(two(), id="two"))
        await asked(seen)
        assert stack(seen) == ["LobbyScreen", "OnlinePlayScreen"]
        assert seen.app.is_running


async def test_what_the_coach_says_while_its_sheet_is_being_taken_away_is_not_shown(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A sheet is still there for a moment when what was on it is gone."""
    async with at_table(monkeypatch) as (seen, client):
        client().hear(welcome(two()))
        await asked(seen)
        await seen.press("c")
        await seen.until(lambda: "The coach is thinking" in seen.text)
        await seen.app.screen.query("#sheet").remove()
        choices = (AdvisedChoice("hit", 0.62, 0.6, 0.64),)
        client().hear(Advice(game="one", number=0, seat=0, choices=choices, best="hit", sure=True, seats=(0.62, 0.38)))
        client().hear(Refused(code="not_now", text="", about="advise"))
        await seen.until(client()._news.empty)
        await seen.press("escape")
        await seen.on("OnlinePlayScreen")


async def test_the_coach_of_the_server_is_asked_with_a_key(monkeypatch: pytest.MonkeyPatch) -> None:
    game = two()
    async with at_table(monkeypatch) as (seen, client):
        client().hear(welcome(game))
        await asked(seen)
        await seen.press("c")
        await seen.until(lambda: "The coach is thinking" in seen.text)
        assert client().sent[-1] == Advise(game="one", number=0)
        choices = (AdvisedChoice("hit", 0.62, 0.6, 0.64), AdvisedChoice("stay", 0.4, 0.38, 0.42))
        client().hear(Advice(game="one", number=0, seat=0, choices=choices, best="hit", sure=True, seats=(0.62, 0.38)))
        await seen.until(lambda: "▸ Hit: 62%   between 60% and 64%" in seen.text)
        await seen.press("escape", "c")
        client().hear(Refused(code="no_engine", text="", about="advise"))
        await seen.until(lambda: "not installed here" in seen.text)
        await seen.press("escape", "question_mark")
        await seen.until(lambda: "what a good player would do" in seen.text)


async def test_where_the_host_allows_no_coach_none_is_offered(monkeypatch: pytest.MonkeyPatch) -> None:
    async with at_table(monkeypatch) as (seen, client):
        client().hear(welcome(two(), coach=False))
        await asked(seen)
        await seen.press("c")
        assert client().sent == []
        await seen.press("question_mark")
        await seen.until(lambda: "take another card" in seen.text)
        assert "what a good player would do" not in seen.text


async def test_the_clock_runs_from_the_moment_the_question_came(monkeypatch: pytest.MonkeyPatch) -> None:
    async with at_table(monkeypatch, size=(40, 20)) as (seen, client):
        game = two()
        view = game_view("one", 0, game, odds=True, seconds=30.0)
        hello = Welcome(protocol=PROTOCOL, room=room("playing"), seats=(1,), game=view, missed=())
        client().hear(hello)
        await asked(seen)
        screen = seen.app.screen
        assert isinstance(screen, OnlinePlayScreen)
        assert screen.showing is not None
        assert screen.showing.left is not None
        assert screen.showing.left <= 30
        arrived = screen.showing.deadline
        assert arrived is not None
        await screen._settled(arrived - 30.0 - 12.0)
        assert screen.showing.deadline == pytest.approx(arrived - 12.0)
        assert "Stay" in seen.text
        told = re.search(r"(\d+) s\b", seen.text)
        assert told is not None
        assert int(told[1]) <= 18


async def test_a_server_that_hangs_up_at_once_is_asked_less_and_less_often(monkeypatch: pytest.MonkeyPatch) -> None:
    waits: list[float] = []

    async def hang_up(socket: ServerConnection) -> None:
        await socket.recv()

    async def wait(self: TableClient, seconds: float) -> None:
        waits.append(seconds)
        if len(waits) == 5:
            self._end("enough")
            await asyncio.Event().wait()

    monkeypatch.setattr(TableClient, "_wait", wait)
    async with serve(hang_up, "127.0.0.1", 0) as server:
        port = next(iter(server.sockets)).getsockname()[1]
        async with TableClient(f"127.0.0.1:{port}", CODE) as client:
            states = [news.state async for news in client if isinstance(news, LinkChanged)]
    assert states == ["retrying", "ended"]
    assert waits[-1] > 3 * waits[0]
    assert pause(5000) == protocol.LAST_RETRY  # a night without a server


async def test_whoever_is_told_twice_to_stop_hangs_up_at_once() -> None:
    """A program that ends cancels what is still hanging up; no connection is left open by that."""
    there: list[ServerConnection] = []

    async def say_nothing_more(socket: ServerConnection) -> None:
        await socket.recv()
        await socket.send(msgspec.json.encode(welcome(two())).decode())
        socket.transport.pause_reading()
        there.append(socket)
        await socket.wait_closed()

    async def attend(port: int, opened: asyncio.Event) -> None:
        async with TableClient(f"127.0.0.1:{port}", CODE) as client:
            await client.connected()
            clients.append(client)
            opened.set()
            await asyncio.Event().wait()

    clients: list[TableClient] = []
    opened = asyncio.Event()
    async with serve(say_nothing_more, "127.0.0.1", 0) as server:
        attending = asyncio.create_task(attend(next(iter(server.sockets)).getsockname()[1], opened))
        await opened.wait()
        link = clients[0]._socket
        assert link is not None
        attending.cancel()
        for _ in range(100):
            await asyncio.sleep(0)
        assert link.state is State.CLOSING, "it says farewell and waits for an answer"
        assert not attending.done()
        attending.cancel()
        await asyncio.wait([attending])
        assert link.transport.is_closing()
        there[0].transport.abort()


def steps_of(turns: int, *, quick: bool = False) -> tuple[Scene, list[Step]]:
    game = Game(3, seed=4)
    scene = Scene(first_view("id", game))
    scene.state = msgspec.structs.replace(scene.state, number=1)
    before, events = first_view("id", game).hands, game.events
    steps = []
    for number in range(turns):
        step, before = step_of(
            "id", number, game, events, before, chosen=None, by="player", odds=True, seconds=None, quick=quick
        )
        steps.append(step)
        ask = game.decision
        if ask is None:
            break
        events = game.play(ask.options[-1])
    return scene, steps


async def told_in(steps: list[Step], scene: Scene, *, waited: float = 0.0, missed: bool = False) -> float:
    """How many seconds steps are on show that all came at once."""
    speed: Speed = "normal"
    director = Director(scene, lambda _: None, lambda: speed, now=lambda: waited)
    paused: list[float] = []

    async def note(seconds: float) -> None:
        paused.append(seconds)

    director.pause = note  # type: ignore[method-assign]
    for number, step in enumerate(steps):
        await director.tell(step, 0.0, steps[number + 1 :], missed=missed)
    return sum(paused)


async def test_what_was_missed_is_told_within_a_moment_however_much_it_is() -> None:
    scene, steps = steps_of(40)
    assert await told_in(steps, scene) > 20
    scene, steps = steps_of(40)
    assert await told_in(steps, scene, missed=True) <= LAG / 1000 + 0.001


async def test_a_screen_that_has_fallen_behind_catches_up() -> None:
    scene, steps = steps_of(40)
    leisurely = await told_in(steps, scene, waited=LAG / 1000 - 0.1)
    scene, steps = steps_of(40)
    assert await told_in(steps, scene, waited=LAG / 1000 + 0.1) < leisurely / 3


async def test_what_nobody_here_has_a_say_in_is_told_quickly_up_to_its_scores() -> None:
    scene, steps = steps_of(3, quick=True)
    assert not any(isinstance(event, RoundScored) for step in steps for event in step.events)
    assert await told_in(steps, scene) <= QUICK / 1000 + 0.001
