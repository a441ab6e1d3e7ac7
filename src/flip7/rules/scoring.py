"""What a hand is worth, and who has won."""

from flip7.rules.cards import X2
from flip7.rules.table import BUSTED, LEFT, NOBODY, Table

FLIP7 = 7  # different numbers
BONUS = 15
ROUNDS_OF_CHALLENGE = 5  # SOLO-1


def hand_points(numbers: int, bonuses: int, doubled: bool, different: int) -> int:
    """Return the points of a hand that has not busted (SCORE-1)."""
    points = numbers * 2 + bonuses if doubled else numbers + bonuses
    return points + BONUS if different >= FLIP7 else points


def points(table: Table, seat: int) -> int:
    """Return what `seat` would score if the round ended now."""
    worth = hand_points(table.sums[seat], table.bonuses[seat], table.hands[seat][X2] > 0, table.different[seat])
    return 0 if table.status[seat] >= BUSTED else worth


def active_points(table: Table, seat: int) -> int:
    """Return the points of a seat that is still active: it has neither busted nor made a Flip 7."""
    return hand_points(table.sums[seat], table.bonuses[seat], table.hands[seat][X2] > 0, 0)


def leader(table: Table) -> int:
    """Return the seat that alone has the highest total, or nobody. A seat that has left the table cannot lead."""
    best = NOBODY
    alone = False
    for seat in range(table.seats):
        if table.status[seat] != LEFT:
            if best == NOBODY or table.totals[seat] > table.totals[best]:
                best = seat
                alone = True
            elif table.totals[seat] == table.totals[best]:
                alone = False
    return best if alone else NOBODY


def target_reached(table: Table) -> bool:
    """Return whether any player at the table has the points that end the game (GAME-1)."""
    for seat in range(table.seats):
        if table.totals[seat] >= table.target and table.status[seat] != LEFT:
            return True
    return False


def challenge_met(rounds: int, playoffs: int) -> bool:
    """Return whether a game of one or two that took n rounds was quick enough (SOLO-1); playoffs do not count."""
    return rounds - playoffs < ROUNDS_OF_CHALLENGE
