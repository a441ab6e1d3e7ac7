"""Shared matches of the scorekeeper: kept, merged, and told to everyone who follows them."""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import re
import secrets
from collections.abc import Callable, Iterator, Sequence
from time import monotonic

import msgspec

from flip7.protocol.matches import Accepted, AddOperations, MatchBody, MatchNews, SharedMatch, ShareMatch
from flip7.scorekeeper.errors import MatchError
from flip7.scorekeeper.ledger import Ledger, work_of
from flip7.scorekeeper.match import Match
from flip7.scorekeeper.model.operations import AnyOperation
from flip7.server.connection import Connection
from flip7.server.errors import Refusal, StoreError
from flip7.server.limits import Buckets
from flip7.server.logs import LOG
from flip7.server.names import digest, new_token
from flip7.server.store.base import AddOperation, SaveMatch, Store, Write

CODE_BYTES = 9
MOST_OPERATIONS = 6000
MOST_CLOCK_AHEAD = 10_000
FOLLOWERS = 100
IN_MEMORY = 500
LOOK_SECONDS = 5.0
"""How often a match is looked for in the store for those who follow it, at most."""
SHARES_PER_MINUTE = 10.0
WORK_PER_SECOND, WORK_AT_ONCE = 500.0, 20_000.0
"""What the operations that a network enters may cost, as `flip7.scorekeeper.ledger` counts it."""
READING = 0.01
"""What it costs to be told an operation, in comparison with entering it."""
TURN = 50
"""So much work is done before others have their turn: a millisecond."""
_CODE = re.compile(r"[\w-]{1,32}", re.ASCII)
_OPERATION = msgspec.json.Decoder(AnyOperation)


class _Kept(msgspec.Struct, frozen=True):
    """A shared match as the store has it, but for the operations that have rows of their own."""

    id: str
    key: str
    """The digest of the key."""
    operations: tuple[AnyOperation, ...] = ()
    """Those that were written before operations had rows of their own."""


class _Shared:
    """A shared match in memory: all that is known of it here, and who follows it."""

    def __init__(self, code: str, kept: _Kept, ledger: Ledger) -> None:
        self.code = code
        self.kept = kept
        self.ledger = ledger
        """The place of an operation in it is its number in the store."""
        self.followers: set[Connection] = set()
        self.lock = asyncio.Lock()
        """Held while something is entered or read."""
        self.looked_at = monotonic()
        """When `look` last asked the store."""

    @property
    def known(self) -> list[AnyOperation]:
        """All operations, in the order in which they came."""
        return self.ledger.operations

    def may_enter(self, key: str) -> bool:
        return hmac.compare_digest(digest(key), self.kept.key)

    def take(self, operations: Sequence[AnyOperation]) -> None:
        """Know these too, and tell them to whoever follows."""
        if operations:
            self.ledger.add(operations)
            text = self.news(operations)
            for follower in list(self.followers):
                follower.push(text)

    def rows(self, operations: Sequence[AnyOperation]) -> list[Write]:
        """Return what has to be written to add these."""
        numbered = enumerate(operations, len(self.known))
        return [AddOperation(self.code, number, msgspec.json.encode(one)) for number, one in numbered]

    def news(self, operations: Sequence[AnyOperation]) -> str:
        return msgspec.json.encode(MatchNews(operations=tuple(operations), id=self.kept.id)).decode()


class Matches:
    """All shared matches of a server. Those that nobody follows are read from the store when they are needed."""

    def __init__(self, store: Store, announce: Callable[[str], None] = lambda code: None) -> None:
        """`announce` tells other servers that a match has something new."""
        self._store = store
        self._announce = announce
        self._shared: dict[str, _Shared] = {}
        self._loading: dict[str, asyncio.Task[_Shared]] = {}
        self._shares = Buckets(SHARES_PER_MINUTE / 60, SHARES_PER_MINUTE)
        self.work = Buckets(WORK_PER_SECOND, WORK_AT_ONCE)
        """What each network has made this server look at."""

    async def share(self, body: ShareMatch, address: str) -> SharedMatch:
        """Keep a match here, so that others can follow it. Raises `Refusal`."""
        if not self._shares.take(address):
            raise Refusal("too_many", "many matches were shared from your network", self._shares.wait(address))
        try:
            ledger = Ledger.begin(body.id, next(iter(body.operations), None))
        except MatchError as error:
            raise Refusal("bad_match", str(error)) from None
        ledger.add(await self._new(ledger, body.operations, address))
        key = new_token()
        shared = _Shared(secrets.token_urlsafe(CODE_BYTES), _Kept(body.id, digest(key)), ledger)
        rows = [AddOperation(shared.code, i, msgspec.json.encode(one)) for i, one in enumerate(ledger.operations)]
        await self._store.write(SaveMatch(shared.code, msgspec.json.encode(shared.kept)), *rows)
        self._remember(shared)
        return SharedMatch(shared.code, key)

    async def body(self, code: str, key: str, address: str) -> MatchBody:
        """Return a match with all its operations. Raises `Refusal`."""
        shared = await self._find(code)
        self._charge(address, shared.ledger.work * READING)
        return MatchBody(shared.kept.id, tuple(shared.known), shared.may_enter(key))

    async def add(self, code: str, body: AddOperations, address: str) -> Accepted:
        """Merge what a device has entered, keep it, and tell the others. Raises `Refusal`."""
        shared = await self._find(code)
        if not shared.may_enter(body.key):
            raise Refusal("not_yours", "this link is for looking on; ask for one with the right to enter scores")
        tried = False
        async with shared.lock:
            for last in (False, False, True):
                new = await self._new(shared.ledger, body.operations, address)
                _reasonable(shared.ledger, new)
                if not new:
                    if tried:  # It was entered all the same; only the answer was lost.
                        self._announce(code)
                    break
                tried = True
                try:
                    await self._store.write(*shared.rows(new))
                except StoreError:
                    # Another server was quicker, or the answer was lost: see what is there, and add what is missing.
                    if last:
                        raise
                    await self._refresh(shared)
                else:
                    shared.take(new)
                    self._announce(code)
                    break
        return Accepted(len(shared.known))

    async def _new(self, ledger: Ledger, operations: Sequence[AnyOperation], address: str) -> tuple[AnyOperation, ...]:
        """Return those operations that a match does not have. Raises `Refusal` if they do not fit, or are too many."""
        try:
            new = ledger.unknown(operations)
            self._charge(address, sum(map(work_of, new)))
            since = 0
            for work in ledger.check(new):
                since += work
                if since >= TURN:
                    since = 0
                    await asyncio.sleep(0)
        except MatchError as error:
            raise Refusal("bad_match", str(error)) from None
        return tuple(new)

    def _charge(self, address: str, cost: float) -> None:
        """Take what work costs from the budget of an address. Raises `Refusal` if that is used up."""
        cost = min(cost, self.work.burst)
        wait = self.work.wait(address, cost)
        if wait:
            raise Refusal("too_many", "very much was entered into matches from your network, or read", wait)
        self.work.take(address, cost)

    async def follow(self, code: str, connection: Connection) -> None:
        """Tell a connection everything, and whatever comes. Raises `Refusal`."""
        shared = await self._find(code)
        self._charge(connection.address, shared.ledger.work * READING)
        if len(shared.followers) >= FOLLOWERS:
            text = "very many follow this match already; look on beside a player, or come back later"
            raise Refusal("too_many_watching", text)
        shared.followers.add(connection)
        connection.push(shared.news(shared.known))

    def unfollow(self, code: str, connection: Connection) -> None:
        """The connection is gone."""
        if code in self._shared:
            self._shared[code].followers.discard(connection)

    async def heard(self, code: str) -> None:
        """Another server has something new about a match: tell it to those who follow it here."""
        shared = self._shared.get(code)
        if shared is not None:
            async with shared.lock:
                await self._refresh(shared)

    async def look(self, code: str) -> None:
        """See whether other servers have something new about a match: they may have failed to say so.

        However often this is asked for, the store is asked only now and then.
        """
        shared = self._shared.get(code)
        if shared is not None and self._store.shared and monotonic() >= shared.looked_at + LOOK_SECONDS:
            shared.looked_at = monotonic()
            with contextlib.suppress(Refusal, StoreError):
                await self.heard(code)

    async def _find(self, code: str) -> _Shared:
        if not _CODE.fullmatch(code):
            raise _unknown()
        shared = self._shared.get(code)
        if shared is None:
            task = self._loading.get(code)
            if task is None:
                task = self._loading[code] = asyncio.create_task(self._load(code))
                task.add_done_callback(lambda task: self._loading.pop(code, None))
            return await asyncio.shield(task)
        if self._store.shared:
            async with shared.lock:
                await self._refresh(shared)
        return shared

    async def _load(self, code: str) -> _Shared:
        data = await self._store.match(code)
        if data is None:
            raise _unknown()
        with _reading(code):
            kept = msgspec.json.decode(data, type=_Kept)
            operations = await self._read(code, len(kept.operations))
            shared = _Shared(code, kept, Ledger([*kept.operations, *operations]))
        self._remember(shared)
        return shared

    async def _read(self, code: str, first: int) -> list[AnyOperation]:
        """Read the operations of a match from a number on. Raises `Refusal` if it has been deleted."""
        rows = await self._store.operations(code, first)
        if rows is None:
            self.forget(code)
            raise _unknown()
        operations = []
        for number, row in enumerate(rows):
            if number % TURN == TURN - 1:
                await asyncio.sleep(0)
            operations.append(_OPERATION.decode(row))
        return operations

    def forget(self, code: str) -> None:
        """A match has been deleted: let it go, and tell those who follow it."""
        shared = self._shared.pop(code, None)
        for follower in list(shared.followers) if shared is not None else ():
            follower.close("unknown_match", _unknown().text, resume=False)

    async def _refresh(self, shared: _Shared) -> None:
        """Read what the store has beyond what is known here. Raises `Refusal` if the match has been deleted."""
        with _reading(shared.code):
            shared.take(await self._read(shared.code, len(shared.known)))

    def _remember(self, shared: _Shared) -> None:
        if len(self._shared) >= IN_MEMORY:
            idle = [code for code, one in self._shared.items() if not one.followers and not one.lock.locked()]
            for code in idle[: len(self._shared) - IN_MEMORY + 1]:
                del self._shared[code]
        self._shared[shared.code] = shared


def read_match(data: bytes, rows: Sequence[bytes]) -> int:
    """Read a shared match as the store has it; return the number of its first row. Raises `ValueError`."""
    kept = msgspec.json.decode(data, type=_Kept)
    operations = [msgspec.json.decode(row, type=AnyOperation) for row in rows]
    Match.from_operations(kept.id, (*kept.operations, *operations))
    return len(kept.operations)


@contextlib.contextmanager
def _reading(code: str) -> Iterator[None]:
    """Refuse to serve a match of which something cannot be read any more, and say so in the log."""
    try:
        yield
    except (msgspec.DecodeError, MatchError) as error:
        LOG.error("a shared match is damaged", extra={"match": code, "problem": str(error)})
        text = "what was saved of this match is damaged; whoever runs the server can look at it"
        raise Refusal("damaged", text) from None


def _unknown() -> Refusal:
    return Refusal("unknown_match", "there is no shared match with this code; ask for the link again")


def _reasonable(ledger: Ledger, new: Sequence[AnyOperation]) -> None:
    """Refuse what no scorekeeper enters: without end, or with a clock that leaves no room for others."""
    if len(ledger.operations) + len(new) > MOST_OPERATIONS:
        raise Refusal("too_large", f"a shared match has at most {MOST_OPERATIONS} entries")
    if any(operation.clock > ledger.latest + MOST_CLOCK_AHEAD for operation in new):
        raise Refusal("bad_match", "the clock of an operation is far ahead of all others")
