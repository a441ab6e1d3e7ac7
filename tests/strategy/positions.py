"""Positions from random games, for tests that look at many."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from flip7 import Card, Game, Rules
from flip7.rules.cards import CARDS
from flip7.testing import at_random


def random_games(seed: int, count: int) -> Iterator[Game]:
    """A random game at every moment at which somebody is asked; in some the deck is small and the pile often empty."""
    random = Random(seed)
    for _ in range(count):
        small = {card: random.randint(0, 3) for card in CARDS} | {Card.N12: 2, Card.SECOND: 6}
        rules = Rules(
            target=random.choice((60, 200)),
            composition=random.choice((None, small)),
            reshuffle=random.choice(("empty", "round")),
        )
        game = Game(random.randint(1, 6), seed=random.randrange(2**32), rules=rules)
        stay = random.choice((0.02, 0.1, 0.3))
        for _ in range(150):
            if game.decision is None:
                break
            yield game
            game.play(at_random(game, random, stay=stay))
