"""`review`: a game that is over, choice by choice and card by card, with everybody's chance to win."""

from __future__ import annotations

import secrets
from collections.abc import Callable

import msgspec

from flip7.game.game import Game, Step
from flip7.game.view import Option
from flip7.rules.cards import Card
from flip7.strategy.advice import CONFIDENCE, inputs_of
from flip7.strategy.surveys import NO_CHOICE
from flip7.strategy.thinking import Mind, Survey

ROLLOUTS = 1_500  # of every choice, and of every card that follows no choice
BLUNDER = 0.03

Chances = list[float]
Progress = Callable[[float], None]
"""Called with the share of the work that is done."""


class Moment(msgspec.Struct, frozen=True):
    """One choice, or one card that came up."""

    number: int
    """Its place in the game, from 0."""
    round: int
    seat: int
    """Who chose, or who got the card."""
    kind: str
    """`"turn"`, `"target"` or `"card"`."""
    choice: Option
    """What was chosen, or which card it was."""
    before: Chances
    """Every seat's chance to win before it. Before a choice that is what the best one would leave."""
    after: Chances
    best: Option | None = None
    """The best choice; for a card nothing."""
    margin: float = 0.0
    """How much the choice was better than the next best one, or (below 0) worse than the best."""
    points: dict[str, float] = {}
    """With a single player: the points at the end of the round, on average, after each choice."""
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
    """What cards and the choices of others brought it."""
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
    """Every choice and every card, in order."""
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
    rollouts: int = ROLLOUTS,
) -> Review:
    """Return a review of a game that is over, or of its record.

    For each seat `start + luck + skill = result`. What rollouts cannot tell from noise is no fault of a choice. The
    same seed gives the same review. Raises `RecordError` for a record that is wrong, and `ValueError` for a game that
    is not over.
    """
    game = Game.from_record(game_or_record_text) if isinstance(game_or_record_text, str) else game_or_record_text
    if game.winner is None:
        raise ValueError("this game is not over: a review needs its end")
    seed = secrets.randbits(48) if seed is None else seed
    moments = _moments(game, seed, rollouts, progress)
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
        self.chosen = step.choice
        self.best: Option | None = None
        self.margin = 0.0
        self.points: dict[str, float] = {}
        self.after: Chances | None = None  # for a card: what the next moment begins with
        if isinstance(self.chosen, Card):
            self.before = left or _survey(step, [NO_CHOICE], seed, rollouts).chances(0)
            return
        options = list(self.ask.options)
        chosen = options.index(self.chosen)
        inputs = inputs_of(self.ask)
        inputs[0], inputs[chosen] = inputs[chosen], inputs[0]  # the choice comes first: others are compared with it
        options[0], options[chosen] = options[chosen], options[0]
        survey = _survey(step, inputs, seed, rollouts)
        best = 0
        for option in range(1, len(options)):
            better = survey.win(option) - survey.win(0) > CONFIDENCE * survey.difference_error(option, 0)
            if better and survey.win(option) > survey.win(best):
                best = option
        self.best = options[best]
        self.before, self.after = survey.chances(best), survey.chances(0)
        rest = max(survey.win(option) for option in range(1, len(options)))
        self.margin = survey.win(0) - rest if best == 0 else survey.win(0) - survey.win(best)
        if len(self.before) == 1:
            self.points = {str(option): survey.points(number) for number, option in enumerate(options)}

    def moment(self, number: int, after: Chances) -> Moment:
        """Return it as people see it."""
        return Moment(
            number=number,
            round=self.step.position.round,
            seat=self.ask.seat,
            kind=self.ask.kind,
            choice=self.chosen,
            before=self.before,
            after=after,
            best=self.best,
            margin=self.margin,
            points=self.points,
            position=str(self.step.position),
        )


def _survey(step: Step, inputs: list[int], seed: int, rollouts: int) -> Survey:
    survey = Mind(step.position.table).survey(inputs, seed)
    survey.add(rollouts)
    return survey
