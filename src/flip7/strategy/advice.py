"""`advise`: every choice of a position, with the chance to win that it leaves, and how sure that is."""

from __future__ import annotations

import math
from collections.abc import Callable

import msgspec

from flip7.game.position import table_view
from flip7.game.view import Choice, Decision, TableView
from flip7.strategy.arguments import patience_of, precision_of, seed_of
from flip7.strategy.book import bias
from flip7.strategy.kernel import HITS, STAYS
from flip7.strategy.thinking import CONFIDENCE, Mind, Survey

FIRST_LOOK = 100  # rollouts
MOST = 400_000  # rollouts; beyond, the bias is what matters
PATIENCE = 7.0  # seconds for exact points: enough for every hand from one deck

Progress = Callable[[float], None]
"""Called with the share of the work that is done."""


class Advised(msgspec.Struct, frozen=True):
    """One choice, and what it leads to when everybody plays well from then on."""

    choice: Choice
    """As in `Decision.options`."""
    win: float
    """The chance to win the game; alone, to meet the challenge (SOLO-1)."""
    low: float
    high: float
    """Where the chance is, with 95 % confidence: the sampling error and the measured bias of the method."""
    points: float
    """The points at the end of this round, on average; alone they are exact, unless that would take too long."""


class Advice(msgspec.Struct, frozen=True):
    """What can be said of a position."""

    seat: int
    """Who is asked."""
    choices: list[Advised]
    """Every legal choice, in the order of `Decision.options`."""
    best: Choice
    """The choice with the best chance; where chances are alike, the one with more points."""
    sure: bool
    """Whether it is clear that no other is better."""
    seats: list[float]
    """Every seat's chance to win now, if the best choice is made."""
    rollouts: int
    """How many games were looked at for each choice."""
    seed: int
    precision: float
    """The half-width of the widest sampling interval: more than was asked for, if that takes too many rollouts."""


def advise(
    game_or_position: TableView | str,
    seed: int | None = None,
    precision: float = 0.01,
    progress: Progress | None = None,
    patience: float = PATIENCE,
) -> Advice:
    """Return what every legal choice is worth, for the seat that is asked.

    Takes a game, a position, or a position's text. Rollouts are added until every chance is known to plus or minus
    `precision`, with 95 % confidence. The same seed gives the same advice. With a single player points are exact,
    unless that would take longer than about `patience` seconds. Raises `ValueError` where nobody is asked, and for
    what is no position, seed, precision or patience.
    """
    shown = table_view(game_or_position)
    ask = shown.decision
    if ask is None or ask.kind == "card":
        raise ValueError("nobody is asked here: advice is for a turn (turn@SEAT) or a target (target@SEAT:CARD)")
    precision, seed, patience = precision_of(precision), seed_of(seed), patience_of(patience)
    alone = shown.table.seats == 1
    half = 0.5 if alone else 1.0  # what rollouts are of the work; the rest are exact points
    show = _part(progress, 0.0, half)
    survey = Mind(shown.table).survey(inputs_of(ask), seed)
    options = range(len(ask.options))
    survey.add(FIRST_LOOK)
    while survey.count < MOST:
        widest = max(map(survey.doubt, options))
        if widest <= precision:
            break
        if show is not None:
            show((precision / widest) ** 2)
        needed = int(survey.count * (widest / precision) ** 2 * 1.05) + 1
        survey.add(min(max(needed - survey.count, 20), survey.count * 3, MOST - survey.count))
    exact = points_alone(shown, patience, _part(progress, half, 1.0)) if alone else None
    points = exact or [survey.points(option) for option in options]
    best = max(options, key=lambda option: (round(survey.win(option), 4), points[option]))
    others = [option for option in options if option != best]
    return Advice(
        seat=ask.seat,
        choices=[_advised(ask.options[option], survey, option, points[option]) for option in options],
        best=ask.options[best],
        sure=all(
            exact[best] > exact[option]
            if exact and survey.alike(best, option)
            else clearly_better(survey, best, option)
            for option in others
        ),
        seats=survey.chances(best),
        rollouts=survey.count,
        seed=seed,
        precision=max(map(survey.doubt, options)),
    )


def inputs_of(ask: Decision) -> list[int]:
    """Return the options of a decision as the kernel takes them."""
    return [
        HITS if option == "hit" else STAYS if option == "stay" else int(option)  # a seat
        for option in ask.options
    ]


def clearly_better(survey: Survey, one: int, other: int) -> bool:
    """Return whether a choice is better than another beyond doubt."""
    doubt = math.hypot(survey.difference_doubt(one, other), CONFIDENCE * bias()[1])
    return survey.win(one) - survey.win(other) > doubt


def _part(progress: Progress | None, begin: float, end: float) -> Progress | None:
    """Return what tells how far a part of the work is, which begins and ends where the whole is so far."""
    return None if progress is None else lambda share: progress(begin + share * (end - begin))


def _advised(choice: Choice, survey: Survey, number: int, points: float) -> Advised:
    win = survey.win(number)
    doubt = math.hypot(survey.doubt(number), CONFIDENCE * bias()[0])
    return Advised(choice, win, max(win - doubt, 0.0), min(win + doubt, 1.0), points)


def points_alone(shown: TableView, seconds: float, progress: Progress | None = None) -> list[float] | None:
    """Return what hitting and staying are worth to a single player in points, exactly.

    Returns `None` where that would take longer than about `seconds` seconds, or more memory than there is.
    """
    from flip7.strategy.solver.solve import Problem

    try:
        problem = Problem(position=shown)
        return list(problem.turn(progress)) if problem.turn_seconds <= seconds else None
    except (ValueError, MemoryError):
        return None
