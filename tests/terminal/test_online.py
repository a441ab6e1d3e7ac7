"""The terminal as a client of a real server: lobby, play beside others, feelings, a killed server, watching."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest
from tests.server.client import Client, Process, plain
from tests.terminal.conftest import Seen, opened

from flip7.game.game import Game
from flip7.protocol.client import LinkChanged, ServerRefusal, TableClient, base_of, sit_down, table_info
from flip7.protocol.messages import Emote, Emoted, Ready, Rematch, RoomChanged, Start, Started, Step, Welcome
from flip7.protocol.scene import Scene
from flip7.protocol.views import first_view, step_of
from flip7.server.settings import Settings
from flip7.terminal.online.lines import Lines
from flip7.terminal.online.lobby import LobbyScreen
from flip7.terminal.online.play import OnlinePlayScreen
from flip7.terminal.online.seats import held
from flip7.terminal.screens.results import ResultsScreen

CALM = {"options": {"target": 40, "speed": "instant"}}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Process]:
    with Process(Settings(data=tmp_path_factory.mktemp("server"), pace=0, grace=60)) as process:
        yield process


def table_of(server: Process, **more: object) -> tuple[str, str]:
    seated = server.seat("/api/tables", {"players": [{"name": "Bo"}], **CALM, **more})
    return seated.code, seated.token


def lobby(server: Process, code: str, *, watch: bool = False) -> LobbyScreen:
    return LobbyScreen(server.url, code, "Ana", watch=watch)


async def sits(seen: Seen) -> None:
    await seen.until(lambda: isinstance(seen.app.screen, LobbyScreen) and "not ready" in seen.text)


async def play(seen: Seen) -> bool:
    """Answer if asked; returns whether the game is over."""
    screen = seen.app.screen
    if isinstance(screen, ResultsScreen):
        return True
    if isinstance(screen, OnlinePlayScreen) and screen.showing is not None and screen.showing.asked:
        ask = screen.showing.scene.ask
        assert ask is not None
        await seen.press("1" if ask.kind == "target" else "h" if screen.showing.scene.state.number % 2 else "s")
    await seen.pilot.pause(0.01)
    return False


async def test_a_terminal_and_another_client_play_to_the_end_though_the_server_is_killed(server: Process) -> None:
    code, token = table_of(server)
    async with Client(server, code, token) as host, opened(lambda _: lobby(server, code), speed="instant") as seen:
        await sits(seen)
        assert "Bo" in seen.text
        await seen.press("r")
        await seen.until(lambda: "not ready" not in seen.text)
        await host.send(Start())
        playing = asyncio.create_task(host.play())
        await seen.on("OnlinePlayScreen")
        await seen.press("e")
        await seen.on("Feelings")
        await seen.pilot.click("#feelings", offset=(5, 3))
        await seen.until(lambda: "“Wow!”" in seen.text)
        for _ in range(4):
            await play(seen)
        playing.cancel()
        await asyncio.gather(playing, return_exceptions=True)
        server.kill()
        await seen.until(lambda: "Connection lost" in seen.text)
        server.start()
        await host.open()
        playing = asyncio.create_task(host.play())
        await seen.until(lambda: "Connection lost" not in seen.text)
        for _ in range(4000):
            if await play(seen):
                break
        await seen.on("ResultsScreen")
        assert " after " in seen.lines[0]
        last = await playing
        assert last.winner is not None
        await host.send(Rematch())
        await sits(seen)
    assert held(server.url, code) is not None


async def test_who_comes_back_has_the_same_seat(server: Process) -> None:
    code, _ = table_of(server)
    for _ in range(2):
        async with opened(lambda _: lobby(server, code)) as seen:
            await sits(seen)
            assert seen.text.count("Ana") == 1
    info = await table_info(server.url, code)
    assert [seat.name for seat in info.seats] == ["Bo", "Ana"]


async def test_spectators_see_the_game_and_change_nothing(server: Process) -> None:
    code, token = table_of(server, bots=["carl", "sam"], start=True)
    async with opened(lambda _: lobby(server, code, watch=True)) as seen:
        await seen.on("OnlinePlayScreen")
        await seen.press("h", "s", "1", "e")
        assert isinstance(seen.app.screen, OnlinePlayScreen)
        async with Client(server, code, token) as host:
            await host.play()
        await seen.on("ResultsScreen")


async def test_a_table_that_is_none_is_told_of(server: Process) -> None:
    async with opened(lambda _: lobby(server, "NOPE")) as seen:
        await seen.until(lambda: "no such table" in seen.text)
    with pytest.raises(ServerRefusal) as refused:
        await sit_down(server.url, "NOPE", "Ana")
    assert refused.value.code == "unknown_table"


async def test_a_server_that_cannot_be_reached_is_told_of() -> None:
    async with opened(lambda _: LobbyScreen("http://127.0.0.1:9", "ABCDE", "Ana", watch=False)) as seen:
        await seen.until(lambda: "cannot be reached" in seen.text)


@pytest.mark.parametrize(
    ("address", "url"),
    [
        ("localhost:8000", "http://localhost:8000"),
        ("https://a.example/x", "https://a.example"),
        ("ftp://a", None),
        ("a:b", None),
    ],
)
def test_addresses_are_read_as_people_write_them(address: str, url: str | None) -> None:
    if url is None:
        with pytest.raises(ValueError, match="no address of a server"):
            base_of(address)
    else:
        assert base_of(address) == url


async def test_any_program_can_be_a_client_and_misses_nothing_through_a_kill(server: Process) -> None:
    """What it is told adds up to the game as the server has it: every step once, in order."""
    code, token = table_of(server, bots=["carl"], start=True, options={"target": 150, "speed": "instant"})
    scene: Scene | None = None
    numbers: list[int] = []
    killed = ever = False
    async with TableClient(server.url, code, token) as table:
        async for news in table:
            steps: tuple[Step, ...] = ()
            if isinstance(news, Welcome) and news.game is not None:
                scene = Scene(news.game)
                steps = news.missed
            elif isinstance(news, Step):
                steps = (news,)
            for step in steps:
                assert scene is not None
                numbers.append(step.number)
                for index in range(len(step.events)):
                    scene.play(step, index)
                scene.settle(step)
            if isinstance(news, LinkChanged) and news.state == "retrying" and killed:
                await asyncio.to_thread(server.start)
                table.hurry()
                killed = False
            if len(numbers) >= 6 and not ever:
                server.kill()
                killed = ever = True
                continue
            if table.asked is not None and not killed:
                await table.choose(plain(table.asked))  # type: ignore[arg-type]
            if scene is not None and scene.winner is not None:
                break
    assert ever
    assert numbers == sorted(set(numbers)), numbers
    assert scene is not None
    assert scene.game is not None
    record = server.get(f"/api/games/{scene.game}/record").text
    assert f"winner {scene.winner} rounds {len(scene.rounds)}" in record


async def test_a_step_that_comes_twice_is_told_once() -> None:
    game = Game(2, seed=1)
    opening = first_view("id", game)
    step, _ = step_of("id", 0, game, game.events, opening.hands, chosen=None, by="player", odds=True, seconds=None)
    client = TableClient("localhost:1", "ABCDE")
    for message in (Started(game=opening), step, step):
        client._take(message)
    assert client.number == 0
    assert [client._news.get_nowait() for _ in range(client._news.qsize())] == [Started(game=opening), step]


async def test_feelings_and_readiness_are_seen_by_others(server: Process) -> None:
    code, token = table_of(server)
    seated = await sit_down(server.url, code, "Ana")
    async with TableClient(server.url, code, seated.token) as ana, Client(server, code, token) as bo:
        async for news in ana:
            if isinstance(news, Welcome):
                break
        await ana.send(Ready())
        await bo.expect(RoomChanged, lambda news: any(seat.ready and seat.name == "Ana" for seat in news.room.seats))
        await ana.send(Emote(emotion="clap"))
        assert (await bo.expect(Emoted)).emotion == "clap"


@pytest.mark.parametrize("watch", [False, True])
async def test_an_input_that_ends_at_once_ends_playing_but_not_watching(
    server: Process, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, watch: bool
) -> None:
    code, token = table_of(server, bots=["carl"], start=True)
    lines = Lines(server.url, code, watch=watch)
    monkeypatch.setattr(lines, "_read", lambda loop: loop.call_soon_threadsafe(lines._typed.put_nowait, None))
    monkeypatch.setattr("sys.stdin.isatty", lambda: False, raising=False)
    running = asyncio.create_task(lines.run("Ana"))
    if watch:
        told = ""
        async with Client(server, code, token) as host:
            await host.play()
            while "won with" not in told:
                await asyncio.sleep(0.02)
                told += capsys.readouterr().out
        assert not running.done()
        running.cancel()
        await asyncio.wait([running])
    else:
        assert await running == 0
        assert "Round 1" in capsys.readouterr().out


async def test_a_whole_game_can_be_played_in_lines(
    server: Process, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    code, token = table_of(server)
    lines = Lines(server.url, code, watch=False)
    monkeypatch.setattr(lines, "_read", lambda loop: None)
    running = asyncio.create_task(lines.run("Ana"))
    async with Client(server, code, token) as host:
        while host.room is None or len(host.room.seats) < 2:
            await host.receive()
        await lines._typed.put("r\n")
        while not all(seat.ready or seat.host for seat in host.room.seats):
            await host.receive()
        await host.send(Start())
        playing = asyncio.create_task(host.play())
        while not playing.done():
            for word in ("s\n", "1\n"):
                await lines._typed.put(word)
            await asyncio.sleep(0.02)
        await lines._typed.put("t\n")
        await lines._typed.put("q\n")
        assert await running == 0
    out = capsys.readouterr().out
    assert "Hit or stay? (h/s)" in out
    assert "won with" in out
