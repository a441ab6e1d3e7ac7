"""Tables that step together: the arrays that every environment is made of, and what is checked before they are."""

from __future__ import annotations

import secrets
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from types import ModuleType
from typing import TYPE_CHECKING, Any, Literal, NoReturn

from flip7.compiled import fetching
from flip7.compiled.build import from_record, to_records
from flip7.compiled.loading import numpy as np
from flip7.envs import cells as cells_module
from flip7.envs import observation, stepping
from flip7.envs.cells import Cell, box_layout, cell_layout, stream_seed
from flip7.envs.observation import GIVE, HIT, STAY, row_size
from flip7.game.choices import whole
from flip7.game.options import Rules
from flip7.game.position import Position
from flip7.rules.table import GAME_OVER, SEATS, Table
from flip7.strategy import engine
from flip7.strategy.bench import Bench

if TYPE_CHECKING:
    from numpy.typing import NDArray

Reward = Literal["win", "points"]
Number = Literal["uint8", "float32"]
REWARDS: dict[str, int] = {"win": stepping.BY_WINNING, "points": stepping.BY_POINTS}
NUMBERS = ("uint8", "float32")
TABLES = 1 << 20  # at the most
LAST_SEED = (1 << 256) - 1
CONNECTED = ("_flat", "observations", "_look", "_begin", "_step")
LARGE_PAGE = 2 << 20  # bytes
BLOCK = 64  # rows that are written as bytes before they are made wider: they stay near the processor meanwhile


class Tables(ABC):
    """Tables that all play by the same rules, and what is told about each after every step."""

    observations: NDArray[Any]
    """What the seat that is asked sees, a row for each table (docs/envs.md)."""
    masks: NDArray[np.int8]
    """Which actions it may take: 1 for each that is allowed."""
    seats: NDArray[np.int64]
    """The seat that is asked."""
    finished: NDArray[np.bool_]
    """Whether a game has ended in the last step."""

    def __init__(self, tables: int, players: int, rules: Rules | None, dtype: str, reward: str) -> None:
        """Make the tables; `begin` starts their games. Raises `ValueError` for what is out of range."""
        self.tables = whole("tables", tables, 1, TABLES)
        self.players = whole("players", players, 1, SEATS)
        self.rules = Rules() if rules is None else rules
        if not isinstance(self.rules, Rules):
            raise ValueError(f"rules {rules!r}: flip7.Rules is needed")
        self.dtype = one_of("dtype", dtype, NUMBERS)
        self.reward = one_of("reward", reward, tuple(REWARDS))
        cell = Cell(self.rules, self.players)
        records = to_records([cell], cell_layout(cell))
        self.cells: Any = zeros(self.tables, records.dtype)
        self.cells[:] = records
        self._boxes: Any = to_records([Bench(cell, [])], box_layout(cell))
        wide = self.dtype != "uint8"
        size = row_size(self.players)
        self._rows = zeros((min(BLOCK, self.tables) if wide else self.tables) * size, np.uint8).reshape(-1, size)
        self._wide = zeros(self.tables * size if wide else 0, np.float32)
        self.masks = np.zeros((self.tables, GIVE + self.players), np.int8)
        self.seats = np.zeros(self.tables, np.int64)
        self.finished = np.zeros(self.tables, np.bool_)
        self._allowed = np.zeros(self.tables, np.int64)
        self._actions = np.full(self.tables, stepping.LEFT_ALONE, np.int64)
        self._earned = np.zeros(self.players)
        self._connect()

    def _connect(self) -> None:
        """Make what is neither copied nor saved with the tables: other views of their arrays, compiled functions."""
        self._flat = self._rows.reshape(-1)
        self.observations = self._wide.reshape(-1, self._rows.shape[1]) if self.dtype != "uint8" else self._rows
        functions = build()["stepping"]
        self._look, self._begin, self._step = functions.look, functions.begin, self._stepper()

    def __getstate__(self) -> dict[str, Any]:
        """Return what a copy needs, also one in another process: it plays on as this one would."""
        return {name: value for name, value in vars(self).items() if name not in CONNECTED}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Go on from the state of another one."""
        vars(self).update(state)
        self._connect()

    def position(self, table: int = 0) -> Position:
        """Return what everybody sees at a table, as the library knows it."""
        plain = Table(self.players)
        from_record(self.cells[self._there(table)], plain)
        return Position.view_of(plain)

    def seen_from(self, seat: int, table: int = 0) -> NDArray[Any]:
        """Return what a seat sees at a table, whether it is asked or not."""
        row = np.zeros_like(self._rows[0])
        self._look(self.cells, self._there(table), whole("seat", seat, 0, self.players - 1), row)
        seen: NDArray[Any] = row.astype(self.dtype, copy=False)
        return seen

    def _there(self, table: int) -> int:
        """Return the number of a table. Raises `ValueError` if there is none: the compiled build does not notice."""
        return whole("table", table, 0, self.tables - 1)

    def abandon(self) -> None:
        """Leave all games as they are, so that the next ones can begin."""
        self.cells["waiting"] = GAME_OVER
        self._allowed[:] = 0

    def begin(self) -> None:
        """Begin the next game at every table whose last one is over. A game that asks nothing is passed over."""
        for _ in range(stepping.PATIENCE):
            self._actions[:] = stepping.LEFT_ALONE
            self._play()
            if not self.finished.any():
                return
        self._judge(stepping.UNASKED)

    @abstractmethod
    def _play(self) -> None:
        """Let every table go on with the action that was taken."""

    @abstractmethod
    def _stepper(self) -> Callable[..., int]:
        """Return the compiled function that does it."""

    def _seed(self, seeds: Sequence[int], streams: Sequence[int]) -> None:
        """Put every table before the first game of its seed."""
        numbers = {seed: stream_seed(seed) for seed in set(seeds)}
        self._begin(self.cells, np.array([numbers[seed] for seed in seeds]), np.array(streams, np.int64))
        self._allowed[:] = 0
        self._actions[:] = stepping.LEFT_ALONE

    def _take(self, actions: object) -> None:
        """Read the actions. Raises `ValueError` if they are no whole numbers, one for each table."""
        given = np.asarray(actions)
        if given.shape != (self.tables,) or given.dtype.kind not in "iu":
            kind = "" if given.dtype.kind in "iu" else f" of {given.dtype}"
            raise ValueError(f"actions: an array of {self.tables} whole numbers is needed, not {given.shape}{kind}")
        np.copyto(self._actions, given, casting="unsafe")

    def _refuse_none(self) -> None:
        """Refuse the number that stands for no action: nobody but the environment leaves a table as it is."""
        if self._actions.min() == stepping.LEFT_ALONE:
            self._refuse(int(self._actions.argmin()))

    def _judge(self, fault: int) -> None:
        """Raise what a step has found, if it has found a fault."""
        if fault == stepping.UNASKED:
            raise ValueError("these rules never ask anybody anything: the deck is too small for so many players")
        if fault != stepping.NO_FAULT:
            self._refuse(fault)

    def _refuse(self, table: int) -> NoReturn:
        told = told_actions([self._allowed[table] >> action & 1 for action in range(GIVE + self.players)])
        raise ValueError(f"table {table}: action {int(self._actions[table])} is forbidden; allowed are {told}")


def zeros(count: int, kind: Any) -> NDArray[Any]:
    """Return an array of zeros. A large one lies in large pages of memory, which processors find more quickly.

    NumPy asks the system for them from twice their size on.
    """
    size = count * np.dtype(kind).itemsize
    if size < LARGE_PAGE // 4:
        return np.zeros(count, kind)
    room = np.zeros(max(size + LARGE_PAGE, 2 * LARGE_PAGE), np.uint8)
    first = -room.ctypes.data % LARGE_PAGE
    return room[first : first + size].view(kind)


def build() -> dict[str, ModuleType]:
    """Return the compiled functions of the environments. They call no function over a distance: nothing need be ready.

    Nobody's strategy is part of them, so that they are the same for all opponents.
    """
    hooks = (("fetch", fetching.fetch),)
    return engine.compiled((), (observation, stepping), (), (cells_module, fetching), hooks=hooks, ready=False)


def meaning(action: int) -> str:
    """Return what an action does, in words."""
    if action == HIT:
        return "hit"
    if action == STAY:
        return "stay"
    places = action - GIVE
    if places == 0:
        return "give the card to oneself"
    return f"give the card to the seat {places} after one's own"


def told_actions(mask: Sequence[int]) -> str:
    """Return the actions that a mask allows, in words."""
    legal = (f"{action} ({meaning(action)})" for action, allowed in enumerate(mask) if allowed)
    return ", ".join(legal) or "none: the game is over"


def one_of(name: str, value: object, words: tuple[str, ...]) -> str:
    """Return a word. Raises `ValueError` if it is not one of those that may be used."""
    if not isinstance(value, str) or value not in words:
        raise ValueError(f"{name} {value!r}: it is one of {', '.join(words)}")
    return value


def fresh_seed(seed: object) -> int:
    """Return the seed that is meant, or one that nobody has chosen."""
    if seed is None:
        return secrets.randbits(62)
    return whole("seed", seed, 0, LAST_SEED)
