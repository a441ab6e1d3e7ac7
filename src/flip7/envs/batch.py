"""`Batch`: thousands of tables that step together, with every seat played by the caller."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from flip7.compiled.loading import numpy as np
from flip7.envs import stepping
from flip7.envs.core import REWARDS, Number, Reward, Tables, build, fresh_seed
from flip7.game.options import Rules

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray


class Batch(Tables):
    """Tables that step together; all seats are the caller's. Finished tables begin again.

    The arrays are written in place by every `step`: whoever wants to keep one copies it. A step holds no lock of the
    interpreter, so that batches in several threads use several cores. A copy (`copy.deepcopy`, `pickle`) plays on as
    the batch itself would.
    """

    rewards: NDArray[np.float32]
    """What every seat has earned in the last step."""
    winners: NDArray[np.int64]
    """Who has won the game that has ended in the last step, -1 where none has."""

    def __init__(
        self,
        tables: int = 4096,
        players: int = 4,
        rules: Rules | None = None,
        seed: int | None = 0,
        dtype: Number = "uint8",
        reward: Reward = "win",
    ) -> None:
        """Make the tables and deal. Raises `ValueError` for what is out of range."""
        self._prepare(tables, players, rules, dtype, reward, stepping.AGAIN)
        self.reset(seed)

    @classmethod
    def of_single_games(cls, tables: int, players: int, rules: Rules | None, dtype: str, reward: str) -> Batch:
        """Return a batch that leaves a finished table as it is, and has not dealt yet: `reset` does, and `begin`."""
        batch = cls.__new__(cls)
        batch._prepare(tables, players, rules, dtype, reward, stepping.LEAVE)
        return batch

    def _prepare(self, tables: int, players: int, rules: Rules | None, dtype: str, reward: str, ending: int) -> None:
        super().__init__(tables, players, rules, dtype, reward)
        self._ending = ending
        self.rewards = np.zeros((self.tables, self.players), np.float32)
        self.winners = np.full(self.tables, -1, np.int64)

    def reset(self, seed: int | None = 0) -> None:
        """Begin everything again. Table n plays the n-th stream of the seed; with `None`, nobody can tell which."""
        self._seed([fresh_seed(seed)] * self.tables, range(self.tables))
        self.begin()

    def step(self, actions: ArrayLike) -> None:
        """Take an action at every table and go on to its next question.

        Raises `ValueError`, which names the table, for an action that is forbidden there; then nothing has happened.
        """
        self._take(actions)
        self._refuse_none()
        self._play()

    def _stepper(self) -> Callable[..., int]:
        step: Callable[..., int] = build()["stepping"].step
        return step

    def _play(self) -> None:
        fault = self._step(
            self.cells,
            self._boxes,
            self._actions,
            self._allowed,
            self.seats,
            self.finished,
            self.rewards,
            self._earned,
            self.winners,
            self._rows,
            self._flat,
            self._wide,
            self.masks,
            REWARDS[self.reward],
            self.rules.dealer,
            self._ending,
        )
        self._judge(fault)
