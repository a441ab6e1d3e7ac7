"""The scenarios of this folder, read strictly and played. As a program, this file completes new ones (README.md)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, Literal

import msgspec
import pytest

from flip7 import Card, Event, Game, Rules
from flip7.rules.log import GAME_OVER, NAMES
from flip7.rules.rulings import IDS
from flip7.testing import check_table, scripted

FOLDER = Path(__file__).resolve().parent
FAQ_CASES = range(1, 16)


class Decision(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    kind: Literal["turn", "target", "card"]
    seat: int
    card: Card | None = None
    options: list[str | int] = []


class Seat(msgspec.Struct, forbid_unknown_fields=True):
    status: str
    points: int
    total: int
    cards: list[Card]


class End(msgspec.Struct, forbid_unknown_fields=True):
    rounds: list[list[int]]
    winner: int | None
    playoffs: int
    challenge: bool | None
    dealer: int
    seats: list[Seat]
    pending: list[Card]
    draw: int
    discard: dict[Card, int]
    decision: Decision | None


class Scenario(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    name: str
    about: str
    rulings: list[str]
    faq: int | None = None
    players: int
    rules: dict[str, Any] = {}
    cards: list[Card]
    choices: list[str | int]
    events: list[dict[str, Any]]
    end: End


class Theme(msgspec.Struct, forbid_unknown_fields=True):
    format: Literal[1]
    theme: str
    scenarios: list[Scenario]


def files() -> list[Path]:
    return sorted(FOLDER.glob("*.json"))


@cache
def scenarios() -> list[Scenario]:
    themes = [msgspec.json.decode(path.read_bytes(), type=Theme) for path in files()]
    return [scenario for theme in themes for scenario in theme.scenarios]


def play(scenario: Scenario) -> Game:
    """Feed a game with the cards and choices of a scenario."""
    rules = msgspec.convert(scenario.rules, Rules)
    return scripted(scenario.players, scenario.cards, scenario.choices, rules=rules)


def as_data(event: Event) -> dict[str, Any]:
    """An event as plain data with every field that applies to it."""
    fields = {name: value for name, value in msgspec.structs.asdict(event).items() if value is not None}
    data: dict[str, Any] = json.loads(msgspec.json.encode({"kind": event.kind, **fields}))
    return data


def end(game: Game) -> End:
    """What can be seen of a game now."""
    ask = game.decision
    return End(
        rounds=game.rounds,
        winner=game.winner,
        playoffs=game.playoffs,
        challenge=game.challenge,
        dealer=game.dealer,
        seats=[Seat(seat.status, seat.points, seat.total, list(seat.cards)) for seat in game.seats],
        pending=list(game.pending),
        draw=sum(game.draw_pile.values()),
        discard={card: count for card, count in game.discard_pile.items() if count},
        decision=Decision(ask.kind, ask.seat, ask.card, list(ask.options) if ask.kind != "card" else [])
        if ask
        else None,
    )


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Give each test its scenarios; read now and not earlier, so that incomplete ones can be completed."""
    if "scenario" in metafunc.fixturenames:
        metafunc.parametrize("scenario", scenarios(), ids=lambda scenario: scenario.name)
    if "unshuffled" in metafunc.fixturenames:
        ordered = [s for s in scenarios() if all(event["kind"] != "deck_reshuffled" for event in s.events)]
        metafunc.parametrize("unshuffled", ordered, ids=lambda scenario: scenario.name)


def test_the_game_ends_up_as_the_scenario_says(scenario: Scenario) -> None:
    game = play(scenario)
    assert [as_data(event) for event in game.events] == scenario.events
    assert end(game) == scenario.end
    check_table(game)


def test_a_deck_in_this_order_plays_the_same(unshuffled: Scenario) -> None:
    """Where nothing is reshuffled, a game whose deck begins with these cards tells the same events."""
    rules = msgspec.convert(unshuffled.rules, Rules)
    game = Game(unshuffled.players, seed=0, rules=rules, deck=unshuffled.cards)
    for choice in unshuffled.choices:
        game.play(choice)
    assert [as_data(event) for event in game.events[: len(unshuffled.events)]] == unshuffled.events


def test_there_are_enough_scenarios_and_none_has_the_name_of_another() -> None:
    names = [scenario.name for scenario in scenarios()]
    assert len(names) == len(set(names)) >= 60


def test_the_scenarios_reach_every_ruling_of_the_game() -> None:
    named = {name for scenario in scenarios() for name in scenario.rulings}
    assert named <= set(IDS)
    assert {name for name in IDS if not name.startswith("KEEP-")} <= named


def test_the_scenarios_reach_every_case_of_the_faq_and_all_sizes_of_table() -> None:
    assert {scenario.faq for scenario in scenarios()} == {None, *FAQ_CASES}
    assert {1, 2, 18, 19, 36} <= {scenario.players for scenario in scenarios()}


def test_every_kind_of_event_is_in_some_scenario() -> None:
    assert {event["kind"] for scenario in scenarios() for event in scenario.events} == set(NAMES[: GAME_OVER + 1])


@pytest.mark.parametrize("path", files(), ids=lambda path: path.stem)
def test_the_files_are_laid_out_as_this_program_writes_them(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert layout(json.loads(text)) == text


def complete(data: dict[str, Any]) -> dict[str, Any]:
    """A scenario with its events, and with what it leaves out of its end; what it says must be true."""
    known: dict[str, Any] = data["end"]
    blank = {"events": [], "end": msgspec.to_builtins(end(Game(data["players"], live=True)))}
    game = play(msgspec.convert({**data, **blank}, Scenario))
    check_table(game)
    found: dict[str, Any] = msgspec.to_builtins(end(game))
    for wrong in _differences(known, found, data["name"]):
        raise SystemExit(wrong)
    events = [as_data(event) for event in game.events]
    if data.get("events", events) != events:
        raise SystemExit(f"{data['name']}: the events differ; take them out to have them written anew")
    return {**{key: value for key, value in data.items() if key not in blank}, "events": events, "end": found}


def _differences(known: object, found: object, where: str) -> Iterator[str]:
    if isinstance(known, dict) and isinstance(found, dict) and not where.endswith("discard"):
        for key, value in known.items():
            yield from _differences(value, found.get(key), f"{where}.{key}")
    elif isinstance(known, list) and isinstance(found, list) and len(known) == len(found):
        for i, value in enumerate(known):
            yield from _differences(value, found[i], f"{where}[{i}]")
    elif known != found:
        yield f"{where}: {known!r} in the file, {found!r} in the game"


def layout(data: dict[str, Any]) -> str:
    """A file of scenarios as text: a line for each field, each event and each seat."""
    blocks = []
    for scenario in data["scenarios"]:
        lines = [f"      {_json(key)}: {_value(value, 6)}" for key, value in scenario.items()]
        blocks.append("    {\n" + ",\n".join(lines) + "\n    }")
    head = "".join(f"  {_json(key)}: {_json(data[key])},\n" for key in ("format", "theme"))
    return "{\n" + head + '  "scenarios": [\n' + ",\n".join(blocks) + "\n  ]\n}\n"


def _value(value: Any, depth: int) -> str:
    pad = " " * (depth + 2)
    if isinstance(value, dict) and "rounds" in value:
        inner = [f"{pad}{_json(key)}: {_value(part, depth + 2)}" for key, part in value.items()]
        return "{\n" + ",\n".join(inner) + "\n" + " " * depth + "}"
    if isinstance(value, list) and value and isinstance(value[0], dict):
        return "[\n" + ",\n".join(pad + _json(part) for part in value) + "\n" + " " * depth + "]"
    return _json(value)


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


if __name__ == "__main__":
    for file in files():
        content = json.loads(file.read_text(encoding="utf-8"))
        content["scenarios"] = [complete(scenario) for scenario in content["scenarios"]]
        file.write_text(layout(content), encoding="utf-8")
