"""How many tables a client network may use at once, and which unused ones give way to new ones."""

from __future__ import annotations

import hashlib
import hmac
from time import monotonic
from typing import TYPE_CHECKING

import msgspec

from flip7.server.errors import Refusal
from flip7.server.seating import RoomData

if TYPE_CHECKING:
    from flip7.server.hub import Hub
    from flip7.server.room import Room

KEPT_IDLE = 100
"""Tables of one network that nobody uses are kept up to this number, the latest ones."""


class Quotas:
    """Counts the tables in use. One that nobody uses counts for nobody."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._secret = b""
        hub.links.questions["made"] = self._asked

    def trust(self, secret: str) -> None:
        """Recognise makers by what only the servers of this store know."""
        self._secret = secret.encode()

    def maker(self, address: str) -> str:
        """Return what is kept of the network that a table was made from: enough to recognise it, and no more."""
        return self._known_as(address)

    def device(self, device: str | None) -> str:
        """Return what is kept of the device of a quick game; those of one network that do not say count as one."""
        return self._known_as(f"device {device or ''}")

    def _known_as(self, text: str) -> str:
        return hmac.new(self._secret, text.encode(), hashlib.sha256).hexdigest()[:16]

    async def check(self, maker: str) -> None:
        """Raise `Refusal` unless one more table can be made from this network."""
        settings = self._hub.settings
        if len(self._hub.directory) >= settings.tables:
            raise Refusal(
                "server_full", "as many tables as the server can take are in use; try again later, or elsewhere"
            )
        bodies = await self._hub.ask_all("made", maker.encode())
        mine = await self._used_by(maker) + sum(msgspec.json.decode(body, type=int) for body in bodies)
        if mine >= settings.tables_per_address:
            raise Refusal(
                "too_many_tables", f"{mine} tables from your network are in use: leave one of them, then try again"
            )

    async def _used_by(self, maker: str) -> int:
        await self._hub.directory.confirm()
        return sum(room.state.data.maker == maker and self._is_used(room) for room in self._hub.directory.rooms)

    def _is_used(self, room: Room) -> bool:
        """Return whether anybody is at a table, or it is so new that they are still on their way."""
        return not room.state.is_empty or room.made_at + self._hub.settings.used > monotonic()

    async def _asked(self, body: bytes) -> bytes:
        """Tell another server how many tables of a maker are in use here."""
        return msgspec.json.encode(await self._used_by(body.decode()))

    async def make_way(self, made: RoomData) -> None:
        """Close what a new table replaces: the oldest idle quick game of the device, and what is far too many."""
        store, directory = self._hub.store, self._hub.directory
        if made.device:
            idle = [room for room in directory.rooms if room.state.data.made_by == made.made_by and self._is_idle(room)]
            idle.sort(key=lambda room: room.state.empty_since)
            codes = await store.made_by(made.made_by) + [room.code for room in idle if room.code != made.code]
            for code in codes[:1]:
                await directory.close(code)
        for code in (await store.made_by(made.maker))[:-KEPT_IDLE]:
            await directory.close(code)

    def _is_idle(self, room: Room) -> bool:
        settings = self._hub.settings
        return room.state.is_empty and room.is_idle and room.state.empty_since + settings.rest < monotonic()
