"""Seatings are balanced: nobody gains by being listed first."""

from __future__ import annotations

from collections import Counter
from itertools import permutations

import pytest

from flip7 import Rules, simulate
from flip7.rules.cards import CARDS
from flip7.rules.table import Table
from flip7.sim.lineup import Job, Lineup, play_part
from flip7.strategy.policies import GUEST


@pytest.mark.parametrize("seats", [2, 3, 4, 6])
def test_equal_strategies_win_equally_often(seats: int) -> None:
    found = simulate(["points:25"] * seats, games=60_000, seed=8)
    for low, high in found.win_intervals:
        slack = (high - low) / 4  # 15 intervals of 95 % are looked at: one by one they may just miss
        assert low - slack <= 1 / seats <= high + slack


def test_the_order_of_the_list_does_not_matter() -> None:
    field = ["points:25", "ev", "cards:3"]
    results = {order: simulate(order, games=60_000, seed=9) for order in permutations(field)}
    for name in field:
        intervals = [r.win_intervals[order.index(name)] for order, r in results.items()]
        assert max(low for low, _ in intervals) < min(high for _, high in intervals)


class Watch:
    """A strategy that notes in which seat it is asked for the first time in each game."""

    def __init__(self, seen: Counter[int]) -> None:
        self.seen = seen

    def wants_card(self, table: Table) -> bool:
        self.seen[table.seat] += table.round == 1 and table.lap == 2
        return table.lap < 2

    def chosen_target(self, table: Table) -> int:
        raise AssertionError("there are no action cards")


@pytest.mark.parametrize("seats", [2, 3, 5])
def test_every_entry_sits_equally_often_in_every_seat(seats: int) -> None:
    """Everybody gets a card and stays: each entry is asked once in the first round of a game."""
    seen: list[Counter[int]] = [Counter() for _ in range(seats)]
    lineup = Lineup([f"cards:{n + 1}" for n in range(seats)])
    lineup.policies = [(GUEST, number, GUEST, number) for number in range(seats)]
    watches = [Watch(counter) for counter in seen]
    lineup.guests = watches  # type: ignore[assignment]
    deck = {card: 1 for card in CARDS if 0 < card.face <= 12}
    job = Job(strategies=(), rules=Rules(target=1, composition=deck), seed=3, engine="interpreted")
    play_part(job, 0, 20 * seats, lineup)
    assert seen == [Counter(dict.fromkeys(range(seats), 20))] * seats


def test_a_block_meets_the_same_luck_in_every_seat() -> None:
    """Two strategies that never differ win once each in every pair of games, so their rates are known exactly."""
    found = simulate(["hit", "points:999"], games=10_000, seed=3)
    assert found.wins == [5_000, 5_000]
    assert 0 < found.win_intervals[0][1] - found.win_intervals[0][0] < 0.001


def test_alike_entries_get_luck_of_their_own() -> None:
    """With the same luck in a seating that has come again, a game would be counted twice."""
    lengths = simulate(["points:25"] * 4, games=8, seed=3).lengths
    assert sum(1 for count in lengths if count) > 2
