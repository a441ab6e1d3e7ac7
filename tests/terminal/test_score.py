"""The scorekeeper on the screen: hands that are typed, refused at once, corrected; playoffs; rounds card by card."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.terminal.conftest import Seen, opened
from textual.events import Key
from textual.screen import Screen
from textual.widgets import Input

from flip7.catalogue import LANGUAGES
from flip7.cli import main
from flip7.scorekeeper import storage
from flip7.scorekeeper.match import Match
from flip7.terminal import settings
from flip7.terminal.app import TerminalApp
from flip7.terminal.score.screen import ScoreScreen
from flip7.terminal.screens.base import Prompt, Sheet
from flip7.terminal.settings import Settings


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "match.json"


def screen(path: Path, target: int = 60) -> ScoreScreen:
    return ScoreScreen(Match(["Ana", "Ben", "Cho"], target=target), path)


async def type_only(seen: Seen, text: str) -> None:
    names = {" ": "space", "+": "plus"}
    await seen.press(*(names.get(sign, sign) for sign in text))
    await seen.pilot.pause()


async def test_a_match_with_a_correction_and_a_playoff_is_kept_to_its_winner(path: Path) -> None:
    async with opened(lambda _: screen(path)) as seen:
        await seen.on("ScoreScreen")
        for hand in ("12 7 x2", "24", "b", "30", "36", "25"):
            await seen.type(hand)
        match = storage.load(path)
        assert match.rounds == [[38, 24, 0], [30, 36, 25]]
        assert match.winner == 0
        assert "Ana wins!" in seen.text
        await seen.type("edit 1")
        assert "Correct round 1" in seen.text
        await seen.type("30")
        await seen.type("")
        await seen.type("")
        match = storage.load(path)
        assert match.rounds[0] == [30, 24, 0]
        assert match.winner is None
        assert match.playoff
        assert "Playoff" in seen.text
        for hand in ("10", "12", "b"):
            await seen.type(hand)
        match = storage.load(path)
        assert match.winner == 1
        assert match.playoffs == [2]


async def test_what_cannot_be_is_refused_while_it_is_typed(path: Path) -> None:
    async with opened(lambda _: screen(path)) as seen:
        await type_only(seen, "12 12")
        assert "A second 12 busts" in seen.text
        await seen.press("backspace", "backspace")
        await seen.pilot.pause()
        assert "A second 12 busts" not in seen.text
        await seen.press(*["backspace"] * 3)
        await type_only(seen, "999")
        assert "No hand makes" in seen.text
        await seen.press("enter")
        await seen.pilot.pause()
        assert storage.load(path).open_round == [None, None, None]


async def test_words_take_back_rename_and_change_the_target(path: Path) -> None:
    async with opened(lambda _: screen(path)) as seen:
        for line in ("24", "u", "name Ana Anna", "target 300", "dealer Cho"):
            await seen.type(line)
        match = storage.load(path)
        assert match.players[0] == "Anna"
        assert match.target == 300
        assert match.dealer == 2
        assert match.open_round[0] is None
        await seen.type("drop 7")
        assert "no round" in seen.text
        await type_only(seen, "24")
        await seen.press("enter", "ctrl+z")
        await seen.pilot.pause()
        assert storage.load(path).open_round[0] is None


@pytest.mark.parametrize(
    ("keys", "rounds", "left"),
    [
        ("24\rb\r12 7\r", [[24, 0, 19]], ""),
        ("24\rwhat?\x15b\r12 7\r", [[24, 0, 19]], ""),
        ("30\r\x1a24\rb\r12 7\r", [[24, 0, 19]], ""),
        ("24\r13 1\r", [], "13 1"),
    ],
    ids=["lines", "a line taken away", "an undo", "a refusal"],
)
async def test_keys_that_come_all_at_once_are_taken_in_their_order(
    path: Path, keys: str, rounds: list[list[int]], left: str
) -> None:
    """A slow link brings many keys in one piece."""
    names = {"\r": "enter", "\x15": "ctrl+u", "\x1a": "ctrl+z", " ": "space", "?": "question_mark"}
    async with opened(lambda _: screen(path)) as seen:
        await seen.on("ScoreScreen")
        for key in keys:
            seen.app.post_message(Key(names.get(key, key), key if key.isprintable() else None))
        await seen.until(lambda: storage.load(path).rounds == rounds and storage.load(path).open_round[0] in (24, None))
        await seen.until(lambda: seen.app.screen.query_one(Input).value == left)
        assert ("'13' is no card" in seen.text) == bool(left)


@pytest.mark.parametrize("language", LANGUAGES)
async def test_what_can_be_typed_is_said_in_the_room_that_there_is(path: Path, language: str) -> None:
    async with opened(lambda _: screen(path), size=(40, 20), language=language) as seen:
        await seen.until(lambda: "12 7 x2, 24, b, ?" in seen.text)
        await seen.pilot.resize_terminal(80, 24)
        await seen.until(lambda: "(12 7 x2)" in seen.text)
        await seen.pilot.resize_terminal(40, 20)
        await seen.until(lambda: "12 7 x2, 24, b, ?" in seen.text)
        await seen.press("f2")
        await seen.until(lambda: " 12, x2, +4, freeze, flip3, second" in seen.text)
        for line in ("freeze", "1", "5", "7"):
            await seen.type(line)
            prompt = seen.app.screen.query_one(Prompt)
            assert prompt.placeholder in seen.text


async def test_a_round_is_followed_card_by_card(path: Path) -> None:
    async with opened(lambda _: screen(path)) as seen:
        await seen.on("ScoreScreen")
        await seen.press("f2")
        await seen.on("LiveScreen")
        for line in ("5", "7", "freeze"):
            await seen.type(line)
        assert "Whom do you freeze?" in seen.text
        await seen.type("Cho")
        await seen.type("s")
        await seen.type("9")
        await seen.type("12 Ana")
        match = storage.load(path)
        assert match.live is not None
        await seen.type("u")
        await seen.type("s")
        assert storage.load(path).rounds != []
        await seen.press("escape")
        await seen.on("ScoreScreen")


async def test_a_round_card_by_card_knows_names_of_several_words(path: Path) -> None:
    match = Match(["Ana Maria", "Ana Lucia", "Ben"], target=60)
    async with opened(lambda _: ScoreScreen(match, path)) as seen:
        await seen.press("f2")
        await seen.on("LiveScreen")
        for line in ("5", "freeze", "ana lucia", "7", "9 ana maria"):
            await seen.type(line)
        assert match.live is not None
        assert [str(card) for card in match.live.position.seats[0].cards if card in ("9", "7", "5")] != []
        assert match.live.position.seats[1].status == "frozen"


async def test_a_round_card_by_card_says_in_every_language_what_can_be_typed(path: Path) -> None:
    match = Match(["Ana", "Ben", "12 Monkeys"], target=60)
    async with opened(lambda _: ScoreScreen(match, path), language="de") as seen:
        await seen.press("f2")
        await seen.on("LiveScreen")
        for line in ("13", "lost 13", "13 ben"):
            await seen.type(line)
            assert "'13' ist keine Karte: es gibt 0 bis 12" in seen.text
            seen.app.screen.query_one(Input).value = ""
        await seen.type("freeze")
        for line in ("0", "4", "99"):
            await seen.type(line)
            assert f"'{line}' ist niemand hier: Ana, Ben, 12 Monkeys" in seen.text
            seen.app.screen.query_one(Input).value = ""
        await seen.type("1")
        assert match.live is not None
        assert match.live.position.seats[0].status == "frozen"


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("edit x", "Runde 'x': Es muss eine ganze Zahl sein"),
        ("edit 9", "Runde 9: Es gibt 1 Runde"),
        ("leave Zoe", "'Zoe' ist niemand hier: Ana, Ben, Cho"),
        ("", "eine leere Zeile"),
        ("u", "Zurückgenommen: raus für Cho"),
        ("drop", "Nach 'drop' kommt 1 Wort"),
    ],
)
async def test_what_is_told_of_a_line_is_in_the_language_that_is_spoken(path: Path, line: str, told: str) -> None:
    async with opened(lambda _: screen(path), language="de") as seen:
        for hand in ("24", "30", "b"):
            await seen.type(hand)
        await seen.type(line)
        await seen.until(lambda: told in " ".join(seen.text.split()))


async def test_help_and_conflicts_are_in_the_language_that_is_spoken(path: Path) -> None:
    first = Match(["Ana", "Ben"], target=60, device="one")
    second = Match.from_json(first.to_json(), device="two")
    first.enter([10, 20])
    second.enter([11, 20])
    first.merge(second.operations)
    assert first.conflicts
    async with opened(lambda _: ScoreScreen(first, path), language="de") as seen:
        await seen.until(lambda: "Ana, Runde 1" in seen.text)
        await seen.press("f1")
        await seen.until(lambda: "die Karten am Ende" in seen.text)


async def test_a_match_speaks_the_language_of_the_settings(path: Path) -> None:
    async with opened(lambda _: screen(path), language="de") as seen:
        await type_only(seen, "12 12")
        assert "raus" in seen.text


async def test_statistics_and_the_graph_are_one_key_away(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(storage, "folder", lambda: path.parent)
    async with opened(lambda _: screen(path)) as seen:
        for hand in ("61", "24", "b"):
            await seen.type(hand)
        await seen.press("f3")
        await seen.until(lambda: "best round" in seen.text)
        await seen.press("escape", "f4")
        await seen.on("TotalsScreen")
        await seen.press("escape")


async def test_while_a_round_is_corrected_help_is_help_and_refusals_are_in_the_language(path: Path) -> None:
    match = Match(["Ana", "Ben"])
    match.enter([10, 20])
    async with opened(lambda _: ScoreScreen(match, path), language="de") as seen:
        await seen.type("edit 1")
        await seen.type("foo")
        assert "'foo' ist keine Karte" in seen.text
        await seen.press(*["backspace"] * 3)
        await seen.press("question_mark", "enter")
        await seen.until(lambda: isinstance(seen.app.screen, Sheet))
        await seen.press("escape")
        await seen.type("q")
        assert match.rounds == [[10, 20]]


async def test_who_plays_is_asked_on_the_screen(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`flip7 score` opens the screen at once; names that cannot be are refused there."""
    shown: list[Callable[[TerminalApp], Screen[Any]]] = []

    def show(first: Callable[[TerminalApp], Screen[Any]], args: object) -> int:
        shown.append(first)
        return 0

    monkeypatch.setattr("flip7.commands.screen.is_wanted", lambda args, command: True)
    monkeypatch.setattr("flip7.commands.screen.show", show)
    assert main(["score", str(path), "--target", "90"]) == 0
    async with opened(shown[0]) as seen:
        await seen.on("WhoScreen")
        assert "Who plays, clockwise?" in seen.text
        await seen.type("")
        seen.app.screen.query_one(Input).value = " ".join(f"p{n}" for n in range(37))
        await seen.press("enter")
        await seen.until(lambda: "1 to 36 can" in seen.text)
        seen.app.screen.query_one(Input).value = ""
        await seen.type("ana ben")
        await seen.on("ScoreScreen")
    match = storage.load(path)
    assert match.players == ("ana", "ben")
    assert match.target == 90


def test_lines_of_the_scorekeeper_are_in_the_language_of_the_settings(
    path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    settings.save(Settings(language="de"))
    lines = iter(["12 12", "12 7", "foo", "b", "u", "b", "q"])
    monkeypatch.setattr("builtins.input", lambda _: next(lines))
    assert main(["score", "--plain", "--players", "Ana", "Ben"]) == 0
    assert main(["score", "--list"]) == 0
    assert main(["score", "--statistics"]) == 0
    told = " ".join(capsys.readouterr().out.split())
    for text in ("ist keine Karte", "Rang", "zurückgenommen: ", "gespeichert in", "nicht zu Ende"):
        assert text in told
    for english in (" rank", " total ", "took back", "deals", "kept in", "unfinished", "points", "busts ("):
        assert english not in told
    assert "19,0" in told
