"""Environments for learners: batches of tables, Gymnasium, PettingZoo and OpenSpiel.

Importing it registers the environment with Gymnasium.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from flip7.extras import advice

if TYPE_CHECKING:
    from flip7.envs.batch import Batch as Batch
    from flip7.envs.describing import describe as describe
    from flip7.envs.replaying import replay as replay

_HOMES = {"Batch": "flip7.envs.batch", "describe": "flip7.envs.describing", "replay": "flip7.envs.replaying"}

__all__ = ["Batch", "describe", "replay"]


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'flip7.envs' has no attribute {name!r}")
    try:
        home = import_module(_HOMES[name])
    except ImportError as error:
        raise ImportError(f"flip7.envs.{name} needs NumPy and Numba: {advice('envs')}") from error
    return getattr(home, name)


try:
    from flip7.envs.registering import register
except ModuleNotFoundError:  # without Gymnasium there is nothing to register with, and batches work all the same
    pass
else:
    register()
