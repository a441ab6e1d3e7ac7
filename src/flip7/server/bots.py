"""The bots on the wire, and what is played for people who are away."""

from __future__ import annotations

from flip7.game.game import Game
from flip7.protocol.rest import Bot
from flip7.server.errors import Refusal
from flip7.strategy import cast
from flip7.strategy.registry import get

BOTS = tuple(
    Bot(member.id, member.name, member.character, member.strategy, cast.ladder().wins.get(member.id))
    for member in cast.MEMBERS
)
"""Every bot, those included that need an engine to think."""

_BY_ID = {bot.id: bot for bot in BOTS}
_PLAIN = get("points:25")
QUICK = cast.QUICK
SUBSTITUTE = cast.SUBSTITUTE


def bot(id: str) -> Bot:
    """Return the bot with this id. Raises `Refusal` if there is none."""
    if id not in _BY_ID:
        raise Refusal("unknown_bot", f"there is no bot {id!r}; the bots are {', '.join(_BY_ID)}")
    return _BY_ID[id]


def offered(*, engine: bool) -> tuple[Bot, ...]:
    """Return the bots that people may choose; whoever thinks is among them where there is an engine."""
    return tuple(bot for bot in BOTS if engine or not thinks(bot.id))


def thinks(id: str) -> bool:
    """Return whether a bot takes its time, and has to be asked beside the loop."""
    return id in _BY_ID and cast.thinks(id)


def bot_choice(id: str, game: Game) -> str | int:
    """Return what a bot answers at once; for one that is no longer in the cast the substitute does."""
    return cast.prompt_choice(id if id in _BY_ID else SUBSTITUTE, game)


def away_choice(game: Game) -> str | int:
    """Return what is played for who is away: stay if possible, targets as the plain strategies choose them."""
    if game.decision is not None and game.decision.kind == "turn":
        return "stay"
    return cast.answer(_PLAIN, game)
