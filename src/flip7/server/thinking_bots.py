"""Bots that think, asked in a process of their own."""

from __future__ import annotations

import msgspec

from flip7.server.bots import bot
from flip7.server.engine import Engine
from flip7.server.errors import Refusal
from flip7.server.inputs import BotQuestion
from flip7.server.state import BOT_SECONDS
from flip7.server.thinker import ChooseFor


async def think(engine: Engine, question: BotQuestion) -> str | int | None:
    """Return what a bot answers after thinking; `None` while there is no engine for it, or when it has failed."""
    if not engine.is_ready:
        return None
    job = ChooseFor(bot(question.bot).strategy, question.position)
    try:
        return msgspec.json.decode(await engine.bots.do(job, seconds=BOT_SECONDS), type=str | int)
    except (Refusal, msgspec.DecodeError):
        return None
