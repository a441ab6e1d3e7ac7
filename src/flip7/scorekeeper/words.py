"""What a match says in words: why something is refused, what was taken back, what devices disagree on."""

from __future__ import annotations

from collections.abc import Callable

from flip7.rules.table import SEATS
from flip7.scorekeeper.model.operations import (
    Add,
    AnyOperation,
    Away,
    Dealer,
    Enter,
    Live,
    Mend,
    Remove,
    Rename,
    Step,
    Stop,
    Target,
)
from flip7.scorekeeper.model.refusals import Refusal
from flip7.scorekeeper.model.sheet import Conflict, Sheet, name_of

Naming = Callable[[str], str]

_TEXTS = {
    "twin": "{card} twice: a second {card} busts (NUM-2); enter 'bust' if it did",
    "eighth": "{card} would be an eighth number, but the seventh ends the round (NUM-3)",
    "none_left": "no {card} is left: {deck} {n}, and all hands of the round together have more (KEEP-4)",
    "second_second": "nobody keeps two Second Chances (SC-4)",
    "second_freeze": "nobody is frozen twice: the other Freeze goes to the discard pile (F3-5)",
    "frozen_flip7": "a Flip 7 and a Freeze in one hand: each of them ends the other's chance (NUM-3, FRZ-1)",
    "other_flip7": "a second Flip 7: a round has at most one (KEEP-4)",
    "negative": "{n} points: nobody loses points in a round; the least is 0",
    "impossible": "no hand makes {n} points (KEEP-4); {low} and {high} can be made",
    "too_many": "no hand makes {n} points (KEEP-4); the most is {high}",
    "seven_points": "{n} points take a Flip 7, and a round has at most one (KEEP-4)",
    "together": "no {card} is left for it: another hand of the round needs it too (KEEP-4)",
    "nothing": "nothing to enter: no player was named",
    "over": "{who} has won: only a correction can take that back (KEEP-3)",
    "stopped": "the match was stopped: it can go on, if that is wanted (KEEP-6)",
    "not_stopped": "the match was not stopped",
    "last_player": "{who} is the last at the table and cannot leave it",
    "at_table": "{who} is at the table already",
    "not_at_table": "{who} has left the table",
    "not_playing": "{who} does not play this round",
    "full": "at most {n} can play",
    "bad_name": "a name is a text of 1 to 200 characters that can be printed",
    "name_taken": "{who} is called that already",
    "bad_target": "target {n}: a whole number from {low} to {high} is needed",
    "bad_score": "score {n}: a whole number from {low} to {high} is needed",
    "bad_dealer": "dealer {n}: with so many players the seats are {low} to {high}",
    "bad_decks": "decks {n}: a whole number from {low} to {high} is needed",
    "bad_date": "date: a day of the calendar is needed, written YYYY-MM-DD",
    "bad_device": "device: 1 to 40 letters, digits, - or _ are needed, and after a ~ the same for a tab",
    "bad_clock": "clock {n}: the first operation has 0, others lie between {low} and {high}",
    "bad_round": "round {n}: it lies between {low} and {high}",
    "bad_players": f"{{n}} players: 1 to {SEATS} can play",
    "no_round": "round {n}: there is no such round",
    "no_player": "{player!r} is no player of this match",
    "no_conflict": "there is no such conflict any more",
    "no_choice": "choice {n}: the conflict has {choices} values to choose from",
    "nothing_to_undo": "there is nothing to take back",
    "nothing_to_redo": "nothing was taken back since the last entry",
    "not_due": "that is not due now",
    "gone": "no {card} should be left in the deck; take it anyway if it lies there (KEEP-5)",
    "not_there": "no {card} is in the deck that could have been lost",
    "not_target": "{who} cannot get this card",
    "no_step": "there is no such step",
    "no_start": "the first operation sets the match up",
    "second_start": "a match is set up only once",
    "start_kept": "the start of a match is not taken back",
    "different": "two operations have the same id",
}
"""A sentence for every code of `RefusalCode`."""

# About these the sentence itself says whom it is about.
_SELF_TOLD = {"over", "last_player", "at_table", "not_at_table", "not_playing", "name_taken", "no_player", "not_target"}


def refusal_text(refusal: Refusal, naming: Naming = str, decks: int = 1) -> str:
    """Return a refusal as a sentence; `naming` turns a player's id into a name."""
    who = naming(refusal.player) if refusal.player else ""
    text = _TEXTS[refusal.code].format(
        card=refusal.card,
        n=refusal.n,
        low=refusal.low,
        high=refusal.high,
        who=who,
        player=refusal.player,
        choices=refusal.high + 1,
        deck="the deck has" if decks == 1 else f"the {decks} decks have",
    )
    return f"{who}: {text}" if who and refusal.code not in _SELF_TOLD else text


def operation_text(operation: AnyOperation, sheet: Sheet) -> str:
    """Return what someone entered, in words: "33 points for Ben in round 2"."""
    match operation:
        case Enter():
            hands = [f"{show(entry, True)} for {name_of(sheet, player)}" for player, entry in operation.entries.items()]
            return f"{', '.join(hands)} in round {place(sheet, operation.round)}"
        case Remove():
            return f"the removal of round {operation.round + 1}"
        case Rename():
            return f"the name {operation.name}"
        case Add():
            return f"{operation.name} coming late"
        case Away():
            return f"when {name_of(sheet, operation.player)} is away"
        case Target():
            return f"the target {operation.target}"
        case Dealer():
            return f"that {name_of(sheet, operation.player)} deals round {place(sheet, operation.round)}"
        case Stop():
            return "that the match was stopped" if operation.stopped else "that the match goes on"
        case Live():
            return step_words(operation.step, sheet)
        case Mend():
            return "the mending of a card"
    return "an entry"


def place(sheet: Sheet, number: int) -> int:
    """Return the place on the sheet, from 1, of a round with that number."""
    return 1 + sum(played.number < number for played in sheet.rounds)


def step_words(step: Step, sheet: Sheet) -> str:
    """Return a step of a live round in words."""
    who = name_of(sheet, step.player)
    told = {
        "card": f"{step.card} for {who}",
        "stay": f"that {who} stayed",
        "give": f"the card for {name_of(sheet, step.to)}",
        "shuffle": "the reshuffle",
        "lost": f"that {step.card} was lost",
        "leave": f"that {who} left",
        "pick": "a decision",
    }
    return told[step.do]


def conflict_text(conflict: Conflict, sheet: Sheet, naming: Naming) -> str:
    """Return what devices disagree on, in words."""
    number = (conflict.round or 0) + 1
    name = sheet.players[conflict.seat].name if conflict.seat is not None else ""
    told = ", ".join(show(value) for value in conflict.choices)
    about = {
        "entry": f"{name} in round {number}",
        "name": f"the name of {name}",
        "away": f"when {name} is away",
        "target": "the target",
        "dealer": "who deals",
        "stop": "whether the match was stopped",
        "step": f"what happened in round {number}",
    }
    if conflict.kind in about:
        return f"two devices disagree on {about[conflict.kind]}: {told}"
    if conflict.kind == "mend":
        return f"two devices mended a card of round {number} differently"
    if conflict.kind == "live":
        return f"round {number} was entered while it was followed card by card elsewhere"
    if conflict.kind == "crowd":
        return f"{told} is one too many: at most {SEATS} can play"
    if conflict.kind == "incomplete":
        return f"round {number} is not complete, so {told} later ones do not count yet"
    assert conflict.refusal is not None
    return f"round {number} cannot be: {refusal_text(conflict.refusal, naming)}"


def show(value: object, points: bool = False) -> str:
    """Return an entry or another value as people read it."""
    if isinstance(value, Step):
        return f"{value.do} {value.card or value.to}".strip()
    if isinstance(value, list | tuple):
        return " ".join(str(part) for part in value) or "no cards"
    return f"{value} points" if points and isinstance(value, int) else str(value)
