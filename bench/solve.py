"""How long the exact solver takes: the whole deck, and positions of games."""

from __future__ import annotations

import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from random import Random

from flip7 import Game, Position, Rules, Solution, solve
from flip7.rules.cards import NUMBERS_ONLY
from flip7.strategy.cast import answer
from flip7.strategy.registry import get

VALUE, CLOSE = 20.29758, 1e-5
SECONDS = 20.0  # of processor time, for the whole deck
MEMORY = 4.0  # GB
MEDIAN = 0.050  # seconds, for a position
POSITIONS = 150


def run() -> bool:
    """Measure and print everything; return whether every requirement is met."""
    solve(Rules(composition=NUMBERS_ONLY))  # compiles, if that has not been done
    return all([whole_deck(), live_positions()])


def whole_deck() -> bool:
    """Measure in a process of its own, whose memory is counted; a first one may have to compile."""
    for _ in range(2):
        code = "from bench.solve import one_deck; one_deck()"
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        value, states, seconds, peak = done.stdout.split()
    print(
        f"solve: the whole deck is worth {float(value):.6f} (required: {VALUE} ± {CLOSE}), {int(states):,} states, "
        f"{float(seconds):.1f} s of processor time (required: {SECONDS:.0f}), {float(peak):.2f} GB "
        f"(required: {MEMORY:.0f})"
    )
    return abs(float(value) - VALUE) <= CLOSE and float(seconds) <= SECONDS and float(peak) <= MEMORY


def one_deck() -> None:
    """Solve the whole deck and print value, states, seconds of processor time and peak of memory."""
    found, seconds = timed(None)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    print(found.value, found.states, seconds, peak)


def timed(position: Position | None) -> tuple[Solution, float]:
    """Return a solution, and the processor time that it took."""
    start = time.process_time()
    found = solve(position=position)
    return found, time.process_time() - start


def live_positions() -> bool:
    """Measure turns of games between four seats of `ev`."""
    times = sorted(timed(position)[1] for position in turns(POSITIONS))
    median = statistics.median(times)
    print(
        f"solve: {POSITIONS} positions of games with four seats: median {1000 * median:.1f} ms of processor time "
        f"(required: {1000 * MEDIAN:.0f}), mean {statistics.mean(times):.2f} s, nine of ten under "
        f"{times[POSITIONS * 9 // 10]:.2f} s, the slowest {times[-1]:.1f} s"
    )
    return median <= MEDIAN


def turns(count: int) -> Iterator[Position]:
    """Yield positions in which a seat is asked whether it hits, one from each of n games."""
    player = get("ev")
    for seed in range(count):
        game = Game(4, seed=seed)
        skip = Random(seed).randrange(60)
        while game.decision is not None:
            if skip <= 0 and game.decision.kind == "turn":
                yield game.position
                break
            skip -= 1
            game.play(answer(player, game))
