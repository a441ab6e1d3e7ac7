"""KEEP-5 to KEEP-7: what happens at a real table though no rule says so, stopping early, coming and going."""

import json

import pytest

import flip7
from flip7 import Card, Game


def live_game() -> Game:
    """Three players; each has had a first card: seat 1 a 9, seat 2 a 12, seat 0 an 11."""
    game = Game(["Ana", "Ben", "Cho"], live=True)
    for card in ("9", "12", "11"):
        game.play(card)
    return game


def told(game: Game) -> list[str]:
    """The lines of the first round, without its beginning."""
    return game.record().partition("round 1 dealer 0")[2].strip().split("\n")[:-1]


@pytest.mark.ruling("KEEP-5")
def test_a_card_that_came_to_another_seat_stays_there_and_the_record_says_so() -> None:
    """A card that came to another seat than the rules say is put down as a deviation."""
    game = live_game()
    game.play("hit")
    game.play("!to:2 5")
    assert game.seats[2].cards == (Card.N12, Card.N5)
    assert game.seats[1].cards == (Card.N9,)
    assert game.decision is not None
    assert game.decision.seat == 2
    assert told(game)[-1] == "1 hit !to:2 5"
    again = Game.from_record(game.record())
    assert again.record() == game.record()
    assert game.record().startswith("flip7 record 2\n")


@pytest.mark.ruling("KEEP-5")
def test_a_card_of_a_flip_three_that_came_to_another_seat_is_one_of_the_three() -> None:
    """Everything after it follows from what really lay on the table."""
    game = live_game()
    for choice in ("hit", "flip3", 1, "2", "!to:0 11", "freeze", 2):
        game.play(choice)
    assert [seat.status for seat in game.seats] == ["busted", "active", "frozen"]
    assert game.seats[1].cards == (Card.N9, Card.N2, Card.FLIP3)
    assert told(game)[-1] == "1 hit flip3 >1 1: 2 !to:0 11 bust freeze >2"
    assert Game.from_record(game.record()).record() == game.record()


@pytest.mark.ruling("KEEP-5")
def test_an_early_reshuffle_a_lost_card_and_one_that_should_be_gone_are_put_down() -> None:
    """A reshuffle before the deck was empty, a card that was lost or that should no longer be there."""
    game = live_game()
    left = sum(game.draw_pile.values())
    game.play("!lost:12")
    assert sum(game.draw_pile.values()) == left - 1
    game.play("hit")
    game.play("0")
    game.play("stay")
    game.play("hit")
    with pytest.raises(flip7.IllegalChoice):
        game.play("0")
    cards = sum(game.draw_pile.values())
    game.play("!extra 0")
    assert sum(game.draw_pile.values()) == cards == game.table.draw_left
    assert game.seats[0].cards == (Card.N11, Card.N0)
    game.play("stay")
    game.play("stay")
    assert game.decision is not None
    before = sum(game.draw_pile.values())
    game.play("!shuffle")
    assert sum(game.draw_pile.values()) == before + 5
    text = game.record()
    assert "!lost:12" in text
    assert "0 hit !extra 0" in text
    assert "round 2 dealer 1 !shuffle" in text
    assert Game.from_record(text).position == game.position
    tampered = text.replace("!extra 0", "!extra 3")
    with pytest.raises(flip7.RecordError, match="line 11"):
        Game.from_record(tampered)
    with pytest.raises(flip7.RecordError, match="line 1: 'flip7 record 1' should be 'flip7 record 2'"):
        Game.from_record(text.replace("record 2", "record 1"))


@pytest.mark.ruling("KEEP-6")
def test_a_match_that_is_stopped_has_no_winner_and_its_record_says_so() -> None:
    """A match may be stopped before anybody has the target; who leads is not called the winner."""
    match = flip7.Match(3)
    match.enter([50, 20, 10])
    match.stop()
    record = json.loads(match.to_json())["record"]
    assert (record["stopped"], record["winner"], match.leader, match.winner) == (True, None, 0, None)
    with pytest.raises(flip7.MatchError, match="was stopped"):
        match.enter([1, 2, 3])
    match.resume()
    match.enter([171, 2, 3])
    assert match.winner == 0
    with pytest.raises(flip7.MatchError, match="has won"):
        match.stop()


@pytest.mark.ruling("KEEP-7")
def test_the_last_at_the_table_cannot_leave() -> None:
    game = live_game()
    game.play("!leave:1")
    game.play("!leave:0")
    with pytest.raises(flip7.IllegalChoice, match="seat 2 is the last at the table"):
        game.play("!leave:2")
    assert game.decision is not None
    assert game.decision.seat == 2


@pytest.mark.ruling("KEEP-7")
def test_who_leaves_in_the_middle_of_a_round_is_out_of_it_with_nothing() -> None:
    """They are out with 0 points; their cards stay till its end; afterwards they are not dealt to."""
    match = flip7.Match(["Ana", "Ben", "Cho"], dealer=0)
    live = match.live
    assert live is not None
    for card in ("9", "12", "11"):
        live.card(card)
    match.retire(1)
    assert live.position.seats[1].cards == (Card.N9,)
    assert live.position.seats[1].status == "left"
    live.stay(2)
    live.stay(0)
    assert match.rounds == [[11, 0, 12]]
    assert match.present == (0, 2)
    assert match.dealer == 2


@pytest.mark.ruling("KEEP-7")
def test_who_joins_plays_from_the_next_round_on() -> None:
    """The round that has begun is finished without them."""
    match = flip7.Match(["Ana", "Ben", "Cho"], dealer=0)
    live = match.live
    assert live is not None
    live.card("9")
    match.add("Dan", 5)
    live.card("12")
    live.card("11")
    assert live.position.seats[3].status == "left"
    for _ in range(3):
        live.stay()
    assert match.rounds == [[11, 9, 12, None]]
    assert match.present == (0, 1, 2, 3)
    assert match.totals == [11, 9, 12, 5]
