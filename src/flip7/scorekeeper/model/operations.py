"""The operations of a match: everything that anybody entered, on any device, never changed and never deleted.

Two devices merge by uniting their operations. Which of them count, and which replace which, follows from the set alone,
so that everyone who has the same operations sees the same match (docs/decisions/0002-matches-are-operations.md).
"""

from typing import Literal

import msgspec

from flip7.rules.cards import Card

Stored = list[Card] | int | Literal["bust"]
Deed = Literal["card", "stay", "give", "shuffle", "lost", "leave", "pick"]


class Step(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One thing that happened at a table which is followed card by card."""

    do: Deed
    player: str = ""
    """Who got the card, stayed, left, or gave a card away."""
    card: Card | None = None
    to: str = ""
    """Who was given the card; for a pick, the step that holds."""
    anyway: bool = False
    """The card should have been gone, and was taken all the same."""


class Operation(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", forbid_unknown_fields=True):
    """One thing that someone entered. `clock` counts on from everything that its device had seen."""

    clock: int
    device: str
    """Who made it: a device, and after a `~` one of its tabs."""
    over: tuple[str, ...] = ()
    """The operations on the same registers that it knowingly replaces."""

    @property
    def id(self) -> str:
        """What other operations call it."""
        return f"{self.clock}.{self.device}"


class Start(Operation, frozen=True, tag="start"):
    """The match as it was set up. The players' ids are "0", "1", ... clockwise."""

    players: tuple[str, ...]
    target: int
    dealer: int
    decks: int | None = None
    date: str | None = None


class Enter(Operation, frozen=True, tag="enter"):
    """What some or all players ended a round with, by player id."""

    round: int
    entries: dict[str, Stored]


class Remove(Operation, frozen=True, tag="remove"):
    """The round was a mistake: it no longer counts."""

    round: int


class Rename(Operation, frozen=True, tag="rename"):
    """A player is called something else."""

    player: str
    name: str


class Add(Operation, frozen=True, tag="add"):
    """A player came late, with an agreed score, and sat down after another. Its id is the player's."""

    name: str
    score: int
    round: int
    after: str


class Away(Operation, frozen=True, tag="away"):
    """The rounds in which a player is away: pairs of the first, and the one in which they are back, if they are."""

    player: str
    rounds: tuple[tuple[int, int | None], ...]


class Target(Operation, frozen=True, tag="target"):
    """Another target was agreed on."""

    target: int


class Dealer(Operation, frozen=True, tag="dealer"):
    """Another player deals, from that round on."""

    player: str
    round: int


class Stop(Operation, frozen=True, tag="stop"):
    """The match was stopped before anybody had won, or goes on after all (KEEP-6)."""

    stopped: bool


class Live(Operation, frozen=True, tag="live"):
    """A step of a round that is followed card by card, after another step or at its beginning."""

    round: int
    after: str
    step: Step


class Mend(Operation, frozen=True, tag="mend"):
    """What really happened instead of a step: nothing, another step, or several."""

    round: int
    what: str
    steps: tuple[Step, ...]


class Undo(Operation, frozen=True, tag="undo"):
    """An operation no longer counts."""

    what: str


class Redo(Operation, frozen=True, tag="redo"):
    """It counts again."""

    what: str


AnyOperation = Start | Enter | Remove | Rename | Add | Away | Target | Dealer | Stop | Live | Mend | Undo | Redo


def id_of(operation: AnyOperation) -> str:
    """Return what other operations call an operation."""
    return f"{operation.clock}.{operation.device}"


def owner_of(device: str) -> str:
    """Return the device that a tab belongs to: what stands before the `~`."""
    owner = ""
    for sign in device:
        if sign == "~":
            return owner
        owner = owner + sign
    return owner


def text_before(one: str, other: str) -> bool:
    """Return whether a text comes before another, by the numbers of their characters."""
    first = [ord(sign) for sign in one]
    second = [ord(sign) for sign in other]
    for at in range(min(len(first), len(second))):
        if first[at] != second[at]:
            return first[at] < second[at]
    return len(first) < len(second)


def comes_before(one: AnyOperation, other: AnyOperation) -> bool:
    """Return whether an operation comes before another, the same on every device."""
    if one.clock != other.clock:
        return one.clock < other.clock
    return text_before(one.device, other.device)


def writes(operation: AnyOperation) -> list[str]:
    """Return the registers whose value an operation sets."""
    if isinstance(operation, Enter):
        return [f"entry {player} {operation.round}" for player in operation.entries]
    if isinstance(operation, Remove):
        return [f"removed {operation.round}"]
    if isinstance(operation, Rename):
        return [f"name {operation.player}"]
    if isinstance(operation, Away):
        return [f"away {operation.player}"]
    if isinstance(operation, Target):
        return ["target"]
    if isinstance(operation, Dealer):
        return [f"dealer {operation.round}"]
    if isinstance(operation, Stop):
        return ["stop"]
    if isinstance(operation, Mend):
        return [f"mend {operation.what}"]
    return []


def entry_text(entry: Stored) -> str:
    """Return an entry as a text: equal entries have equal texts."""
    if isinstance(entry, int):
        return f"{entry}"
    if isinstance(entry, list):
        text = ":"
        for card in entry:
            text = f"{text} {card}"
        return text
    return entry


def step_text(step: Step) -> str:
    """Return a step as a text: equal steps have equal texts."""
    card = "" if step.card is None else step.card
    anyway = "!" if step.anyway else ""
    return f"{step.do} {step.player} {card} {step.to} {anyway}"


def rounds_text(rounds: list[tuple[int, int | None]]) -> str:
    """Return when a player is away, as a text."""
    text = ""
    for pair in rounds:
        back = pair[1]
        text = f"{text} {pair[0]}-" if back is None else f"{text} {pair[0]}-{back}"
    return text


def told(operation: AnyOperation) -> str:
    """Return an operation as a text: two operations are the same if their texts are. No name has a line break."""
    head = f"{operation.clock} {operation.device}"
    for name in operation.over:
        head = f"{head} {name}"
    if isinstance(operation, Start):
        text = f"start {operation.target} {operation.dealer}"
        if operation.decks is not None:
            text = f"{text} decks {operation.decks}"
        if operation.date is not None:
            text = f"{text} {operation.date}"
        for name in operation.players:
            text = f"{text}\n{name}"
        return f"{head}\n{text}"
    if isinstance(operation, Enter):
        return f"{head}\nenter {operation.round}{entries_text(operation.entries)}"
    if isinstance(operation, Remove):
        return f"{head}\nremove {operation.round}"
    if isinstance(operation, Rename):
        return f"{head}\nrename {operation.player}\n{operation.name}"
    if isinstance(operation, Add):
        return f"{head}\nadd {operation.score} {operation.round} {operation.after}\n{operation.name}"
    if isinstance(operation, Away):
        return f"{head}\naway {operation.player}{rounds_text(list(operation.rounds))}"
    if isinstance(operation, Target):
        return f"{head}\ntarget {operation.target}"
    if isinstance(operation, Dealer):
        return f"{head}\ndealer {operation.player} {operation.round}"
    if isinstance(operation, Stop):
        stopped = "stop" if operation.stopped else "go on"
        return f"{head}\n{stopped}"
    if isinstance(operation, Live):
        return f"{head}\nlive {operation.round} {operation.after}\n{step_text(operation.step)}"
    if isinstance(operation, Mend):
        text = f"{head}\nmend {operation.round} {operation.what}"
        for step in operation.steps:
            text = f"{text}\n{step_text(step)}"
        return text
    if isinstance(operation, Undo):
        return f"{head}\nundo {operation.what}"
    return f"{head}\nredo {operation.what}"


def entries_text(entries: dict[str, Stored]) -> str:
    """Return the entries of a round as a text, whatever the order in which they are kept."""
    players: list[str] = []
    for player in entries:
        at = len(players)
        while at > 0 and text_before(player, players[at - 1]):
            at -= 1
        players.insert(at, player)
    text = ""
    for player in players:
        text = f"{text}\n{player} {entry_text(entries[player])}"
    return text
