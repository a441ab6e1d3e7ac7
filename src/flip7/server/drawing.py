"""Pictures for previews of links, drawn in the game's own look: paper, ink, and cards with a hard shadow."""

from __future__ import annotations

import io
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from flip7 import scorekeeper

if TYPE_CHECKING:
    from PIL.Image import Image
    from PIL.ImageDraw import ImageDraw
    from PIL.ImageFont import FreeTypeFont

SIZE = (1200, 630)
PAPER, INK, DARK, CARD = "#f6efe1", "#12131f", "#1e1f31", "#fdfaf0"
DOT = "#e3dac8"
COLOURS = {"12": "#ba0696", "7": "#008176", "10": "#5056e3"}
"""Of the numbers that are drawn, as the client has them."""
FONTS = Path(scorekeeper.__file__).parent / "fonts"
DISPLAY = ("dela-gothic-one-latin-400-normal*.woff2",)
"""The client's own face for numerals, where the client is built."""
STATIC = Path(__file__).parent / "static" / "assets"
LEFT, TOP, WIDTH, FOOT = 72, 84, 584, 510
"""Where words stand: they keep off the cards, and off the last line."""
SIZES = (52, 44, 36)
"""Of titles: the largest at which no word has to be cut."""
LINE = 1.22
"""The height of a line, in sizes of its letters."""


def draw(title: str, text: str, foot: str = "") -> bytes:
    """Return a PNG with a title, a sentence and a last line beside three cards. It takes time: not on the loop."""
    from PIL import Image, ImageDraw

    image = Image.new("RGB", SIZE, PAPER)
    pen = ImageDraw.Draw(image)
    for x in range(20, SIZE[0], 36):
        for y in range(20, SIZE[1], 36):
            pen.ellipse((x - 2, y - 2, x + 2, y + 2), fill=DOT)
    for mark, x, y, angle in (("10", 826, 330, 14), ("12", 1064, 330, -14), ("7", 945, 310, 0)):
        card = _card(mark).rotate(angle, Image.Resampling.BICUBIC, expand=True)
        card = card.resize((card.width * 4 // 5, card.height * 4 // 5), Image.Resampling.LANCZOS)
        image.paste(card, (x - card.width // 2, y - card.height // 2), card)
    pen.text((LEFT, TOP), "Flip 7", font=_font(44, display=True), fill=INK)
    below = _paragraph(pen, title, TOP + 84, _largest(pen, title), bold=True, most=3) + 18
    _paragraph(pen, text, below, 32, bold=False, most=min(4, int((FOOT - below) / (32 * LINE))))
    if foot:
        foot = _cut(pen, foot, _font(34))
        width = pen.textlength(foot, font=_font(34))
        pen.rounded_rectangle((LEFT, FOOT, LEFT + width + 48, FOOT + 62), 14, fill=INK)
        pen.text((LEFT + 24, FOOT + 31), foot, font=_font(34), fill=CARD, anchor="lm")
    out = io.BytesIO()
    image.save(out, "PNG", optimize=True)
    return out.getvalue()


def _card(mark: str) -> Image:
    """Return a number card, with the shadow below it."""
    from PIL import Image, ImageDraw

    card = Image.new("RGBA", (262, 372), (0, 0, 0, 0))
    pen = ImageDraw.Draw(card)
    pen.rounded_rectangle((4, 14, 258, 368), 30, fill=INK)
    pen.rounded_rectangle((4, 2, 258, 354), 30, fill=CARD, outline=INK, width=8)
    pen.text((131, 172), mark, font=_font(120 if len(mark) > 1 else 168, display=True), fill=COLOURS[mark], anchor="mm")
    pips = int(mark)
    for pip in range(pips):
        x = 131 + (pip - (pips - 1) / 2) * 17
        pen.ellipse((x - 5, 318, x + 5, 328), fill=COLOURS[mark])
    return card


def _paragraph(pen: ImageDraw, text: str, y: float, size: int, *, bold: bool, most: int) -> float:
    """Write a text in lines that fit, the last one cut if it has to be; return where the next one begins."""
    font = _font(size, bold=bold)
    lines: list[str] = []
    for word in text.split():
        grown = f"{lines[-1]} {word}" if lines else word
        if lines and pen.textlength(grown, font=font) <= WIDTH:
            lines[-1] = grown
        elif len(lines) < most:
            lines.append(_cut(pen, word, font))
        else:
            lines[-1] = _cut(pen, f"{grown}…", font)
            break
    for line in lines:
        pen.text((LEFT, y), line, font=font, fill=INK)
        y += size * LINE
    return y


def _largest(pen: ImageDraw, title: str) -> int:
    """Return the size at which a title is written."""
    longest = max(title.split(), key=len, default="")
    return next((size for size in SIZES if pen.textlength(longest, font=_font(size)) <= WIDTH), SIZES[-1])


def _cut(pen: ImageDraw, text: str, font: FreeTypeFont) -> str:
    while len(text) > 2 and pen.textlength(text, font=font) > WIDTH:
        text = f"{text.rstrip('…')[:-1]}…"
    return text


@cache
def _font(size: int, *, bold: bool = True, display: bool = False) -> FreeTypeFont:
    from PIL import ImageFont

    if display:
        for found in (path for pattern in DISPLAY for path in sorted(STATIC.glob(pattern))):
            try:
                return ImageFont.truetype(found, size)
            except OSError:  # a build of FreeType that reads no WOFF
                break
    return ImageFont.truetype(FONTS / ("DejaVuSans-Bold.ttf" if bold else "DejaVuSans.ttf"), size)
