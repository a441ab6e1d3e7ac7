"""Strategies of one's own: `flip7 sim examples/my_bots.py:Bold ev --games 20000`."""

from flip7 import Card, Position, odds
from flip7.rules.agenda import may_get
from flip7.rules.chance import busting_cards, pile_size
from flip7.rules.scoring import points
from flip7.rules.table import Table


class Bold:
    """Goes for 32 points, or for the Flip 7 once five numbers are there."""

    def turn(self, position: Position) -> str:
        ask = position.decision
        assert ask is not None
        me = position.seats[ask.seat]
        if len(me.line) >= 5:
            return "hit"
        return "stay" if me.points >= 32 else "hit"

    def target(self, position: Position) -> int:
        """Freezes and Flip Threes go to the leader, a Second Chance to whoever is last."""
        ask = position.decision
        assert ask is not None
        seats = [option for option in ask.options if isinstance(option, int) and option != ask.seat]
        standing = {seat: position.seats[seat].total + position.seats[seat].points for seat in seats}
        if ask.card == Card.SECOND:
            return min(seats, key=standing.__getitem__)
        return max(seats, key=standing.__getitem__)


class Careful(Bold):
    """Hits while one more card brings at least so many points on average: `examples/my_bots.py:Careful:0.5`."""

    def __init__(self, gain: str = "1") -> None:
        self.gain = float(gain)

    def turn(self, position: Position) -> str:
        return "hit" if odds(position).gain >= self.gain else "stay"


class Quick:
    """Stays at 30 points, or at 20 when one card in four would bust. The two static methods can be compiled."""

    def turn(self, position: Position) -> str:
        return "hit" if self.wants_card(position.table) else "stay"

    def target(self, position: Position) -> int:
        return self.chosen_target(position.table)

    @staticmethod
    def wants_card(table: Table) -> bool:
        now = points(table, table.seat)
        if now >= 20 and 4 * busting_cards(table, table.seat) >= pile_size(table):
            return False
        return now < 30

    @staticmethod
    def chosen_target(table: Table) -> int:
        """Whoever of the others has the most points in this round."""
        best = table.seat
        most = -1
        for seat in range(table.seats):
            if seat != table.seat and may_get(table, table.card, seat) and points(table, seat) > most:
                best = seat
                most = points(table, seat)
        return best
