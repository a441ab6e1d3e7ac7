"""A whole number is one wherever it comes from: a program that counts with NumPy need not turn its numbers back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import flip7
from flip7.game.choices import whole
from flip7.strategy.arguments import seed_of

THREE = flip7.Game(3, seed=1)


def entered(number: Any) -> object:
    match = flip7.Match(["Ana", "Ben"])
    match.enter([number(7), ["5"]])
    match.edit_some(number(0), {number(1): number(9)})
    return match.rounds


CALLS: dict[str, Callable[[Any], object]] = {
    "game": lambda number: flip7.Game(number(3), seed=number(5)).record(),
    "odds": lambda number: flip7.odds(THREE, seat=number(1)),
    "seed of advice and review": lambda number: seed_of(number(2)),
    "simulate": lambda number: (
        flip7.simulate(
            ["points:20", "points:25"], games=number(50), seed=number(3), workers=number(1), engine="interpreted"
        ).win_rates
    ),
    "rounds": lambda number: (
        flip7.simulate_rounds("points:20", rounds=number(50), seed=number(3), engine="interpreted").mean
    ),
    "match": entered,
}


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize("kind", [np.int64, np.uint8])
def test_the_numbers_of_numpy_mean_what_pythons_do(name: str, kind: type) -> None:
    assert CALLS[name](kind) == CALLS[name](int)


@pytest.mark.parametrize("given", [True, 2.0, np.float64(2), np.array([2]), "2", None, int], ids=repr)
def test_what_is_no_whole_number_is_refused_with_what_would_be_right(given: object) -> None:
    with pytest.raises(ValueError, match=r"n .+: a whole number from 1 to 1,000 is needed"):
        whole("n", given, 1, 1000)


def test_bounds_are_told_as_people_write_them() -> None:
    for bounds, told in (
        ((), ""),
        ((0,), " from 0"),
        ((1, 10**6), " from 1 to 1,000,000"),
        ((0, (1 << 256) - 1), r" from 0 to 2\^256 - 1"),
        ((0, 255), " from 0 to 255"),
    ):
        with pytest.raises(ValueError, match=f"a whole number{told} is needed"):
            whole("n", -1 if bounds else "x", *bounds)
