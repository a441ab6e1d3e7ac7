"""What the next card does to a seat, counted in cards of the pile from which it comes."""

from flip7.rules.cards import PLUS2, PLUS10, SECOND, TWELVE, X2
from flip7.rules.scoring import FLIP7, hand_points, points
from flip7.rules.table import Table


def copies(table: Table, card: int) -> int:
    """Return how many of a card are in the pile from which the next card comes (DECK-1)."""
    return table.draw[card] if table.draw_left > 0 else table.discard[card]


def pile_size(table: Table) -> int:
    """Return how many cards are in the pile from which the next card comes."""
    return table.draw_left if table.draw_left > 0 else table.discard_left


def busting_cards(table: Table, seat: int) -> int:
    """Return how many cards of that pile bust `seat`; with a Second Chance none does."""
    return 0 if table.hands[seat][SECOND] > 0 else twins(table, seat)


def twins(table: Table, seat: int) -> int:
    """Return how many cards of that pile repeat a number of `seat`."""
    same = 0
    for card in range(TWELVE + 1):
        if table.hands[seat][card] > 0:
            same += copies(table, card)
    return same


def seventh_cards(table: Table, seat: int) -> int:
    """Return how many cards of that pile make a Flip 7 for `seat`."""
    if table.different[seat] != FLIP7 - 1:
        return 0
    new = 0
    for card in range(TWELVE + 1):
        if table.hands[seat][card] == 0:
            new += copies(table, card)
    return new


def hit_worth(table: Table, seat: int) -> int:
    """Return the points that `seat` has right after the next card, added up over every card of the pile.

    Divided by `pile_size` it is what hitting once is worth. Action cards count as the points that are there already.
    """
    now = points(table, seat)
    numbers = table.sums[seat]
    bonuses = table.bonuses[seat]
    doubled = table.hands[seat][X2] > 0
    different = table.different[seat]
    saved = table.hands[seat][SECOND] > 0
    value = 0
    rest = pile_size(table)
    for card in range(TWELVE + 1):
        count = copies(table, card)
        rest -= count
        if table.hands[seat][card] == 0:
            value += count * hand_points(numbers + card, bonuses, doubled, different + 1)
        elif saved:
            value += count * now
    for card in range(PLUS2, PLUS10 + 1):
        value += copies(table, card) * 2 * (card - PLUS2 + 1)
    value += copies(table, X2) * (hand_points(numbers, bonuses, True, different) - now)
    return value + rest * now
