"""Registers the environment with Gymnasium, without loading it."""

from __future__ import annotations

from gymnasium.envs.registration import register as register_with_gymnasium
from gymnasium.envs.registration import registry

NAME = "flip7/Flip7-v0"


def register() -> None:
    """Register the environment, single and as a vector."""
    if NAME not in registry:
        register_with_gymnasium(
            NAME, entry_point="flip7.envs.gym:Flip7Env", vector_entry_point="flip7.envs.gym:Flip7VectorEnv"
        )
