"""How sure a figure is: confidence intervals."""

from __future__ import annotations

import math
from statistics import NormalDist

LEVEL = 0.95
Z = NormalDist().inv_cdf(0.5 + LEVEL / 2)

Interval = tuple[float, float]


def mean_interval(mean: float, variance_of_mean: float) -> Interval:
    """Return where the true mean is, with 95 % confidence."""
    half = Z * math.sqrt(max(variance_of_mean, 0.0))
    return mean - half, mean + half


def rate_interval(successes: int, trials: int, variance_of_rate: float | None = None) -> Interval:
    """Return where the true rate is, with 95 % confidence (Wilson's interval).

    `variance_of_rate` is for trials that depend on one another: it stands for as many independent ones as would have
    that variance.
    """
    if trials == 0:
        return 0.0, 1.0
    rate = successes / trials
    effective = float(trials)
    if variance_of_rate is not None and 0 < rate < 1:
        if variance_of_rate <= 0:
            return rate, rate
        effective = rate * (1 - rate) / variance_of_rate
    z2 = Z * Z / effective
    middle = (rate + z2 / 2) / (1 + z2)
    half = Z * math.sqrt(rate * (1 - rate) / effective + z2 / (4 * effective)) / (1 + z2)
    low = max(0.0, middle - half) if successes else 0.0
    high = min(1.0, middle + half) if successes < trials else 1.0
    return low, high
