"""What a match refuses although each single entry looks right, and what it goes on counting correctly."""

from __future__ import annotations

import pytest

from flip7 import Match, MatchError
from flip7.game.options import TARGET
from flip7.scorekeeper.statistics import statistics

SEVEN = ["0", "1", "2", "3", "4", "5", "6"]
ONLY_SEVEN = 161
"""Points that no six numbers can make: 145 and more take a Flip 7."""


def ended() -> Match:
    match = Match(["Ana", "Ben", "Cho"], target=60)
    match.enter([100, 20, 30])
    assert match.winner == 0
    return match


@pytest.mark.parametrize("hands", [(ONLY_SEVEN, ONLY_SEVEN), (ONLY_SEVEN, SEVEN), (SEVEN, ONLY_SEVEN)])
def test_two_hands_that_both_need_a_flip_7_are_refused(hands: tuple[int | list[str], int | list[str]]) -> None:
    """KEEP-4, whichever comes first and whether they come together or one after the other."""
    match = Match(["Ana", "Ben", "Cho"])
    with pytest.raises(MatchError, match="Flip 7"):
        match.enter([*hands, "bust"])
    match.enter_some({0: hands[0]})
    with pytest.raises(MatchError, match="Flip 7"):
        match.enter_some({1: hands[1]})
    match.enter_some({1: "bust", 2: 20})
    assert len(match.rounds) == 1
    with pytest.raises(MatchError, match="Flip 7"):
        match.edit_some(0, {2: hands[1]})
    assert match.rounds[0][2] == 20


def test_after_the_end_nobody_comes_or_goes_and_nothing_is_entered() -> None:
    match = ended()
    before = match.operations
    for change in (
        lambda: match.add("Dan"),
        lambda: match.retire(1),
        lambda: match.enter([1, 2, 3]),
        lambda: match.enter_some({0: 5}),
    ):
        with pytest.raises(MatchError, match="Ana has won"):
            change()
    assert match.operations == before
    match.change_target(300)
    match.add("Dan")
    assert match.present == (0, 1, 2, 3)


def test_who_is_at_the_table_cannot_come_back_and_who_was_away_has_missed_just_those_rounds() -> None:
    match = Match(["Ana", "Ben", "Cho"])
    with pytest.raises(MatchError, match="Ben is at the table already"):
        match.rejoin(1)
    match.enter([10, 11, 12])
    match.retire(1)
    with pytest.raises(MatchError, match="Ben"):
        match.retire(1)
    match.enter([20, 21])
    match.enter([30, 31])
    match.rejoin(1)
    match.enter([1, 2, 3])
    match.retire(1)
    match.enter([4, 5])
    match.rejoin(1)
    assert [row[1] for row in match.rounds] == [11, None, None, 2, None]
    assert match.totals == [65, 13, 72]
    assert match.present == (0, 1, 2)


def test_who_leaves_and_comes_back_at_once_has_missed_nothing() -> None:
    match = Match(["Ana", "Ben"])
    match.enter([10, 11])
    match.retire(1)
    assert match.present == (0,)
    match.rejoin(1)
    match.enter([1, 2])
    assert [row[1] for row in match.rounds] == [11, 2]


def test_the_last_at_the_table_stays_and_a_full_table_takes_nobody() -> None:
    alone = Match(["Ana", "Ben"])
    alone.retire(0)
    with pytest.raises(MatchError, match="last at the table"):
        alone.retire(1)
    crowd = Match(36)
    with pytest.raises(MatchError, match="at most 36"):
        crowd.add("Dan")


def test_who_comes_late_plays_from_the_open_round_on_with_the_agreed_points() -> None:
    match = Match(["Ana", "Ben"])
    match.enter([10, 11])
    seat = match.add("Dan", 40, after=0)
    assert (seat, match.players) == (1, ("Ana", "Dan", "Ben"))
    match.enter([1, 2, 3])
    assert match.rounds == [[10, None, 11], [1, 2, 3]]
    assert match.totals == [11, 42, 14]
    for score in (-1, TARGET + 1):
        with pytest.raises(MatchError, match="score"):
            match.add("Eve", score)


def test_the_clock_goes_on_from_everything_that_was_seen() -> None:
    """Two devices: what is entered after a merge comes after all that was merged, also if the other was far ahead."""
    here = Match(["Ana", "Ben"], device="here")
    there = Match.from_json(here.to_json(), device="there")
    for score in (10, 20, 30):
        there.enter([score, score])
    here.enter_some({0: 9})
    here.merge(there)
    clocks = [operation.clock for operation in here.operations]
    here.rename(0, "Anna")
    newest = here.operations[-1]
    assert (newest.device, newest.clock) == ("here", max(clocks) + 1)
    there.merge(here)
    assert there == here
    here.undo()
    assert here.players[0] == "Ana"


def test_head_to_head_the_winner_is_ahead_even_of_who_left_with_more() -> None:
    """Ana leaves with 149; then 100 are enough, and Ben wins with fewer points than she has."""
    match = Match(["Ana", "Ben", "Cho"])
    match.enter([149, 90, 40])
    match.retire(0)
    match.enter([30, 20])
    match.change_target(100)
    assert match.players[match.winner or 0] == "Ben"
    found = statistics([match])
    assert (found.between("Ben", "Ana").first_ahead, found.between("Ben", "Ana").second_ahead) == (1, 0)
    assert (found.between("Ana", "Ben").first_ahead, found.between("Ana", "Ben").second_ahead) == (0, 1)
    assert found.between("Ana", "Cho").first_ahead == 1
    assert found.between("Cho", "Ana").second_ahead == 1


def test_head_to_head_takes_finished_matches_and_different_names() -> None:
    running = Match(["Ana", "Ben"])
    running.enter([10, 20])
    twins = Match(["Ana", "Ana", "Ben"], target=50)
    twins.enter([90, 20, 30])
    found = statistics([running, twins])
    assert set(found.pairs) == {("Ana", "Ben")}
    pair = found.between("Ana", "Ben")
    assert (pair.matches, pair.first_ahead, pair.second_ahead) == (1, 1, 0)  # the better of the two called Ana
