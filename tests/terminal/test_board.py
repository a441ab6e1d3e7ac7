"""Who has how much room at the table: the own hand is the largest, and players who do not fit can be scrolled to."""

from __future__ import annotations

import re

import pytest
from tests.terminal.conftest import First, Seen, opened
from tests.terminal.test_looks import DECK, table
from tests.terminal.test_play import asked, desk_with, screen_of
from tests.terminal.test_replay import recorded
from textual import events

from flip7 import Card
from flip7.game.game import Game
from flip7.strategy.cast import company
from flip7.terminal.cards import SIZES, WIDTHS
from flip7.terminal.drawn import Drawn
from flip7.terminal.replay.screen import ReplayScreen
from flip7.terminal.screens.play import PlayScreen
from flip7.terminal.table.board import WHEEL, Board, plan
from flip7.terminal.table.mine import Mine
from flip7.terminal.table.rooms import WIDE, felt, lines_of, rooms
from flip7.terminal.tables import LocalTable

EDGES = {"large": "╭───────╮", "small": "╭────╮"}
GRID = [(40, 20), (64, 20), (80, 24), (95, 30), (96, 33), (104, 34), (160, 24), (200, 60)]
LONG = "5 6 0 1 9 2 2 7 8 3 3 9 10 4 4 11 12"
MANY = " ".join(str(number) for number in range(12, 8, -1) for _ in range(9))
"""A number for each of 36 players."""


def size_in(widget: Drawn) -> str:
    """How large the cards are that a widget shows."""
    shown = widget.render().plain
    return next((size for size, edge in EDGES.items() if edge in shown), "chip")


def sizes(seen: Seen) -> tuple[str, str]:
    """How large the own cards are, and the others'."""
    return size_in(seen.app.screen.query_one(Mine)), size_in(seen.app.screen.query_one(Board))


async def test_the_own_hand_is_drawn_large_where_there_is_room() -> None:
    async with opened(lambda _: table(players=3)) as seen:
        for _ in range(3):
            await asked(seen)
            for size in ((80, 20), (80, 24), (96, 33), (100, 24), (120, 30), (200, 30)):
                await seen.pilot.resize_terminal(*size)
                await seen.pilot.pause()
                assert sizes(seen)[0] == "large", (size, seen.text)
            await seen.press("h")


@pytest.mark.parametrize(("players", "deck"), [(3, LONG), (6, DECK)])
async def test_no_hand_is_drawn_larger_than_the_own_one(players: int, deck: str) -> None:
    async with opened(lambda _: table(deck, players)) as seen:
        for turn in range(4):
            await asked(seen)
            for width, height in GRID if turn in (0, 3) else []:
                await seen.pilot.resize_terminal(width, height)
                await seen.pilot.pause()
                own, others = sizes(seen)
                assert SIZES.index(own) <= SIZES.index(others), (width, height, seen.text)
            await seen.press("h")


async def test_others_are_drawn_as_small_as_a_long_hand_of_ones_own() -> None:
    """Nothing but the own cards changes, and no room does."""
    async with opened(lambda _: table(players=3), size=(120, 40)) as seen:
        await asked(seen)
        assert sizes(seen) == ("large", "large")
        showing = screen_of(seen).showing
        assert showing is not None
        there = showing.scene.seats[0]
        there.cards = there.cards * 14
        screen_of(seen).show(None)
        await seen.pilot.pause()
        assert sizes(seen) == ("small", "small")


@pytest.mark.parametrize("others", range(36))
def test_what_is_shared_out_is_there(others: int) -> None:
    for width in range(40, 201, 5):
        for height in range(20, 61):
            for below in (0, 2):
                found = rooms(width, height, others, below, hand=True, choices=True)
                rest = height - 2 - below - sum(found)
                assert rest >= 7
                assert rooms(width, height, others, below, hand=False, choices=True).hand == 0
                if width < WIDE:
                    assert 0 <= lines_of(width, others, rest) <= rest


@pytest.mark.parametrize("screen", [lambda _: table(), lambda _: ReplayScreen(recorded())], ids=["play", "replay"])
async def test_the_others_have_as_many_columns_as_is_reckoned_with(screen: First) -> None:
    async with opened(screen) as seen:
        await seen.until(lambda: "Round 1" in seen.text)
        for width in (40, 64, 95, 96, 97, 100, 111, 133, 150, 177, 200):
            await seen.pilot.resize_terminal(width, 30)
            await seen.pilot.pause()
            assert 0 <= seen.app.screen.query_one(Board).size.width - felt(width) <= 1, width


@pytest.mark.parametrize("cards", range(1, 10))
def test_no_card_of_the_others_is_cut(cards: int) -> None:
    for width in range(40, 201):
        layout = plan(3, width, 30, cards)
        assert layout.size is None or 2 + cards * WIDTHS[layout.size] < width // layout.columns, width


def crowd(players: int = 36) -> PlayScreen:
    return PlayScreen(LocalTable(desk_with(MANY, players=players)), lambda *_: None)


def shown(seen: Seen) -> list[int]:
    """The seats in view."""
    return sorted(seat for *_, seat in seen.app.screen.query_one(Board)._places)


async def wheel(seen: Seen, kind: type[events.MouseScrollDown | events.MouseScrollUp]) -> None:
    seen.app.screen.query_one(Board).post_message(kind(None, 1, 1, 0, 0, 0, shift=False, meta=False, ctrl=False))
    await seen.pilot.pause()


@pytest.mark.parametrize(("size", "room", "language"), [((80, 24), 24, "de"), ((40, 20), 10, "fr")])
async def test_those_who_do_not_fit_are_counted_and_can_be_scrolled_to(
    size: tuple[int, int], room: int, language: str
) -> None:
    async with opened(lambda _: crowd(), size=size, language=language) as seen:
        await asked(seen)
        more = seen.app.words("term.board.more", n=35 - room)
        met = set(shown(seen))
        assert met == set(range(1, room + 1))
        for _ in range(35 // room):
            assert any(more in line and "PgUp PgDn" in line for line in seen.lines), seen.text
            await seen.press("pagedown")
            await seen.pilot.pause()
            met |= set(shown(seen))
        assert met == set(range(1, 36))
        assert shown(seen)[-1] == 35
        await seen.press("pagedown", "pageup")
        await seen.pilot.pause()
        assert shown(seen)[-1] == 35 - min(room, 35 - room), "nothing lies beyond the end"
        await seen.press(*["pageup"] * 4)
        await seen.pilot.pause()
        assert shown(seen)[0] == 1


async def test_the_wheel_and_a_click_scroll_as_well() -> None:
    async with opened(lambda _: crowd(), size=(40, 20)) as seen:
        await asked(seen)
        await wheel(seen, events.MouseScrollDown)
        assert shown(seen)[0] == 1 + WHEEL
        await wheel(seen, events.MouseScrollUp)
        assert shown(seen)[0] == 1
        await seen.pilot.click(Board, offset=(4, seen.app.screen.query_one(Board).size.height - 1))
        await seen.pilot.pause()
        assert shown(seen)[0] == 11


async def test_whoever_acts_comes_into_view_by_themselves() -> None:
    """Also after one has scrolled away; while nobody else acts it stays where it is."""
    async with opened(lambda _: crowd(), size=(40, 20)) as seen:
        await asked(seen)
        await seen.press("pagedown")
        screen = screen_of(seen)
        screen.show(None)
        await seen.pilot.pause()
        assert shown(seen)[0] == 11
        assert screen.showing is not None
        scene = screen.showing.scene
        for seat in (30, 5):
            scene.shown = (Card.FREEZE, seat)
            screen.show(None)
            await seen.pilot.pause()
            assert seat in shown(seen)
            await seen.press("pageup" if seat == 30 else "pagedown")
            await seen.pilot.pause()
            assert seat not in shown(seen)


async def test_where_all_fit_nothing_scrolls() -> None:
    async with opened(lambda _: crowd(18), size=(80, 24)) as seen:
        await asked(seen)
        before = seen.text
        assert "PgDn" not in before
        await seen.press("pagedown")
        await wheel(seen, events.MouseScrollDown)
        assert seen.text == before


async def test_a_replay_of_many_scrolls_too() -> None:
    game = Game(["Ana", *(bot.name for bot in company(35))], seed=3)
    while game.decision is not None and len(game.choices) < 60:
        game.play(game.decision.options[0])
    async with opened(lambda _: ReplayScreen(game), size=(40, 20)) as seen:
        await seen.until(lambda: re.search(r"\+\d+ more", seen.text) is not None)
        before = shown(seen)
        await seen.press("pagedown")
        await seen.pilot.pause()
        assert shown(seen) != before
    async with opened(lambda _: ReplayScreen(recorded()), size=(40, 20)) as seen:
        await seen.until(lambda: "Round 1" in seen.text)
        await seen.press("pagedown")
        await seen.pilot.pause()
        assert "Round 1" in seen.text


@pytest.mark.parametrize("screen", [lambda _: table(), lambda _: ReplayScreen(recorded())], ids=["play", "replay"])
async def test_help_lists_the_keys_that_scroll(screen: First) -> None:
    async with opened(screen) as seen:
        await seen.until(lambda: "Round 1" in seen.text)
        await seen.press("question_mark")
        await seen.until(lambda: "PgDn" in seen.text and "PgUp" in seen.text)
