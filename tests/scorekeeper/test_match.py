"""A match: entering, correcting, and refusing."""

import json

import pytest

import flip7
from flip7.scorekeeper.hands import Entry


def three(*rounds: list[Entry], dealer: int = 0) -> flip7.Match:
    match = flip7.Match(["Ana", "Ben", "Cho"], dealer=dealer)
    for entries in rounds:
        match.enter(entries)
    return match


def test_the_example_of_the_guide() -> None:
    match = flip7.Match(["Ana", "Ben", "Cho"], target=200, dealer=0)
    match.enter([["3", "11", "5", "7", "10", "x2"], 24, "bust"])
    assert (match.totals, match.rounds, match.dealer) == ([72, 24, 0], [[72, 24, 0]], 1)
    assert (match.leader, match.winner, match.playoff) == (0, None, False)
    match.edit(0, [36, 24, 0])
    assert match.totals == [36, 24, 0]
    match.undo()
    assert match.totals == [72, 24, 0]
    match.redo()
    assert match.totals == [36, 24, 0]
    assert flip7.score(["3", "11", "5", "7", "10", "9", "4"], decks=1) == 64


@pytest.mark.parametrize(
    ("cards", "decks", "points"),
    [
        ([], 1, 0),
        (["x2"], 1, 0),
        (["+2", "+10"], 1, 12),
        (["0", "12", "x2", "+4"], 1, 28),
        (["6", "7", "8", "9", "10", "11", "12", "x2", "+2", "+4", "+6", "+8", "+10"], 1, 171),
        (["5", "x2", "x2", "+4", "+4"], 2, 18),
        ([flip7.Card.N5, "second", "flip3", "freeze"], 1, 5),
    ],
)
def test_hands_are_worth_what_the_rules_say(cards: list[str], decks: int, points: int) -> None:
    assert flip7.score(cards, decks) == points


@pytest.mark.parametrize(
    ("cards", "decks", "reason"),
    [
        (["7", "7"], 2, "7 twice"),
        (["0", "1", "2", "3", "4", "5", "6", "7"], 1, "eighth number"),
        (["x2", "x2"], 1, "no x2 is left: the deck has 1"),
        (["+4", "+4", "+4"], 2, "the 2 decks have 2"),
        (["second", "second"], 1, "two Second Chances"),
        (["freeze", "freeze"], 1, "frozen twice"),
        (["freeze", "0", "1", "2", "3", "4", "5", "6"], 1, "Flip 7 and a Freeze"),
        (["0", "1", "2", "3", "4", "5", "6", "freeze"], 1, "Flip 7 and a Freeze"),
        (["13"], 1, "'13' is no card"),
        ([7], 1, "7 is no card"),
        ("77", 1, "an entry is a list"),
        ("bust", 1, "is no hand"),
        (7, 1, "is no hand"),
        (None, 1, "an entry is a list"),
        (["7"], 0, "from 1 to 9"),
        (["7"], True, "from 1 to 9"),
    ],
)
def test_impossible_hands_are_refused_with_the_reason(cards: list[str], decks: int, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        flip7.score(cards, decks)


@pytest.mark.parametrize(
    ("entries", "reason"),
    [
        ([1, 2], "2 entries for 3 players: Ana, Ben, Cho"),
        ([1, 2, 3, 4], "4 entries for 3 players"),
        (["7", 2, 3], "Ana: '7': an entry is a list of cards, a whole number of points, or 'bust'"),
        ([1, 2.5, 3], r"Ben: 2\.5"),
        ([1, 2, False], "Cho: False"),
        ([1, 2, None], "Cho: None"),
        ([1, 2, [3]], "Cho: 3 is no card"),
        ([1, 2, ["seven"]], "Cho: 'seven' is no card"),
        ([1, -2, 3], "Ben: -2 points"),
        ("bust", "a list is needed"),
        (7, "a list is needed"),
    ],
)
def test_a_bad_round_is_refused_at_its_place_and_nothing_is_entered(entries: list[Entry], reason: str) -> None:
    match = three([5, 6, 7])
    before = match.to_json()
    with pytest.raises(flip7.MatchError, match=reason):
        match.enter(entries)
    with pytest.raises(flip7.MatchError, match=reason):
        match.edit(0, entries)
    assert match.to_json() == before


def test_players_targets_and_dealers_that_cannot_be_are_refused() -> None:
    for players, options, reason in [
        ([], {}, "0 players"),
        (37, {}, "37 players"),
        (["Ana", ""], {}, "name of seat 1"),
        (3, {"target": 0}, "target 0"),
        (3, {"dealer": 3}, "dealer 3"),
        (3, {"decks": 0}, "decks 0"),
        (3, {"date": "today"}, "date 'today'"),
        (3, {"device": "a b"}, "device 'a b'"),
    ]:
        with pytest.raises(flip7.MatchError, match=reason):
            flip7.Match(players, **options)  # type: ignore[arg-type]


def test_a_late_player_starts_with_the_agreed_score_and_is_dealt_in_at_their_place() -> None:
    match = three([10, 20, 30])
    assert match.add("Dan", 15, after=0) == 1
    assert match.players == ("Ana", "Dan", "Ben", "Cho")
    assert match.totals == [10, 15, 20, 30]
    assert match.dealer == 1
    match.enter([1, 2, 3, 4])
    assert match.rounds == [[10, None, 20, 30], [1, 2, 3, 4]]
    assert match.totals == [11, 17, 23, 34]
    match.edit(0, [5, 5, 5])
    assert match.totals == [6, 17, 8, 9]


def test_the_first_dealer_stays_the_same_person_when_somebody_sits_down_before_them() -> None:
    match = three(dealer=1)
    match.add("Dan", after=0)
    assert match.players[match.dealer] == "Ben"


def test_a_late_player_is_part_of_no_decision_about_earlier_rounds() -> None:
    match = three([100, 100, 0], [100, 100, 0])
    match.add("Dan", 300)
    assert (match.playoff, match.winner) == (True, None)
    match.enter([1, 0, 0, 0])
    assert match.winner == 3


def test_whoever_leaves_keeps_their_points_gets_no_cards_and_cannot_win() -> None:
    match = three([100, 50, 60], [99, 50, 60], dealer=2)
    match.retire(0)
    assert match.present == (1, 2)
    assert match.dealer == 1
    assert match.leader == 2
    match.enter([90, 80])
    assert match.rounds[-1] == [None, 90, 80]
    assert match.totals == [199, 190, 200]
    assert match.winner == 2


def test_somebody_who_left_can_come_back() -> None:
    match = three([10, 10, 10])
    match.retire(1)
    match.enter([3, 3])
    with pytest.raises(flip7.MatchError, match="Ben has left"):
        match.retire(1)
    match.rejoin(1)
    match.enter([2, 2, 2])
    match.retire(1)
    match.rejoin(1)
    assert match.present == (0, 1, 2)
    assert match.totals == [15, 12, 15]
    with pytest.raises(flip7.MatchError, match="already"):
        match.rejoin(1)


def test_the_last_player_stays() -> None:
    match = flip7.Match(["Ana"])
    with pytest.raises(flip7.MatchError, match="last at the table"):
        match.retire(0)


def test_a_tie_is_decided_when_one_of_the_tied_leaves() -> None:
    match = three([100, 100, 0], [100, 100, 0])
    match.retire(0)
    assert match.winner == 1


def test_names_target_and_dealer_can_be_changed_at_any_time() -> None:
    match = three([100, 20, 0], [60, 20, 0])
    match.rename(0, "Anna")
    match.change_target(150)
    assert match.players[0] == "Anna"
    assert match.winner == 0
    match.change_target(250)
    match.change_dealer(1)
    assert match.dealer == 1
    match.enter([0, 0, 0])
    assert match.dealer == 2
    with pytest.raises(flip7.MatchError, match="seat 3"):
        match.rename(3, "x")
    with pytest.raises(flip7.MatchError, match="name ' '"):
        match.rename(0, " ")
    with pytest.raises(flip7.MatchError, match="target 0"):
        match.change_target(0)


def test_a_round_that_was_none_is_removed_and_the_deal_with_it() -> None:
    match = three([4, 4, 4], [2, 2, 2], [3, 3, 3])
    assert match.dealer == 0
    match.remove(1)
    assert match.rounds == [[4, 4, 4], [3, 3, 3]]
    assert match.dealers == [0, 1]
    match.edit(1, [4, 4, 4])
    match.undo()
    match.undo()
    assert match.totals == [9, 9, 9]


def test_hands_can_come_in_one_by_one() -> None:
    match = three()
    match.enter_some({1: ["12", "x2"]})
    assert match.rounds == []
    assert match.open_round == [None, ("12", "x2"), None]
    with pytest.raises(flip7.MatchError, match="Cho: no x2 is left"):
        match.enter_some({2: ["x2"]})
    match.enter_some({2: "bust", 0: 7})
    assert match.rounds == [[7, 24, 0]]
    with pytest.raises(flip7.MatchError, match="nothing to enter"):
        match.enter_some({})


def test_undo_and_redo_go_through_everything_and_a_new_entry_ends_redo() -> None:
    match = three()
    with pytest.raises(flip7.MatchError, match="nothing to take back"):
        match.undo()
    match.enter([1, 2, 3])
    match.rename(0, "Ann")
    match.undo()
    match.undo()
    assert (match.players[0], match.rounds, match.can_undo) == ("Ana", [], False)
    match.redo()
    match.redo()
    assert (match.players[0], match.rounds) == ("Ann", [[1, 2, 3]])
    match.undo()
    match.enter([4, 5, 6])
    assert not match.can_redo
    with pytest.raises(flip7.MatchError, match="nothing was taken back"):
        match.redo()


def test_the_challenge_of_one_and_two_players() -> None:
    quick = flip7.Match(2)
    for _ in range(4):
        quick.enter([50, 0])
    assert quick.challenge is True
    slow = flip7.Match(1)
    for _ in range(5):
        slow.enter([40])
    assert slow.challenge is False
    assert three([171, 0, 0], [40, 0, 0]).challenge is None


def test_files_round_trip_and_say_what_is_wrong_with_them() -> None:
    match = three([["12", "x2"], 24, "bust"])
    match.rename(0, "Zoë 🂡")
    text = match.to_json()
    again = flip7.Match.from_json(text)
    assert again == match
    assert again.to_json() == text
    assert flip7.Match.from_json(text.encode()) == match
    for damaged, reason in [
        ("", "no match, or it is damaged"),
        (text[:-10], "damaged"),
        ("[]", "no match"),
        ("{}", "no match"),
        (text.replace('"version": 2', '"version": 3'), "version 3 is newer than this program"),
        (text.replace('"version": 2', '"version": 0'), "versions start with 1"),
        (text.replace("flip7 match", "flip8 match"), "format 'flip8 match'"),
        (text.replace('"1":24', '"1":25'), "its rounds are .* but its operations give"),
        (text.replace('"1":24', '"1":202'), "no hand makes 202"),
        (text.replace('"1":24', '"1":true'), "damaged"),
        (text.replace('["12","x2"]', '["12","12"]'), "12 twice"),
        (text.replace('"kind":"start"', '"kind":"begin"'), "damaged"),
        (text.replace('"kind":"enter"', '"kind":"entre"'), "damaged"),
        (text.replace('"clock":2', '"clock":1'), "same id"),
        (json.dumps({**json.loads(text), "operations": []}), "sets the match up"),
        (17, "a match is text, not int"),
    ]:
        assert damaged != text
        with pytest.raises(flip7.MatchFileError, match=reason):
            flip7.Match.from_json(damaged)  # type: ignore[arg-type]
    assert issubclass(flip7.MatchFileError, ValueError)
