"""Where tables are: those that this server owns, those of other servers, and those that are asked for again."""

from __future__ import annotations

import asyncio
import re
from time import monotonic
from typing import TYPE_CHECKING

import msgspec

from flip7.server.errors import Conflict, DamagedLog, Refusal, StoreError
from flip7.server.inputs import Abandoned
from flip7.server.loading import Loaded, inspect, load
from flip7.server.logs import LOG
from flip7.server.names import CODE_LENGTH, LETTERS
from flip7.server.room import MOVED, Room
from flip7.server.state import RoomState
from flip7.server.store.base import Claimed, Elsewhere, Fence, SaveRoom, SetRoomAside

if TYPE_CHECKING:
    from flip7.server.hub import Hub

_CODE = re.compile(f"[{LETTERS}]{{{CODE_LENGTH}}}")


class Directory:
    """The tables of this server, and the way to all others. A table is claimed when it is asked for."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._rooms: dict[str, Room] = {}
        self._finding: dict[str, asyncio.Task[Room | Elsewhere]] = {}

    def __len__(self) -> int:
        return len(self._rooms)

    def __contains__(self, code: object) -> bool:
        """Return whether a table is here, or is being asked for."""
        return code in self._rooms or code in self._finding

    @property
    def rooms(self) -> list[Room]:
        """The tables that this server owns."""
        return list(self._rooms.values())

    def add(self, room: Room) -> None:
        """Serve a table. Raises `Conflict` if another one with its code is here."""
        if room.code in self._rooms:
            raise Conflict(f"table {room.code} is here already")
        self._rooms[room.code] = room
        room.start()

    def forget(self, room: Room) -> None:
        """Serve a table no longer."""
        if self._rooms.get(room.code) is room:
            del self._rooms[room.code]

    async def find(self, code: str) -> Room | Elsewhere:
        """Return the table with this code, in capital letters or not, or say who owns it.

        Raises `Refusal` if there is none, or this server goes, and `StoreError`.
        """
        if self._hub.closing:
            raise Refusal("closing", MOVED)
        code = code.upper()
        room = self._rooms.get(code)
        if room is not None:
            return room
        if not _CODE.fullmatch(code):
            raise _unknown()
        task = self._finding.get(code)
        if task is None:
            task = self._finding[code] = asyncio.create_task(self._claim(code))
            task.add_done_callback(lambda task: self._finding.pop(code, None))
        return await asyncio.shield(task)

    async def confirm(self) -> None:
        """See that all tables here are still this server's own; those that are not are let go. Raises `StoreError`."""
        membership = self._hub.membership
        lapses = membership.lapses
        doubtful = {
            room: room.fence
            for room in self._rooms.values()
            if room.confirmed is not None and not (membership.is_sure and room.confirmed == lapses)
        }
        if not doubtful:
            return
        owned = set(await self._hub.store.owned())
        for room, fence in doubtful.items():
            if fence in owned:
                room.confirmed = lapses
            elif room.fence == fence:
                room.lose()

    def send_away(self) -> None:
        """Tell everybody to come again, at other servers: this one cannot tell any more what its tables are like."""
        rooms = self.rooms
        if rooms:
            LOG.warning("sent away", extra={"tables": len(rooms)})
        for room in rooms:
            room.send_away()

    async def _claim(self, code: str) -> Room | Elsewhere:
        store, lapses = self._hub.store, self._hub.membership.lapses
        claimed = await store.claim(code)
        if claimed is None:
            raise _unknown()
        if isinstance(claimed, Elsewhere):
            return claimed
        loaded = await self.load(code, claimed)
        state = RoomState.restore(loaded.data, loaded.play, self._hub.settings, monotonic())
        room = Room(self._hub, state, claimed.epoch)
        room.confirmed = lapses
        self.add(room)
        return room

    async def load(self, code: str, claimed: Claimed) -> Loaded:
        """Return a table that has been claimed, with a promise; what is damaged or outdated has been put aside.

        Raises `Refusal`.
        """
        if claimed.problem is not None:
            raise _damaged(code)
        store, fence = self._hub.store, Fence(code, claimed.epoch)
        try:
            loaded = await load(store, code, claimed.data, self._hub.pieces)
        except DamagedLog as damage:
            self._hub.alarm("set aside", table=code, problem=str(damage))
            await store.write(SetRoomAside(code, str(damage)), fence=fence)
            await store.release(fence)
            raise _damaged(code) from None
        for write in loaded.writes:
            self._hub.alarm("game ended", table=code, problem=getattr(write, "problem", None))
        data = loaded.data
        is_promised = data.secret is not None
        if not is_promised:
            data.promise(self._hub.choose_secret())
        if loaded.writes or not is_promised:
            save = SaveRoom(code, msgspec.json.encode(data), data.phase == "playing")
            await store.write(*loaded.writes, save, fence=fence)
        return loaded

    async def verify(self) -> None:
        """Look at all tables that no other server serves; what is damaged is put aside. Raises `StoreError`."""
        saved = await self._hub.store.rooms()
        for code, data in saved:
            try:
                await inspect(self._hub.store, code, data)
            except DamagedLog as damage:
                if not _CODE.fullmatch(code):
                    self._hub.alarm("a table has no code any more", table=code, problem=str(damage))
                    continue
                await self._put_aside(code)
            except StoreError as error:
                self._hub.alarm("a table cannot be read", table=code, problem=str(error))
                await self._hub.store.beat()
        LOG.info("verified", extra={"tables": len(saved)})

    async def _put_aside(self, code: str) -> None:
        """Take a damaged table, which puts aside what is damaged. Raises `StoreError` if nothing can be written."""
        try:
            await self.find(code)
        except Refusal:
            return
        except StoreError as error:
            self._hub.alarm("damage cannot be put aside", table=code, problem=str(error))
            await self._hub.store.beat()

    async def hand_over(self) -> None:
        """Let go of all tables; only then is everybody told to come again, so that others are found to own them."""
        await asyncio.gather(*self._finding.values(), return_exceptions=True)
        rooms = self.rooms
        await asyncio.gather(*(room.stop() for room in rooms))
        try:
            if rooms:
                await self._hub.store.release(*(room.fence for room in rooms))
        except StoreError as error:
            LOG.warning("tables are not handed over", extra={"problem": str(error)})
        self._rooms.clear()
        for room in rooms:
            room.send_away()

    async def sweep(self) -> None:
        """Let go of tables where nobody is, and close those where nobody has been for long. Raises `StoreError`."""
        settings = self._hub.settings
        await self.release_unknown()
        for code in await self._hub.store.idle(settings.idle_lobby, settings.idle_game):
            await self.close(code)
        for room in self.rooms:
            state = room.state
            if not state.is_empty or not room.is_idle:
                continue
            idle = monotonic() - state.empty_since
            if idle > (settings.idle_game if state.data.phase == "playing" else settings.idle_lobby):
                await self.close(room.code)
            elif idle > settings.rest:
                self.forget(room)
                await room.stop()
                room.send_away()
                await self._hub.store.release(room.fence)

    async def release_unknown(self) -> None:
        """Let go of tables that are this server's in the store, but not here. Raises `StoreError`.

        Such are those whose making or claiming went well, but not the answer.
        """
        unknown = [fence for fence in await self._hub.store.owned() if fence.code not in self]
        if unknown:
            LOG.warning("released", extra={"tables": [fence.code for fence in unknown]})
            await self._hub.store.release(*unknown)

    async def close(self, code: str) -> None:
        """Close a table for good, if nobody is there."""
        try:
            room = await self.find(code)
            if isinstance(room, Room):
                await room.call(Abandoned())
        except (Refusal, StoreError) as error:
            LOG.warning("idle table stays", extra={"table": code, "problem": str(error)})


def _unknown() -> Refusal:
    return Refusal("unknown_table", "there is no table with this code; perhaps it was closed, or mistyped")


def _damaged(code: str) -> Refusal:
    return Refusal(
        "damaged",
        f"what was saved of table {code} is damaged and was put aside; whoever runs the server can look at it",
    )
