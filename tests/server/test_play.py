"""Whole games over real sockets."""

from __future__ import annotations

import msgspec

import flip7
from flip7.protocol.rest import Replay

from .client import Client, Process


async def test_one_person_plays_against_bots_to_the_end(server: Process) -> None:
    seated = server.seat("/api/quick", {"player": {"name": "Ana"}, "bots": ["carl", "bea", "zoe", "ada"]})
    ana = Client(server, seated.code, seated.token)
    welcome = await ana.open()
    last = await ana.play()
    await ana.close()
    assert welcome.game
    assert last.winner is not None
    assert last.reveal
    record = server.get(f"/api/games/{last.game}/record").text
    game = flip7.Game.from_record(record)
    assert game.winner == last.winner
    assert game.commitment == welcome.game.commitment
    replay = msgspec.json.decode(server.get(f"/api/games/{last.game}").content, type=Replay)
    assert replay.steps[-1] == msgspec.structs.replace(last, quick=False)  # a replay hurries for nobody
