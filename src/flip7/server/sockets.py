"""The socket of a table: reads what a browser says, within limits, and hands it to the table's owner."""

from __future__ import annotations

import asyncio
import re
from collections.abc import MutableMapping
from time import monotonic
from typing import Any

import msgspec

from flip7.protocol.messages import Choose, FromClient, Hello
from flip7.server.catch_up import CatchUp
from flip7.server.connection import Connection, Send, Visitor
from flip7.server.errors import UNREACHABLE, Refusal, StoreError
from flip7.server.hub import REACH_SECONDS, Hub
from flip7.server.inputs import Came, Said
from flip7.server.line import Line, Receive
from flip7.server.replays import work_of
from flip7.server.room import MOVED, Room
from flip7.server.wire import CallingEnd

UNREADABLE_COST = 5.0
MATCHES = "/ws/matches/"
PONG = '{"type":"pong"}'
_GAME = re.compile(r"[0-9a-f]{16}")
_DECODER: msgspec.json.Decoder[FromClient] = msgspec.json.Decoder(FromClient)


async def serve_socket(hub: Hub, scope: MutableMapping[str, Any], receive: Receive, send: Send) -> None:
    """Serve one connection from its opening to its end."""
    await receive()
    await send({"type": "websocket.accept"})
    address = scope["client"][0] if scope.get("client") else ""
    connection = Connection(hub, send, scope.get("state", {}).get("abort"), address)
    hub.connections.add(connection)
    hub.addresses[address] += 1
    try:
        if not _admitted(hub, connection, address):
            await _until_closed(receive)
        elif scope["path"].startswith(MATCHES):
            await _follow(hub, connection, scope["path"].removeprefix(MATCHES), address, receive)
        else:
            async with Line(receive) as line:
                await _serve_table(hub, connection, scope["path"].removeprefix("/ws/"), line)
    finally:
        hub.connections.discard(connection)
        hub.addresses[address] -= 1
        if not hub.addresses[address]:
            del hub.addresses[address]


async def serve_visitor(hub: Hub, visitor: Visitor, code: str, receive: Receive) -> None:
    """Serve a visitor whom another server forwards, because the table is here."""
    try:
        room = await hub.here(code)
    except (Refusal, StoreError):
        visitor.close("restart", MOVED, resume=True)  # The other server finds out where it is now.
        await _until_closed(receive)
    else:
        async with Line(receive) as line:
            if await line.is_open():
                await _read(hub, visitor, room, line.receive)


async def _serve_table(hub: Hub, connection: Connection, code: str, line: Line) -> None:
    """Serve a connection to a table, here or through the link to its owner."""
    until = monotonic() + REACH_SECONDS
    while not connection.closing:
        try:
            place = await hub.directory.find(code)
        except Refusal as refusal:
            if hub.door.requests.take(connection.address):
                connection.close(refusal.code, refusal.text, resume=refusal.code == "closing")
            else:
                connection.cut_off("too_many")
            break
        except StoreError:
            connection.close("not_saved", UNREACHABLE, resume=True)
            break
        if not await line.is_open():
            return
        if isinstance(place, Room):
            await _read(hub, connection, place, line.receive)
            return
        link = await hub.links.to(place.server, place.address, place.lapses)
        if link is not None:
            await _forward(hub, connection, link, code, line.receive)
            return
        if monotonic() > until:
            connection.close("restart", MOVED, resume=True)
            break
        await asyncio.sleep(place.retry)
    await _until_closed(line.receive)


async def _forward(hub: Hub, connection: Connection, link: CallingEnd, code: str, receive: Receive) -> None:
    """Pass on what a connection says to the owner of the table; what it is told comes back over the link."""
    visitor = hub.links.forward(link, connection, code)
    try:
        while (frame := await receive())["type"] == "websocket.receive":
            if connection.closing or not _allowed(connection):
                continue
            content = frame.get("text")
            if content is None:
                content = frame.get("bytes", b"").decode("utf-8", "replace")
            hub.links.pass_on(link, visitor, content)
    finally:
        hub.links.leave(link, visitor)


def _admitted(hub: Hub, connection: Connection, address: str) -> bool:
    """Return whether the server can take one more; otherwise they are told why not."""
    settings = hub.settings
    if hub.closing:
        connection.close("closing", "the server is starting again; connect again in a moment", resume=True)
    elif len(hub.connections) > settings.connections:
        connection.close("server_full", "the server has as many visitors as it can take; try again later", resume=False)
    elif hub.addresses[address] > settings.connections_per_address:
        text = f"your network has {settings.connections_per_address} pages of the game open; close some of them"
        connection.close("too_many_connections", text, resume=False)
    return not connection.closing


async def _follow(hub: Hub, connection: Connection, code: str, address: str, receive: Receive) -> None:
    """Serve one who follows a shared match: news go out, and whatever comes in is answered with pong."""
    try:
        await hub.door.check_request("/api/matches/", address)
        await hub.matches.follow(code, connection)
    except (Refusal, StoreError) as error:
        refusal = error if isinstance(error, Refusal) else Refusal("not_saved", UNREACHABLE)
        connection.close(refusal.code, refusal.text, resume=refusal.code != "unknown_match")
        await _until_closed(receive)
        return
    try:
        while (await receive())["type"] == "websocket.receive" and not connection.closing:
            if connection.messages.take():
                connection.push(PONG)
                await hub.matches.look(code)
            elif connection.messages.exhausted:
                connection.close("flood", "far too many messages; connect again and speak slower", resume=True)
    finally:
        hub.matches.unfollow(code, connection)


async def _read(hub: Hub, connection: Connection, room: Room, receive: Receive) -> None:
    """Hand what a connection says to its table, from hello on."""
    hello = await _greeting(hub, connection, receive)
    if hello is None:
        return
    try:
        await _converse(hub, connection, room, hello, receive)
    finally:
        await room.go(connection)


async def _converse(hub: Hub, connection: Connection, room: Room, hello: Hello, receive: Receive) -> None:
    missed, unknown = await _missed(hub, connection, room, hello), await _is_unknown(hub, room, hello)
    await room.come(connection, Came(connection.id, hello, missed, unknown))
    network = hub.quotas.maker(connection.address)
    while True:
        frame = await receive()
        if frame["type"] != "websocket.receive":
            return
        arrived = monotonic()
        message = _understand(connection, frame)
        if connection.closing:
            await _until_closed(receive)
            return
        if isinstance(message, Choose):
            await hub.turns.take(network, len(room.state.data.seats))
        if message is not None:
            await room.post(Said(connection.id, message), arrived)


async def _missed(hub: Hub, connection: Connection, room: Room, hello: Hello) -> CatchUp | None:
    """Return what a browser has missed of the game; `None` if that is nothing, or much has been told already."""
    play = room.state.play
    if play is None or hello.game != play.id or hello.number >= play.number:
        return None
    if not hub.missed_work.take(connection.address, work_of(play.number, len(play.data.names))):
        return None
    catch_up = CatchUp(play, hello.number, odds=room.state.data.options.odds)
    await hub.pieces.run(catch_up.pieces())
    return catch_up


async def _is_unknown(hub: Hub, room: Room, hello: Hello) -> bool:
    """Return whether a player with a seat has seen a game that the log does not know: it keeps all of a table."""
    play = room.state.play
    if hello.token is None or hello.game is None or (play is not None and play.id == hello.game):
        return False
    try:
        return bool(_GAME.fullmatch(hello.game)) and await hub.store.game_head(hello.game) is None
    except StoreError:
        return False  # The table will notice.


async def _greeting(hub: Hub, connection: Connection, receive: Receive) -> Hello | None:
    """The greeting, within the time there is for it."""
    try:
        async with asyncio.timeout(hub.settings.hello_seconds):
            frame = await receive()
    except TimeoutError:
        connection.close("hello_first", "nothing was said for too long; the first message is hello", resume=True)
        await _until_closed(receive)
        return None
    if frame["type"] != "websocket.receive":
        return None
    message = _understand(connection, frame)
    if isinstance(message, Hello):
        return message
    connection.close("hello_first", "the first message has to be hello", resume=False)
    await _until_closed(receive)
    return None


def _understand(connection: Connection, frame: MutableMapping[str, Any]) -> FromClient | None:
    """The message in a frame, if it can be read and there have not been too many."""
    if not _allowed(connection):
        return None
    content = frame.get("text") or frame.get("bytes") or ""
    try:
        return _DECODER.decode(content)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        connection.messages.take(UNREADABLE_COST)
        connection.refuse("unreadable", f"{error}; see docs/protocol.md", None)
        return None


def _allowed(connection: Connection) -> bool:
    """Return whether a connection may say one more thing; otherwise it is told why not."""
    if connection.messages.take():
        return True
    if connection.messages.exhausted:
        connection.close("flood", "far too many messages; connect again and speak slower", resume=True)
    else:
        connection.refuse("too_many", "too many messages; wait a little", None)
    return False


async def _until_closed(receive: Receive) -> None:
    while (await receive())["type"] == "websocket.receive":
        pass
