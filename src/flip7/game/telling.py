"""A game told in words: events become one line a turn, hands and scores become tables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

from flip7.catalogue import Texts, texts
from flip7.game import events as ev
from flip7.game.layout import columns, ledger, pad, shorten, table, visible, wrapped
from flip7.game.rulebook import CARD_ENTRIES, card_entries
from flip7.rules.cards import FREEZE, TWELVE, Card

NAMES = {entry.card: entry.name for entry in CARD_ENTRIES}
"""What every card is called in English."""
_SILENT = (ev.CardPlaced, ev.GameOver, ev.FlipThreeStarted)
"""What other words tell: those of the card, of the result, of the cards that are flipped."""


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
    """Tells what happened at one table, in a language of the catalogue. `rulings` adds which ruling decided.

    `you` is the seat that is spoken to; without it, that of a player who is called "You", if there is one.
    """

    def __init__(
        self,
        players: Sequence[str],
        style: Plain,
        *,
        you: int | None = None,
        rulings: bool = False,
        language: str = "en",
    ) -> None:
        """The names are as the players sit."""
        self.say = texts(language, "lines")
        self.cards = {entry.card: entry.name for entry in card_entries(language)}
        self.names = [shorten(style.shown(name)) for name in players]
        if you is None:
            you = addressed(players)
        if you is not None:
            self.names[you] = self.say("you")
        self.style = style
        self.you = you
        """The seat that is spoken to."""
        self._rulings = rulings
        self._asked = False  # the next card is a hit
        self._offered = False  # the last event was a card, which may go to someone at once

    @property
    def margin(self) -> int:
        """How wide the column of names is."""
        return max(columns(name) for name in self.names)

    def story(self, events: Iterable[ev.Event]) -> Iterator[str]:
        """Yield everything about the events: their turns, and around them who deals, the scores and playoffs."""
        turns: list[ev.Event] = []
        for event in events:
            if isinstance(event, ev.RoundStarted | ev.RoundScored | ev.PlayoffCalled):
                yield from self.lines(turns)
                turns = []
            else:
                turns.append(event)
            if isinstance(event, ev.RoundStarted) and event.seat is not None:
                yield ""
                dealer = self._of("tell.deals", event.seat, name=self.names[event.seat])
                yield f"{self.style.bold(self.say('tell.round', n=event.round))} · {dealer}"
            elif isinstance(event, ev.RoundScored):
                yield ""
                yield from self.hands(event)
            elif isinstance(event, ev.PlayoffCalled):
                shared = self.style.warm(self.say("tell.playoff"))
                yield from wrapped(shared, self.style.columns, first="  ")
        yield from self.lines(turns)

    def lines(self, events: Iterable[ev.Event]) -> Iterator[str]:
        """Yield one line for each turn. A turn that was interrupted by a question goes on with an indented line."""
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
        """Yield the clauses of a turn on one line, or on several where the terminal is too narrow."""
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
        """Yield a line that begins with a name or the margin, on several lines if it has to be."""
        if visible(line) <= self.style.columns:
            yield line
            return
        start = len(line) - len(line.lstrip(" "))
        yield from wrapped(line, self.style.columns, first=" " * start, rest=" " * max(start, 8))

    def _tell(self, event: ev.Event) -> tuple[int | None, str]:
        """Return the words for an event, and the seat if they begin a new line."""
        if isinstance(event, _SILENT):
            return None, ""
        if isinstance(event, ev.PlayerHit):
            self._asked = True
            return None, ""
        if isinstance(event, ev.CardFlipped):
            return self._tell_card(event)
        if isinstance(event, ev.PlayerStayed):
            return event.seat, self._of("tell.stays", event.seat)
        if isinstance(event, ev.PlayerLeft):
            return event.seat, self._of("tell.out", event.seat)
        return None, self._consequence(event)

    def _tell_card(self, event: ev.CardFlipped) -> tuple[int | None, str]:
        card = self.card(event.card)
        if event.ruling == "F3-1":
            return None, f", {card}" if event.flips_left < 2 else self._about("tell.flips", event.seat, card=card)
        asked, self._asked = self._asked, False
        how = "hits" if asked else "dealt" if event.ruling == "DEAL-1" else "must"
        return event.seat, self._of(f"tell.{how}", event.seat, card=card)

    def _consequence(self, event: ev.Event) -> str:
        style, say = self.style, self.say
        card = self.cards[event.card] if event.card is not None else ""
        match event:
            case ev.DeckReshuffled():
                return self._noted(style.dim(say("tell.reshuffled", n=event.cards)), event)
            case ev.PlayerSaved():
                return self._noted(f", {style.warm(say('tell.saved'))}", event)
            case ev.PlayerBusted():
                return self._noted(f", {style.bad(say('tell.bust'))}", event)
            case ev.CardSetAside():
                return f" ({say('tell.aside')})"
            case ev.CardHandedOut() | ev.SecondChancePassed():
                to = self._receiver(event.seat, event.to)
                given = f", {say('tell.for', to=to)}" if self._offered else say("tell.given", card=card, to=to)
                return self._noted(given, event)
            case ev.CardDiscarded() if event.ruling != "SC-2":
                return self._noted(style.dim(say("tell.discarded", card=card)), event)
            case ev.PlayerFrozen():
                return self._noted(style.cold(self._about("tell.frozen", event.seat, n=event.points)), event)
            case ev.Flip7Made():
                return self._noted(f", {style.warm(say('tell.flip7'))}", event)
            case ev.RoundEnded() if event.ruling in ("DECK-3", "DECK-4"):
                return self._noted(say("tell.nocard"), event)
            case ev.CardMisdealt(seat=int(seat)):
                told = say("tell.misdealt", card=card, name=self.names[seat], due=self.names[event.due])
                return self._noted(style.cold(told), event)
            case ev.CardAdded():
                return self._noted(style.cold(say("tell.added", card=card)), event)
            case ev.CardLost():
                return self._noted(style.cold(say("tell.lost", card=card)), event)
        return ""

    def _noted(self, words: str, event: ev.Event) -> str:
        """Return the words with their ruling, if rulings are wanted."""
        return f"{words} {self.style.dim(f'[{event.ruling}]')}" if self._rulings and event.ruling else words

    def _of(self, key: str, seat: int | None, **values: object) -> str:
        """Return what a seat does, as it is said after its name: differently to the one who is spoken to."""
        return self.say(f"{key}.you" if seat == self.you else key, **values)

    def _about(self, key: str, seat: int | None, **values: object) -> str:
        """Return what a seat does, with its name."""
        return self._of(key, seat, name=self.names[seat] if seat is not None else "", **values)

    def _receiver(self, giver: int | None, seat: int) -> str:
        if giver == seat:
            return self._of("tell.self", seat)
        return self.say("tell.to.you") if seat == self.you else self.names[seat]

    def card(self, card: Card | None) -> str:
        """Return a card's name in its colour."""
        return paint(card, self.style, self.cards[card]) if card is not None else ""

    def hands(self, event: ev.RoundScored) -> Iterator[str]:
        """Yield the table of a finished round: everyone's cards, how the points add up, the total."""
        say = self.say
        rows = [["", say("head.cards"), "", say("head.points"), say("head.total")]]
        for hand in event.hands:
            name = self.names[hand.seat]
            rows.append(
                [
                    name,
                    " ".join(self.cards[card] for card in hand.cards) or "-",
                    outcome(hand, say),
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


def outcome(hand: ev.Hand, say: Texts) -> str:
    """Return how a hand came to its points, in a few words of the chapter `lines`."""
    status = say(f"tell.status.{hand.status}")
    if hand.status == "busted":
        return status
    parts = f"{hand.numbers}{' ×2' if hand.doubled else ''}"
    parts += f" +{hand.bonus}" if hand.bonus else ""
    parts += f" {say('tell.flip7.points', n=hand.flip7)}" if hand.flip7 else ""
    plain = parts == str(hand.points)
    return f"{status}{'' if plain else ': ' + parts}"


def scores(names: Sequence[str], rounds: list[list[int]], room: int, language: str = "en") -> Iterator[str]:
    """Yield the table of a whole game: a row for each player, best first, a column for each round."""
    say = texts(language, "lines")
    heading, total = say("head.round"), say("head.total")
    totals = [sum(column) for column in zip(*rounds, strict=True)] if rounds else [0] * len(names)
    order = sorted(range(len(names)), key=lambda seat: -totals[seat])
    each = max([len(str(len(rounds))), *(len(str(points)) for scores_ in rounds for points in scores_)])
    fit = max(1, (room - max(columns(name) for name in [*names, heading]) - columns(f"  {total}")) // (each + 2))
    for start in range(0, max(1, len(rounds)), fit):
        part = rounds[start : start + fit]
        last = start + fit >= len(rounds)
        rows = [[heading, *(str(start + i + 1) for i in range(len(part))), *([total] if last else [])]]
        rows += [
            [names[seat], *(str(scores_[seat]) for scores_ in part), *([str(totals[seat])] if last else [])]
            for seat in order
        ]
        yield from table(rows, right=range(1, len(rows[0])))
        if not last:
            yield ""


def paint(card: Card, style: Plain, name: str = "") -> str:
    """Return a card's name, in English unless another is given, in its colour."""
    name = name or NAMES[card]
    if card == Card.SECOND:
        return style.warm(name)
    if card.face >= FREEZE:
        return style.cold(name)
    return style.good(name) if card.face > TWELVE else name
