"""`review`: a game that is over, choice by choice and card by card, with everybody's chance to win."""

from __future__ import annotations

import re
from collections.abc import Callable

import msgspec

from flip7.game.choices import whole
from flip7.game.deviating import is_deviation
from flip7.game.game import Game, Step
from flip7.game.view import Choice, Decision
from flip7.rules.cards import Card
from flip7.strategy.advice import inputs_of, points_alone
from flip7.strategy.arguments import seed_of
from flip7.strategy.surveys import NO_CHOICE
from flip7.strategy.thinking import Mind, Survey

ROLLOUTS = 1_500  # of every choice, and of every card that follows no choice
LARGE = 6  # seats: from here on fewer
FEWEST, MOST = 60, 1_000_000
BLUNDER = 0.03
STEPS = 2**32  # of a chance
PATIENCE = 0.5  # seconds for the exact points of a choice
DEVIATION = re.compile(r"!(?:to|leave|stay):(\d+)")  # of a seat

Chances = list[float]
Progress = Callable[[float], None]
"""Called with the share of the work that is done."""


class Moment(msgspec.Struct, frozen=True):
    """One choice, or one card that came up; at a real table also what happened though the rules do not say so."""

    number: int
    """Its place in the game, from 0."""
    round: int
    seat: int
    """Who chose, who got the card, or whom a deviation is about."""
    kind: str
    """`"turn"`, `"target"`, `"card"` or `"deviation"` (KEEP-5)."""
    choice: Choice
    """What was chosen, which card it was, or which deviation, such as `"!shuffle"`."""
    before: Chances
    """Every seat's chance to win before it. Before a choice that is what the best one would leave."""
    after: Chances
    best: Choice | None = None
    """The best choice; for what nobody chose nothing."""
    margin: float = 0.0
    """How much the choice was better than the next best one, or (below 0) worse than the best."""
    points: dict[str, float] = {}
    """With a single player: the points at the end of the round, on average, after each choice.

    They are exact (`flip7.solve`) unless that would take too long; then they are those of the rollouts."""
    position: str = ""
    """The position before it."""

    @property
    def gain(self) -> float:
        """What it did to the chance of its seat."""
        return self.after[self.seat] - self.before[self.seat]


class SeatReview(msgspec.Struct, frozen=True):
    """How one seat came from its first chance to its result."""

    name: str
    start: float
    """Its chance before the first card."""
    luck: float
    """What cards, the choices of others and deviations brought it."""
    skill: float
    """What its own choices gave away: 0, if each was the best."""
    result: float
    """1 for the winner, 0 for everybody else; alone, whether the challenge was met (SOLO-1)."""
    choices: int
    blunders: list[Moment]
    """Its choices that gave away 3 % or more."""


class Review(msgspec.Struct, frozen=True):
    """A whole game in chances to win."""

    seats: list[SeatReview]
    moments: list[Moment]
    """Every choice, every card and every deviation, in order."""
    turning_point: Moment | None
    """What changed most for any seat."""
    best: Moment | None
    """The choice that was most clearly better than the alternative."""
    worst: Moment | None
    """The choice that gave away most, if any did."""
    seed: int


def review(
    game_or_record_text: Game | str,
    seed: int | None = None,
    progress: Progress | None = None,
    rollouts: int | None = None,
) -> Review:
    """Return a review of a game that is over, or of its record.

    For each seat `start + luck + skill = result`. What rollouts cannot tell from noise is no fault of a choice. The
    same seed gives the same review. `rollouts` are for every choice; unless told, fewer at tables of more than six.
    Raises `RecordError` for a record that is wrong, and `ValueError` for a game that is not over and for what is no
    game, seed or number.
    """
    game = Game.from_record(game_or_record_text) if isinstance(game_or_record_text, str) else game_or_record_text
    if not isinstance(game, Game):
        raise ValueError(f"{game!r} is no game: a flip7.Game that is over or the text of its record is needed")
    if game.winner is None:
        raise ValueError("this game is not over: play it to its end, then it can be reviewed")
    seed = seed_of(seed)
    count = rollouts_at(len(game.players)) if rollouts is None else whole("rollouts", rollouts, 1, MOST)
    moments = _moments(game, seed, count, progress)
    result = _result(game)
    start = moments[0].before if moments else result
    seats = []
    for seat, name in enumerate(game.players):
        own = [moment for moment in moments if moment.seat == seat and moment.best is not None]
        skill = sum(moment.gain for moment in own)
        blunders = [moment for moment in own if moment.gain <= -BLUNDER]
        luck = result[seat] - start[seat] - skill
        seats.append(SeatReview(name, start[seat], luck, skill, result[seat], len(own), blunders))
    chosen = [moment for moment in moments if moment.best is not None]
    worst = min(chosen, key=lambda moment: moment.gain, default=None)
    return Review(
        seats=seats,
        moments=moments,
        turning_point=max(moments, key=_change, default=None),
        best=max(chosen, key=lambda moment: moment.margin, default=None),
        worst=worst if worst is not None and worst.gain < 0 else None,
        seed=seed,
    )


def rollouts_at(seats: int) -> int:
    """Return how many rollouts a choice gets unless told.

    A large table has more moments, more choices at each, and longer rollouts: seconds would become minutes.
    """
    return max(FEWEST, int(ROLLOUTS * min(1.0, (LARGE / seats) ** 2)))


def _result(game: Game) -> Chances:
    if len(game.players) == 1:
        return [1.0 if game.challenge else 0.0]
    return [1.0 if seat == game.winner else 0.0 for seat in range(len(game.players))]


def _change(moment: Moment) -> float:
    return max(abs(after - before) for before, after in zip(moment.before, moment.after, strict=True))


def _moments(game: Game, seed: int, rollouts: int, progress: Progress | None) -> list[Moment]:
    """Return all moments. A card leads from what the choice before it has left to where the next question begins."""
    steps = [step for step in game.steps(cards=True) if step.decision is not None]
    found: list[Moment] = []
    left: Chances | None = None  # what a choice leaves, before its card
    judged = []
    for number, step in enumerate(steps):
        if progress is not None:
            progress(number / len(steps))
        judgement = _Judgement(step, left, seed + number, rollouts)
        judged.append(judgement)
        left = judgement.after
    after = _result(game)
    for number in range(len(steps) - 1, -1, -1):
        judgement = judged[number]
        found.append(judgement.moment(number, judgement.after or after))
        after = judgement.before
    return found[::-1]


class _Judgement:
    """What rollouts say of one step."""

    def __init__(self, step: Step, left: Chances | None, seed: int, rollouts: int) -> None:
        """`left` are the chances that the choice before has left, if there was one."""
        if step.decision is None or step.choice is None:
            raise ValueError("a round that begins is no moment")
        self.step = step
        self.ask = step.decision
        self.chosen, self.kind, self.seat = _read(step.choice, step.decision)
        self.best: Choice | None = None
        self.margin = 0.0
        self.points: dict[str, float] = {}
        self.after: Chances | None = None  # for a card: what the next moment begins with
        if self.kind in ("card", "deviation"):
            self.before = left or _chances(_survey(step, [NO_CHOICE], seed, rollouts), 0)
            return
        options = list(self.ask.options)
        chosen = options.index(self.chosen)
        inputs = inputs_of(self.ask)
        inputs[0], inputs[chosen] = inputs[chosen], inputs[0]  # the choice comes first: others are compared with it
        options[0], options[chosen] = options[chosen], options[0]
        survey = _survey(step, inputs, seed, rollouts)
        best = 0
        for option in range(1, len(options)):
            better = survey.win(option) - survey.win(0) > survey.difference_doubt(option, 0)
            if better and survey.win(option) > survey.win(best):
                best = option
        self.best = options[best]
        self.before, self.after = _chances(survey, best), _chances(survey, 0)
        rest = max(survey.win(option) for option in range(1, len(options)))
        self.margin = survey.win(0) - rest if best == 0 else survey.win(0) - survey.win(best)
        if len(self.before) == 1:
            points = points_alone(step.position, PATIENCE) or [
                survey.points(options.index(option)) for option in self.ask.options
            ]
            self.points = {str(option): worth for option, worth in zip(self.ask.options, points, strict=True)}

    def moment(self, number: int, after: Chances) -> Moment:
        """Return it as people see it."""
        return Moment(
            number=number,
            round=self.step.position.round,
            seat=self.seat,
            kind=self.kind,
            choice=self.chosen,
            before=self.before,
            after=after,
            best=self.best,
            margin=self.margin,
            points=self.points,
            position=str(self.step.position),
        )


def _read(choice: Choice, ask: Decision) -> tuple[Choice, str, int]:
    """Return what a step was about, of which kind it was and whose. A card that went astray is a card."""
    if not is_deviation(choice):
        return choice, ask.kind, ask.seat
    about = DEVIATION.match(str(choice))
    seat = int(about[1]) if about else ask.seat
    words = str(choice).split()
    return (Card(words[-1]), "card", seat) if len(words) > 1 else (choice, "deviation", seat)


def _chances(survey: Survey, number: int) -> Chances:
    """Return all chances after a choice, in steps of which sums are exact: what adds up does so to the last digit."""
    steps = [round(chance * STEPS) for chance in survey.chances(number)]
    if len(steps) > 1:
        steps[steps.index(max(steps))] += STEPS - sum(steps)
    return [step / STEPS for step in steps]


def _survey(step: Step, inputs: list[int], seed: int, rollouts: int) -> Survey:
    survey = Mind(step.position.table).survey(inputs, seed)
    survey.add(rollouts)
    return survey
