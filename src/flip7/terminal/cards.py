"""Cards drawn with characters: large with big numerals, small with an edge, or as a chip in one line."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from textual.content import Content

from flip7 import Card
from flip7.protocol.scene import is_number
from flip7.terminal.look import DIMMED, INK, NIGHT, PAPER, SPECIALS, colour_of
from flip7.terminal.texts import mark

Size = Literal["large", "small", "chip"]
WIDTHS: dict[Size, int] = {"large": 9, "small": 6, "chip": 5}
HEIGHTS: dict[Size, int] = {"large": 5, "small": 3, "chip": 1}
SIZES: tuple[Size, ...] = ("large", "small", "chip")

_BITMAPS = {
    "0": "### # # # # # # ###",
    "1": "##.  #   #   #  ###",
    "2": "###   # ### #   ###",
    "3": "###   # ###   # ###",
    "4": "# # # # ###   #   #",
    "5": "### #   ###   # ###",
    "6": "### #   ### # # ###",
    "7": "###   #   #  #   # ",
    "8": "### # # ### # # ###",
    "9": "### # # ###   # ###",
    "+": "     #  ###  #     ",
    "×": "    # #  #  # #    ",
}
_MARKS = {Card.FREEZE: "❄", Card.FLIP3: "▶▶▶", Card.SECOND: "♥"}
_CHIPS = {Card.FREEZE: "❄", Card.FLIP3: "F3", Card.SECOND: "♥"}


def _rows(sign: str) -> list[str]:
    """The five rows of a numeral, three dots each."""
    dots = _BITMAPS[sign]
    return [dots[i : i + 3].ljust(3) for i in range(0, 20, 4)]


def _big(text: str) -> list[str]:
    """A mark of up to three signs in three lines of half blocks."""
    rows = [" ".join(parts) for parts in zip(*(_rows(sign) for sign in text), strict=True)] + [""]
    lines = []
    for upper, lower in zip(rows[::2], rows[1::2], strict=True):
        pairs = zip(upper.ljust(11), lower.ljust(11), strict=True)
        lines.append("".join(_HALVES[a == "#", b == "#"] for a, b in pairs).rstrip())
    width = max(map(len, lines))
    return [line.ljust(width) for line in lines]


_HALVES = {(True, True): "█", (True, False): "▀", (False, True): "▄", (False, False): " "}


def short(card: Card) -> str:
    """Return a card in one to three signs."""
    return _CHIPS.get(card) or mark(card)


class Painter:
    """Draws cards, with colours or without, with all signs or in ASCII."""

    def __init__(self, *, colours: bool, ascii_only: bool, light: bool = False) -> None:
        self.colours = colours
        self.ascii_only = ascii_only
        self.light = light

    def chip(self, card: Card, *, dim: bool = False, ring: bool = False) -> Content:
        """Return a card in one line of four columns; `ring` marks the twin that busted."""
        text = short(card)
        if not self.colours:
            return Content.styled(f"[{text}]".center(4), "reverse" if ring else "dim" if dim else "bold")
        style = self._style(card, dim=dim, ring=ring)
        if self.light and is_number(card) and not ring:
            style = f"{PAPER} on {DIMMED[1]}" if dim else f"bold {PAPER} on {colour_of(card)}"
        return Content.styled(text.center(4), style)

    def lines(self, card: Card, size: Size, *, dim: bool = False, ring: bool = False) -> list[Content]:
        """Return a card as lines of equal width."""
        if size == "chip":
            return [Content.assemble(self.chip(card, dim=dim, ring=ring), " ")]
        inner = WIDTHS[size] - 2
        edge = "reverse" if ring and not self.colours else self._edge(card, dim=dim, ring=ring)
        face = "" if not self.colours else self._style(card, dim=dim, ring=ring)
        if not self.colours and not dim:
            face = "bold"
        middle = self._face(card, size, inner)
        top = Content.styled("╭" + "─" * inner + "╮", edge)
        bottom = Content.styled("╰" + "─" * inner + "╯", edge)
        sides = [Content.assemble(("│", edge), (text.center(inner), face), ("│", edge)) for text in middle]
        return [top, *sides, bottom]

    def back(self, size: Size, count: int) -> list[Content]:
        """Return the deck: a card's back with the number of cards that are left."""
        inner = WIDTHS[size] - 2
        edge = f"{PAPER} on {NIGHT}" if self.colours else ""
        number = str(count).center(inner)
        stripes = "/" * inner
        middle = [number] if size == "small" else [stripes, number, stripes]
        return [
            Content.styled("╭" + "─" * inner + "╮", edge),
            *(Content.styled(f"│{text}│", edge) for text in middle),
            Content.styled("╰" + "─" * inner + "╯", edge),
        ]

    def row(self, cards: Sequence[Card], size: Size, *, dim: bool = False, twin: Card | None = None) -> list[Content]:
        """Return cards side by side; both copies of a twin are ringed."""
        drawn = [self.lines(card, size, dim=dim, ring=card == twin) for card in cards]
        return [Content.assemble(*parts) for parts in zip(*drawn, strict=True)] if drawn else []

    def _face(self, card: Card, size: Size, inner: int) -> list[str]:
        if card in SPECIALS:
            sign = _MARKS[card]
            return [sign] if size == "small" else ["", sign, ""]
        text = mark(card)
        if size == "small":
            return [text]
        if self.ascii_only:
            return ["", text, ""]
        big = _big(text)
        return big if len(big[0]) <= inner else ["", text, ""]

    def _style(self, card: Card, *, dim: bool, ring: bool) -> str:
        if ring:
            return f"bold {PAPER} on #b7191c"
        if is_number(card):
            return f"{colour_of(card)} on {DIMMED[0]}" if dim else f"bold {colour_of(card)} on {PAPER}"
        return f"#8f93a8 on {NIGHT}" if dim else f"bold {colour_of(card)} on {NIGHT}"

    def _edge(self, card: Card, *, dim: bool, ring: bool) -> str:
        if not self.colours:
            return "dim" if dim else ""
        if is_number(card) and not ring:
            return f"{INK} on {DIMMED[0]}" if dim else f"{INK} on {PAPER}"
        return self._style(card, dim=dim, ring=ring)


def fitting(count: int, width: int, height: int) -> tuple[Size, int]:
    """Return the largest size at which n cards fit, and how many stand in one row."""
    for size in SIZES:
        a_row = max(1, width // WIDTHS[size])
        rows = -(-count // a_row) if count else 1
        if rows * HEIGHTS[size] <= height:
            return size, a_row
    return "chip", max(1, width // WIDTHS["chip"])
