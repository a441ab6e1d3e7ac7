"""Tables at which one seat learns and the others are opponents."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from flip7.compiled import fetching
from flip7.compiled.build import to_records
from flip7.compiled.loading import numpy as np
from flip7.envs import against, cells, stepping
from flip7.envs.core import REWARDS, Tables, build, one_of
from flip7.envs.observation import GIVE, HIT, STAY, after
from flip7.game.options import Rules
from flip7.rules.table import GAME_OVER, HIT_OR_STAY, SEATS, Table
from flip7.strategy import engine, policies
from flip7.strategy.bench import LAYOUT as BENCH
from flip7.strategy.bench import TARGETS, TURNS, Bench
from flip7.strategy.book import book_for
from flip7.strategy.engine import COMPILED_METHODS
from flip7.strategy.registry import BuiltIn, CheckedStrategy, Strategy, strategy_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

Policy = tuple[int, int, int, int]
OUTSIDE: Policy = (policies.OUTSIDE, 0, policies.OUTSIDE, 0)
ILLEGAL = ("first", "error")


class Opponents:
    """Who sits beside the learner: the first one sits next, and so on clockwise."""

    def __init__(self, given: Sequence[str | Strategy]) -> None:
        """Take strategies by name or as objects. Raises `StrategyError` for what is neither."""
        if isinstance(given, str) or not isinstance(given, Sequence):
            raise ValueError(f"opponents {given!r}: a list of strategies is needed, such as ('ev', 'points:25')")
        if len(given) >= SEATS:
            raise ValueError(f"{len(given)} opponents: at most {SEATS - 1} fit at a table")
        self._given = tuple(given)
        self.policies: list[Policy] = [OUTSIDE]
        self.compiled: list[Any] = []  # classes, whose static methods make guests of them
        self.outside: dict[int, CheckedStrategy] = {}
        """Those that are asked in plain Python, by their place after the learner."""
        guests: dict[str, Strategy] = {}
        for place, one in enumerate(given, 1):
            strategy = guests[one] if isinstance(one, str) and one in guests else strategy_of(one)
            self.policies.append(self._policy(strategy))
            if self.policies[-1] == OUTSIDE:
                name = one if isinstance(one, str) else type(one).__name__
                self.outside[place] = CheckedStrategy(name, strategy)
            elif isinstance(one, str):
                guests[one] = strategy  # a class that is loaded from a file twice would be compiled twice

    def __reduce__(self) -> tuple[type[Opponents], tuple[object]]:
        """In a copy those with a name are looked up again, and objects are copied."""
        return Opponents, (self._given,)

    def _policy(self, strategy: Strategy) -> Policy:
        if isinstance(strategy, BuiltIn):
            deep = policies.DEEP in (strategy.policy[TURNS], strategy.policy[TARGETS])
            return OUTSIDE if deep else strategy.policy
        if not all(hasattr(type(strategy), method) for method in COMPILED_METHODS):
            return OUTSIDE
        if type(strategy) not in self.compiled:
            self.compiled.append(type(strategy))
        number = self.compiled.index(type(strategy))
        return (policies.GUEST, number, policies.GUEST, number)

    @property
    def kinds(self) -> list[int]:
        """The kinds of strategy that have to be compiled."""
        return sorted({policy[column] for policy in self.policies for column in (TURNS, TARGETS)} - {policies.OUTSIDE})

    def bench(self, table: Table) -> Bench:
        """Return the bench on which they play."""
        book = book_for(table.seats) if policies.NET in self.kinds else ()
        return Bench(table, self.policies, book, self.compiled)

    def answer(self, table: Table, learner: int) -> int:
        """Return what the opponent who is asked answers, in plain Python, as an action."""
        strategy = self.outside[after(table, learner, table.seat)]
        if table.waiting == HIT_OR_STAY:
            return HIT if strategy.wants_card(table) else STAY
        return GIVE + after(table, table.seat, strategy.chosen_target(table))


class Learner(Tables):
    """Tables at which the caller has one seat, drawn for every game, and opponents have the rest."""

    rewards: NDArray[np.float64]
    """What the learner has earned in the last step."""
    finals: NDArray[Any]
    """What the learner saw at the end of the game that has ended in the last step."""

    def __init__(
        self,
        tables: int,
        opponents: Sequence[str | Strategy],
        rules: Rules | None,
        reward: str,
        illegal: str,
        dtype: str,
        *,
        again: bool,
    ) -> None:
        """Make the tables. `again` says whether a finished one begins again at once."""
        self.opponents = Opponents(opponents)
        super().__init__(tables, 1 + len(opponents), rules, dtype, reward)
        self.illegal = one_of("illegal", illegal, ILLEGAL)
        self._ending = stepping.AGAIN if again else stepping.LEAVE
        self.rewards = np.zeros(self.tables, np.float64)
        self.finals = np.zeros((self.tables, self._rows.shape[1]), np.uint8)
        self._benches: Any = to_records([self.opponents.bench(self.rules.table(self.players))], BENCH)
        self._halfway = False

    def _stepper(self) -> Callable[..., int]:
        """Return the compiled step, made for these kinds of strategy upon what is made for all."""
        kinds, foreign = self.opponents.kinds, tuple(self.opponents.compiled)
        common = ("flip7.rules.", "flip7.envs.")
        given = tuple(module for module in build().values() if module.__name__.startswith(common))
        step: Callable[..., int] = engine.compiled(
            kinds, (against,), foreign, (cells, fetching), given=given, ready=False
        )["against"].step_against
        return step

    def reset(self, seeds: Sequence[int | None]) -> None:
        """Begin everything again: every table plays the games of its own seed, or the next one of its last seed."""
        unseeded = np.array([seed is None for seed in seeds])
        streams = self.cells["rng"], self.cells["luck"]
        kept = [stream[unseeded] for stream in streams]
        self._seed([seed or 0 for seed in seeds], [0] * self.tables)
        for stream, numbers in zip(streams, kept, strict=True):
            stream[unseeded] = numbers
        self.begin()

    def step(self, actions: object) -> None:
        """Take the learner's action at every table and go on to its next question, or to the end.

        Raises `RuntimeError` if an opponent has failed in the middle of a step: then only `reset` helps.
        """
        if self._halfway:
            raise RuntimeError("an opponent has failed, and its table still waits for it: reset before the next step")
        self._take(actions)
        if self.illegal == "first":
            self._put_right()
        else:
            self._refuse_none()
        self._play()

    def _put_right(self) -> None:
        """Take the first legal action instead of a forbidden one."""
        chosen = np.clip(self._actions, 0, self.masks.shape[1] - 1)
        wrong = (self.masks[np.arange(self.tables), chosen] == 0) | (chosen != self._actions)
        if wrong.any():
            self._actions[wrong] = self.masks[wrong].argmax(axis=1)

    def _play(self) -> None:
        """Let the compiled build go on, and ask the opponents that are not part of it, until it is nobody's turn."""
        self.finished[:] = False
        self.rewards[:] = 0.0
        self._halfway = True
        if (fault := self._go()) >= 0:  # an action is forbidden: nothing has happened
            self._halfway = False
        self._judge(fault)
        while self.opponents.outside:
            self._actions[:] = stepping.LEFT_ALONE
            learners = self.cells["learner"]
            asked = np.flatnonzero((self.seats != learners) & (self.cells["waiting"] != GAME_OVER))
            if not len(asked):
                break
            for table in asked.tolist():
                self._actions[table] = self.opponents.answer(self.position(table).table, int(learners[table]))
            self._judge(self._go())
        self._halfway = False

    def _go(self) -> int:
        fault: int = self._step(
            self.cells,
            self._boxes,
            self._benches,
            self._actions,
            self._allowed,
            self.seats,
            self.finished,
            self.rewards,
            self._earned,
            self._rows,
            self._flat,
            self._wide,
            self.masks,
            self.finals,
            REWARDS[self.reward],
            self.rules.dealer,
            self._ending,
        )
        return fault
