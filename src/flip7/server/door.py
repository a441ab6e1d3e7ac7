"""The door: how much each client network may do in a while, and what becomes of those who do much more.

Refusing has to be cheaper than serving. What comes in a great hurry is served one by one, with pauses for everybody
else; a request that is one too many is answered in a word and its connection closed; whoever opens connection after
connection is not listened to at all until they pause.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from ipaddress import ip_address, ip_network
from time import monotonic
from weakref import WeakValueDictionary

from flip7.server.errors import Refusal
from flip7.server.limits import Buckets
from flip7.server.origins import OPERATORS, client_network
from flip7.server.settings import Settings

FILE_BYTES = 20_000
"""So many bytes of a file cost as much as a request."""
HURRY = 0.2
"""Who has taken more than this part of a budget queues."""
PATIENT = 0.1
"""The part of its cost that an attempt to connect is charged when it is refused. A loop gains nothing by insisting; but
a hundred devices, each of which tries again every fifteen seconds, must not keep each other out."""
TURN_SECONDS = 0.005
"""How long the server is left to others between two turns of a network in a hurry."""
REST = "/api/"


class Door:
    """The budgets of all client networks."""

    def __init__(self, settings: Settings, proxies: str | None = None, clock: Callable[[], float] = monotonic) -> None:
        """`proxies` are the addresses behind which there are many visitors, as FORWARDED_ALLOW_IPS has them."""
        self._proxies = os.environ.get("FORWARDED_ALLOW_IPS", "") if proxies is None else proxies
        self.arrivals = Buckets(settings.arrivals_per_second, settings.arrival_burst, clock, PATIENT)
        self.sockets = Buckets(settings.sockets_per_second, settings.socket_burst, clock, PATIENT)
        self.requests = Buckets(settings.requests_per_second, settings.request_burst)
        self.files = Buckets(settings.files_per_second, settings.file_burst)
        self._operators = Buckets(settings.requests_per_second, settings.request_burst)
        self._turns: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        """Where those in a hurry queue, by network."""

    def admits(self, peer: str) -> bool:
        """Return whether a connection is listened to at all. Proxies are: their visitors are told apart later."""
        return self._is_proxy(peer) or self.arrivals.take(client_network(peer))

    def _is_proxy(self, peer: str) -> bool:
        if not self._proxies:
            return False
        for one in self._proxies.split(","):
            try:
                if one.strip() == "*" or ip_address(peer) in ip_network(one.strip(), strict=False):
                    return True
            except ValueError:
                continue
        return False

    async def check_socket(self, address: str) -> None:
        """Raise `Refusal` if this network opens too many sockets."""
        await self._check(self.sockets, address, "many pages were opened from your network at once")

    async def check_request(self, path: str, address: str) -> None:
        """Raise `Refusal` if this network asks for too much."""
        if path in OPERATORS:
            await self._check(self._operators, address, "that was asked for too often")
        elif path.startswith(REST):
            await self._check(self.requests, address, "many requests came from your network at once")
        else:
            await self._check(self.files, address, "many files were asked for from your network at once")

    async def _check(self, buckets: Buckets, address: str, text: str) -> None:
        if not buckets.take(address):
            raise Refusal("too_many", text, buckets.wait(address))
        if buckets.taken(address) > buckets.burst * HURRY:
            turn = self._turns.setdefault(address, asyncio.Lock())
            async with turn:
                await asyncio.sleep(TURN_SECONDS)

    def charge_file(self, address: str, size: int) -> None:
        """Take what sending a file has cost from the budget."""
        self.files.take(address, size / FILE_BYTES)

    def forget(self) -> None:
        """Drop the networks that have been quiet."""
        for buckets in (self.arrivals, self.sockets, self.requests, self.files, self._operators):
            buckets.forget()
