"""The solver's loops over all states of a round, to be compiled.

A state is a row (`rows.py`), a set of modifiers drawn and a mode (`modes.py`). A number or a Second Chance leads to a
later row, a modifier to a set in the next layer, an action card to an earlier mode. In memory come rows, then modes,
then the sets of a layer: these lie side by side, so that the processor takes several at a time.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from flip7.rules.scoring import FLIP7, hand_points
from flip7.strategy.solver.rows import Array, Pile, Rows, bits


class Layer(NamedTuple):
    """All sets of n modifiers drawn from the pile."""

    size: int
    """How many modifiers each of the sets has."""
    bonus: Array
    """What the +N cards of the player add up to, for each set."""
    doubled: Array
    """Whether the player has a ×2."""
    above: int
    """How many sets the next layer has."""
    up: Array
    """The sets in the next layer to which one more modifier leads: a line for each kind that can come."""
    copies: Array
    """How many cards of that kind are left in the pile."""


class Automaton(NamedTuple):
    """The modes, as arrays."""

    plain: Array
    three: Array
    freeze: Array
    threes: Array
    """Flip Threes left in the pile, as a weight."""
    freezes: Array
    """Freezes left in the pile, as a weight."""
    actions: Array
    """Both together."""
    asked: Array
    """For a mode in which the player is asked its place among those, otherwise -1."""
    questions: int
    """How many such modes there are."""
    follow: Array
    """The modes to which a number, a modifier or a Second Chance leads."""


class Worth(NamedTuple):
    """What a solution goes by."""

    utility: Array
    """The worth of each number of points."""
    beyond: Array
    """The value of each mode when a card is needed and the pile is empty, without and with a Second Chance held."""
    share: Array
    """One divided by each number of cards."""
    tie: float
    """By which part of what it has a player must gain to hit: arithmetic is not exact, and a tie is a stay."""
    negligible: float
    """How unlikely a row may be to be passed over when chances are added up."""


def find_stays(pile: Pile, layer: Layer, mask: int, utility: Array, stay: Array, seventh: Array) -> int:
    """For each set of modifiers, find the worth of staying, and of the Flip 7s that one card can make, added up.

    Returns how many cards make one.
    """
    total = pile.numbers
    for place in range(len(pile.free)):
        if mask >> place & 1:
            total += pile.free[place]
    for j in range(len(stay)):
        stay[j] = utility[hand_points(total, layer.bonus[j], layer.doubled[j], 0)]
        seventh[j] = 0
    cards = 0
    if bits(mask) == pile.room:
        for place in range(len(pile.free)):
            if not mask >> place & 1:
                number = pile.free[place]
                cards += pile.copies[number]
                for j in range(len(stay)):
                    made = hand_points(total + number, layer.bonus[j], layer.doubled[j], FLIP7)
                    seventh[j] += pile.copies[number] * utility[made]
    return cards


def value_rows(
    pile: Pile,
    rows: Rows,
    modes: Automaton,
    layer: Layer,
    worth: Worth,
    values: Array,
    above: Array,
    hits: Array,
    first: int,
    last: int,
) -> None:
    """Find the value of every state of a layer from row `last - 1` down to row `first`, and whether a hit is best.

    `values` has the later rows already, and `above` the layer with one more modifier.
    """
    count = len(modes.plain)
    sets = len(layer.bonus)
    block = count * sets
    sums = np.empty(block, values.dtype)
    fixed = np.empty(sets, values.dtype)
    stay = np.empty(sets, values.dtype)
    seventh = np.empty(sets, np.float64)
    known = -1
    for row in range(last - 1, first - 1, -1):
        if rows.mask[row] != known:
            known = rows.mask[row]
            find_stays(pile, layer, known, worth.utility, stay, seventh)
        for j in range(sets):
            fixed[j] = seventh[j] + rows.busts[row] * worth.utility[0]
        add_up(sums, rows, row, values)
        for mode in modes.follow:
            gather(sums[mode * sets : (mode + 1) * sets], layer, above, (row * count + mode) * layer.above)
        here = values[row * block : (row + 1) * block]
        left = rows.left[row] - layer.size
        here[:sets] = stay
        for mode in range(1, count):
            at = here[mode * sets : (mode + 1) * sets]
            plain = modes.plain[mode] * sets
            cards = left + modes.actions[mode]
            if modes.asked[mode] >= 0:
                hit = here[plain : plain + sets]
                start = (row * modes.questions + modes.asked[mode]) * sets
                better = hits[start : start + sets]
                for j in range(sets):
                    better[j] = hit[j] > stay[j] + worth.tie * abs(stay[j])
                    at[j] = hit[j] if better[j] else stay[j]
            elif cards == 0:
                at[0] = worth.beyond[rows.held[row], mode]
            else:
                three = modes.three[mode] * sets
                freeze = modes.freeze[mode] * sets
                mix(
                    at,
                    sums[plain : plain + sets],
                    fixed,
                    here[three : three + sets],
                    here[freeze : freeze + sets],
                    modes.threes[mode],
                    modes.freezes[mode],
                    worth.share[cards],
                )


def add_up(sums: Array, rows: Rows, row: int, values: Array) -> None:
    """Find the sums of what the cards of a row lead to: four cards at a time, so that sums are written less often."""
    block = len(sums)
    edge = rows.start[row]
    end = rows.start[row + 1]
    sums[:] = 0
    while edge + 4 <= end:
        a = values[rows.target[edge] * block : (rows.target[edge] + 1) * block]
        b = values[rows.target[edge + 1] * block : (rows.target[edge + 1] + 1) * block]
        c = values[rows.target[edge + 2] * block : (rows.target[edge + 2] + 1) * block]
        d = values[rows.target[edge + 3] * block : (rows.target[edge + 3] + 1) * block]
        p, q, r, s = rows.weight[edge], rows.weight[edge + 1], rows.weight[edge + 2], rows.weight[edge + 3]
        for i in range(block):
            sums[i] += (p * a[i] + q * b[i]) + (r * c[i] + s * d[i])
        edge += 4
    while edge < end:
        add(sums, rows.weight[edge], values, rows.target[edge] * block)
        edge += 1


def add(sums: Array, weight: float, values: Array, start: int) -> None:
    """Add values from `start` on, each times `weight`."""
    those = values[start : start + len(sums)]
    for i in range(len(sums)):
        sums[i] += weight * those[i]


def gather(sums: Array, layer: Layer, above: Array, start: int) -> None:
    """Add the values of the sets with one more modifier."""
    those = above[start : start + layer.above]
    for j in range(len(sums)):
        more = sums[j]
        for x in range(len(layer.up)):
            more += layer.copies[x, j] * those[layer.up[x, j]]
        sums[j] = more


def mix(
    at: Array, plain: Array, fixed: Array, three: Array, freeze: Array, threes: float, freezes: float, share: float
) -> None:
    """Put together the value of a state from those that each kind of card leads to."""
    for j in range(len(at)):
        at[j] = (plain[j] + fixed[j] + threes * three[j] + freezes * freeze[j]) * share


def spread_rows(
    pile: Pile,
    rows: Rows,
    modes: Automaton,
    layer: Layer,
    worth: Worth,
    masses: Array,
    above: Array,
    hits: Array,
    ends: Array,
    first: int,
    last: int,
) -> None:
    """Pass the chance of every state of a layer on to those that follow it under the best play.

    `masses` has how likely each state is, as far as earlier rows lead there, and `above` gets what goes on to the next
    layer. What ends in a bust and in a Flip 7 is added to `ends[0, 0]` and `ends[0, 1]`, what needs a card of an empty
    pile to the lines of `ends` from 1 on, without and with a Second Chance held.
    """
    count = len(modes.plain)
    sets = len(layer.bonus)
    block = count * sets
    passed = np.empty(block, masses.dtype)
    drawn = np.empty(sets, masses.dtype)
    runs = np.empty((count, 2), np.int64)
    stay = np.empty(sets, masses.dtype)
    seventh = np.empty(sets, np.float64)
    known = -1
    sevens = 0
    for row in range(first, last):
        here = masses[row * block : (row + 1) * block]
        if not any_above(here, worth.negligible / block):
            continue
        if rows.mask[row] != known:
            known = rows.mask[row]
            sevens = find_stays(pile, layer, known, worth.utility, stay, seventh)
        passed[:] = 0
        left = rows.left[row] - layer.size
        drawn[:] = 0
        for mode in range(count - 1, 0, -1):
            at = here[mode * sets : (mode + 1) * sets]
            if not any_above(at, worth.negligible / sets):
                continue
            plain = modes.plain[mode] * sets
            cards = left + modes.actions[mode]
            if modes.asked[mode] >= 0:
                hit = here[plain : plain + sets]
                start = (row * modes.questions + modes.asked[mode]) * sets
                better = hits[start : start + sets]
                for j in range(sets):
                    hit[j] += better[j] * at[j]
            elif cards == 0:
                ends[1 + rows.held[row], mode] += at[0]
            else:
                three = modes.three[mode] * sets
                freeze = modes.freeze[mode] * sets
                part(
                    at,
                    drawn,
                    passed[plain : plain + sets],
                    here[three : three + sets],
                    here[freeze : freeze + sets],
                    modes.threes[mode],
                    modes.freezes[mode],
                    worth.share[cards],
                )
        ends[0, 0] += drawn.sum() * rows.busts[row]
        ends[0, 1] += drawn.sum() * sevens
        for run in range(find_runs(passed, sets, runs)):
            low = runs[run, 0] * sets
            high = runs[run, 1] * sets
            for edge in range(rows.start[row], rows.start[row + 1]):
                start = rows.target[edge] * block
                add(masses[start + low : start + high], rows.weight[edge], passed, low)
            for mode in range(runs[run, 0], runs[run, 1]):
                scatter(passed[mode * sets : (mode + 1) * sets], layer, above, (row * count + mode) * layer.above)


def find_runs(passed: Array, sets: int, runs: Array) -> int:
    """Find the runs of modes to which anything is passed on; returns how many there are."""
    found = 0
    inside = False
    for mode in range(len(passed) // sets):
        some = any_above(passed[mode * sets : (mode + 1) * sets], 0.0)
        if some and not inside:
            runs[found, 0] = mode
            found += 1
        if some:
            runs[found - 1, 1] = mode + 1
        inside = some
    return found


def any_above(masses: Array, limit: float) -> bool:
    """Return whether any of some chances is larger than `limit`."""
    found = 0
    for j in range(len(masses)):
        found |= masses[j] > limit
    return found != 0


def part(
    at: Array, drawn: Array, plain: Array, three: Array, freeze: Array, threes: float, freezes: float, share: float
) -> None:
    """Pass the chance of a state on to those that each kind of card leads to; `drawn` gets how much goes with each."""
    for j in range(len(at)):
        mass = at[j] * share
        drawn[j] += mass
        plain[j] += mass
        three[j] += threes * mass
        freeze[j] += freezes * mass


def scatter(masses: Array, layer: Layer, above: Array, start: int) -> None:
    """Pass chances on to the sets with one more modifier."""
    those = above[start : start + layer.above]
    for x in range(len(layer.up)):
        up = layer.up[x]
        copies = layer.copies[x]
        for j in range(len(masses)):
            those[up[j]] += copies[j] * masses[j]
