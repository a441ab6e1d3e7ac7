"""Fitting a small network to rows, in plain NumPy: one hidden layer of rectifiers, Adam, a cosine for the steps."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from flip7.strategy.book import FINENESS

Array = npt.NDArray[np.float32]
Gradient = Callable[[Array], Array]
"""From the outputs of a batch to the derivative of its loss by them."""
Batch = tuple[Array, Gradient]

STEP = 3e-3
BATCH = 1024
OUTLIER = 5.0


class Network:
    """Weights of the two layers, and how they are moved."""

    def __init__(self, inputs: int, hidden: int, seed: int) -> None:
        chance = np.random.default_rng(seed)
        self.parts: list[Array] = [
            (chance.standard_normal((inputs, hidden)) * math.sqrt(2 / inputs)).astype(np.float32),
            np.zeros(hidden, np.float32),
            (chance.standard_normal(hidden) * math.sqrt(1 / hidden)).astype(np.float32),
            np.zeros(1, np.float32),
        ]

    def outputs(self, rows: Array) -> Array:
        """Return what it says of every row."""
        w, b, v, c = self.parts
        return np.maximum(rows @ w + b, 0) @ v + c  # type: ignore[no-any-return]

    def gradient(self, rows: Array, gradient: Gradient) -> list[Array]:
        """Return the derivative of the loss by every weight."""
        w, b, v, c = self.parts
        hidden = np.maximum(rows @ w + b, 0)
        by_output = gradient(hidden @ v + c)
        by_hidden = np.outer(by_output, v) * (hidden > 0)
        return [rows.T @ by_hidden, by_hidden.sum(0), hidden.T @ by_output, by_output.sum(keepdims=True)]

    def flat(self) -> list[int]:
        """Return the weights in the order of the book, in whole parts."""
        return [round(float(weight) * FINENESS) for part in self.parts for weight in part.ravel()]


def adam(network: Network, batches: Callable[[], list[Batch]], epochs: int) -> None:
    """Fit a network. `batches` gives the batches of an epoch: rows, and the gradient of the loss by their outputs."""
    means = [np.zeros_like(part) for part in network.parts]
    squares = [np.zeros_like(part) for part in network.parts]
    done, whole = 0, 0
    for _ in range(epochs):
        parts = batches()
        whole = whole or epochs * len(parts)
        for rows, gradient in parts:
            done += 1
            step = STEP * 0.5 * (1 + math.cos(math.pi * done / whole))
            for part, mean, square, slope in zip(
                network.parts, means, squares, network.gradient(rows, gradient), strict=True
            ):
                mean += 0.1 * (slope - mean)
                square += 0.001 * (slope * slope - square)
                scale = math.sqrt(1 - 0.999**done) / (1 - 0.9**done)
                part -= (step * scale) * mean / (np.sqrt(square) + 1e-8)


def fit_labels(network: Network, rows: Array, labels: Array, epochs: int, seed: int) -> None:
    """Fit to the mean of numbers, by squares; what is far out pulls no harder than `OUTLIER`."""
    chance = np.random.default_rng(seed)

    def batches() -> list[Batch]:
        order = chance.permutation(len(rows))
        cuts = [order[i : i + BATCH] for i in range(0, len(order) - BATCH + 1, BATCH)]
        return [(rows[cut], _squares(labels[cut])) for cut in cuts]

    adam(network, batches, epochs)


def _squares(labels: Array) -> Gradient:
    return lambda outputs: np.clip(outputs - labels, -OUTLIER, OUTLIER) / np.float32(len(labels))


def fit_winners(network: Network, groups: list[tuple[Array, npt.NDArray[np.int64]]], epochs: int, seed: int) -> None:
    """Fit to winners: the outputs of the seats of a state are the logarithms of their chances, but for a constant.

    Each group has the states of one number of seats, and their winners.
    """
    chance = np.random.default_rng(seed)

    def batches() -> list[Batch]:
        cuts = []
        for states, winners in groups:
            order = chance.permutation(len(states))
            for i in range(0, len(order) - BATCH + 1, BATCH):
                cut = order[i : i + BATCH]
                cuts.append((states[cut].reshape(-1, states.shape[2]), _winner(winners[cut], states.shape[1])))
        return [cuts[i] for i in chance.permutation(len(cuts))]

    adam(network, batches, epochs)


def _winner(winners: npt.NDArray[np.int64], seats: int) -> Gradient:
    def gradient(outputs: Array) -> Array:
        scores = outputs.reshape(-1, seats)
        chances = np.exp(scores - scores.max(1, keepdims=True))
        chances /= chances.sum(1, keepdims=True)
        chances[np.arange(len(winners)), winners] -= 1
        return (chances / np.float32(len(winners))).ravel()  # type: ignore[no-any-return]

    return gradient
