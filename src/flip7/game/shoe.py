"""The shoe: the hidden order of the draw pile, made from a seed."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence

from flip7.rules.cards import FACES
from flip7.rules.table import Table


class Shoe:
    """Deals a table's draw pile in an order that follows from the seed alone, on every machine."""

    __slots__ = ("_first", "_order", "_shuffles", "seed")

    def __init__(self, seed: int, first: Sequence[int] = ()) -> None:
        """`first` are faces that come up before all others of the first draw pile."""
        self.seed = seed
        self._first = tuple(first)
        self._order: list[int] = []
        self._shuffles = 0

    def copy(self) -> Shoe:
        """Return an independent shoe that will deal the same cards."""
        twin = Shoe(self.seed, self._first)
        twin._order = self._order[:]
        twin._shuffles = self._shuffles
        return twin

    def deal(self, table: Table) -> int:
        """Take the next card of the draw pile, which has one."""
        if table.shuffles != self._shuffles:
            self._shuffle(table)
        return self._order.pop()

    def _shuffle(self, table: Table) -> None:
        self._shuffles = table.shuffles
        counts = list(table.draw)
        first = self._first if self._shuffles == 1 else ()
        for face in first:
            counts[face] -= 1
        order = [face for face in range(FACES) for _ in range(counts[face])]
        words = _words(self.seed, self._shuffles)
        for last in range(len(order) - 1, 0, -1):
            other = _below(words, last + 1)
            order[last], order[other] = order[other], order[last]
        self._order = order + list(reversed(first))


def _words(seed: int, shuffle: int) -> Iterator[int]:
    """Yield 32-bit numbers without end: SHA-256 in counter mode, so that no card says anything about the next."""
    block = 0
    while True:
        digest = hashlib.sha256(f"flip7 shuffle {seed} {shuffle} {block}".encode()).digest()
        for i in range(0, 32, 4):
            yield int.from_bytes(digest[i : i + 4], "big")
        block += 1


def _below(words: Iterator[int], n: int) -> int:
    """Return a number from 0 to n - 1, each equally likely: what would favour some of them is thrown away."""
    fair = (1 << 32) - (1 << 32) % n
    for word in words:
        if word < fair:
            return word % n
    raise AssertionError("the stream of words is endless")
