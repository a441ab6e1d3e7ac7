"""PettingZoo: every seat is an agent, and they act one after the other (AEC)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flip7.extras import missing

try:  # first of all: the extra that brings it brings everything else too
    from gymnasium import spaces
    from pettingzoo import AECEnv  # type: ignore[import-untyped]
    from pettingzoo.utils import wrappers  # type: ignore[import-untyped]
except ImportError as error:
    raise ImportError(missing("flip7.envs.flip7_v0", error.name, "envs")) from None

from flip7.compiled.loading import numpy as np
from flip7.envs.batch import Batch
from flip7.envs.core import Number, Reward, fresh_seed, one_of
from flip7.envs.pictures import MODES, RATE, shown
from flip7.envs.spaces import action_space, mask_space, observation_space
from flip7.game.options import Rules

if TYPE_CHECKING:
    from numpy.typing import NDArray

Seen = dict[str, "NDArray[Any]"]


class raw_env(AECEnv):  # type: ignore[misc]  # its base has no types
    """A table whose seats are the agents `player_0`, `player_1` and so on.

    An observation is `{"observation", "action_mask"}`: the row of docs/envs.md as that agent sees it, and what it may
    do, which is nothing where another one is asked. A forbidden action is a `ValueError`.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012
        "name": "flip7_v0",
        "render_modes": list(MODES),
        "is_parallelizable": False,
        "render_fps": RATE,
    }

    def __init__(
        self,
        players: int = 4,
        rules: Rules | None = None,
        reward: Reward = "win",
        render_mode: str | None = None,
        dtype: Number = "uint8",
    ) -> None:
        """Make the table. Raises `ValueError` for what is out of range."""
        super().__init__()
        self.render_mode = one_of("render_mode", render_mode, MODES) if render_mode is not None else None
        self._batch = Batch.of_single_games(1, players, rules, dtype, reward)
        self.possible_agents = [f"player_{seat}" for seat in range(players)]
        self.agents: list[str] = []
        self._seat_of = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        seen = spaces.Dict({"observation": observation_space(players, dtype), "action_mask": mask_space(players)})
        self.observation_spaces = dict.fromkeys(self.possible_agents, seen)
        self.action_spaces = {agent: action_space(players) for agent in self.possible_agents}
        self._nothing = np.zeros_like(self._batch.masks[0])
        self._dealt = False

    def observation_space(self, agent: str) -> Any:
        """Return the space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """Return the space of an agent's actions."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game. The same seed and actions give the same games; without a seed the stream goes on."""
        if seed is not None or not self._dealt:
            self._batch.reset(fresh_seed(seed))
            self._dealt = True
        else:
            self._batch.abandon()
            self._batch.begin()
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._go_on()

    def observe(self, agent: str) -> Seen:
        """Return what an agent sees now."""
        batch = self._batch
        seat = self._seat_of[agent]
        if seat == batch.seats[0]:
            return {"observation": batch.observations[0].copy(), "action_mask": batch.masks[0].copy()}
        return {"observation": batch.seen_from(seat), "action_mask": self._nothing.copy()}

    def step(self, action: int | None) -> None:
        """Take the action of the agent whose turn it is, and go on to the next question or the end."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._batch.step([-1 if action is None else action])
        self._cumulative_rewards[agent] = 0.0
        rewards = self._batch.rewards[0].tolist()
        for seat, agent in enumerate(self.agents):
            self.rewards[agent] = rewards[seat]
            self._cumulative_rewards[agent] += rewards[seat]
        if self._batch.finished[0]:
            self.terminations = dict.fromkeys(self.agents, True)
        self._go_on()

    def _go_on(self) -> None:
        self.agent_selection = self.possible_agents[self._batch.seats[0]]
        if self.render_mode == "human":
            self.render()

    def render(self) -> Any:
        """Show the table: text (`ansi`), printed (`human`), or a picture (`rgb_array`)."""
        if self.render_mode is None:
            raise ValueError(f"render_mode was not given: it is one of {', '.join(MODES)}")
        return shown(self._batch.position(), self.render_mode)

    def close(self) -> None:
        """Nothing has to be closed."""


def env(
    players: int = 4,
    rules: Rules | None = None,
    reward: Reward = "win",
    render_mode: str | None = None,
    dtype: Number = "uint8",
) -> AECEnv:
    """Return the environment with PettingZoo's usual checks around it."""
    raw = raw_env(players, rules, reward, render_mode, dtype)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(raw))
