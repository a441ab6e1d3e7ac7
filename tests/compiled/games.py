"""Ten thousand random games for either build: `python -m tests.compiled.games` plays them compiled, and prints JSON."""

from __future__ import annotations

import importlib
import json
import sys
from collections.abc import Iterator
from random import Random
from types import ModuleType

from flip7.game.options import Rules
from flip7.rules.cards import CARDS, FACES
from flip7.rules.table import Table
from flip7.strategy.random import start

GAMES = 10_000
INPUTS = 1_500

Outcome = tuple[list[int], list[int]]
"""The checksum of every game, and how often each thing was seen in all of them."""


def random_rules(random: Random, seats: int) -> Rules:
    """Any options; in half of the games the deck is a random one."""
    composition = None
    if random.random() < 0.5:
        cards = random.sample(CARDS, random.randint(1, FACES))
        composition = {card: random.randint(1, 4) for card in [*cards, random.choice(CARDS[1:18])]}
    return Rules(
        target=random.choice((1, 10, 30)) if seats > 8 else random.choice((5, 10, 20, 40, 90)),
        dealer=random.randrange(seats),
        first=random.choice(("left", "dealer")),
        decks=random.choice((None, None, 1, 2, 3)),
        composition=composition,
        reshuffle=random.choice(("empty", "empty", "round")),
    )


def games() -> Iterator[tuple[Table, list[int], int]]:
    """A table before its first round, a generator of random numbers, and how rarely players stay."""
    random = Random(7)
    for number in range(GAMES):
        seats = random.randint(1, 36) if number % 20 == 0 else random.choice((1, 2, 2, 3, 3, 4, 5, 6))
        rng = [0]
        start(rng, 7, number)
        yield random_rules(random, seats).table(seats), rng, random.choice((2, 3, 5, 10, 50))


def interpreted(driver: ModuleType) -> Outcome:
    """Play them all as they are."""
    seen = [0] * 12
    checksums = []
    for table, rng, patience in games():
        checksums.append(driver.play_at_random(table, rng, table.draw[:], patience, INPUTS, seen, False))
        table.log.clear()
    return checksums, seen


def compiled(driver: ModuleType) -> Outcome:
    """Play them all compiled, checking after every input that no card is lost."""
    import numpy as np

    from flip7.compiled.build import compile_modules, to_records
    from flip7.strategy import random

    play = compile_modules((random, driver))["driver"].play_at_random
    seen = np.zeros(12, np.int64)
    checksums = []
    for table, rng, patience in games():
        record = to_records([table])
        deck = np.array(table.draw, np.int64)
        checksums.append(int(play(record[0], np.array(rng), deck, patience, INPUTS, seen, True)))
    return checksums, seen.tolist()


if __name__ == "__main__":
    json.dump(compiled(importlib.import_module("tests.compiled.driver")), sys.stdout)
