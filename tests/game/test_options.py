"""Rules and the arguments of `Game`: what can be agreed on, and clear words for what cannot."""

import re
from typing import Any

import msgspec
import pytest

import flip7
from flip7 import Card, Game, Rules
from flip7.testing import cards


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"target": 0}, "target 0"),
        ({"target": -5}, "target -5"),
        ({"target": True}, "target True"),
        ({"target": "200"}, "target '200'"),
        ({"target": 1_000_001}, "from 1 to 1000000"),
        ({"dealer": -1}, "dealer -1"),
        ({"dealer": 36}, "dealer 36"),
        ({"first": "right"}, "left, dealer"),
        ({"reshuffle": "never"}, "empty, round"),
        ({"decks": 0}, "decks 0"),
        ({"decks": 1.5}, "decks 1.5"),
        ({"composition": {}}, "worth any points"),
        ({"composition": {"0": 5, "x2": 3, "freeze": 2}}, "worth any points"),
        ({"composition": {"13": 1}}, "'13' is no card"),
        ({"composition": {7: 1}}, "7 is no card"),
        ({"composition": {"7": -1}}, "composition of 7"),
        ({"composition": {"7": True}}, "composition of 7"),
        ({"composition": "7"}, "a mapping from cards to counts"),
    ],
)
def test_rules_that_cannot_be_played_are_refused(options: dict[str, Any], reason: str) -> None:
    with pytest.raises(ValueError, match=re.escape(reason)):
        Rules(**options)


def test_rules_are_compared_by_value_and_keep_their_own_composition() -> None:
    mine = {Card("7"): 3, Card("x2"): 1, Card("5"): 0}
    rules = Rules(composition=mine)
    mine[Card("7")] = 99
    assert rules == Rules(composition={Card("x2"): 1, Card("7"): 3})
    assert rules.deck_for(4)[Card("7")] == 3


def test_rules_travel_as_json() -> None:
    rules = Rules(target=50, first="dealer", composition={Card("7"): 3, Card("flip3"): 1})
    assert msgspec.json.decode(msgspec.json.encode(rules), type=Rules) == rules


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ({"players": 0}, "1 to 36"),
        ({"players": 37}, "1 to 36"),
        ({"players": []}, "1 to 36"),
        ({"players": True}, "a number or a list of names"),
        ({"players": "Ana"}, "a number or a list of names"),
        ({"players": 2.0}, "a number or a list of names"),
        ({"players": None}, "a number or a list of names"),
        ({"players": ["Ana", ""]}, "name of seat 1"),
        ({"players": ["Ana", "B\nn"]}, "name of seat 1"),
        ({"players": ["Ana", 5]}, "name of seat 1"),
        ({"players": ["A" * 201]}, "name of seat 0"),
        ({"players": 3, "seed": -1}, "seed -1"),
        ({"players": 3, "seed": 2**256}, "seed"),
        ({"players": 3, "seed": "7"}, "seed '7'"),
        ({"players": 3, "seed": True}, "seed True"),
        ({"players": 3, "seed": int}, "seed <class 'int'>"),
        ({"players": 3, "rules": {"target": 5}}, "flip7.Rules is needed"),
        ({"players": 3, "rules": Rules(dealer=3)}, "the seats are 0 to 2"),
        ({"players": 3, "rules": Rules(decks=9, composition={Card("7"): 1112})}, "10008 copies of 7"),
        ({"players": 3, "rules": Rules(composition={Card("7"): 1, Card("freeze"): 251})}, "at most 250"),
        ({"players": 3, "deck": "7"}, "a list of cards"),
        ({"players": 3, "deck": ["0", "0"]}, "card 2 of the deck: 0 again, but there are only 1 of it"),
        ({"players": 3, "deck": ["14"]}, "card 1 of the deck: '14' is no card"),
        ({"players": 3, "deck": [7]}, "card 1 of the deck: 7 is no card"),
        ({"players": 3, "live": True, "seed": 1}, "live game has no deck"),
        ({"players": 3, "live": True, "deck": ["7"]}, "live game has no deck"),
        ({"players": 3, "live": True, "commit": True}, "live game has no deck"),
        ({"players": 3, "commit": True, "deck": ["7"]}, "shuffles all of it"),
        ({"players": 3, "salt": "00112233"}, "salt goes with commit"),
        ({"players": 3, "commit": True, "salt": "xyz"}, "8 to 64 hexadecimal digits"),
        ({"players": 3, "promise": "0" * 64}, "live=True"),
        ({"players": 3, "live": True, "promise": "0"}, "64 hexadecimal digits"),
        ({"players": 3, "date": "1.2.2026"}, "YYYY-MM-DD"),
        ({"players": 3, "date": "2026-02-30"}, "YYYY-MM-DD"),
        ({"players": 3, "place": " "}, "place"),
    ],
)
def test_games_that_cannot_be_played_are_refused(arguments: dict[str, Any], reason: str) -> None:
    players = arguments.pop("players")
    with pytest.raises(ValueError, match=re.escape(reason)):
        Game(players, **arguments)


def test_the_example_of_the_first_page_runs() -> None:
    game = flip7.Game(["Ana", "Ben", "Cho"], seed=7)
    while game.decision is not None:
        ask = game.decision
        game.play(ask.options[-1])
    assert game.winner is not None
    assert sum(map(len, game.rounds)) == 3 * len(game.rounds)


def test_the_same_arguments_give_the_same_game() -> None:
    def record() -> str:
        game = Game(4, seed=2**100, rules=Rules(dealer=3), date="2026-11-17", place="Kyiv", deck=["7", "flip3"])
        while game.decision is not None:
            game.play(game.decision.options[-1])
        return game.record()

    assert record() == record()


def test_without_a_seed_no_two_games_are_alike() -> None:
    assert Game(3).seed != Game(3).seed


def test_a_refused_choice_says_what_would_be_right() -> None:
    game = Game(3, live=True, rules=Rules(composition={Card("5"): 3, Card("freeze"): 1}))
    with pytest.raises(flip7.IllegalChoice, match="the card for seat 1 is one of '5', 'freeze'"):
        game.play("7")
    game.play("freeze")
    with pytest.raises(flip7.IllegalChoice, match="seat 1 may give freeze to the seats 0, 1, 2"):
        game.play(3)
    game.play(0)
    game.play("5")
    game.play("5")
    with pytest.raises(flip7.InvalidChoice, match="'fold' cannot be read; seat 2 may answer 'hit', 'stay'"):
        game.play("fold")


def test_a_card_is_text_and_never_a_number() -> None:
    assert Card("x2") == "x2"
    assert cards("12 second") == (Card.N12, Card.SECOND)
    with pytest.raises(ValueError, match="7 is no card"):
        Card(7)  # type: ignore[arg-type]


def test_a_deck_may_have_as_many_copies_as_fit_and_not_one_more() -> None:
    assert sum(Rules(composition={Card.N7: 9999}).deck_for(3).values()) == 9999
    assert Rules(composition={Card.N7: 3333}, decks=3).table(3).draw_left == 9999
    with pytest.raises(ValueError, match="composition of 7: 10000: a whole number from 0 to 9999"):
        Rules(composition={Card.N7: 10000})
    with pytest.raises(ValueError, match="10002 copies of 7 in all decks: at most 9999"):
        Rules(composition={Card.N7: 3334}, decks=3).table(3)
