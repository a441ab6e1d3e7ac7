"""The whole server, without its sockets: tables are made and found here or at other servers, within limits."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import secrets
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime
from itertools import count
from time import monotonic

import msgspec

from flip7.protocol.messages import JoinTable, OpenTables, Options, Player, Replay, Seated, TableInfo
from flip7.server.bots import bot
from flip7.server.connection import Connection
from flip7.server.directory import Directory
from flip7.server.errors import DamagedLog, Refusal, StoreError
from flip7.server.inputs import Deal, Joined, Opened
from flip7.server.limits import Buckets
from flip7.server.links import Links
from flip7.server.loading import Outdated, read_game
from flip7.server.logs import LOG
from flip7.server.matches import Matches
from flip7.server.membership import Membership
from flip7.server.metrics import Metrics
from flip7.server.names import digest, new_code, new_id, new_token
from flip7.server.play import Play
from flip7.server.promises import Promises, new_secret
from flip7.server.room import Room
from flip7.server.seating import DeckSecret, RoomData
from flip7.server.settings import Settings
from flip7.server.state import RoomState
from flip7.server.store.base import Elsewhere, Store

OPEN_TABLES = 100
ASK_SECONDS = 2.0
REACH_SECONDS = 8.0
"""How long a request waits for a table whose owner has just been lost: a lease, and some more."""
RETRY_SECONDS = 0.2
COUNT_SECONDS = 5.0
"""How long the number of all tables is believed."""
CODE_TRIES = 3


class Hub:
    """The whole server, without its sockets."""

    def __init__(self, settings: Settings, store: Store) -> None:
        self.settings = settings
        self.store = store
        self.metrics = Metrics()
        self.directory = Directory(self)
        self.membership = Membership(store)
        self.links = Links(self)
        self.matches = Matches(store, self._announce)
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
        self._secret = ""
        self._tables = (0.0, 0)
        self._tasks: set[asyncio.Task[None]] = set()
        self._sweeper: asyncio.Task[None] | None = None
        self.metrics.gauge("flip7_tables", "Tables that this server owns.", lambda: len(self.directory))
        self.metrics.gauge("flip7_connections", "Open connections.", lambda: len(self.connections))
        self.links.questions = {"info": self._info_asked, "join": self._join_asked, "lobby": self._lobby_asked}
        self.links.questions |= {"made": self._made_asked, "secret": self._secret_asked, "match": self._match_asked}

    async def open(self) -> None:
        """Open the store, and verify what is in it. Raises `StoreError`."""
        address = await self.links.listen(self.settings.advertise, self.settings.link_port) if self.store.shared else ""
        await self.store.open(address)
        self._secret = await self.store.secret()
        self.links.trust(self._secret)
        self.membership.start()
        await self.directory.verify()
        self._sweeper = asyncio.create_task(self._sweep())

    async def hand_over(self) -> None:
        """Let go of all tables and tell everybody to come again: this server goes, others may stay."""
        self.closing = True
        if self._sweeper is not None:
            self._sweeper.cancel()
        await self.directory.hand_over()
        await self.links.close()
        for connection in list(self.connections):
            connection.close("restart", "the server is starting again; your seat is kept", resume=True)

    async def close(self) -> None:
        """End all work; what is saved stays."""
        await self.hand_over()
        self.membership.stop()
        await self.store.close()

    def keep(self, task: asyncio.Task[None]) -> None:
        """Hold on to a task until it is done."""
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def alarm(self, event: str, **details: object) -> None:
        """Say something that whoever runs the server has to know at once."""
        self.metrics.alarms.inc()
        LOG.error(event, extra=details)

    # Tables.

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
        """Make a new table with its host. Raises `Refusal`."""
        maker = self._maker(address)
        await self._check_limits(maker)
        for id in bots:
            bot(id)
        first = await self._promised(secret)
        error: Refusal | None = None
        for _ in range(CODE_TRIES):  # Another server may have given out the same code.
            data = RoomData(new_code(()), options, maker=maker)
            room = Room(self, RoomState.restore(data, None, self.settings, monotonic()), 1)
            self.directory.add(room)
            token, deal = new_token(), self.new_deal() if start else None
            try:
                outcome = await room.call(Opened(players, digest(token), bots, first, nonce, deal))
            except Refusal as refusal:
                self.directory.forget(room)
                await room.stop()
                if refusal.code != "not_saved":
                    raise
                error = refusal
                continue
            LOG.info("table created", extra={"table": room.code, "public": options.public})
            return Seated(room.code, token, outcome.seats)
        raise error or Refusal("not_saved", "the table could not be saved; try again in a moment")

    async def _promised(self, hash: str | None) -> DeckSecret:
        """Return the secret with this hash, whichever server has promised it, or a new one."""
        secret = self.promises.find(hash)
        if secret is None and hash is not None:
            answers = await self._ask_all("secret", hash.encode())
            found = [msgspec.json.decode(body, type=DeckSecret | None) for body in answers]
            secret = next((one for one in found if one is not None), None)
        return secret or self._new_secret()

    async def _check_limits(self, maker: str) -> None:
        if self.closing:
            raise Refusal("closing", "the server is starting again; try again in a moment")
        at, tables = self._tables
        if monotonic() - at > COUNT_SECONDS:
            at, tables = self._tables = (monotonic(), await self.store.count_rooms())
        self._tables = (at, tables + 1)
        if tables >= self.settings.tables:
            raise Refusal("too_many", "the server has as many tables as it can take; try again later")
        bodies = await self._ask_all("made", maker.encode())
        mine = self._made(maker) + sum(msgspec.json.decode(body, type=int) for body in bodies)
        if mine >= self.settings.tables_per_address:
            raise Refusal("too_many", f"{mine} tables from your address are in use: leave one of them, then try again")

    def _maker(self, address: str) -> str:
        """Return what is kept of who made a table: enough to recognise them, and no more."""
        return hmac.new(self._secret.encode(), address.encode(), hashlib.sha256).hexdigest()[:16]

    def _made(self, maker: str) -> int:
        """Return how many tables of a maker are in use here: one where nobody has been for a while is not."""
        fresh = monotonic() - self.settings.used
        return sum(
            room.state.data.maker == maker and (not room.state.is_empty or room.state.empty_since > fresh)
            for room in self.directory.rooms
        )

    async def join(self, code: str, players: tuple[Player, ...], nonce: str | None = None) -> Seated:
        """Give people on a new device seats at a table. Raises `Refusal`."""
        body = msgspec.json.encode((code, JoinTable(players=players, nonce=nonce)))
        room = await self.reach(code, "join", body)
        if isinstance(room, bytes):
            return msgspec.json.decode(room, type=Seated)
        token = new_token()
        outcome = await room.call(Joined(players, digest(token), nonce))
        return Seated(room.code, token, outcome.seats)

    async def info(self, code: str) -> TableInfo:
        """Return a table as others see it. Raises `Refusal`."""
        room = await self.reach(code, "info", msgspec.json.encode(code))
        return msgspec.json.decode(room, type=TableInfo) if isinstance(room, bytes) else room.state.info()

    async def open_tables(self) -> OpenTables:
        """Return the public tables, those that can be joined first, the fuller ones before the others."""
        public = list(self._lobby())
        for body in await self._ask_all("lobby", b""):
            public += msgspec.json.decode(body, type=list[TableInfo])
        public.sort(key=lambda info: (not info.joinable, info.phase == "over", -len(info.seats), info.code))
        return OpenTables(tuple(public[:OPEN_TABLES]))

    def _lobby(self) -> list[TableInfo]:
        states = [room.state for room in self.directory.rooms]
        return [state.info() for state in states if state.data.options.public and not state.is_empty]

    # Other servers.

    async def reach(self, code: str, name: str, body: bytes) -> Room | bytes:
        """Return the table, if it is or comes here, or its owner's answer to a question. Raises `Refusal`."""
        until = monotonic() + REACH_SECONDS
        while True:
            place = await self.directory.find(code)
            if isinstance(place, Room):
                return place
            try:
                return await self.links.ask(place.server, place.address, name, body, ASK_SECONDS)
            except Refusal as refusal:
                if refusal.code != "closing":
                    raise
            except (OSError, TimeoutError):
                pass
            if monotonic() > until:
                raise Refusal("closing", "the table moves to another server; try again in a moment")
            await asyncio.sleep(RETRY_SECONDS)

    async def _ask_all(self, name: str, body: bytes) -> list[bytes]:
        """Ask all other servers something; those that do not answer are left out."""
        others = self.membership.others.items()
        asked = (self.links.ask(server, address, name, body, ASK_SECONDS) for server, address in others)
        answers = await asyncio.gather(*asked, return_exceptions=True)
        return [answer for answer in answers if isinstance(answer, bytes)]

    async def here(self, code: str) -> Room:
        """Return a table that another server believes to be here. Raises `Refusal`."""
        place = await self.directory.find(code)
        if isinstance(place, Elsewhere):
            raise Refusal("closing", "the table has moved on to another server")
        return place

    async def _info_asked(self, body: bytes) -> bytes:
        return msgspec.json.encode((await self.here(msgspec.json.decode(body, type=str))).state.info())

    async def _join_asked(self, body: bytes) -> bytes:
        code, table = msgspec.json.decode(body, type=tuple[str, JoinTable])
        await self.here(code)
        return msgspec.json.encode(await self.join(code, table.players, table.nonce))

    async def _lobby_asked(self, body: bytes) -> bytes:
        return msgspec.json.encode(self._lobby())

    async def _secret_asked(self, body: bytes) -> bytes:
        return msgspec.json.encode(self.promises.find(body.decode()))

    async def _match_asked(self, body: bytes) -> bytes:
        await self.matches.heard(body.decode())
        return b"null"

    def _announce(self, code: str) -> None:
        """Tell the other servers that a match has something new."""
        if self.membership.others:
            self.keep(asyncio.create_task(self._tell_all("match", code.encode())))

    async def _tell_all(self, name: str, body: bytes) -> None:
        await self._ask_all(name, body)

    async def _made_asked(self, body: bytes) -> bytes:
        return msgspec.json.encode(self._made(body.decode()))

    # Games that are over.

    async def finished(self, id: str, address: str) -> Play:
        """Return a game that is over. Raises `Refusal` if there is none with this id, or there were too many."""
        stored = await self.store.game(id)
        if stored is None or not stored.over:
            raise Refusal(
                "unknown_game", "there is no finished game with this id; a running one is replayed afterwards"
            )
        if not self.replay_budget.take(address, len(stored.choices)):
            raise Refusal("too_many", "too many games were asked for at once; wait a little")
        try:
            return read_game(stored)
        except Outdated as outdated:
            return outdated.play
        except DamagedLog as damage:
            self.alarm("a finished game is damaged", problem=str(damage))
            raise Refusal("damaged", "what was saved of this game is damaged") from None

    async def replay(self, id: str, address: str) -> Replay:
        """Return a finished game, step by step."""
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
            try:
                await self.directory.sweep()
            except StoreError as error:
                LOG.warning("idle tables stay", extra={"problem": str(error)})
