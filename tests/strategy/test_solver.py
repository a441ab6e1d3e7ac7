"""The exact solver, beside plain expectimax through the rules and beside published values."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from fractions import Fraction
from random import Random

import numpy as np
import pytest

import flip7
from flip7 import NUMBERS_ONLY, STANDARD, Card, Game, Position, Rules, Solution
from flip7.rules.cards import CARDS, FREEZE, SECOND
from flip7.strategy.solver import modes
from flip7.testing import at_random

from .expectimax import expectimax

Deck = dict[Card, int]


def deck(text: str) -> Deck:
    """A deck from words such as `12:3 second:2`."""
    return {Card(card): int(count) for card, _, count in (word.partition(":") for word in text.split())}


TINY = [
    deck("3:2 12:2 second:1"),
    deck("5:2 6:1 7:1 flip3:2 freeze:1"),
    deck("1:1 12:2 +10:1 x2:1 flip3:1 freeze:1 second:1"),
    deck("0:1 2:2 9:2 +2:1 flip3:3 freeze:2"),
    deck("4:3 8:1 10:1 +4:2 x2:2 second:2"),
    deck("1:1 2:1 3:1 4:1 5:1 6:1 7:1 8:1 flip3:2"),
    deck("1:1 2:1 3:1 4:1 5:1 6:1 7:2 second:1 freeze:1 flip3:1"),
    deck("11:2 12:1 +6:1 +8:1 flip3:3 freeze:3 second:1"),
    deck("12:4 11:1 flip3:1 second:3"),
    deck("6:1 9:1 +2:1 +4:1 +6:1 +8:1 +10:1 x2:1 flip3:1 freeze:1 second:1"),
    deck("3:2 4:2 flip3:2 freeze:2 second:2"),
    deck("+2:1 x2:1 flip3:2 freeze:1"),
]
"""Small decks with every kind of card. Some run out within a round."""

UTILITIES: list[Callable[[int], float]] = [float, lambda points: points**0.5, lambda points: float(points >= 17)]


def agree(position: Position, utility: Callable[[int], float] = float) -> Solution:
    """Solve both ways."""
    found = flip7.solve(position=position, utility=utility)
    value, bust, chance = expectimax(position.table, utility)
    assert found.value == pytest.approx(value, abs=1e-9), position
    assert found.bust == pytest.approx(bust, abs=1e-9), position
    assert found.flip7 == pytest.approx(chance, abs=1e-9), position
    return found


def fresh(composition: Deck) -> Position:
    return Position.of(Game(1, live=True, rules=Rules(composition=composition)).position.table)


@pytest.mark.parametrize("composition", TINY, ids=range(len(TINY)))
@pytest.mark.parametrize("utility", UTILITIES, ids=["points", "root", "target"])
def test_a_tiny_deck_is_worth_what_expectimax_through_the_rules_says(
    composition: Deck, utility: Callable[[int], float]
) -> None:
    position = fresh(composition)
    found = agree(position, utility)
    whole = flip7.solve(Rules(composition=composition), utility=utility)
    assert (whole.value, whole.bust, whole.flip7) == (found.value, found.bust, found.flip7)
    assert whole.choice is None


def positions(seed: int, count: int, seats: int) -> Iterator[Position]:
    """Positions of random games with small decks, in the middle of everything: questions, cards to come, targets."""
    random = Random(seed)
    while count:
        composition = {**random.choice(TINY), Card.FLIP3: random.randint(1, 3), Card.N3: 1}
        game = Game(seats, rules=Rules(composition=composition), live=True)
        for _ in range(random.randrange(1, 60)):
            ask = game.decision
            if ask is None:
                break
            if ask.kind == "card":
                left = game.draw_pile if any(game.draw_pile.values()) else game.discard_pile
                game.play(random.choices(list(left), weights=list(left.values()))[0])
            else:
                game.play(at_random(game, random, stay=0.05))
        if game.decision is not None:
            count -= 1
            yield game.position


@pytest.mark.parametrize("seats", [1, 2, 3, 5])
def test_positions_in_the_middle_of_a_round_are_worth_what_expectimax_says(seats: int) -> None:
    """Among them reshuffles, cards set aside and handed out, to oneself and to others, and spare Second Chances."""
    seen: set[str | None] = set()
    for number, position in enumerate(positions(seats, 40 if seats == 1 else 16, seats)):
        agree(position, UTILITIES[number % 3])
        table = position.table
        seen.add(position.decision.kind if position.decision else None)
        seen |= {"aside"} if table.aside_count else set()
        seen |= {"stack"} if table.stack_count else set()
    assert seen >= ({"card", "turn", "aside"} if seats == 1 else {"card", "turn", "target", "aside"})


@pytest.mark.parametrize(
    "text",
    [
        "0:3/0:4,flip3 card@1 flips=three:1 aside=flip3,freeze turn=0 stack=flip3>1,freeze>1",
        "0:3/0:4,flip3 card@1 flips=three:1 aside=freeze stack=flip3>0,flip3>1 turn=1",
        "0:3/0:4,flip3/0:- target@1:flip3 flips=three:0 aside=freeze>0,flip3 turn=1",
        "0:3/0:4,flip3/0:- target@1:freeze flips=three:0 aside=flip3>1,freeze,flip3 turn=1",
        "0:3/0:4,second,flip3/0:- target@1:second flips=three:2 aside=flip3 turn=1",
        "0:3/0:4,second/0:- target@1:second turn=1",
    ],
)
@pytest.mark.parametrize("idle", [0, 9, 10])
def test_what_is_pending_is_played_on(text: str, idle: int) -> None:
    """Flip Threes within Flip Threes, Freezes in front of them, cards for others; also with the pile nearly empty."""
    numbers = "0.0.1.0.2.1.0.0.0.0.0.1.1"
    for draw in (f"{numbers}.0.0.0.0.1.1.1.1.1", "0.0.0.0.1.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.2"):
        discard = "0.0.0.0.0.0.1.0.0.0.0.0.0.0.0.0.0.0.0.0.1.1"
        found = agree(Position(f"{text} draw={draw} discard={discard} idle={idle}"))
        if "target@1:flip3" in text or "target@1:freeze" in text:
            assert found.choice == 1
        else:
            assert found.choice is None


def test_idle_reshuffles_end_the_round() -> None:
    """DECK-4: a forced card that can only come from ever the same cards stops coming."""
    nothing = "0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0"
    for idle in (0, 7, 8, 9, 10):
        for own in ("12,second,flip3", "12,flip3"):
            draw = "0.0.0.0.0.0.0.0.0.0.0.0.1.0.0.0.0.0.0.0.0.1"
            agree(Position(f"0:{own} card@0 flips=three:3 idle={idle} draw={draw} discard={nothing}.1"))


@pytest.mark.parametrize(
    ("composition", "value", "bust", "chance"),
    [
        (NUMBERS_ONLY, 18.5652176, 0.31350, 0.0028113),
        ({card: n for card, n in STANDARD.items() if card.face < FREEZE}, 20.2291054, None, None),
    ],
    ids=["numbers", "modifiers"],
)
def test_known_values_of_whole_decks(composition: Deck, value: float, bust: float | None, chance: float | None) -> None:
    found = flip7.solve(Rules(composition=composition))
    assert found.value == pytest.approx(value, abs=1e-6)
    if bust is not None:
        assert found.bust == pytest.approx(bust, abs=1e-5)
        assert found.flip7 == pytest.approx(chance, abs=1e-6)


def test_known_value_with_second_chances() -> None:
    composition = {card: n for card, n in STANDARD.items() if card.face < FREEZE or card.face == SECOND}
    assert flip7.solve(Rules(composition=composition)).value == pytest.approx(22.2504034, abs=1e-6)


@pytest.mark.long
def test_known_value_of_the_whole_deck() -> None:
    found = flip7.solve()
    assert found.value == pytest.approx(20.29758, abs=1e-5)
    assert found.bust == pytest.approx(0.293363, abs=1e-5)
    assert found.flip7 == pytest.approx(0.0125766, abs=1e-5)
    assert found.states == 21_980_032 * 56


def test_the_best_choice_and_what_each_is_worth() -> None:
    low = flip7.solve(position="0:12,5,9,1/0:3 turn@0")
    assert low.choice == "stay"
    assert low.stay == 27 == low.value
    assert low.hit is not None
    assert low.hit < 27
    assert low.bust == low.flip7 == 0
    bold = flip7.solve(position="0:12,5,9,1/0:3 turn@0", utility=lambda points: points >= 40)
    assert bold.choice == "hit"
    assert bold.stay == 0 < bold.value == bold.hit
    assert bold.bust > 0.2


def test_a_game_a_position_and_its_text_are_the_same() -> None:
    game = Game(3, seed=5)
    for _ in range(9):
        game.play("hit" if game.decision and game.decision.kind == "turn" else game.decision.options[0])  # type: ignore[union-attr]
    found = [flip7.solve(position=this) for this in (game, game.position, str(game.position))]
    assert len({(this.value, this.choice, this.bust) for this in found}) == 1


def test_single_precision_makes_the_same_choices(monkeypatch: pytest.MonkeyPatch) -> None:
    """A seventh is another number in single precision, and staying for it is staying."""
    fresh = "0:12,5,9,1/0:3 turn@0"
    exact = flip7.solve(position=fresh, utility=lambda points: points / 7)
    monkeypatch.setattr("flip7.strategy.solver.stage.DOUBLE", 0)
    found = flip7.solve(position=fresh, utility=lambda points: points / 7)
    assert (found.choice, found.value, found.bust, found.flip7) == ("stay", 27 / 7, 0.0, 0.0)
    assert found.hit == pytest.approx(exact.hit, rel=1e-5)
    other = flip7.solve(position="0:5,4,2,1 turn@0", utility=lambda points: points / 7)
    assert (other.choice, other.stay) == ("hit", 12 / 7)
    assert other.value == other.hit


@pytest.mark.parametrize("kind", [np.float32, np.float64, np.int8, np.uint64, np.bool_, Fraction])
def test_a_utility_may_be_of_any_kind_of_number(kind: Callable[[int], float]) -> None:
    position = "0:12,5,9,1/0:3 turn@0"
    plain = [float(kind(points // 2)) for points in range(200)]
    expected = flip7.solve(position=position, utility=plain).value
    assert flip7.solve(position=position, utility=[kind(points // 2) for points in range(200)]).value == expected
    assert flip7.solve(position=position, utility=lambda points: kind(points // 2)).value == expected


def test_a_tie_is_a_stay() -> None:
    found = flip7.solve(position="0:12,5,9,1,2 turn@0", utility=lambda points: 1.0)
    assert (found.choice, found.value, found.bust) == ("stay", 1.0, 0.0)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"position": "0:12 round-over"}, "the round is over"),
        ({"position": "0:12 turn@0", "rules": Rules()}, "give one of them"),
        ({"position": "0:12,9,8,7 turn@0", "utility": [1, 2, 3]}, "3 values, but .* points are possible"),
        ({"position": "0:12,9,8,7 turn@0", "utility": lambda points: float("nan")}, "utility of 0 points: nan"),
        ({"position": "0:12,9,8,7 turn@0", "utility": lambda points: "x"}, "utility of 0 points: 'x'"),
        ({"position": "0:12,9,8,7 turn@0", "utility": lambda points: "1"}, "utility of 0 points: '1'"),
        ({"position": "0:12,9,8,7 turn@0", "utility": lambda points: None}, "utility of 0 points: None"),
        ({"position": "0:12,9,8,7 turn@0", "utility": [10**999] * 200}, "utility of 0 points: 1000.* is no number"),
        ({"position": "0:12,9,8,7 turn@0", "utility": 5}, "utility 5: a sequence or a function is needed"),
        ({"position": "0:12,9,8,7 turn@0", "utility": {40: 1.0}}, r"utility \{40: 1.0\}: a sequence or a function"),
        ({"position": "0:12,9,8,7 turn@0", "utility": {1, 2}}, r"utility \{1, 2\}: a sequence or a function is needed"),
        ({"position": 5}, "5 is no position: a flip7.Game, a flip7.Position or its text is needed"),
        ({"position": Rules()}, r"Rules\(.*\) is no position"),
        ({"rules": "0:12 turn@0"}, "rules '0:12 turn@0': flip7.Rules is needed; a position is given as position=…"),
        ({"rules": Position("0:12 turn@0")}, "a position is given as position=…"),
        ({"rules": {"target": 100}}, "rules {'target': 100}: flip7.Rules is needed"),
        ({"rules": Rules(decks=2)}, "would take .* states and .* GB"),
        ({"rules": Rules(composition={**STANDARD, Card.SECOND: 40})}, "40 Second Chances"),
        ({"rules": Rules(composition={**STANDARD, Card.PLUS2: 400})}, "modifiers"),
        ({"rules": Rules(composition={**STANDARD, Card.FLIP3: 120, Card.FREEZE: 120})}, "Flip Threes"),
    ],
)
def test_what_cannot_be_solved_is_refused_with_a_reason(arguments: dict[str, object], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        flip7.solve(**arguments)  # type: ignore[arg-type]


def test_two_decks_are_solved_where_enough_lies_on_the_table() -> None:
    deck_ = [2 * n for n in STANDARD.values()]
    hand = (12, 9, 8, 7, 3, 2)
    for number in hand:
        deck_[number] -= 1
    deck_[Card.PLUS2.face : Card.X2.face + 1] = [0, 0, 1, 0, 2, 0]
    position = f"0:{','.join(map(str, hand))} turn@0 draw={'.'.join(map(str, deck_))}"
    found = flip7.solve(position=position)
    assert found.stay == 41
    assert found.choice == "stay"
    assert 20 < (found.hit or 0) < 41


def test_the_dealer_of_the_rules_does_not_matter() -> None:
    values = {flip7.solve(Rules(dealer=dealer, composition=TINY[0])).value for dealer in (0, 3)}
    assert len(values) == 1


def test_modes_that_nothing_can_tell_apart_are_one() -> None:
    found = modes.automaton(3, 3, True, (modes.HIT,))
    assert len(found.modes) == 56
    assert len(modes.automaton(3, 3, True, (modes.HIT,), merge=False).modes) == 64
    for number, mode in enumerate(found.modes):
        assert found.three[number] < max(number, 1) > found.freeze[number]
        assert mode.pending != modes.ASKED or found.plain[number] < number


def test_without_numba_the_error_names_the_extra() -> None:
    code = (
        "import sys; sys.modules['numba'] = None\nimport flip7\ntry: flip7.solve()\nexcept ImportError as e: print(e)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "[sim]" in run.stdout


def test_the_cards_have_not_changed_their_order() -> None:
    """The solver counts on it."""
    assert [str(card) for card in CARDS[13:]] == ["+2", "+4", "+6", "+8", "+10", "x2", "freeze", "flip3", "second"]
