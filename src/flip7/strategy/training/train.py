"""Training: by turns everybody plays as well as the nets can, and the nets learn from rollouts of that play."""

from __future__ import annotations

import ast
import hashlib
import json
import sys
import time
from collections.abc import Iterable
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from flip7.compiled.build import DEFINITIONS, RULES, to_records
from flip7.game import options, view
from flip7.game.options import Rules
from flip7.strategy import bench as benches
from flip7.strategy import (
    book,
    challenge,
    chance,
    deep,
    engine,
    kernel,
    net,
    policies,
    random,
    rollouts,
    surveys,
    thinking,
    value,
)
from flip7.strategy.bench import Bench
from flip7.strategy.book import DATA, FINENESS, GROUPS
from flip7.strategy.training import alone, bias, fit, rows

SEED = 7
TURN_ROWS = (120_000, 300_000, 700_000)  # in each round of training
TARGET_ROWS = 200_000
STATES, LAST_STATES = 400_000, 1_200_000
EPOCHS, VALUE_EPOCHS = 10, 3
SOURCES = (
    *(*DEFINITIONS, *RULES, options, view),
    *(random, chance, challenge, net, value, policies, kernel, rollouts, deep, surveys),
    *(benches, book, thinking),
    *(alone, bias, fit, rows, sys.modules[__name__]),
)
"""What the nets depend on: if one of these changes, they have to be trained again."""

Weights = list[int]


def main(path: Path = DATA) -> None:
    """Train the nets of every group of seats, and write them."""
    began = time.process_time()
    trained, biases = [], []
    for group in range(len(GROUPS)):
        trainer = Trainer(group)
        trained.append(trainer.train())
        biases.append(bias.measured(trainer.sizes[-1], trainer.book, trainer.share, trainer.seed))
        print(f"{GROUPS[group][0]} to {GROUPS[group][1]} seats: {time.process_time() - began:.0f} s", file=sys.stderr)
    data = {"seed": SEED, "sources": sources_hash(), "groups": trained, "bias": biases, "alone": alone.tables(SEED)}
    path.write_text(json.dumps(data, separators=(",", ":")) + "\n", encoding="utf-8")


def sources_hash() -> str:
    """Return a hash of what the nets depend on."""
    return hash_of(SOURCES)


def hash_of(modules: Iterable[ModuleType]) -> str:
    """Return a hash of what modules do; comments and docstrings do not count."""
    digest = hashlib.sha256()
    for module in modules:
        tree = ast.parse(Path(str(module.__file__)).read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
                node.value = ast.Constant(None)
        digest.update(ast.unparse(tree).encode())
    return digest.hexdigest()


class Trainer:
    """The nets of one group of seats."""

    def __init__(self, group: int) -> None:
        fewest, most = GROUPS[group]
        self.sizes = sorted({fewest, (fewest + most) // 2, most})
        self.share = min(1.0, 5.0 / most)  # large tables take longer, and have more questions in a game
        self.seed = SEED + 1_000 * group
        self.policy = policies.EXPECTATION
        self.weights: list[Weights] = [[0] * size for size in (net.TURN_SIZE, net.TARGET_SIZE, value.VALUE_SIZE)]
        self.build = engine.compiled((policies.DEEP,), (rows,))["rows"]

    def train(self) -> Weights:
        """Go round, first with `ev` and then with the nets, and return the weights in the order of the book."""
        self.learn_value(STATES)
        for turn, count in enumerate(TURN_ROWS):
            self.seed += 10
            self.learn_choices(count)
            self.policy = policies.NET
            self.learn_value(LAST_STATES if turn == len(TURN_ROWS) - 1 else STATES)
        return [weight for part in self.weights for weight in part]

    @property
    def book(self) -> list[float]:
        """The weights so far, as the kernel takes them."""
        return [weight / FINENESS for part in self.weights for weight in part]

    def play(self, seats: int) -> tuple[Any, Any]:
        """Return tables and benches for n seats: in front everybody is asked, behind they play as they can."""
        table = Rules().table(seats)
        kinds = (policies.OUTSIDE, self.policy)
        both = [Bench(table, [(kind, 0, kind, 0)] * seats, self.book) for kind in kinds]
        return to_records([table, table]), to_records(both, benches.LAYOUT)

    def learn_value(self, states: int) -> None:
        """Fit the chances at the end of a round to the winners of games."""
        network = fit.Network(value.VALUE_INPUTS, value.VALUE_HIDDEN, self.seed + 1)
        count = int(states * self.share) // len(self.sizes)
        batches = []
        for seats in self.sizes:
            tables, pair = self.play(seats)
            inputs = np.zeros((count, seats, value.VALUE_INPUTS), np.float32)
            winners = np.zeros(count, np.int64)
            self.build.label_rounds(tables, pair, inputs, winners, self.seed + seats)
            batches.append((inputs, winners))
        fit.fit_winners(network, batches, VALUE_EPOCHS, self.seed + 2)
        self.weights[2] = network.flat()

    def learn_choices(self, rows_wanted: int) -> None:
        """Fit both networks to what rollouts say of n turns."""
        turns, turn_labels, targets, target_labels = [], [], [], []
        count = int(rows_wanted * max(self.share, 0.5)) // len(self.sizes)
        for seats in self.sizes:
            tables, pair = self.play(seats)
            x = np.zeros((count, net.TURN_INPUTS), np.float32)
            y = np.zeros(count, np.float32)
            more_x = np.zeros((TARGET_ROWS // len(self.sizes), net.TARGET_INPUTS), np.float32)
            more_y = np.zeros(len(more_x), np.float32)
            used = self.build.label_questions(tables, pair, x, y, more_x, more_y, self.seed + 100 * seats)
            turns.append(x)
            turn_labels.append(y)
            targets.append(more_x[:used])
            target_labels.append(more_y[:used])
        network = fit.Network(net.TURN_INPUTS, net.TURN_HIDDEN, self.seed + 3)
        fit.fit_labels(network, np.concatenate(turns), np.concatenate(turn_labels), EPOCHS, self.seed + 4)
        self.weights[0] = network.flat()
        network = fit.Network(net.TARGET_INPUTS, net.TARGET_HIDDEN, self.seed + 5)
        fit.fit_labels(network, np.concatenate(targets), np.concatenate(target_labels), EPOCHS, self.seed + 6)
        self.weights[1] = network.flat()
