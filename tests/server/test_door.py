"""The door: a network that does far too much is refused cheaply, and a household that comes back is not."""

from __future__ import annotations

import asyncio
import contextlib
import heapq
import random
import socket
from collections.abc import Iterator

import httpx
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from flip7.protocol.client import FIRST_RETRY, LAST_RETRY
from flip7.protocol.messages import Ready, RoomChanged, Welcome
from flip7.server.door import TURN_SECONDS, Door
from flip7.server.errors import Refusal
from flip7.server.settings import Settings

from .client import Client, Process
from .test_limits import Clock
from .test_tables import create, join

ATTACKER = "127.0.0.66"
"""An address of this machine that is not the one of everybody else in these tests."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Process]:
    """A server with the limits that it has in earnest."""
    with Process(Settings(data=tmp_path_factory.mktemp("door"), pace=0)) as process:
        yield process
        assert process.problems() == []


def connection(server: Process, address: str = ATTACKER) -> socket.socket:
    return socket.create_connection(("127.0.0.1", server.port), timeout=20, source_address=(address, 0))


def is_answered(one: socket.socket) -> bool:
    """Whether a request on a connection gets any answer, good or bad."""
    with contextlib.suppress(OSError):
        one.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
        return one.recv(100).startswith(b"HTTP/1.1")
    return False


def test_whoever_opens_connection_after_connection_is_not_listened_to_and_nobody_else_notices(server: Process) -> None:
    burst = server.settings.arrival_burst
    for _ in range(3 * burst):
        connection(server).close()
    with connection(server) as late:
        assert not is_answered(late)
    with connection(server, "127.0.0.1") as other:
        assert is_answered(other)


async def test_sockets_beyond_the_budget_are_refused_in_the_handshake(server: Process) -> None:
    code, _ = create(server, "Ana")
    url = f"ws://127.0.0.1:{server.port}/ws/{code}"

    async def come_and_go() -> None:
        for _ in range(3 * server.settings.socket_burst):
            async with connect(url, local_addr=("127.0.0.67", 0)):
                pass

    with pytest.raises(InvalidStatus) as refused:
        await come_and_go()
    assert refused.value.response.status_code == 429
    assert int(refused.value.response.headers["retry-after"]) > 0


async def test_a_household_of_eight_that_comes_back_again_and_again_is_far_below(server: Process) -> None:
    """Each phone loads the page, and loses its connection three times within seconds."""
    code, token = create(server, "Phone 0")
    phones = [Client(server, code, token)]
    phones += [Client(server, code, join(server, code, f"Phone {number}")) for number in range(1, 8)]
    async with httpx.AsyncClient(base_url=server.url) as browser:
        for _ in phones:
            assert (await browser.get("/")).status_code == 200
    for _ in range(4):
        assert all(isinstance(one, Welcome) for one in await asyncio.gather(*(phone.open() for phone in phones)))
    for phone in phones:
        await phone.close()


def test_a_flood_of_files_or_requests_is_answered_in_a_word_and_the_connection_closed(server: Process) -> None:
    for path, burst in (("/favicon.ico", server.settings.file_burst), ("/api/bots", server.settings.request_burst)):
        transport = httpx.HTTPTransport(local_address="127.0.0.68")
        with httpx.Client(base_url=server.url, transport=transport, timeout=30) as client:
            answers = (client.get(path) for _ in range(3 * burst))
            refused = next(answer for answer in answers if answer.status_code == 429)
        assert refused.json()["code"] == "too_many"
        assert refused.json()["seconds"] == int(refused.headers["retry-after"]) > 0
        assert refused.headers["connection"] == "close"
        assert "content-security-policy" in refused.headers
    assert httpx.get(f"{server.url}/api/bots").status_code == 200


async def test_large_files_cost_more() -> None:
    door = Door(Settings(file_burst=10, files_per_second=0))
    await door.check_request("/assets/large.js", "192.0.2.1")
    door.charge_file("192.0.2.1", 200_000)
    with pytest.raises(Refusal, match="many files"):
        await door.check_request("/assets/large.js", "192.0.2.1")
    await door.check_request("/api/bots", "192.0.2.1")


async def test_those_in_a_hurry_queue_and_nobody_else_does() -> None:
    door = Door(Settings(file_burst=100, files_per_second=0))
    begun = asyncio.get_running_loop().time()
    await asyncio.gather(*(door.check_request("/", "192.0.2.1") for _ in range(20)))
    assert not door._turns
    hurried = asyncio.gather(*(door.check_request("/", "192.0.2.1") for _ in range(40)))
    await asyncio.sleep(0)
    async with asyncio.timeout(1):
        await door.check_request("/", "192.0.2.2")
    assert not hurried.done()
    await hurried
    assert asyncio.get_running_loop().time() - begun > 40 * TURN_SECONDS


async def test_a_hundred_devices_that_lose_their_connections_at_once_all_come_back_within_a_minute() -> None:
    """Each tries again as clients do, after a time that doubles up to fifteen seconds, with some chance in it."""
    clock, chance = Clock(), random.Random(7)
    door, devices = Door(Settings(), clock=clock), 100
    for _ in range(devices):
        assert await lets_in(door)
    lost_at = clock.now = clock.now + 5
    waiting = [(lost_at + delay(0, chance.random()), device, 0) for device in range(devices)]
    heapq.heapify(waiting)
    while waiting:
        clock.now, device, attempt = heapq.heappop(waiting)
        assert clock.now < lost_at + 60, f"{len(waiting)} devices are locked out"
        if not await lets_in(door):
            heapq.heappush(waiting, (clock.now + delay(attempt + 1, chance.random()), device, attempt + 1))


async def lets_in(door: Door, address: str = "192.0.2.1") -> bool:
    """Whether a network may open one more socket."""
    if not door.admits(address):
        return False
    try:
        await door.check_socket(address)
    except Refusal:
        return False
    return True


def delay(attempt: int, chance: float) -> float:
    """How many seconds a client waits before an attempt, as in `web/src/lib/line.ts`."""
    return min(LAST_RETRY, FIRST_RETRY * 2.0**attempt) * (0.7 + 0.6 * chance)


async def test_whoever_goes_on_and_on_is_let_in_no_more_often_than_the_patient() -> None:
    clock = Clock()
    settings = Settings(socket_burst=10, sockets_per_second=4)
    door = Door(settings, clock=clock)
    let_in = 0
    for _ in range(2000):
        clock.now += 0.005
        let_in += door.sockets.take("192.0.2.1")
    assert let_in < 20
    clock.now += 1
    assert door.sockets.take("192.0.2.1")


@pytest.mark.parametrize("proxies", ["192.0.2.1", "10.0.0.0/8, 192.0.2.0/24", "*"])
def test_the_visitors_of_a_proxy_are_not_taken_for_one(proxies: str) -> None:
    settings = Settings(arrival_burst=1, arrivals_per_second=0)
    door = Door(settings, proxies)
    assert all(door.admits("192.0.2.1") for _ in range(5))
    strict = Door(settings, "198.51.100.7, no address")
    assert [strict.admits("192.0.2.1") for _ in range(2)] == [True, False]


async def test_many_changes_at_once_are_told_together_and_the_last_one_in_any_case(server: Process) -> None:
    """Thirty changes of a table of many are not thirty messages to each of its players."""
    code, token = create(server, "Ana")
    ana, ben = Client(server, code, token), Client(server, code, join(server, code, "Ben"))
    await ana.open()
    await ben.open()
    await asyncio.sleep(0.5)
    for number in range(25):
        await ben.send(Ready(ready=number % 2 == 0))
    told: list[RoomChanged] = []
    while not told or not told[-1].room.seats[1].ready or len(told) < 2:
        told.append(await ana.expect(RoomChanged))
    await asyncio.sleep(0.5)
    frames = len(ana.frames)
    assert frames < 20
    await ben.send(Ready(ready=False))
    assert not (await ana.expect(RoomChanged, lambda room: not room.room.seats[1].ready)).room.seats[1].ready
    await ana.close()
    await ben.close()
