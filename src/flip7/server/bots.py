"""The bots: names and temperaments on top of the strategies, and what is played for people who are away."""

from __future__ import annotations

from flip7.game.game import Game
from flip7.game.position import Position
from flip7.protocol.messages import Bot
from flip7.server.errors import Refusal
from flip7.strategy.registry import Strategy, get

BOTS = (
    Bot("carl", "Careful Carl", "Banks his points early and lets others take the risks.", "points:18"),
    Bot("bea", "Bold Bea", "Wants a big hand every round and often gets a big bust instead.", "points:34"),
    Bot("ada", "Reckoning Ada", "Counts every card and hits exactly as long as it pays.", "ev"),
    Bot("sam", "Steady Sam", "Stops at twenty-five, come what may.", "points:25"),
    Bot("nia", "Nervous Nia", "Stays as soon as one card in six would bust her.", "bust:0.17"),
    Bot("gus", "Gutsy Gus", "Shrugs at a one-in-three chance of going bust.", "bust:0.34"),
    Bot("kit", "Four-card Kit", "Collects four numbers and never a fifth.", "cards:4"),
    Bot("zoe", "Seven-hunter Zoe", "Goes for six numbers and the last one, every single round.", "cards:7"),
)
"""Every bot. The sentence says how the strategy really plays."""

_BY_ID = {bot.id: bot for bot in BOTS}
_STRATEGIES = {bot.id: get(bot.strategy) for bot in BOTS}
_PLAIN = get("points:25")
QUICK = ("carl", "bea", "ada")
"""Whom one meets who asks for nobody in particular."""
SUBSTITUTE = "sam"
"""Who goes on for people who have left for good."""


def bot(id: str) -> Bot:
    """The bot with this id. Raises `Refusal` if there is none."""
    if id not in _BY_ID:
        raise Refusal("unknown_bot", f"there is no bot {id!r}; the bots are {', '.join(_BY_ID)}")
    return _BY_ID[id]


def bot_choice(id: str, game: Game) -> str | int:
    """What a bot answers to the open decision. It sees the table and nothing else."""
    return _answer(_STRATEGIES.get(id) or _STRATEGIES[SUBSTITUTE], game)


def away_choice(game: Game) -> str | int:
    """What is played for somebody who is away: stay if possible, targets as the plain strategies choose them."""
    if game.decision is not None and game.decision.kind == "turn":
        return "stay"
    return _answer(_PLAIN, game)


def _answer(strategy: Strategy, game: Game) -> str | int:
    position = Position.watching(game.table)
    if position.decision is not None and position.decision.kind == "turn":
        return strategy.turn(position)
    return strategy.target(position)
