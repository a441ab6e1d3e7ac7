"""KEEP-1 to KEEP-4: scorekeeping at a real table."""

import json

import pytest

import flip7
from flip7.scorekeeper.hands import Entry


def match_of(*rounds: list[Entry], players: int = 3, target: int = 200, dealer: int = 0) -> flip7.Match:
    match = flip7.Match(players, target=target, dealer=dealer)
    for entries in rounds:
        match.enter(entries)
    return match


@pytest.mark.ruling("KEEP-1")
def test_cards_points_and_busts_become_running_totals_and_the_deal_moves_on() -> None:
    """Round by round, each player's cards or points are entered, and totals, dealer, ties and playoffs follow."""
    match = match_of([["3", "11", "5", "7", "10", "x2"], 24, "bust"], dealer=1)
    assert match.rounds == [[72, 24, 0]]
    assert match.dealer == 2
    match.enter([["+4", "x2"], "bust", ["0", "1", "2", "3", "4", "5", "6"]])
    assert match.totals == [76, 24, 36]
    assert match.dealer == 0
    assert match.leader == 0


@pytest.mark.ruling("KEEP-1")
def test_a_tie_at_the_target_is_played_off_by_everybody() -> None:
    """Ties and playoffs follow the rulings: GAME-2 lets anyone win the playoff round."""
    match = match_of([100, 100, 60], [100, 100, 100])
    assert (match.playoff, match.leader, match.winner) == (True, None, None)
    match.enter([0, 0, 60])
    assert (match.playoff, match.leader, match.winner) == (False, 2, 2)
    assert match.playoffs == [2]


@pytest.mark.ruling("KEEP-2")
def test_the_record_keeps_target_rounds_totals_winner_and_playoffs() -> None:
    """The match record keeps the target, every round's scores, the final totals, the winner and any playoffs."""
    match = match_of([100, 100, 60], [100, 100, 100], [0, 1, 0])
    record = json.loads(match.to_json())["record"]
    assert record["target"] == 200
    assert record["rounds"] == [[100, 100, 60], [100, 100, 100], [0, 1, 0]]
    assert record["totals"] == [200, 201, 160]
    assert record["winner"] == 1
    assert record["playoffs"] == [2]


@pytest.mark.ruling("KEEP-3")
def test_nothing_more_is_entered_after_a_winner() -> None:
    """After a winner nothing more is entered unless a correction takes the win back."""
    match = match_of([100, 20, 0], [100, 20, 0])
    assert match.winner == 0
    with pytest.raises(ValueError, match="Player 1 has won"):
        match.enter([0, 0, 0])
    assert len(match.rounds) == 2
    match.edit(1, [99, 20, 0])
    assert match.winner != 0
    match.enter([0, 0, 0])
    assert len(match.rounds) == 3


@pytest.mark.ruling("KEEP-3")
def test_the_winner_follows_from_the_last_totals_and_the_current_target_alone() -> None:
    """Whatever earlier totals were: a correction that makes somebody pass the target earlier ends nothing there."""
    match = match_of([50, 20, 0], [50, 20, 0], [20, 20, 0])
    match.edit(0, [50, 100, 0])
    match.change_target(130)
    assert match.history[1] == [100, 120, 0]
    assert match.winner == 1
    match.change_target(141)
    assert match.winner != 1
    match.edit(0, [120, 21, 0])
    assert match.winner == 0


@pytest.mark.ruling("KEEP-4")
def test_a_round_has_at_most_one_flip_7() -> None:
    """A round has at most one Flip 7, entered as cards or as points that only a Flip 7 makes."""
    seven = ["12", "11", "10", "9", "8", "7", "6"]
    for second in (["12", "11", "10", "9", "8", "7", "5"], 171):
        match = flip7.Match(2)
        with pytest.raises(ValueError, match=r"Player 2: .*at most one \(KEEP-4\)"):
            match.enter([seven, second])
        assert match.rounds == []
    match_of([seven, 88], players=2)


@pytest.mark.ruling("KEEP-4")
def test_the_hands_of_a_round_have_no_more_copies_of_a_card_than_the_decks() -> None:
    """The hands of a round entered as cards cannot hold more copies of a card than the decks have."""
    with pytest.raises(ValueError, match="no x2 is left"):
        match_of([["x2", "5"], ["x2"], 0])
    match_of([["2"], ["2"], 0])
    with pytest.raises(ValueError, match="no 2 is left"):
        match_of([["2"], ["2"], ["2"]])
    match_of([["x2"], ["x2"], *[0] * 17], players=19)


@pytest.mark.ruling("KEEP-4")
@pytest.mark.parametrize("points", [-1, 172, 146, 170, 10**9])
def test_points_that_no_hand_can_make_are_refused(points: int) -> None:
    """Points that no hand can make are refused, and nothing is entered."""
    match = flip7.Match(3)
    with pytest.raises(ValueError, match="Player 2: "):
        match.enter([5, points, 0])
    assert match.rounds == []
    assert match.totals == [0, 0, 0]


@pytest.mark.ruling("KEEP-4")
def test_the_points_that_can_be_made_are_those_of_all_hands() -> None:
    """Counted the long way: every set of at most seven numbers, with and without x2, with every set of +N."""
    from itertools import combinations

    from flip7.scorekeeper.hands import ways

    sums = {(n, sum(line)) for n in range(8) for line in combinations(range(13), n)}
    bonuses = {sum(chosen) for n in range(6) for chosen in combinations((2, 4, 6, 8, 10), n)}
    plain = {times * numbers + bonus for n, numbers in sums if n < 7 for times in (1, 2) for bonus in bonuses}
    seven = {times * numbers + bonus + 15 for n, numbers in sums if n == 7 for times in (1, 2) for bonus in bonuses}
    expected = [1 if points in plain else 2 if points in seven else 0 for points in range(max(seven) + 1)]
    assert list(ways(1)) == expected


@pytest.mark.ruling("KEEP-4")
def test_typed_hands_that_together_need_more_of_a_card_than_there_is_are_refused() -> None:
    """Typed hands that together need more of a card than there are, two that each need the x2, say."""
    match = flip7.Match(3)
    for entries, why in [
        ([120, 130, 0], "Player 2: no x2 is left for it"),
        ([["5", "x2"], 130, 0], "Player 2: no x2 is left for it"),
        ([130, ["5", "x2"], 0], "Player 2: no x2 is left for it"),
        ([1, 20, 1], "Player 3: no 1 is left for it"),
    ]:
        with pytest.raises(flip7.MatchError, match=why):
            match.enter(entries)  # type: ignore[arg-type]
    match.enter([130, 108, 1])
    match_of([130, 130, *[0] * 17], players=19)
