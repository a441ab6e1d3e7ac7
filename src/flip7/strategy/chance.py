"""What a hit and a Flip Three are worth on average. Written like the rules, so that both builds share it."""

from flip7.rules.cards import PLUS2, PLUS10, SECOND, TWELVE, X2
from flip7.rules.chance import copies, hit_worth, pile_size
from flip7.rules.scoring import BONUS, FLIP7, points
from flip7.rules.table import Table

USUAL_ROUND = 20.0  # points: what a player who has just begun can still hope for


def hit_value(table: Table, seat: int) -> float:
    """Return the points that `seat` has on average right after the next card; action cards leave them as they are."""
    size = pile_size(table)
    if size == 0:
        return float(points(table, seat))
    return hit_worth(table, seat) / size


def three_value(table: Table, seat: int) -> float:
    """Return the points that `seat` has on average after a Flip Three.

    New numbers, duplicates, +N, a Flip 7 and that it ends the three are counted exactly, drawn without replacement.
    Action cards and a ×2 count as blanks, and a Second Chance in front of the seat makes blanks of all duplicates of
    the numbers that it has by now.
    """
    size = pile_size(table)
    if size < 3:
        return hit_value(table, seat)
    saved = table.hands[seat][SECOND] > 0
    blanks = size
    plus = 0.0
    one = 0.0  # ways to draw one new number, two different ones, three different ones, not counting order
    two = 0.0
    three = 0.0
    for card in range(TWELVE + 1):
        count = copies(table, card)
        if table.hands[seat][card] == 0:
            three += count * two
            two += count * one
            one += count
            blanks -= count
        elif not saved:
            blanks -= count
    for card in range(PLUS2, PLUS10 + 1):
        plus += copies(table, card) * 2 * (card - PLUS2 + 1)
    worth_one = 0.0  # the same ways, each weighted with the sum of its numbers
    worth_two = 0.0
    worth_three = 0.0
    for card in range(TWELVE + 1):
        if table.hands[seat][card] == 0:
            count = copies(table, card)
            others = one - count
            worth_one += card * count
            worth_two += card * count * others
            worth_three += card * count * (two - count * others)
    factor = 2 if table.hands[seat][X2] > 0 else 1
    kept = float(factor * table.sums[seat] + table.bonuses[seat])
    blank = plus / blanks if blanks > 0 else 0.0
    missing = FLIP7 - table.different[seat]
    value = float(blanks) * (blanks - 1) * (blanks - 2) * (kept + 3 * blank)
    if missing == 1:
        kept += BONUS
        value += float(size - 1) * (size - 2) * (one * kept + factor * worth_one)
        value += float(blanks) * (size - 2) * (one * (kept + blank) + factor * worth_one)
        value += float(blanks) * (blanks - 1) * (one * (kept + 2 * blank) + factor * worth_one)
        return value / (float(size) * (size - 1) * (size - 2))
    value += 3.0 * blanks * (blanks - 1) * (one * (kept + 2 * blank) + factor * worth_one)
    if missing == 2:
        kept += BONUS
        value += 2.0 * (size - 2) * (two * kept + factor * worth_two)
        value += 4.0 * blanks * (two * (kept + blank) + factor * worth_two)
        return value / (float(size) * (size - 1) * (size - 2))
    value += 6.0 * blanks * (two * (kept + blank) + factor * worth_two)
    if missing == 3:
        kept += BONUS
    value += 6.0 * (three * kept + factor * worth_three)
    return value / (float(size) * (size - 1) * (size - 2))
