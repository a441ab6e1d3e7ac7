"""Two strategies of one's own: `flip7 sim examples/my_bots.py:Bold ev --games 20000`."""

from flip7 import Card, Position, odds


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
