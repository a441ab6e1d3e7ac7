"""`solve`: the best play of one player's round, exactly."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from typing import TYPE_CHECKING, Any

import msgspec

from flip7.game.events import STATUSES
from flip7.game.options import Rules
from flip7.game.position import table_view
from flip7.game.view import TableView
from flip7.rules.agenda import IDLE_RESHUFFLES
from flip7.rules.cards import FREEZE, SECOND, TWELVE, X2
from flip7.rules.inputs import begin_round
from flip7.rules.table import ACTIVE, CHOOSE_TARGET, GAME_OVER, HIT_OR_STAY, ROUND_OVER, Table
from flip7.strategy.solver.modes import ASKED, FROZEN, Pending, settle

if TYPE_CHECKING:
    from flip7.strategy.solver.stage import Hand, Stage

Utility = Sequence[float] | Callable[[int], float]
Progress = Callable[[int, int], None]
"""What is called now and then with the states dealt with so far, and all that there are."""


class Solution(msgspec.Struct, frozen=True):
    """What the best play of a round is worth, and how it begins."""

    value: float
    """The points that the round brings on average, or their utility."""
    choice: str | int | None
    """The best choice: `"hit"`, `"stay"` (also when both are worth the same), the seat itself as the target of an
    action card, or `None` where there is nothing to choose: a card comes next, or a Second Chance has to go to another
    seat."""
    hit: float | None
    """What a hit is worth, where the question is hit or stay."""
    stay: float | None
    """What staying is worth, there."""
    bust: float
    """The chance of a bust under the best play."""
    flip7: float
    """The chance of a Flip 7 under the best play."""
    states: int
    """How many states there are."""
    seconds: float
    """How long it took, what is done beforehand included."""


def solve(
    rules: Rules | None = None, position: TableView | str | None = None, utility: Utility | None = None
) -> Solution:
    """Find the best play of one player's round and its value, by going through all that can happen.

    Without a position the round starts with the whole deck of `rules`. With one (a game, a position or its text) it
    goes on from there for the seat that is asked or about to get a card, as if every other seat had stayed: they draw
    nothing, and every action card that comes to the seat is played on the seat itself. `utility` gives a worth to each
    number of points, as a sequence or a function; a bust is worth as much as 0 points. Raises `ValueError` for what
    cannot be solved, and `ImportError` without Numba.
    """
    return Problem(rules, position, utility).solve()


def compiled_before() -> bool:
    """Return whether the solver's loops are on this machine's disk. Raises `ImportError` without Numba."""
    from flip7.compiled.build import on_disk
    from flip7.strategy.solver.stage import compiled

    return on_disk(compiled()["value_rows"])


class Problem:
    """What `solve` solves. It knows beforehand how much there is to do."""

    def __init__(
        self, rules: Rules | None = None, position: TableView | str | None = None, utility: Utility | None = None
    ) -> None:
        """As for `solve`."""
        began = time.perf_counter()
        self.table = _table(rules, position)
        self.hand, self.start = read(self.table)
        most = self.hand.most_points
        self.utility = [float(points) for points in range(most + 1)] if utility is None else _utility(utility, most)
        self._solver = _Solver(self.utility)
        self.stage = None if self.start == FROZEN else self._solver.stage(self.hand, (self.start,))
        self._seconds = time.perf_counter() - began

    @property
    def states(self) -> int:
        """How many states the draw pile brings; should it run out, more will follow."""
        return 0 if self.stage is None else self.stage.states

    @property
    def seconds(self) -> float:
        """How long it will take, about."""
        from flip7.strategy.solver.stage import SECONDS_A_STATE

        return self.states * SECONDS_A_STATE

    @property
    def turn_seconds(self) -> float:
        """How long `turn` will take, about."""
        return self.seconds / 2

    @property
    def bytes(self) -> int:
        """How much memory it will take."""
        return 0 if self.stage is None else self.stage.bytes

    def turn(self, progress: Callable[[float], None] | None = None) -> tuple[float, float]:
        """Return what hitting and staying are worth, and nothing else: that takes half as long.

        `progress` is called with the share that is done. Raises `ValueError` where that is not the question.
        """
        if self.stage is None or self.table.waiting != HIT_OR_STAY:
            raise ValueError("nobody is asked whether to hit or to stay")
        if progress is not None:
            self._solver.progress = lambda done, total: progress(2 * done / total)  # no chances are looked for
        modes = self.stage.modes
        values = self._solver.values(self.stage)
        return float(values[modes.plain[modes.starts[0]]]), self.utility[self.hand.points]

    def choose(self) -> str | int | None:
        """Return the best choice and nothing else: no chances are looked for, and no values where nothing is asked."""
        if self.stage is not None and self.table.waiting == HIT_OR_STAY:
            self._solver.values(self.stage)
            return "hit" if self.stage.hits_at(self.stage.modes.starts[0]) else "stay"
        return self.table.seat if self.table.waiting == CHOOSE_TARGET and self.table.card != SECOND else None

    def solve(self, progress: Progress | None = None) -> Solution:
        """Solve it."""
        began = time.perf_counter()
        self._solver.progress = progress
        hit = stay = None
        choice = self.choose()
        value, bust, flip7 = self.utility[self.hand.points], 0.0, 0.0
        if self.stage is not None:
            start = self.stage.modes.starts[0]
            value = float(self._solver.values(self.stage)[start])
            if self.table.waiting == HIT_OR_STAY:
                hit, stay = self.turn()
                value = hit if choice == "hit" else stay
            if choice != "stay":  # who stays at once can neither bust nor make seven
                bust, flip7 = self._solver.chances(self.stage, {start: 1.0})
        seconds = self._seconds + time.perf_counter() - began
        return Solution(value, choice, hit, stay, bust, flip7, self._solver.states, seconds)


def _table(rules: Rules | None, position: TableView | str | None) -> Table:
    """Return the table to go on from."""
    if rules is not None and not isinstance(rules, Rules):
        raise ValueError(f"rules {rules!r}: flip7.Rules is needed; a position is given as position=…")
    if position is None:
        table = msgspec.structs.replace(rules or Rules(), dealer=0).table(1)
        begin_round(table)
        return table
    if rules is not None:
        raise ValueError("rules and a position: give one of them; a position brings its own deck")
    table = table_view(position).table
    if table.waiting in (ROUND_OVER, GAME_OVER):
        raise ValueError("the round is over: nobody is asked")
    if table.status[table.seat] != ACTIVE:
        raise ValueError(f"seat {table.seat} is out of the round ({STATUSES[table.status[table.seat]]})")
    return table


def _utility(given: Any, most: int) -> list[float]:
    """Return the worth of every number of points up to `most`."""
    values: list[Any]
    if callable(given):
        values = [given(points) for points in range(most + 1)]
    elif not isinstance(given, Iterable) or isinstance(given, Mapping | Set):  # whose order or values would be lost
        raise ValueError(
            f"utility {given!r}: a sequence or a function is needed, with a worth for each number of points"
        )
    else:
        values = list(given)
        if len(values) <= most:
            raise ValueError(f"utility: {len(values)} values, but {most} points are possible, so {most + 1} are needed")
    return [_worth(value, points) for points, value in enumerate(values)]


def _worth(value: Any, points: int) -> float:
    """Return a utility as a number, whichever kind it is: NumPy's too."""
    try:
        worth = math.nan if isinstance(value, (str, bytes)) else float(value)
    except (TypeError, ValueError, OverflowError):
        worth = math.nan
    if not math.isfinite(worth):
        raise ValueError(f"utility of {points} points: {value!r} is no number")
    return worth


def read(table: Table) -> tuple[Hand, Pending]:
    """Return the seat that is asked or gets a card, as if all others had stayed, and what is pending for it.

    What was handed out to others and not yet resolved can have no effect and goes to the discard pile (F3-5), as a
    Second Chance does that nobody can take (SC-4).
    """
    from flip7.strategy.solver.stage import Hand

    seat = table.seat
    discard = table.discard[:]
    if table.waiting == CHOOSE_TARGET and table.card == SECOND:
        discard[SECOND] += 1
    aside, outer = [], []
    for i in range(table.aside_count):
        if i < table.handed and table.given[i] != seat:
            discard[table.aside[i]] += 1
        else:
            aside.append(table.aside[i])
    for i in reversed(range(table.stack_count)):
        if table.stack_seat[i] != seat:
            discard[table.stack_card[i]] += 1
        else:
            outer.append(table.stack_card[i])
    now = Pending(table.flips_left, *_threes(aside), *((0, False) if FREEZE in aside else _threes(outer)))
    start = ASKED if table.waiting == HIT_OR_STAY else settle(now)
    hand = Hand(
        numbers=frozenset(n for n in range(TWELVE + 1) if table.hands[seat][n]),
        bonus=table.bonuses[seat],
        doubled=table.hands[seat][X2] > 0,
        second=table.hands[seat][SECOND] > 0,
        idle=table.idle if start.flips == now.flips else 0,  # a Flip Three was placed: DECK-4
        draw=tuple(table.draw),
        discard=tuple(discard),
    )
    return hand, start


def _threes(cards: list[int]) -> tuple[int, bool]:
    """Return how many Flip Threes come before the first Freeze, and whether there is one."""
    return (cards.index(FREEZE), True) if FREEZE in cards else (len(cards), False)


class _Solver:
    """Solves a stage and, where its pile can run out, those that follow."""

    def __init__(self, utility: list[float]) -> None:
        self.utility = utility
        self.progress: Progress | None = None
        self.states = 0
        self.done = 0
        self._stages: dict[tuple[Hand, tuple[Pending, ...]], Stage] = {}
        self._values: dict[int, Any] = {}

    def stage(self, hand: Hand, starts: tuple[Pending, ...]) -> Stage:
        """Return the stage that begins like this."""
        from flip7.strategy.solver.stage import Stage

        if (hand, starts) not in self._stages:
            self._stages[hand, starts] = stage = Stage(hand, starts, self.utility)
            self.states += stage.states
        return self._stages[hand, starts]

    def _tell(self, states: int) -> None:
        self.done += states
        if self.progress is not None:
            self.progress(self.done, 2 * self.states)

    def values(self, stage: Stage) -> Any:
        """Return the value of every mode with which a stage can begin."""
        if id(stage) not in self._values:
            beyond: dict[tuple[int, int], float] = {}
            for hand, exits in stage.exits.items():
                following = self._following(stage, hand, exits)
                if following is None:
                    beyond.update(dict.fromkeys(exits, self.utility[hand.points]))
                else:
                    found = self.values(following)
                    beyond.update(zip(exits, found[list(following.modes.starts)], strict=True))
            self._values[id(stage)] = stage.value(beyond, self._tell)
        return self._values[id(stage)]

    def chances(self, stage: Stage, masses: dict[int, float]) -> tuple[float, float]:
        """Return the chances of a bust and a Flip 7 under the best play, from those of each mode at the start."""
        bust, flip7, out = stage.spread(masses, self._tell)
        for hand, exits in stage.exits.items():
            following = self._following(stage, hand, exits)
            if following is not None:
                on: dict[int, float] = {}
                for exit_, start in zip(exits, following.modes.starts, strict=True):
                    on[start] = on.get(start, 0.0) + float(out[exit_])
                if any(on.values()):
                    more = self.chances(following, on)
                    bust, flip7 = bust + more[0], flip7 + more[1]
        return bust, flip7

    def _following(self, stage: Stage, hand: Hand, exits: list[tuple[int, int]]) -> Stage | None:
        """Return the stage after a reshuffle, or `None` if no card can come and the round is over (DECK-3, DECK-4)."""
        if not any(hand.draw) or hand.idle > IDLE_RESHUFFLES:
            return None
        return self.stage(hand, tuple(stage.modes.modes[mode].pending for _, mode in exits))
