"""The rules in words: every ruling and every card, for people who look something up."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from flip7.catalogue import Texts, texts
from flip7.rules.cards import CARDS, FREEZE, STANDARD, TWELVE, X2, Card

HOLDS = "holds"
EDITION = 1
"""Raised when a change of the rules can lead a game under way elsewhere; `tests/game/test_edition.py` notices it."""


class Ruling(NamedTuple):
    """One numbered ruling."""

    id: str
    section: str
    text: str
    source: str
    """`book` (rulebook 3.1), `faq` (the publisher's edge cases 1.4) or `ours`, where both are silent."""
    status: str = HOLDS


class CardEntry(NamedTuple):
    """What a card is called and does."""

    card: Card
    name: str
    text: str
    rulings: tuple[str, ...]

    @property
    def copies(self) -> int:
        """How many of it one deck has."""
        return STANDARD[self.card]


_SOURCES = """\
# Setup
SET-1 (book)
SET-2 (book; the limit ours)
SET-3 (book)
SET-4 (book)
SET-5 (ours)

# The deal
DEAL-1 (book)
DEAL-2 (book, faq)
DEAL-3 (faq)
DEAL-4 (faq; for a passed Second Chance ours)
DEAL-5 (ours)

# Turns
TURN-1 (book, faq)
TURN-2 (book)
TURN-3 (book, faq)
TURN-4 (faq)

# Numbers
NUM-1 (book)
NUM-2 (book)
NUM-3 (book, faq)
NUM-4 (book)

# Modifiers
MOD-1 (book)

# Action cards
ACT-1 (book)
ACT-2 (book, faq)
ACT-3 (book, faq)
ACT-4 (ours)

# Freeze
FRZ-1 (book, faq)

# Flip Three
F3-1 (book, faq)
F3-2 (book, faq)
F3-3 (faq)
F3-4 (faq)
F3-5 (faq; after a bust ours)
F3-6 (faq)
F3-7 (faq, read strictly)

# Second Chance
SC-1 (book)
SC-2 (book)
SC-3 (faq)
SC-4 (book, faq)
SC-5 (book)

# End of the round
END-1 (book)
END-2 (ours)
SCORE-1 (book, faq; two decks ours)
SCORE-2 (book)
END-3 (book)

# The deck running out
DECK-1 (book; the moment ours)
DECK-2 (book; waiting cards ours)
DECK-3 (ours)
DECK-4 (ours)

# End of the game
GAME-1 (book)
GAME-2 (faq, scorecard)

# One or two players
SOLO-1 (book)

# Keeping score
KEEP-1 (book, scorecard)
KEEP-2 (scorecard)
KEEP-3 (ours)
KEEP-4 (ours)
KEEP-5 (ours)
KEEP-6 (ours)
KEEP-7 (ours)

# Choices that are none
CHOICE-1 (ours)
"""
"""Every ruling with its source, below the section that it belongs to. Its text is in the catalogue."""


def rulings(language: str = "en") -> tuple[Ruling, ...]:
    """Return every ruling in a language, in the order of `flip7.rules.rulings.IDS`."""
    return tuple(_read(texts(language, "rulings")))


def _read(say: Texts) -> Iterator[Ruling]:
    section = ""
    for line in filter(None, _SOURCES.splitlines()):
        if line.startswith("# "):
            section = say(f"section.{_key(line[2:])}")
            continue
        id_, _, source = line.partition(" ")
        said = re.sub(r"[^;,()]+", lambda part: _spaced(part[0], say), source[1:-1])
        yield Ruling(id_, section, say(id_), said)


def _spaced(part: str, say: Texts) -> str:
    """Return a part of a source in the language that is spoken, with the space before it."""
    words = part.strip()
    return f"{part[: len(part) - len(words)]}{say(f'source.{_key(words)}')}"


def _key(words: str) -> str:
    return re.sub(r"\W+", "_", words.lower())


RULINGS = rulings()
"""Every ruling in English, in the order of `flip7.rules.rulings.IDS`."""

_NUMBERS = ("NUM-1", "NUM-2", "NUM-3")
_MODIFIERS = ("MOD-1", "SCORE-1", "SCORE-2")
_ACTIONS = {
    Card.FREEZE: ("FRZ-1", "ACT-1", "ACT-2", "ACT-3"),
    Card.FLIP3: ("F3-1", "F3-2", "F3-3", "F3-4", "F3-5", "F3-6", "F3-7", "ACT-1", "ACT-2"),
    Card.SECOND: ("SC-1", "SC-2", "SC-3", "SC-4", "SC-5"),
}


def card_entries(language: str = "en") -> tuple[CardEntry, ...]:
    """Return every card in a language, as it lies in the box."""
    return tuple(_entry(card, texts(language, "rulings"), texts(language, "play")) for card in CARDS)


def _entry(card: Card, say: Texts, names: Texts) -> CardEntry:
    if card.face >= FREEZE:
        return CardEntry(card, names(f"card.{card}"), say(f"entry.{card}"), _ACTIONS[card])
    if card.face == X2:
        return CardEntry(card, "×2", say("entry.x2"), _MODIFIERS)
    if card.face > TWELVE:
        return CardEntry(card, str(card), say("entry.modifier", n=card[1:]), _MODIFIERS)
    if card.face == 0:
        return CardEntry(card, "0", say("entry.zero"), ("NUM-4", *_NUMBERS))
    return CardEntry(card, str(card), say("entry.number", n=card.face), _NUMBERS)


CARD_ENTRIES = card_entries()
"""Every card in English, as it lies in the box."""


def ruling(id_: str) -> Ruling:
    """Return the ruling with this id. Raises `KeyError` if there is none."""
    return _BY_ID[id_]


_BY_ID = {ruling.id: ruling for ruling in RULINGS}

_INTRODUCTION = """\
# Rulings

What the rules of Flip 7 are in this project, point by point, in our own words. Every event of a game names the ruling
that decided it, and `flip7 rules WORD` looks them up. The sources: **book** is the rulebook, edition 3.1; **faq** the
publisher's list of edge cases, version 1.4; **ours** a decision of this project where both say nothing. The later
word of the publisher wins: faq over book, book over summaries such as the **scorecard**.

The page is written by `make rulings` from `src/flip7/game/rulebook.py` and the catalogue, `en-rulings.json`; change it
there.
"""


def page() -> str:
    """Return the page docs/rulings.md."""
    parts = [_INTRODUCTION]
    for section in dict.fromkeys(r.section for r in RULINGS):
        rows = [f"| {r.id} | {r.text} | {r.source} | {r.status} |" for r in RULINGS if r.section == section]
        parts.append(
            "\n".join([f"## {section}", "", "| id | ruling | source | status |", "|---|---|---|---|", *rows, ""])
        )
    rows = [f"| `{e.card}` | {e.name} | {e.copies} | {e.text} | {', '.join(e.rulings)} |" for e in CARD_ENTRIES]
    head = ["## The cards", "", "| card | name | in a deck | what it does | rulings |", "|---|---|---|---|---|"]
    parts.append("\n".join([*head, *rows, ""]))
    return "\n".join(parts)
