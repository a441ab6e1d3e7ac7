"""Studies: many simulations with the same luck, side by side: a sweep over a parameter, and all pairs of strategies."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial

import msgspec

from flip7.rules.table import SEATS
from flip7.sim.results import SimResult, sim_result
from flip7.sim.run import Run
from flip7.sim.simulate import run_games
from flip7.sim.statistics import Interval, Z
from flip7.strategy.errors import StrategyError

MOST_STEPS = 200
PLAYERS = "players:"
"""How a sweep over the number of players begins."""
MOST_PAIRED = 40


class Sweep(msgspec.Struct, frozen=True, kw_only=True):
    """A curve: how often one strategy wins, step by step of a parameter or of the number of players."""

    sweep: str
    """What was varied, such as `points:15..40`, or `players:2..6`."""
    strategies: list[str]
    """The strategy of each step."""
    opponents: list[list[str]]
    """Who it met."""
    values: list[float]
    """The parameter, or the number of players."""
    games: int
    """How many games each step had."""
    win_rates: list[float]
    win_intervals: list[Interval]
    """Where each true win rate is, with 95 % confidence."""
    mean_points: list[float]
    """Points a round."""
    best: int | None
    """Which step wins most; `None` where steps cannot be compared, because the number of players differs."""
    interval: tuple[float, float] | None
    """Between which parameters the best one is: those outside win less often, with 95 % confidence."""
    seed: int
    engine: str
    workers: int
    seconds: float

    @property
    def by_players(self) -> bool:
        """Whether it is the number of players that varies, and not a parameter."""
        return self.sweep.startswith(PLAYERS)

    @property
    def subject(self) -> str:
        """Whose curve it is: that of one strategy, or of one parameter."""
        return self.strategies[0] if self.by_players else self.sweep

    @property
    def others(self) -> list[str]:
        """Everyone whom it met, once."""
        return list(dict.fromkeys(name for lineup in self.opponents for name in lineup))


class Pairs(msgspec.Struct, frozen=True, kw_only=True):
    """Everyone against everyone, two at a table: in each place of a matrix the row's strategy meets the column's."""

    strategies: list[str]
    games: int
    """How many games each pair had."""
    win_rates: list[list[float | None]]
    differences: list[list[float | None]]
    """How much more of the games the row wins than the column; both had the same luck in the same seats."""
    difference_intervals: list[list[Interval | None]]
    """Where each true difference is, with 95 % confidence."""
    means: list[float | None]
    """What each strategy wins on average against those that it met; `None` if that was nobody before the end came."""
    seed: int
    engine: str
    workers: int
    seconds: float

    @property
    def order(self) -> list[int]:
        """The strategies, best first."""
        return sorted(range(len(self.strategies)), key=lambda entry: -(self.means[entry] or 0.0))

    def cells(self, entry: int) -> list[str]:
        """Return a strategy's line of the matrix, best first: its mean, and the differences in percent points."""
        mean = self.means[entry]
        cells = ["–" if mean is None else f"{100 * mean:.2f} %"]
        for other in self.order:
            difference, interval = self.differences[entry][other], self.difference_intervals[entry][other]
            if difference is None or interval is None:
                cells.append("–")
            else:
                cells.append(f"{100 * difference:+.2f} ± {50 * (interval[1] - interval[0]):.2f}")
        return cells


Step = tuple[float, tuple[str, ...]]
"""A parameter, and the lineup that goes with it; the strategy in question comes first."""


def parameter_steps(text: str, opponents: Sequence[str]) -> list[Step]:
    """Return the lineups of a sweep such as `points:15..40`, `bust:0.2..0.3` or `points:10..50/5@ev`.

    Raises `StrategyError` for anything else.
    """
    number = r"([0-9]{1,6}(?:\.[0-9]{1,6})?)"
    match = re.fullmatch(rf"(\w+):{number}\.\.{number}(?:/{number})?(@.+)?", text)
    if not match:
        raise StrategyError(f"{text!r} is no sweep: it is written points:15..40, bust:0.2..0.3 or points:10..50/5")
    name, low, high, by, targets = match.groups()
    if not opponents:
        raise StrategyError(f"{text!r}: against whom? Name the opponents too, as in --sweep {text} ev")
    digits = max((len(part.partition(".")[2]) for part in (low, high, by or "")), default=0)
    if digits and not by:
        digits = max(digits, 2)
    unit = 10**digits
    first, last, step = (round(float(part) * unit) for part in (low, high, by or (0.01 if digits else 1)))
    if step < 1 or not first + step <= last < first + step * MOST_STEPS:
        raise StrategyError(f"{text!r}: a sweep goes upwards, in 2 to {MOST_STEPS} steps")
    steps = []
    for value in range(first, last + 1, step):
        written = f"{value / unit:.{digits}f}"
        steps.append((value / unit, (f"{name}:{written}{targets or ''}", *opponents)))
    return steps


def player_steps(low: int, high: int, strategies: Sequence[str]) -> list[Step]:
    """Return the lineups of the first strategy among 1, 2, 3 … of the others, who take turns in filling the table."""
    if not 2 <= low <= high <= SEATS:
        raise StrategyError(f"{low}..{high} players: from 2 to {SEATS} play against each other, as in 2..6")
    if len(strategies) < 2:
        raise StrategyError("against whom? Name the opponents too, as in --players 2..6 points:25 ev")
    one, others = strategies[0], strategies[1:]
    return [(n, (one, *(others[i % len(others)] for i in range(n - 1)))) for n in range(low, high + 1)]


def pair_lineups(strategies: Sequence[str]) -> list[tuple[str, str]]:
    """Return every pair. Raises `StrategyError` for fewer than two strategies, too many, or one twice."""
    if not 2 <= len(strategies) <= MOST_PAIRED:
        named = f"{len(strategies)} strateg{'y' if len(strategies) == 1 else 'ies'}"
        raise StrategyError(f"{named}: pairs are made of 2 to {MOST_PAIRED}")
    if len(set(strategies)) < len(strategies):
        raise StrategyError("a strategy is named twice: each pair is played once")
    return [(one, other) for i, one in enumerate(strategies) for other in strategies[i + 1 :]]


def play_all(
    lineups: Sequence[tuple[str, ...]],
    games: int,
    make: Callable[[Sequence[str]], Run],
    progress: Callable[[int, Run], None] | None = None,
) -> Iterator[SimResult]:
    """Play n games with each lineup, all with the same luck; yields each result when it is there."""
    for number, lineup in enumerate(lineups):
        run = make(lineup)
        run_games(run, games, None if progress is None else partial(_told, progress, number))
        yield sim_result(run)


def _told(progress: Callable[[int, Run], None], number: int, run: Run, _games: int | None) -> None:
    progress(number, run)


def sweep_of(text: str, steps: Sequence[Step], results: Sequence[SimResult]) -> Sweep:
    """Put the results of the first steps, or of all, together."""
    rates = [result.win_rates[0] for result in results]
    comparable = len({len(lineup) for _, lineup in steps}) == 1 and len(results) > 1
    best = max(range(len(rates)), key=rates.__getitem__) if comparable else None
    values = [value for value, _ in steps[: len(results)]]
    return Sweep(
        sweep=text,
        strategies=[result.strategies[0] for result in results],
        opponents=[result.strategies[1:] for result in results],
        values=values,
        games=results[0].games,
        win_rates=rates,
        win_intervals=[result.win_intervals[0] for result in results],
        mean_points=[result.mean_points[0] for result in results],
        best=best,
        interval=None if best is None else _interval(values, results, best),
        seed=results[0].seed,
        engine=results[0].engine,
        workers=results[0].workers,
        seconds=sum(result.seconds for result in results),
    )


def _interval(values: Sequence[float], results: Sequence[SimResult], best: int) -> tuple[float, float]:
    """Return the least and the greatest parameter that may be as good as the best one.

    The steps share their luck, so their difference is known better than taken here, as if they were independent.
    """
    errors = [result.half_widths[0] / Z for result in results]
    alike = [
        value
        for value, result, error in zip(values, results, errors, strict=True)
        if results[best].win_rates[0] - result.win_rates[0] <= Z * math.hypot(error, errors[best])
    ]
    return alike[0], alike[-1]


def pairs_of(strategies: Sequence[str], results: Sequence[SimResult]) -> Pairs:
    """Put the results of the first pairs, or of all, together."""
    size = range(len(strategies))
    rates: list[list[float | None]] = [[None for _ in size] for _ in size]
    differences: list[list[float | None]] = [[None for _ in size] for _ in size]
    intervals: list[list[Interval | None]] = [[None for _ in size] for _ in size]
    for result in results:
        one, other = map(strategies.index, result.strategies)
        low, high = result.win_intervals[0]
        rates[one][other], rates[other][one] = result.win_rates
        gain = result.win_rates[0] - result.win_rates[1]
        differences[one][other], differences[other][one] = gain, 0.0 - gain  # no -0.0
        intervals[one][other], intervals[other][one] = (2 * low - 1, 2 * high - 1), (1 - 2 * high, 1 - 2 * low)
    known = [[rate for rate in row if rate is not None] for row in rates]
    return Pairs(
        strategies=list(strategies),
        games=results[0].games,
        win_rates=rates,
        differences=differences,
        difference_intervals=intervals,
        means=[sum(row) / len(row) if row else None for row in known],
        seed=results[0].seed,
        engine=results[0].engine,
        workers=results[0].workers,
        seconds=sum(result.seconds for result in results),
    )
