"""GAME, SOLO and CHOICE: who wins, playoffs, the challenge for few, and questions that are none."""

import pytest

from flip7 import Card, Game, Rules
from flip7.testing import scripted, told

ruling = pytest.mark.ruling


@ruling("GAME-1")
def test_the_game_ends_after_the_round_in_which_the_target_is_reached() -> None:
    """10 and 9 are short of 20; after the second round somebody is there."""
    game = scripted(2, "10 9 12 8", "stay stay stay stay", rules=Rules(target=20))
    assert game.rounds == [[9, 10], [12, 8]]
    assert game.decision is None
    (over,) = told(game, "game_over")
    assert (over.seat, over.ruling) == (game.winner, "GAME-1")


@ruling("GAME-1")
def test_the_target_is_200_unless_agreed_otherwise() -> None:
    """And it must be reached, not passed."""
    assert Game(3).rules.target == 200
    assert scripted(1, "12", "stay", rules=Rules(target=12)).winner == 0
    assert scripted(1, "12", "stay", rules=Rules(target=13)).winner is None


@ruling("GAME-1")
def test_the_most_points_win_whoever_got_there_first() -> None:
    """Seat 1 is past the target when it stays, but seat 0 ends the round with more."""
    game = scripted(2, "10 9 12", "stay hit stay", rules=Rules(target=10))
    assert game.rounds == [[21, 10]]
    assert game.winner == 0


@ruling("GAME-2")
def test_a_tie_at_the_top_calls_a_playoff_for_everybody() -> None:
    """Seats 1 and 2 share 12; seat 0, with 3, is dealt to like the others."""
    game = scripted(3, "12 12 3", "stay stay stay", rules=Rules(target=10))
    (playoff,) = told(game, "playoff_called")
    assert (playoff.ruling, getattr(playoff, "playoff", None)) == ("GAME-2", 1)
    assert game.winner is None
    assert game.playoffs == 1
    assert [seat.status for seat in game.seats] == ["active"] * 3


@ruling("GAME-2")
def test_somebody_who_was_not_tied_can_win_the_playoff() -> None:
    """Seat 0 comes from behind while both leaders bust."""
    deck = "12 12 10 11 6 5 11 5"
    game = scripted(3, deck, "stay stay stay hit stay hit", rules=Rules(target=12))
    assert game.rounds == [[10, 12, 12], [6, 0, 0]]
    assert (game.winner, game.playoffs) == (0, 1)


@ruling("GAME-2")
def test_playoffs_go_on_until_one_alone_has_the_most() -> None:
    """Two ties in a row; the record tells how many playoff rounds there were."""
    game = scripted(2, "12 12 7 7 8 9", "stay stay stay stay stay stay", rules=Rules(target=12))
    assert (game.winner, game.playoffs) == (0, 2)
    assert "winner 0 rounds 3 playoffs 2" in game.record()


@ruling("GAME-2")
def test_a_tie_below_the_top_is_no_playoff() -> None:
    """Only the highest total must be held alone."""
    game = scripted(3, "12 5 5", "stay stay stay", rules=Rules(target=12))
    assert (game.winner, game.playoffs) == (1, 0)


@ruling("SOLO-1")
@pytest.mark.parametrize(("rounds", "met"), [(1, True), (4, True), (5, False)])
def test_alone_the_challenge_is_to_need_fewer_than_five_rounds(rounds: int, met: bool) -> None:
    """The result tells how many rounds it took."""
    game = scripted(1, "12 " * rounds, "stay " * rounds, rules=Rules(target=12 * rounds))
    assert len(game.rounds) == rounds
    assert game.challenge is met


@ruling("SOLO-1")
def test_two_players_have_the_challenge_and_three_have_not() -> None:
    """It is told at the end only."""
    assert scripted(2, "12 11", "stay stay", rules=Rules(target=12)).challenge is True
    assert scripted(2, "12 11", "stay", rules=Rules(target=12)).challenge is None
    assert scripted(3, "12 11 10", "stay stay stay", rules=Rules(target=12)).challenge is None


@ruling("SOLO-1")
def test_the_round_that_reaches_the_target_counts_not_the_playoff() -> None:
    """Both are there after four rounds, tied; the fifth only tells who is ahead."""
    deck = "12 12 11 11 10 10 9 9 8 7"
    game = scripted(2, deck, "stay " * 10, rules=Rules(target=42))
    assert (len(game.rounds), game.playoffs) == (5, 1)
    assert game.challenge is True


@ruling("CHOICE-1")
def test_a_player_without_cards_is_simply_dealt_one() -> None:
    """Seat 1 froze seat 0 in the deal and has nothing itself: the next card is its, unasked."""
    game = scripted(2, "freeze 7", "0")
    assert told(game, "player_hit") == []
    assert [event.seat for event in told(game, "card_flipped")] == [1, 1]


@ruling("CHOICE-1")
def test_a_sole_possible_target_simply_gets_the_card() -> None:
    """A lone player is never asked whom to freeze."""
    assert scripted(1, "freeze").rounds == [[0]]


@ruling("CHOICE-1")
def test_every_question_has_two_answers_or_more() -> None:
    """Whatever a table waits for, there is something to choose."""
    game = Game(4, seed=5)
    while game.decision is not None:
        assert len(game.decision.options) >= 2
        game.play(game.decision.options[-1])


@ruling("CHOICE-1")
def test_with_real_cards_every_card_is_asked_for() -> None:
    """Only 7s are left in the deck, and still somebody has to say that one was turned up."""
    game = Game(2, live=True, rules=Rules(composition={Card("7"): 3}))
    assert told(game, "card_flipped") == []
    for seat in (1, 0):
        assert game.decision is not None
        assert (game.decision.kind, game.decision.seat, game.decision.options) == ("card", seat, (Card("7"),))
        game.play("7")
    assert game.position.decision is not None
    assert game.position.decision.kind == "turn"
