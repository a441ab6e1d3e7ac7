"""A client that waited in vain and has come again by another way is not served twice."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import msgspec
import pytest

from flip7.protocol.messages import Closed, Hello, Ping, Pong
from flip7.server.hub import Hub
from flip7.server.line import Line
from flip7.server.sockets import serve_socket

from .inside import FAST, Browser, create, serving
from .test_store import fresh_database


async def hang_up_before_being_served(hub: Hub, browser: Browser) -> None:
    """Come with the same token, and go before the server has looked."""
    frames: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
    frames.put_nowait({"type": "websocket.connect"})
    hello = msgspec.json.encode(Hello(token=browser.token)).decode()
    frames.put_nowait({"type": "websocket.receive", "text": hello})
    frames.put_nowait({"type": "websocket.disconnect"})

    async def send(frame: Any) -> None:
        pass

    scope = {"path": f"/ws/{browser.code}", "client": ("192.0.2.1", 2), "headers": []}
    await serve_socket(hub, scope, frames.get, send)


@pytest.mark.parametrize("processes", [1, 2])
async def test_a_stale_greeting_displaces_nobody(
    processes: int, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    url = await fresh_database(request.getfixturevalue("postgres")) if processes == 2 else None
    settings = msgspec.structs.replace(FAST, data=tmp_path, database=url)
    async with serving(settings) as hub:
        browser = Browser(hub, await create(hub, "Ana"))
        await browser.open()
        if processes == 2:
            async with serving(settings) as other:
                await hang_up_before_being_served(other, browser)
        else:
            await hang_up_before_being_served(hub, browser)
        browser.say(Ping(at=1))
        await browser.expect(Pong)
        assert not any(isinstance(message, Closed) for message in browser.messages)
        await browser.close()


async def test_a_line_gives_every_frame_in_its_order() -> None:
    frames: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
    async with Line(frames.get) as line:
        assert await line.is_open()
        for text in "abc":
            frames.put_nowait({"type": "websocket.receive", "text": text})
        assert await line.is_open()
        frames.put_nowait({"type": "websocket.receive", "text": "d"})
        assert [(await line.receive())["text"] for _ in range(4)] == ["a", "b", "c", "d"]
        frames.put_nowait({"type": "websocket.disconnect"})
        assert not await line.is_open()
        assert (await line.receive())["type"] == "websocket.disconnect"
