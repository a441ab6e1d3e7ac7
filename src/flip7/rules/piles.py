"""Where the cards lie: in front of seats, on the discard pile, in the draw pile. Only here do they move."""

from flip7.rules import log, rulings
from flip7.rules.cards import FACES, PLUS2, PLUS10, SECOND, TWELVE
from flip7.rules.log import note
from flip7.rules.table import NOBODY, NOTHING, Table


def place(table: Table, seat: int, card: int) -> None:
    """Lay a card in front of a seat."""
    if card <= TWELVE:
        if table.hands[seat][card] == 0:
            table.lines[seat][table.different[seat]] = card
            table.different[seat] += 1
            table.sums[seat] += card
        else:
            table.lines[seat][table.different[seat]] = card  # NUM-2: the duplicate lies beside its twin
    elif PLUS2 <= card <= PLUS10:
        table.bonuses[seat] += plus(card)
    table.hands[seat][card] += 1
    table.held[seat] += 1
    table.shown[card] += 1
    if card != SECOND:
        table.idle = 0  # DECK-4


def plus(card: int) -> int:
    """Return what a +N card adds to a hand."""
    return 2 * (card - PLUS2 + 1)


def throw(table: Table, card: int, seat: int, ruling: int) -> None:
    """Put a card that lies in front of nobody on the discard pile."""
    table.discard[card] += 1
    table.discard_left += 1
    note(table, log.CARD_DISCARDED, seat, card, NOTHING, ruling)


def throw_pending(table: Table, ruling: int) -> None:
    """Discard everything that is set aside, or handed out and not yet resolved."""
    throw_aside(table, ruling)
    while table.stack_count > 0:
        table.stack_count -= 1
        throw(table, table.stack_card[table.stack_count], NOBODY, ruling)


def throw_aside(table: Table, ruling: int) -> None:
    """Discard what has been set aside in the present Flip Three."""
    for i in range(table.aside_count):
        throw(table, table.aside[i], table.seat, ruling)
    table.aside_count = 0
    table.handed = 0


def collect(table: Table) -> None:
    """Clear all seats: what lies in front of them goes to the discard pile (END-3, SC-5)."""
    for seat in range(table.seats):
        table.discard_left += table.held[seat]
        table.held[seat] = 0
        table.different[seat] = 0
        table.sums[seat] = 0
        table.bonuses[seat] = 0
        for card in range(FACES):
            table.hands[seat][card] = 0
    for card in range(FACES):
        table.discard[card] += table.shown[card]
        table.shown[card] = 0


def reshuffle(table: Table) -> None:
    """Turn the discard pile into the draw pile (DECK-1)."""
    for card in range(FACES):
        table.draw[card] += table.discard[card]
        table.discard[card] = 0
    table.draw_left += table.discard_left
    table.discard_left = 0
    table.shuffles += 1
    note(table, log.DECK_RESHUFFLED, NOBODY, NOTHING, table.draw_left, rulings.DECK_1)
