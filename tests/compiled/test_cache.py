"""Compiled code is kept under a name that says everything it depends on."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import FunctionType, ModuleType

import numba
import numpy as np
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


def test_every_number_of_an_array_is_part_of_the_name() -> None:
    """NumPy's `repr` leaves out what is in the middle of a long array."""

    def reading(numbers: object) -> Callable[..., bool]:
        return eval("lambda table: numbers[table.round] > 0", {"numbers": numbers})  # type: ignore[no-any-return]

    table = np.zeros(5_000)
    before = cache_folder(RULES, [reading(table)])
    nested = cache_folder(RULES, [reading((1, table))])
    assert cache_folder(RULES, [reading(table.copy())]) == before
    table[2_500] = 1.0
    assert cache_folder(RULES, [reading(table)]) != before
    assert cache_folder(RULES, [reading((1, table))]) != nested
    assert cache_folder(RULES, [reading(np.zeros(5_000, np.float32))]) != before


@pytest.mark.parametrize("source", ["lambda table, limit=None: limit", "lambda table, *, limit=None: limit"])
def test_what_a_parameter_is_by_default_is_part_of_the_name(source: str) -> None:
    def limited(limit: object) -> Callable[..., bool]:
        return eval(source.replace("None", "given"), {"given": limit})  # type: ignore[no-any-return]

    table = np.zeros(5_000)
    before = cache_folder(RULES, [limited(table)])
    assert cache_folder(RULES, [limited(table.copy())]) == before
    table[2_500] = 1.0
    assert cache_folder(RULES, [limited(table)]) != before


@pytest.mark.parametrize("code", ["lambda table: data.NUMBERS[0]", "lambda table: data.inner.NUMBERS[0]"])
def test_what_code_names_of_a_module_is_part_of_the_name(code: str) -> None:
    """Its file may be the same while it has read other numbers from elsewhere."""
    data, inner = ModuleType("data"), ModuleType("data.inner")
    data.inner = inner  # type: ignore[attr-defined]
    owner = inner if "inner" in code else data

    def folder(numbers: object, others: object = None) -> Path:
        owner.NUMBERS, owner.OTHERS = numbers, others  # type: ignore[attr-defined]
        return cache_folder(RULES, [eval(code, {"data": data})])

    table = np.zeros(5_000)
    before = folder(table)
    assert folder(table.copy(), "another") == before
    table[2_500] = 1.0
    assert folder(table) != before


def test_a_function_within_a_function_has_the_same_name_in_every_process() -> None:
    """Its `repr` tells where it is in memory."""

    def around(limit: int) -> Callable[..., bool]:
        def outer(table: object) -> bool:
            return any((lambda: limit > number)() for number in (1, 2))

        return outer

    copies = [FunctionType(around(3).__code__.replace(), {}, closure=around(3).__closure__) for _ in range(2)]
    assert cache_folder(RULES, [copies[0]]) == cache_folder(RULES, [copies[1]])


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
