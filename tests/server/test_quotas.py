"""Tables that nobody uses count for nobody, and give way to new ones."""

from __future__ import annotations

import asyncio
from pathlib import Path

import msgspec
import pytest

from flip7.protocol.messages import Options, Player
from flip7.protocol.rest import Seated
from flip7.server import quotas
from flip7.server.errors import Refusal
from flip7.server.hub import Hub
from flip7.server.settings import Settings

from .inside import FAST, Browser, eventually, serving


@pytest.fixture(params=["sqlite", "postgres"])
def settings(request: pytest.FixtureRequest, tmp_path: Path) -> Settings:
    """Three tables for each network, and nothing that is left alone stays in memory."""
    few = msgspec.structs.replace(FAST, data=tmp_path, tables_per_address=3, used=0, rest=-1)
    if request.param == "postgres":
        return msgspec.structs.replace(few, database=request.getfixturevalue("postgres"))
    return few


async def quick(hub: Hub, device: str | None, address: str = "192.0.2.1") -> Seated:
    """A quick game of a device, which is left at once."""
    seated = await hub.create(
        (Player(name="Ana"),), Options(), ("carl",), start=True, address=address, device=device, quick=True
    )
    await asyncio.gather(*hub._tasks)
    browser = Browser(hub, seated)
    await browser.open()
    await browser.close()
    await eventually(lambda: is_left(hub, seated))
    return seated


def is_left(hub: Hub, seated: Seated) -> bool:
    """Whether the server has noticed that nobody is at a table any more."""
    return all(room.is_idle and room.state.is_empty for room in hub.directory.rooms if room.code == seated.code)


async def is_there(hub: Hub, seated: Seated) -> bool:
    try:
        await hub.info(seated.code)
    except Refusal:
        return False
    return True


async def test_games_that_were_closed_lock_nobody_out(settings: Settings) -> None:
    async with serving(settings) as hub:
        for _ in range(2 * settings.tables_per_address):
            await quick(hub, None)


async def test_tables_in_use_are_limited_and_the_refusal_says_what_to_do(settings: Settings) -> None:
    async with serving(settings) as hub:
        tables = [await quick(hub, f"{number}") for number in range(3)]
        browsers = [Browser(hub, seated) for seated in tables]
        for browser in browsers:
            await browser.open()
        with pytest.raises(Refusal, match="leave one of them") as refused:
            await quick(hub, "another")
        assert refused.value.code == "too_many_tables"
        await quick(hub, "another", "192.0.2.2")
        await browsers[0].close()
        await eventually(lambda: is_left(hub, tables[0]))
        await quick(hub, "another")
        for browser in browsers:
            await browser.close()


async def test_a_new_quick_game_replaces_the_oldest_idle_one_of_the_same_device(settings: Settings) -> None:
    async with serving(settings) as hub:
        first, sister = await quick(hub, "phone"), await quick(hub, "sister's phone")
        await hub.directory.sweep()
        played = Browser(hub, await quick(hub, "phone"))
        assert [await is_there(hub, seated) for seated in (first, sister)] == [False, True]
        await played.open()
        await quick(hub, "phone")
        await played.play(until=3)  # One that is being played is not replaced.
        await played.close()


async def test_a_new_quick_game_replaces_none_of_another_network(settings: Settings) -> None:
    async with serving(settings) as hub:
        for device in (None, "phone"):
            theirs = await quick(hub, device, "192.0.2.7")
            ours = await quick(hub, device, "192.0.2.8")
            await quick(hub, device, "192.0.2.8")
            assert [await is_there(hub, seated) for seated in (theirs, ours)] == [True, False]


async def test_of_the_tables_that_nobody_uses_the_latest_are_kept(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(quotas, "KEPT_IDLE", 2)
    async with serving(settings) as hub:
        made = []
        for number in range(4):
            made.append(await quick(hub, f"{number}", "192.0.2.9"))
            await hub.directory.sweep()
        assert [await is_there(hub, seated) for seated in made] == [False, True, True, True]


async def test_a_server_that_is_full_says_so(settings: Settings) -> None:
    async with serving(msgspec.structs.replace(settings, tables=1)) as hub:
        await quick(hub, "one")
        with pytest.raises(Refusal, match="in use") as refused:
            await quick(hub, "two")
        assert (refused.value.code, refused.value.status) == ("server_full", 503)
