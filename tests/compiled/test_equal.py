"""Both builds of the rules play the same games: every field of the table, after every input."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from flip7.rules.table import LAYOUT

from . import driver, games

ROOT = Path(__file__).resolve().parent.parent.parent


@pytest.mark.long
def test_both_builds_agree_after_every_input_of_ten_thousand_games() -> None:
    """The compiled build runs beside, with every index checked, and counts all cards after every input."""
    with subprocess.Popen(
        [sys.executable, "-m", "tests.compiled.games"],
        stdout=subprocess.PIPE,
        cwd=ROOT,
        env={**os.environ, "NUMBA_BOUNDSCHECK": "1"},
    ) as process:
        checksums, seen = games.interpreted(driver)
        output, _ = process.communicate()
    assert process.returncode == 0
    compiled_checksums, compiled_seen = json.loads(output)
    assert [n for n in range(games.GAMES) if checksums[n] != compiled_checksums[n]] == []
    assert compiled_seen == seen
    assert seen[driver.FAULTS] == 0
    assert seen[driver.OVER] > 0.95 * games.GAMES
    assert min(seen[: driver.FAULTS]) > 100  # everything has happened, and not only once


def test_the_checksum_looks_at_every_field() -> None:
    source = ast.parse(Path(driver.__file__).read_text(encoding="utf-8"))
    folded = next(node for node in source.body if isinstance(node, ast.FunctionDef) and node.name == "folded")
    read = {node.attr for node in ast.walk(folded) if isinstance(node, ast.Attribute)}
    assert read == set(LAYOUT)


def test_the_checksum_tells_tables_apart() -> None:
    """One more of anything anywhere is another checksum."""
    table, _, _ = next(games.games())
    table.aside_count = table.handed = table.stack_count = 3
    before = driver.folded(table, 0)
    seen = {before}
    for name, (_, shape) in LAYOUT.items():
        twin = table.copy()
        value = getattr(twin, name)
        if not shape:
            setattr(twin, name, value - 1)
        elif len(shape) == 1:
            value[min(2, len(value) - 1)] += 1
        else:
            value[-1][-1] += 1
        seen.add(driver.folded(twin, 0))
    assert len(seen) == 1 + len(LAYOUT)


def test_a_lost_card_is_noticed() -> None:
    table, _, _ = next(games.games())
    deck = table.draw[:]
    assert driver.misplaced(table, deck) == 0
    table.draw[deck.index(max(deck))] -= 1
    assert driver.misplaced(table, deck) > 0
