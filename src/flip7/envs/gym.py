"""Gymnasium: one seat against opponents, as a single environment and as a vector of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from flip7.extras import missing

try:  # first of all: the extra that brings it brings everything else too
    import gymnasium
    from gymnasium.error import ResetNeeded
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space
except ImportError as error:
    raise ImportError(missing("flip7.envs.gym", error.name, "envs")) from None

from flip7.compiled.loading import numpy as np
from flip7.envs.core import TABLES, Number, Reward, fresh_seed, one_of
from flip7.envs.learner import Learner
from flip7.envs.pictures import MODES, RATE, shown
from flip7.envs.spaces import action_space, observation_space
from flip7.game.choices import whole
from flip7.game.options import Rules
from flip7.strategy.registry import Strategy

if TYPE_CHECKING:
    from numpy.typing import NDArray

OPPONENTS = ("ev", "points:25", "net")
UNDEALT = "no game has begun: reset() comes before the first step()"
UNMASKED = "options: no reset_mask can be obeyed; a game that is over is followed by the next one in the same step"


class Flip7Env(gymnasium.Env["NDArray[Any]", Any]):
    """One seat at a table with opponents, from the first card to the end of the game.

    The observation is the row of docs/envs.md; `info["action_mask"]` says which actions are allowed. The learner's
    seat is drawn for every game, as the seed decides, and the first opponent sits next.
    """

    metadata: dict[str, Any] = {"render_modes": list(MODES), "render_fps": RATE}  # noqa: RUF012

    def __init__(
        self,
        opponents: Sequence[str | Strategy] = OPPONENTS,
        rules: Rules | None = None,
        reward: Reward = "win",
        illegal: str = "first",
        render_mode: str | None = None,
        dtype: Number = "uint8",
    ) -> None:
        """Make the table. Raises `ValueError` for what is out of range, `StrategyError` for unknown opponents."""
        self.render_mode = one_of("render_mode", render_mode, MODES) if render_mode is not None else None
        self._table = Learner(1, opponents, rules, reward, illegal, dtype, again=False)
        self.observation_space = observation_space(self._table.players, self._table.dtype)
        self.action_space = action_space(self._table.players)
        self._dealt = False

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[Any], dict[str, Any]]:
        """Begin a game. The same seed and actions give the same games; without a seed the stream goes on."""
        seed = None if seed is None else fresh_seed(seed)
        super().reset(seed=seed)
        if seed is None and not self._dealt:
            seed = int(self.np_random.integers(1 << 62))
        self._table.reset([seed])
        self._dealt = True
        return self._seen()

    def step(self, action: Any) -> tuple[NDArray[Any], float, bool, bool, dict[str, Any]]:
        """Take an action and go on to one's next question, or to the end of the game."""
        if not self._dealt:
            raise ResetNeeded(UNDEALT)
        self._table.step([action])
        seen, info = self._seen()
        return seen, float(self._table.rewards[0]), bool(self._table.finished[0]), False, info

    def _seen(self) -> tuple[NDArray[Any], dict[str, Any]]:
        if self.render_mode == "human":
            self.render()
        info = {"action_mask": self._table.masks[0].copy(), "seat": int(self._table.cells[0]["learner"])}
        return self._table.observations[0].copy(), info

    def render(self) -> Any:
        """Show the table: text (`ansi`), printed (`human`), or a picture (`rgb_array`)."""
        if self.render_mode is None:
            raise ValueError(f"render_mode was not given to make(): it is one of {', '.join(MODES)}")
        return shown(self._table.position(), self.render_mode, int(self._table.cells[0]["learner"]))


class Flip7VectorEnv(VectorEnv["NDArray[Any]", Any, "NDArray[Any]"]):
    """Many such tables that step together. A finished game is followed by the next one in the same step.

    Then `infos["final_obs"]` and `infos["final_info"]` hold the end of the game that is over. All infos are those of
    Gymnasium's own vectors.
    """

    metadata: dict[str, Any] = {"autoreset_mode": AutoresetMode.SAME_STEP, "render_modes": []}  # noqa: RUF012

    def __init__(
        self,
        num_envs: int = 1,
        opponents: Sequence[str | Strategy] = OPPONENTS,
        rules: Rules | None = None,
        reward: Reward = "win",
        illegal: str = "first",
        render_mode: str | None = None,
        dtype: Number = "uint8",
    ) -> None:
        """Make the tables; the arguments are those of the single environment. A vector shows no pictures."""
        if render_mode is not None:
            raise ValueError(f"render_mode {render_mode!r}: a vector of tables cannot be shown; leave it out")
        self.num_envs = whole("num_envs", num_envs, 1, TABLES)
        self._tables = Learner(self.num_envs, opponents, rules, reward, illegal, dtype, again=True)
        self.single_observation_space = observation_space(self._tables.players, self._tables.dtype)
        self.single_action_space = action_space(self._tables.players)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self._never = np.zeros(self.num_envs, np.bool_)
        self._dealt = False

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[Any], dict[str, Any]]:
        """Begin everything again. From one seed, table n plays the games of the single environment with seed + n.

        Without a seed every table goes on with its stream, as the single environment does. Raises `ValueError` for
        wrong seeds, and for a `reset_mask`: all tables begin again together.
        """
        if options and "reset_mask" in options:
            raise ValueError(UNMASKED)
        seeds = self._seeds(seed)
        super().reset(seed=seeds[0])
        if not self._dealt:
            seeds = [int(self.np_random.integers(1 << 62)) if one is None else one for one in seeds]
        self._tables.reset(seeds)
        self._dealt = True
        return self._tables.observations.copy(), self._infos()

    def _seeds(self, seed: object) -> list[int | None]:
        """Return the seed of every table. Raises `ValueError` for what is neither one seed nor one for each table."""
        if seed is None:
            return [None] * self.num_envs
        if isinstance(seed, Sequence | np.ndarray) and np.ndim(seed) == 1:
            seeds = [None if one is None else fresh_seed(one) for one in seed]
            if len(seeds) != self.num_envs:
                raise ValueError(f"{len(seeds)} seeds for {self.num_envs} tables")
            return seeds
        first = fresh_seed(seed)
        return [first + table for table in range(self.num_envs)]

    def _infos(self) -> dict[str, Any]:
        seats = self._tables.cells["learner"].astype(np.int64)
        return _with_marks({"action_mask": self._tables.masks.copy(), "seat": seats}, ~self._never)

    def step(
        self, actions: Any
    ) -> tuple[NDArray[Any], NDArray[Any], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """Take an action at every table and go on to one's next question there."""
        if not self._dealt:
            raise ResetNeeded(UNDEALT)
        tables = self._tables
        seats = tables.cells["learner"].astype(np.int64)
        tables.step(actions)
        infos = self._infos()
        ended = tables.finished.copy()
        if ended.any():
            last = np.full(self.num_envs, None, dtype=object)
            for table in np.flatnonzero(ended).tolist():
                last[table] = tables.finals[table].astype(tables.dtype)
            info = {"action_mask": np.zeros_like(tables.masks), "seat": np.where(ended, seats, 0)}
            infos |= _with_marks({"final_obs": last, "final_info": _with_marks(info, ended)}, ended)
        return tables.observations.copy(), tables.rewards.copy(), ended, self._never.copy(), infos


def _with_marks(infos: dict[str, Any], there: NDArray[np.bool_]) -> dict[str, Any]:
    """Add to every entry for which tables it is there, as Gymnasium has it."""
    return infos | {f"_{name}": there.copy() for name in infos}
