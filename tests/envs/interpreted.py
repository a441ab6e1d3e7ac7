"""The same batch in plain Python: cells as objects, the functions of `stepping` as they are written."""

from __future__ import annotations

from typing import Any

import numpy as np

from flip7.envs import stepping
from flip7.envs.cells import Cell, stream_seed
from flip7.envs.core import REWARDS
from flip7.envs.observation import GIVE, row_size
from flip7.game.options import Rules
from flip7.rules.log import CARD_FLIPPED
from flip7.strategy.bench import Bench


def as_lists(array: Any) -> Any:
    """An array as the functions of the rules take it: they ask only for what lists can do, too."""
    return array


class Interpreted:
    """What `Batch` is, slowly; and it can tell the cards."""

    def __init__(self, tables: int, players: int, rules: Rules, seed: int, reward: str = "win") -> None:
        self.cells = [Cell(rules, players) for _ in range(tables)]
        self.boxes = [Bench(self.cells[0], [])]
        self.rules = rules
        self.by = REWARDS[reward]
        self.observations = np.zeros((tables, row_size(players)), np.uint8)
        self.masks = np.zeros((tables, GIVE + players), np.int8)
        self.seats = np.zeros(tables, np.int64)
        self.finished = np.zeros(tables, np.bool_)
        self.rewards = np.zeros((tables, players), np.float32)
        self.winners = np.zeros(tables, np.int64)
        self._allowed = [0] * tables
        self._earned = [0.0] * players
        stepping.begin(self.cells, [stream_seed(seed)] * tables, list(range(tables)))
        self.step([stepping.LEFT_ALONE] * tables)

    def step(self, actions: list[int]) -> None:
        observations: Any = self.observations
        fault = stepping.step(
            self.cells,
            self.boxes,
            actions,
            self._allowed,
            as_lists(self.seats),
            as_lists(self.finished),
            as_lists(self.rewards),
            self._earned,
            as_lists(self.winners),
            observations,
            observations.reshape(-1),
            [],
            as_lists(self.masks),
            self.by,
            self.rules.dealer,
            stepping.AGAIN,
        )
        assert fault == stepping.NO_FAULT

    def cards(self, table: int) -> list[int]:
        """Take the cards that have come up at a table since they were last taken."""
        log = self.cells[table].log
        cards = [card for kind, _, card, _, _ in log if kind == CARD_FLIPPED]
        log.clear()
        return cards
