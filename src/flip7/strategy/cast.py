"""The cast: the bots that one can play against, each a strategy with a name and a character."""

from __future__ import annotations

import json
import threading
from functools import cache
from importlib.resources import files
from importlib.util import find_spec
from typing import NamedTuple

from flip7.catalogue import texts
from flip7.game.position import Position
from flip7.game.view import Choice, TableView
from flip7.strategy.registry import Strategy, get


class Ladder(NamedTuple):
    """How strong the bots are: the share of games that each wins against a common field. `tools.ladder` measures it."""

    date: str
    seed: int
    sources: str
    """A hash of what the figures depend on."""
    field: str
    """The bot that plays on all other seats."""
    others: int
    """How many those are."""
    wins: dict[str, float]
    errors: dict[str, float]
    """Standard errors."""


@cache
def ladder() -> Ladder:
    """Return how strong the bots are."""
    return Ladder(**json.loads((files(__package__) / "ladder.json").read_text("utf-8")))


class Member(NamedTuple):
    """One bot."""

    id: str
    """What programs call it."""
    name: str
    """What people call it."""
    character: str
    """How its strategy really plays, in one English sentence that goes on from its name."""
    strategy: str
    """The same, as the simulator calls it."""


def _member(id: str, name: str, strategy: str) -> Member:
    return Member(id, name, texts("en")(f"bot.{id}"), strategy)


MEMBERS = (
    _member("carl", "Careful Carl", "points:18"),
    _member("bea", "Bold Bea", "points:34"),
    _member("ada", "Reckoning Ada", "ev"),
    _member("sam", "Steady Sam", "points:25"),
    _member("nia", "Nervous Nia", "bust:0.17"),
    _member("gus", "Gutsy Gus", "bust:0.34"),
    _member("kit", "Four-card Kit", "cards:4"),
    _member("zoe", "Seven-hunter Zoe", "cards:7"),
    _member("ned", "Level-headed Ned", "net"),
    _member("dee", "Deep Dee", "deep"),
)
"""Every bot. The first ones are those whom one meets without asking for anyone special.

How strong each is: `ladder`.
"""

BY_ID = {member.id: member for member in MEMBERS}


def thinks(id: str) -> bool:
    """Return whether a bot thinks, which takes time, and needs what the simulator needs."""
    return BY_ID[id].strategy == "deep"


CAST = tuple(member for member in MEMBERS if not thinks(member.id) or find_spec("numba") is not None)
"""Those who can play here."""
QUICK = ("carl", "bea", "ada")
"""Who sits there when a game has to start at once."""
SUBSTITUTE = "sam"
"""Who goes on for people who have left for good."""
PROMPT = "ned"
"""Who answers while a thinker cannot."""

_STRATEGIES: dict[str, Strategy] = {}


def company(number: int) -> list[Member]:
    """Return a company of n bots, all different as long as there are enough; then their names are numbered.

    Deep thinkers are not among them, so that the same cards give the same game.
    """
    prompt = [member for member in MEMBERS if not thinks(member.id)]
    chosen = []
    for i in range(number):
        member = prompt[i % len(prompt)]
        twin = i // len(prompt) + 1
        chosen.append(member._replace(name=f"{member.name} {twin}") if twin > 1 else member)
    return chosen


def member_called(name: str) -> Member | None:
    """Return the bot that goes by a name, also where `company` has numbered it; `None` for a name of nobody."""
    for member in MEMBERS:
        if name == member.name or (name.startswith(f"{member.name} ") and name[len(member.name) + 1 :].isdecimal()):
            return Member(member.id, name, member.character, member.strategy)
    return None


def choice_of(id: str, shown: TableView) -> Choice:
    """Return what a bot answers to the open decision. It sees the table and nothing else.

    While a thinker gets ready, which happens beside the caller, it answers as `prompt_choice` says.
    """
    if thinks(id) and _ready():
        return answer(_strategy(id), shown)
    return prompt_choice(id, shown)


def prompt_choice(id: str, shown: TableView) -> Choice:
    """Return what a bot answers at once: a thinker plays as `net` does, which is what its thinking starts from."""
    return answer(_strategy(PROMPT if thinks(id) else id), shown)


def _strategy(id: str) -> Strategy:
    if id not in _STRATEGIES:
        _STRATEGIES[id] = get(BY_ID[id].strategy)
    return _STRATEGIES[id]


_warm = threading.Event()
_warming: list[threading.Thread] = []


def _ready() -> bool:
    """Return whether a thinker can answer without keeping others waiting; if not, see to it that one will be."""
    if not _warming:
        from flip7.strategy.thinking import warm_up

        def work() -> None:
            warm_up()
            _warm.set()

        _warming.append(threading.Thread(target=work, name="flip7 warm-up", daemon=True))
        _warming[0].start()
    return _warm.is_set()


def answer(strategy: Strategy, shown: TableView) -> Choice:
    """Return what a strategy answers to the open decision."""
    position = Position.view_of(shown.table)
    if position.decision is not None and position.decision.kind == "turn":
        return strategy.turn(position)
    return strategy.target(position)
