"""A game in words: what is said about every event, to whom, and how it fits."""

import re
from random import Random

import pytest

from flip7.catalogue import LANGUAGES, texts
from flip7.game import events as ev
from flip7.game import layout, telling
from flip7.game.events import Hand, PlayerStayed
from flip7.game.game import Game
from flip7.rules.cards import Card
from flip7.testing import at_random


def told(deck: str, *choices: str | int, players: int = 3, you: int | None = None) -> list[str]:
    game = Game(players, seed=1, deck=deck.split())
    for choice in choices:
        game.play(choice)
    teller = telling.Teller(game.players, telling.Plain(), you=you, rulings=True)
    return [" ".join(line.split()) for line in teller.lines(game.events[1:])]


def test_action_cards_are_told_in_words() -> None:
    assert (
        told("5 freeze 4", 1)[1]
        == "Player 3 is dealt Freeze, for Player 2 [ACT-1]; Player 2 is frozen with 5 points [FRZ-1]"
    )
    first, second, *_ = told("second flip3 second freeze 7 3", 2, 0, you=2)
    assert first == "Player 2 is dealt Second Chance"
    flips = "you flip Second Chance, Freeze (set aside), 7"
    frozen = "Freeze for Player 1 [F3-4]; Player 1 is frozen with 0 points [FRZ-1]"
    assert second == f"You are dealt Flip Three, for yourself [ACT-1]; {flips}; {frozen}"


def test_the_second_person_has_its_own_grammar() -> None:
    """Every turn of a game, told to each of its players: "you" never goes with a verb of the third person."""
    game = Game(3, seed=5)
    while game.decision is not None:
        game.play(at_random(game, Random(len(game.events))))
    for seat in range(3):
        teller = telling.Teller(game.players, telling.Plain(), you=seat)
        story = " ".join(" ".join(teller.story(game.events)).split())
        assert re.search(r"\b[Yy]ou (are dealt|hit|stay|flip|deal)\b", story)
        assert not re.search(r"\b[Yy]ou (is|has|\w+s)\b", story)
        assert not re.search(r"\bPlayer \d (are|have|deal|hit|stay|flip)\b", story)


HAND = Hand(seat=0, status="stayed", cards=(Card("5"),), numbers=5, doubled=False, bonus=0, flip7=0, points=5, total=5)
SILENT = {
    ev.CardPlaced: "its flip or its giver tells it",
    ev.PlayerHit: "the card tells it",
    ev.FlipThreeStarted: "the cards that are flipped tell it",
    ev.RoundEnded: "the scores tell it, unless no card was left",
    ev.GameOver: "the result tells it",
}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("you", [None, 0])
def test_every_event_is_told_unless_another_one_tells_it(language: str, you: int | None) -> None:
    """One that is added later has to be told, too, or it belongs to the list."""
    teller = telling.Teller(["Ana", "Ben", "Cho"], telling.Plain(), you=you, language=language)
    more = {ev.RoundScored: {"hands": (HAND, HAND, HAND)}, ev.CardMisdealt: {"due": 2}}
    for kind in ev.Event.__subclasses__():
        event = kind(seat=0, card=Card("12"), **more.get(kind, {}))  # type: ignore[arg-type]
        assert bool("".join(teller.story([event]))) == (kind not in SILENT), kind
    for event in (ev.CardMisdealt(seat=1, due=2, card=Card("12")), ev.PlayerLeft(seat=1), ev.CardLost(card=Card("12"))):
        (line,) = teller.story([event])
        assert ("Ben" in line) == (event.seat is not None)
        assert ("12" in line) == (event.card is not None)


def test_a_player_who_is_called_you_is_spoken_to() -> None:
    game = Game(["Ana", "You"], seed=1, deck=["5", "7"])
    teller = telling.Teller(game.players, telling.Plain())
    assert [line.split(maxsplit=1)[1] for line in teller.lines(game.events[1:])] == ["are dealt 5", "is dealt 7"]
    two = telling.Teller(["you", "You", "Ana"], telling.Plain())
    assert list(two.lines([PlayerStayed(seat=0)])) == ["  you  stays"]


def test_saves_busts_and_discards_are_told_in_words() -> None:
    saved = told("second 4 5 7 3 9 7", "hit", "hit", "hit", "hit")[6]
    assert saved == "Player 2 hits: 7, saved by the Second Chance [SC-2]"
    busted = told("flip3 freeze 5 5", 1)[0]
    flips = "Player 2 flips Freeze (set aside), 5, 5, BUST [NUM-2]"
    assert busted == f"Player 2 is dealt Flip Three, for themselves [ACT-1]; {flips}; Freeze discarded [F3-3]"


def test_long_lines_break_between_sentences_on_a_narrow_terminal() -> None:
    game = Game(3, seed=1, deck=["5", "freeze", "4"])
    game.play(1)
    narrow = telling.Plain()
    narrow.columns = 50
    lines = list(telling.Teller(game.players, narrow, rulings=True).lines(game.events[1:]))
    assert lines[1:4] == [
        "  Player 3  is dealt Freeze, for Player 2 [ACT-1];",
        "            Player 2 is frozen with 5 points",
        "            [FRZ-1]",
    ]


def test_tables_line_up_with_wide_and_long_names() -> None:
    lines = list(layout.table([["林", "1"], ["Zoë", "22"]], right=[1]))
    assert lines == ["林    1", "Zoë  22"]
    assert layout.shorten("x" * 200) == "x" * 15 + "…"
    assert layout.columns(layout.shorten("林" * 100)) <= layout.LONGEST


def test_scores_of_long_games_are_broken_into_parts_that_fit() -> None:
    rounds = [[i % 30, 7] for i in range(60)]
    lines = list(telling.scores(["Ana", "Ben"], rounds, 80))
    assert max(map(len, lines)) <= 80
    assert " ".join(lines).count("Ben") > 1
    assert sum(line.count("total") for line in lines) == 1


@pytest.mark.parametrize("language", LANGUAGES)
def test_everything_is_told_in_every_language(language: str) -> None:
    """Whole games told to each of their players: nothing is left open, and nothing is English but in English."""
    for seed in range(4):
        game = Game(3, seed=seed)
        while game.decision is not None:
            game.play(at_random(game, Random(len(game.events))))
        for seat in (None, 0, 1, 2):
            teller = telling.Teller(game.players, telling.Plain(), you=seat, rulings=True, language=language)
            story = "\n".join([*teller.story(game.events), *telling.scores(teller.names, game.rounds, 80, language)])
            assert not re.search(r"[{}]", story)
            assert (texts(language, "lines")("you") in teller.names) == (seat is not None)
            english = re.search(r"\b(is dealt|hits?|stays?|Freeze|busted|Second Chance|cards|round)\b", story)
            assert (english is not None) == (language == "en")
