"""The worth of a Flip Three, against every order in which three cards can come."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest

from flip7.rules.cards import CARDS, FACES, PLUS2, PLUS10, SECOND, TWELVE, X2
from flip7.rules.piles import place
from flip7.rules.table import Table
from flip7.strategy.chance import hit_value, three_value


def random_table(random: Random) -> Table:
    """One seat with a random hand, and a small random pile, in the draw pile or among the discards."""
    table = Table(1)
    numbers = random.sample(range(13), random.choice((0, 1, 2, 3, 4, 5, 5, 6, 6)))
    others = random.sample(range(PLUS2, FACES), random.choice((0, 0, 1, 3)))
    for card in (*numbers, *others):
        place(table, 0, card)
    pile = [0] * FACES
    for _ in range(random.randint(3, 12)):
        pile[random.randrange(FACES)] += 1
    if random.random() < 0.7:
        table.draw, table.draw_left = pile, sum(pile)
    else:
        table.discard, table.discard_left = pile, sum(pile)
    return table


def by_hand(table: Table, left: list[int], flips: int, numbers: frozenset[int], plus: int) -> Fraction:
    """The average points after so many more cards, each taken out of the pile as it comes."""
    held = {card for card in range(TWELVE + 1) if table.hands[0][card]}
    if flips == 0 or len(held | numbers) == 7:
        factor = 2 if table.hands[0][X2] else 1
        bonus = 15 if len(held | numbers) == 7 else 0
        return Fraction(factor * (sum(held) + sum(numbers)) + table.bonuses[0] + plus + bonus)
    total = Fraction(0)
    for card in range(FACES):
        if not left[card]:
            continue
        rest = left[:]
        rest[card] -= 1
        more, gain = numbers, plus
        if card <= TWELVE:
            if card in numbers or (card in held and not table.hands[0][SECOND]):
                continue  # a bust is worth nothing
            if card not in held:
                more = numbers | {card}
        elif card <= PLUS10:
            gain += int(CARDS[card])
        total += left[card] * by_hand(table, rest, flips - 1, more, gain)
    return total / sum(left)


@pytest.mark.parametrize("seed", range(150))
def test_a_flip_three_is_worth_what_all_its_orders_are_worth_on_average(seed: int) -> None:
    table = random_table(Random(seed))
    pile = table.draw if table.draw_left else table.discard
    assert three_value(table, 0) == pytest.approx(float(by_hand(table, pile, 3, frozenset(), 0)))


def test_with_fewer_than_three_cards_one_is_looked_at() -> None:
    table = random_table(Random(1))
    table.draw = [0] * FACES
    table.draw[5], table.draw_left = 2, 2
    assert three_value(table, 0) == hit_value(table, 0)


def test_with_no_card_at_all_nothing_changes() -> None:
    table = Table(1)
    for card in (12, 3, X2):
        place(table, 0, card)
    assert hit_value(table, 0) == three_value(table, 0) == 30
