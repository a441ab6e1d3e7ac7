"""What a match says in the language that is spoken: refusals, what was taken back, and what devices disagree on."""

from __future__ import annotations

from flip7.scorekeeper.errors import MatchError
from flip7.scorekeeper.match import Match
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
    Stored,
    Target,
)
from flip7.scorekeeper.model.refusals import Refusal
from flip7.scorekeeper.model.sheet import Conflict, name_of
from flip7.terminal.texts import Words, mark


def refused(error: MatchError, words: Words, match: Match) -> str:
    """Return why something was refused, in the language that is spoken where it has words for it."""
    if error.refusal is None or not words.has(f"refused.{error.refusal.code}"):
        return str(error)
    return _why(error.refusal, words, match)


def _why(refusal: Refusal, words: Words, match: Match) -> str:
    return words(
        f"refused.{refusal.code}",
        card=words.card(refusal.card) if refusal.card else "",
        name=name_of(match.sheet, refusal.player) if refusal.player else "",
        n=refusal.n,
        low=refusal.low,
        high=refusal.high,
    )


def done(operation: AnyOperation | None, words: Words, match: Match) -> str:
    """Return what was entered."""
    sheet = match.sheet
    match operation:
        case Enter():
            told = (
                words("did.enter", name=name_of(sheet, player), value=value(entry, words))
                for player, entry in operation.entries.items()
            )
            return ", ".join(told)
        case Rename():
            return words("did.rename", name=operation.name)
        case Add():
            return words("did.add", name=operation.name)
        case Away():
            away = any(back is None for _, back in operation.rounds)
            return words("did.left" if away else "did.back", name=name_of(sheet, operation.player))
        case Dealer():
            return words("did.dealer", name=name_of(sheet, operation.player))
        case Target():
            return words("did.target", n=operation.target)
        case Stop():
            return words("did.stop" if operation.stopped else "did.resume")
        case Remove():
            return words("did.remove")
        case Live():
            return _step(operation.step, words, match)
        case Mend():
            steps = ", ".join(_step(step, words, match) for step in operation.steps)
            return words("did.mend", value=steps or words("value.none"))
    return ""


def _step(step: Step, words: Words, match: Match) -> str:
    return words(
        f"step.{step.do}",
        name=name_of(match.sheet, step.player),
        to=name_of(match.sheet, step.to),
        card=mark(step.card) if step.card else "",
    )


def value(entry: Stored, words: Words) -> str:
    """Return a hand as people read it."""
    if entry == "bust":
        return words("value.bust")
    if isinstance(entry, int):
        return words("value.points", n=entry)
    return " ".join(words.card(card) for card in entry) or words("value.none")


def disagreed(conflict: Conflict, words: Words, match: Match) -> str:
    """Return what devices disagree on, or what they entered together cannot be."""
    name = match.sheet.players[conflict.seat].name if conflict.seat is not None else ""
    n = (conflict.round or 0) + 1
    if conflict.kind == "impossible":
        why = _why(conflict.refusal, words, match) if conflict.refusal is not None else ""
        return words("conflict.impossible", n=n, why=why)
    if conflict.kind == "crowd":
        name = str(conflict.choices[0])
    return words(f"conflict.{conflict.kind}", name=name, n=n)


def result(match: Match, words: Words) -> str:
    """Return how a match stands or ended, in one line."""
    if match.stopped:
        return words("stopped.text")
    if match.winner is not None:
        told = f"{words('wins', name=match.players[match.winner])} {words('wins.after', n=len(match.rounds))}"
        if match.playoffs:
            told += f", {words('wins.playoffs', n=len(match.playoffs))}"
        if match.challenge is not None:
            told += f" · {words('challenge.met' if match.challenge else 'challenge.missed', n=len(match.rounds))}"
        return told
    parts = [words("round", n=len(match.rounds) + 1), words("deals", name=match.players[match.dealer])]
    if match.playoff:
        parts.append(words("playoff"))
    parts.append(words("target", n=match.target))
    if match.leader is not None and match.rounds:
        to_go = max(match.target - match.totals[match.leader], 0)
        parts.append(f"{match.players[match.leader]}: {words('togo', n=to_go)}")
    return " · ".join(parts)


def labels(words: Words) -> list[str]:
    """Return what the columns of statistics are called."""
    return [words(f"stats.{key}") for key in ("matches", "wins", "average", "busts", "best", "top")]
