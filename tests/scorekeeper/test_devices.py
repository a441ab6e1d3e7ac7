"""Three phones, one of them with two tabs, with and without a network: all end with one sheet, and nothing is lost.

The recount here knows nothing of the model: it keeps what each device said, and adds up by hand.
"""

from __future__ import annotations

import itertools
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

import flip7
from flip7.scorekeeper.model.operations import Enter, Live, Step

DEVICES = ("one~a", "one~b", "two", "three")
PLAYERS = ("Ana", "Ben", "Cho")
who = st.integers(0, len(DEVICES) - 1)
deeds = st.lists(
    st.one_of(
        st.tuples(st.just("hand"), who, st.integers(0, 2), st.integers(2, 60)),
        st.tuples(st.just("hand"), who, st.integers(0, 2), st.integers(2, 60)),
        st.tuples(st.just("edit"), who, st.integers(0, 2), st.integers(2, 60)),
        st.tuples(st.just("undo"), who, st.just(0), st.just(0)),
        st.tuples(st.just("redo"), who, st.just(0), st.just(0)),
        st.tuples(st.just("meet"), who, who, st.just(0)),
        st.tuples(st.just("rename"), who, st.integers(0, 2), st.integers(0, 99)),
    ),
    max_size=30,
)


def phones() -> list[flip7.Match]:
    first = flip7.Match(PLAYERS, target=1_000_000, device=DEVICES[0])
    return [first] + [flip7.Match.from_operations(first.id, first.operations, device=name) for name in DEVICES[1:]]


def do(matches: list[flip7.Match], deed: tuple[Any, ...]) -> None:
    kind, device, one, number = deed
    match = matches[device]
    try:
        if kind == "hand":
            match.enter_some({one: number})
        elif kind == "edit":
            match.edit_some(len(match.rounds) - 1, {one: number})
        elif kind == "rename":
            match.rename(one, f"Name {number}")
        elif kind == "meet":
            match.merge(matches[one])
        elif kind == "undo":
            match.undo()
        else:
            match.redo()
    except flip7.MatchError:
        pass


def everybody_meets(matches: list[flip7.Match]) -> None:
    for match, other in itertools.permutations(matches, 2):
        match.merge(other)


def recount(match: flip7.Match) -> list[int]:
    """Add up the latest hand that counts for each player and round, as far as rounds are complete."""
    gone: set[str] = set()
    hands: dict[tuple[int, str], int] = {}
    for operation in match.operations:
        what = getattr(operation, "what", "")
        if type(operation).__name__ == "Undo":
            gone.add(what)
        elif type(operation).__name__ == "Redo":
            gone.discard(what)
    replaced = {
        (name, player, operation.round)
        for operation in match.operations
        if isinstance(operation, Enter) and operation.id not in gone
        for player in operation.entries
        for name in operation.over
    }
    for operation in match.operations:
        if isinstance(operation, Enter) and operation.id not in gone:
            for player, points in operation.entries.items():
                if (operation.id, player, operation.round) not in replaced:
                    assert isinstance(points, int)
                    hands[operation.round, player] = points
    totals = [0, 0, 0]
    for number in itertools.count():
        if not all((number, str(seat)) in hands for seat in range(3)):
            return totals
        for seat in range(3):
            totals[seat] += hands[number, str(seat)]
    raise AssertionError


@settings(deadline=None, max_examples=60)
@given(deeds)
def test_any_order_of_steps_and_meetings_leaves_all_devices_with_the_same_sheet(taken: list[tuple[Any, ...]]) -> None:
    matches = phones()
    made = {operation.id for operation in matches[0].operations}
    for deed in taken:
        do(matches, deed)
        made |= {operation.id for match in matches for operation in match.operations}
    everybody_meets(matches)
    for match in matches:
        assert match.to_json() == matches[0].to_json()
        assert {operation.id for operation in match.operations} == made, "something was lost"
        assert match.totals == recount(match)
        assert [conflict.text for conflict in match.conflicts] == [one.text for one in matches[0].conflicts]


@settings(deadline=None, max_examples=60)
@given(deeds)
def test_undo_takes_back_only_what_the_same_device_entered(taken: list[tuple[Any, ...]]) -> None:
    matches = phones()
    for deed in taken:
        do(matches, deed)
    everybody_meets(matches)
    by_id = {operation.id: operation for operation in matches[0].operations}
    for operation in by_id.values():
        what = getattr(operation, "what", None)
        if what is not None:
            assert by_id[what].device.partition("~")[0] == operation.device.partition("~")[0]


def test_two_tabs_of_one_browser_never_overwrite_each_other() -> None:
    """Both enter at the same moment: each has its own name, so that both entries stay."""
    one, tab, *_ = phones()
    one.enter_some({0: 10})
    tab.enter_some({1: 20})
    one.merge(tab)
    tab.merge(one)
    one.enter_some({2: 30})
    tab.merge(one)
    assert one.rounds == tab.rounds == [[10, 20, 30]]
    assert one.conflicts == ()


def dealt(match: flip7.Match, *cards: str) -> None:
    for card in cards:
        assert match.live is not None
        match.live.card(card)


def test_a_live_round_on_one_phone_and_entries_on_another_are_one_round_with_a_conflict() -> None:
    one, _, two, _ = phones()
    dealt(one, "9", "12", "11")
    for _ in range(3):
        assert one.live is not None
        one.live.stay()
    assert one.rounds == [[11, 9, 12]]
    two.enter([11, 9, 40])
    one.merge(two)
    two.merge(one)
    assert len(one.rounds) == 1
    (conflict,) = one.conflicts
    assert (conflict.seat, {str(choice) for choice in conflict.choices}) == (2, {"40", "[<Card.N12: '12'>]"})
    one.resolve(conflict, next(at for at, choice in enumerate(conflict.choices) if choice == 40))
    two.merge(one)
    assert two.rounds == [[11, 9, 40]]
    assert two.conflicts == ()


def test_a_round_that_was_entered_while_it_was_followed_elsewhere_says_so() -> None:
    one, _, two, _ = phones()
    dealt(one, "9", "12")
    two.enter([11, 9, 40])
    one.merge(two)
    assert [conflict.kind for conflict in one.conflicts] == ["live"]
    one.resolve(one.conflicts[0], 0)
    assert one.conflicts == ()


def test_the_same_card_tapped_on_two_phones_is_one_card_and_different_ones_are_a_question() -> None:
    one, _, two, _ = phones()
    dealt(one, "9", "12")
    dealt(two, "9", "12", "11")
    one.merge(two)
    assert one.live is not None
    assert [step.step.card for step in one.live.steps] == ["9", "12", "11"]
    one.live.card("5")
    two.merge(one)
    dealt(one, "3")
    dealt(two, "4")
    one.merge(two)
    two.merge(one)
    (conflict,) = one.conflicts
    assert (conflict.kind, len(conflict.choices)) == ("step", 2)
    one.resolve(conflict, 0)
    two.merge(one)
    assert two.conflicts == ()
    assert two.live is not None
    assert one.live.steps[-1].step == two.live.steps[-1].step


def test_live_undo_takes_back_the_live_step_and_leaves_a_rename_alone() -> None:
    one, _, two, _ = phones()
    dealt(one, "9", "12")
    two.rename(0, "Anna")
    one.merge(two)
    dealt(one, "11")
    assert one.undo() == "11 for Anna"
    assert one.players[0] == "Anna"
    assert one.live is not None
    assert len(one.live.steps) == 2
    one.redo()
    for _ in range(3):
        assert one.live is not None
        one.live.stay()
    assert one.rounds == [[11, 9, 12]]
    assert one.undo() == "that Anna stayed"
    assert one.rounds == []
    one.redo()
    assert one.rounds == [[11, 9, 12]]


def test_a_card_five_back_is_mended_where_it_is_and_what_no_longer_fits_is_marked() -> None:
    match = phones()[0]
    dealt(match, "9", "12", "11", "2", "3", "4")
    live = match.live
    assert live is not None
    wrong = live.steps[1]
    assert isinstance(match.operations[2], Live)
    live.mend(wrong.id, [Step("card", wrong.step.player, flip7.Card.N3)])
    assert [step.mark for step in live.steps] == ["", "", "", "", "", ""]
    assert live.position.seats[2].status == "busted"
    live.mend(wrong.id, [])
    assert [step.mark for step in live.steps] == ["", "to", "to", "to", "to"]
    assert match.undo() == "the mending of a card"
    assert live.position.seats[2].status == "busted"


def test_live_starts_with_the_cards_that_are_known() -> None:
    match = phones()[0]
    match.enter([["12", "x2"], ["5"], "bust"])
    assert match.live is not None
    assert match.live.estimate
    assert match.live.position.draw_pile[flip7.Card.X2] == 0
    match.live.card("x2")
    followed = phones()[0]
    dealt(followed, "9", "12", "11")
    for _ in range(3):
        assert followed.live is not None
        followed.live.stay()
    assert followed.live is not None
    assert not followed.live.estimate
    assert sum(followed.live.position.draw_pile.values()) == 91


def test_a_correction_of_an_earlier_round_leaves_the_running_one_alone() -> None:
    match = phones()[0]
    match.enter([10, 20, 30])
    dealt(match, "9", "12")
    match.edit(0, [11, 20, 30])
    match.rename(1, "Benno")
    again = flip7.Match.from_json(match.to_json(), device="one~a")
    assert again.live is not None
    assert [step.step.card for step in again.live.steps] == ["9", "12"]
