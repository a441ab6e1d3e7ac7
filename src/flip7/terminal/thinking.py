"""`away`: work that takes long is done away from the screen, and ends when nobody waits for it any more."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Callable
from contextvars import copy_context
from typing import TypeVar

T = TypeVar("T")
Report = Callable[[float], None]
"""Takes the share of the work that is done."""


class GivenUp(Exception):
    """Nobody waits for the work: it ends where it is."""


async def away(work: Callable[[Report], T], progress: Report = lambda _: None) -> T:
    """Return what the work returns, or raise what it raises; `progress` hears in this loop how much of it is done.

    The work calls what it is given every now and then. If whoever awaits it is cancelled, the next such call ends it;
    a program that ends does not wait for it at all.
    """
    loop = asyncio.get_running_loop()
    done: asyncio.Future[T] = loop.create_future()
    context = copy_context()
    gone = threading.Event()
    heard = threading.Event()  # reports that come while one is on its way are left out
    heard.set()

    def settle(result: T | None, error: BaseException | None) -> None:
        if done.done():
            return
        if error is not None:
            done.set_exception(error)
        else:
            done.set_result(result)  # type: ignore[arg-type]  # there is no error, so it is a T

    def hear(share: float) -> None:
        heard.set()
        progress(share)

    def report(share: float) -> None:
        if gone.is_set():
            raise GivenUp
        if heard.is_set():
            heard.clear()
            loop.call_soon_threadsafe(hear, share, context=context)

    def run() -> None:
        result, failure = None, None
        try:
            result = work(report)
        except BaseException as error:  # noqa: BLE001 (whoever awaits it gets it)
            failure = error
        with contextlib.suppress(RuntimeError):  # the loop has ended
            loop.call_soon_threadsafe(settle, result, failure)

    threading.Thread(target=run, daemon=True).start()
    try:
        return await done
    finally:
        gone.set()
