"""Golden games: complete records that must replay, and come out again, to the last character.

A change that alters one of them changes what old records mean: it needs a new version of the record. Run as a program,
this file writes those that are missing.
"""

from collections.abc import Callable
from pathlib import Path

import pytest

from flip7 import Card, Game, Rules
from flip7.game.promise import deck_promise
from flip7.testing import check_table, scripted, stay_at, told

FOLDER = Path(__file__).resolve().parent.parent / "golden"


def finished(game: Game, points: int = 25) -> Game:
    """The game, played to its end by players who stay at so many points."""
    while game.decision is not None:
        game.play(stay_at(game, points))
    return game


def three() -> Game:
    return finished(Game(["Ana", "Ben", "Cho"], seed=7, date="2026-11-17", place="Café Čapek"))


def four() -> Game:
    return finished(Game(4, seed=44, rules=Rules(dealer=2, first="dealer")), 30)


def two() -> Game:
    return finished(Game(["Eve", "Max"], seed=2**255 + 9, rules=Rules(reshuffle="round")))


def nineteen() -> Game:
    return finished(Game(19, seed=19, rules=Rules(target=100)))


def playoff() -> Game:
    return finished(Game(3, seed=60, rules=Rules(target=60)))


def committed() -> Game:
    return finished(Game(3, seed=987654321, commit=True, salt="00c0ffee00c0ffee", rules=Rules(target=80)))


def nonces() -> Game:
    """A game as the server deals it: its secret was promised first, and everybody had a share in the deck."""
    return finished(
        Game(
            ["Ana", "Ben"],
            seed=987654321,
            commit=True,
            salt="00c0ffee00c0ffee",
            nonces=["0123456789abcdef", "feedfeed"],
            id="k3ZtQ9",
            date="2026-11-18",
            rules=Rules(target=60, dealer=1),
        )
    )


def first_promise() -> Game:
    """A game as it was promised in version 1: by the hash of seed and salt alone."""
    seed, salt = 987654321, "00c0ffee00c0ffee"
    promise = deck_promise(seed, salt)
    return finished(Game(3, seed=seed, commit=True, salt=salt, promise=promise, rules=Rules(target=80)))


def composition() -> Game:
    """A small deck of many action cards, so that it is reshuffled in the middle of Flip Threes."""
    counts = {"3": 2, "5": 2, "7": 2, "9": 2, "12": 2, "x2": 1, "freeze": 2, "flip3": 4, "second": 2}
    rules = Rules(target=90, decks=2, composition={Card(card): n for card, n in counts.items()})
    return finished(Game(3, seed=5, rules=rules, deck=["flip3", "flip3", "second", "freeze"]))


def live() -> Game:
    """The same cards and choices as in the playoff, but turned up by hand."""
    game = playoff()
    turned = [event.card for event in told(game, "card_flipped") if event.card]
    return scripted(["Kim", "Lou", "Mia"], turned, game.choices, rules=game.rules)


GAMES: dict[str, Callable[[], Game]] = {
    game.__name__: game
    for game in (three, four, two, nineteen, playoff, committed, first_promise, nonces, composition, live)
}


def golden(name: str) -> str:
    return (FOLDER / f"{name}.flip7").read_text(encoding="utf-8")


def test_every_golden_game_is_listed_here() -> None:
    assert {path.name for path in FOLDER.iterdir()} == {f"{name}.flip7" for name in GAMES}


@pytest.mark.parametrize("name", GAMES)
def test_a_golden_game_replays_to_the_letter(name: str) -> None:
    game = Game.from_record(golden(name))
    assert game.record() == golden(name)
    assert game.winner is not None
    check_table(game)


@pytest.mark.parametrize("name", GAMES)
def test_the_same_arguments_give_the_same_record_to_the_last_character(name: str) -> None:
    assert GAMES[name]().record() == golden(name)


def test_the_golden_games_show_what_their_names_say() -> None:
    assert Game.from_record(golden("playoff")).playoffs > 0
    assert Game.from_record(golden("committed")).salt == "00c0ffee00c0ffee"
    assert Game.from_record(golden("first_promise")).record().startswith("flip7 record 1")
    assert Game.from_record(golden("nonces")).nonces == ("0123456789abcdef", "feedfeed")
    assert Game.from_record(golden("live")).seed is None
    assert "challenge" in golden("two")
    assert any(" shuffle " in line.partition(": ")[2] for line in golden("composition").splitlines())


if __name__ == "__main__":
    for title, make in GAMES.items():
        path = FOLDER / f"{title}.flip7"
        if not path.exists():
            path.write_text(make().record(), encoding="utf-8")
