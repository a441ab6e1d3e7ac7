"""The helpers for other people's tests do what they say, and fail when they should."""

from random import Random

import pytest

from flip7 import Card, Game, Rules
from flip7.testing import at_random, cards, check_table, choices, scripted, stay_at, told


def test_cards_and_choices_are_read_from_words() -> None:
    assert cards("7 x2 freeze") == (Card.N7, Card.X2, Card.FREEZE)
    assert cards(["7", Card.X2]) == (Card.N7, Card.X2)
    assert choices("hit 2 stay") == ("hit", 2, "stay")
    assert choices(["hit", 2]) == ("hit", 2)


def test_a_script_goes_as_far_as_it_reaches() -> None:
    game = scripted(["Ana", "Ben"], "5 6 7", "hit")
    assert game.players == ("Ana", "Ben")
    assert game.choices == ("5", "6", "hit", "7")


@pytest.mark.parametrize(
    ("deck", "answers", "reason"),
    [
        ("5 6 7", "", "left over: 7; the game waits for turn of seat 1: hit, stay"),
        ("5", "hit", "left over: hit; the game waits for card of seat 0"),
        ("5 6", "fold", "'fold' cannot be read"),
        ("0 0", "", "'0'.* is not possible now"),
        ("freeze", "2", "2 is not possible now"),
    ],
)
def test_a_script_that_does_not_fit_is_refused(deck: str, answers: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        scripted(2, deck, answers)


def test_a_script_has_to_name_every_card_even_one_that_could_be_no_other() -> None:
    sevens = Rules(composition={Card("7"): 3})
    assert [str(event.card) for event in told(scripted(2, "7 7", rules=sevens), "card_flipped")] == ["7", "7"]
    ask = scripted(2, "7", rules=sevens).decision
    assert ask is not None
    assert (ask.kind, ask.seat, ask.options) == ("card", 0, (Card("7"),))
    with pytest.raises(ValueError, match="the card for seat 1 is one of '7'"):
        scripted(2, "8 7", rules=sevens)


def test_a_script_ends_with_the_game() -> None:
    with pytest.raises(ValueError, match="left over: 9; the game is over"):
        scripted(1, "12 9", "stay", rules=Rules(target=12))


def test_the_simple_player_stays_freezes_others_and_flips_three() -> None:
    game = scripted(3, "12 11 10")
    assert (stay_at(game, 12), stay_at(game, 13)) == ("stay", "hit")
    assert stay_at(scripted(3, "freeze"), 25) == 0
    assert stay_at(scripted(3, "flip3"), 25) == 1
    assert stay_at(scripted(3, "second 5 6 second", "hit"), 25) == 0


def test_random_answers_are_legal_and_follow_the_chance_to_stay() -> None:
    game, random = scripted(3, "5 6 7"), Random(1)
    assert {at_random(game, random, stay=0) for _ in range(50)} == {"hit"}
    assert {at_random(game, random, stay=1) for _ in range(50)} == {"stay"}
    assert {at_random(scripted(3, "freeze"), random) for _ in range(50)} == {0, 1, 2}


def test_nothing_can_be_answered_after_the_end() -> None:
    game = scripted(1, "12", "stay", rules=Rules(target=12))
    with pytest.raises(ValueError, match="the game is over"):
        stay_at(game, 25)


@pytest.mark.parametrize(
    ("field", "fault"),
    [
        ("draw", "draw_left"),
        ("discard", "discard_left"),
        ("lines", "line"),
        ("shown", "shown"),
        ("held", "held"),
        ("different", "different"),
        ("sums", "sums"),
        ("bonuses", "bonuses"),
        ("draw_left", "draw_left"),
        ("discard_left", "discard_left"),
        ("active", "active"),
    ],
)
def test_the_check_finds_every_wrong_count(field: str, fault: str) -> None:
    game = Game(3, seed=1, deck=["5", "6", "7"])
    check_table(game)
    value = getattr(game.table, field)
    if isinstance(value, int):
        setattr(game.table, field, value + 1)
    elif isinstance(value[1], int):
        value[1] += 1
    else:
        value[1][0] += 1
    with pytest.raises(AssertionError, match=fault):
        check_table(game)


def test_the_check_finds_a_card_that_was_lost() -> None:
    game = Game(3, seed=1, deck=["5", "6", "7"])
    game.table.draw[Card("12").face] -= 1
    game.table.draw_left -= 1
    with pytest.raises(AssertionError, match=r"cards lost or made: .*12.* missing"):
        check_table(game)
