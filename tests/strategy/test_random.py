"""The stream of random numbers: always the same one, within its bounds, and spread evenly."""

from __future__ import annotations

import pytest

from flip7.strategy.random import FACTOR, MASK, STEP, WORD, below, mixed, start


def stream(seed: int, number: int, n: int, length: int) -> list[int]:
    rng = [0]
    start(rng, seed, number)
    return [below(rng, n) for _ in range(length)]


def unevenness(counts: list[int]) -> float:
    """Chi-square in standard deviations from its mean, for counts that should all be equal."""
    mean, free = sum(counts) / len(counts), len(counts) - 1
    chi = sum((count - mean) ** 2 for count in counts) / mean
    return float((chi - free) / (2 * free) ** 0.5)


def test_the_stream_is_always_the_same() -> None:
    """Whoever changes it changes every simulation, and every game that a seed of theirs stands for."""
    rng = [0]
    start(rng, 1, 0)
    assert rng == [2247232066177867448]
    assert [below(rng, 94) for _ in range(12)] == [45, 51, 17, 23, 30, 69, 26, 18, 44, 57, 22, 61]
    assert [below(rng, 1 << 32) for _ in range(4)] == [861598643, 3910432053, 1834354218, 4165351456]
    assert [mixed(n) for n in (0, 1, 2, MASK)] == [0, 4003194977664634884, 1468839576666864515, 316375527730444321]


def test_its_period_is_all_of_2_to_the_62() -> None:
    """By the theorem of Hull and Dobell for a modulus that is a power of two."""
    assert FACTOR % 4 == 1
    assert STEP % 2 == 1


@pytest.mark.parametrize("n", [1, 2, 3, 94, 1692, WORD, WORD + 1])
def test_a_number_is_below_its_bound(n: int) -> None:
    """The least and the largest state give the least and the largest number; what is left of a state fits its word."""
    for state, number in ((0, 0), (MASK, n - 1)):
        rng = [state]
        assert below(rng, n) == number
        assert 0 <= rng[0] <= MASK
    assert all(0 <= number < n for number in stream(5, 0, n, 2000))


@pytest.mark.parametrize("seed", range(3))
def test_numbers_and_neighbours_are_spread_evenly(seed: int) -> None:
    numbers = stream(seed, 0, 94, 94_000)
    assert abs(unevenness([numbers.count(card) for card in range(94)])) < 4
    pairs = [0] * 400
    for one, other in zip(*[iter(stream(seed, 1, 20, 80_000))] * 2, strict=True):
        pairs[one * 20 + other] += 1
    assert abs(unevenness(pairs)) < 4


def test_the_first_numbers_of_neighbouring_seeds_and_streams_are_spread_evenly() -> None:
    for numbers in ([stream(seed, 0, 94, 1)[0] for seed in range(9400)], [stream(0, n, 94, 1)[0] for n in range(9400)]):
        assert abs(unevenness([numbers.count(card) for card in range(94)])) < 4


def test_seeds_and_streams_are_not_each_other() -> None:
    begun = set()
    for seed in range(-50, 50):
        for number in range(100):
            rng = [0]
            start(rng, seed, number)
            begun.add(rng[0])
    assert len(begun) == 100 * 100


def test_one_bit_of_a_number_changes_half_of_what_it_is_mixed_to() -> None:
    for bit in range(62):
        changed = [
            (mixed(n * 0x9E3779B97F4A7C1) ^ mixed(n * 0x9E3779B97F4A7C1 ^ 1 << bit)).bit_count() for n in range(500)
        ]
        assert 29 < sum(changed) / len(changed) < 33
