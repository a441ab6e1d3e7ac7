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
    """The mode after a plain card; for a mode in which the player is asked, the one in which they hit."""
    onward: Array
    """Where the mode after a plain card is among those that follow."""
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
    """The modes to which a number, a modifier or a Second Chance leads: other rows and layers ask for no others."""


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
    here: Array,
    first: int,
    last: int,
) -> None:
    """Find the value of every state of a layer from row `last - 1` down to row `first`, and whether a hit is best.

    `values` has the later rows already, and `above` the layer with one more modifier: of each row the modes that
    follow. `here` gets all modes of one row after the other, and in the end has those of row `first`.
    """
    count = len(modes.plain)
    sets = len(layer.bonus)
    sums = np.empty(len(modes.follow) * sets, values.dtype)
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
        gather(sums, layer, above, row * len(modes.follow) * layer.above)
        left = rows.left[row] - layer.size
        here[:sets] = stay
        for mode in range(1, count):
            cards = left + modes.actions[mode]
            if modes.asked[mode] >= 0:
                question = row * modes.questions + modes.asked[mode]
                choose(here, mode * sets, modes.plain[mode] * sets, stay, worth.tie, hits, question * sets)
            elif cards == 0:
                here[mode * sets] = worth.beyond[rows.held[row], mode]
            else:
                mix(
                    here,
                    mode * sets,
                    sums,
                    modes.onward[mode] * sets,
                    fixed,
                    modes.three[mode] * sets,
                    modes.freeze[mode] * sets,
                    modes.threes[mode],
                    modes.freezes[mode],
                    worth.share[cards],
                )
        start = row * len(sums)
        for place in range(len(modes.follow)):
            copy(values, start + place * sets, here, modes.follow[place] * sets, sets)


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
        add(sums, 0, rows.weight[edge], values, rows.target[edge] * block, block)
        edge += 1


def add(sums: Array, start: int, weight: float, values: Array, begin: int, count: int) -> None:
    """Add n values, each times `weight`."""
    into = sums[start : start + count]
    those = values[begin : begin + count]
    for i in range(count):
        into[i] += weight * those[i]


def gather(sums: Array, layer: Layer, above: Array, start: int) -> None:
    """Add the values of the sets with one more modifier, which begin at `start`."""
    sets = len(layer.bonus)
    for mode in range(len(sums) // sets):
        those = above[start + mode * layer.above : start + (mode + 1) * layer.above]
        into = sums[mode * sets : (mode + 1) * sets]
        for j in range(sets):
            more = into[j]
            for x in range(len(layer.up)):
                more += layer.copies[x, j] * those[layer.up[x, j]]
            into[j] = more


def copy(into: Array, start: int, source: Array, begin: int, count: int) -> None:
    """Copy n values."""
    to = into[start : start + count]
    those = source[begin : begin + count]
    for j in range(count):
        to[j] = those[j]


def choose(here: Array, start: int, hit_at: int, stay: Array, tie: float, hits: Array, question: int) -> None:
    """Find the value of the states in which the player is asked, and whether they hit."""
    at = here[start : start + len(stay)]
    hit = here[hit_at : hit_at + len(stay)]
    better = hits[question : question + len(stay)]
    for j in range(len(stay)):
        better[j] = hit[j] > stay[j] + tie * abs(stay[j])
        at[j] = hit[j] if better[j] else stay[j]


def mix(
    here: Array,
    start: int,
    sums: Array,
    plain_at: int,
    fixed: Array,
    three_at: int,
    freeze_at: int,
    threes: float,
    freezes: float,
    share: float,
) -> None:
    """Put together the value of states from those that each kind of card leads to."""
    at = here[start : start + len(fixed)]
    plain = sums[plain_at : plain_at + len(fixed)]
    three = here[three_at : three_at + len(fixed)]
    freeze = here[freeze_at : freeze_at + len(fixed)]
    for j in range(len(fixed)):
        at[j] = (plain[j] + fixed[j] + threes * three[j] + freezes * freeze[j]) * share


def spread_rows(
    pile: Pile,
    rows: Rows,
    modes: Automaton,
    layer: Layer,
    worth: Worth,
    masses: Array,
    reached: Array,
    above: Array,
    reached_above: Array,
    hits: Array,
    here: Array,
    ends: Array,
    first: int,
    last: int,
) -> None:
    """Pass the chance of every state of a layer on to those that follow it under the best play.

    `masses` has how likely each state of the modes that follow is, as far as earlier rows lead there, and `above` gets
    what goes on to the next layer; `reached` and `reached_above` say which rows got anything. `here` has the chances
    with which row `first` begins beside, and is left empty. What ends in a bust and in a Flip 7 is added to
    `ends[0, 0]` and `ends[0, 1]`, what needs a card of an empty pile to the lines of `ends` from 1 on, without and with
    a Second Chance held.
    """
    count = len(modes.plain)
    sets = len(layer.bonus)
    passed = np.empty(len(modes.follow) * sets, masses.dtype)
    drawn = np.empty(sets, masses.dtype)
    runs = np.empty((len(modes.follow), 2), np.int64)
    stay = np.empty(sets, masses.dtype)
    seventh = np.empty(sets, np.float64)
    known = -1
    sevens = 0
    for row in range(first, last):
        if not reached[row]:
            continue
        for place in range(len(modes.follow)):
            arrive(here, modes.follow[place] * sets, masses, (row * len(modes.follow) + place) * sets, sets)
        if any_above(here, 0, len(here), worth.negligible / len(here)):
            if rows.mask[row] != known:
                known = rows.mask[row]
                sevens = find_stays(pile, layer, known, worth.utility, stay, seventh)
            passed[:] = 0
            drawn[:] = 0
            left = rows.left[row] - layer.size
            for mode in range(count - 1, 0, -1):
                if not any_above(here, mode * sets, sets, worth.negligible / sets):
                    continue
                cards = left + modes.actions[mode]
                if modes.asked[mode] >= 0:
                    question = row * modes.questions + modes.asked[mode]
                    follow_choice(here, mode * sets, modes.plain[mode] * sets, hits, question * sets, sets)
                elif cards == 0:
                    ends[1 + rows.held[row], mode] += here[mode * sets]
                else:
                    part(
                        here,
                        mode * sets,
                        drawn,
                        passed,
                        modes.onward[mode] * sets,
                        modes.three[mode] * sets,
                        modes.freeze[mode] * sets,
                        modes.threes[mode],
                        modes.freezes[mode],
                        worth.share[cards],
                    )
            ends[0, 0] += drawn.sum() * rows.busts[row]
            ends[0, 1] += drawn.sum() * sevens
            for run in range(find_runs(passed, sets, runs)):
                low = runs[run, 0] * sets
                size = runs[run, 1] * sets - low
                for edge in range(rows.start[row], rows.start[row + 1]):
                    reached[rows.target[edge]] = True
                    add(masses, rows.target[edge] * len(passed) + low, rows.weight[edge], passed, low, size)
                if layer.above > 0:
                    reached_above[row] = True
                for place in range(runs[run, 0], runs[run, 1]):
                    scatter(passed, place * sets, layer, above, (row * len(modes.follow) + place) * layer.above)
        here[:] = 0


def arrive(here: Array, start: int, masses: Array, begin: int, count: int) -> None:
    """Add n chances to what is there."""
    at = here[start : start + count]
    those = masses[begin : begin + count]
    for j in range(count):
        at[j] += those[j]


def find_runs(passed: Array, sets: int, runs: Array) -> int:
    """Find the runs of modes to which anything is passed on; returns how many there are."""
    found = 0
    inside = False
    for place in range(len(passed) // sets):
        some = any_above(passed, place * sets, sets, 0.0)
        if some and not inside:
            runs[found, 0] = place
            found += 1
        if some:
            runs[found - 1, 1] = place + 1
        inside = some
    return found


def any_above(masses: Array, start: int, count: int, limit: float) -> bool:
    """Return whether any of n chances is larger than `limit`."""
    those = masses[start : start + count]
    found = 0
    for j in range(count):
        found |= those[j] > limit
    return found != 0


def follow_choice(here: Array, start: int, hit_at: int, hits: Array, question: int, sets: int) -> None:
    """Pass the chances of the states in which the player is asked on to those in which they hit."""
    at = here[start : start + sets]
    hit = here[hit_at : hit_at + sets]
    better = hits[question : question + sets]
    for j in range(sets):
        hit[j] += better[j] * at[j]


def part(
    here: Array,
    start: int,
    drawn: Array,
    passed: Array,
    plain_at: int,
    three_at: int,
    freeze_at: int,
    threes: float,
    freezes: float,
    share: float,
) -> None:
    """Pass the chance of states on to those that each kind of card leads to; `drawn` gets how much goes with each."""
    at = here[start : start + len(drawn)]
    plain = passed[plain_at : plain_at + len(drawn)]
    three = here[three_at : three_at + len(drawn)]
    freeze = here[freeze_at : freeze_at + len(drawn)]
    for j in range(len(drawn)):
        mass = at[j] * share
        drawn[j] += mass
        plain[j] += mass
        three[j] += threes * mass
        freeze[j] += freezes * mass


def scatter(passed: Array, begin: int, layer: Layer, above: Array, start: int) -> None:
    """Pass chances on to the sets with one more modifier."""
    masses = passed[begin : begin + len(layer.bonus)]
    those = above[start : start + layer.above]
    for x in range(len(layer.up)):
        up = layer.up[x]
        copies = layer.copies[x]
        for j in range(len(masses)):
            those[up[j]] += copies[j] * masses[j]
