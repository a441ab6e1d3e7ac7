"""The cast: the bots that one can play against, each a strategy with a name and a character."""

from __future__ import annotations

import threading
from importlib.util import find_spec
from typing import NamedTuple

from flip7.game.position import Position
from flip7.game.view import Option, TableView
from flip7.strategy.registry import Strategy, Thinker, get


class Member(NamedTuple):
    """One bot."""

    id: str
    """What programs call it."""
    name: str
    """What people call it."""
    character: str
    """How its strategy really plays, in one sentence that goes on from its name."""
    strategy: str
    """The same, as the simulator calls it."""


CAST = (
    Member("carl", "Careful Carl", "Banks his points early and lets others take the risks.", "points:18"),
    Member("bea", "Bold Bea", "Wants a big hand every round and often gets a big bust instead.", "points:34"),
    Member("ada", "Reckoning Ada", "Counts every card and hits exactly as long as it pays.", "ev"),
    Member("sam", "Steady Sam", "Stops at twenty-five, come what may.", "points:25"),
    Member("nia", "Nervous Nia", "Stays as soon as one card in six would bust her.", "bust:0.17"),
    Member("gus", "Gutsy Gus", "Shrugs at a one-in-three chance of going bust.", "bust:0.34"),
    Member("kit", "Four-card Kit", "Collects four numbers and never a fifth.", "cards:4"),
    Member("zoe", "Seven-hunter Zoe", "Goes for six numbers and the last one, every single round.", "cards:7"),
    Member("ned", "Level-headed Ned", "Plays for the win, not for points: bold when behind, careful in front.", "net"),
    *(
        (Member("dee", "Deep Dee", "Thinks every choice through to the end of the round, many times over.", "deep"),)
        if find_spec("numba") is not None
        else ()
    ),
)
"""Every bot. The first ones are those whom one meets who asks for nobody in particular.

Who thinks deeply is there only where thinking can be compiled. How strong each is stands in docs/strength.md.
"""

BY_ID = {member.id: member for member in CAST}
QUICK = ("carl", "bea", "ada")
"""Who sits there when a game has to start at once."""
SUBSTITUTE = "sam"
"""Who goes on for people who have left for good."""

_STRATEGIES: dict[str, Strategy] = {}


def company(number: int) -> list[Member]:
    """Return a company of n bots, all different as long as there are enough; then their names are numbered.

    Who thinks deeply is not among them, so that the same cards give the same game.
    """
    prompt = [member for member in CAST if member.strategy != "deep"]
    chosen = []
    for i in range(number):
        member = prompt[i % len(prompt)]
        twin = i // len(prompt) + 1
        chosen.append(member._replace(name=f"{member.name} {twin}") if twin > 1 else member)
    return chosen


def choice_of(id: str, shown: TableView) -> Option:
    """Return what a bot answers to the open decision. It sees the table and nothing else."""
    if id not in _STRATEGIES:
        _STRATEGIES[id] = get(BY_ID[id].strategy)
    if isinstance(_STRATEGIES[id], Thinker) and not _ready():
        return answer(_AT_ONCE, shown)
    return answer(_STRATEGIES[id], shown)


_AT_ONCE = get("net")
"""Who answers while a thinker gets ready."""
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


def answer(strategy: Strategy, shown: TableView) -> Option:
    """Return what a strategy answers to the open decision."""
    position = Position.view_of(shown.table)
    if position.decision is not None and position.decision.kind == "turn":
        return strategy.turn(position)
    return strategy.target(position)
