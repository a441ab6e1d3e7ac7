"""The spaces of the environments, as Gymnasium and PettingZoo want them."""

from __future__ import annotations

from gymnasium import spaces

from flip7.compiled.loading import numpy as np
from flip7.envs.observation import GIVE, MOST, row_size


def observation_space(players: int, dtype: str) -> spaces.Box:
    """Return the space of the rows."""
    return spaces.Box(0, MOST, (row_size(players),), np.dtype(dtype).type)


def action_space(players: int) -> spaces.Discrete:
    """Return the space of the actions: hit, stay, and a seat for the card on offer."""
    return spaces.Discrete(GIVE + players)


def mask_space(players: int) -> spaces.Box:
    """Return the space of the masks."""
    return spaces.Box(0, 1, (GIVE + players,), np.int8)
