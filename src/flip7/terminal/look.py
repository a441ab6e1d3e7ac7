"""How things look on any terminal: the two themes, signs with their ASCII stand-ins, and what leaves colours out."""

from __future__ import annotations

import unicodedata
from functools import lru_cache

from rich.cells import cell_len
from rich.color import Color as Shade
from rich.segment import Segment
from rich.style import Style
from textual.color import Color
from textual.filter import LineFilter
from textual.theme import Theme

from flip7 import Card
from flip7.game.layout import PLAIN

PAPER, INK, NIGHT = "#fdfaf1", "#131426", "#1c1d32"
DIMMED = ("#b9b5ab", "#8f8a7e")
"""The grounds of cards that count no more: on paper, and as chips on a light screen."""
ACCENT = "#f4e300"
"""Means "you may act now", and nothing else."""
NUMBERS = [
    "#707177",
    "#cb234a",
    "#bd4600",
    "#9e6205",
    "#867000",
    "#598007",
    "#05893e",
    "#088379",
    "#007e9a",
    "#0674c7",
    "#545be9",
    "#9036e1",
    "#c0149a",
]
"""The colour of every number, by its value."""
SPECIALS = {Card.FREEZE: "#7dddfb", Card.FLIP3: "#fc9ac9", Card.SECOND: "#ff8386"}
MODIFIER = "#fcb442"
PLAYERS = [
    "#ffaba3",
    "#7dcffe",
    "#8cda8f",
    "#e9a8f8",
    "#feb263",
    "#50ddd5",
    "#bdbcff",
    "#b9d06b",
    "#ffa3cf",
    "#70d5ed",
    "#feae8a",
    "#c1c3d1",
]
"""Colours of players in graphs, on a dark ground."""
PLAYERS_LIGHT = NUMBERS[1:]

DARK = Theme(
    name="flip7-dark",
    primary="#abb9fe",
    secondary="#7bd0f9",
    accent=ACCENT,
    warning="#fcb442",
    error="#ff8579",
    success="#6fdea7",
    foreground="#f8f3e8",
    background="#111221",
    surface="#1e2032",
    panel="#0a0b18",
    dark=True,
    variables={
        "soft": "#b4b6c8",
        "hair": "#3e4058",
        "frost": "#7bd0f9",
        "act": ACCENT,
        "on-act": INK,
        "block-cursor-background": "#3e4058",
        "block-cursor-foreground": "#f8f3e8",
        "button-focus-text-style": "bold underline",
        "border": "#abb9fe",
        "border-blurred": "#3e4058",
    },
)
LIGHT = Theme(
    name="flip7-light",
    primary="#3e44b1",
    secondary="#056788",
    accent="#867000",
    warning="#9e6205",
    error="#b7191c",
    success="#0c6944",
    foreground=INK,
    background="#f7efe0",
    surface=PAPER,
    panel="#eee5d4",
    dark=False,
    variables={
        "soft": "#4a4c5e",
        "hair": "#b3a78c",
        "frost": "#056788",
        "act": ACCENT,
        "on-act": INK,
        "block-cursor-background": "#d0c6b2",
        "block-cursor-foreground": INK,
        "button-focus-text-style": "bold underline",
        "border": "#3e44b1",
        "border-blurred": "#d0c6b2",
    },
)

_STAND_INS = {
    **PLAIN,
    **dict.fromkeys("╭╮╰╯┌┐└┘├┤┬┴┼╔╗╚╝╠╣╦╩╬▛▜▙▟┏┓┗┛", "+"),
    **dict.fromkeys("─═╌╴╶▔▁▂▃", "-"),
    **dict.fromkeys("│┃║▕▏▎▍▋▊▌▐", "|"),
    **dict.fromkeys("▓▇▆▅▉▀▄", "#"),
    **dict.fromkeys("░▒", "."),
    **dict.fromkeys("●◆◉⬢✓✔", "*"),
    **dict.fromkeys("○◦◯", "o"),
    **dict.fromkeys("▶▸▹►→»", ">"),
    **dict.fromkeys("◀◂←«", "<"),
    **dict.fromkeys("▲↑", "^"),
    **dict.fromkeys("▼↓", "v"),
    "„": '"',
    "❄": "*",
    "♥": "v",
    "✗": "x",
    "ß": "s",
    "¿": "?",
    "¡": "!",
    "œ": "o",
    "æ": "a",
    "\N{NO-BREAK SPACE}": " ",
    "\N{NARROW NO-BREAK SPACE}": " ",
}


@lru_cache(4096)
def to_ascii(text: str) -> str:
    """Return a text of as many columns that has ASCII only: letters lose their accents, signs get stand-ins."""
    if text.isascii():
        return text
    return "".join(sign if sign.isascii() else _stand_in(sign) for sign in text)


def _stand_in(sign: str) -> str:
    if sign in _STAND_INS:
        return _STAND_INS[sign]
    if "\u2800" <= sign <= "\u28ff":  # a dot pattern, of graphs
        return " " if sign == "\u2800" else "*"
    base = unicodedata.normalize("NFKD", sign)[0]
    return base if base.isascii() and cell_len(sign) == 1 else "?" * cell_len(sign)


_SIXTEEN = {
    Color.parse(colour).rgb: number
    for colour, number in {
        DARK.primary: 12,
        str(DARK.success): 10,
        str(LIGHT.success): 2,
        SPECIALS[Card.FLIP3]: 13,
        NUMBERS[5]: 2,
        **dict(zip(PLAYERS, (9, 14, 10, 13, 11, 6, 12, 3, 5, 2, 1, 7), strict=True)),
    }.items()
}
"""What a terminal of 16 colours shows instead of what comes nearest, which would be a grey like that of others."""


@lru_cache(1024)
def sixteen(style: Style) -> Style:
    """Return a style in the 16 colours that every terminal has, such that what differs does so still."""
    given = [None if colour is None else colour.triplet for colour in (style.color, style.bgcolor)]
    front, back = (None if rgb is None else _SIXTEEN.get((rgb.red, rgb.green, rgb.blue)) for rgb in given)
    if given[1] is not None and given[1].hex in DIMMED:
        front, back = 0, 7
    return style + Style(
        color=None if front is None else Shade.from_ansi(front), bgcolor=None if back is None else Shade.from_ansi(back)
    )


class Sixteen(LineFilter):
    """Writes the colours that a terminal of 16 has."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """Return the segments in these colours."""
        return [Segment(text, style and sixteen(style), control) for text, style, control in segments]


class AsciiOnly(LineFilter):
    """Writes nothing but ASCII, whatever a widget has drawn."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """Return the segments with stand-ins for every sign that is none."""
        return [Segment(to_ascii(text), style, control) for text, style, control in segments]


def colour_of(card: Card) -> str:
    """Return the colour of a card."""
    if card[0].isdigit():
        return NUMBERS[int(card)]
    return SPECIALS.get(card, MODIFIER)
