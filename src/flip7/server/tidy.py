"""Python's cycle collector, kept from stopping all tables at once.

A full collection looks at every object of every table: a third of a second with a thousand of them. What lives long
is therefore put out of its sight regularly, and looked through only once in a long while.
"""

from __future__ import annotations

import asyncio
import gc
from itertools import count

THRESHOLDS = (5_000, 10, 1_000)
SECONDS = 10.0
FULL = 360
"""Every so many rounds everything is looked through after all."""


async def keep_tidy() -> None:
    """Go on for as long as the server runs."""
    gc.set_threshold(*THRESHOLDS)
    gc.collect()
    for number in count(1):
        gc.freeze()
        await asyncio.sleep(SECONDS)
        if number % FULL == 0:
            gc.unfreeze()
            gc.collect()
        else:
            gc.collect(1)
