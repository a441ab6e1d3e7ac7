"""`Showing`: what the widgets of a table draw from, and the lines that several of them draw alike."""

from __future__ import annotations

from collections.abc import Sequence
from time import monotonic
from typing import NamedTuple

from rich.cells import cell_len, set_cell_size
from textual.content import Content

from flip7.game.events import Event
from flip7.game.view import Choice
from flip7.protocol.messages import Emotion
from flip7.protocol.scene import Scene
from flip7.terminal.cards import Painter
from flip7.terminal.texts import Words

PAGE = 9
"""How many targets have a key at a time."""
CALLOUTS = {
    "player_busted": "bold $error",
    "player_saved": "bold $success",
    "player_frozen": "bold $frost",
    "flip_three_started": "bold $warning",
    "flip7_made": "bold $success",
    "deck_reshuffled": "bold $soft",
    "playoff_called": "bold $warning",
}
STATUS_STYLES = {"active": "$soft", "stayed": "$success", "frozen": "$frost", "busted": "$error", "left": "$soft"}
STATUS_SIGNS = {"active": " ", "stayed": "✓", "frozen": "❄", "busted": "✗", "left": "-"}


class Pending(NamedTuple):
    """A choice that has been made and can still be taken back."""

    choice: Choice


class Showing:
    """One table on show, and what this screen adds to it."""

    def __init__(self, scene: Scene, own: frozenset[int], words: Words, painter: Painter) -> None:
        self.scene = scene
        self.own = own
        self.words = words
        self.painter = painter
        self.event: Event | None = None
        """What is being told."""
        self.pending: Pending | None = None
        self.sent = False
        """Whether the answer to the open question is on its way."""
        self.page = 0
        self.counted = 1.0
        """How far the points of a scored round have been counted up, from 0 to 1."""
        self.feelings: dict[int, Emotion] = {}
        """What a player shows, by seat."""
        self.presence: dict[int, str] = {}
        """Seats whose players are lost or away."""
        self.trouble = ""
        """What is wrong with the connection."""
        self.replaced = False
        """Whether someone else chooses for the player here, who was away."""
        self.note = ""
        """What is to be told beside what can be done."""
        self.deadline: float | None = None
        """When the time for the open choice is up, by the monotonic clock."""
        self.gauge = True
        self.signs: Sequence[Content] = ()
        """What stands before every name while a graph has lines for the seats."""

    @property
    def me(self) -> int | None:
        """The seat that is drawn large: the own one that is asked, or the first."""
        ask = self.scene.ask
        if ask is not None and ask.seat in self.own:
            return ask.seat
        return min(self.own) if self.own else None

    @property
    def others(self) -> list[int]:
        """All other seats, clockwise from the own one."""
        count = len(self.scene.seats)
        me = self.me
        if me is None:
            return list(range(count))
        return [(me + i) % count for i in range(1, count)]

    @property
    def asked(self) -> bool:
        """Whether someone here may answer now."""
        ask = self.scene.ask
        return ask is not None and ask.seat in self.own and not self.sent and self.pending is None

    @property
    def targets(self) -> list[int]:
        """The seats that may be chosen now, in the order of their keys: clockwise from who chooses."""
        ask = self.scene.ask
        if ask is None or ask.kind != "target" or not self.asked:
            return []
        count = len(self.scene.seats)
        return sorted(
            (seat for seat in ask.options if isinstance(seat, int)), key=lambda seat: (seat - ask.seat) % count
        )

    @property
    def left(self) -> int | None:
        """How many seconds are left for the open choice; `None` without a timer."""
        return None if self.deadline is None else max(0, round(self.deadline - monotonic()))

    def key_of(self, seat: int) -> str:
        """Return the key that chooses a seat, if one does at the moment."""
        targets = self.targets
        if seat not in targets:
            return ""
        place = targets.index(seat) - self.page * PAGE
        return str(place + 1) if 0 <= place < PAGE else ""

    def seat_of(self, key: int) -> int | None:
        """Return the seat that a key from 1 to 9 chooses."""
        targets = self.targets
        place = self.page * PAGE + key - 1
        return targets[place] if 0 <= place < len(targets) else None

    def label(self, seat: int) -> str:
        """Return what the card on offer would do to a seat."""
        ask = self.scene.ask
        for label in ask.targets if ask is not None else ():
            if label.seat == seat:
                return self.words.target(label)
        return ""

    def name(self, seat: int, room: int | None = None, *, style: str = "bold") -> Content:
        """Return a seat's name with its signs: whose turn it is, who deals, what the player feels.

        In so little room that the name does not fit, it is cut so that twins can still be told apart.
        """
        scene = self.scene
        acting = scene.ask is not None and scene.ask.seat == seat
        shown = scene.shown is not None and scene.shown[1] == seat
        parts: list[Content | tuple[str, str]] = []
        key = self.key_of(seat)
        if key:
            parts.append((f" {key} ", "bold $on-act on $act" if self.painter.colours else "bold reverse"))
            parts.append((" ", ""))
        elif acting:
            mine = "bold $on-act on $act" if self.painter.colours else "bold reverse"
            parts += [("▸", mine if seat in self.own else "bold $primary"), (" ", "")]
        else:
            parts.append(("▹ " if shown else "  ", "$primary"))
        if self.signs:
            parts += [self.signs[seat], (" ", "")]
        before = Content.assemble(*parts).cell_length
        parts.append((scene.names[seat] if room is None else cut(scene.names[seat], room - before), style))
        if seat == scene.dealer:
            parts.append((f" ({self.words('term.dealer')})", "$soft"))
        if seat in self.feelings:
            parts.append((f" “{self.words(f'emote.{self.feelings[seat]}')}”", "bold $warning"))
        if seat in self.presence:
            parts.append((f" {self.words(f'table.{self.presence[seat]}')}", "$warning"))
        return Content.assemble(*parts)

    def status(self, seat: int) -> Content:
        """Return how a seat stands in the round: flips to come, or a status."""
        there = self.scene.seats[seat]
        if there.flips:
            return Content.styled(self.words("table.flips", n=there.flips), "bold $warning")
        if there.status == "active":
            return Content.empty()
        sign = STATUS_SIGNS[there.status]
        return Content.styled(
            f"{sign} {self.words(f'table.status.{there.status}')}", f"bold {STATUS_STYLES[there.status]}"
        )

    def points(self, seat: int, *, short: bool = False) -> Content:
        """Return a seat's points of the round and its total, counted up while a round is scored."""
        there = self.scene.seats[seat]
        if self.scene.scored is not None:
            hand = self.scene.scored[seat]
            gained = round(hand.points * self.counted)
            total = hand.total - hand.points + gained
            return Content.assemble((f"+{gained}", "bold $success" if gained else "$soft"), (f" {total:>4}", "bold"))
        bust = there.status == "busted"
        now = (str(there.points), "bold $error" if bust else "bold")
        word = "" if short else f" {self.words('table.total')}"
        return Content.assemble(now, (f" ·{word} {there.total}", "$soft"))


def cut(name: str, room: int) -> str:
    """Return a name in n columns; of `Careful Carl 12` the number stays, which its twins do not share."""
    if cell_len(name) <= room:
        return name
    _, _, number = name.rpartition(" ")
    end = f"… {number}" if number.isdecimal() and len(number) + 4 <= room else "…"
    return f"{set_cell_size(name, max(0, room - cell_len(end))).rstrip()}{end}"


def fitted(content: Content, width: int) -> Content:
    """Return a line of exactly n columns."""
    return content.truncate(max(0, width), ellipsis=True, pad=True)


def spread(left: Content, right: Content, width: int) -> Content:
    """Return a line with one text at each end; the left one gives way."""
    room = max(0, width - right.cell_length - 1)
    return fitted(Content.assemble(fitted(left, room), " ", right), width)


def indented(head: Content, text: Content, width: int) -> Content:
    """Return a text behind its head, in as many lines as it takes; all of them begin at the same column."""
    lines = text.wrap(max(8, width - head.cell_length))
    heads = [head, *[Content.blank(head.cell_length)] * (len(lines) - 1)]
    return Content("\n").join(Content.assemble(before, line) for before, line in zip(heads, lines, strict=True))
