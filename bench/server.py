"""Servers under load: one alone with 1,000 tables of 5, then 1, 2 and 3 of them on one PostgreSQL, side by side.

Prints how long a choice takes to reach everybody (commit included), what it costs the processors, and the memory per
connection; then the cost of a choice at the owner of a table and through another process, and how many choices there
can be in a second. `FLIP7_LOAD=TABLESxSECONDS` changes the size.
"""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from bench._load import Measured, allow_many_files, drive, postgres, serving
from tests.server.test_store import fresh_database

SEATS = 5
EAGER = 120
"""Tables that answer every question at once: more than one process can keep up with, and as many for two and three."""
MEDIAN, LATE, MEMORY = 5.0, 50.0, 40.0
"""What is required: milliseconds, milliseconds for 99 of 100, and (an aim) kB for each connection."""
FORWARDED = 1.6
"""The aim: what a choice through a forwarding process may cost, in those of the owner itself."""


def alone(tables: int, seconds: float) -> bool:
    """Measure one process on SQLite."""
    with serving() as servers:
        result = asyncio.run(drive(servers, tables, SEATS, seconds))
    players = tables * SEATS
    bare, connected, playing = result.memory
    print(f"one process, SQLite, {tables} tables of {SEATS}: {result.choices / result.seconds:.0f} choices/s")
    print(
        f"choice to broadcast, durable: median {result.median:.1f} ms (required {MEDIAN:.0f}), "
        f"99 % {result.late:.1f} ms ({LATE:.0f})"
    )
    print(
        f"CPU of the server {100 * result.cpu[0] / result.seconds:.0f} % of one core, {result.cost:.2f} ms a choice; "
        f"of the load {100 * result.own / result.seconds:.0f} %"
    )
    print(
        f"memory {(connected - bare) / players:.1f} kB per connection (aim {MEMORY:.0f}); "
        f"{(playing - bare) / players:.1f} kB with its game; {playing / 1024:.0f} MB in all"
    )
    for complaint in result.complaints[:3]:
        print(f"complaint: {complaint}")
    return result.median < MEDIAN and result.late < LATE and not result.complaints


def together(tables: int, seconds: float) -> bool:
    """Measure one to three processes on PostgreSQL."""
    print(f"\n{tables} tables of {SEATS} on PostgreSQL; milliseconds of processor time for one choice")
    head = f"{'processes':<34}{'choices/s':>10}{'median':>9}{'99 %':>9}{'servers':>9}{'each':>22}{'database':>10}"
    print(head)
    costs: dict[str, float] = {}
    with postgres() as database:
        for count, shift, eager in (
            (1, 0, False),
            (2, 0, False),
            (2, 1, False),
            (3, 0, False),
            (3, 1, False),
            (1, 0, True),
            (2, 0, True),
            (3, 0, True),
        ):
            url = asyncio.run(fresh_database(database.get_uri()))
            with serving(count, url) as servers:
                size = min(tables, EAGER) if eager else tables
                result = asyncio.run(drive(servers, size, SEATS, seconds, shift=shift, eager=eager, database=database))
            name = f"{count}, {'forwarded' if shift else 'at the owner'}{', as fast as it goes' if eager else ''}"
            costs[name] = result.cost
            print(line(name, result), flush=True)
    ratio = costs["2, forwarded"] / costs["2, at the owner"]
    print(f"a choice through a forwarding process costs {ratio:.2f} times that of the owner itself (aim {FORWARDED})")
    return ratio <= FORWARDED


def line(name: str, result: Measured) -> str:
    each = " + ".join(f"{1000 * cpu / result.choices:.2f}" for cpu in result.cpu)
    return (
        f"{name:<34}{result.choices / result.seconds:>10.0f}{result.median:>6.1f} ms{result.late:>6.1f} ms"
        f"{result.cost:>9.2f}{each:>22}{1000 * result.postgres / result.choices:>10.2f}"
    )


def run() -> bool:
    """Measure all of it."""
    tables, seconds = (int(number) for number in os.environ.get("FLIP7_LOAD", "1000x30").split("x"))
    allow_many_files()
    parts: dict[str, Any] = {"alone": (tables, seconds), "together": (min(tables, 300), min(seconds, 12))}
    wanted = os.environ.get("FLIP7_LOAD_PART", "alone together").split()
    reached = [globals()[name](*parts[name]) for name in wanted]
    return all(reached)


def main() -> int:
    return 0 if run() else 1


if __name__ == "__main__":
    sys.exit(main())
