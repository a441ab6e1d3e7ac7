"""An online table in plain lines: what is told, and what can be typed."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from tests.terminal.heard import ADDRESS, CODE, Told, away, late, two, welcome

from flip7.protocol.messages import (
    Back,
    Closed,
    RoomChanged,
)
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
