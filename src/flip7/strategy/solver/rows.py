"""The rows of a solution: everything that number cards and Second Chances can have come to. Made to be compiled.

A row is a set of numbers in front of the player, a multiset of duplicates that Second Chances have swallowed, how many
Second Chances were drawn and whether one is held. Rows are numbered so that every card leads to a later row.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from flip7.rules.cards import TWELVE

Array = Any  # of NumPy; Numba finds the types of what it compiles by itself

SWALLOWED = 15
"""Duplicates that a multiset has room for."""


class Pile(NamedTuple):
    """What the player has and what the draw pile holds, as the loops need it."""

    copies: Array
    """How many of each number are in the pile."""
    own: Array
    """1 for each number that the player has already."""
    free: Array
    """The numbers that the player lacks and the pile has; a mask has a bit for each."""
    room: int
    """How many of them can be taken without making seven."""
    seconds: int
    """Second Chances in the pile."""
    plain: int
    """Cards in the pile without Freezes and Flip Threes."""
    numbers: int
    """What the numbers that the player has add up to."""


class Rows(NamedTuple):
    """All rows, and where each card leads."""

    mask: Array
    """Which of the free numbers were drawn."""
    held: Array
    """1 if a Second Chance is held."""
    left: Array
    """Cards in the pile, without action cards and before any modifier is drawn."""
    busts: Array
    """Cards that bust."""
    start: Array
    """Where the row's successors begin; they end where those of the next row begin."""
    target: Array
    """The row to which a number or a Second Chance leads."""
    weight: Array
    """How many cards lead there."""


def bits(mask: int) -> int:
    """Return how many bits are set."""
    count = 0
    while mask:
        mask &= mask - 1
        count += 1
    return count


def find_spares(pile: Pile, mask: int, spares: Array) -> None:
    """For each number, how many cards of the pile are duplicates for a player who has drawn the numbers in `mask`."""
    for number in range(TWELVE + 1):
        spares[number] = pile.copies[number] if pile.own[number] else 0
    for place in range(len(pile.free)):
        if mask >> place & 1:
            spares[pile.free[place]] = pile.copies[pile.free[place]] - 1


def count_sets(pile: Pile, most: int) -> Array:
    """Return how many multisets of duplicates there are, for each mask and each size up to `most`."""
    counts = np.zeros((1 << len(pile.free), most + 1), np.int64)
    spares = np.zeros(TWELVE + 1, np.int64)
    for mask in range(len(counts)):
        if bits(mask) > pile.room:
            continue
        find_spares(pile, mask, spares)
        counts[mask, 0] = 1
        for number in range(TWELVE + 1):
            for size in range(most, 0, -1):
                for taken in range(1, min(spares[number], size) + 1):
                    counts[mask, size] += counts[mask, size - taken]
    return counts


def list_sets(pile: Pile, counts: Array, first: Array, total: int) -> Array:
    """Return every multiset of duplicates: its numbers in order, four bits for each, plus one.

    Those of one mask and size are in ascending order; `first` has where they begin.
    """
    codes = np.zeros(total, np.int64)
    spares = np.zeros(TWELVE + 1, np.int64)
    for mask in range(counts.shape[0]):
        find_spares(pile, mask, spares)
        for size in range(1, counts.shape[1]):
            at = first[mask, size]
            for i in range(first[mask, size - 1], first[mask, size - 1] + counts[mask, size - 1]):
                code = codes[i]
                for number in range(max((code & 15) - 1, 0), TWELVE + 1):
                    if times(code, number) < spares[number]:
                        codes[at] = code << 4 | number + 1
                        at += 1
    return codes


def times(code: int, number: int) -> int:
    """Return how often a number is in a multiset."""
    count = 0
    while code:
        if code & 15 == number + 1:
            count += 1
        code >>= 4
    return count


def with_one_more(code: int, number: int) -> int:
    """Return a multiset with one more of a number."""
    larger = 0
    shift = 0
    while code & 15 > number + 1:
        larger |= (code & 15) << shift
        shift += 4
        code >>= 4
    return (code << 4 | number + 1) << shift | larger


def find(codes: Array, low: int, count: int, code: int) -> int:
    """Return where a multiset is among the `count` from `low` on."""
    high = low + count
    while low < high:
        middle = (low + high) // 2
        if codes[middle] < code:
            low = middle + 1
        else:
            high = middle
    return low


def fill_rows(pile: Pile, counts: Array, first: Array, codes: Array, row_of: Array, chances: Array, rows: Rows) -> int:
    """Fill in all rows with their successors; returns how many successors there are.

    `row_of` has the first row of each multiset. `chances[size, drawn, held]` says which of a multiset's rows has
    that many Second Chances drawn and held, or -1 if that cannot be.
    """
    spares = np.zeros(TWELVE + 1, np.int64)
    edge = 0
    for mask in range(counts.shape[0]):
        find_spares(pile, mask, spares)
        numbers = bits(mask)
        for size in range(counts.shape[1]):
            for i in range(first[mask, size], first[mask, size] + counts[mask, size]):
                code = codes[i]
                twins = -size
                for number in range(TWELVE + 1):
                    twins += spares[number]
                for drawn in range(pile.seconds + 1):
                    for held in range(2):
                        if chances[size, drawn, held] < 0:
                            continue
                        row = row_of[i] + chances[size, drawn, held]
                        rows.mask[row] = mask
                        rows.held[row] = held
                        rows.left[row] = pile.plain - numbers - size - drawn
                        rows.busts[row] = 0 if held else twins
                        rows.start[row] = edge
                        if drawn < pile.seconds:  # SC-1, or discarded by SC-4
                            rows.target[edge] = row_of[i] + chances[size, drawn + 1, 1]
                            rows.weight[edge] = pile.seconds - drawn
                            edge += 1
                        if held:  # SC-2
                            for number in range(TWELVE + 1):
                                left = spares[number] - times(code, number)
                                if left > 0:
                                    more = with_one_more(code, number)
                                    there = find(codes, first[mask, size + 1], counts[mask, size + 1], more)
                                    rows.target[edge] = row_of[there] + chances[size + 1, drawn, 0]
                                    rows.weight[edge] = left
                                    edge += 1
                        if numbers == pile.room:
                            continue
                        for place in range(len(pile.free)):  # NUM-1
                            larger = mask | 1 << place
                            if larger != mask:
                                there = find(codes, first[larger, size], counts[larger, size], code)
                                rows.target[edge] = row_of[there] + chances[size, drawn, held]
                                rows.weight[edge] = pile.copies[pile.free[place]]
                                edge += 1
    rows.start[len(rows.mask)] = edge
    return edge
