"""DECK: what happens when no card is left to draw."""

import pytest

from flip7 import Card, Game, Rules
from flip7.testing import cards, scripted, told

ruling = pytest.mark.ruling


def deck_of(text: str) -> Rules:
    """Rules for a deck of just these cards."""
    counts: dict[Card, int] = {}
    for card in cards(text):
        counts[card] = counts.get(card, 0) + 1
    return Rules(composition=counts)


@ruling("DECK-1")
def test_the_discard_pile_becomes_the_deck_when_a_card_is_needed() -> None:
    """The last card of the deck is dealt without a reshuffle; the next one that is needed brings it."""
    rules = deck_of("1 2 3 4")
    before = scripted(2, "1 2 3 4", "stay stay", rules=rules)
    assert told(before, "deck_reshuffled") == []
    after = scripted(2, "1 2 3 4", "stay stay hit", rules=rules)
    (shuffle,) = told(after, "deck_reshuffled")
    assert (shuffle.ruling, getattr(shuffle, "cards", None)) == ("DECK-1", 2)
    assert after.decision is not None
    assert after.decision.options == cards("1 2")


@ruling("DECK-1")
def test_a_reshuffle_can_come_in_the_middle_of_a_flip_three() -> None:
    """Seat 0 flips 3 and 4, the deck is empty, and the third card comes from the old discard pile."""
    game = scripted(2, "1 2 flip3 3 4 1 2", "stay stay 0", rules=deck_of("1 2 3 4 flip3"))
    kinds = [event.kind for event in game.events if event.kind in ("card_flipped", "deck_reshuffled")]
    assert kinds == ["card_flipped"] * 5 + ["deck_reshuffled"] + ["card_flipped"] * 2
    assert game.seats[0].line == cards("3 4 1")


@ruling("DECK-2")
def test_cards_in_front_of_players_are_not_shuffled_in() -> None:
    """Seat 0 has busted with two 3s in the second round; only the first round's cards come back."""
    game = scripted(2, "1 2 3 4 3", "stay stay hit hit", rules=deck_of("1 2 3 3 4"))
    assert game.seats[0].status == "busted"
    assert game.decision is not None
    assert game.decision.options == cards("1 2")


@ruling("DECK-2")
def test_cards_set_aside_are_not_shuffled_in() -> None:
    """A Freeze is set aside when the deck runs out in the middle of a Flip Three."""
    game = scripted(2, "1 2 flip3 freeze 4", "stay stay 0", rules=deck_of("1 2 4 flip3 freeze"))
    assert game.pending == cards("freeze")
    assert game.decision is not None
    assert game.decision.options == cards("1 2")


@ruling("DECK-2")
def test_cards_handed_out_and_not_yet_resolved_are_not_shuffled_in() -> None:
    """The Freeze for seat 1 waits for the inner Flip Three, whose first card needs a reshuffle."""
    rules = deck_of("1 2 4 flip3 flip3 freeze")
    game = scripted(2, "1 2 flip3 flip3 freeze 4", "stay stay 0 0 1", rules=rules)
    assert game.pending == cards("freeze")
    assert game.decision is not None
    assert (game.decision.seat, game.decision.options) == (0, cards("1 2"))


@ruling("DECK-3")
def test_when_no_card_can_be_had_the_round_ends_and_everybody_scores() -> None:
    """All three cards lie in front of players; seat 0 wants another."""
    game = scripted(2, "5 6 7", "hit hit", rules=deck_of("5 6 7"))
    assert game.rounds == [[6, 12]]
    assert [event.ruling for event in told(game, "round_ended")] == ["DECK-3"]


@ruling("DECK-3")
def test_when_no_card_can_be_had_what_is_pending_is_discarded() -> None:
    """In the middle of a Flip Three, with a Freeze set aside: it freezes nobody."""
    rules = deck_of("5 5 6 flip3 freeze")
    game = scripted(2, "5 6 flip3 freeze 5", "hit 0", rules=rules)
    assert game.rounds == [[11, 5]]
    assert [(e.card, e.ruling) for e in told(game, "card_discarded")] == [("freeze", "DECK-3")]
    assert told(game, "player_frozen") == []


@ruling("DECK-3")
def test_a_deck_too_small_for_the_deal_ends_the_round() -> None:
    """Two cards for three players: the third gets nothing."""
    game = scripted(3, "5 6", rules=Rules(target=6, composition={Card("5"): 1, Card("6"): 1}))
    assert game.rounds == [[0, 5, 6]]
    assert game.winner == 2


@ruling("DECK-3")
def test_when_no_card_can_be_had_the_busted_still_score_nothing() -> None:
    """Seat 1 busts with the last card; seat 2 cannot have another."""
    game = scripted(3, "5 6 7 5", "hit hit", rules=deck_of("5 5 6 7"))
    assert game.rounds == [[7, 0, 6]]


def saving_each_other() -> Game:
    """Two players with a 12 each; a 12 and three Second Chances are left."""
    return scripted(2, "12 12", rules=Rules(composition={Card("12"): 3, Card("second"): 3}))


def hit_on(game: Game) -> None:
    """Always hit; the Second Chances always come before the 12, so nobody ever busts."""
    assert game.decision is not None
    game.play("hit" if game.decision.kind == "turn" else game.decision.options[-1])


def reshuffles(game: Game) -> int:
    """How many there have been in the first round."""
    kinds = [event.kind for event in game.events]
    return kinds[: kinds.index("round_ended") if game.rounds else None].count("deck_reshuffled")


@ruling("DECK-4")
def test_a_round_without_progress_ends_after_ten_idle_reshuffles() -> None:
    """The eleventh reshuffle is not made: the round ends and both score their 12."""
    game = saving_each_other()
    while not game.rounds:
        hit_on(game)
    assert reshuffles(game) == 10
    assert [event.ruling for event in told(game, "round_ended")] == ["DECK-4"]
    assert game.rounds == [[12, 12]]


@ruling("DECK-4")
def test_somebody_who_stays_makes_the_count_start_again() -> None:
    """After five idle reshuffles one stays; the other goes on for ten more."""
    game = saving_each_other()
    while reshuffles(game) < 5:
        hit_on(game)
    while game.decision is not None and game.decision.kind != "turn":
        hit_on(game)
    assert game.table.idle == 5
    game.play("stay")
    assert game.table.idle == 0
    while not game.rounds:
        hit_on(game)
    assert reshuffles(game) == 15


@ruling("DECK-4")
def test_a_card_that_is_placed_makes_the_count_start_again_but_a_second_chance_does_not() -> None:
    """Second Chances are passed, kept and used; only the 12 that busts seat 0 is progress."""
    rules = Rules(composition={Card("12"): 3, Card("second"): 2})
    twice = scripted(2, "12 12 second second 12 second 12 12 second", "hit " * 7, rules=rules)
    assert (reshuffles(twice), twice.table.idle) == (2, 2)
    again = scripted(2, "12 12 second second 12 second 12 12 second", "hit " * 8, rules=rules)
    assert (reshuffles(again), again.table.idle) == (3, 3)
    again.play("12")
    assert again.seats[0].status == "busted"
    assert again.table.idle == 0
