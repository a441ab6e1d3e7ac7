"""Two servers on one PostgreSQL, and everything that can happen to them: no choice that anybody saw is lost.

`python -m bench chaos` runs it in full size.
"""

from __future__ import annotations

from pathlib import Path

from .chaos import Chaos
from .conftest import Database
from .test_store import fresh_database

FAULTS = ["kill", "cut_database", "terminate", "cut_links", "swallow", "stop", "terminate_backends"]


async def test_games_survive_whatever_happens_to_two_servers(database: Database, tmp_path: Path) -> None:
    chaos = Chaos(database.server, await fresh_database(database.url), tmp_path, servers=2, tables=6)
    try:
        await chaos.open()
        await chaos.run(FAULTS, (0.5, 1.5))
        await chaos.check()
    finally:
        await chaos.close()
    print(chaos.report())
    assert sum(chaos.faults.values()) == len(FAULTS)
    assert len(chaos.outages) > len(FAULTS)
