"""END and SCORE: when a round is over, and what everybody's cards are worth."""

import pytest

from flip7 import Rules
from flip7.game.events import RoundScored
from flip7.testing import cards, scripted, told

ruling = pytest.mark.ruling


@ruling("END-1")
@pytest.mark.parametrize(
    ("deck", "answers", "scores"),
    [
        ("5 6", "stay stay", [6, 5]),
        ("5 6 5 6", "hit hit", [0, 0]),
        ("5 6 freeze freeze", "hit 0 hit", [6, 5]),
        ("5 6 5", "hit stay", [6, 0]),
    ],
    ids=["all stayed", "all busted", "all frozen", "mixed"],
)
def test_a_round_ends_when_nobody_is_active(deck: str, answers: str, scores: list[int]) -> None:
    """However they left: the last one to go ends it."""
    game = scripted(2, deck, answers)
    assert game.rounds == [scores]
    assert [event.ruling for event in told(game, "round_ended")] == ["END-1"]


@ruling("END-1")
def test_a_round_ends_on_a_flip_7() -> None:
    """Even though the other player is still active."""
    game = scripted(2, "flip3 1 2 flip3 3 4 flip3 5 6 7", "1 1 1")
    assert [event.ruling for event in told(game, "round_ended")] == ["NUM-3"]


@ruling("END-2")
def test_on_a_flip_7_those_still_active_score_what_they_have() -> None:
    """Seat 1 has stayed, seat 2 busted, seat 3 is active with 9, seat 0 makes the Flip 7."""
    deck = "12 8 9 1 8 flip3 2 3 4 flip3 5 6 7"
    game = scripted(4, deck, "stay hit hit 0 hit 0")
    assert game.rounds == [[28 + 15, 12, 0, 9]]
    (scored,) = told(game, "round_scored")
    assert isinstance(scored, RoundScored)
    assert [hand.status for hand in scored.hands] == ["active", "stayed", "busted", "active"]


@ruling("SCORE-1")
@pytest.mark.parametrize(
    ("hand", "points"),
    [
        ("9 3", 12),
        ("9 3 x2", 24),
        ("9 3 x2 +10", 34),
        ("9 3 +2 +4 +6 +8 +10", 42),
        ("1 2 3 4 5 6 x2 +10 7", 28 * 2 + 10 + 15),
        ("12 11 10 9 8 7 x2 +2 +4 +6 +8 +10 6", 63 * 2 + 30 + 15),
    ],
)
def test_numbers_are_doubled_before_anything_is_added(hand: str, points: int) -> None:
    """×2 touches the numbers alone, neither the +N cards nor the 15 for a Flip 7."""
    answers = "hit " * (len(hand.split()) - 1)
    game = scripted(1, hand, answers)
    if game.decision and game.decision.kind == "turn":
        game.play("stay")
    assert game.rounds == [[points]]
    scored = told(game, "round_scored")[0]
    assert scored.ruling == "SCORE-1"


@ruling("SCORE-1")
def test_how_the_points_add_up_is_told() -> None:
    """The event takes the sum apart, for every seat."""
    (scored,) = told(scripted(1, "9 3 x2 +10", "hit hit hit stay"), "round_scored")
    assert isinstance(scored, RoundScored)
    (hand,) = scored.hands
    assert (hand.numbers, hand.doubled, hand.bonus, hand.flip7, hand.points, hand.total) == (12, True, 10, 0, 34, 34)
    assert hand.cards == cards("9 3 +10 x2")


@ruling("SCORE-1")
def test_a_busted_player_scores_nothing_modifiers_or_not() -> None:
    """A 5 too many costs the +10 as well."""
    assert scripted(1, "5 +10 5", "hit hit").rounds == [[0]]


@ruling("SCORE-1")
def test_with_two_decks_several_doubles_double_once_and_every_bonus_counts() -> None:
    """×2 ×2 is ×2; +10 +10 is 20."""
    game = scripted(1, "9 x2 x2 +10 +10", "hit hit hit hit stay", rules=Rules(decks=2))
    assert game.rounds == [[9 * 2 + 20]]


@ruling("SCORE-2")
@pytest.mark.parametrize(("hand", "points"), [("+8 +2", 10), ("x2", 0), ("x2 +4", 4)])
def test_modifiers_score_without_a_number(hand: str, points: int) -> None:
    """There is nothing to double, though."""
    answers = "hit " * (len(hand.split()) - 1) + "stay"
    assert scripted(1, hand, answers).rounds == [[points]]


@ruling("END-3")
def test_cards_of_inactive_players_stay_known() -> None:
    """Seat 1 has stayed and seat 2 busted, and everybody can still see what they have."""
    game = scripted(3, "5 6 7 6", "stay hit")
    assert game.seats[1].cards == cards("5")
    assert game.seats[2].cards == cards("6 6")


@ruling("END-3")
def test_after_a_round_the_deck_goes_on_and_the_next_seat_deals() -> None:
    """What lay on the table is discarded and not shuffled back."""
    game = scripted(3, "5 6 7", "stay stay stay")
    assert game.dealer == 1
    assert sum(game.draw_pile.values()) == 94 - 3
    assert [card for card, count in game.discard_pile.items() if count] == list(cards("5 6 7"))
    assert told(game, "deck_reshuffled") == []
    start = told(game, "round_started")[1]
    assert (start.seat, start.ruling) == (1, "END-3")
    assert game.decision is not None
    assert (game.decision.kind, game.decision.seat) == ("card", 2)


@ruling("END-3")
def test_the_dealer_moves_round_the_table() -> None:
    """After the last seat the first one deals again."""
    game = scripted(2, "5 6 7 8 9 10", "stay stay stay stay stay stay")
    assert [event.seat for event in told(game, "round_started")] == [0, 1, 0, 1]


@ruling("END-3")
def test_an_option_shuffles_everything_back_before_each_round() -> None:
    """With reshuffle="round" the second round starts with 94 cards again."""
    game = scripted(3, "5 6 7", "stay stay stay", rules=Rules(reshuffle="round"))
    assert sum(game.draw_pile.values()) == 94
