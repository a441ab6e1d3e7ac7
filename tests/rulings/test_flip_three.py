"""F3: three cards one at a time, what is set aside, who gets it, and in which order it is resolved."""

import pytest

from flip7 import Card
from flip7.testing import cards, scripted, told

ruling = pytest.mark.ruling


@ruling("F3-1")
def test_every_kind_of_card_counts_toward_the_three() -> None:
    """A modifier, a Second Chance and an action card are three cards too."""
    game = scripted(3, "flip3 +4 second freeze", "1 2")
    forced = [event for event in told(game, "card_flipped") if event.ruling == "F3-1"]
    assert [str(event.card) for event in forced] == ["+4", "second", "freeze"]
    assert [(e.seat, e.ruling) for e in told(game, "flip_three_started")] == [(1, "F3-1")]
    assert game.seats[1].cards == cards("+4 flip3 second")


@ruling("F3-1")
def test_a_duplicate_swallowed_by_a_second_chance_counts_toward_the_three() -> None:
    """Second Chance, duplicate and a 6: then seat 1 is done."""
    game = scripted(3, "5 6 7 flip3 second 5 6", "hit 1")
    assert game.seats[1].line == cards("5 6")
    assert game.decision is not None
    assert (game.decision.kind, game.decision.seat) == ("turn", 2)


@ruling("F3-2")
@pytest.mark.parametrize(("flips", "count"), [("5", 1), ("8 5", 2), ("8 9 5", 3)])
def test_a_bust_stops_the_flips(flips: str, count: int) -> None:
    """The cards that are missing from the three are not drawn."""
    game = scripted(3, f"5 6 7 flip3 {flips}", "hit 1")
    assert sum(event.ruling == "F3-1" for event in told(game, "card_flipped")) == count
    assert game.seats[1].status == "busted"
    assert game.decision is not None
    assert (game.decision.kind, game.decision.seat) == ("turn", 2)


@ruling("F3-2")
def test_a_flip_7_stops_the_flips() -> None:
    """The seventh number is the second of the three: there is no third."""
    game = scripted(1, "1 2 3 4 5 flip3 6 7", "hit hit hit hit hit")
    assert game.rounds == [[28 + 15]]


@ruling("F3-3")
def test_a_bust_discards_what_was_set_aside() -> None:
    """Freeze and bust: the Freeze is gone without effect."""
    game = scripted(3, "5 6 7 flip3 freeze 5", "hit 1")
    assert [(e.card, e.ruling) for e in told(game, "card_set_aside")] == [("freeze", "F3-3")]
    assert [(e.card, e.ruling) for e in told(game, "card_discarded")] == [("freeze", "F3-3")]
    assert [seat.status for seat in game.seats] == ["active", "busted", "active"]


@ruling("F3-3")
def test_a_bust_leaves_cards_of_an_outer_flip_three_to_be_resolved() -> None:
    """Seat 2 busts and loses the Freeze it set aside; the Freeze handed to seat 0 before still counts."""
    game = scripted(3, "5 6 7 flip3 flip3 freeze 8 freeze 6", "hit 1 2 0")
    assert [seat.status for seat in game.seats] == ["frozen", "active", "busted"]
    assert [(e.card, e.ruling) for e in told(game, "card_discarded")] == [("freeze", "F3-3")]


@ruling("F3-3")
def test_a_flip_7_discards_everything_that_is_pending() -> None:
    """One Freeze was handed out by an outer Flip Three, another set aside in this one: both are discarded."""
    game = scripted(2, "1 11 2 3 4 5 flip3 flip3 freeze 6 freeze 7", "hit stay hit hit hit hit")
    assert game.rounds == [[11, 28 + 15]]
    assert told(game, "player_frozen") == []
    assert [str(event.card) for event in told(game, "card_discarded")] == ["freeze", "freeze"]


@ruling("F3-4")
def test_cards_set_aside_are_handed_out_in_the_order_in_which_they_came() -> None:
    """First the Freeze, then the Flip Three."""
    game = scripted(3, "5 6 7 flip3 freeze flip3 8", "hit 1")
    assert game.decision is not None
    assert (game.decision.seat, game.decision.card) == (1, "freeze")
    game.play(2)
    assert game.decision.card == "flip3"
    game.play(0)
    later = told(game, "card_handed_out")[1:]
    assert [(e.seat, e.card, e.ruling) for e in later] == [(1, "freeze", "F3-4"), (1, "flip3", "F3-4")]


@ruling("F3-4")
def test_no_card_takes_effect_before_all_are_handed_out() -> None:
    """Seat 2 has been given a Freeze and may still be given the Flip Three."""
    game = scripted(3, "5 6 7 flip3 freeze flip3 8", "hit 1 2")
    assert game.seats[2].status == "active"
    assert game.decision is not None
    assert game.decision.options == (0, 1, 2)


@ruling("F3-4")
def test_the_player_who_flipped_hands_out() -> None:
    """Seat 2 flipped for seat 1, and the Freeze is seat 2's to give."""
    game = scripted(3, "5 6 7 flip3 8 9 freeze", "hit 2")
    assert game.decision is not None
    assert (game.decision.kind, game.decision.seat, game.decision.card) == ("target", 2, "freeze")


@ruling("F3-5")
def test_cards_are_resolved_in_the_order_in_which_they_were_handed_out() -> None:
    """Seat 0 is frozen before seat 2 flips three."""
    game = scripted(3, "5 6 7 flip3 freeze flip3 8 9 10 11", "hit 1 0 2")
    done = [(e.kind, e.seat) for e in game.events if e.kind in ("player_frozen", "flip_three_started")]
    assert done == [("flip_three_started", 1), ("player_frozen", 0), ("flip_three_started", 2)]


@ruling("F3-5")
def test_a_flip_three_after_a_freeze_is_discarded() -> None:
    """Seat 2 gets both, is frozen and flips nothing."""
    game = scripted(3, "5 6 7 flip3 freeze flip3 8", "hit 1 2 2")
    assert [(e.card, e.ruling, e.seat) for e in told(game, "card_discarded")] == [("flip3", "F3-5", 2)]
    assert game.seats[2].points == 6


@ruling("F3-5")
def test_a_card_for_somebody_who_has_busted_is_discarded() -> None:
    """Seat 2 gets two Flip Threes and busts on the first."""
    game = scripted(3, "5 6 7 flip3 flip3 flip3 8 6", "hit 1 2 2")
    assert game.seats[2].status == "busted"
    assert [(e.card, e.ruling) for e in told(game, "card_discarded")] == [("flip3", "F3-5")]
    assert game.discard_pile[Card("flip3")] == 1


@ruling("F3-6")
def test_a_second_chance_among_the_three_saves_from_a_later_one_of_them() -> None:
    """It is kept at once and swallows the 5 that follows."""
    game = scripted(3, "5 6 7 flip3 second 5 8", "hit 1")
    assert [(e.seat, e.card) for e in told(game, "player_saved")] == [(1, "5")]
    assert game.seats[1].status == "active"


@ruling("F3-6")
def test_a_spare_second_chance_is_passed_on_before_the_next_flip() -> None:
    """Seat 1 has one and sets a Freeze aside; the new one goes to seat 0 while one flip is still to come."""
    game = scripted(3, "second 6 7 5 8 9 flip3 freeze second", "hit hit hit hit 1")
    assert game.decision is not None
    assert (game.decision.card, game.decision.options) == ("second", (0, 2))
    assert game.pending == cards("second freeze")
    game.play(0)
    assert game.seats[0].cards == cards("7 9 second")
    assert (game.decision.kind, game.decision.seat) == ("card", 1)
    game.play("10")
    assert (game.decision.kind, game.decision.card) == ("target", "freeze")


@ruling("F3-7")
def test_a_flip_three_inside_a_flip_three_is_finished_before_the_rest_of_the_batch() -> None:
    """Seat 2 hands out its own Freeze, for seat 1, and it takes effect before the earlier one for seat 0."""
    game = scripted(3, "5 6 7 flip3 flip3 freeze 8 freeze 9 10", "hit 1 2 0 1")
    assert [event.seat for event in told(game, "player_frozen")] == [1, 0]


@ruling("F3-7")
def test_three_flip_threes_deep_the_innermost_comes_first() -> None:
    """Each Flip Three brings the next and a Freeze; the Freezes take effect from the inside out."""
    game = scripted(5, "1 2 3 4 5 flip3 flip3 freeze 6 flip3 freeze 7 8 freeze 9", "hit 1 2 0 3 4 1")
    assert [event.seat for event in told(game, "flip_three_started")] == [1, 2, 3]
    assert [event.seat for event in told(game, "player_frozen")] == [1, 4, 0]
    assert game.decision is not None
    assert game.decision.seat == 2
