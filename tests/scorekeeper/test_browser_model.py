"""The scorekeeper in the browser and the one in Python are the same: random matches, corrected and merged."""

import json
import os
import random
import subprocess
from pathlib import Path

from tests import parts

import flip7
from flip7.scorekeeper.hands import Entry, ways

WEB = Path(__file__).resolve().parent.parent.parent / "web"
POSSIBLE = [points for points, way in enumerate(ways(1)) if way]


def entry(chance: random.Random) -> Entry:
    kind = chance.random()
    if kind < 0.2:
        return "bust"
    if kind < 0.5:
        return chance.choice(POSSIBLE[:70])
    return sorted(chance.sample(list(flip7.Card), chance.randint(0, 6)))


def scribble(match: flip7.Match, chance: random.Random) -> None:
    """One random operation; what the match refuses is not entered."""
    seat = chance.randrange(len(match.players))
    hands = [entry(chance) for _ in match.present]
    try:
        match.undo() if chance.random() < 0.1 else None
        match.redo() if chance.random() < 0.05 else None
        kind = chance.choice(
            ["enter"] * 8 + ["some", "edit", "remove", "rename", "add", "retire", "rejoin"] + ["target"]
        )
        if kind == "enter":
            match.enter(hands)
        elif kind == "some":
            match.enter_some({seat: entry(chance)})
        elif kind == "edit":
            match.edit_some(chance.randint(0, 5), {seat: entry(chance)})
        elif kind == "remove":
            match.remove(chance.randint(0, 5))
        elif kind == "rename":
            match.rename(seat, chance.choice(["Ana", "Zoë", "Max"]))
        elif kind == "add":
            match.add(chance.choice(["Late", "Later"]), chance.randint(0, 60), after=seat)
        elif kind == "target":
            match.change_target(chance.choice([40, 80, 150]))
        else:
            getattr(match, kind)(seat)
    except flip7.MatchError:
        pass


def random_match(chance: random.Random) -> flip7.Match:
    players = chance.choice([1, 2, 3, 4, 6, 12, 18, 36])
    one = flip7.Match(players, target=chance.randint(20, 120), dealer=chance.randrange(players), device="one")
    two = flip7.Match.from_json(one.to_json(), device="two")
    for _ in range(chance.randint(1, 4)):
        for match in (one, two):
            for _ in range(chance.randint(0, 6)):
                scribble(match, chance)
        one.merge(two)
        two.merge(one)
    return one


def test_the_browser_counts_random_matches_like_python(tmp_path: Path) -> None:
    vitest = WEB / "node_modules" / "vitest" / "vitest.mjs"
    node = parts.node()
    chance = random.Random(5)
    matches = [random_match(chance) for _ in range(80)]
    assert sum(bool(match.conflicts) for match in matches) > 20
    assert sum(match.winner is not None for match in matches) > 20
    told = [
        {
            "text": match.to_json(),
            "dealer": match.dealer,
            "leader": match.leader,
            "playoff": match.playoff,
            "entries": match.entries,
        }
        for match in matches
    ]
    path = tmp_path / "matches.json"
    path.write_text(json.dumps(told), encoding="utf-8")
    command = [node, str(vitest), "run", "tests/match.test.ts"]
    env = {**os.environ, "FLIP7_MATCHES": str(path), "CI": "1"}
    done = subprocess.run(command, cwd=WEB, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
