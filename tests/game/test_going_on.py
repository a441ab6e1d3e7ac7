"""Going on from any position: `Position.after` and `chances`, `Game.at`, `Game.steps`."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import pytest

from flip7 import Card, Game, IllegalChoice, InvalidChoice, Position, Rules
from flip7.game.events import CardFlipped
from flip7.testing import stay_at


def played(seed: int, seats: int = 3, rules: Rules | None = None) -> Game:
    game = Game(seats, seed=seed, rules=rules)
    while game.decision is not None:
        game.play(stay_at(game, 20 + seed))
    return game


def test_after_makes_the_choice_and_nothing_else() -> None:
    before = Position("0:12,9/0:5 turn@0")
    hit = before.after("hit")
    assert before == Position("0:12,9/0:5 turn@0")
    assert hit.decision is not None
    assert (hit.decision.kind, hit.decision.seat) == ("card", 0)
    assert hit.after(Card.N7).seats[0].points == 28
    assert hit.after("9").seats[0].status == "busted"
    assert before.after("stay").seats[0].status == "stayed"


def test_after_refuses_what_play_refuses() -> None:
    position = Position("0:12,9/0:5 turn@0")
    with pytest.raises(IllegalChoice, match="seat 0 may answer 'hit', 'stay'"):
        position.after(1)
    with pytest.raises(InvalidChoice, match="'jump' cannot be read"):
        position.after("jump")
    with pytest.raises(IllegalChoice, match="this one is not over"):
        position.after()


def test_after_a_round_the_next_one_begins_without_a_choice() -> None:
    over = Position("0:12,9/0s:5 turn@0").after("stay")
    assert over.decision is None
    assert [seat.total for seat in over.seats] == [21, 5]
    begun = over.after()
    assert (begun.round, begun.dealer) == (2, 1)
    assert begun.decision is not None
    assert begun.decision.kind == "card"


def test_chances_count_the_pile() -> None:
    card = Position("0:12,9/0:5 turn@0").after("hit")
    chances = card.chances()
    assert sum(chances.values()) == pytest.approx(1)
    assert chances[Card.N12] == float(Fraction(11, 91))
    assert set(chances) == set(card.decision.options) if card.decision else False
    assert Position("0:12,9/0:5 turn@0").chances() == {}


@pytest.mark.parametrize("seed", range(4))
def test_a_game_goes_on_from_its_own_positions(seed: int) -> None:
    game = played(seed)
    for step in list(game.steps(cards=True))[::25]:
        twin = Game.at(step.position, seed=5)
        assert twin.rules.target == 200
        again = Game.at(str(step.position), seed=5)
        while twin.decision is not None:
            again.play(stay_at(twin, 25))
            twin.play(stay_at(twin, 25))
        assert twin.events == again.events
        assert twin.winner is not None
        assert sum(twin.draw_pile.values()) + sum(twin.discard_pile.values()) <= 94
        twin.undo()
        assert twin.winner is None


def test_a_game_at_a_position_may_be_live_and_named() -> None:
    game = Game.at("0:12,9/0:5 turn@0", players=["Ana", "Ben"], live=True)
    assert game.players == ("Ana", "Ben")
    game.play("hit")
    assert game.decision is not None
    assert game.decision.kind == "card"
    with pytest.raises(ValueError, match="has no record"):
        game.record()
    with pytest.raises(ValueError, match="3 players for a position with 2 seats"):
        Game.at("0:12,9/0:5 turn@0", players=["Ana", "Ben", "Cleo"])
    with pytest.raises(ValueError, match="seed does not go with it"):
        Game.at("0:12,9/0:5 turn@0", seed=1, live=True)
    with pytest.raises(ValueError, match=r"5 is no position: a flip7\.Game, a flip7\.Position or its text is needed"):
        Game.at(5)  # type: ignore[arg-type]


@pytest.mark.parametrize("rules", [Rules(), Rules(target=60, reshuffle="round", first="dealer", dealer=1)])
@pytest.mark.parametrize("seats", [1, 2, 5])
def test_steps_tell_the_whole_game_again(seats: int, rules: Rules) -> None:
    if rules.dealer >= seats:
        rules = Rules(target=60)
    game = played(3, seats, rules)
    steps = list(game.steps())
    assert tuple(step.choice for step in steps[1:]) == game.choices
    assert [event for step in steps for event in step.events] == game.events
    for step in steps[1:]:
        assert step.decision == step.position.decision
        assert step.choice in step.decision.options if step.decision else False
    inputs = list(game.steps(cards=True))
    assert [event for step in inputs for event in step.events] == game.events
    cards = [step.choice for step in inputs if isinstance(step.choice, Card)]
    assert cards == [event.card for event in game.events if isinstance(event, CardFlipped)]
    for one, other in pairwise(inputs):
        assert one.position.after(one.choice) == other.position


def test_steps_of_a_live_game_and_of_one_that_goes_on() -> None:
    live = Game(2, live=True)
    for choice in ("7", "5", "hit", "9", "stay"):
        live.play(choice)
    assert tuple(step.choice for step in live.steps())[1:] == live.choices
    assert [event for step in live.steps() for event in step.events] == live.events
    start = live.position
    game = Game.at(start, seed=2)
    game.play(stay_at(game, 15))
    assert next(game.steps()).position == start
    assert [event for step in game.steps() for event in step.events] == game.events
