"""How the table looks: pictures at four sizes, every number of seats at every size, without colours, in ASCII."""

from __future__ import annotations

import os
import re
from pathlib import Path
from types import SimpleNamespace

import pytest
from rich._palettes import STANDARD_PALETTE
from rich.color import ColorSystem
from rich.style import Style
from tests.terminal.conftest import opened
from tests.terminal.test_play import asked, desk_with
from textual.scrollbar import ScrollBarRender
from textual.theme import Theme

from flip7 import Card
from flip7.catalogue import LANGUAGES
from flip7.strategy.cast import company
from flip7.terminal.app import TerminalApp, writes_unicode
from flip7.terminal.cards import SIZES as SIZES_OF_CARDS
from flip7.terminal.cards import Painter, fitting
from flip7.terminal.desk import Desk
from flip7.terminal.look import DARK, LIGHT, PLAYERS, Sixteen, sixteen, to_ascii
from flip7.terminal.screens.play import PlayScreen
from flip7.terminal.screens.settings import SettingsScreen
from flip7.terminal.screens.start import StartScreen
from flip7.terminal.table.board import plan
from flip7.terminal.tables import LocalTable

PICTURES = Path(__file__).with_name("pictures")
SIZES = [(40, 20), (80, 24), (120, 36), (200, 60)]
DECK = "5 6 7 12 8 9 +4 second 10 x2 11 12"


def table(deck: str = DECK, players: int = 4) -> PlayScreen:
    return PlayScreen(LocalTable(desk_with(deck, players)), lambda *_: None)


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
async def test_the_table_looks_as_its_picture(size: tuple[int, int]) -> None:
    """The pictures are looked at before they are kept; FLIP7_PICTURES=1 writes them again."""
    async with opened(lambda _: table(), size=size, theme="light" if size[0] == 120 else "dark") as seen:
        for key in ("h", "h"):
            await asked(seen)
            await seen.press(key)
        await asked(seen)
        path = PICTURES / f"table-{size[0]}x{size[1]}.svg"
        if os.environ.get("FLIP7_PICTURES"):
            path.parent.mkdir(exist_ok=True)
            path.write_text(seen.picture, "utf-8")
        assert seen.picture == path.read_text("utf-8")


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"LANG": "en_GB.UTF-8"}, True),
        ({"LANG": "C"}, False),
        ({"LANG": "en_GB.UTF-8", "LC_CTYPE": "C"}, False),
        ({"LANG": "C", "LC_CTYPE": "de_DE.UTF-8"}, True),
        ({"LANG": "C", "LC_ALL": "C.UTF-8"}, True),
        ({"LANG": "en_GB.UTF-8", "LC_CTYPE": "de_DE.UTF-8", "LC_ALL": "POSIX"}, False),
        ({}, True),
    ],
)
def test_only_ascii_is_written_where_the_environment_says_so(
    monkeypatch: pytest.MonkeyPatch, given: dict[str, str], expected: bool
) -> None:
    for name in ("LC_ALL", "LC_CTYPE", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in given.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr("sys.__stderr__", SimpleNamespace(encoding="utf-8"))
    assert writes_unicode() == expected


def test_what_python_makes_of_an_encoding_is_not_what_was_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("LC_ALL", raising=False)
    monkeypatch.setenv("LC_CTYPE", "C.UTF-8")
    monkeypatch.setenv("LANG", "en_GB.UTF-8")
    monkeypatch.setattr("sys.__stderr__", SimpleNamespace(encoding="utf-8"))
    monkeypatch.setattr("flip7.terminal.app._before", lambda: {"LC_CTYPE": "C"})
    assert not writes_unicode()


@pytest.mark.parametrize("players", [1, 2, 5, 18, 36])
async def test_any_number_of_seats_fits_any_size_while_the_window_changes(players: int) -> None:
    desk = Desk.new("Ana", company(players - 1), target=200, seed=11)
    async with opened(lambda _: PlayScreen(LocalTable(desk), lambda *_: None)) as seen:
        await asked(seen)
        for width, height in [*SIZES, (60, 20), (97, 21), (40, 60)]:
            await seen.pilot.resize_terminal(width, height)
            await seen.pilot.pause()
            text = seen.text
            assert len(seen.lines) == height
            assert {len(line) for line in seen.lines} <= {width}
            assert "Ana" in text
            assert "Round " in text
            if players <= 5 or width >= 80:
                for name in desk.game.players:
                    assert name[:8] in text, (width, height)


@pytest.mark.parametrize("count", range(1, 36))
def test_seats_never_leave_the_board(count: int) -> None:
    for width in range(39, 201, 7):
        for height in range(6, 50, 5):
            layout = plan(count, width, height, 5)
            assert layout.columns * layout.rows >= count
            taken = layout.rows * (layout.lines + layout.gap) - layout.gap
            assert taken <= height or layout.lines == 1


def test_a_hand_is_as_large_as_its_room() -> None:
    assert fitting(4, 60, 5) == ("large", 6)
    assert fitting(9, 60, 5)[0] == "small"
    assert fitting(9, 38, 3)[0] == "chip"


async def test_without_colours_nothing_is_coloured_and_everything_can_be_told_apart(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    async with opened(lambda _: table()) as seen:
        await asked(seen)
        for strip in seen.app.screen._compositor.render_strips():
            for segment in strip:
                if segment.style is not None:
                    for colour in (segment.style.color, segment.style.bgcolor):
                        assert colour is None or colour.is_default
        assert "│  █▀▀  │" in seen.text
        assert "H  Hit" in seen.text


def in_sixteen(colour: str, ground: str) -> tuple[int, int]:
    """The numbers of what a terminal of 16 colours shows for one colour on another."""
    shown = sixteen(Style(color=colour, bgcolor=ground))
    assert shown.color is not None
    assert shown.bgcolor is not None
    front, back = (shade.downgrade(ColorSystem.STANDARD).number for shade in (shown.color, shown.bgcolor))
    assert front is not None
    assert back is not None
    return front, back


def contrast(front: int, back: int) -> float:
    """How well one of the 16 colours can be read on another, as WCAG defines it."""

    def light(number: int) -> float:
        parts = (part / 255 for part in STANDARD_PALETTE[number])
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    dark, bright = sorted((light(front), light(back)))
    return (bright + 0.05) / (dark + 0.05)


MEANINGS = ("primary", "error", "warning", "success", "soft", "frost", "foreground")


def colours_of(theme: Theme) -> dict[str, str]:
    return {name: str(getattr(theme, name, None) or theme.variables.get(name)) for name in (*MEANINGS, "background")}


@pytest.mark.parametrize("theme", [DARK, LIGHT], ids=lambda theme: theme.name)
def test_sixteen_colours_are_enough_for_every_text(theme: Theme) -> None:
    colours = colours_of(theme)
    for ground in (theme.background, theme.surface, theme.panel):
        shown = {name: in_sixteen(colours[name], str(ground)) for name in MEANINGS}
        assert len({front for front, _ in shown.values()}) == len(MEANINGS), shown
        for name, pair in shown.items():
            assert contrast(*pair) > 2.5, (name, pair)
    for front, ground in (("on-act", "act"), ("block-cursor-foreground", "block-cursor-background")):
        assert contrast(*in_sixteen(theme.variables[front], theme.variables[ground])) > 2.5


@pytest.mark.parametrize("light", [False, True])
@pytest.mark.parametrize("state", ["", "dim", "ring"])
def test_sixteen_colours_are_enough_for_every_card(light: bool, state: str) -> None:
    painter = Painter(colours=True, ascii_only=False, light=light)
    for card in Card:
        for size in SIZES_OF_CARDS:
            for line in painter.lines(card, size, dim=state == "dim", ring=state == "ring"):
                for span in line.spans:
                    pair = re.search(r"(#\w+) on (#\w+)", str(span.style))
                    assert pair is not None
                    assert contrast(*in_sixteen(*pair.groups())) > 2.5, (card, pair)


def test_in_sixteen_colours_the_first_eight_lines_of_a_graph_differ() -> None:
    shown = [in_sixteen(colour, str(DARK.background)) for colour in PLAYERS]
    assert len({front for front, _ in shown[:8]}) == 8
    assert all(contrast(*pair) > 2 for pair in shown)


@pytest.mark.parametrize("colours", ["standard", "256", "truecolor"])
async def test_a_terminal_of_sixteen_colours_gets_only_them(colours: str) -> None:
    async with opened(lambda _: table(), colours=colours) as seen:
        assert any(isinstance(filter, Sixteen) for filter in seen.app._filters) == (colours == "standard")


async def test_only_ascii_is_written_where_only_that_can_be_shown() -> None:
    async with opened(lambda _: table(), ascii=True, language="de", size=(120, 36)) as seen:
        await asked(seen)
        for key in ("question_mark", "o"):
            await seen.press(key)
            await seen.pilot.pause()
            assert seen.text.isascii()
            await seen.press("escape")
        assert "+---" in seen.text


def test_stand_ins_are_as_wide_as_what_they_stand_for() -> None:
    assert to_ascii("Zoë grüßt: ×2 … – ▸ ╭─╮") == "Zoe grust: x2 ~ - > +-+"
    assert to_ascii("猫") == "??"
    bars = "".join(ScrollBarRender.VERTICAL_BARS + ScrollBarRender.HORIZONTAL_BARS)
    assert "?" not in to_ascii(bars)
    assert len(to_ascii(bars)) == len(bars)


@pytest.mark.parametrize("language", LANGUAGES)
async def test_every_screen_speaks_every_language(language: str) -> None:
    async with opened(lambda _: StartScreen(), language=language, size=(40, 20)) as seen:
        words = seen.app.words
        assert words("home.bots")[:20] in seen.text
        await seen.press("comma")
        await seen.on("SettingsScreen")
        assert words("settings.language") in seen.text
        await seen.press("escape", "n")
        await asked(seen)
        await seen.press("question_mark")
        await seen.pilot.pause()
        assert words("term.help.h")[:20] in seen.text


async def test_settings_hold_at_once_and_are_kept() -> None:
    async with opened(lambda _: SettingsScreen()) as seen:
        await seen.on("SettingsScreen")
        await seen.press(*"Zoe")
        await seen.pilot.pause()
        seen.app.screen.query_one("#theme").value = "light"  # type: ignore[attr-defined]
        await seen.pilot.pause()
        assert seen.app.theme == "flip7-light"
    again = TerminalApp(lambda _: StartScreen())
    assert again.settings.theme == "light"
    assert "Zoe" in again.settings.name


async def test_what_a_card_would_do_to_a_seat_fits_the_smallest_screen() -> None:
    """A dealer who is asked for a target keeps name, key and what the card would do."""
    async with opened(lambda _: table("freeze 5 6 7"), size=(40, 20)) as seen:
        await asked(seen)
        assert "banks 0" in seen.text
        assert " 2  Careful Carl" in seen.text
