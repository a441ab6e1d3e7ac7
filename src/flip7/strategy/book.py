"""The book: the weights of the nets, as they were trained, for a number of seats."""

from __future__ import annotations

import functools
import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from flip7.strategy.challenge import ALONE_SIZE
from flip7.strategy.value import BOOK_SIZE

DATA = Path(__file__).with_name("net.json")
"""What `make strategies` has written."""

FINENESS = 100_000
"""Into how many parts the data divides 1: weights are whole numbers there."""

GROUPS = ((2, 2), (3, 3), (4, 4), (5, 6), (7, 9), (10, 18))
"""Which numbers of seats share their weights."""


def group_of(seats: int) -> int:
    """Return the group whose weights serve a number of seats; beyond them, the nearest."""
    for group, (_, most) in enumerate(GROUPS):
        if seats <= most:
            return group
    return len(GROUPS) - 1


@functools.cache
def book_for(seats: int) -> Sequence[float]:
    """Return the weights for a number of seats, in the order of `strategy.net` and `strategy.value`.

    For one seat these are the tables of `strategy.challenge`.
    """
    weights = _data()["alone"] if seats == 1 else _weights()[group_of(seats)]
    size = ALONE_SIZE if seats == 1 else BOOK_SIZE
    if len(weights) != size:
        raise ValueError(f"{DATA.name} holds {len(weights)} numbers instead of {size}: run make strategies")
    return weights


@functools.cache
def bias() -> tuple[float, float]:
    """Return how far rollouts are off that end after two rounds, as `make strategies` has measured it.

    The first number is of a chance to win, the second of the difference between hitting and staying: root mean squares
    over all numbers of seats, since those of one are too few positions to tell them apart.
    """
    measured = _data()["bias"]
    chances, differences = (
        math.sqrt(sum(x * x for x in column) / len(column)) for column in zip(*measured, strict=True)
    )
    return chances, differences


@functools.cache
def _weights() -> list[list[float]]:
    return [[float(weight) / FINENESS for weight in group] for group in _data()["groups"]]


@functools.cache
def _data() -> dict[str, Any]:
    data: dict[str, Any] = json.loads(DATA.read_text(encoding="utf-8"))
    return data
