"""What commands say while their user waits."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from flip7 import Game, Rules

CLEARED = "\r\x1b[K"
TOOK = re.compile(r"\d+\.\d\d s$", re.MULTILINE)


@pytest.fixture
def words(tmp_path: Path) -> dict[str, list[str]]:
    """Arguments of each command that may take its time."""
    game = Game(2, seed=5, rules=Rules(target=10))
    while game.decision is not None:
        game.play(game.decision.options[-1])
    record = tmp_path / "game.txt"
    record.write_text(game.record(), encoding="utf-8")
    return {
        "advise": ["34:12,9,4/51:5 turn@0", "--precision", "0.02", "--seed", "1"],
        "review": [str(record)],
        "solve": ["0:12,5,9,8,7,1/0:3 turn@0"],
    }


@pytest.mark.parametrize("command", ["advise", "review", "solve"])
def test_on_a_terminal_what_takes_longer_shows_how_far_it_is_and_clears_the_line(
    command: str,
    run: Callable[..., tuple[int, str, str]],
    words: dict[str, list[str]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("flip7.strategy.review.ROLLOUTS", 60)
    status, out, err = run(command, *words[command])
    assert (status, "%" in err) == (0, False)  # what is compiled may be told
    monkeypatch.setattr("flip7.commands.waiting.SOON", 0.0)
    monkeypatch.setattr("flip7.commands.waiting.EVERY", 0.0)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    status, shown, err = run(command, *words[command])
    assert status == 0
    assert TOOK.sub("", shown) == TOOK.sub("", out)
    doing = "solving" if command == "solve" else "thinking"
    steps = err.removesuffix(CLEARED).rpartition("\n")[2].split("\r")[1:]  # after what is said beforehand
    assert err.endswith(CLEARED)
    assert steps
    assert all(step.startswith(f"{doing}, ") and step.endswith(" %") for step in steps)
