"""Python's cycle collector, kept from stopping all tables at once.

A collection stops everything while it looks at objects, up to a third of a second for all those of a thousand tables.
The server makes next to no cycles. What has gathered is therefore put out of the collector's sight again and again,
so that it hardly ever has a reason to run, and everything is looked through only once in a long while.
"""

from __future__ import annotations

import asyncio
import gc
from itertools import count

THRESHOLDS = (50_000, 20, 1_000)
SECONDS = 5.0
FULL = 720
"""Everything is looked through after all once in this many rounds."""


async def apply_gc_policy() -> None:
    """Go on for as long as the server runs."""
    gc.set_threshold(*THRESHOLDS)
    gc.collect()
    for number in count(1):
        gc.freeze()
        await asyncio.sleep(SECONDS)
        if number % FULL == 0:
            gc.unfreeze()
            gc.collect()
