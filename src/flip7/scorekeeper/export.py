"""A match for other programs and for paper: CSV, JSON and PDF."""

from __future__ import annotations

import csv
import io

from flip7.scorekeeper.hands import BUST, Value
from flip7.scorekeeper.match import Match

HEADER = ("round", "dealer", "player", "entry", "points", "total", "playoff", "date", "target")


def length(match: Match) -> str:
    """Return how long a match was, in words: "after 4 rounds, 1 of them a playoff"."""
    rounds, playoffs = len(match.rounds), len(match.playoffs)
    extra = f", {playoffs} of them {'a playoff' if playoffs == 1 else 'playoffs'}" if playoffs else ""
    return f"after {rounds} {'round' if rounds == 1 else 'rounds'}{extra}"


def outcome(match: Match) -> str:
    """Return how a match ended, in words: who won after how many rounds, and the challenge of one or two (SOLO-1)."""
    if match.stopped:
        return f"Stopped {length(match)}, without a winner."
    if match.winner is None:
        return ""
    told = f"{match.players[match.winner]} wins {length(match)}."
    if match.challenge is None:
        return told
    met = "met: the target in fewer than 5 rounds" if match.challenge else "missed: it takes fewer than 5 rounds"
    return f"{told} Challenge {met}."


def to_csv(match: Match) -> str:
    """Return one line for each player and round, with the cards, the points and the running total."""
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(HEADER)
    match_of = (match.date or "", match.target)
    for number, (scores, entries, totals) in enumerate(zip(match.rounds, match.entries, match.history, strict=True)):
        for seat, name in enumerate(match.players):
            if scores[seat] is not None:
                dealer = match.players[match.dealers[number]]
                playoff = "yes" if number in match.playoffs else "no"
                entry = describe(entries[seat])
                row = (number + 1, safe(dealer), safe(name), safe(entry), scores[seat], totals[seat], playoff)
                rows.writerow(row + match_of)
    return text.getvalue()


def describe(value: Value | None) -> str:
    """Return an entry in words: the cards, "points" or "bust"."""
    if value is None:
        return ""
    if value == BUST:
        return BUST
    return "points" if isinstance(value, int) else " ".join(value) or "no cards"


def safe(text: str) -> str:
    """Return a text that no spreadsheet takes for a formula."""
    return f"'{text}" if text[:1] in ("=", "+", "-", "@", "\t", "\r") else text
