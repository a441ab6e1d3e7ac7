"""How fast `Game` plays: four seats, each stays at 25, every event told."""

import time

from flip7 import Game
from flip7.testing import stay_at, told

REQUIRED = 300  # games a second
SECONDS = 5.0


def play(seed: int) -> Game:
    """Play one whole game."""
    game = Game(4, seed=seed)
    while game.decision is not None:
        game.play(stay_at(game, 25))
    return game


def run() -> bool:
    """Measure for some seconds and print what came out; return whether it is fast enough."""
    sample = [play(seed) for seed in range(100)]
    games = 0
    start = time.perf_counter()
    while (took := time.perf_counter() - start) < SECONDS:
        games += 1
        play(games)
    rate = games / took
    print(
        f"game: {rate:,.0f} games a second, four seats that stay at 25, interpreted, with events (required: {REQUIRED})"
    )
    rounds = sum(len(game.rounds) for game in sample) / len(sample)
    events = sum(len(game.events) for game in sample) / len(sample)
    cards = sum(len(told(game, "card_flipped")) for game in sample) / len(sample)
    print(f"game: {rounds:.2f} rounds, {cards:.1f} cards and {events:.0f} events a game")
    return rate >= REQUIRED
