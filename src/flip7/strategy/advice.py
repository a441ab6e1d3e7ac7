"""`advise`: every choice of a position, with the chance to win that it leaves, and how sure that is."""

from __future__ import annotations

import math
import secrets
from collections.abc import Callable

import msgspec

from flip7.game.position import Position
from flip7.game.view import Decision, Option, TableView
from flip7.strategy.kernel import HITS, STAYS
from flip7.strategy.thinking import Mind, Survey

CONFIDENCE = 1.96  # standard errors to either side: 95 %
BIAS = 0.006  # of a chance, root mean square: assumed from experiments with another net (docs/strength.md)
DIFFERENCE_BIAS = 0.004  # of the difference between two choices
FIRST_LOOK = 100  # rollouts
MOST = 400_000  # rollouts; beyond, the bias is what matters

Progress = Callable[[float], None]
"""Called with the share of the work that is done."""


class Advised(msgspec.Struct, frozen=True):
    """One choice, and what it leads to when everybody plays well from then on."""

    choice: Option
    """As in `Decision.options`."""
    win: float
    """The chance to win the game; alone, to meet the challenge (SOLO-1)."""
    low: float
    high: float
    """Where the chance is, with 95 % confidence: the sampling error and the measured bias of the method."""
    points: float
    """The points at the end of this round, on average."""


class Advice(msgspec.Struct, frozen=True):
    """What can be said of a position."""

    seat: int
    """Who is asked."""
    choices: list[Advised]
    """Every legal choice, in the order of `Decision.options`."""
    best: Option
    """The choice with the best chance; where chances are alike, the one with more points."""
    sure: bool
    """Whether it is clear that no other is better."""
    seats: list[float]
    """Every seat's chance to win now, if the best choice is made."""
    rollouts: int
    """How many games were looked at for each choice."""
    seed: int


def advise(
    game_or_position: TableView | str,
    seed: int | None = None,
    precision: float = 0.01,
    progress: Progress | None = None,
) -> Advice:
    """Return what every legal choice is worth, for the seat that is asked.

    Takes a game, a position, or a position's text. Rollouts are added until every chance is known to plus or minus
    `precision`, with 95 % confidence. The same seed gives the same advice. Raises `ValueError` where nobody is asked.
    """
    shown = Position(game_or_position) if isinstance(game_or_position, str) else game_or_position
    ask = shown.decision
    if ask is None or ask.kind == "card":
        raise ValueError("nobody is asked here: advice is for a turn (turn@SEAT) or a target (target@SEAT:CARD)")
    if not 0 < precision < 1:
        raise ValueError(f"precision {precision!r}: a number between 0 and 1 is needed, such as 0.01")
    seed = secrets.randbits(48) if seed is None else seed
    survey = Mind(shown.table).survey(inputs_of(ask), seed)
    options = range(len(ask.options))
    survey.add(FIRST_LOOK)
    while survey.count < MOST:
        widest = max(CONFIDENCE * survey.error(option) for option in options)
        if widest <= precision:
            break
        if progress is not None:
            progress((precision / widest) ** 2)
        needed = int(survey.count * (widest / precision) ** 2 * 1.05) + 1
        survey.add(min(max(needed - survey.count, 20), survey.count * 3, MOST - survey.count))
    points = [survey.points(option) for option in options]
    if shown.table.seats == 1:
        points = _points_alone(shown) or points
    best = max(options, key=lambda option: (round(survey.win(option), 4), points[option]))
    others = [option for option in options if option != best]
    return Advice(
        seat=ask.seat,
        choices=[_advised(ask.options[option], survey, option, points[option]) for option in options],
        best=ask.options[best],
        sure=all(clearly_better(survey, best, option) for option in others),
        seats=survey.chances(best),
        rollouts=survey.count,
        seed=seed,
    )


def inputs_of(ask: Decision) -> list[int]:
    """Return the options of a decision as the kernel takes them."""
    return [
        HITS if option == "hit" else STAYS if option == "stay" else int(option)  # a seat
        for option in ask.options
    ]


def clearly_better(survey: Survey, one: int, other: int) -> bool:
    """Return whether a choice is better than another beyond doubt."""
    doubt = CONFIDENCE * math.hypot(survey.difference_error(one, other), DIFFERENCE_BIAS)
    return survey.win(one) - survey.win(other) > doubt


def _advised(choice: Option, survey: Survey, number: int, points: float) -> Advised:
    win = survey.win(number)
    doubt = CONFIDENCE * math.hypot(survey.error(number), BIAS)
    return Advised(choice, win, max(win - doubt, 0.0), min(win + doubt, 1.0), points)


def _points_alone(shown: TableView) -> list[float] | None:
    """Return what hitting and staying are worth to a single player, exactly, unless that would take too long."""
    from flip7.strategy.solver.solve import solve

    try:
        found = solve(position=shown)
    except ValueError:
        return None
    return None if found.hit is None or found.stay is None else [found.hit, found.stay]
