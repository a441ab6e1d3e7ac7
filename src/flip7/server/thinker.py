"""The process that thinks for a server: it takes jobs as JSON, and answers with progress and a result.

`python -m flip7.server.thinker` is started by `flip7.server.engine`; it needs what the extra `sim` installs.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import msgspec

from flip7 import Card
from flip7.game.game import Game
from flip7.game.options import Rules
from flip7.game.position import Position
from flip7.protocol.messages import Word
from flip7.protocol.rest import DailyResult, ReviewBody, ReviewMoment, ReviewSeat
from flip7.server.daily_log import result_of
from flip7.server.jobs import Report, serve

if TYPE_CHECKING:
    from flip7.strategy.review import Moment, Review

NICENESS = 10
"""Games go first."""
LOOK_SECONDS = 1.0
DIGITS = 4
"""More of a chance are noise."""
POINTS_DIGITS = 2
POINTS_SECONDS = 2.5
"""For the exact points of who plays alone: other questions wait meanwhile, and more would take over a gigabyte."""
SMALL_DECK = {Card.N1: 1, Card.N2: 2, Card.N3: 3, Card.PLUS4: 1, Card.X2: 1, Card.SECOND: 1}
"""Solved at once, with everything that solving takes."""


class Job(msgspec.Struct, tag_field="job"):
    """Something to think about."""


class Prepare(Job, tag="prepare"):
    """Compile what is not compiled yet."""


class AdviseOn(Job, tag="advise"):
    """Say what every choice of a position is worth."""

    position: str
    precision: float


class ReviewOf(Job, tag="review"):
    """Review a finished game, from its record."""

    record: str
    rollouts: int | None


class SolveDay(Job, tag="solve"):
    """Play the deck of a day as `flip7.solve` does, which wants the most points of every round."""

    seed: int
    target: int


class ChooseFor(Job, tag="choose"):
    """Answer the open question of a position as a strategy does."""

    strategy: str
    position: str


AnyJob = Prepare | AdviseOn | ReviewOf | SolveDay | ChooseFor


def work(job: AnyJob, report: Report) -> object:
    """Do a job, and return its result. Raises `ValueError` for what cannot be thought about."""
    match job:
        case Prepare():
            prepare(report)
            return None
        case AdviseOn(position, precision):
            from flip7.strategy.advice import advise

            return advise(position, precision=precision, patience=POINTS_SECONDS)
        case ReviewOf(record, rollouts):
            from flip7.strategy.review import review

            return body(review(record, seed=0, progress=report, rollouts=rollouts))
        case SolveDay(seed, target):
            return solve_day(Game(["flip7.solve"], seed=seed, rules=Rules(target=target)), report)
        case ChooseFor(strategy, position):
            from flip7.strategy.cast import answer
            from flip7.strategy.registry import get

            return answer(get(strategy), Position(position))


def solve_day(game: Game, report: Report) -> DailyResult:
    """Return what the best play for points makes of a player's game, from its first question on."""
    from flip7.strategy.solver.solve import Problem

    target = game.rules.target
    while game.decision is not None:
        choice = Problem(position=game).choose()
        game.play("stay" if choice is None else choice)
        report(min(1.0, game.seats[0].total / target))
    return result_of(game)


def prepare(report: Report) -> None:
    """Compile rollouts, deep thought and solver, unless they are on the disk: a minute or so, once for each machine."""
    from flip7.strategy import engine, policies
    from flip7.strategy.advice import advise
    from flip7.strategy.cast import CAST, thinks
    from flip7.strategy.solver.solve import solve
    from flip7.strategy.solver.stage import compiled as solver_loops

    build = engine.compiled((policies.DEEP,))
    functions = [value for module in build.values() for value in vars(module).values() if hasattr(value, "signatures")]
    functions += solver_loops().values()
    done = threading.Event()

    def watch() -> None:
        while not done.wait(LOOK_SECONDS):
            report(sum(bool(function.signatures) for function in functions) / max(1, len(functions)))

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    for position in ("0:5/0:7 turn@0", "0:5/0:7 target@0:freeze"):
        advise(position, seed=1, precision=0.2)
        for bot in CAST:
            if thinks(bot.id):
                work(ChooseFor(bot.strategy, position), report)
    solve(Rules(composition=SMALL_DECK))  # who plays alone is told points exactly
    done.set()
    watcher.join()


def body(review: Review) -> ReviewBody:
    """Return a review as it is kept and sent: without positions, each moment with the step of the replay."""
    moments, choices = [], 0
    for moment in review.moments:
        choices += moment.best is not None
        moments.append(_moment(moment, choices))
    by_number = {moment.number: moment for moment in moments}

    def known(moment: Moment | None) -> ReviewMoment | None:
        return None if moment is None else by_number[moment.number]

    return ReviewBody(
        seats=tuple(
            ReviewSeat(seat.name, _round(seat.start), _round(seat.luck), _round(seat.skill), seat.result, seat.choices)
            for seat in review.seats
        ),
        moments=tuple(moments),
        turning_point=known(review.turning_point),
        best=known(review.best),
        worst=known(review.worst),
    )


def _moment(moment: Moment, step: int) -> ReviewMoment:
    return ReviewMoment(
        number=moment.number,
        step=step,
        round=moment.round,
        seat=moment.seat,
        kind=moment.kind,
        choice=moment.choice,
        card=_card(moment),
        before=tuple(map(_round, moment.before)),
        after=tuple(map(_round, moment.after)),
        best=None if moment.best is None else _option(moment.best),
        margin=_round(moment.margin),
        points={choice: round(points, POINTS_DIGITS) for choice, points in moment.points.items()},
    )


def _card(moment: Moment) -> str | None:
    """Return the card that a target was chosen for."""
    ask = Position(moment.position).decision if moment.kind == "target" else None
    return None if ask is None or ask.card is None else str(ask.card)


def _option(option: object) -> Word | int:
    return option if isinstance(option, int) else "hit" if option == "hit" else "stay"


def _round(value: float) -> float:
    return round(value, DIGITS)


def main() -> None:
    """Work until there are no more jobs."""

    def do(job: bytes, report: Report) -> bytes:
        return msgspec.json.encode(work(msgspec.json.decode(job, type=AnyJob), report))

    serve(do, NICENESS)


if __name__ == "__main__":
    main()
