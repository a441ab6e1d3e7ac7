"""Flip 7: the game as a library, its odds, a simulator and a scorekeeper."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from flip7.game.errors import IllegalChoice as IllegalChoice
    from flip7.game.errors import InvalidChoice as InvalidChoice
    from flip7.game.errors import NotationError as NotationError
    from flip7.game.errors import RecordError as RecordError
    from flip7.game.events import Event as Event
    from flip7.game.game import Game as Game
    from flip7.game.odds import Odds as Odds
    from flip7.game.odds import flip_three_bust as flip_three_bust
    from flip7.game.odds import odds as odds
    from flip7.game.options import Rules as Rules
    from flip7.game.position import Position as Position
    from flip7.game.view import Decision as Decision
    from flip7.rules.cards import NUMBERS_ONLY as NUMBERS_ONLY
    from flip7.rules.cards import STANDARD as STANDARD
    from flip7.rules.cards import Card as Card
    from flip7.scorekeeper.errors import MatchError as MatchError
    from flip7.scorekeeper.errors import MatchFileError as MatchFileError
    from flip7.scorekeeper.hands import score as score
    from flip7.scorekeeper.match import Match as Match
    from flip7.sim.simulate import simulate as simulate
    from flip7.sim.simulate import simulate_rounds as simulate_rounds
    from flip7.strategy.advice import Advice as Advice
    from flip7.strategy.advice import advise as advise
    from flip7.strategy.errors import StrategyError as StrategyError
    from flip7.strategy.review import Review as Review
    from flip7.strategy.review import review as review
    from flip7.strategy.solver.solve import Solution as Solution
    from flip7.strategy.solver.solve import solve as solve

__version__ = "0.1.0"

_HOMES = {
    "Advice": "flip7.strategy.advice",
    "Card": "flip7.rules.cards",
    "Decision": "flip7.game.view",
    "Event": "flip7.game.events",
    "Game": "flip7.game.game",
    "IllegalChoice": "flip7.game.errors",
    "InvalidChoice": "flip7.game.errors",
    "Match": "flip7.scorekeeper.match",
    "MatchError": "flip7.scorekeeper.errors",
    "MatchFileError": "flip7.scorekeeper.errors",
    "NUMBERS_ONLY": "flip7.rules.cards",
    "NotationError": "flip7.game.errors",
    "Odds": "flip7.game.odds",
    "Position": "flip7.game.position",
    "RecordError": "flip7.game.errors",
    "Review": "flip7.strategy.review",
    "Rules": "flip7.game.options",
    "STANDARD": "flip7.rules.cards",
    "StrategyError": "flip7.strategy.errors",
    "flip_three_bust": "flip7.game.odds",
    "Solution": "flip7.strategy.solver.solve",
    "advise": "flip7.strategy.advice",
    "odds": "flip7.game.odds",
    "review": "flip7.strategy.review",
    "simulate": "flip7.sim.simulate",
    "simulate_rounds": "flip7.sim.simulate",
    "score": "flip7.scorekeeper.hands",
    "solve": "flip7.strategy.solver.solve",
}
"""Where each public name lives; it is loaded when it is first used."""

__all__ = sorted([*_HOMES, "__version__"])


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'flip7' has no attribute {name!r}")
    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
