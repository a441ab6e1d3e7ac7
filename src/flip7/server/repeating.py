"""Work that is done again and again as long as the server runs, whatever goes wrong with it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from prometheus_client import Counter

from flip7.server.errors import StoreError
from flip7.server.logs import LOG


async def repeat(act: Callable[[], Awaitable[None]], seconds: float, event: str, errors: Counter) -> None:
    """Do something every n seconds, for the first time after n; it ends only when it is cancelled.

    What goes wrong is logged as this event, counted if nobody expects it, and tried again the next time.
    """
    while True:
        await asyncio.sleep(seconds)
        try:
            await act()
        except StoreError as error:
            LOG.warning(event, extra={"problem": str(error)})
        except Exception:  # noqa: BLE001 - whatever it is, it must not be the last time
            LOG.exception(event)
            errors.inc()
