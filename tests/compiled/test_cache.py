"""Compiled code is kept under a name that says everything it depends on."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numba
import pytest

from flip7.compiled.build import RULES, cache_folder, compile_function, kept_in

HELP = """
import math
LIMIT = 20
def helper(table): return table.round + 1
def wants(table): return table.sums[0] * helper(table) + math.floor(0.5) < LIMIT
"""


def wants(source: str) -> Callable[..., bool]:
    scope: dict[str, Callable[..., bool]] = {}
    exec(source, scope)
    return scope["wants"]


def test_the_same_sources_share_a_folder() -> None:
    assert cache_folder(RULES, [wants(HELP)]) == cache_folder(RULES, [wants(HELP)])


@pytest.mark.parametrize(
    ("old", "new"), [("LIMIT = 20", "LIMIT = 21"), ("round + 1", "round + 2"), ("< LIMIT", "> LIMIT"), ("0.5", "1.5")]
)
def test_what_a_function_uses_is_part_of_the_name(old: str, new: str) -> None:
    changed = HELP.replace(old, new)
    assert cache_folder(RULES, [wants(changed)]) != cache_folder(RULES, [wants(HELP)])


def test_what_a_closure_holds_is_part_of_the_name() -> None:
    def around(inner: Callable[..., bool], number: int) -> Callable[..., int]:
        return lambda table: inner(table) + number

    plain, other = wants(HELP), wants(HELP.replace("round", "lap"))
    folders = {cache_folder(RULES, [f]) for f in (around(plain, 1), around(plain, 2), around(other, 1))}
    assert len(folders) == 3
    assert cache_folder(RULES, [around(compile_function(plain), 1)]) == cache_folder(RULES, [around(plain, 1)])


def test_the_folder_is_in_the_cache_of_the_user(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache_folder(RULES).parent == tmp_path / "flip7"


def test_other_programs_keep_their_own_folder(tmp_path: Path) -> None:
    before = numba.config.CACHE_DIR  # type: ignore[attr-defined]
    with kept_in(tmp_path):
        assert str(tmp_path) == numba.config.CACHE_DIR  # type: ignore[attr-defined]
    assert before == numba.config.CACHE_DIR  # type: ignore[attr-defined]
