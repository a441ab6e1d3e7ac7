"""The five inputs of a table: `begin_round`, `hit`, `stay`, `give` and `reveal`.

Each expects the table to wait for just that and takes a legal value; whoever lets people in checks first. Each makes
its move, lets the agenda run, and leaves the table waiting for the next input.
"""

from flip7.rules.agenda import advance
from flip7.rules.moves import ask_for_card, leave, open_round, pass_card, turn_up
from flip7.rules.table import Table


def begin_round(table: Table) -> None:
    """Start the first round, or the next one after a round is over."""
    open_round(table)
    advance(table)


def hit(table: Table) -> None:
    """The seat that was asked takes a card (TURN-3)."""
    ask_for_card(table)
    advance(table)


def stay(table: Table) -> None:
    """The seat that was asked keeps its points and is out of the round (TURN-2)."""
    leave(table)
    advance(table)


def give(table: Table, target: int) -> None:
    """The seat that was asked gives the card on offer to `target`."""
    pass_card(table, target)
    advance(table)


def reveal(table: Table, card: int) -> None:
    """The next card has been turned up: it is `card`."""
    turn_up(table, card)
    advance(table)
