"""The browser's model of a match is Python's: devices and their tabs enter, correct, take back, follow cards and merge.

Thousands of deeds, whether they are accepted or refused, are done by the Python model and by its translation. After
each of them the refusal and the whole sheet are compared; at the end the operations, the record and the statistics.
"""

from __future__ import annotations

import hashlib
import json
import random
import subprocess
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests import parts

from flip7.game.game import Game
from flip7.rules.cards import CARDS, Card
from flip7.rules.table import LAYOUT, Table
from flip7.scorekeeper.hands import BOOK, ways
from flip7.scorekeeper.model import entering, following, record
from flip7.scorekeeper.model import state as state_of
from flip7.scorekeeper.model.operations import AnyOperation, Start, Step
from flip7.scorekeeper.model.sheet import Sheet
from flip7.scorekeeper.model.statistics import new_tallies, tally_match

DEVICES = ["one~a", "one~b", "two", "three~a", "file"]
POSSIBLE = [points for points, way in enumerate(ways(1)) if way]
NAMES = ["Ana", "Zoë", "👨‍👩‍👧‍👦", "می‌خواهم", "", "a\u202eb", "x" * 201, "Max"]
Deed = list[Any]


def plainly(value: object) -> object:
    """Any value of the model as lists, numbers and texts, in the same way as devices.mjs."""
    if isinstance(value, Table):
        return [plainly(getattr(value, name)) for name in LAYOUT]
    if isinstance(value, msgspec.Struct):
        tag = value.__struct_config__.tag
        fields = {name: plainly(getattr(value, name)) for name in value.__struct_fields__}
        return fields | ({"kind": tag} if tag is not None else {})
    if isinstance(value, dict):
        return [[str(key), plainly(one)] for key, one in value.items()]
    if isinstance(value, list | tuple):
        return [plainly(one) for one in value]
    return str(value) if isinstance(value, Card) else value


def text(value: object) -> str:
    return json.dumps(plainly(value), separators=(",", ":"), sort_keys=True, ensure_ascii=False)


def print_of(value: object) -> str:
    return hashlib.sha1(text(value).encode()).hexdigest()[:12]


def entry(chance: random.Random) -> object:
    kind = chance.random()
    if kind < 0.2:
        return "bust"
    if kind < 0.6:
        return chance.choice([*POSSIBLE[:70], 0, 1, 144, 146, 150, 171, 172, 999, -1])
    some = chance.sample(CARDS, chance.randint(0, 7))
    return [str(card) for card in (some if kind < 0.95 else [*some, *some, *CARDS[:8]])]


def live_deed(chance: random.Random, sheet: Sheet) -> Deed:
    """Something that happens at a table which is followed card by card: mostly what is due."""
    live = sheet.live
    anyone = chance.choice([*sheet.ids, ""])
    rare = chance.random()
    if live is None or rare < 0.04:
        return chance.choice([["live_shuffle"], ["live_lost", str(chance.choice(CARDS))], ["live_stay", anyone]])
    if rare < 0.08 and live.steps:
        step = chance.choice(live.steps)
        other = {"do": "card", "player": step.step.player, "card": str(chance.choice(CARDS)), "to": "", "anyway": False}
        return ["mend", step.id, chance.choice([[], [other], [other, other]])]
    if live.due == "target":
        return ["live_give", sheet.ids[chance.choice(live.targets)] if rare < 0.9 else anyone]
    if live.due == "turn" and chance.random() < 0.5:
        return ["live_stay", "" if rare < 0.9 else anyone]
    card = chance.choices(CARDS, [copies + 1 for copies in live.table.draw])[0]
    return ["live_card", str(card), "" if rare < 0.88 else anyone, chance.random() < 0.5]


def deed(chance: random.Random, sheet: Sheet, liveness: float) -> Deed:
    player = chance.choice([*sheet.ids, "nobody"])
    if chance.random() < liveness:
        return live_deed(chance, sheet)
    here = [one.id for one in sheet.players]
    kind = chance.choice(["enter"] * 6 + ["some"] * 3 + ["edit", "remove", "rename", "add", "retire", "rejoin"])
    kind = chance.choice([kind] * 5 + ["undo", "redo", "target", "dealer", "stop", "resume", "resolve"])
    if kind == "enter":
        return ["enter", {one: entry(chance) for one in here}]
    if kind == "some":
        return ["enter", {player: entry(chance)}]
    if kind == "edit":
        return ["edit", chance.randint(-1, 5), {player: entry(chance)}]
    if kind == "remove":
        return ["remove", chance.randint(0, 6)]
    if kind == "rename":
        return ["rename", player, chance.choice(NAMES)]
    if kind == "add":
        return ["add", chance.choice([*NAMES, *(f"Late {n}" for n in range(9))]), chance.choice([0, 40, -1]), player]
    if kind == "target":
        return ["change_target", chance.choice([0, 60, 150, 1_000_001])]
    if kind == "resolve":
        return ["resolve", chance.randint(0, 2), chance.randint(0, 2)]
    if kind == "dealer":
        return ["change_dealer", player]
    return [kind, player] if kind in ("retire", "rejoin") else [kind]


def read(value: object) -> object:
    """An argument as Python's model takes it."""
    if isinstance(value, dict):
        return {player: read(one) for player, one in value.items()}
    if isinstance(value, list):
        return [msgspec.convert(one, Step) if isinstance(one, dict) else Card(one) for one in value]
    return Card(value) if isinstance(value, str) and value in list(CARDS) else value


def keep(chance: random.Random, length: int) -> tuple[dict[str, Any], dict[str, Any]]:
    """A match kept on all devices: what they did, and what came of it in Python."""
    seats = chance.choice([1, 2, 3, 4, 6, 19])
    start = Start(
        clock=0,
        device="one~a",
        players=tuple(f"P{seat}" for seat in range(seats)),
        target=chance.choice([40, 90, 200]),
        dealer=chance.randrange(seats),
        decks=chance.choice([None, None, None, 1, 3]),
    )
    states: list[state_of.State] = []
    for device in DEVICES:
        state = state_of.open_match([start], device, device == "file", BOOK).state
        assert state is not None
        states.append(state)
    liveness = chance.choice([0, 0.3, 0.9])
    deeds: list[Deed] = []
    results = []
    for _ in range(length):
        who = chance.randrange(len(states))
        state = states[who]
        if chance.random() < 0.15:
            other = chance.randrange(len(states))
            deeds.append([who, "merge", other])
            refusal = state_of.merge(state, list(states[other].history.ordered))
            results.append([refusal.code if refusal else "", print_of(state.sheet)])
            continue
        done = deed(chance, state.sheet, liveness)
        deeds.append([who, *({"pairs": list(one.items())} if isinstance(one, dict) else one for one in done)])
        names = {"live_card", "live_lost"}
        values = [read(value) if done[0] in names or not isinstance(value, str) else value for value in done[1:]]
        if done[0] == "live_card":
            values[1] = done[2]
        refusal = getattr(following if hasattr(following, done[0]) else entering, done[0])(state, *values)
        results.append(["" if refusal is None else text(refusal), print_of(state.sheet)])
    tallies = new_tallies()
    for state in states:
        tally_match(tallies, state.sheet)
    first = states[0].sheet
    told = {
        "results": results,
        "operations": [print_of(state.history.ordered) for state in states],
        "record": record.record_text(first, start.dealer, None) if record.can_record(first) else "",
        "tallies": print_of(tallies),
    }
    return {"start": msgspec.to_builtins(start), "devices": DEVICES, "deeds": deeds}, told


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("model")
    for name, source in parts.load("tools/translate.py").translate(types=False).items():
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_text(source, encoding="utf-8")
    return place


def in_node(folder: Path, matches: list[dict[str, Any]]) -> list[dict[str, Any]]:
    program = str(Path(__file__).with_name("devices.mjs"))
    told = json.dumps({"folder": folder.as_uri(), "layout": list(LAYOUT), "matches": matches})
    done = subprocess.run([parts.node(), program], input=told, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    answer: list[dict[str, Any]] = json.loads(done.stdout)
    return answer


def test_the_browser_accepts_refuses_counts_and_merges_like_python(folder: Path) -> None:
    chance = random.Random(9)
    kept = [keep(chance, 45) for _ in range(70)]
    found = in_node(folder, [match for match, _ in kept])
    codes: set[str] = set()
    for (match, told), other in zip(kept, found, strict=True):
        for at, (mine, theirs) in enumerate(zip(told["results"], other["results"], strict=True)):
            assert mine == theirs, f"different after {match['deeds'][: at + 1]}"
            codes |= {json.loads(mine[0])["code"]} if mine[0].startswith("{") else set()
        assert told == other
    assert len(codes) > 25, f"too few kinds of refusals came up: {sorted(codes)}"


def followed(seed: int) -> state_of.State:
    """A whole match followed card by card, with deviations."""
    chance = random.Random(seed)
    seats = chance.choice([2, 3, 6])
    names = tuple(f"P{seat}" for seat in range(seats))
    start: list[AnyOperation] = [Start(clock=0, device="one", players=names, target=90, dealer=seed % seats)]
    state = state_of.open_match(start, "one", False, BOOK).state
    assert state is not None
    for _ in range(600):
        if state.sheet.winner is not None:
            break
        done = live_deed(chance, state.sheet)
        if done[0] != "mend" and chance.random() < 0.99:
            values = [
                Card(v) if isinstance(v, str) and v in list(CARDS) and i == 0 else v for i, v in enumerate(done[1:])
            ]
            getattr(following if hasattr(following, done[0]) else entering, done[0])(state, *values)
        elif chance.random() < 0.2:
            entering.retire(state, chance.choice(state.sheet.ids))
    return state


def test_the_record_of_a_followed_match_is_read_by_the_game_with_all_its_deviations() -> None:
    """What `record_text` writes, `Game.from_record` plays card by card, and its scores are those of the sheet."""
    deviations: set[str] = set()
    finished = 0
    for seed in range(25):
        state = followed(seed)
        start = state.history.ordered[0]
        assert isinstance(start, Start)
        assert record.can_record(state.sheet)
        written = record.record_text(state.sheet, start.dealer, None)
        game = Game.from_record(written)
        assert game.record() == written
        assert [[played.scores.get(one, 0) for one in state.sheet.ids] for played in state.sheet.rounds] == game.rounds
        assert (None if game.winner is None else state.sheet.ids[game.winner]) == state.sheet.winner
        finished += game.winner is not None
        deviations |= {word.partition(":")[0] for word in written.split() if word.startswith("!")}
    assert deviations == {"!shuffle", "!lost", "!leave", "!stay", "!to", "!extra"}
    assert finished > 10
