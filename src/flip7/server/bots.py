"""The bots: names and temperaments on top of the strategies, and what is played for people who are away."""

from __future__ import annotations

from flip7 import Card
from flip7.game.game import Game
from flip7.server.chances import bust_chance, next_pile
from flip7.server.errors import Refusal
from flip7.server.messages import Bot

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
    ask = game.decision
    assert ask is not None
    if ask.kind == "target":
        return plain_target(game)
    name, _, parameter = _BY_ID.get(id, _BY_ID[SUBSTITUTE]).strategy.partition(":")
    limit = float(parameter or 25)
    seat = game.seats[ask.seat]
    if name == "bust":
        return "hit" if bust_chance(game, ask.seat, next_pile(game)) <= limit else "stay"
    have = len(seat.line) if name == "cards" else seat.points
    return "hit" if have < limit else "stay"


def away_choice(game: Game) -> str | int:
    """What is played for somebody who is away: stay if possible, targets as the plain strategies choose them."""
    return "stay" if game.decision is not None and game.decision.kind == "turn" else plain_target(game)


def plain_target(game: Game) -> int:
    """Freeze who is furthest, Flip Three for who has the most numbers, help for who is last; never oneself."""
    ask = game.decision
    assert ask is not None
    seats, count = game.seats, len(game.players)
    others = [seat for seat in ask.options if isinstance(seat, int) and seat != ask.seat]

    def worth(seat: int) -> tuple[int, int]:
        nearest = -((seat - ask.seat) % count)
        if ask.card == Card.FREEZE:
            return seats[seat].total + seats[seat].points, nearest
        if ask.card == Card.FLIP3:
            return len(seats[seat].line), nearest
        return -seats[seat].total, nearest

    return max(others, key=worth)
