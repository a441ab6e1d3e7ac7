"""Two servers on one PostgreSQL, and everything that can happen to them: no choice that anybody saw is lost.

`python -m bench chaos` runs it in full size.
"""

from __future__ import annotations

import os
from pathlib import Path

from .chaos import Chaos
from .conftest import Database
from .test_store import fresh_database

TAKEN_OVER_SECONDS = 6.0
BUSY_SECONDS = 2.0
"""So much longer it may take where more processes want to run than there are processors, as in a run of all tests."""
FAULTS = ["kill", "cut_database", "terminate", "cut_links", "swallow", "stop", "kill_postgres", "terminate_backends"]


async def test_games_survive_whatever_happens_to_two_servers(database: Database, tmp_path: Path) -> None:
    chaos = Chaos(database.server, await fresh_database(database.url), tmp_path, servers=2, tables=6)
    chaos.thinking = 4.0  # The games have to last.
    try:
        await chaos.open()
        await chaos.run(FAULTS, (0.3, 1.0))
        await chaos.check()
    finally:
        await chaos.close()
    print(chaos.report())
    assert sum(chaos.faults.values()) == len(FAULTS)
    assert chaos.still_playing > len(chaos.tables) / 2, "the games were over too soon"
    assert {outage.fault for outage in chaos.takeovers} == {"kill", "terminate", "stop"}
    is_busy = os.getloadavg()[0] > (os.cpu_count() or 1)
    assert chaos.slowest() < TAKEN_OVER_SECONDS + (BUSY_SECONDS if is_busy else 0.0)
    assert any(join.seated for join in chaos.joins.values())
