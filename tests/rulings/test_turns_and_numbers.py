"""TURN, NUM and MOD: hit or stay, what a number does, what a modifier does."""

import pytest

from flip7 import Rules
from flip7.testing import cards, scripted, told

ruling = pytest.mark.ruling


@ruling("TURN-1")
def test_active_players_are_asked_round_and_round_in_turn_order() -> None:
    """Seat 0 stays in the first lap and is not asked again; the other two take turns."""
    game = scripted(3, "5 6 7 8 9 10 11", "hit hit stay hit hit")
    asked = [event.seat for event in game.events if event.kind in ("player_hit", "player_stayed")]
    assert asked == [1, 2, 0, 1, 2]
    assert game.decision is not None
    assert game.decision.seat == 1


@ruling("TURN-1")
def test_busted_frozen_and_stayed_players_are_not_asked() -> None:
    """Seat 1 busts, seat 2 freezes seat 3, seat 0 stays: only seat 2 is left to be asked."""
    game = scripted(4, "5 6 7 8 5 freeze", "hit hit 3 stay")
    assert [seat.status for seat in game.seats] == ["stayed", "busted", "active", "frozen"]
    assert game.decision is not None
    assert game.decision.seat == 2


@ruling("TURN-2")
def test_staying_keeps_the_points() -> None:
    """Out of the round, points safe."""
    game = scripted(3, "9 6 7", "stay")
    (stayed,) = told(game, "player_stayed")
    assert (stayed.seat, stayed.ruling) == (1, "TURN-2")
    assert (game.seats[1].status, game.seats[1].points) == ("stayed", 9)


@ruling("TURN-2")
def test_a_second_chance_alone_is_enough_to_stay() -> None:
    """Any card in front of a player will do."""
    game = scripted(3, "second 6 7", "stay")
    assert (game.seats[1].status, game.seats[1].points) == ("stayed", 0)


@ruling("TURN-2")
def test_an_action_card_alone_is_enough_to_stay() -> None:
    """Seat 1 flips three action cards, which go to others; only the first Flip Three lies in front of it."""
    game = scripted(3, "flip3 freeze freeze flip3", "1 2 0 2")
    assert game.seats[1].cards == cards("flip3")
    assert game.decision is not None
    assert (game.decision.kind, game.decision.seat) == ("turn", 1)
    game.play("stay")
    assert game.rounds == [[0, 0, 0]]


@ruling("TURN-2")
def test_without_any_card_a_player_must_hit() -> None:
    """Seat 1 gave its Flip Three away in the deal; in the next lap a card is turned up for it without a question."""
    game = scripted(3, "flip3 1 2 3 6 8", "0 stay")
    last = told(game, "card_flipped")[-1]
    assert (last.seat, last.card, last.ruling) == (1, "8", "TURN-3")
    assert told(game, "player_hit") == []


@ruling("TURN-3")
def test_a_hit_turns_up_exactly_one_card() -> None:
    """Then the next player is asked."""
    game = scripted(3, "5 6 7 8", "hit")
    hits = told(game, "player_hit")
    assert [(event.seat, event.ruling) for event in hits] == [(1, "TURN-3")]
    assert game.seats[1].line == cards("5 8")
    assert game.decision is not None
    assert game.decision.seat == 2


@ruling("TURN-3")
def test_what_a_hit_sets_off_is_over_before_the_next_question() -> None:
    """Seat 1 hits a Flip Three that brings a Freeze; both are done when seat 2 is asked."""
    game = scripted(3, "5 6 7 flip3 8 freeze 9", "hit 1 0")
    assert game.pending == ()
    assert game.seats[0].status == "frozen"
    assert game.decision is not None
    assert (game.decision.kind, game.decision.seat) == ("turn", 2)


@ruling("TURN-4")
def test_after_a_chain_of_flip_threes_the_player_after_the_first_one_is_asked() -> None:
    """A is dealt a Flip Three and gives it to C, whose flips bring another for D; B is asked next."""
    game = scripted(4, "1 2 3 4 flip3 5 flip3 6 7 8 9", "hit 2 3", rules=Rules(dealer=3))
    assert game.decision is not None
    assert (game.decision.kind, game.decision.seat) == ("turn", 1)


@ruling("TURN-4")
def test_in_the_deal_too_the_next_player_is_the_one_after_the_first_action_card() -> None:
    """Seat 1 sends its Flip Three to seat 3; seat 2 is dealt to next."""
    game = scripted(4, "flip3 5 6 7", "3")
    assert game.decision is not None
    assert (game.decision.kind, game.decision.seat) == ("card", 2)


@ruling("NUM-1")
def test_a_new_number_joins_the_line() -> None:
    """The line shows the numbers as they were turned up."""
    game = scripted(1, "9 3 12", "hit hit")
    assert game.seats[0].line == cards("9 3 12")
    assert {event.ruling for event in told(game, "card_placed")} == {"NUM-1"}


@ruling("NUM-2")
def test_a_number_that_is_there_already_busts() -> None:
    """Out with 0 points, while the cards stay on the table until the round is over."""
    game = scripted(3, "5 6 7 5", "hit")
    (bust,) = told(game, "player_busted")
    assert (bust.seat, bust.card, bust.ruling) == (1, "5", "NUM-2")
    assert (game.seats[1].status, game.seats[1].points) == ("busted", 0)
    assert game.seats[1].cards == cards("5 5")
    assert game.discard_pile[cards("5")[0]] == 0


@ruling("NUM-3")
def test_the_seventh_different_number_ends_the_round_for_everybody() -> None:
    """Seat 1 makes it in the middle of the lap; nobody else is asked or gets a card."""
    game = scripted(2, "1 11 2 12 3 4 5 6 7", "hit hit hit stay hit hit hit hit")
    (seven,) = told(game, "flip7_made")
    assert (seven.seat, seven.card, seven.ruling) == (1, "7", "NUM-3")
    assert told(game, "round_ended")[0].ruling == "NUM-3"
    assert game.rounds == [[23, 28 + 15]]


@ruling("NUM-3")
def test_a_flip_7_leaves_everything_pending_unresolved() -> None:
    """The Freeze that was set aside in the same Flip Three freezes nobody."""
    game = scripted(2, "1 11 2 12 3 4 5 flip3 freeze 6 7", "hit hit hit stay hit hit hit")
    assert told(game, "player_frozen") == []
    assert game.rounds == [[23, 28 + 15]]
    assert [(e.card, e.ruling) for e in told(game, "card_discarded")] == [("freeze", "NUM-3")]


@ruling("NUM-4")
def test_the_zero_counts_toward_the_seven_and_is_worth_nothing() -> None:
    """0 to 6 are seven numbers and 21 points, plus the bonus."""
    assert scripted(1, "0 1 2 3 4 5 6", "hit hit hit hit hit hit").rounds == [[21 + 15]]


@ruling("NUM-4")
def test_a_second_zero_busts_where_there_are_two() -> None:
    """With two decks the 0 can be a duplicate like any number."""
    assert scripted(1, "0 0", "hit", rules=Rules(decks=2)).rounds == [[0]]


@ruling("MOD-1")
def test_modifiers_do_not_count_toward_the_seven() -> None:
    """Six numbers and all six modifiers are no Flip 7."""
    game = scripted(1, "1 2 3 +2 +4 +6 +8 +10 x2 4 5 6", "hit " * 11)
    assert told(game, "flip7_made") == []
    assert game.seats[0].line == cards("1 2 3 4 5 6")
    modifiers = [event.card for event in told(game, "card_placed") if event.ruling == "MOD-1"]
    assert modifiers == list(cards("+2 +4 +6 +8 +10 x2"))


@ruling("MOD-1")
def test_equal_modifiers_do_not_bust() -> None:
    """Two decks have every modifier twice, and one hand may have both."""
    game = scripted(1, "x2 x2 +10 +10 2", "hit hit hit hit", rules=Rules(decks=2))
    assert (game.seats[0].status, game.seats[0].points) == ("active", 24)
