"""Net, deep thought, advice, review and solver where nobody trained: house decks, two decks, 1 to 36 seats."""

from __future__ import annotations

from random import Random

import pytest

import flip7
from flip7 import Card, Game, Rules
from flip7.rules.cards import CARDS
from flip7.strategy.cast import answer
from flip7.strategy.registry import get
from flip7.strategy.review import review
from flip7.strategy.solver.solve import Problem

SEATS = (1, 2, 5, 11, 18, 19, 36)


def house(chance: Random) -> Rules:
    """A deck that somebody might think of: any kinds of cards, some of them many times."""
    kinds = chance.sample(list(CARDS), chance.randint(3, 12))
    deck = {Card(card): chance.choice((1, 2, 3, 9)) for card in kinds}
    deck[Card.N12] = deck[Card.N3] = 4  # so that a game comes to its end
    return Rules(target=chance.choice((1, 25, 60)), composition=deck, decks=chance.choice((None, 1, 2)))


def tables() -> list[tuple[int, Rules]]:
    chance = Random(11)
    odd = [(seats, house(chance)) for seats in SEATS for _ in range(2)]
    return [*odd, (3, Rules(target=15, decks=2)), (36, Rules(target=10)), (4, Rules(target=20, reshuffle="round"))]


@pytest.mark.parametrize(("seats", "rules"), tables(), ids=str)
def test_everything_works_there(seats: int, rules: Rules) -> None:
    chance = Random(seats)
    game = Game(seats, seed=seats, rules=rules)
    players = [get(name) for name in ("net", "deep:3", "points:20")]
    asked = 0
    while (ask := game.decision) is not None and asked < 60:
        asked += 1
        choice = answer(players[ask.seat % 3], game)
        assert choice in ask.options
        if asked in (2, 9):
            found = flip7.advise(game, seed=1, precision=0.2)
            assert found.best in ask.options
            assert sum(found.seats) == pytest.approx(1) or seats == 1
            assert all(0 <= advised.low <= advised.win <= advised.high <= 1 for advised in found.choices)
        game.play(choice if asked < 40 else chance.choice(ask.options))
    if game.winner is not None:
        told = review(game, seed=1, rollouts=3)
        for seat in told.seats:
            assert seat.start + seat.luck + seat.skill == seat.result
            assert seat.skill <= 0


@pytest.mark.parametrize("seed", range(6))
def test_the_solver_solves_them_or_says_why_not(seed: int) -> None:
    """Small decks always; what is too large is refused before it takes long."""
    rules = house(Random(seed))
    try:
        problem = Problem(rules)
    except ValueError as error:
        reason = str(error)
    else:
        reason = ""
        if problem.states < 20_000_000:
            found = problem.solve()
            assert 0 <= found.bust <= 1
            assert 0 <= found.flip7 <= 1
            assert found.value > 0
    assert not reason or "too" in reason or "at most" in reason
