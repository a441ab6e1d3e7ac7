"""How strong `net` and `deep` are, what they cost, and how right advice and reviews are, in an hour of a core.

`FLIP7_STRENGTH=PARTS` runs some parts only, by their first letters: n(et), d(eep), m(ore thought), o(thers), a(dvice),
r(eview). `FLIP7_STRENGTH_GAMES=N` takes fewer games than 40,000 for the truth about a position. The rule of thumb,
the ladder of bots and games alone have commands of their own (docs/strength.md).
"""

from __future__ import annotations

import math
import os
import statistics
import sys
import time
from collections.abc import Iterable, Iterator
from random import Random
from typing import Any, TypeVar

import numpy as np

import flip7
from flip7 import Game, Position, Rules, simulate
from flip7.sim.statistics import Z
from flip7.strategy.advice import advise, inputs_of
from flip7.strategy.book import book_for
from flip7.strategy.cast import answer
from flip7.strategy.registry import get
from flip7.strategy.review import review
from flip7.strategy.surveys import NO_CHOICE
from flip7.strategy.thinking import WHOLE_GAME, Mind

SEED = 118_2026
NET = {2: 0.545, 3: 0.386, 4: 0.307, 6: 0.223}
DEEP = {2: 0.555, 3: 0.393, 4: 0.322, 6: 0.233}
ONE_NET, FOUR_NETS = 70_000, 35_000  # games a second
DECISION = 0.5  # milliseconds
MORE, MORE_GAMES = "deep:2048", 3_000  # what more thought brings; nothing is required of it
OTHERS = ("hit", "random", "points:15", "points:25", "points:35", "cards:3", "cards:5", "bust:0.2", "bust:0.3", "ev")
ONES = {"net": 8_000, "deep": 1_000}  # who must win its share against all others, and in how many games
POSITIONS = 200
REVIEWED, HELD_OUT = 20, 100  # games, and positions of theirs
SAID_EVERY = 60.0  # seconds between two signs of progress
GAMES = int(os.environ.get("FLIP7_STRENGTH_GAMES") or 40_000)  # for the truth about a position
Array = np.ndarray[Any, Any]
REVIEW_SECONDS, LEVEL_ERROR, CALIBRATION = 4.0, 0.008, 0.01


def run() -> bool:
    """Measure and print everything; return whether every requirement is met."""
    checks = {"n": net, "d": deep, "m": more, "o": others, "a": advice, "r": reviews}
    parts = os.environ.get("FLIP7_STRENGTH") or "".join(checks)
    if unknown := sorted(set(parts) - checks.keys()):
        raise SystemExit(f"FLIP7_STRENGTH={parts}: {''.join(unknown)} is no part; there are {', '.join(checks)}")
    reached = [check() for part, check in checks.items() if part in parts]
    return all(reached)


def against_ev(name: str, seats: int, games: int) -> tuple[float, float, float]:
    """Return the win rate of one seat against a field of `ev`, its standard error, and the seconds that it took."""
    field = [name, *["ev"] * (seats - 1)]
    simulate(field, games=seats, seed=0, workers=1)
    before = time.process_time()
    result = simulate(field, games=games // seats * seats, seed=SEED, workers=1)
    took = time.process_time() - before
    return result.win_rates[0], result.half_widths[0] / Z, took


def net() -> bool:
    """Measure the net against `ev`, and its speed."""
    reached = True
    for seats, least in NET.items():
        rate, error, _ = against_ev("net", seats, 150_000)
        print(f"strength: net among {seats - 1} ev wins {rate:.4f} (required: {least}), standard error {error:.4f}")
        reached = reached and rate >= least
    for field, least in ((["net", "ev", "ev", "ev"], ONE_NET), (["net"] * 4, FOUR_NETS)):
        before = time.process_time()
        simulate(field, games=100_000, seed=SEED, workers=1)
        speed = 100_000 / (time.process_time() - before)
        print(f"strength: {speed:,.0f} games a second with {field.count('net')} net of 4 (required: {least:,})")
        reached = reached and speed >= least
    return reached


def deep() -> bool:
    """Measure `deep` against `ev`, and the time that a decision takes."""
    reached = True
    for seats, least in DEEP.items():
        rate, error, each = thinker("deep", seats, 10_000)
        print(
            f"strength: deep among {seats - 1} ev wins {rate:.4f} (required: {least}), standard error {error:.4f}, "
            f"{each:.3f} ms a decision (required: {DECISION})"
        )
        reached = reached and rate >= least and each <= DECISION
    return reached


def thinker(name: str, seats: int, games: int) -> tuple[float, float, float]:
    """Return the win rate of one that thinks, its standard error, and the milliseconds that a decision takes."""
    rate, error, took = against_ev(name, seats, games)
    _, _, plain = against_ev("net", seats, games)
    return rate, error, 1000 * (took - plain) / games / questions_a_game(seats)


def more() -> bool:
    """Measure what more thought brings, and print the rows that docs/strength.md has for it."""
    rates, costs = [], []
    for seats in DEEP:
        rate, error, each = thinker(MORE, seats, MORE_GAMES)
        print(f"strength: {MORE} among {seats - 1} ev wins {rate:.4f} ± {error:.4f}, {each:.2f} ms a decision")
        rates.append(f"{rate:.3f} ± {error:.3f}".replace("0.", "."))
        costs.append(f"{each:.1f}")
    print(f"| `{MORE}`, {MORE_GAMES:,} games each | {' | '.join(rates)} |")
    print(f"| a decision of `{MORE}`, ms of processor time | {' | '.join(costs)} |")
    return True


def questions_a_game(seats: int) -> float:
    """Return how often one seat is asked in a game of `ev`."""
    games = [played(seats, seed) for seed in range(20)]
    return statistics.fmean(len(game.choices) / seats for game in games)


def played(seats: int, seed: int, name: str = "ev") -> Game:
    """Play one whole game."""
    strategy = get(name)
    game = Game(seats, seed=seed)
    while game.decision is not None:
        game.play(answer(strategy, game))
    return game


def others() -> bool:
    """Check that one net or deep thinker among any of the others wins its share, for 2 to 8 seats and three targets.

    Fewer games of `deep` leave more noise: it fails where a share is clearly missed, and the lowest is printed.
    """
    reached = True
    for one, games in ONES.items():
        worst = math.inf
        fields = [(other, seats, target) for other in OTHERS for seats in range(2, 9) for target in (100, 200, 300)]
        for other, seats, target in progress(f"fields of {one}", fields):
            field = [one, *[other] * (seats - 1)]
            result = simulate(field, games=games // seats * seats, seed=SEED, rules=Rules(target=target), workers=1)
            worst = min(worst, result.win_rates[0] * seats)
            missed = result.win_rates[0] if one == "net" else result.win_intervals[0][1]
            if missed * seats < 1:
                print(f"strength: {one} among {seats - 1} {other} to {target} wins only {result.win_rates[0]:.4f}")
                reached = False
        print(f"strength: {one} among others wins at least {worst:.2f} times its share, {games:,} games each")
    return reached


def questions(count: int, seats: int = 4) -> Iterator[Position]:
    """Yield positions of games between nets, at random moments."""
    chance = Random(SEED)
    for seed in range(count):
        game = played(seats, seed + SEED, "net")
        yield chance.choice([step.position for step in game.steps() if step.decision is not None])


def advice() -> bool:
    """Check whether the intervals hold the truth, and measure what fifty milliseconds buy."""
    covered = total = precise = 0
    errors, differences = [], []
    for number, position in enumerate(progress("positions", questions(POSITIONS))):
        ask = position.decision
        assert ask is not None
        found = advise(position, seed=number)
        truth = Mind(position.table).survey(inputs_of(ask), SEED + number, rounds=WHOLE_GAME)
        truth.add(GAMES)
        wins = [truth.win(option) for option in range(len(ask.options))]
        for option, choice in enumerate(found.choices):
            total += 1
            covered += choice.low <= wins[option] <= choice.high
        quick = Mind(position.table).survey(inputs_of(ask), number)
        began = time.process_time()
        while time.process_time() - began < 0.05:
            quick.add(50)
        precise += quick.difference_error(1, 0) <= 0.005
        long = Mind(position.table).survey(inputs_of(ask), number + 1)
        long.add(GAMES // 10)
        errors.append((long.win(0) - wins[0]) ** 2 - truth.error(0) ** 2 - long.error(0) ** 2)
        gap = long.win(1) - long.win(0) - (wins[1] - wins[0])
        differences.append(gap**2 - truth.difference_error(1, 0) ** 2 - long.difference_error(1, 0) ** 2)
    bias, gap_bias = (math.sqrt(max(statistics.fmean(found), 0)) for found in (errors, differences))
    print(f"strength: {100 * covered / total:.1f} % of the intervals of advice hold the truth (required: 90)")
    share = 100 * precise / POSITIONS
    print(f"strength: 50 ms bring the error of a difference under .5 % on {share:.0f} % of positions (required: 80)")
    print(f"strength: bias of a chance {100 * bias:.2f} %, of a difference {100 * gap_bias:.2f} % (root mean square)")
    return covered >= 0.9 * total and precise >= 0.8 * POSITIONS


def reviews() -> bool:
    """Measure how long a review takes, how far its chances are off, and whether they are calibrated."""
    seconds, levels, chances, won, held_out, truths = [], [], [], [], [], []
    for number in progress("reviews", range(REVIEWED)):
        game = played(4, SEED + number, "net")
        before = time.process_time()
        found = review(game, seed=number)
        seconds.append(time.process_time() - before)
        for moment in found.moments:
            chances.append(moment.before)
            won.append([seat.result for seat in found.seats])
        for moment in Random(number).sample([m for m in found.moments if m.kind == "card"], HELD_OUT // REVIEWED):
            truth = Mind(Position(moment.position).table).survey([NO_CHOICE], number, rounds=WHOLE_GAME)
            truth.add(GAMES)
            gap = moment.before[moment.seat] - truth.win(0)
            levels.append(gap * gap - truth.error(0) ** 2)
            held_out.append(moment.before)
            truths.append(truth.chances(0))
    error = math.sqrt(max(statistics.fmean(levels), 0))
    print(f"strength: a review of four seats takes {statistics.median(seconds):.1f} s (required: {REVIEW_SECONDS})")
    print(f"strength: its chances are off by {100 * error:.2f} % (root mean square; required: {100 * LEVEL_ERROR})")
    whole = off_by_tenths(np.array(held_out), np.array(truths))
    print(f"strength: by tenths all seats' chances are off by {100 * whole:.2f} % from whole games (required: 1)")
    own = off_by_tenths(np.array(chances), np.array(won))
    print(f"strength: all chances of these {REVIEWED} reviews are off by {100 * own:.1f} % from how the games ended")
    calibration = calibrated()
    print(f"strength: chances at the end of rounds are off by {100 * calibration:.2f} % from what comes (required: 1)")
    right = error <= LEVEL_ERROR and max(whole, calibration) <= CALIBRATION
    return right and statistics.median(seconds) <= REVIEW_SECONDS


def calibrated() -> float:
    """Return how far the value of a finished round is from the share of games that are won, by tenths of it."""
    from flip7.compiled.build import to_records
    from flip7.strategy import bench, engine, policies, value
    from flip7.strategy.training import fit, rows

    table = Rules().table(4)
    pair = [bench.Bench(table, [policies.BY_NET] * 4, book_for(4)) for _ in range(2)]
    states = np.zeros((200_000, 4, value.VALUE_INPUTS), np.float32)
    winners = np.zeros(len(states), np.int64)
    build = engine.compiled((policies.DEEP,), (rows,))["rows"]
    build.label_rounds(to_records([table, table]), to_records(pair, bench.LAYOUT), states, winners, SEED)
    network = fit.Network(value.VALUE_INPUTS, value.VALUE_HIDDEN, 0)
    weights = np.array(book_for(4)[value.VALUE_NET :], np.float32)
    sizes = np.cumsum([part.size for part in network.parts])[:-1]
    shapes = [part.shape for part in network.parts]
    network.parts = [part.reshape(shape) for part, shape in zip(np.split(weights, sizes), shapes, strict=True)]
    scores = network.outputs(states.reshape(-1, value.VALUE_INPUTS)).reshape(-1, 4)
    chances = np.exp(scores - scores.max(1, keepdims=True))
    chances /= chances.sum(1, keepdims=True)
    won = np.zeros_like(chances)
    won[np.arange(len(won)), winners] = 1
    return off_by_tenths(chances, won)


def off_by_tenths(chances: Array, won: Array) -> float:
    """Return how far chances are from the share of games that were won, on average over tenths of a chance."""
    tenth = np.minimum((chances * 10).astype(int), 9)
    return sum(abs(float((chances - won)[tenth == i].sum())) for i in range(10)) / chances.size


Numbered = TypeVar("Numbered")


def progress(word: str, things: Iterable[Numbered]) -> Iterator[Numbered]:
    """Give the things one by one, and say now and then how many were given."""
    said = time.monotonic()
    for number, thing in enumerate(things):
        if time.monotonic() - said > SAID_EVERY:
            said = time.monotonic()
            print(f"strength: {number} {word} so far", file=sys.stderr, flush=True)
        yield thing


if __name__ == "__main__":
    print(flip7.__version__, run())
