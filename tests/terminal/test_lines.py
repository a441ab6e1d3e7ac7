"""An online table in plain lines: what is told, and what can be typed."""

from __future__ import annotations

from types import SimpleNamespace

import msgspec
import pytest
from tests.terminal.heard import ADDRESS, CODE, Told, away, choose, late, room, two, welcome

from flip7.protocol.messages import (
    AddBot,
    Back,
    Closed,
    FromServer,
    Rematch,
    RoomChanged,
)
from flip7.protocol.views import game_view
from flip7.strategy.cast import CAST
from flip7.terminal.online import lines as plain
from flip7.terminal.online import seats
from flip7.terminal.online.lines import Lines
from flip7.terminal.online.seats import held, hold


async def test_who_was_played_for_says_so_in_lines(capsys: pytest.CaptureFixture[str]) -> None:
    lines, client = Lines(ADDRESS, CODE, watch=False), Told(ADDRESS, CODE, "token")
    async with client:
        for news in (welcome(two()), RoomChanged(room=away(mine=True)), RoomChanged(room=away(mine=True))):
            client.hear(news)
            lines._tell(client, news)
        assert capsys.readouterr().out.count("You were away, so your choices were made for you. Type 'back'") == 1
        assert await lines._handle(client, "back") == ""
        assert client.sent == [Back()]


def hear(lines: Lines, client: Told, *messages: FromServer) -> None:
    for news in messages:
        client.hear(news)
        lines._tell(client, news)


async def test_a_question_says_how_much_time_there_is_and_who_was_away_is_named(
    capsys: pytest.CaptureFixture[str],
) -> None:
    lines, client, game = Lines(ADDRESS, CODE, watch=False), Told(ADDRESS, CODE, "token"), two()
    async with client:
        view = game_view("one", 0, game, odds=True, seconds=30.0)
        hear(lines, client, msgspec.structs.replace(welcome(game), game=view))
        assert "Hit or stay? (h/s) 30 s left" in capsys.readouterr().out
        hear(lines, client, choose(game, "hit"))
        assert "is away" not in capsys.readouterr().out
        hear(lines, client, msgspec.structs.replace(choose(game, "hit"), by="away"))
        out = capsys.readouterr().out
        assert "Bo is away and is played for." in out
        assert "s left" not in out


async def test_who_sits_at_a_table_is_told_once_and_ready_is_asked_for_only_who_is_not(
    capsys: pytest.CaptureFixture[str],
) -> None:
    lines, client = Lines(ADDRESS, CODE, watch=False), Told(ADDRESS, CODE, "token")
    sitting = room("lobby")
    unready = msgspec.structs.replace(sitting.seats[0], ready=False)
    lost = msgspec.structs.replace(unready, presence="lost")
    async with client:
        hear(lines, client, msgspec.structs.replace(welcome(two(), "lobby"), game=None))
        assert capsys.readouterr().out == "Table ABCDE, to 200: Ana (you, ready), Bo (host, ready).\n"
        for ana in (lost, unready, unready):
            hear(lines, client, RoomChanged(room=msgspec.structs.replace(sitting, seats=(ana, sitting.seats[1]))))
        told = "Table ABCDE, to 200: Ana (you, not ready), Bo (host, ready). Type r when you are ready.\n"
        assert capsys.readouterr().out == told
        hear(lines, client, RoomChanged(room=room("over")))
        capsys.readouterr()
        hear(lines, client, RoomChanged(room=sitting))
        assert "Ana (you, ready)" in capsys.readouterr().out


async def test_a_host_adds_bots_offers_another_game_and_calls_everybody_back_in_lines(
    capsys: pytest.CaptureFixture[str],
) -> None:
    lines, client = Lines(ADDRESS, CODE, watch=False), Told(ADDRESS, CODE, "token")
    async with client:
        hear(lines, client, msgspec.structs.replace(welcome(two(), "lobby", host=True), game=None))
        assert "Type start to begin, bot for another bot." in capsys.readouterr().out
        assert await lines._handle(client, "bot") == ""
        hear(lines, client, RoomChanged(room=room("over", host=True)))
        assert "Type again for another game, lobby to change the table." in capsys.readouterr().out
        assert await lines._handle(client, "again") == ""
        assert await lines._handle(client, "lobby") == ""
        bot, again, back = client.sent[:3]
        assert bot == AddBot(bot=CAST[0].id)
        assert isinstance(again, Rematch)
        assert again.again
        assert back == Rematch()
        assert await lines._handle(client, "start") == ""
        assert isinstance(client.sent[-1], Rematch), "the lobby is skipped"
        told = await lines._handle(client, "?")
        assert all(f"  {word} " in told for word in ("again", "lobby", "bot"))


async def test_who_is_no_host_is_told_who_offers_another_game(capsys: pytest.CaptureFixture[str]) -> None:
    lines, client = Lines(ADDRESS, CODE, watch=False), Told(ADDRESS, CODE, "token")
    async with client:
        hear(lines, client, welcome(two()), RoomChanged(room=room("over")), RoomChanged(room=room("over")))
        assert capsys.readouterr().out.count("Bo can offer a rematch.") == 1


def test_who_waits_for_the_next_game_is_told_so_in_lines(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Runs(Told):
        async def __aenter__(self) -> Told:
            await super().__aenter__()
            self.hear(late(two()), Closed(code="table_closed", text="", resume=False))
            return self

    monkeypatch.setattr(plain, "TableClient", Runs)
    monkeypatch.setattr(Lines, "_read", lambda self, loop: None)
    hold(ADDRESS, CODE, "token")
    assert plain.follow(ADDRESS, CODE, "Cy", watch=False) == 0
    out = capsys.readouterr().out
    assert "Ana: 5" in out
    assert "You are in from the next game on. Bo starts it." in out


def test_a_dead_token_is_told_of_in_lines_and_forgotten(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Ends(Told):
        async def __aenter__(self) -> Told:
            await super().__aenter__()
            self.hear(Closed(code="unknown_token", text="", resume=False))
            return self

    monkeypatch.setattr(plain, "TableClient", Ends)
    monkeypatch.setattr(Lines, "_read", lambda self, loop: None)
    hold(ADDRESS, CODE, "token")
    assert plain.follow(ADDRESS, CODE, "Ana", watch=False) == 2
    assert "These seats are not yours any more." in capsys.readouterr().out
    assert held(ADDRESS, CODE) is None


def test_who_finds_no_seat_is_told_that_they_watch(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Closes(Told):
        async def __aenter__(self) -> Told:
            await super().__aenter__()
            assert self.token is None
            self.hear(welcome(two()), Closed(code="table_closed", text="", resume=False))
            return self

    async def info(address: str, code: str) -> SimpleNamespace:
        return SimpleNamespace(joinable=False)

    monkeypatch.setattr(plain, "TableClient", Closes)
    monkeypatch.setattr(seats, "table_info", info)
    monkeypatch.setattr(Lines, "_read", lambda self, loop: None)
    assert plain.follow(ADDRESS, CODE, "Ana", watch=False) == 0
    assert "No seat is left at this table. You can watch." in capsys.readouterr().out
