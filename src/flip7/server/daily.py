"""The daily challenge (SOLO-1): one deck a day for everybody, promised the day before and laid open the day after.

The database decides all that must be the same for several servers: the first day, every day's secret, and that a device
has one try.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
from collections.abc import Mapping
from datetime import date
from time import monotonic

import msgspec

from flip7.protocol.rest import DailyBody, DailyDay, DailyDeck, DailyResult
from flip7.server.daily_log import DAY, Days, Tried, midnight
from flip7.server.engine import Engine
from flip7.server.errors import Refusal, StoreError
from flip7.server.logs import LOG
from flip7.server.promises import new_secret
from flip7.server.seating import DailyTry, DeckSecret
from flip7.server.sharing import Ask, alone
from flip7.server.store.base import Keep, Store
from flip7.server.thinker import SolveDay

TARGET = 200
SHOWN = 100
"""Results in the table of a day."""
SOLVE_SECONDS = 3600.0
TABLE_SECONDS = 3.0
"""How old the table of a day may be that is told; an own result is always there."""
TABLES = 4
"""Days whose tables are remembered."""


class DaySecret(DeckSecret, frozen=True):
    """The secret of a day, as it is kept."""

    made: str
    """The day on which it was chosen, and its promise published."""


class DailyTable(msgspec.Struct, frozen=True):
    """What a table needs at which the deck of a day is played."""

    whose: DailyTry
    secret: DeckSecret
    token: str
    """Follows from the device: whoever has it can go on."""


class DayTable:
    """The results of a day, the best first: fewest rounds, then most points, then who was earlier."""

    def __init__(self, results: Mapping[str, DailyResult]) -> None:
        """From the result of every player, in the order in which they came."""
        self.results = results
        ranking = sorted(results.items(), key=lambda row: (row[1].rounds, -row[1].total))
        self.shown = tuple(result for _, result in ranking[:SHOWN])
        self.places = {player: place for place, (player, _) in enumerate(ranking, 1)}
        self.made_at = monotonic()


class Daily:
    """The days of this server."""

    def __init__(self, store: Store, engine: Engine, days: Days, ask: Ask = alone) -> None:
        """`ask` brings a question to the server that has a day's deck solved."""
        self._store = store
        self._engine = engine
        self._days = days
        self._ask = ask
        self._key = ""
        """What only servers know: tokens follow from it."""
        self._first: date | None = None
        self._secrets: dict[str, DaySecret] = {}
        self._tables: dict[str, DayTable] = {}
        self._solving: asyncio.Task[None] | None = None
        self._unsolved: set[str] = set()
        """The days whose deck could not be solved here."""

    async def prepare(self) -> None:
        """See that today's deck and tomorrow's are promised, whether anybody looks or not."""
        await self._first_day()
        for day in (self._days.today(), self._days.today() + DAY):
            await self._promised(day)

    async def today(self) -> DailyDeck:
        """Return what may be told of the present day's deck."""
        return await self._promised(self._days.today())

    async def look(self, device: str | None = None) -> DailyBody:
        """Return what can be told of the daily challenge, to a device or to anybody."""
        now, day = self._days.clock(), self._days.today()
        first = await self._first_day()
        player = None if device is None else _player(device)
        table = await self._table(day, player)
        body = DailyBody(
            today=await self._promised(day),
            tomorrow=await self._promised(day + DAY),
            yesterday=await self._deck(day - DAY) if day > first else None,
            target=TARGET,
            seconds=(midnight(day + DAY) - now).total_seconds(),
            players=len(table.results),
        )
        if player is None:
            return body
        before = await self._store.kept(f"result {day - DAY}", player)
        mine = table.results.get(player)
        body = msgspec.structs.replace(
            body,
            mine=mine,
            place=table.places.get(player),
            mine_yesterday=None if before is None else _result(before),
        )
        if mine is None:
            begun = await self._tried(day, player)
            spent = begun is not None and await self._store.room(begun.code) is None
            return msgspec.structs.replace(body, begun=begun is not None, spent=spent)
        solver, solving = await self._solved(day)
        return msgspec.structs.replace(body, begun=True, table=table.shown, solver=solver, solving=solving)

    async def past(self, text: str) -> DailyDay:
        """Return a day that has passed. Raises `Refusal` for any other."""
        try:
            day = date.fromisoformat(text)
        except ValueError:
            raise Refusal("unknown_address", f"{text!r} is no day; write it like 2026-11-18") from None
        deck = await self._deck(day) if self._days.is_over(day) else None
        if deck is None:
            raise Refusal("unknown_address", "this day has not passed yet, or this server did not run then")
        return DailyDay(deck, (await self._table(day)).shown, await self._known_solution(day))

    async def table(self, device: str) -> DailyTable:
        """Return what a device needs to play the deck of the day."""
        day = self._days.today()
        await self._promised(day)
        secret = self._secrets[day.isoformat()]
        self._key = self._key or await self._store.secret()
        token = hmac.new(self._key.encode(), f"daily {day} {device}".encode(), hashlib.sha256).hexdigest()
        return DailyTable(DailyTry(day.isoformat(), _player(device)), DeckSecret(secret.seed, secret.salt), token)

    async def tried(self, table: DailyTable) -> Tried | None:
        """Return where a device plays its try, if it has begun."""
        return await self._tried(date.fromisoformat(table.whose.date), table.whose.player)

    async def _tried(self, day: date, player: str) -> Tried | None:
        kept = await self._store.kept(f"try {day}", player)
        return None if kept is None else msgspec.json.decode(kept, type=Tried)

    async def stop(self) -> None:
        """Think no more."""
        if self._solving is not None:
            self._solving.cancel()
            await asyncio.gather(self._solving, return_exceptions=True)

    async def solved(self) -> None:
        """Wait until what is being thought about is known."""
        if self._solving is not None:
            await self._solving

    # What the database decides.

    async def _first_day(self) -> date:
        """Return the first day on which a server of this store ran."""
        if self._first is None:
            kept = await self._keep("first day", "first", self._days.today().isoformat().encode())
            self._first = date.fromisoformat(kept.decode())
        return self._first

    async def _promised(self, day: date) -> DailyDeck:
        """Return the deck of the present day or the next; it is chosen if no server has chosen it before."""
        text = day.isoformat()
        if text not in self._secrets:
            made = new_secret()
            mine = DaySecret(made.seed, made.salt, self._days.today().isoformat())
            kept = await self._keep("day", text, msgspec.json.encode(mine))
            self._secrets[text] = msgspec.json.decode(kept, type=DaySecret)
            self._secrets = dict(sorted(self._secrets.items())[-TABLES:])
        return await self._told(day, self._secrets[text])

    async def _deck(self, day: date) -> DailyDeck | None:
        """Return the deck of a day; `None` where there was none."""
        kept = await self._store.kept("day", day.isoformat())
        return None if kept is None else await self._told(day, msgspec.json.decode(kept, type=DaySecret))

    async def _told(self, day: date, secret: DaySecret) -> DailyDeck:
        """Return what may be told of a deck by now."""
        number = (day - await self._first_day()).days + 1
        deck = DailyDeck(number, day.isoformat(), secret.hash, secret.made)
        if not self._days.is_over(day):
            return deck
        return msgspec.structs.replace(deck, seed=secret.seed, salt=secret.salt)

    async def _keep(self, kind: str, id: str, data: bytes) -> bytes:
        """Return what is kept under this id: this, if nobody was first."""
        kept = await self._store.kept(kind, id)
        if kept is None:
            await self._store.write(Keep(kind, id, data))
            kept = await self._store.kept(kind, id)
        if kept is None:
            raise StoreError(f"{kind} {id} was not kept")
        return kept

    async def _table(self, day: date, player: str | None = None) -> DayTable:
        """Return the results of a day, which may be some seconds old, but for the result of this player."""
        text = day.isoformat()
        known = self._tables.get(text)
        if known is not None and monotonic() < known.made_at + TABLE_SECONDS:
            missing = player is not None and player not in known.results
            if not missing or await self._store.kept(f"result {text}", player or "") is None:
                return known
        before = known.results if known is not None else {}
        kept = await self._store.all_kept(f"result {text}")
        self._tables[text] = made = DayTable({one: before.get(one) or _result(data) for one, data in kept})
        self._tables = dict(sorted(self._tables.items())[-TABLES:])
        return made

    # The solver.

    async def _known_solution(self, day: date) -> DailyResult | None:
        kept = await self._store.kept("solved", day.isoformat())
        return None if kept is None else _result(kept)

    async def _solved(self, day: date) -> tuple[DailyResult | None, bool]:
        """Return what the solver makes of a day, and whether that will be known. Who asks first has it begin."""
        known = await self._known_solution(day)
        if known is not None:
            return known, False
        asked = await self._ask(f"solve {day}", "solve", day.isoformat().encode())
        return None, msgspec.json.decode(asked, type=bool) if asked is not None else self._thinks_about(day.isoformat())

    async def asked(self, body: bytes) -> bytes:
        """Answer another server, for which this one has the deck of a day solved: whether it is thought about."""
        await self.prepare()
        return msgspec.json.encode(self._thinks_about(body.decode()))

    def _thinks_about(self, day: str) -> bool:
        """Begin to think about a day, unless that has failed before; return whether its solution will be known."""
        if day in self._unsolved or day not in self._secrets or not self._engine.is_there:
            return False
        if self._engine.is_ready and (self._solving is None or self._solving.done()):
            self._solving = asyncio.create_task(self._solve(day, self._secrets[day]))
        return True

    async def _solve(self, day: str, secret: DaySecret) -> None:
        if await self._known_solution(date.fromisoformat(day)) is not None:
            return  # It was found after whoever asks had looked.
        worker = self._engine.another()
        try:
            found = await worker.do(SolveDay(int(secret.seed), TARGET), seconds=SOLVE_SECONDS)
            await self._store.write(Keep("solved", day, found))
        except (Refusal, StoreError) as error:
            LOG.warning("the deck of the day is not solved", extra={"day": day, "problem": str(error)})
            self._unsolved = {day}
        finally:
            await worker.stop()  # It has taken much memory.


def _result(data: bytes) -> DailyResult:
    return msgspec.json.decode(data, type=DailyResult)


def _player(device: str) -> str:
    """Return what is kept of a device."""
    return hashlib.sha256(f"flip7 device {device}".encode()).hexdigest()[:32]
