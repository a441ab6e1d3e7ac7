"""Tables to look at: as text, in the terminal, and as a picture in the colours of the game."""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from flip7.compiled.loading import numpy as np
from flip7.extras import missing
from flip7.game.layout import table as aligned
from flip7.game.position import Position
from flip7.game.view import Seat
from flip7.rules.cards import FLIP3, FREEZE, SECOND, TWELVE, Card

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from PIL.ImageDraw import ImageDraw

MODES = ("ansi", "human", "rgb_array")
RATE = 2  # pictures a second, for people to watch

WIDTH = 960
HEADER = 72
ROW, LOW_ROW = 112, 64  # of a seat; where there are many, all are lower
MANY = 8
GAP, LEAST = 8, 12  # between cards; how narrow they may become
FADED = 0.6  # how much of a busted card's colours is left
Colour = tuple[int, int, int]


def shown(position: Position, mode: str, you: int | None = None) -> Any:
    """Show a position in one of the modes: text, nothing (it is printed), or an array of pixels."""
    if mode == "rgb_array":
        return picture(position, you)
    words = text(position, you)
    if mode == "ansi":
        return words
    print(words, flush=True)
    return None


def text(position: Position, you: int | None = None) -> str:
    """Return a position as lines of text."""
    rows = []
    for number, seat in enumerate(position.seats):
        asked = position.decision is not None and position.decision.seat == number
        rows.append(
            [
                "▸" if asked else " ",
                _name(number, you),
                seat.status,
                f"{seat.points}",
                f"total {seat.total}",
                " ".join(seat.cards),
            ]
        )
    return "\n".join([headline(position, you), *aligned(rows, right=(3,))])


def headline(position: Position, you: int | None = None) -> str:
    """Return in a line how far the game is, and what it waits for."""
    piles = f"draw pile {sum(position.draw_pile.values())}, discard pile {sum(position.discard_pile.values())}"
    parts = [f"round {position.round} to {position.target}", piles, pending(position), question(position, you)]
    return " · ".join(filter(None, parts))


def pending(position: Position) -> str:
    """Return the cards that lie in front of nobody (ACT-4), or nothing if there are none."""
    return f"pending: {' '.join(position.pending)}" if position.pending else ""


def question(position: Position, you: int | None = None) -> str:
    """Return what the table waits for."""
    ask = position.decision
    if ask is None:
        winner = position.winner
        return f"{_name(winner, you)} has won" if winner is not None else "the round is over"
    who = _name(ask.seat, you)
    if ask.kind == "turn":
        return f"{who}: hit or stay?"
    if ask.kind == "target":
        return f"{who}: who gets the {ask.card}?"
    return f"{who} turns up a card"


def _name(seat: int, you: int | None) -> str:
    return "you" if seat == you else f"seat {seat}"


def oklch(lightness: float, chroma: float, hue: float) -> Colour:
    """Return a colour of the game's palette (the client names them in OKLCH) as red, green and blue."""
    a, b = chroma * math.cos(math.radians(hue)), chroma * math.sin(math.radians(hue))
    long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
    middle = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
    short = (lightness - 0.0894841775 * a - 1.2914855480 * b) ** 3
    linear = (
        4.0767416621 * long - 3.3077115913 * middle + 0.2309699292 * short,
        -1.2684380046 * long + 2.6097574011 * middle - 0.3413193965 * short,
        -0.0041960863 * long - 0.7034186147 * middle + 1.7076147010 * short,
    )
    red, green, blue = (
        round(255 * (12.92 * x if x <= 0.0031308 else 1.055 * x ** (1 / 2.4) - 0.055))
        for x in (min(max(part, 0.0), 1.0) for part in linear)
    )
    return red, green, blue


GROUND, GRID, SHEET = oklch(0.19, 0.03, 280), oklch(0.27, 0.035, 280), oklch(0.25, 0.035, 280)
LINE, SHADOW, DIM = oklch(0.11, 0.02, 280), oklch(0.1, 0.02, 280), oklch(0.38, 0.04, 280)
INK, SOFT, ACCENT = oklch(0.965, 0.015, 88), oklch(0.78, 0.025, 280), oklch(0.9, 0.19, 104)
PAPER, PRINT, DARK = oklch(0.985, 0.012, 90), oklch(0.2, 0.035, 280), oklch(0.24, 0.04, 280)
STATUS = {
    "active": INK,
    "stayed": oklch(0.82, 0.13, 160),
    "frozen": oklch(0.82, 0.1, 230),
    "busted": oklch(0.75, 0.15, 27),
    "left": SOFT,
}
NUMBERS = [oklch(0.55, 0.01, 280)] + [
    oklch(0.55, chroma, hue)
    for chroma, hue in zip(
        (0.2, 0.18, 0.14, 0.12, 0.15, 0.15, 0.11, 0.12, 0.16, 0.21, 0.24, 0.23),
        (15, 42, 68, 95, 128, 150, 185, 220, 250, 275, 303, 340),
        strict=True,
    )
]
RIMS = {FREEZE: oklch(0.85, 0.1, 220), FLIP3: oklch(0.8, 0.13, 350), SECOND: oklch(0.75, 0.16, 20)}
MODIFIER = oklch(0.82, 0.15, 75)
FACES = {FREEZE: "ice", FLIP3: "3!", SECOND: "2nd"}


def picture(position: Position, you: int | None = None) -> NDArray[np.uint8]:
    """Return a position as an array of pixels: height, width, and red, green and blue."""
    try:
        from PIL import Image, ImageDraw
    except ImportError as error:
        raise ImportError(missing("render_mode='rgb_array'", error.name, "envs")) from None
    seats = position.seats
    row = ROW if len(seats) <= MANY else LOW_ROW
    image = Image.new("RGB", (WIDTH, HEADER + row * len(seats) + 12), GROUND)
    draw = ImageDraw.Draw(image)
    for x in range(9, WIDTH, 18):
        for y in range(9, image.height, 18):
            draw.point((x, y), GRID)
    draw.text((20, 14), f"Round {position.round} · to {position.target}", INK, _font(26))
    draw.text((20, 46), question(position, you), SOFT, _font(16))
    piles = f"draw {sum(position.draw_pile.values())} · discard {sum(position.discard_pile.values())}"
    draw.text((WIDTH - 20, 18), piles, SOFT, _font(18), anchor="ra")
    draw.text((WIDTH - 20, 46), pending(position), SOFT, _font(16), anchor="ra")
    for number, seat in enumerate(seats):
        asked = position.decision is not None and position.decision.seat == number
        _draw_seat(draw, seat, _name(number, you), HEADER + number * row, row - 8, asked=asked)
    return np.asarray(image)


def _draw_seat(draw: ImageDraw, seat: Seat, name: str, top: int, height: int, *, asked: bool) -> None:
    box = (12, top, WIDTH - 12, top + height)
    draw.rounded_rectangle(box, 14, SHEET, ACCENT if asked else LINE, 4 if asked else 2)
    large = height > LOW_ROW
    draw.text((28, top + (14 if large else 8)), name, INK, _font(22 if large else 17))
    draw.text((28, top + height - (34 if large else 26)), seat.status, STATUS[seat.status], _font(17 if large else 14))
    draw.text((218, top + (10 if large else 6)), f"{seat.points}", INK, _font(34 if large else 22), anchor="ra")
    draw.text(
        (218, top + height - (34 if large else 26)), f"{seat.total}", SOFT, _font(17 if large else 14), anchor="ra"
    )
    _draw_cards(draw, seat.cards, 240, top + 8, height - 18, faded=seat.status == "busted")


def _draw_cards(draw: ImageDraw, cards: Sequence[Card], left: int, top: int, height: int, *, faded: bool) -> None:
    width = round(height * 0.72)
    room = WIDTH - 28 - left
    fitting = max((room + GAP) // max(len(cards), 1) - GAP, LEAST)
    if fitting < width:  # all cards are smaller, so that none covers another
        top += (height - round(fitting / 0.72)) // 2
        width, height = fitting, round(fitting / 0.72)
    step = min(width + GAP, (room - width) // max(len(cards) - 1, 1))
    for place, card in enumerate(cards):
        x = left + place * step
        paper, ink, rim, face = _look(card)
        if faded:
            paper, ink, rim = _faded(paper), _faded(ink), _faded(rim)
        draw.rounded_rectangle((x, top + 4, x + width, top + height + 4), 8, SHADOW)
        draw.rounded_rectangle((x, top, x + width, top + height), 8, paper, rim, 3)
        size = round(height * (0.5 if len(face) < 3 else 0.34))
        draw.text((x + width / 2, top + height / 2), face, ink, _font(size), anchor="mm", stroke_width=1)
        if card in (Card.N6, Card.N9):
            line = top + height * 0.78
            draw.line((x + width * 0.3, line, x + width * 0.7, line), ink, 3)


def _faded(colour: Colour) -> Colour:
    """Return a colour of a card that counts no more. All of them fade, so that what is printed on it can be read."""
    red, green, blue = (round(FADED * a + (1 - FADED) * b) for a, b in zip(colour, SHEET, strict=True))
    return red, green, blue


def _look(card: Card) -> tuple[Colour, Colour, Colour, str]:
    """Return a card's paper, ink and edge, and what is printed on it. Numbers carry the colour, specials are dark."""
    if card.face <= TWELVE:
        return PAPER, NUMBERS[card.face], PRINT, str(card)
    rim = RIMS.get(card.face, MODIFIER)
    return DARK, rim, rim, FACES.get(card.face, str(card))


@functools.cache
def _font(size: int) -> Any:
    from PIL import ImageFont

    return ImageFont.load_default(size)
