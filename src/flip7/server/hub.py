"""All tables of a server: made, found, restored after a restart, and closed when nobody needs them."""

from __future__ import annotations

import asyncio
import secrets
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime
from itertools import count
from time import monotonic

import msgspec

from flip7.protocol.messages import OpenTables, Options, Player, Replay, Seated
from flip7.server.bots import bot
from flip7.server.connection import Connection
from flip7.server.errors import Refusal
from flip7.server.inputs import Abandoned, Deal, Joined, Opened
from flip7.server.limits import Buckets
from flip7.server.logs import LOG
from flip7.server.matches import Matches
from flip7.server.metrics import Metrics
from flip7.server.names import digest, new_code, new_id, new_token
from flip7.server.play import Play
from flip7.server.promises import Promises, new_secret
from flip7.server.room import Room
from flip7.server.seating import DeckSecret, RoomData
from flip7.server.settings import Settings
from flip7.server.state import RoomState
from flip7.server.store.base import Store

OPEN_TABLES = 100


class Hub:
    """The whole server, without its sockets."""

    def __init__(self, settings: Settings, store: Store) -> None:
        self.settings = settings
        self.store = store
        self.metrics = Metrics()
        self.rooms: dict[str, Room] = {}
        self.matches = Matches(store)
        self.connections: set[Connection] = set()
        self.connection_ids = count(1)
        self.addresses: Counter[str] = Counter()
        """Open connections by address."""
        self.requests = Buckets(settings.requests_per_second, settings.request_burst)
        self.replay_budget = Buckets(settings.replay_per_second, settings.replay_burst)
        """Choices that are played again for each address, which takes time that others wait."""
        self.closing = False
        self._seeds = settings.seed
        self.promises = Promises(self._new_secret)
        self._sweeper: asyncio.Task[None] | None = None
        self.metrics.gauge("flip7_tables", "Tables that are open.", lambda: len(self.rooms))
        self.metrics.gauge("flip7_connections", "Open connections.", lambda: len(self.connections))

    async def open(self) -> None:
        """Open the store, and go on where the server was when it ended, however it ended. Raises `StoreError`."""
        await self.store.open()
        for saved in await self.store.rooms():
            data = msgspec.json.decode(saved, type=RoomData)
            play = await self._play(data)
            self._add(Room(self, RoomState.restore(data, play, self.settings, monotonic())))
        LOG.info("restored", extra={"tables": len(self.rooms)})
        self._sweeper = asyncio.create_task(self._sweep())

    async def close(self) -> None:
        """End the work of all tables; what is saved stays."""
        self.closing = True
        if self._sweeper is not None:
            self._sweeper.cancel()
        await asyncio.gather(*(room.stop() for room in self.rooms.values()))
        await self.store.close()

    def say_goodbye(self) -> None:
        """Tell everybody that the server goes, and that they should come again."""
        self.closing = True
        for connection in list(self.connections):
            connection.close("restart", "the server is starting anew; your seat is kept", resume=True)

    async def load(self, code: str) -> tuple[RoomData | None, Play | None]:
        """Return a table and its game as the store has them. Raises `StoreError`."""
        saved = await self.store.room(code)
        if saved is None:
            return None, None
        data = msgspec.json.decode(saved, type=RoomData)
        return data, await self._play(data)

    async def _play(self, data: RoomData) -> Play | None:
        stored = await self.store.game(data.game) if data.game is not None else None
        return Play.restore(stored) if stored is not None else None

    def _add(self, room: Room) -> None:
        self.rooms[room.code] = room
        room.start()

    def forget(self, room: Room) -> None:
        """The table has been closed."""
        self.rooms.pop(room.code, None)

    def room(self, code: str) -> Room:
        """The table with this code, in capital letters or not. Raises `Refusal` if there is none."""
        room = self.rooms.get(code.upper())
        if room is None:
            raise Refusal("unknown_table", "there is no table with this code; perhaps it was closed, or mistyped")
        return room

    async def create(
        self,
        players: Sequence[Player],
        options: Options,
        bots: Sequence[str],
        *,
        start: bool,
        address: str,
        secret: str | None = None,
        nonce: str | None = None,
    ) -> Seated:
        """A new table with its host. Raises `Refusal`."""
        if self.closing:
            raise Refusal("closing", "the server is starting anew; try again in a moment")
        if len(self.rooms) >= self.settings.tables:
            raise Refusal("too_many", "the server has as many tables as it can take; try again later")
        mine = sum(room.address == address for room in self.rooms.values())
        if mine >= self.settings.tables_per_address:
            raise Refusal("too_many", f"there are {mine} tables from your address already; leave one of them first")
        for id in bots:
            bot(id)
        token = new_token()
        state = RoomState.restore(RoomData(new_code(self.rooms), options), None, self.settings, monotonic())
        room = Room(self, state, address)
        self._add(room)
        try:
            first = self.promises.take(secret)
            deal = self.new_deal() if start else None
            opened = Opened(players, digest(token), bots, first, nonce, deal)
            outcome = await room.call(opened)
        except Refusal:
            self.forget(room)
            await room.stop()
            raise
        LOG.info("table created", extra={"table": room.code, "public": options.public})
        return Seated(room.code, token, outcome.seats)

    async def join(self, code: str, players: Sequence[Player], nonce: str | None = None) -> Seated:
        """Give people on a new device seats at a table. Raises `Refusal`."""
        room, token = self.room(code), new_token()
        outcome = await room.call(Joined(players, digest(token), nonce))
        return Seated(room.code, token, outcome.seats)

    def open_tables(self) -> OpenTables:
        """Public tables, those that can be joined first, the fuller ones before the others."""
        states = [room.state for room in self.rooms.values()]
        public = [state.info() for state in states if state.data.options.public and not state.is_empty]
        public.sort(key=lambda info: (not info.joinable, info.phase == "over", -len(info.seats), info.code))
        return OpenTables(tuple(public[:OPEN_TABLES]))

    async def finished(self, id: str, address: str) -> Play:
        """A game that is over. Raises `Refusal` if there is none with this id, it still runs, or there were many."""
        stored = await self.store.game(id)
        if stored is None or not stored.over:
            raise Refusal(
                "unknown_game", "there is no finished game with this id; a running one is replayed afterwards"
            )
        if not self.replay_budget.take(address, len(stored.choices)):
            raise Refusal("too_many", "too many games were asked for at once; wait a little")
        return Play.restore(stored)

    async def replay(self, id: str, address: str) -> Replay:
        """A finished game, step by step."""
        play = await self.finished(id, address)
        first, steps = play.catch_up(-1, odds=True, seconds=None)
        return Replay(id, play.data.date, play.data.seats, first, steps)

    def new_deal(self) -> Deal:
        """Return what a game needs that begins now."""
        date = datetime.now(UTC).date().isoformat()
        return Deal(new_id(), self._new_secret(), secrets.randbits(32), date)

    def _new_secret(self) -> DeckSecret:
        """Return a secret that nobody can guess, but in tests."""
        if self._seeds is None:
            return new_secret()
        self._seeds += 1
        return DeckSecret(str(self._seeds), secrets.token_hex(16))

    async def _sweep(self) -> None:
        """Close tables that nobody needs, and forget addresses that have been quiet."""
        while True:
            await asyncio.sleep(self.settings.sweep)
            self.requests.forget()
            self.replay_budget.forget()
            await self.close_idle()

    async def close_idle(self) -> None:
        """Close tables where nobody has been connected for long."""
        for room in list(self.rooms.values()):
            state = room.state
            limit = self.settings.idle_game if state.data.phase == "playing" else self.settings.idle_lobby
            if state.is_empty and monotonic() - state.empty_since > limit:
                try:
                    await room.call(Abandoned())
                except Refusal:
                    LOG.warning("idle table stays", extra={"table": room.code})
