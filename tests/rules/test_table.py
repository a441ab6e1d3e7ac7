"""The table: plain integers, copies that share nothing, and fields that hold what the compiled build can hold."""

from flip7 import Card, Game, Rules
from flip7.rules.table import ACTIONS, COPIES, LAYOUT, SEATS, Table
from flip7.testing import check_table


def test_every_field_has_its_shape() -> None:
    table = Table(3)
    for name, (_, shape) in LAYOUT.items():
        value = getattr(table, name)
        for size in shape:
            assert len(value) == (3 if size == SEATS else size), name
            value = value[0]
        assert isinstance(value, int), name


def test_a_copy_is_equal_until_one_of_them_goes_on() -> None:
    table = Game(3, seed=1).table
    for name, (_, shape) in LAYOUT.items():
        twin = table.copy()
        assert twin == table
        if not shape:
            setattr(twin, name, getattr(twin, name) + 1)
        elif len(shape) == 1:
            getattr(twin, name)[0] += 1
        else:
            getattr(twin, name)[0][0] += 1
        assert twin != table, name
    assert table != "a table"


def test_the_agenda_has_room_for_all_action_cards() -> None:
    """As many Flip Threes as a deck may have, each of which brings three more: nothing overflows."""
    game = Game(3, seed=1, rules=Rules(composition={Card("12"): 1, Card("flip3"): ACTIONS}))
    deepest = 0
    while game.decision is not None and not game.rounds:
        deepest = max(deepest, game.table.stack_count)
        check_table(game)
        game.play(game.decision.options[0])
    assert deepest > ACTIONS / 2


def test_the_widths_hold_the_limits() -> None:
    """Counts of copies fit 16 bits, faces and seats 8."""
    assert COPIES < 2**15
    assert SEATS < 2**8
