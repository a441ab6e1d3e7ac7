"""How fast the environments are, beside those of other libraries in the same run."""

from __future__ import annotations

import os
import statistics
import sys
import threading
import time
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

import gymnasium
import numba
import numpy as np
import pyspiel  # type: ignore[import-not-found]

from flip7.envs import Batch, flip7_v0

REQUIRED = {"uint8": 10e6, "float32": 9e6}  # choices a second on one core
VECTOR = 1e6  # choices of the learner a second
RAW = 20_000.0
TWO_THREADS = 1.8  # times one
LEAK = 1 << 20  # bytes that memory may grow by after the first tenth of the steps
TIMES = 5
SECONDS = 0.5
OTHER = 64 << 20  # bytes that are touched between steps, as a learner does


@numba.njit(nogil=True)
def choose(masks: Any, actions: Any, state: Any) -> None:
    """Some action that is allowed, at every table, each equally likely."""
    for i in range(masks.shape[0]):
        allowed = 0
        for action in range(masks.shape[1]):
            allowed += masks[i, action]
        state[0] = (state[0] * 3202034522624059733 + 2862933555777941757) & ((1 << 62) - 1)
        skip = ((state[0] >> 30) * allowed) >> 32
        for action in range(masks.shape[1]):
            if masks[i, action] == 1:
                if skip == 0:
                    actions[i] = action
                    break
                skip -= 1


class Random:
    """Random play at the tables of a batch."""

    def __init__(self, tables: int, dtype: Literal["uint8", "float32"], seed: int = 0) -> None:
        self.batch = Batch(tables, 4, seed=seed, dtype=dtype)
        self.actions = np.zeros(tables, np.int64)
        self.state = np.array([seed + 1])
        self.other = np.zeros(OTHER, np.uint8)
        for _ in range(20):
            self.step()

    def step(self) -> None:
        choose(self.batch.masks, self.actions, self.state)
        self.batch.step(self.actions)

    def rate(self, *, touching: bool = False) -> float:
        """Return choices per second of processor time that the steps take."""
        spent, steps = 0.0, 0
        while spent < (SECONDS / 10 if touching else SECONDS):  # touching takes far longer than the step
            choose(self.batch.masks, self.actions, self.state)
            if touching:
                self.other += 1
            before = time.process_time()
            self.batch.step(self.actions)
            spent += time.process_time() - before
            steps += 1
        return steps * len(self.actions) / spent


def run() -> bool:
    """Measure and print everything; return whether every requirement is met."""
    reached = [memory(), batches(), vector(), raw(), two_threads()]  # what others have used would hide a small leak
    connect_four()
    pig()
    return all(reached)


def told(what: str, rate: float, required: float | None = None) -> bool:
    """Print a figure, and return whether it is enough."""
    wanted = "" if required is None else f" (required: {required:,.0f})"
    print(f"envs: {rate:>12,.0f} choices a second, {what}{wanted}", flush=True)
    return required is None or rate >= required


def batches() -> bool:
    """Measure random play at four seats with complete observations; the best of several runs."""
    reached = []
    for dtype in ("uint8", "float32"):
        for tables in (4_096, 32_768):
            player = Random(tables, dtype)
            for touching in (False, True):
                rate = max(player.rate(touching=touching) for _ in range(TIMES))
                what = f"Batch of {tables:,}, {dtype}{', 64 MB touched between steps' if touching else ''}"
                reached.append(told(what, rate, REQUIRED[dtype]))
    return all(reached)


def by_processor(step: Callable[[], int]) -> float:
    """Return the best rate of several runs, by processor time."""
    rates = []
    for _ in range(TIMES):
        before, choices = time.process_time(), 0
        while (spent := time.process_time() - before) < SECONDS:
            choices += step()
        rates.append(choices / spent)
    return max(rates)


def vector() -> bool:
    """Measure a learner that plays at random against three compiled opponents."""
    reached = []
    for opponent in ("ev", "points:25"):
        what = f"make_vec of 4,096 against three {opponent}"
        reached.append(told(what, by_processor(vector_steps(opponent)), VECTOR))
    return all(reached)


def vector_steps(opponent: str) -> Callable[[], int]:
    """Play one choice at each of 4,096 tables against three of a kind."""
    many = gymnasium.make_vec(
        "flip7/Flip7-v0", num_envs=4_096, vectorization_mode="vector_entry_point", opponents=(opponent,) * 3
    )
    infos = many.reset(seed=0)[1]
    actions, state = np.zeros(4_096, np.int64), np.array([1])

    def step() -> int:
        nonlocal infos
        choose(infos["action_mask"], actions, state)
        infos = many.step(actions)[4]
        return len(actions)

    return step


def raw() -> bool:
    """PettingZoo's way, one choice at a time."""
    env = flip7_v0.raw_env(players=4)
    return told("PettingZoo raw_env of Flip 7", by_processor(aec_steps(env)), RAW)


def aec_steps(env: Any) -> Callable[[], int]:
    """Play a hundred choices at random, as users of PettingZoo do."""
    random = np.random.default_rng(0)
    env.reset(seed=0)

    def step() -> int:
        choices = 0
        while choices < 100:
            seen, _, over, _, _ = env.last()
            if over:
                env.reset()
                continue
            allowed = np.flatnonzero(seen["action_mask"])
            env.step(int(allowed[random.integers(len(allowed))]))
            choices += 1
        return choices

    return step


def connect_four() -> None:
    """PettingZoo's own. It imports pygame for its pictures, which are not drawn here: an empty module will do."""
    sys.modules.setdefault("pygame", types.ModuleType("pygame"))
    from pettingzoo.classic import connect_four_v3  # type: ignore[import-untyped]

    told("PettingZoo raw_env of connect_four", by_processor(aec_steps(connect_four_v3.raw_env())))


def pig() -> None:
    """OpenSpiel's game of pressing one's luck, in C++, with random choices and its observations."""
    game = pyspiel.load_game("pig")
    random = np.random.default_rng(0)

    def step() -> int:
        state = game.new_initial_state()
        choices = 0
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes = state.chance_outcomes()
                state.apply_action(outcomes[int(random.integers(len(outcomes)))][0])
            else:
                state.observation_tensor()
                allowed = state.legal_actions()
                state.apply_action(allowed[int(random.integers(len(allowed)))])
                choices += 1
        return choices

    told("OpenSpiel pig (C++, called from Python)", by_processor(step))


def two_threads() -> bool:
    """Compare two batches in two threads with one, by the clock: on a busy machine they gain less.

    By the processor time of each thread other programs count for less; what two cores share still counts.
    """
    players = [Random(4_096, "uint8", seed) for seed in range(2)]

    def measured(count: int) -> tuple[float, float]:
        """Return the time by the clock, and the processor time of the slowest thread."""
        spent: list[float] = []

        def work(player: Random) -> None:
            before = time.thread_time()
            for _ in range(1_000):
                player.step()
            spent.append(time.thread_time() - before)

        threads = [threading.Thread(target=work, args=(player,)) for player in players[:count]]
        began = time.perf_counter()
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return time.perf_counter() - began, max(spent)

    pairs = [(measured(1), measured(2)) for _ in range(TIMES)]
    by_clock, by_processor_time = (statistics.median(2 * one[i] / two[i] for one, two in pairs) for i in range(2))
    print(f"envs: two threads are {by_clock:.2f} times as fast as one (required: {TWO_THREADS})")
    print(f"envs: by the processor time of each thread, {by_processor_time:.2f} times")
    return by_clock >= TWO_THREADS


def memory() -> bool:
    """Measure how much memory the process has after a tenth of the steps and after all."""
    reached = []
    steps: dict[str, Callable[[], object]] = {"Batch": Random(4_096, "uint8").step, "make_vec": vector_steps("ev")}
    for what, step in steps.items():
        sizes = []
        for count in (500, 4_500):
            for _ in range(count):
                step()
            sizes.append(resident())
        first, last = (size / (1 << 20) for size in sizes)
        print(f"envs: {what}: {first:.1f} MB after 2 million choices, {last:.1f} MB after 20 million (required: flat)")
        reached.append(sizes[1] - sizes[0] <= LEAK)
    return all(reached)


def resident() -> int:
    """Return how much memory the process has now, in bytes."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")
