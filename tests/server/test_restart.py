"""The server is killed again and again while games run; every game goes on, and nothing is lost or doubled.

`FLIP7_RESTART=200x10` runs it in full size: so many tables, so many kills.
"""

from __future__ import annotations

import asyncio
import os
import random

import msgspec
import pytest
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidMessage

import flip7
from flip7.protocol.messages import Ask, Step, Welcome
from flip7.server.settings import Settings

from .client import WIDE, Client, Process

TABLES, KILLS = (int(number) for number in os.environ.get("FLIP7_RESTART", "20x4").split("x"))


class Witness:
    """A player who comes back after every crash, and remembers everything that was ever told."""

    def __init__(self, server: Process, code: str, token: str, seed: int) -> None:
        self.client = Client(server, code, token)
        self.rng = random.Random(seed)
        self.steps: dict[int, Step] = {}
        self.returns = 0

    @property
    def last(self) -> int:
        return max(self.steps, default=0)

    def choose(self, ask: Ask) -> str | int:
        return self.rng.choice(ask.options)

    async def live(self) -> Step:
        """Play to the end of the game, through whatever happens to the server."""
        while True:
            try:
                welcome = await self.client.open(game=self.client.game, number=self.last)
                self.returns += 1
                self.check(welcome)
                while self.client.ask is not None:
                    await self.client.answer(self.choose)
                    message = await self.client.receive()
                    if isinstance(message, Step):
                        self.note(message)
                await self.client.close()
                return self.steps[self.last]
            except (ConnectionError, ConnectionClosed, InvalidHandshake, InvalidMessage):
                await asyncio.sleep(0.05)

    def check(self, welcome: Welcome) -> None:
        """What the server says after it came back fits to what was told before."""
        assert welcome.game
        if self.steps:
            assert welcome.game.number == self.last, "a state that was told is lost"
        for step in welcome.missed:
            self.note(step)

    def note(self, step: Step) -> None:
        assert step.number not in self.steps, "a state was told twice"
        assert step.number == self.last + 1, "a state was left out"
        self.steps[step.number] = step


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
async def test_games_survive_a_server_that_is_killed_again_and_again(
    kind: str, tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest
) -> None:
    tables = TABLES if kind == "sqlite" else max(1, TABLES // 4)
    settings = Settings(
        data=tmp_path_factory.mktemp("restart"),
        database=await _postgres(request) if kind == "postgres" else None,
        pace=0.1,
        tables_per_address=10_000,
        request_burst=10_000,
        replay_burst=1_000_000,
        connections_per_address=10_000,
        messages_per_second=1000,
        **WIDE,
    )
    rng = random.Random(7)
    with Process(settings) as server:
        witnesses = []
        for number in range(tables):
            body = {
                "player": {"name": f"Ana {number}"},
                "bots": rng.choices(["carl", "bea", "ada", "zoe"], k=3),
            }
            seated = await asyncio.to_thread(server.seat, "/api/quick", body)
            witnesses.append(Witness(server, seated.code, seated.token, number))
        lives = [asyncio.create_task(witness.live()) for witness in witnesses]
        for kill in range(KILLS):
            # Tables in PostgreSQL are taken over when the time of the killed owner is up.
            while sum(witness.returns > kill for witness in witnesses) <= tables / 2 and not all(map(_ended, lives)):
                await asyncio.wait(lives, timeout=0.05)
            await asyncio.sleep(rng.uniform(0.3, 0.8) * max(1.0, tables / 50))
            await asyncio.to_thread(server.kill)
            if kill == KILLS - 1:
                server.settings = msgspec.structs.replace(settings, pace=0)  # quickly to the end
            await asyncio.to_thread(server.start)
        endings = await asyncio.gather(*lives)
        assert sum(witness.returns > KILLS for witness in witnesses) > tables / 2, "the games were over too soon"
        for witness, last in zip(witnesses, endings, strict=True):
            assert last.winner is not None
            assert sorted(witness.steps) == list(range(1, last.number + 1))
            text = (await asyncio.to_thread(server.get, f"/api/games/{last.game}/record")).text
            game = flip7.Game.from_record(text)
            told = [event for number in sorted(witness.steps) for event in witness.steps[number].events]
            assert game.events[-len(told) :] == told
        assert server.problems() == []


def _ended(life: asyncio.Task[Step]) -> bool:
    return life.done()


async def _postgres(request: pytest.FixtureRequest) -> str:
    from .test_store import fresh_database

    return await fresh_database(request.getfixturevalue("postgres"))
