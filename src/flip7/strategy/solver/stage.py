"""A stage of a solution: what one draw pile can bring to a player, up to the end of the round or of the pile."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from itertools import pairwise, product
from typing import Any, NamedTuple

from flip7.compiled.build import compile_modules
from flip7.compiled.loading import numpy as np
from flip7.rules.cards import FLIP3, FREEZE, PLUS2, PLUS10, SECOND, TWELVE, X2
from flip7.rules.piles import plus
from flip7.rules.scoring import FLIP7, hand_points
from flip7.strategy.solver import loops, rows
from flip7.strategy.solver.loops import Automaton, Layer, Worth
from flip7.strategy.solver.modes import ASKED, Pending, TooLarge, automaton
from flip7.strategy.solver.rows import SWALLOWED, Array, Pile, Rows

MEMORY = 4_000_000_000
"""Bytes that a solution may take."""
SECONDS_A_STATE = 10e-9
"""How long a state takes, about."""
STATES = 6_000_000_000
"""States that a solution may have: a minute."""
DOUBLE = 125_000_000
"""States in two layers, up to which values are kept in double precision."""
MODIFIERS = 100
"""Modifiers in a pile, at the most."""
CHUNK = 50_000_000
"""States between two signs of progress."""

Tell = Callable[[int], None]
"""What is called now and then with the number of states that have been dealt with since."""


class Hand(NamedTuple):
    """A player and the piles, at the moment at which a stage begins."""

    numbers: frozenset[int]
    """The numbers in front of the player."""
    bonus: int
    """What their +N cards add up to."""
    doubled: bool
    """Whether they have a ×2."""
    second: bool
    """Whether they have a Second Chance."""
    idle: int
    """Reshuffles without progress so far (DECK-4)."""
    draw: tuple[int, ...]
    """The draw pile: how many of each card."""
    discard: tuple[int, ...]
    """The discard pile."""

    @property
    def points(self) -> int:
        """What the player has."""
        return hand_points(sum(self.numbers), self.bonus, self.doubled, len(self.numbers))

    @property
    def most_points(self) -> int:
        """What no round from here can exceed."""
        pile = [n + m for n, m in zip(self.draw, self.discard, strict=True)]
        lacking = [n for n in range(TWELVE, -1, -1) if pile[n] and n not in self.numbers]
        numbers = sum(self.numbers) + sum(lacking[: FLIP7 - len(self.numbers)])
        bonus = self.bonus + sum(pile[card] * plus(card) for card in range(PLUS2, PLUS10 + 1))
        return hand_points(numbers, bonus, self.doubled or pile[X2] > 0, FLIP7)

    def reshuffled(self, second: bool, placed: bool) -> Hand:
        """Return the hand after the whole draw pile was drawn without a bust and the discard pile is the new one."""
        discard = list(self.discard)
        for number, swallowed in enumerate(_spares(self)):
            discard[number] += swallowed
        discard[SECOND] += self.draw[SECOND] + self.second - second
        return Hand(
            numbers=self.numbers | {n for n in range(TWELVE + 1) if self.draw[n]},
            bonus=self.bonus + sum(self.draw[card] * plus(card) for card in range(PLUS2, PLUS10 + 1)),
            doubled=self.doubled or self.draw[X2] > 0,
            second=second,
            idle=1 if placed else self.idle + 1,
            draw=tuple(discard),
            discard=(0,) * len(discard),
        )


@functools.cache
def compiled() -> dict[str, Callable[..., Any]]:
    """Return the loops, compiled."""
    twins = compile_modules((rows, loops))
    return {
        name: getattr(twins[module], name)
        for module, names in {
            "rows": ("count_sets", "list_sets", "fill_rows"),
            "loops": ("value_rows", "spread_rows"),
        }.items()
        for name in names
    }


class Stage:
    """All that one draw pile can bring. Its `value` is found before its chances are `spread`."""

    def __init__(self, hand: Hand, starts: tuple[Pending, ...], utility: list[float]) -> None:
        """`starts` are what can be pending when it begins. Raises `TooLarge` if there are too many states."""
        self.hand = hand
        self.utility = np.array(utility)
        draw = hand.draw
        free = [n for n in range(TWELVE + 1) if draw[n] and n not in hand.numbers]
        self.pile = Pile(
            copies=np.array(draw[: TWELVE + 1], np.int64),
            own=np.array([n in hand.numbers for n in range(TWELVE + 1)], np.int64),
            free=np.array(free, np.int64),
            room=FLIP7 - 1 - len(hand.numbers),
            seconds=draw[SECOND],
            plain=sum(draw[:FREEZE]) + draw[SECOND],
            numbers=sum(hand.numbers),
        )
        self.chances = _chances(hand)
        self.runs_out = len(free) <= self.pile.room and sum(_spares(hand)) < len(self.chances)
        placed = bool(free) or any(draw[PLUS2 : X2 + 1])
        self.modes = automaton(draw[FLIP3], draw[FREEZE], placed, starts, merge=not self.runs_out)
        self.counts: Array = compiled()["count_sets"](self.pile, len(self.chances) - 1)
        self.rows = int((self.counts * (self.chances >= 0).sum(axis=(1, 2))).sum())
        sets = _layer_sizes(draw)
        self.states = self.rows * len(self.modes.modes) * sum(sets)
        widest = self.rows * max(a + b for a, b in pairwise([0, *sets]))
        self.type: type = np.float64 if widest * len(self.modes.modes) <= DOUBLE else np.float32
        self.bytes = widest * len(self.follow) * np.dtype(self.type).itemsize
        if self.bytes > MEMORY or self.states > STATES:
            raise TooLarge(
                f"solving this exactly would take {self.states:,} states and {self.bytes / 1e9:,.1f} GB, and at most "
                f"{STATES:,} and {MEMORY / 1e9:.0f} GB are reasonable; fewer Second Chances, action cards and "
                "modifiers, or more numbers in front of the player, make it smaller"
            )

    @functools.cached_property
    def layers(self) -> list[Layer]:
        """The sets of modifiers that can be drawn, by their size."""
        return list(_layers(self.hand, self.type))

    @functools.cached_property
    def edges(self) -> Rows:
        """The rows, with where each card leads."""
        counts = self.counts
        ends = counts.cumsum().reshape(counts.shape)
        first = ends - counts
        per_set = (self.chances >= 0).sum(axis=(1, 2))
        each = np.repeat(np.tile(per_set, len(counts)), counts.ravel())
        row_of = each.cumsum() - each
        most = len(self.pile.free) + TWELVE + 2
        found = Rows(
            mask=np.empty(self.rows, np.int32),
            held=np.empty(self.rows, np.int8),
            left=np.empty(self.rows, np.int32),
            busts=np.empty(self.rows, np.int32),
            start=np.empty(self.rows + 1, np.int64),
            target=np.empty(self.rows * most, np.int32),
            weight=np.empty(self.rows * most, self.type),
        )
        codes = compiled()["list_sets"](self.pile, counts, first, int(counts.sum()))
        count = compiled()["fill_rows"](self.pile, counts, first, codes, row_of, self.chances, found)
        return found._replace(target=found.target[:count].copy(), weight=found.weight[:count].copy())

    @functools.cached_property
    def follow(self) -> Array:
        """The modes to which a plain card leads, in order: what is kept of every row."""
        modes = zip(self.modes.plain, self.modes.modes, strict=True)
        return np.unique([plain for plain, mode in modes if mode.pending.flips > 0])

    @functools.cached_property
    def automaton(self) -> Automaton:
        """The modes as arrays."""
        modes, draw = self.modes, self.hand.draw
        threes = np.array([draw[FLIP3] - mode.threes for mode in modes.modes])
        freezes = np.array([draw[FREEZE] - mode.freezes for mode in modes.modes])
        asked = np.array([mode.pending == ASKED for mode in modes.modes])
        plain = np.array(modes.plain)
        return Automaton(
            plain=plain,
            onward=np.searchsorted(self.follow, plain).clip(max=len(self.follow) - 1),
            three=np.array(modes.three),
            freeze=np.array(modes.freeze),
            threes=threes.astype(self.type),
            freezes=freezes.astype(self.type),
            actions=threes + freezes,
            asked=np.where(asked, asked.cumsum() - 1, -1),
            questions=int(asked.sum()),
            follow=self.follow,
        )

    @functools.cached_property
    def exits(self) -> dict[Hand, list[tuple[int, int]]]:
        """The states in which a card is needed and the pile is empty: with what it goes on (DECK-1), held and mode."""
        hand = self.hand
        found: dict[Hand, list[tuple[int, int]]] = {}
        if not self.runs_out:
            return found
        for held in (0, 1):
            if self.chances[sum(_spares(hand)), hand.draw[SECOND], held] < 0:
                continue
            for number, mode in enumerate(self.modes.modes):
                drawn = mode.threes == hand.draw[FLIP3] and mode.freezes == hand.draw[FREEZE]
                if drawn and mode.pending.flips > 0:
                    found.setdefault(hand.reshuffled(held == 1, mode.placed), []).append((held, number))
        return found

    def value(self, beyond: dict[tuple[int, int], float], tell: Tell) -> Array:
        """Return the value of each mode at the start, under the best play. `beyond` has that of each exit."""
        exits = np.zeros((2, len(self.modes.modes)))
        for exit_, value in beyond.items():
            exits[exit_] = value
        self.worth = Worth(
            utility=self.utility,
            beyond=exits,
            share=np.array([0.0, *(1 / n for n in range(1, sum(self.hand.draw) + 1))], self.type),
            tie=1e-12 if self.type is np.float64 else 1e-6,
            negligible=0.0 if self.type is np.float64 else 1e-14,
        )
        self.hits: list[Array] = []
        above: Array = np.empty(0, self.type)
        for layer in reversed(self.layers):
            sets = len(layer.bonus)
            values: Array = np.empty(self.rows * len(self.follow) * sets, self.type)
            hits = np.empty(self.rows * self.automaton.questions * sets, np.bool_)
            here: Array = np.empty(len(self.modes.modes) * sets, self.type)
            for first, last in reversed(self._chunks(layer)):
                compiled()["value_rows"](
                    *(self.pile, self.edges, self.automaton, layer, self.worth),
                    *(values, above, hits, here, first, last),
                )
                tell(self._states(layer, last - first))
            self.hits.insert(0, hits)
            above = values
        return here.astype(np.float64)

    def hits_at(self, mode: int) -> bool:
        """Return whether the best play begins with a hit, where the stage begins with a question. It has a value."""
        return bool(self.hits[0][self.automaton.asked[mode]])

    def spread(self, masses: dict[int, float], tell: Tell) -> tuple[float, float, Array]:
        """Return the chances of a bust, of a Flip 7 and of each exit, from those of each mode at the start."""
        ends = np.zeros((3, len(self.modes.modes)))
        below: Array = np.zeros(self.rows * len(self.follow), self.type)
        reached = np.arange(self.rows) == 0
        for layer, hits in zip(self.layers, self.hits, strict=True):
            above: Array = np.zeros(self.rows * len(self.follow) * layer.above, self.type)
            reached_above = np.zeros(self.rows, np.bool_)
            here: Array = np.zeros(len(self.modes.modes) * len(layer.bonus), self.type)
            if layer.size == 0:
                here[list(masses)] = list(masses.values())
            for first, last in self._chunks(layer):
                compiled()["spread_rows"](
                    *(self.pile, self.edges, self.automaton, layer, self.worth),
                    *(below, reached, above, reached_above, hits, here, ends, first, last),
                )
                tell(self._states(layer, last - first))
            below, reached = above, reached_above
        return float(ends[0, 0]), float(ends[0, 1]), ends[1:]

    def _states(self, layer: Layer, count: int) -> int:
        return count * len(self.modes.modes) * len(layer.bonus)

    def _chunks(self, layer: Layer) -> list[tuple[int, int]]:
        step = max(1, CHUNK // self._states(layer, 1))
        return [(first, min(first + step, self.rows)) for first in range(0, self.rows, step)]


def _spares(hand: Hand) -> list[int]:
    """Return how many duplicates of each number a player who takes everything finds in the draw pile."""
    return [max(hand.draw[n] - (n not in hand.numbers), 0) for n in range(TWELVE + 1)]


def _chances(hand: Hand) -> Array:
    """Return how Second Chances can stand: for duplicates swallowed, drawn and held its place among all, or -1."""
    seconds = hand.draw[SECOND]
    most = min(hand.second + seconds, sum(_spares(hand)))
    if most > SWALLOWED:
        raise TooLarge(f"with {hand.second + seconds} Second Chances there are too many states to solve this exactly")
    places = np.full((most + 1, seconds + 1, 2), -1, np.int64)
    for swallowed in range(most + 1):
        there = -1
        for drawn in range(seconds + 1):
            had = hand.second + drawn
            for held in (0, 1):
                if had >= swallowed + held and (held or swallowed or not had):
                    there += 1
                    places[swallowed, drawn, held] = there
    return places


def _layer_sizes(draw: tuple[int, ...]) -> list[int]:
    """Return how many sets of each size the modifiers of a pile make."""
    ways = [1]
    for copies in draw[PLUS2 : X2 + 1]:
        if len(ways) + copies > MODIFIERS:
            raise TooLarge(f"with more than {MODIFIERS} modifiers there are too many states to solve this exactly")
        ways = [sum(ways[max(0, n - copies) : n + 1]) for n in range(len(ways) + copies)]
    return ways


def _layers(hand: Hand, type_: type) -> Iterator[Layer]:
    """Yield the sets of modifiers that can be drawn from the pile, by their size."""
    kinds = [card for card in range(PLUS2, X2 + 1) if hand.draw[card]]
    sizes: list[list[tuple[int, ...]]] = [[] for _ in _layer_sizes(hand.draw)]
    for drawn in product(*(range(hand.draw[card] + 1) for card in kinds)):
        sizes[sum(drawn)].append(drawn)
    for size, (sets, larger) in enumerate(pairwise([*sizes, []])):
        place = {drawn: i for i, drawn in enumerate(larger)}
        more = [[kind for kind, card in enumerate(kinds) if drawn[kind] < hand.draw[card]] for drawn in sets]
        up = np.zeros((max(map(len, more)), len(sets)), np.int64)
        copies: Array = np.zeros(up.shape, type_)
        for j, drawn in enumerate(sets):
            for x, kind in enumerate(more[j]):
                up[x, j] = place[(*drawn[:kind], drawn[kind] + 1, *drawn[kind + 1 :])]
                copies[x, j] = hand.draw[kinds[kind]] - drawn[kind]
        plain = [sum(n * plus(card) for n, card in zip(drawn, kinds, strict=True) if card != X2) for drawn in sets]
        doubled = [hand.doubled or (X2 in kinds and drawn[-1] > 0) for drawn in sets]
        yield Layer(size, hand.bonus + np.array(plain), np.array(doubled), len(larger), up, copies)
