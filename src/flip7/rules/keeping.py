"""What a scorekeeper may be told about a round at a real table (KEEP-1 to KEEP-4)."""

from flip7.rules.agenda import count_round
from flip7.rules.cards import FREEZE, PLUS2, SECOND, TWELVE, X2
from flip7.rules.piles import place, plus
from flip7.rules.scoring import FLIP7, hand_points
from flip7.rules.table import Table

# Whether a card can lie in a hand at the end of a round, or why not.
FITS, TWIN, EIGHTH, NONE_LEFT, SECOND_SECOND, SECOND_FREEZE, FROZEN_FLIP7, OTHER_FLIP7 = range(8)

# How points can be made.
IMPOSSIBLE, PLAIN, ONLY_FLIP7 = range(3)

WIDTH = 79  # every sum of different numbers is below


def fits(table: Table, seat: int, card: int, seven: bool) -> int:
    """Return whether `card` can join the hand of `seat` as it lies at the end of a round: `FITS`, or why not.

    The draw pile of the table holds what has not been entered yet. `seven` says that another hand is a Flip 7.
    """
    hand = table.hands[seat]
    if card <= TWELVE:
        if hand[card] > 0:
            return TWIN  # NUM-2
        if table.different[seat] == FLIP7:
            return EIGHTH  # NUM-3
        if table.different[seat] == FLIP7 - 1:
            if hand[FREEZE] > 0:
                return FROZEN_FLIP7  # FRZ-1: no card after a Freeze; NUM-3: no Freeze after a Flip 7
            if seven:
                return OTHER_FLIP7  # KEEP-4
    elif card == FREEZE:
        if hand[FREEZE] > 0:
            return SECOND_FREEZE  # F3-5
        if table.different[seat] == FLIP7:
            return FROZEN_FLIP7
    elif card == SECOND and hand[SECOND] > 0:
        return SECOND_SECOND  # SC-4
    if table.draw[card] == 0:
        return NONE_LEFT  # KEEP-4
    return FITS


def lay(table: Table, seat: int, card: int) -> None:
    """Enter a card that fits into the hand of `seat`."""
    table.draw[card] -= 1
    table.draw_left -= 1
    place(table, seat, card)


def keep_round(table: Table, scores: list[int]) -> None:
    """Count a round that was entered as points, one for each seat (KEEP-1)."""
    table.round += 1
    for seat in range(table.seats):
        table.scores[seat] = scores[seat]
    count_round(table)


def ways(deck: list[int]) -> list[int]:
    """Return, for each number of points from 0, `IMPOSSIBLE`, `PLAIN` or `ONLY_FLIP7` if it takes a Flip 7 (KEEP-4)."""
    sums = number_sums(deck)
    bonuses = bonus_sums(deck)
    found = [IMPOSSIBLE] * (hand_points(WIDTH, len(bonuses) - 1, True, FLIP7) + 1)
    for seven in range(1, -1, -1):
        for total in range(WIDTH):
            if sums[seven * WIDTH + total] > 0:
                for bonus in range(len(bonuses)):
                    if bonuses[bonus] > 0:
                        for doubled in range(2 if deck[X2] > 0 else 1):
                            points = hand_points(total, bonus, doubled > 0, seven * FLIP7)
                            found[points] = ONLY_FLIP7 if seven > 0 else PLAIN
    return found


def number_sums(deck: list[int]) -> list[int]:
    """Return which sums different numbers of the deck make: first with fewer than seven of them, then with seven."""
    sums = [0] * ((FLIP7 + 1) * WIDTH)  # sums[count * WIDTH + sum]: can `count` numbers add up to `sum`?
    sums[0] = 1
    for number in range(TWELVE + 1):
        if deck[number] > 0:
            for count in range(FLIP7 - 1, -1, -1):
                for total in range(WIDTH - number):
                    if sums[count * WIDTH + total] > 0:
                        sums[(count + 1) * WIDTH + total + number] = 1
    found = [0] * (2 * WIDTH)
    for count in range(FLIP7 + 1):
        for total in range(WIDTH):
            if sums[count * WIDTH + total] > 0:
                found[total + (WIDTH if count == FLIP7 else 0)] = 1
    return found


def bonus_sums(deck: list[int]) -> list[int]:
    """Return which sums the +N cards of the deck make."""
    most = 0
    for card in range(PLUS2, X2):
        most += deck[card] * plus(card)
    bonuses = [0] * (most + 1)
    bonuses[0] = 1
    for card in range(PLUS2, X2):
        for _ in range(deck[card]):
            for bonus in range(most - plus(card), -1, -1):
                if bonuses[bonus] > 0:
                    bonuses[bonus + plus(card)] = 1
    return bonuses
