"""Measures how strong each bot of the cast is, and writes it to src/flip7/strategy/ladder.json.

`python -m tools.ladder` plays every bot against a common field, games to 200 with four seats: itself and three times
the plain strategy of the field. It takes some minutes, most of them for the one that thinks. The same sources give the
same file; its date is that of the day on which the figures last changed.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

import flip7
from flip7.sim import counts, lineup, loop
from flip7.sim.statistics import Z
from flip7.strategy import book
from flip7.strategy.cast import CAST
from flip7.strategy.training.train import SOURCES, hash_of

TARGET = Path(__file__).resolve().parent.parent / "src" / "flip7" / "strategy" / "ladder.json"
FIELD = "sam"
OTHERS = 3
GAMES = 40_000
DEEP_GAMES = 6_000
SEED = 20261118


def main(path: Path = TARGET) -> int:
    """Measure, and write what was found."""
    field = next(member.strategy for member in CAST if member.id == FIELD)
    wins: dict[str, float] = {}
    errors: dict[str, float] = {}
    for member in CAST:
        games = DEEP_GAMES if member.strategy == "deep" else GAMES
        result = flip7.simulate([member.strategy, *[field] * OTHERS], games=games, seed=SEED, workers=1)
        wins[member.id] = round(result.win_rates[0], 4)
        errors[member.id] = round(result.half_widths[0] / Z, 4)  # by blocks of games, which share their luck
        print(f"{member.name:<20} {100 * wins[member.id]:5.1f} %", file=sys.stderr)
    figures = {"field": FIELD, "others": OTHERS, "wins": wins, "errors": errors}
    date = datetime.now(UTC).date().isoformat()
    path.write_text(written(figures, path.read_text("utf-8") if path.is_file() else "", date), "utf-8")
    return 0


def written(figures: Mapping[str, object], before: str, today: str) -> str:
    """Return the file: the same to the last byte as before, if sources and figures are, date included."""
    kept = json.loads(before) if before else {}
    date = kept["date"] if all(kept.get(name) == figure for name, figure in figures.items()) else today
    data = {"date": date, "seed": SEED, "sources": sources_hash(), **figures}
    return json.dumps(data, indent=1) + "\n"


def sources_hash() -> str:
    """Return a hash of what the figures depend on: the nets, what plays them, the cast and the measurement."""
    digest = hashlib.sha256(hash_of((*SOURCES, counts, lineup, loop, sys.modules[__name__])).encode())
    digest.update(book.DATA.read_bytes())
    digest.update(repr([(member.id, member.strategy) for member in CAST]).encode())
    return digest.hexdigest()


if __name__ == "__main__":
    sys.exit(main())
