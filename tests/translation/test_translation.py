"""The rules translated for the browser are the rules: the same events and the same table, input by input."""

from __future__ import annotations

import hashlib
import json
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from tests import parts

from flip7.game.options import Rules
from flip7.rules import inputs, log
from flip7.rules.agenda import may_get
from flip7.rules.cards import CARDS, FACES, Card
from flip7.rules.keeping import ways
from flip7.rules.log import NAMES
from flip7.rules.rulings import IDS
from flip7.rules.table import AWAIT_CARD, CHOOSE_TARGET, GAME_OVER, HIT_OR_STAY, LAYOUT, ROUND_OVER, Table, new_table
from flip7.scorekeeper.hands import ways as kept_ways

ROOT = Path(__file__).resolve().parent.parent.parent
EXTRA = {
    "round_started": "round",
    "deck_reshuffled": "cards",
    "card_flipped": "flips_left",
    "card_handed_out": "to",
    "second_chance_passed": "to",
    "player_frozen": "points",
    "playoff_called": "playoff",
}
Script = dict[str, Any]


def translator() -> ModuleType:
    return parts.load("tools/translate.py")


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("rules")
    for name, text in translator().translate(types=False).items():
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_text(text, encoding="utf-8")
    return place


def play_in_node(folder: Path, games: list[Script], decks: list[list[int]] | None = None) -> dict[str, Any]:
    told = {"folder": folder.as_uri(), "layout": list(LAYOUT), "games": games, "decks": decks or []}
    program = str(Path(__file__).with_name("play.mjs"))
    done = subprocess.run([parts.node(), program], input=json.dumps(told), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def print_of(table: Table) -> str:
    fields = [getattr(table, name) for name in LAYOUT]
    text = json.dumps([fields, table.log], separators=(",", ":"))
    return hashlib.sha1(text.encode()).hexdigest()[:12]


def random_game(chance: random.Random) -> tuple[Script, list[str], list[tuple[int, ...]]]:
    """A whole game with random choices: its script, and what the table and the log were after every input."""
    seats = chance.choice([1, 2, 3, 4, 5, 6, 7, 9, 12, 18, 19, 27, 36])
    composition = {card: chance.randint(0, 3) for card in CARDS} | {Card.N5: 2}
    rules = Rules(
        target=chance.randint(1, 120),
        dealer=chance.randrange(seats),
        first=chance.choice(("left", "dealer")),
        decks=chance.choice((None, None, 1, 2, 3)),
        composition=chance.choice((None, None, composition)),
        reshuffle=chance.choice(("empty", "empty", "round")),
    )
    boldness = chance.uniform(0.3, 0.95)
    deck = list(rules.deck_for(seats).values())
    start = rules.table(seats)
    table = new_table(seats, start.target, start.dealer, start.first, start.reshuffle, deck)
    script: Script = {
        "seats": seats,
        "target": start.target,
        "dealer": start.dealer,
        "first": start.first,
        "reshuffle": start.reshuffle,
        "deck": deck,
        "inputs": [],
    }
    prints: list[str] = []
    events: list[tuple[int, ...]] = []
    while table.waiting != GAME_OVER and len(prints) < 2500:
        for kind, value in next_input(table, chance, boldness):
            script["inputs"].append([kind, value])
            do(table, kind, value)
            prints.append(print_of(table))
            events += table.log
            table.log.clear()
    return script, prints, events


def do(table: Table, kind: str, value: int | None) -> None:
    """One input of a script."""
    function = getattr(inputs, {"begin": "begin_round"}.get(kind, kind))
    function(*([table] if value is None else [table, value]))


def next_input(table: Table, chance: random.Random, boldness: float) -> Iterator[tuple[str, int | None]]:
    if table.waiting == ROUND_OVER:
        yield "begin", None
    elif table.waiting == AWAIT_CARD:
        yield "reveal", chance.choices(range(FACES), table.draw)[0]
    elif table.waiting == HIT_OR_STAY:
        yield ("hit" if chance.random() < boldness else "stay"), None
    else:
        assert table.waiting == CHOOSE_TARGET
        yield "give", chance.choice([seat for seat in range(table.seats) if may_get(table, table.card, seat)])


def test_random_games_are_the_same_input_by_input(folder: Path) -> None:
    chance = random.Random(7)
    games = [random_game(chance) for _ in range(300)]
    played = play_in_node(folder, [script for script, _, _ in games])["played"]
    seen: set[int] = set()
    for (script, prints, events), other in zip(games, played, strict=True):
        first = next(
            (i for i, pair in enumerate(zip(prints, other["prints"], strict=True)) if pair[0] != pair[1]), None
        )
        assert first is None, f"different after input {first}: {script['inputs'][: (first or 0) + 1]}"
        assert [list(event) for event in events] == other["events"]
        seen |= {event[0] for event in events}
    assert {NAMES[kind] for kind in seen} == set(NAMES[: log.GAME_OVER + 1]), "not every kind of event came up"


def scenarios() -> list[dict[str, Any]]:
    themes = [json.loads(path.read_text("utf-8")) for path in sorted((ROOT / "tests" / "conformance").glob("*.json"))]
    return [scenario for theme in themes for scenario in theme["scenarios"]]


def script_of(scenario: dict[str, Any]) -> Script:
    """The inputs of a scenario. Which of them is due, the Python build says; what comes of it, the translated one."""
    rules = Rules(**scenario.get("rules", {}))
    table = rules.table(scenario["players"])
    script: Script = {
        "seats": table.seats,
        "target": table.target,
        "dealer": table.dealer,
        "first": table.first,
        "reshuffle": table.reshuffle,
        "deck": list(rules.deck_for(table.seats).values()),
        "inputs": [],
    }
    cards, choices = list(scenario["cards"]), list(scenario["choices"])
    while table.waiting != GAME_OVER:
        if table.waiting == ROUND_OVER:
            kind, value = "begin", None
        elif table.waiting == AWAIT_CARD:
            if not cards:
                break
            kind, value = "reveal", Card(cards.pop(0)).face
        else:
            if not choices:
                break
            choice = choices.pop(0)
            kind, value = (choice, None) if isinstance(choice, str) else ("give", choice)
        script["inputs"].append([kind, value])
        do(table, kind, value)
    assert not cards
    assert not choices
    return script


def as_event(entry: list[int]) -> dict[str, Any]:
    """An entry of the translated log as the conformance data writes it, without the hands of a scored round."""
    kind, seat, card, other, ruling = entry
    event: dict[str, Any] = {"kind": NAMES[kind], "ruling": IDS[ruling]}
    if seat >= 0:
        event["seat"] = seat
    if card >= 0:
        event["card"] = str(CARDS[card])
    if NAMES[kind] in EXTRA:
        event[EXTRA[NAMES[kind]]] = other
    return event


def test_the_conformance_data_hold(folder: Path) -> None:
    found = scenarios()
    assert len(found) >= 60
    played = play_in_node(folder, [script_of(scenario) for scenario in found])["played"]
    for scenario, other in zip(found, played, strict=True):
        expected = [{key: value for key, value in event.items() if key != "hands"} for event in scenario["events"]]
        assert [as_event(entry) for entry in other["events"]] == expected, scenario["name"]
        end, table = scenario["end"], other["table"]
        assert table["totals"] == [seat["total"] for seat in end["seats"]], scenario["name"]
        assert table["dealer"] == end["dealer"]
        assert table["playoffs"] == end["playoffs"]
        assert table["draw_left"] == end["draw"]
        assert (table["winner"] if table["winner"] >= 0 else None) == end["winner"]
        if end["rounds"]:
            assert table["scores"] == end["rounds"][-1]


def test_the_points_that_can_be_made_are_the_same(folder: Path) -> None:
    decks = [list(Rules(decks=number).deck_for(1).values()) for number in (1, 2, 3)]
    assert play_in_node(folder, [], decks)["ways"] == [ways(deck) for deck in decks]
    assert len(kept_ways(1)) == 172


def test_the_client_has_the_rules_as_they_are() -> None:
    done = subprocess.run([sys.executable, ROOT / "tools" / "translate.py", "--check"], capture_output=True, text=True)
    assert done.stderr == ""
    assert done.returncode == 0


def refused(source: str) -> str:
    module = translator()
    with pytest.raises(module.Refused) as told:
        module.Module("flip7.rules.scoring", source, typed=True).text()
    return str(told.value)


@pytest.mark.parametrize(
    "source",
    [
        "def f(a: int) -> int:\n    return a / 2",
        "def f(a: int) -> int:\n    return a ** 2",
        "def f(a: float) -> int:\n    return 1",
        "def f(a: int = 1) -> int:\n    return a",
        "def f(*a: int) -> int:\n    return 1",
        "def f(a: int) -> int:\n    return [x for x in range(a)][0]",
        "def f(a: int) -> int:\n    try:\n        return 1\n    except ValueError:\n        return 2",
        "def f(a: int) -> int:\n    with a:\n        return 1",
        "def f(a: int) -> int:\n    return abs(a)",
        "def f(a: int) -> int:\n    return unknown",
        "def f(a: int) -> int:\n    return a.real",
        "def f(a: int) -> int:\n    return a is 1",
        "def f(a: int) -> int:\n    return 1.5",
        "def f(a: int) -> int:\n    a += b\n    return a",
        "def f(a: int) -> int:\n    b += a\n    return b",
        "def f(a: int) -> int:\n    for i in range(a):\n        a = i\n    return i",
        "def f(a: int) -> int:\n    for i in range(a):\n        i = 3\n    return 1",
        "def f(a: int) -> int:\n    for i in range(0, a, 2):\n        return i",
        "def f(a: int) -> int:\n    return 1 < f(a) < 3",
        "def f(a: int) -> int:\n    return (lambda: 1)()",
        "def f(a: int) -> int:\n    b, c = a, a\n    return b",
        "def f(a: str) -> int:\n    return len(a)",
        "def f(a: str, b: str) -> bool:\n    return a < b",
        "def f(a: str) -> str:\n    return a[0]",
        "def f(a: list[int], b: list[int]) -> bool:\n    return a == b",
        "def f(a: list[int]) -> int:\n    return a[-1]",
        "def f(a: list[int]) -> list[int]:\n    return a[::2]",
        "def f(a: list[int]) -> int:\n    return 1 if a else 2",
        "def f(a: list[int]) -> int:\n    if not a:\n        return 1\n    return 2",
        "def f(a: list[str]) -> list[str]:\n    return sorted(a)",
        "def f(a: list[int]) -> int:\n    b = []\n    return len(b)",
        "def f(a: dict[int, str]) -> int:\n    return len(a)",
        "def f(a: int | str) -> str:\n    return a + 'x'",
        "def f(a: int) -> int:\n    if a > 1:\n        b = 2\n    return b",
        "def f(a: list[list[int]]) -> bool:\n    return [1] in a",
        "def f(a: int) -> list[list[int]]:\n    return [[0]] * a",
        "def f(a: str) -> str:\n    return f'{a:>5}'",
        "import os",
        "class Other:\n    x: int",
        "X = 1.5",
    ],
)
def test_what_might_mean_something_else_is_refused_with_its_line(source: str) -> None:
    assert refused(source).startswith("scoring.py:")
