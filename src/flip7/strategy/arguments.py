"""What `advise` and `review` are given, checked: an error says what was wrong and what would be right."""

from __future__ import annotations

import math
import secrets
from numbers import Real
from typing import Any

from flip7.game.choices import whole


def precision_of(given: Any) -> float:
    """Return the precision that is meant."""
    if not isinstance(given, Real) or not 0 < float(given) < 1:
        raise ValueError(f"precision {given!r}: a number between 0 and 1 is needed, such as 0.01")
    return float(given)


def patience_of(given: Any) -> float:
    """Return the seconds that are meant."""
    if isinstance(given, bool) or not isinstance(given, Real) or math.isnan(float(given)):
        raise ValueError(f"patience {given!r}: a number of seconds is needed, such as 7.0")
    return float(given)


def seed_of(given: int | None) -> int:
    """Return the seed that is meant, or one that nobody has chosen."""
    return secrets.randbits(48) if given is None else whole("seed", given, 0, (1 << 256) - 1)
