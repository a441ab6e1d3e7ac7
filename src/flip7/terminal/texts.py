"""What is said: the texts of the catalogue in the language that is spoken, and events, cards and chances in words."""

from __future__ import annotations

from collections.abc import Sequence

from flip7 import Card
from flip7.catalogue import Chapter, texts
from flip7.game import events as ev
from flip7.protocol.codes import MEANINGS
from flip7.protocol.messages import TargetLabel
from flip7.protocol.scene import Line, SeatScene

SPECIALS = (Card.FREEZE, Card.FLIP3, Card.SECOND)


ORDER: tuple[Chapter, ...] = ("terminal", "play", "score", "extra", "lines")


class Words:
    """The texts of one language."""

    def __init__(self, language: str) -> None:
        self.language = language
        self._chapters = [texts(language, chapter) for chapter in ORDER]

    def __call__(self, key: str, **values: object) -> str:
        """Return the text of a key; where chapters share one, that of the terminal comes first, then the game's."""
        for chapter in self._chapters:
            if key in chapter:
                return chapter(key, **values)
        raise KeyError(f"there is no text {key!r}")

    def has(self, key: str) -> bool:
        """Return whether there is a text for a key."""
        return any(key in chapter for chapter in self._chapters)

    def percent(self, share: float) -> str:
        """Return a share as a whole percentage, as the language writes it."""
        space = "" if self.language == "en" else "\N{NO-BREAK SPACE}"
        return f"{round(100 * share)}{space}%"

    def card(self, card: Card) -> str:
        """Return what a card is called."""
        return self(f"card.{card}") if card in SPECIALS else mark(card)

    def bust(self, chance: float) -> str:
        """Return a chance of busting in plain words."""
        if chance <= 0:
            return self("table.bust.none")
        if 1 / chance >= 1.8:
            return self("table.bust.one", n=round(1 / chance))
        return self("table.bust.many", n=self.percent(chance))

    def target(self, label: TargetLabel) -> str:
        """Return what a card would do to a possible target."""
        if label.points is not None:
            return self("table.label.bank", n=label.points)
        if label.bust is not None:
            return self("table.label.bust", n=self.percent(label.bust))
        return self("table.label.give")

    def refusal(self, code: str, text: str) -> str:
        """Return why something was refused; an unknown reason in the server's words."""
        if code in MEANINGS or code == "network":
            return self(f"error.{code}")
        return self("error.other", text=text)

    def line(self, line: Line, names: Sequence[str]) -> str | None:
        """Return a line of the log, or `None` for an event that another line tells already."""
        told = self.event(line.event, names, line.points)
        return f"{told} {self('log.away')}" if told and line.away else told

    def event(self, event: ev.Event, names: Sequence[str], points: int = 0) -> str | None:
        """Return an event in words; `points` is what its seat had."""
        key = f"log.{event.kind}"
        values: dict[str, object] = {
            "name": names[event.seat] if event.seat is not None else "",
            "card": self.card(event.card) if event.card else "",
        }
        match event:
            case ev.PlayerHit() | ev.CardPlaced():
                return None
            case ev.CardDiscarded() if event.ruling == "SC-2":
                return None
            case ev.RoundStarted():
                values["n"] = event.round
            case ev.CardMisdealt():
                values["due"] = names[event.due]
            case ev.DeckReshuffled():
                key = "log.reshuffled_early" if (event.ruling or "").startswith("KEEP") else key
                values["n"] = event.cards
            case ev.CardFlipped():
                how = {"DEAL-1": "dealt", "F3-1": "flips"}
                key = f"log.{how.get(event.ruling or '', 'hits')}"
            case ev.PlayerStayed():
                values["n"] = points
            case ev.PlayerFrozen():
                values["n"] = event.points
            case ev.CardHandedOut() | ev.SecondChancePassed():
                key = "log.card_kept" if event.kind == "card_handed_out" and event.to == event.seat else key
                values["to"] = names[event.to]
            case ev.RoundEnded() if (event.ruling or "").startswith("DECK"):
                key = "log.round_ended.deck"
            case ev.RoundScored():
                scores = (f"{names[hand.seat]} +{hand.points} ({hand.total})" for hand in event.hands)
                values["list"] = ", ".join(scores)
        return self(key, **values)


def mark(card: Card) -> str:
    """Return the mark of a number or a modifier as it is set on the card."""
    return card.replace("x", "×")


def total_of(seat: SeatScene) -> str:
    """Return how the points of a hand add up, such as `22 ×2 +4`; empty while there is nothing to add."""
    parts = [str(seat.numbers)]
    parts += ["×2"] if seat.doubled else []
    parts += [f"+{added}" for added in (seat.bonus, seat.flip7) if added]
    return " ".join(parts) if len(parts) > 1 else ""
