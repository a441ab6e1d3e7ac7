"""Score sheets on paper, as PDF: blank ones to fill in, and finished matches. Needs the extra `sheet`."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from importlib.resources import as_file, files
from itertools import pairwise
from typing import Literal
from unicodedata import normalize

from fontTools.ttLib import TTFont  # type: ignore[import-untyped]
from fpdf import FPDF

from flip7.catalogue import texts
from flip7.rules.table import SEATS
from flip7.scorekeeper.errors import MatchError
from flip7.scorekeeper.hands import BUST
from flip7.scorekeeper.match import Match

Paper = Literal["A4", "Letter"]
PAPERS: tuple[Paper, ...] = ("A4", "Letter")
MOST_ROUNDS = 40

INK = (27, 25, 38)
FAINT = (150, 146, 160)
BAND = (244, 240, 230)
MARGIN = 12.0
NUMBER_WIDTH = 12.0
UPRIGHT = 8  # columns that fit on an upright page
ACROSS = 12

Cell = Callable[[int, int], tuple[str, str]]
"""The points and the running total in a row and column."""


class Said:
    """What a sheet says, in a language of the catalogue."""

    def __init__(self, language: str) -> None:
        self.score = score = texts(language, "score")
        self.lines = texts(language, "lines")
        self.title = f"Flip 7 · {score('sheet.title')}"
        self.how = (
            (score("sheet.numbers"), score("sheet.numbers.text")),
            ("×2", score("sheet.x2.text")),
            (score("sheet.plus"), score("sheet.plus.text")),
            ("Flip 7", score("sheet.flip7.text")),
            (score("sheet.bust"), score("sheet.bust.text")),
            (score("sheet.end"), score("sheet.end.text")),
        )

    def result(self, match: Match) -> str:
        """Return how a match ended, or that it has not."""
        say = self.lines
        rounds = say("n.rounds", n=len(match.rounds))
        if match.winner is None:
            told = say("result.unfinished", rounds=rounds)
            return f"{self.score('stopped.title')}. {told}" if match.stopped else told
        points = say("n.points", n=match.totals[match.winner])
        told = say("result.won", name=match.players[match.winner], points=points, rounds=rounds)
        if match.playoffs:
            told += f" {say('result.playoffs', n=len(match.playoffs))}"
        if match.challenge is not None:
            told += f" {say('result.challenge.met' if match.challenge else 'result.challenge.missed')}"
        return told


class _Page(FPDF):
    """A page with our fonts and pens."""

    def __init__(self, columns: int, paper: Paper, language: str) -> None:
        super().__init__("portrait" if columns <= UPRIGHT else "landscape", "mm", paper)
        self.set_auto_page_break(False)
        self.set_creation_date(datetime.datetime(2000, 1, 1, tzinfo=datetime.UTC))
        self.set_margin(MARGIN)
        self.say = Said(language)
        self.set_title(self.say.title)
        folder = files("flip7.scorekeeper").joinpath("fonts")
        for style, name in (("", "DejaVuSans.ttf"), ("B", "DejaVuSans-Bold.ttf")):
            with as_file(folder.joinpath(name)) as path:
                self.add_font("sheet", style, path)
        self.set_text_color(*INK)
        self.set_draw_color(*INK)

    def put(
        self, x: float, y: float, w: float, h: float, text: str, size: float, align: str = "C", bold: bool = False
    ) -> None:
        """One line of text in a box, smaller if it would not fit, cut off if it still does not."""
        self.set_font("sheet", "B" if bold else "", size)
        while size > 5 and self.get_string_width(text) > w - 2:
            size -= 0.5
            self.set_font_size(size)
        while len(text) > 1 and self.get_string_width(text) > w - 1:
            text = text[:-2] + "…" if len(text) > 2 else text[:1]
        self.set_xy(x, y)
        self.cell(w, h, text, align=align)


def check_signs(names: Iterable[str]) -> None:
    """Raise `MatchError` if a name has a sign that the font has not."""
    for name in names:
        lacking = ", ".join(f"{sign} (U+{ord(sign):04X})" for sign in dict.fromkeys(name) if ord(sign) not in _signs())
        if lacking:
            letters = "it has Latin, Greek and Cyrillic letters"
            raise MatchError(f"the font of the sheet lacks {lacking} of the name {name!r}: {letters}")


@cache
def _signs() -> frozenset[int]:
    """Return the signs that the fonts have."""
    with as_file(files("flip7.scorekeeper").joinpath("fonts", "DejaVuSans.ttf")) as path, TTFont(path) as font:
        return frozenset(font.getBestCmap() or ())


def blank_sheet(
    players: int, *, rounds: int = 15, paper: Paper = "A4", names: Sequence[str] = (), language: str = "en"
) -> bytes:
    """Return a PDF to fill in: a column for each player, a row for each round, and how to score in a few words."""
    if paper not in PAPERS:
        raise MatchError(f"paper {paper!r}: it is one of {', '.join(PAPERS)}")
    if not 1 <= players <= SEATS:
        raise MatchError(f"{players} players: 1 to {SEATS} can play")
    if not 1 <= rounds <= MOST_ROUNDS:
        raise MatchError(f"{rounds} rounds: 1 to {MOST_ROUNDS} fit on a sheet")
    called = [*names, *[""] * players][:players]
    say = Said(language)
    about = f"{say.score('sheet.date')} ____________    {say.score('new.target')} ______"
    return _sheet(called, rounds, paper, language, say.title, about, None, "")


def match_sheet(match: Match, *, paper: Paper = "A4", language: str = "en") -> bytes:
    """Return a PDF of a match: every round with the running totals, and who has won."""
    say = Said(language)
    bust = say.lines("tell.status.busted")

    def cell(row: int, seat: int) -> tuple[str, str]:
        points = match.rounds[row][seat]
        shown = "–" if points is None else bust if match.entries[row][seat] == BUST else str(points)
        return shown, str(match.history[row][seat])

    about = "    ".join(part for part in (match.date, f"{say.score('new.target')} {match.target}") if part)
    return _sheet(
        match.players, len(match.rounds), paper, language, "Flip 7", about, cell, say.result(match).rstrip("."), match
    )


def _sheet(
    names: Sequence[str],
    rounds: int,
    paper: Paper,
    language: str,
    title: str,
    about: str,
    cell: Cell | None,
    result: str,
    match: Match | None = None,
) -> bytes:
    names = [normalize("NFC", name) for name in names]
    check_signs(names)
    page = _Page(len(names), paper, language)
    most = UPRIGHT if len(names) <= UPRIGHT else ACROSS
    pages = -(-len(names) // most)
    share = -(-len(names) // pages)
    rows_a_page = 30 if page.h > page.w else 18
    for first_row in range(0, max(rounds, 1), rows_a_page):
        rows = range(first_row, min(rounds, first_row + rows_a_page))
        for first in range(0, len(names), share):
            page.add_page()
            bottom = _draw(page, range(first, min(first + share, len(names))), names, rows, title, about, cell, result)
    if match is not None and match.rounds:
        if page.h - bottom < 70:
            page.add_page()
            bottom = MARGIN
        draw_story(page, match, MARGIN, bottom + 6, page.w - 2 * MARGIN, min(page.h - bottom - 6 - MARGIN, 90.0))
    return bytes(page.output())


def _draw(
    page: _Page,
    seats: range,
    names: Sequence[str],
    rows: range,
    title: str,
    about: str,
    cell: Cell | None,
    result: str,
) -> float:
    """Draw one page: as much of the sheet as fits on it. Returns where it ends."""
    left, width = MARGIN, page.w - 2 * MARGIN
    page.put(left, 10, width / 2, 11, title, 20, "L", bold=True)
    page.put(left + width / 2, 10, width / 2, 11, about, 10, "R")
    top, head = 24.0, 10.0
    foot = page.h - MARGIN - (8.0 if cell else 40.0 if page.h > page.w else 30.0)
    height = min((foot - top - head * 2) / max(len(rows), 1), 14.0)
    column = (width - NUMBER_WIDTH) / len(seats)
    bottom = top + head + height * len(rows)
    page.set_fill_color(*BAND)
    for i in range(1, len(rows), 2):
        page.rect(left, top + head + i * height, width, height, style="F")
    page.set_fill_color(*INK)
    page.rect(left, top, width, head, style="F")
    for i, seat in enumerate(seats):
        x = left + NUMBER_WIDTH + i * column
        if cell:
            page.set_text_color(255, 255, 255)
            page.put(x, top, column, head, names[seat], 11, bold=True)
            page.set_text_color(*INK)
        else:
            page.set_fill_color(255, 255, 255)
            page.rect(x + 0.8, top + 0.8, column - 1.6, head - 1.6, style="F", round_corners=True, corner_radius=1.2)
            page.put(x, top, column, head, names[seat], 11, bold=True)
    for i, row in enumerate(rows):
        y = top + head + i * height
        page.put(left, y, NUMBER_WIDTH, height, str(row + 1), 9)
        if cell:
            for j, seat in enumerate(seats):
                points, total = cell(row, seat)
                x = left + NUMBER_WIDTH + j * column
                page.put(x, y, column / 2, height, points, 9)
                page.put(x + column / 2, y, column / 2, height, total, 10, bold=True)
    _lines(page, left, top, head, width, column, height, bottom, len(rows), len(seats))
    page.put(left, bottom, NUMBER_WIDTH, head, page.say.lines("head.total"), 7)
    if cell and len(rows):
        for j, seat in enumerate(seats):
            page.put(left + NUMBER_WIDTH + j * column, bottom, column, head, cell(rows[-1], seat)[1], 14, bold=True)
    if cell:
        page.put(left, bottom + head + 2, width, 8, result, 12, "L", bold=True)
    else:
        _legend(page, left + NUMBER_WIDTH, top + head, column, height)
        _explain(page, left, bottom + head + 4, width)
    return bottom + head + 10


def _lines(
    page: _Page,
    left: float,
    top: float,
    head: float,
    width: float,
    column: float,
    height: float,
    bottom: float,
    rows: int,
    seats: int,
) -> None:
    """The grid: thin lines between points and totals, thick ones between players."""
    page.set_line_width(0.15)
    page.set_draw_color(*FAINT)
    for i in range(rows + 1):
        page.line(left, top + head + i * height, left + width, top + head + i * height)
    if column >= 14:
        for j in range(seats):
            x = left + NUMBER_WIDTH + (j + 0.5) * column
            page.set_dash_pattern(dash=0.6, gap=0.8)
            page.line(x, top + head, x, bottom)
            page.set_dash_pattern()
    page.set_draw_color(*INK)
    page.set_line_width(0.5)
    for j in range(seats):
        x = left + NUMBER_WIDTH + j * column
        page.line(x, top + head, x, bottom + head)
    page.set_line_width(0.8)
    page.rect(left, top, width, bottom + head - top)
    page.line(left, bottom, left + width, bottom)


def _legend(page: _Page, x: float, y: float, column: float, height: float) -> None:
    """What the two halves of a column are for, small in the first cell."""
    if column >= 14:
        page.set_text_color(*FAINT)
        page.put(x, y + height - 3.2, column / 2, 3, page.say.lines("head.round"), 6)
        page.put(x + column / 2, y + height - 3.2, column / 2, 3, page.say.lines("head.total"), 6)
        page.set_text_color(*INK)


def _explain(page: _Page, left: float, y: float, width: float) -> None:
    """How to score, in two columns of three."""
    columns = 1 if page.h > page.w else 2
    per = -(-len(page.say.how) // columns)
    size, gap = (8.5, 24) if columns == 1 else (6.5, 18)
    for i, (word, meaning) in enumerate(page.say.how):
        x = left + (i // per) * width / columns
        line = y + (i % per) * 5.4
        page.put(x, line, gap, 5.4, word, size, "L", bold=True)
        page.put(x + gap, line, width / columns - gap, 5.4, meaning, size, "L")


def draw_story(page: _Page, match: Match, left: float, top: float, width: float, height: float) -> None:
    """The totals round by round as lines, with the target, each line named at its end."""
    names = 34.0
    most = max(match.target, *match.totals)
    steps = len(match.rounds)

    def at(step: int, total: int) -> tuple[float, float]:
        return left + (width - names) * step / steps, top + height - height * total / most

    page.set_draw_color(*FAINT)
    page.set_line_width(0.2)
    page.line(*at(0, 0), *at(steps, 0))
    page.set_dash_pattern(dash=1.2, gap=1.2)
    page.line(*at(0, match.target), *at(steps, match.target))
    page.set_dash_pattern()
    page.put(left, at(0, match.target)[1] - 4, 20, 4, str(match.target), 7, "L")
    for seat in range(len(match.players)):
        winner = seat == match.winner
        page.set_draw_color(*(INK if winner else FAINT))
        page.set_line_width(0.9 if winner else 0.4)
        joined = next((i for i, scores in enumerate(match.rounds) if scores[seat] is not None), steps)
        agreed = match.totals[seat] - sum(scores[seat] or 0 for scores in match.rounds)
        line = [(joined, agreed), *((i + 1, match.history[i][seat]) for i in range(joined, steps))]
        for before, after in pairwise(line):
            page.line(*at(*before), *at(*after))
    ends = sorted(range(len(match.players)), key=lambda seat: -match.totals[seat])
    y = top - 3
    for seat in ends:
        y = max(y, at(steps, match.totals[seat])[1] - 2)
        name = f"{match.players[seat]}  {match.totals[seat]}"
        page.put(left + width - names + 1, y, names - 1, 4, name, 8, "L", bold=seat == match.winner)
        y += 4
