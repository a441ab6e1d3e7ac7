"""The rules in words: every ruling and every card, for people who look something up."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

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


_TEXTS = """\
# Setup
SET-1 (book)
    A deck is 94 cards. 79 of them are numbers: twelve 12s, eleven 11s and so on down to one 1, and one 0. Six
    are modifiers, one each of +2, +4, +6, +8, +10 and ×2. Nine are action cards, three each of Freeze, Flip
    Three and Second Chance.
SET-2 (book; the limit ours)
    The game is meant for three players and up. From the 19th player on, two decks (188 cards) are shuffled
    together. More than 36 cannot play.
SET-3 (book)
    Fewer than three may play as well; SOLO-1 gives them a challenge.
SET-4 (book)
    Somebody deals the first round. Seats count clockwise from 0, and the seat to the left of another is the one
    after it.
SET-5 (ours)
    The deal and every lap of questions begin with the seat to the dealer's left, so the dealer comes last. With
    `first="dealer"` the dealer comes first.

# The deal
DEAL-1 (book)
    A round opens with one card, face up, for each seat in turn order, the dealer's too.
DEAL-2 (book, faq)
    When the dealt card is an action card, the deal waits until it and all that follows from it is over, then
    goes on with the next seat. Whoever was dealt the action card gets no replacement, even with an empty place.
DEAL-3 (faq)
    Such a card can also hit a seat that the deal has not reached. Frozen there, it leaves the round with 0
    points and no card.
DEAL-4 (faq; for a passed Second Chance ours)
    If the deal comes to a seat that already has something in front of it, that seat chooses between hit and
    stay instead.
DEAL-5 (ours)
    Seven different numbers end the round even while the deal is going on.

# Turns
TURN-1 (book, faq)
    With the deal done, the question goes round in turn order, lap after lap, to all who are still active: who
    have not busted, stayed or been frozen. It reaches each of them and nobody else.
TURN-2 (book)
    Staying banks the points and ends the round for that seat. One card of whatever kind must lie there, and an
    action card received counts; an empty place has to hit.
TURN-3 (book, faq)
    A hit brings a single card. All its consequences come before anybody is asked again.
TURN-4 (faq)
    After a chain of action cards the question passes to the active seat following the one that turned up the
    first of them, wherever the chain ended.

# Numbers
NUM-1 (book)
    A new number is added to the seat's line.
NUM-2 (book)
    A number that is in the line already is a bust: no points, no further part in this round. Its cards lie
    there until the end.
NUM-3 (book, faq)
    Seven different numbers in one line are a Flip 7. The round stops for all at that very card; what was
    pending lapses.
NUM-4 (book)
    The 0 brings no points but is one of the seven like every other number.

# Modifiers
MOD-1 (book)
    Modifiers lie apart from the line. They cannot bust and are not among the seven.

# Action cards
ACT-1 (book)
    A Freeze or Flip Three goes to an active player picked by the one who turned it up, who may pick themselves.
ACT-2 (book, faq)
    The last active player has to take it.
ACT-3 (book, faq)
    It stays in front of whoever received it for the rest of the round. If it cannot do anything, it is
    discarded.
ACT-4 (ours)
    Until an action card takes effect, it lies in front of nobody, so it neither allows a stay nor replaces a
    deal.

# Freeze
FRZ-1 (book, faq)
    Whoever receives a Freeze keeps their points and is out of the round.

# Flip Three
F3-1 (book, faq)
    Whoever receives it turns up three cards, one after the other. Each counts, whatever it is, and so does a
    duplicate that a Second Chance takes away.
F3-2 (book, faq)
    A bust or a Flip 7 cuts the three short.
F3-3 (faq)
    Freezes and Flip Threes that come up among the three wait at the side. A bust discards those of this Flip
    Three; what an outer one has handed out still happens. A Flip 7 discards everything.
F3-4 (faq)
    When all three are turned up, the same player deals out the waiting cards, first come first, to active
    players of their choice; one player may get several. All are assigned before any works.
F3-5 (faq; after a bust ours)
    They work in the order of assignment. If the receiver has dropped out meanwhile, the card is discarded.
F3-6 (faq)
    A Second Chance does not wait: it is kept or given away on the spot and already protects during the same
    three.
F3-7 (faq, read strictly)
    A Flip Three within a Flip Three is played out in full, with whatever it sets aside, before the remaining
    cards of the outer one.

# Second Chance
SC-1 (book)
    The first one a player gets lies in front of them.
SC-2 (book)
    It prevents the next bust of its owner without being asked: duplicate and Second Chance are both discarded.
SC-3 (faq)
    On a turn that is all for this time. During a Flip Three the remaining cards follow.
SC-4 (book, faq)
    Nobody holds two. The second goes to another active player who has none, as the finder chooses; if there is
    no such player, to the discard pile.
SC-5 (book)
    It does not outlast the round.

# End of the round
END-1 (book)
    A round is over as soon as no one is active any more or someone makes a Flip 7.
END-2 (ours)
    A Flip 7 lets all others score too, even in mid-turn, unless they have busted.
SCORE-1 (book, faq; two decks ours)
    The numbers are added up, ×2 doubles that sum, then each +N is added, then 15 for a Flip 7. A bust scores 0.
    Two ×2 in one hand, possible with two decks, still only double.
SCORE-2 (book)
    A +N scores even without numbers; a ×2 without numbers doubles nothing.
END-3 (book)
    What lies on the table is discarded and stays out; the next round draws from the rest of the deck. The deal
    moves one seat to the left. Cards of players who are out remain public.

# The deck running out
DECK-1 (book; the moment ours)
    The discards are shuffled into a new deck at the moment a card is due and none is left, even within a Flip
    Three, and not before.
DECK-2 (book; waiting cards ours)
    Only discards are shuffled: no card in front of a player, busted or not, and no card that waits for its
    effect.
DECK-3 (ours)
    Should there be no discards either, the round is over on the spot. Waiting cards lapse, and all who have not
    busted score.
DECK-4 (ours)
    A guard against endless rounds. Reshuffles are counted, and the count restarts at 0 with the round, with
    every stay and with every card laid down that is not a Second Chance. Once it stands at ten, the next
    reshuffle that would be due ends the round like DECK-3.

# End of the game
GAME-1 (book)
    Once a round leaves somebody at the target (200 by default) or above, the highest total wins.
GAME-2 (faq, scorecard)
    A shared highest total means a playoff: one more round for the whole table, and another, until somebody
    leads alone. It need not be one of those who tied. Records count the playoff rounds.

# One or two players
SOLO-1 (book)
    Nothing changes for one or two, but they have a goal: to see the target reached within four rounds. The
    result says in how many it was, and if that met the challenge.

# Keeping score
KEEP-1 (book, scorecard)
    A round is entered as cards or as points for each player; totals, dealer, target, ties and playoffs are
    worked out by the same rules.
KEEP-2 (scorecard)
    What is kept of a match: its target, the scores of each round, the totals at the end, who won, and playoffs
    if any.
KEEP-3 (ours)
    Who has won is always worked out afresh from the last totals and the target now set. Once there is a winner,
    rounds can be added only after a correction undoes the win.
KEEP-4 (ours)
    Impossible entries are refused: two Flip 7s in a round, more copies of a card than exist, a score that no
    hand adds up to, and scores of one round that cannot do without more copies of a card than exist, such as two
    that both take the only ×2.
KEEP-5 (ours)
    Where a game is followed card by card, what lies on the real table is right. A card dealt to the wrong seat,
    a reshuffle that came too early, a card that was lost or that ought to be gone is noted as a deviation, stays
    visible in the record, and play goes on from there.
KEEP-6 (ours)
    People may stop a match before the target is reached. The record says that it was stopped, and nobody is
    called its winner.
KEEP-7 (ours)
    A player who leaves during a round scores 0 in it, and their cards lie there until it ends. A player who
    joins is dealt in from the following round.

# Choices that are none
CHOICE-1 (ours)
    Nobody is asked when only one answer is legal; it is simply carried out. That holds for choices: where people
    turn real cards, each of them is asked for, even when just one is possible.
"""
"""Every ruling: a line with its id and its source, then its text. A line with # opens a section."""


def _read(texts: str) -> Iterator[Ruling]:
    section = ""
    for block in re.split(r"\n(?=\S)", texts.strip()):
        head, _, text = block.partition("\n")
        if head.startswith("#"):
            section = head.lstrip("# ")
            continue
        id_, _, source = head.partition(" ")
        yield Ruling(id_, section, " ".join(text.split()), source.strip("()"))


RULINGS = tuple(_read(_TEXTS))
"""Every ruling, in the order of `flip7.rules.rulings.IDS`."""

_ACTIONS = {
    Card.FREEZE: CardEntry(
        Card.FREEZE,
        "Freeze",
        "Give it to an active player, yourself included: they keep their points and are out of the round.",
        ("FRZ-1", "ACT-1", "ACT-2", "ACT-3"),
    ),
    Card.FLIP3: CardEntry(
        Card.FLIP3,
        "Flip Three",
        "Give it to an active player, yourself included: they have to turn up three cards.",
        ("F3-1", "F3-2", "F3-3", "F3-4", "F3-5", "F3-6", "F3-7", "ACT-1", "ACT-2"),
    ),
    Card.SECOND: CardEntry(
        Card.SECOND,
        "Second Chance",
        "Keep it: it takes the place of your next bust. If you have one already, somebody without gets it.",
        ("SC-1", "SC-2", "SC-3", "SC-4", "SC-5"),
    ),
}


def _entry(card: Card) -> CardEntry:
    if card.face >= FREEZE:
        return _ACTIONS[card]
    if card.face == X2:
        return CardEntry(card, "×2", "Doubles the sum of your numbers, nothing else.", ("MOD-1", "SCORE-1", "SCORE-2"))
    if card.face > TWELVE:
        text = f"{card[1:]} points more, whatever your numbers are, unless you bust."
        return CardEntry(card, str(card), text, ("MOD-1", "SCORE-1", "SCORE-2"))
    if card.face == 0:
        text = "A number without points; it counts toward the seven of a Flip 7."
        return CardEntry(card, "0", text, ("NUM-4", "NUM-1", "NUM-2", "NUM-3"))
    points = "1 point" if card.face == 1 else f"{card} points"
    return CardEntry(card, str(card), f"A number worth {points}; a second one busts.", ("NUM-1", "NUM-2", "NUM-3"))


CARD_ENTRIES = tuple(_entry(card) for card in CARDS)
"""Every card, as it lies in the box."""


def ruling(id_: str) -> Ruling:
    """The ruling with this id. Raises `KeyError` if there is none."""
    return _BY_ID[id_]


_BY_ID = {ruling.id: ruling for ruling in RULINGS}

_INTRODUCTION = """\
# Rulings

What the rules of Flip 7 are in this project, point by point, in our own words. Every event of a game names the ruling
that decided it, and `flip7 rules WORD` looks them up. The sources: **book** is the rulebook, edition 3.1; **faq** the
publisher's list of edge cases, version 1.4; **ours** a decision of this project where both say nothing. The later
word of the publisher wins: faq over book, book over summaries such as the **scorecard**.

The page is written by `make rulings` from `src/flip7/game/rulebook.py`; change it there.
"""


def page() -> str:
    """The page docs/rulings.md."""
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
