"""Several devices keep one match: nothing is lost, and what they disagree on is shown."""

import pytest

import flip7


def two_phones() -> tuple[flip7.Match, flip7.Match]:
    one = flip7.Match(["Ana", "Ben", "Cho"], device="one")
    return one, flip7.Match.from_json(one.to_json(), device="two")


def meet(one: flip7.Match, two: flip7.Match) -> None:
    one.merge(two)
    two.merge(one)
    assert one == two
    assert (one.totals, one.conflicts) == (two.totals, two.conflicts)


def shown(match: flip7.Match) -> list[str]:
    return [conflict.text for conflict in match.conflicts]


def test_the_same_round_entered_twice_with_the_same_points_is_no_conflict() -> None:
    one, two = two_phones()
    one.enter([["7", "x2"], 20, 0])
    two.enter([14, 20, "bust"])
    meet(one, two)
    assert one.rounds == [[14, 20, 0]]
    assert shown(one) == []


def test_different_entries_are_both_kept_until_one_is_chosen() -> None:
    one, two = two_phones()
    one.enter([10, 20, 30])
    two.enter([10, 21, 30])
    meet(one, two)
    (conflict,) = one.conflicts
    assert (conflict.round, conflict.seat, conflict.choices) == (0, 1, (20, 21))
    assert "Ben in round 1: 20, 21" in conflict.text
    one.resolve(conflict, 0)
    meet(one, two)
    assert shown(one) == []
    assert two.rounds == [[10, 20, 30]]
    with pytest.raises(flip7.MatchError, match="no such conflict"):
        one.resolve(conflict, 1)
    one.undo()
    assert shown(one) == [conflict.text]


def test_an_edit_settles_a_conflict_too() -> None:
    one, two = two_phones()
    one.enter([10, 20, 30])
    two.enter([11, 21, 31])
    meet(one, two)
    assert len(shown(one)) == 3
    two.edit(0, [12, 22, 32])
    meet(one, two)
    assert shown(one) == []
    assert one.totals == [12, 22, 32]


def test_hands_of_one_round_from_two_phones_make_it_complete() -> None:
    one, two = two_phones()
    one.enter_some({0: 10})
    two.enter_some({1: 20, 2: "bust"})
    meet(one, two)
    assert one.rounds == [[10, 20, 0]]
    assert shown(one) == []


def test_hands_that_cannot_be_together_are_kept_and_shown() -> None:
    one, two = two_phones()
    one.enter_some({0: ["x2", "5"]})
    two.enter_some({1: ["x2", "6"], 2: 0})
    meet(one, two)
    (conflict,) = one.conflicts
    assert conflict.text.startswith("round 1 cannot be: Ben: no x2 is left")
    assert one.totals == [10, 12, 0]
    one.edit_some(0, {1: 6})
    assert shown(one) == []


def test_a_correction_on_one_phone_and_a_new_round_on_the_other_go_together() -> None:
    one, two = two_phones()
    one.enter([10, 20, 30])
    meet(one, two)
    one.edit(0, [11, 20, 30])
    two.enter([3, 3, 3])
    meet(one, two)
    assert one.rounds == [[11, 20, 30], [3, 3, 3]]
    assert shown(one) == []


def test_undo_in_two_tabs_takes_back_one_thing() -> None:
    """Undo goes by device, whichever of its tabs made the entry."""
    one, _ = two_phones()
    tab = flip7.Match.from_operations(one.id, one.operations, device="one~second")
    one.enter([10, 20, 30])
    one.enter([1, 2, 3])
    meet(one, tab)
    assert tab.undo() == "1 points for Ana, 2 points for Ben, 3 points for Cho in round 2"
    one.undo()
    meet(one, tab)
    assert one.rounds == [[10, 20, 30]]


def test_undo_takes_back_what_this_device_entered_and_says_what_it_was() -> None:
    one, two = two_phones()
    one.enter([10, 33, 30])
    meet(one, two)
    with pytest.raises(flip7.MatchError, match="nothing to take back"):
        two.undo()
    two.rename(0, "Anna")
    meet(one, two)
    assert one.undo() == "10 points for Anna, 33 points for Ben, 30 points for Cho in round 1"
    assert one.players[0] == "Anna"
    two.change_target(90)
    meet(one, two)
    assert one.can_redo, "what another device enters does not end redo here"
    one.redo()
    assert one.rounds == [[10, 33, 30]]


def test_a_match_read_without_a_device_takes_back_anybodys_last_step() -> None:
    one, two = two_phones()
    one.enter([10, 20, 30])
    meet(one, two)
    two.rename(0, "Anna")
    meet(one, two)
    read = flip7.Match.from_json(one.to_json())
    assert read.undo() == "the name Anna"
    read.undo()
    assert read.rounds == []


def test_a_round_without_the_player_who_came_meanwhile_waits_for_their_hand() -> None:
    one, two = two_phones()
    one.add("Dan", 40)
    two.enter([1, 2, 3])
    two.enter([4, 5, 6])
    meet(one, two)
    assert one.rounds == []
    assert "round 1 is not complete" in one.conflicts[0].text
    one.enter_some({3: 7})
    one.enter_some({3: 8})
    assert one.rounds == [[1, 2, 3, 7], [4, 5, 6, 8]]
    assert shown(one) == []


def test_names_and_targets_that_differ_are_conflicts() -> None:
    one, two = two_phones()
    one.rename(0, "Anna")
    two.rename(0, "Anne")
    one.change_target(100)
    two.change_target(300)
    meet(one, two)
    by_seat = {conflict.seat: conflict for conflict in one.conflicts}
    assert by_seat[0].choices == ("Anna", "Anne")
    assert by_seat[None].choices == (100, 300)
    one.resolve(by_seat[0], 0)
    one.resolve(by_seat[None], 1)
    assert shown(one) == []
    assert (one.players[0], one.target) == ("Anna", 300)
    with pytest.raises(flip7.MatchError, match="no such conflict"):
        one.resolve(by_seat[None], 0)


def test_another_match_or_forged_operations_are_refused() -> None:
    one, _ = two_phones()
    with pytest.raises(flip7.MatchError, match="another one"):
        one.merge(flip7.Match(3))
    other = flip7.Match(["Eve", "Ben", "Cho"], device="one", id=one.id)
    before = one.to_json()
    with pytest.raises(flip7.MatchError, match="set up only once"):
        one.merge(other)
    assert one.to_json() == before


def test_merging_what_is_known_changes_nothing() -> None:
    one, two = two_phones()
    one.enter([10, 20, 30])
    assert two.merge(one)
    assert not two.merge(one)
    assert not one.merge(two.operations)


def test_two_phones_can_send_everybody_away_and_bring_somebody_back() -> None:
    one, two = two_phones()
    one.retire(0)
    one.retire(1)
    two.retire(2)
    meet(one, two)
    assert (one.present, one.leader, one.winner) == ((), None, None)
    one.rejoin(1)
    one.enter([12])
    assert one.totals == [0, 12, 0]
