"""SET and DEAL: the deck, the seats, and the first card for everybody."""

import pytest

from flip7 import Game, Rules
from flip7.rules.cards import TWELVE
from flip7.testing import cards, scripted, told

ruling = pytest.mark.ruling


def flipped_for(game: Game) -> list[int | None]:
    return [event.seat for event in told(game, "card_flipped")]


@ruling("SET-1")
def test_a_deck_has_94_cards_79_of_them_numbers() -> None:
    """n copies of each number n, a single 0, six different modifiers, three of each action card."""
    deck = Game(3, live=True).draw_pile
    assert sum(deck.values()) == 94
    assert sum(count for card, count in deck.items() if card.face <= TWELVE) == 79
    assert [deck[card] for card in cards("0 1 2 3 4 5 6 7 8 9 10 11 12")] == [1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]
    assert [deck[card] for card in cards("+2 +4 +6 +8 +10 x2")] == [1] * 6
    assert [deck[card] for card in cards("freeze flip3 second")] == [3] * 3


@ruling("SET-2")
@pytest.mark.parametrize(("players", "size"), [(3, 94), (18, 94), (19, 188), (36, 188)])
def test_a_second_deck_joins_with_the_nineteenth_player(players: int, size: int) -> None:
    """One deck is enough for eighteen; beyond, every card is there twice as often."""
    assert sum(Game(players, live=True).draw_pile.values()) == size


@ruling("SET-2")
@pytest.mark.parametrize("players", [0, -1, 37])
def test_no_more_than_36_and_no_fewer_than_one_can_play(players: int) -> None:
    """The two decks are the limit."""
    with pytest.raises(ValueError, match="1 to 36 can play"):
        Game(players)


@ruling("SET-3")
@pytest.mark.parametrize("players", [1, 2])
def test_one_or_two_players_are_dealt_to_like_more(players: int) -> None:
    """Small tables are welcome and follow the same order of play."""
    game = scripted(players, "5 6"[: 2 * players - 1])
    assert flipped_for(game) == [0] if players == 1 else [1, 0]


@ruling("SET-4")
def test_the_first_dealer_is_chosen_and_left_means_the_next_seat() -> None:
    """Whoever was agreed on deals round one; the circle closes behind the last seat."""
    game = scripted(3, "5 6 7", rules=Rules(dealer=2))
    (start,) = told(game, "round_started")
    assert (start.seat, start.ruling) == (2, "SET-4")
    assert flipped_for(game) == [0, 1, 2]


@ruling("SET-5")
def test_turn_order_begins_left_of_the_dealer_and_ends_with_the_dealer() -> None:
    """That goes for the deal and for each lap of questions."""
    game = scripted(4, "1 2 3 4 5 6 7 8", "hit hit hit hit", rules=Rules(dealer=1))
    assert flipped_for(game) == [2, 3, 0, 1, 2, 3, 0, 1]


@ruling("SET-5")
def test_an_option_lets_the_dealer_begin() -> None:
    """With first="dealer" the dealer is served and asked before everybody else."""
    game = scripted(4, "1 2 3 4 5 6 7 8", "hit hit hit hit", rules=Rules(dealer=1, first="dealer"))
    assert flipped_for(game) == [1, 2, 3, 0, 1, 2, 3, 0]


@ruling("DEAL-1")
def test_everybody_is_dealt_one_card_the_dealer_too() -> None:
    """One face-up card each in turn order, then the questions begin."""
    game = scripted(3, "5 6 7")
    assert [(event.seat, event.card, event.ruling) for event in told(game, "card_flipped")] == [
        (1, "5", "DEAL-1"),
        (2, "6", "DEAL-1"),
        (0, "7", "DEAL-1"),
    ]
    assert game.decision is not None
    assert (game.decision.kind, game.decision.seat) == ("turn", 1)


@ruling("DEAL-2")
def test_an_action_card_in_the_deal_is_resolved_before_the_next_player_is_dealt_to() -> None:
    """The Flip Three, and the Freeze that it brings, are over before seat 2 gets its first card."""
    game = scripted(3, "flip3 1 freeze 3 6", "0 1")
    assert flipped_for(game) == [1, 0, 0, 0, 2]
    assert game.seats[1].status == "frozen"


@ruling("DEAL-2")
def test_whoever_is_dealt_an_action_card_gets_no_replacement() -> None:
    """Seat 1 gave its card away and has nothing, yet the deal goes on with seat 2."""
    game = scripted(3, "flip3 1 2 3", "0")
    assert game.seats[1].cards == ()
    assert game.decision is not None
    assert (game.decision.kind, game.decision.seat) == ("card", 2)


@ruling("DEAL-3")
def test_a_player_can_be_frozen_before_their_first_card() -> None:
    """They may be chosen although they have nothing; they score 0 and the deal leaves them out."""
    game = scripted(3, "freeze")
    assert game.decision is not None
    assert game.decision.options == (0, 1, 2)
    game = scripted(3, "freeze 7", "2")
    (frozen,) = told(game, "player_frozen")
    assert frozen.seat == 2
    assert (game.seats[2].status, game.seats[2].points) == ("frozen", 0)
    assert flipped_for(game) == [1, 0]


@ruling("DEAL-3")
def test_a_flip_three_in_the_deal_may_go_to_somebody_without_a_card() -> None:
    """Seat 0 would be dealt to last, but flips three first."""
    assert flipped_for(scripted(3, "flip3 1 2 3", "0")) == [1, 0, 0, 0]


@ruling("DEAL-4")
def test_whoever_has_cards_from_a_flip_three_is_asked_instead_of_dealt_to() -> None:
    """When the deal reaches seat 0, it has three numbers and may stay right away."""
    game = scripted(3, "flip3 1 2 3 6", "0")
    assert game.decision is not None
    assert (game.decision.kind, game.decision.seat) == ("turn", 0)
    game.play("stay")
    assert (game.seats[0].status, game.seats[0].points) == ("stayed", 6)


@ruling("DEAL-4")
def test_whoever_has_only_a_second_chance_is_asked_instead_of_dealt_to() -> None:
    """Seat 1 flips two Second Chances in the deal and passes one to seat 2, who has nothing else."""
    game = scripted(3, "flip3 second second 5", "1 2")
    assert game.seats[2].cards == cards("second")
    assert game.decision is not None
    assert (game.decision.kind, game.decision.seat) == ("turn", 2)


@ruling("DEAL-5")
def test_a_flip_7_in_the_deal_ends_the_round() -> None:
    """Seat 1 chains Flip Threes to seven numbers before anybody else has a card."""
    game = scripted(3, "flip3 1 2 flip3 3 4 flip3 5 6 7", "1 1 1")
    assert game.rounds == [[0, 1 + 2 + 3 + 4 + 5 + 6 + 7 + 15, 0]]
    assert [event.seat for event in told(game, "flip7_made")] == [1]
