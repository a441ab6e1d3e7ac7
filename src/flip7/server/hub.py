"""The whole server, without its sockets: tables are made and found here or at other servers, within limits."""

from __future__ import annotations

import asyncio
import secrets
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime
from functools import partial
from itertools import count
from time import monotonic

import msgspec

from flip7.protocol.messages import Options, Player, Speed
from flip7.protocol.rest import OpenTables, Seated, TableInfo
from flip7.server.bots import bot
from flip7.server.coach import Coach
from flip7.server.connection import Connection
from flip7.server.daily import TARGET, Daily, DailyTable
from flip7.server.daily_log import Days
from flip7.server.directory import Directory
from flip7.server.door import Door
from flip7.server.engine import Engine
from flip7.server.errors import Conflict, Refusal
from flip7.server.housekeeping import Housekeeping
from flip7.server.inputs import Deal, Joined, Opened
from flip7.server.limits import Buckets
from flip7.server.links import Links
from flip7.server.logs import LOG
from flip7.server.matches import Matches
from flip7.server.membership import Membership
from flip7.server.metrics import Metrics
from flip7.server.names import digest, new_code, new_id, new_token
from flip7.server.pieces import Pieces
from flip7.server.previews import Previews
from flip7.server.promises import Promises, new_secret
from flip7.server.quotas import Quotas
from flip7.server.repeating import repeat
from flip7.server.replays import Replays
from flip7.server.reviews import Reviews
from flip7.server.room import Room
from flip7.server.seating import DeckSecret, RoomData
from flip7.server.settings import Settings
from flip7.server.sharing import Sharing
from flip7.server.state import RoomState
from flip7.server.store.base import RETRY_SECONDS, SHORTEST_RETRY, Elsewhere, Store
from flip7.server.turns import Turns

OPEN_TABLES = 100
ASK_SECONDS = 2.0
REACH_SECONDS = 8.0
"""How long a request waits for a table whose owner has just been lost: a lease, and some more."""
CODE_TRIES = 3
DAILY_OPTIONS = Options(target=TARGET, coach=False)


class Hub:
    """The whole server, without its sockets."""

    def __init__(self, settings: Settings, store: Store) -> None:
        self.settings = settings
        self.store = store
        self.metrics = Metrics()
        self.directory = Directory(self)
        self.membership = Membership(store, self.directory, self.metrics.errors)
        self.links = Links(self)
        self.matches = Matches(store, self._announce)
        self.engine = Engine(wanted=settings.engine)
        self.coach = Coach(settings, self.engine)
        self.connections: set[Connection] = set()
        self.connection_ids = count(1)
        self.addresses: Counter[str] = Counter()
        """Open connections by address."""
        self.door = Door(settings)
        self.turns = Turns(settings)
        """When the choices of each network are made."""
        self.missed_work = Buckets(settings.replay_per_second, settings.replay_burst)
        """The work of telling what was missed."""
        self.days = Days()
        self.replays = Replays(
            store,
            self.days,
            Buckets(settings.finished_per_second, settings.finished_burst),
            lambda problem: self.alarm("a finished game is damaged", problem=problem),
        )
        share = Sharing(store, self.membership, self.links)
        self.reviews = Reviews(settings, store, self.engine, self.replays, self.days, share.ask)
        self.daily = Daily(store, self.engine, self.days, share.ask)
        self.previews = Previews(store, self.daily)
        self.pieces = Pieces()
        self.housekeeping = Housekeeping(settings, store, self.matches, self.replays, self.metrics.errors)
        self.closing = False
        self._seeds = settings.seed
        self.promises = Promises(self.choose_secret)
        self._tasks: set[asyncio.Task[None]] = set()
        self._sweeper: asyncio.Task[None] | None = None
        self.metrics.gauge("flip7_tables", "Tables that this server owns.", lambda: len(self.directory))
        self.metrics.gauge("flip7_links", "Other servers that this one is linked to.", lambda: len(self.links))
        unreached = "Other servers that are alive, but could not be reached."
        self.metrics.gauge("flip7_servers_unreached", unreached, lambda: self.links.unreached)
        self.metrics.gauge("flip7_connections", "Open connections.", lambda: len(self.connections))
        self._at_table: dict[str, Callable[[Room, bytes], Awaitable[bytes]]] = {"info": _info, "join": _join}
        self.links.questions = {name: partial(self._asked, name) for name in self._at_table}
        self.links.questions |= {"lobby": self._lobby_asked, "secret": self._secret_asked, "match": self._match_asked}
        self.links.questions |= {"review": self.reviews.asked, "solve": self.daily.asked}
        self.quotas = Quotas(self)

    async def open(self) -> None:
        """Open the store, and verify what is in it. Raises `StoreError`."""
        address = await self.links.listen(self.settings.advertise, self.settings.link_port) if self.store.shared else ""
        await self.store.open(address)
        secret = await self.store.secret()
        self.links.trust(secret)
        self.quotas.trust(secret)
        await self.membership.start()
        await self.directory.verify()
        await self.daily.prepare()
        self._sweeper = asyncio.create_task(
            repeat(self._sweep, self.settings.sweep, "idle tables stay", self.metrics.errors), name="sweeper"
        )
        self.housekeeping.start()

    async def hand_over(self) -> None:
        """Let go of all tables and tell everybody to come again: this server goes, others may stay."""
        self.closing = True
        self.housekeeping.stop()
        if self._sweeper is not None:
            self._sweeper.cancel()
        await self.directory.hand_over()
        await self.reviews.stop()
        await self.daily.stop()
        await self.engine.stop()
        await self.links.close()
        for connection in list(self.connections):
            connection.close("restart", "the server is starting again; your seat is kept", resume=True)

    async def close(self) -> None:
        """End all work; what is saved stays."""
        await self.hand_over()
        await self.replays.close()
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
        device: str | None = None,
        quick: bool = False,
        daily: DailyTable | None = None,
    ) -> Seated:
        """Make a new table with its host. A quick game replaces the oldest idle one of its device. Raises `Refusal`."""
        if self.closing:
            raise Refusal("closing", "the server is starting again; try again in a moment")
        maker = self.quotas.maker(address)
        await self.quotas.check(maker)
        for id in bots:
            bot(id)
        deck = daily.secret if daily else await self._promised(secret)
        for _ in range(CODE_TRIES):  # Another server may have given out the same code.
            made_by = self.quotas.device(device) if quick else ""
            data = RoomData(new_code(self.directory), options, maker=maker, device=made_by)
            room = Room(self, RoomState.restore(data, None, self.settings, monotonic()), 1, made_at=monotonic())
            self.directory.add(room)
            token = daily.token if daily else new_token()
            whose, deal = daily.whose if daily else None, self.new_deal() if start else None
            try:
                outcome = await room.call(Opened(players, digest(token), bots, deck, nonce, deal, whose))
            except (Refusal, Conflict) as error:
                self.directory.forget(room)
                await room.stop()
                room.send_away()
                if isinstance(error, Refusal):
                    raise
                continue
            LOG.info("table created", extra={"table": room.code, "public": options.public})
            self.keep(asyncio.create_task(self.quotas.make_way(data)))
            return Seated(room.code, token, outcome.seats)
        raise Refusal("not_saved", "the table could not be saved; try again in a moment")

    async def _promised(self, hash: str | None) -> DeckSecret:
        """Return the secret with this hash, whichever server has promised it, or a new one where none was promised.

        Raises `Refusal` if it is gone: whoever asks has been shown its hash, and must be shown another one first.
        """
        if hash is None:
            return self.choose_secret()
        secret = self.promises.find(hash)
        if secret is None:
            answers = await self.ask_all("secret", hash.encode())
            found = [msgspec.json.decode(body, type=DeckSecret | None) for body in answers]
            secret = next((one for one in found if one is not None), None)
        if secret is None:
            raise Refusal("unknown_secret", "the secret that was promised is gone; ask for another one")
        return secret

    async def daily_try(self, device: str, player: Player, address: str, speed: Speed = "fast") -> Seated:
        """Let a device have its only try at the deck of the day, or go on with it. Raises `Refusal`."""
        table = await self.daily.table(device)
        known = await self.daily.tried(table)
        if known is None:
            try:
                options = msgspec.structs.replace(DAILY_OPTIONS, speed=speed)
                return await self.create((player,), options, (), start=True, address=address, nonce=None, daily=table)
            except Refusal as refusal:
                known = await self.daily.tried(table) if refusal.code == "not_saved" else None
                if known is None:
                    raise
        if await self.store.room(known.code) is None:
            raise Refusal("not_now", "you have had your try at the deck of the day; there is another one tomorrow")
        return Seated(known.code, table.token, (known.seat,))

    async def join(self, code: str, players: tuple[Player, ...], nonce: str | None = None) -> Seated:
        """Give people on a new device seats at a table. Raises `Refusal`."""
        token = new_token()
        seats = await self.reach(code, "join", Joined(players, digest(token), nonce))
        return Seated(code.upper(), token, msgspec.json.decode(seats, type=tuple[int, ...]))

    async def info(self, code: str) -> TableInfo:
        """Return a table as others see it. Raises `Refusal`."""
        return msgspec.json.decode(await self.reach(code, "info", None), type=TableInfo)

    async def open_tables(self) -> OpenTables:
        """Return the public tables, those that can be joined first, the fuller ones before the others."""
        public = await self._lobby()
        for body in await self.ask_all("lobby", b""):
            public += msgspec.json.decode(body, type=list[TableInfo])
        public.sort(key=lambda info: (not info.joinable, info.phase == "over", -len(info.seats), info.code))
        return OpenTables(tuple(public[:OPEN_TABLES]))

    async def _lobby(self) -> list[TableInfo]:
        await self.directory.confirm()
        states = [room.state for room in self.directory.rooms]
        return [state.info() for state in states if state.data.options.public and not state.is_empty]

    # Other servers.

    async def reach(self, code: str, name: str, question: object) -> bytes:
        """Return what a table answers to a question, wherever it is. Raises `Refusal`.

        While it moves, or its owner does not answer, or it is not certain that what follows was saved, it is asked
        again: a question has to bear that.
        """
        until = monotonic() + REACH_SECONDS
        while True:
            place = await self.directory.find(code)
            error = Refusal("closing", "the table moves to another server; try again in a moment")
            try:
                if isinstance(place, Room):
                    return await self._at_table[name](place, msgspec.json.encode(question))
                # Who does not answer until then has lost the table.
                seconds, body = min(ASK_SECONDS, place.lapses), msgspec.json.encode((code, question))
                return await self.links.ask(place.server, place.address, name, body, seconds)
            except Refusal as refusal:
                if refusal.code == "not_saved":
                    error = refusal
                elif refusal.code != "closing":
                    raise
            except (OSError, TimeoutError):
                pass
            if monotonic() > until:
                raise error
            await asyncio.sleep(_pause(place, error))

    async def ask_all(self, name: str, body: bytes) -> list[bytes]:
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

    async def _asked(self, name: str, body: bytes) -> bytes:
        """Answer another server that asks a table something."""
        code, question = msgspec.json.decode(body, type=tuple[str, msgspec.Raw])
        return await self._at_table[name](await self.here(code), bytes(question))

    async def _lobby_asked(self, body: bytes) -> bytes:
        return msgspec.json.encode(await self._lobby())

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
        await self.ask_all(name, body)

    # Games.

    def new_deal(self) -> Deal:
        """Return what a game needs that begins now."""
        date = datetime.now(UTC).date().isoformat()
        dealer = self._seeds  # in tests
        return Deal(new_id(), self.choose_secret(), dealer, date)

    def choose_secret(self) -> DeckSecret:
        """Return a secret that nobody can guess, but in tests."""
        if self._seeds is None:
            return new_secret()
        self._seeds += 1
        return DeckSecret(str(self._seeds), secrets.token_hex(16))

    async def _sweep(self) -> None:
        """Close tables that nobody needs, forget who has been quiet, see to the engine. Raises `StoreError`."""
        self.engine.status()  # once it has been installed it is compiled, before anybody waits for it
        self.door.forget()
        self.turns.forget()
        self.missed_work.forget()
        self.matches.work.forget()
        self.replays.budget.forget()
        self.coach.forget()
        self.reviews.forget()
        await self.daily.prepare()
        await self.directory.sweep()


def _pause(place: Room | Elsewhere, error: Refusal) -> float:
    """Return how long to wait before a table is asked again that has not answered, or is not certain."""
    if isinstance(place, Elsewhere):
        return place.retry
    return RETRY_SECONDS if error.code == "not_saved" else SHORTEST_RETRY


async def _info(room: Room, question: bytes) -> bytes:
    return msgspec.json.encode((await room.look()).info())


async def _join(room: Room, question: bytes) -> bytes:
    joined = msgspec.json.decode(question, type=Joined)
    return msgspec.json.encode((await room.call(joined)).seats)
