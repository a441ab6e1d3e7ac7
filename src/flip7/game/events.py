"""Events: what happened at a table, in the past tense, one for every visible change."""

from __future__ import annotations

import re
from collections.abc import Callable

import msgspec

from flip7.rules import log
from flip7.rules.cards import CARDS, FACES, TWELVE, X2, Card
from flip7.rules.rulings import IDS
from flip7.rules.scoring import BONUS, FLIP7, points
from flip7.rules.table import ACTIVE, BUSTED, FROZEN, LEFT, STAYED, Table

STATUSES = {ACTIVE: "active", STAYED: "stayed", FROZEN: "frozen", BUSTED: "busted", LEFT: "left"}


def snake(name: str) -> str:
    """Return the name of a type as it is written in data: `RoundScored` is `round_scored`."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


class Event(msgspec.Struct, frozen=True, gc=False, tag_field="kind", tag=snake, omit_defaults=True):
    """Something that happened. `seat`, `card` and `ruling` are `None` where they do not apply."""

    seat: int | None = None
    card: Card | None = None
    ruling: str | None = None

    @property
    def kind(self) -> str:
        """What sort of event it is, as on the wire."""
        return str(self.__struct_config__.tag)


class RoundStarted(Event, frozen=True):
    """A round began; `seat` deals it."""

    round: int = 0


class DeckReshuffled(Event, frozen=True):
    """The discard pile became the draw pile, which now has `cards` cards."""

    cards: int = 0


class PlayerHit(Event, frozen=True):
    """The seat was asked and wants a card."""


class CardFlipped(Event, frozen=True):
    """A card was turned up for `seat`: dealt, hit or forced, as the ruling says. `flips_left` more follow."""

    flips_left: int = 0


class CardPlaced(Event, frozen=True):
    """The card came to lie in front of the seat."""


class PlayerSaved(Event, frozen=True):
    """A Second Chance swallowed the duplicate `card`."""


class PlayerBusted(Event, frozen=True):
    """The duplicate `card` put the seat out of the round."""


class PlayerStayed(Event, frozen=True):
    """The seat left the round with its points."""


class CardSetAside(Event, frozen=True):
    """An action card came up during a Flip Three and waits for its end."""


class CardHandedOut(Event, frozen=True):
    """The seat gave an action card to the seat `to`; it has not taken effect yet."""

    to: int = 0


class SecondChancePassed(Event, frozen=True):
    """The seat had a Second Chance already and gave the new one to the seat `to`."""

    to: int = 0


class CardDiscarded(Event, frozen=True):
    """A card that lay in front of nobody, or a used Second Chance, went to the discard pile."""


class PlayerFrozen(Event, frozen=True):
    """A Freeze banked the seat's `points` and put it out of the round."""

    points: int = 0


class FlipThreeStarted(Event, frozen=True):
    """The seat has to turn up three cards."""


class Flip7Made(Event, frozen=True):
    """The seat's seventh different number ended the round."""


class RoundEnded(Event, frozen=True):
    """No more cards are turned up in this round; the ruling says why."""


class Hand(msgspec.Struct, frozen=True, gc=False):
    """What a seat had at the end of a round, and how its points add up."""

    seat: int
    status: str
    cards: tuple[Card, ...]
    numbers: int
    """The sum of the number cards."""
    doubled: bool
    """Whether a ×2 doubles it."""
    bonus: int
    """What the +N cards add."""
    flip7: int
    """15 for a Flip 7, otherwise 0."""
    points: int
    """What the round brings; 0 if busted."""
    total: int
    """The total after this round."""


class RoundScored(Event, frozen=True):
    """The points of a round were added to the totals."""

    hands: tuple[Hand, ...] = ()


class PlayoffCalled(Event, frozen=True):
    """Several seats share the highest total: everybody plays another round, the `playoff`-th such."""

    playoff: int = 0


class GameOver(Event, frozen=True):
    """The seat has won."""


class PlayerLeft(Event, frozen=True):
    """The seat is not at the table, or left it in the middle of the round: it scores nothing."""


class CardMisdealt(Event, frozen=True):
    """At a real table the card came to `seat`, though it was for the seat `due`."""

    due: int = 0


class CardAdded(Event, frozen=True):
    """At a real table a card came up that should have been gone."""


class CardLost(Event, frozen=True):
    """At a real table a card is gone from the deck for good."""


AnyEvent = (
    RoundStarted
    | DeckReshuffled
    | PlayerHit
    | CardFlipped
    | CardPlaced
    | PlayerSaved
    | PlayerBusted
    | PlayerStayed
    | CardSetAside
    | CardHandedOut
    | SecondChancePassed
    | CardDiscarded
    | PlayerFrozen
    | FlipThreeStarted
    | Flip7Made
    | RoundEnded
    | RoundScored
    | PlayoffCalled
    | GameOver
    | PlayerLeft
    | CardMisdealt
    | CardAdded
    | CardLost
)
"""Every kind of event, for decoders."""

# How an entry of the rules' log becomes an event: those with a second number or seat name it.
_PLAIN: dict[int, type[Event]] = {
    log.PLAYER_HIT: PlayerHit,
    log.CARD_PLACED: CardPlaced,
    log.PLAYER_SAVED: PlayerSaved,
    log.PLAYER_BUSTED: PlayerBusted,
    log.PLAYER_STAYED: PlayerStayed,
    log.CARD_SET_ASIDE: CardSetAside,
    log.CARD_DISCARDED: CardDiscarded,
    log.FLIP_THREE_STARTED: FlipThreeStarted,
    log.FLIP7_MADE: Flip7Made,
    log.ROUND_ENDED: RoundEnded,
    log.GAME_OVER: GameOver,
    log.PLAYER_LEFT: PlayerLeft,
    log.CARD_ADDED: CardAdded,
    log.CARD_LOST: CardLost,
}
_WITH_OTHER: dict[int, Callable[[int | None, Card | None, str | None, int], Event]] = {
    log.ROUND_STARTED: RoundStarted,
    log.DECK_RESHUFFLED: DeckReshuffled,
    log.CARD_FLIPPED: CardFlipped,
    log.CARD_HANDED_OUT: CardHandedOut,
    log.SECOND_CHANCE_PASSED: SecondChancePassed,
    log.PLAYER_FROZEN: PlayerFrozen,
    log.PLAYOFF_CALLED: PlayoffCalled,
    log.CARD_MISDEALT: CardMisdealt,
}


def take_events(table: Table) -> list[Event]:
    """Empty the table's log into events. The table still shows the moment of the last of them."""
    events: list[Event] = []
    for kind, seat_number, face, other, number in table.log:
        seat = seat_number if seat_number >= 0 else None
        card = CARDS[face] if face >= 0 else None
        ruling = IDS[number]
        if kind in _PLAIN:
            events.append(_PLAIN[kind](seat, card, ruling))
        elif kind in _WITH_OTHER:
            events.append(_WITH_OTHER[kind](seat, card, ruling, other))
        else:
            events.append(RoundScored(None, None, ruling, tuple(hand(table, s) for s in range(table.seats))))
    table.log.clear()
    return events


def cards_before(table: Table, seat: int) -> tuple[Card, ...]:
    """Return all cards in front of a seat: its line as turned up, then the others as they lie in the box."""
    counts = table.hands[seat]
    others = tuple(CARDS[face] for face in range(TWELVE + 1, FACES) for _ in range(counts[face]))
    return line(table, seat) + others


def line(table: Table, seat: int) -> tuple[Card, ...]:
    """Return a seat's numbers as they were turned up; the duplicate that busted it comes last."""
    length = table.held[seat] - sum(table.hands[seat][TWELVE + 1 :])
    return tuple(CARDS[face] for face in table.lines[seat][:length])


def hand(table: Table, seat: int) -> Hand:
    """Return what a seat has, and how its points add up."""
    return Hand(
        seat=seat,
        status=STATUSES[table.status[seat]],
        cards=cards_before(table, seat),
        numbers=table.sums[seat],
        doubled=table.hands[seat][X2] > 0,
        bonus=table.bonuses[seat],
        flip7=BONUS if table.different[seat] >= FLIP7 else 0,
        points=points(table, seat),
        total=table.totals[seat],
    )
