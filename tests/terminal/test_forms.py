"""What is filled in and ticked: on the first screen and in the settings, also without colours and in ASCII."""

from __future__ import annotations

from typing import Any

import pytest
from tests.terminal.conftest import Seen, opened
from tests.terminal.test_sizes import of
from textual.widgets import Checkbox, Input, SelectionList

from flip7.strategy.cast import CAST
from flip7.terminal.screens.settings import SettingsScreen
from flip7.terminal.screens.start import StartScreen

LOOKS: list[dict[str, Any]] = [{}, {"ascii": True}, {"theme": "light"}]


def boxes(seen: Seen) -> dict[str, bool]:
    """Every box on show that is ticked or empty, by the first word behind it."""
    found = {}
    for line in seen.lines:
        for left, right in ("▐▌", "||"):
            for sign in "X ":
                box = f"{left}{sign}{right} "
                if box in line:
                    found[line.partition(box)[2].split()[0]] = sign == "X"
    return found


@pytest.mark.parametrize("plain", [True, False])
@pytest.mark.parametrize("look", LOOKS)
async def test_what_is_not_picked_has_an_empty_box(
    plain: bool, look: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    if plain:
        monkeypatch.setenv("NO_COLOR", "1")
    names = [member.name.split()[0] for member in CAST]
    picked = [member.id for member in CAST[:2]]
    async with opened(of(StartScreen), opponents=picked, **look) as seen:
        await seen.on("StartScreen")
        assert boxes(seen) == {name: name in names[:2] for name in names}
        seen.app.screen.query_one(SelectionList).focus()
        await seen.press("space", "down", "down", "down", "space")
        await seen.pilot.pause()
        assert boxes(seen) == {name: name in (names[1], names[3]) for name in names}


@pytest.mark.parametrize("plain", [True, False])
@pytest.mark.parametrize("look", LOOKS)
async def test_what_is_not_set_has_an_empty_box(
    plain: bool, look: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    if plain:
        monkeypatch.setenv("NO_COLOR", "1")
    ascii_only = look.get("ascii", False)
    async with opened(of(SettingsScreen), gauge=True, **look) as seen:
        await seen.on("SettingsScreen")
        assert boxes(seen) == {"Bust": True, "ASCII": ascii_only, "Plain": False}
        for id in ("gauge", "lines"):
            seen.app.screen.query_one(f"#{id}", Checkbox).focus()
            await seen.press("space")
        await seen.pilot.pause()
        assert boxes(seen) == {"Bust": False, "ASCII": ascii_only, "Plain": True}


async def test_the_text_of_a_box_is_all_there_and_its_lines_begin_below_each_other() -> None:
    async with opened(of(SettingsScreen), size=(40, 24), language="de") as seen:
        await seen.on("SettingsScreen")
        told = seen.app.words("term.settings.lines")
        assert told in " ".join(seen.text.split())
        (first,) = (y for y, line in enumerate(seen.lines) if told[:8] in line)
        at = seen.lines[first].index(told[:8])
        assert seen.lines[first + 1][:at].isspace()
        assert not seen.lines[first + 1][at].isspace()
        assert {line.index("▐") for line in seen.lines if "▐" in line} == {1}


@pytest.mark.parametrize("field", ["#players", "#target"])
async def test_a_field_for_a_number_leaves_letters_to_the_screen(field: str) -> None:
    async with opened(of(StartScreen)) as seen:
        for key, there in (("question_mark", "RulesScreen"), ("comma", "SettingsScreen"), ("n", "PlayScreen")):
            await seen.on("StartScreen")
            box = seen.app.screen.query_one(field, Input)
            box.focus()
            await seen.press("end", "backspace", "4", "x")
            assert box.value[-1] == "4"
            await seen.press(key)
            await seen.on(there)
            assert box.value[-1] == "4"
            await seen.press("escape")


async def test_a_name_takes_every_letter() -> None:
    async with opened(of(SettingsScreen), name="") as seen:
        await seen.on("SettingsScreen")
        await seen.press("q", "n", "comma", "1")
        assert seen.app.screen.query_one("#name", Input).value == "qn,1"
