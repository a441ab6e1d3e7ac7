"""The client's own tests, fed with fresh games as the server tells them, and the checks of its types."""

from __future__ import annotations

import json
import os
import subprocess
from itertools import count
from pathlib import Path
from typing import get_args

from tests import parts
from tests.browser import operations
from tests.browser.games import as_json, kinds, replay, scenes
from tests.browser.pacing import paced

from flip7.game import events
from flip7.protocol.messages import Speed
from flip7.protocol.rest import Replay
from flip7.protocol.times import limit, milliseconds, told_quickly

ROOT = Path(__file__).resolve().parents[2]
GAMES = ((1, 1, 40), (2, 2, 200), (3, 3, 200), (4, 6, 100), (5, 18, 60), (6, 20, 40), (9, 2, 100), (12, 3, 60))
REAL_TABLES = {"player_left", "card_misdealt", "card_added", "card_lost"}
"""What happens at real tables only (KEEP-5, KEEP-7)."""
EVERY_KIND = {event.__struct_config__.tag for event in events.Event.__subclasses__()} - REAL_TABLES


def npm(*words: str, **env: str) -> subprocess.CompletedProcess[str]:
    """Run npm in web/, with the Node that the build uses."""
    command, known = parts.load("hatch_build.py").npm_command()
    return subprocess.run(
        [*command, *words], cwd=ROOT / "web", env={**os.environ, **known, **env}, capture_output=True, text=True
    )


def with_kind(kind: str, seats: int, target: int) -> Replay:
    """A game in which such an event happens."""
    games = (replay(seed, seats=seats, target=target) for seed in count(100))
    return next(game for game in games if kind in kinds([game]))


def waited_for() -> list[dict[str, str | int | float]]:
    """How long the server waits for every kind of event, at tables of several sizes and at every speed."""
    some = [kind() for kind in events.Event.__subclasses__()] + [events.CardFlipped(ruling="DEAL-1")]
    return [
        {"kind": event.kind, "ruling": event.ruling or "", "seats": seats, "speed": speed, "ms": ms}
        for event in some
        for seats in (1, 4, 6, 18)
        for speed in get_args(Speed)
        for ms in (milliseconds(event, seats, speed),)
    ]


def told_quickly_at() -> dict[str, object]:
    """How long quick steps in a row take at most, and how many events of them count, as the server has it."""
    some: list[list[events.Event]] = [
        [events.PlayerStayed(), events.RoundEnded(), events.RoundScored(), events.RoundStarted()],
        [events.PlayerStayed()],
        [],
    ]
    return {
        "limits": [
            {"speed": speed, "opening": opening, "ms": limit(speed, opening=opening)}
            for speed in get_args(Speed)
            for opening in (False, True)
        ],
        "counts": [
            {"kinds": [event.kind for event in step], "opening": opening, "n": told_quickly(step, opening=opening)}
            for step in some
            for opening in (False, True)
        ],
    }


def test_the_client_keeps_its_books_over_whole_games_with_every_kind_of_event_and_operation(tmp_path: Path) -> None:
    games = [replay(seed, seats=seats, target=target) for seed, seats, target in GAMES]
    games += [
        with_kind("playoff_called", 2, 10),
        with_kind("second_chance_passed", 4, 60),
        with_kind("card_set_aside", 4, 60),
    ]
    assert kinds(games) == EVERY_KIND
    small = [game for game in games if len(game.game.names) <= 6]
    assert kinds(small) == EVERY_KIND
    shown = tmp_path / "scenes.json"
    shown.write_text(json.dumps({game.id: scenes(game) for game in small}), "utf-8")
    path = tmp_path / "games.json"
    path.write_bytes(as_json(games))
    waits = tmp_path / "waits.json"
    waits.write_text(json.dumps({"events": waited_for(), **told_quickly_at(), "paced": paced(games[2])}), "utf-8")
    matches = tmp_path / "matches.json"
    made = {"taken": operations.taken(), "refused": operations.refused(), "files": operations.files()}
    matches.write_text(json.dumps(made), "utf-8")
    told = {"FLIP7_GAMES": path, "FLIP7_WAITS": waits, "FLIP7_SCENES": shown, "FLIP7_MATCHES": matches}
    done = npm("test", **{name: str(file) for name, file in told.items()})
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_types_of_the_client_are_right() -> None:
    done = npm("run", "check")
    assert done.returncode == 0, done.stdout + done.stderr
