"""`Scene`: what is on show at a table, moved on event by event from what a server or a game of one's own tells.

All of it is bookkeeping: which card lies where, which points were counted. A step gives points only for its end;
`_due` finds the hands whose cards are those on show.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from flip7 import Card
from flip7.game import events as ev
from flip7.game.events import Hand
from flip7.protocol.messages import Ask, GameState, GameView, Step

LOG_LENGTH = 400


class SeatScene:
    """One seat as it is on show."""

    def __init__(self, hand: Hand) -> None:
        self.total = hand.total
        self.flips: int | None = None
        """How many cards are still to be flipped, while a Flip Three is on."""
        self.take(hand)

    def take(self, hand: Hand) -> None:
        """Show a hand, but not its total: that changes when the round is scored."""
        self.cards = list(hand.cards)
        self.status = hand.status
        self.numbers = hand.numbers
        self.doubled = hand.doubled
        self.bonus = hand.bonus
        self.flip7 = hand.flip7
        self.points = hand.points

    def clear(self) -> None:
        """Begin a round."""
        self.take(Hand(0, "active", (), 0, False, 0, 0, 0, self.total))
        self.flips = None

    @property
    def line(self) -> list[Card]:
        """The numbers in front of the seat."""
        return [card for card in self.cards if is_number(card)]

    @property
    def twin(self) -> Card | None:
        """The number that busted the seat, if one did."""
        line = self.line
        return (
            next((card for i, card in enumerate(line) if card in line[:i]), None) if self.status == "busted" else None
        )


class Line(NamedTuple):
    """One event of the log, with what it takes to put it into words."""

    event: ev.Event
    points: int
    """What its seat had when it happened."""
    away: bool
    """Whether the choice was made for a player who was away."""


def lines_of(events: Sequence[ev.Event]) -> list[Line]:
    """Return the lines of rounds that were played here to their ends."""
    lines: list[Line] = []
    scored: dict[int, int] = {}
    for event in reversed(events):
        if isinstance(event, ev.RoundScored):
            scored = {hand.seat: hand.points for hand in event.hands}
        lines.append(Line(event, scored.get(event.seat, 0) if event.seat is not None else 0, False))
    return lines[::-1]


class Scene:
    """A table on show: begins with a whole state, goes on event by event."""

    def __init__(self, view: GameView) -> None:
        self.log: list[Line] = []
        self.reset(view)

    def reset(self, view: GameView) -> None:
        """Show a whole state at once."""
        self.game = view.id
        self.names = view.names
        self.target = view.target
        self.cards = view.cards
        self.seats = [SeatScene(hand) for hand in view.hands]
        self.shown: tuple[Card, int] | None = None
        """The card that is being turned or handed out, and whose it is."""
        self.scored: tuple[Hand, ...] | None = None
        """The hands of the round that has just been scored."""
        self.rounds = [tuple(scores) for scores in view.rounds]
        self.playoffs = view.playoffs
        self._reach(view)
        self.log = []
        for event in view.recent:
            self._note(event, False)

    def _reach(self, state: GameState) -> None:
        self.state = state
        """The state that was told last. What events move on from there is here as well, under the same name."""
        self.round = state.round
        self.dealer = state.dealer
        self.deck = state.deck
        self.discard = state.discard
        self.pending = list(state.pending)
        self.ask: Ask | None = state.ask
        self.winner = state.winner

    def recall(self, lines: Sequence[Line]) -> None:
        """Put those of the lines before the log that are of earlier rounds."""
        begun = (
            place
            for place, (event, *_) in enumerate(lines)
            if isinstance(event, ev.RoundStarted) and event.round >= self.round
        )
        self.log[:0] = lines[: next(begun, len(lines))]
        del self.log[:-LOG_LENGTH]

    def play(self, step: Step, index: int) -> ev.Event:
        """Move on by one event of a step; returns it."""
        event = step.events[index]
        self.ask = None
        self._change(event)
        self._note(event, step.by == "away")
        if not isinstance(event, ev.RoundScored):
            for hand in _due(step, index):
                seat = self.seats[hand.seat]
                if hand.status == seat.status and sorted(hand.cards) == sorted(seat.cards):
                    seat.take(hand)
        return event

    def settle(self, step: Step) -> None:
        """End a step: from here on the scene is exactly what was told, and the question is open."""
        for hand in step.hands:
            seat = self.seats[hand.seat]
            seat.take(hand)
            seat.total = hand.total
            seat.flips = None
        self._reach(step)
        if step.ask is None or step.ask.kind != "target":
            self.shown = None

    def totals(self) -> list[list[int]]:
        """Return every seat's total after each round, from 0 on."""
        return [
            [sum(scores[seat] for scores in self.rounds[:count]) for count in range(len(self.rounds) + 1)]
            for seat in range(len(self.seats))
        ]

    def _note(self, event: ev.Event, away: bool) -> None:
        points = self.seats[event.seat].points if event.seat is not None else 0
        self.log.append(Line(event, points, away))
        del self.log[:-LOG_LENGTH]

    def _change(self, event: ev.Event) -> None:
        seat = self.seats[event.seat] if event.seat is not None else None
        card = event.card
        match event:
            case ev.RoundStarted():
                self._begin(event)
            case ev.DeckReshuffled():
                self.deck, self.discard = event.cards, 0
            case ev.CardFlipped() if card and seat and event.seat is not None:
                self.deck = max(0, self.deck - 1)
                self.shown = (card, event.seat)
                seat.flips = event.flips_left if event.ruling == "F3-1" and event.flips_left else None
            case ev.CardPlaced() if card and seat:
                self._lift(card)
                seat.cards.append(card)
            case ev.PlayerBusted() if card and seat:
                self._lift(card)
                seat.cards.append(card)
                seat.status, seat.flips, seat.points = "busted", None, 0
            case ev.CardSetAside() if card:
                self.shown = None
                self.pending.append(card)
            case ev.CardDiscarded() if card:
                self._discard(card, seat)
            case ev.SecondChancePassed() if card:
                self._lift(card)
                self.seats[event.to].cards.append(card)
            case ev.CardHandedOut() if card:
                self.shown = (card, event.to)
                _drop(self.pending, card)
            case ev.PlayerStayed() if seat:
                seat.status = "stayed"
            case ev.PlayerFrozen() if seat:
                seat.status = "frozen"
            case ev.PlayerLeft() if seat:
                seat.status = "left"
            case ev.FlipThreeStarted() if seat:
                seat.flips = 3
            case ev.RoundScored():
                self._score(event.hands)
            case ev.PlayoffCalled():
                self.playoffs = event.playoff
            case ev.GameOver():
                self.winner = event.seat

    def _begin(self, event: ev.RoundStarted) -> None:
        self.dealer = event.seat or 0
        self.round = event.round
        self.scored = self.shown = None
        self.pending = []
        for seat in self.seats:
            self.discard += len(seat.cards)
            seat.clear()

    def _discard(self, card: Card, seat: SeatScene | None) -> None:
        self.discard += 1
        if self.shown is not None and self.shown[0] == card:
            self.shown = None
        elif seat is None or not _drop(seat.cards, card):
            _drop(self.pending, card)

    def _score(self, hands: Sequence[Hand]) -> None:
        self.scored = tuple(hands)
        self.shown = None
        self.pending = []
        self.rounds.append(tuple(hand.points for hand in hands))
        for hand in hands:
            seat = self.seats[hand.seat]
            seat.take(hand)
            seat.total = hand.total
            seat.flips = None

    def _lift(self, card: Card) -> None:
        """A card leaves the stage, or those set aside, for its place."""
        if self.shown is not None and self.shown[0] == card:
            self.shown = None
        else:
            _drop(self.pending, card)


def is_number(card: Card) -> bool:
    """Return whether a card is one of the numbers 0 to 12."""
    return card[0].isdigit()


def _due(step: Step, index: int) -> Sequence[Hand]:
    """Return the hands that a step gives next after an event: those of a scored round, or of its end."""
    for event in step.events[index:]:
        if isinstance(event, ev.RoundScored):
            return event.hands
    return step.hands


def _drop(cards: list[Card], card: Card) -> bool:
    for i in range(len(cards) - 1, -1, -1):
        if cards[i] == card:
            del cards[i]
            return True
    return False
