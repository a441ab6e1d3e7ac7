"""A game told in words: events become one line a turn, hands and scores become tables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

from flip7.game import events as ev
from flip7.game.layout import columns, count, ledger, pad, shorten, table, visible, wrapped
from flip7.game.rulebook import CARD_ENTRIES
from flip7.rules.cards import FREEZE, TWELVE, Card

NAMES = {entry.card: entry.name for entry in CARD_ENTRIES}
_SILENT = (ev.CardPlaced, ev.GameOver)


Mark = Literal["bold", "dim", "good", "bad", "cold", "warm"]
"""What a word is about: it stands out, steps back, is good, bad, a Freeze or something to notice, or luck."""


class Plain:
    """How words are marked, here not at all: whoever can show colours overrides `mark`."""

    columns = 10_000
    """How wide a line may be."""

    def shown(self, name: str) -> str:
        """Return a name as it will be seen."""
        return name

    def mark(self, kind: Mark, text: str) -> str:
        """Return the text, marked."""
        return text

    def bold(self, text: str) -> str:
        """Return text that stands out."""
        return self.mark("bold", text)

    def dim(self, text: str) -> str:
        """Return text that steps back."""
        return self.mark("dim", text)

    def good(self, text: str) -> str:
        """Return text about something good."""
        return self.mark("good", text)

    def bad(self, text: str) -> str:
        """Return text about something bad."""
        return self.mark("bad", text)

    def cold(self, text: str) -> str:
        """Return text about a Freeze, and other things to notice."""
        return self.mark("cold", text)

    def warm(self, text: str) -> str:
        """Return text about luck: Second Chance, Flip 7."""
        return self.mark("warm", text)


class Teller:
    """Tells what happened at one table. `rulings` adds which ruling decided.

    `you` is the seat that is spoken to; without it, that of a player who is called "You", if there is one.
    """

    def __init__(self, players: Sequence[str], style: Plain, *, you: int | None = None, rulings: bool = False) -> None:
        """The names are as the players sit."""
        self.names = [shorten(style.shown(name)) for name in players]
        if you is None:
            you = addressed(players)
        if you is not None:
            self.names[you] = "You"
        self.style = style
        self._you = you
        self._rulings = rulings
        self._asked = False  # the next card is a hit
        self._offered = False  # the last event was a card, which may go to somebody at once

    @property
    def margin(self) -> int:
        """How wide the column of names is."""
        return max(columns(name) for name in self.names)

    def story(self, events: Iterable[ev.Event]) -> Iterator[str]:
        """Everything about the events: their turns, and around them who deals, the scores and playoffs."""
        turns: list[ev.Event] = []
        for event in events:
            if isinstance(event, ev.RoundStarted | ev.RoundScored | ev.PlayoffCalled):
                yield from self.lines(turns)
                turns = []
            else:
                turns.append(event)
            if isinstance(event, ev.RoundStarted) and event.seat is not None:
                yield ""
                dealer = f"{self.names[event.seat]} {self._do(event.seat, 'deal')}"
                yield f"{self.style.bold(f'Round {event.round}')} · {dealer}"
            elif isinstance(event, ev.RoundScored):
                yield ""
                yield from self.hands(event)
            elif isinstance(event, ev.PlayoffCalled):
                shared = self.style.warm("The highest total is shared: everybody plays another round.")
                yield from wrapped(shared, self.style.columns, first="  ")
        yield from self.lines(turns)

    def lines(self, events: Iterable[ev.Event]) -> Iterator[str]:
        """One line for each turn. A turn that was interrupted by a question goes on with an indented line."""
        clauses: list[str] = []
        self._offered = False
        for event in events:
            seat, words = self._tell(event)
            self._offered = isinstance(event, ev.CardFlipped)
            if seat is not None:
                yield from self._joined(clauses)
                clauses = [f"  {self.style.bold(pad(self.names[seat], self.margin))}  {words}"]
            elif words.startswith((",", " (")) and clauses:
                clauses[-1] += words
            elif words:
                clauses.append(words if clauses else self._indent + words.removeprefix(", "))
        yield from self._joined(clauses)

    @property
    def _indent(self) -> str:
        return " " * (self.margin + 4)

    def _joined(self, clauses: list[str]) -> Iterator[str]:
        """The clauses of a turn on one line, or on several where the terminal is too narrow."""
        line = ""
        for clause in clauses:
            longer = f"{line}; {clause}" if line else clause
            if line and visible(longer) > self.style.columns:
                yield from self._fitted(f"{line};")
                longer = self._indent + clause
            line = longer
        if line:
            yield from self._fitted(line)

    def _fitted(self, line: str) -> Iterator[str]:
        """A line that begins with a name or the margin, on several lines if it has to be."""
        if visible(line) <= self.style.columns:
            yield line
            return
        start = len(line) - len(line.lstrip(" "))
        yield from wrapped(line, self.style.columns, first=" " * start, rest=" " * max(start, 8))

    def _tell(self, event: ev.Event) -> tuple[int | None, str]:
        """The words for an event, and the seat if they begin a new line."""
        if isinstance(event, _SILENT):
            return None, ""
        if isinstance(event, ev.PlayerHit):
            self._asked = True
            return None, ""
        if isinstance(event, ev.CardFlipped):
            return self._tell_card(event)
        if isinstance(event, ev.PlayerStayed):
            return event.seat, self._do(event.seat, "stay")
        return None, self._consequence(event)

    def _tell_card(self, event: ev.CardFlipped) -> tuple[int | None, str]:
        card = self.card(event.card)
        if event.ruling == "F3-1":
            return None, (
                ", " if event.flips_left < 2 else f"{self._subject(event.seat)} {self._do(event.seat, 'flip')} "
            ) + card
        asked, self._asked = self._asked, False
        if asked:
            return event.seat, f"{self._do(event.seat, 'hit')}: {card}"
        if event.ruling == "DEAL-1":
            return event.seat, f"{'are' if event.seat == self._you else 'is'} dealt {card}"
        return event.seat, f"{self._do(event.seat, 'have', 'has')} no card and must hit: {card}"

    def _consequence(self, event: ev.Event) -> str:
        style = self.style
        seat = self._subject(event.seat) if event.seat is not None else ""
        match event:
            case ev.DeckReshuffled():
                return self._noted(style.dim(f"the discards are shuffled: {event.cards} cards to draw"), event)
            case ev.PlayerSaved():
                return self._noted(f", {style.warm('saved by the Second Chance')}", event)
            case ev.PlayerBusted():
                return self._noted(f", {style.bad('BUST')}", event)
            case ev.CardSetAside():
                return " (set aside)"
            case ev.CardHandedOut() | ev.SecondChancePassed():
                at_once = ", for" if self._offered else f"{NAMES[event.card] if event.card else ''} for"
                return self._noted(f"{at_once} {self._receiver(event.seat, event.to)}", event)
            case ev.CardDiscarded() if event.ruling != "SC-2":
                return self._noted(style.dim(f"{NAMES[event.card] if event.card else ''} discarded"), event)
            case ev.PlayerFrozen():
                verb = "are" if event.seat == self._you else "is"
                return self._noted(style.cold(f"{seat} {verb} frozen with {count(event.points, 'point')}"), event)
            case ev.Flip7Made():
                return self._noted(f", {style.warm('FLIP 7')}", event)
            case ev.RoundEnded() if event.ruling in ("DECK-3", "DECK-4"):
                return self._noted("no card can be drawn: the round is over", event)
        return ""

    def _noted(self, words: str, event: ev.Event) -> str:
        """The words with their ruling, if rulings are wanted."""
        return f"{words} {self.style.dim(f'[{event.ruling}]')}" if self._rulings and event.ruling else words

    def _do(self, seat: int | None, verb: str, third: str = "") -> str:
        return verb if seat == self._you else third or f"{verb}s"

    def _subject(self, seat: int | None) -> str:
        if seat is None:
            return ""
        return "you" if seat == self._you else self.names[seat]

    def _receiver(self, giver: int | None, seat: int) -> str:
        if giver != seat:
            return self._subject(seat)
        return "yourself" if seat == self._you else "themselves"

    def card(self, card: Card | None) -> str:
        """A card's name in its colour."""
        return paint(card, self.style) if card is not None else ""

    def hands(self, event: ev.RoundScored) -> Iterator[str]:
        """The table of a finished round: everyone's cards, how the points add up, the total."""
        rows = [["", "cards", "", "points", "total"]]
        for hand in event.hands:
            name = self.names[hand.seat]
            rows.append(
                [
                    name,
                    " ".join(NAMES[card] for card in hand.cards) or "-",
                    outcome(hand),
                    str(hand.points),
                    str(hand.total),
                ]
            )
        for number, line in ledger(rows, right=(3, 4), below=(1, 2), room=self.style.columns - 2):
            yield f"  {self.style.dim(line) if number == 0 else line}"


def addressed(players: Sequence[str]) -> int | None:
    """Return the seat of the one player who is called "You", or `None`."""
    called = [seat for seat, name in enumerate(players) if name.casefold() == "you"]
    return called[0] if len(called) == 1 else None


def outcome(hand: ev.Hand) -> str:
    """How a hand came to its points, in a few words."""
    if hand.status == "busted":
        return "busted"
    parts = f"{hand.numbers}{' ×2' if hand.doubled else ''}"
    parts += f" +{hand.bonus}" if hand.bonus else ""
    parts += f" +{hand.flip7} for Flip 7" if hand.flip7 else ""
    plain = parts == str(hand.points)
    return f"{hand.status}{'' if plain else ': ' + parts}"


def scores(names: Sequence[str], rounds: list[list[int]], room: int) -> Iterator[str]:
    """The table of a whole game: a row for each player, best first, a column for each round."""
    totals = [sum(column) for column in zip(*rounds, strict=True)] if rounds else [0] * len(names)
    order = sorted(range(len(names)), key=lambda seat: -totals[seat])
    each = max([len(str(len(rounds))), *(len(str(points)) for scores_ in rounds for points in scores_)])
    fit = max(1, (room - max(columns(name) for name in [*names, "round"]) - len("  total")) // (each + 2))
    for start in range(0, max(1, len(rounds)), fit):
        part = rounds[start : start + fit]
        last = start + fit >= len(rounds)
        rows = [["round", *(str(start + i + 1) for i in range(len(part))), *(["total"] if last else [])]]
        rows += [
            [names[seat], *(str(scores_[seat]) for scores_ in part), *([str(totals[seat])] if last else [])]
            for seat in order
        ]
        yield from table(rows, right=range(1, len(rows[0])))
        if not last:
            yield ""


def paint(card: Card, style: Plain) -> str:
    """A card's name in its colour."""
    if card == Card.SECOND:
        return style.warm(NAMES[card])
    if card.face >= FREEZE:
        return style.cold(NAMES[card])
    return style.good(NAMES[card]) if card.face > TWELVE else NAMES[card]
