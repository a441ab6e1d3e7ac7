"""The example that learns: it runs, keeps what it learned, and plays it."""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from flip7 import Game
from flip7.compiled.build import compile_for_table, to_records
from flip7.strategy.engine import COMPILED_METHODS

EXAMPLE = Path(__file__).resolve().parent.parent.parent / "examples" / "train_ppo.py"


def load(path: Path = EXAMPLE) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"loaded_{path.parent.name}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_it_learns_keeps_its_weights_and_draws_its_curve(tmp_path: Path) -> None:
    """A lesson or two. What was played need not divide evenly into the parts of a lesson."""
    example: Any = load()
    before = example.first_weights(0)
    weights, curve = example.train(0.01, 63, 15, 0, ("points:25", "points:25", "net"))
    assert len(curve) >= 1
    assert all(0.0 <= share <= 1.0 for _, share in curve)
    assert [w.shape for w in weights] == [w.shape for w in before]
    assert all(np.isfinite(w).all() for w in weights)
    assert any(not np.allclose(w, old) for w, old in zip(weights, before, strict=True))
    example.draw_curve(curve, tmp_path / "curve.svg")
    assert "<svg" in (tmp_path / "curve.svg").read_text(encoding="utf-8")


@pytest.mark.parametrize("package", ["gymnasium", "jax", "matplotlib"])
def test_it_says_what_to_install_before_it_begins(
    package: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    example: Any = load()
    monkeypatch.setattr("sys.argv", ["train_ppo.py"])
    monkeypatch.setattr(example, "find_spec", lambda name: None if name == package else name)
    monkeypatch.setattr(example, "train", None)
    with pytest.raises(SystemExit, match="2"):
        example.main()
    told = f'{package} is missing; what is needed comes with: pip install ".[envs,plots]" jax'
    assert told in capsys.readouterr().err


def test_what_was_learned_plays_whole_games() -> None:
    example: Any = load()
    trained = example.Trained()
    game = Game(4, seed=3)
    hits = stays = 0
    while (ask := game.decision) is not None:
        if ask.kind == "turn":
            choice = trained.turn(game.position)
            hits, stays = hits + (choice == "hit"), stays + (choice == "stay")
        else:
            choice = trained.target(game.position)
        game.play(choice)
    assert min(hits, stays) > 10


def test_compiled_it_plays_the_same() -> None:
    """As the simulator compiles it: what its two functions call included."""
    example: Any = load()
    compiled = {name: compile_for_table(getattr(example.Trained, name)) for name in COMPILED_METHODS}
    game = Game(4, seed=5)
    asked = dict.fromkeys(COMPILED_METHODS, 0)
    while (ask := game.decision) is not None:
        name = "wants_card" if ask.kind == "turn" else "chosen_target"
        asked[name] += 1
        answer = getattr(example.Trained, name)(game.table)
        assert compiled[name](to_records([game.table])[0]) == answer
        game.play(("hit" if answer else "stay") if ask.kind == "turn" else int(answer))
    assert min(asked.values()) > 3


def test_with_the_weights_that_are_here_it_beats_three_ev(run: Callable[..., tuple[int, str, str]]) -> None:
    """An even share is 25 %; of 4,000 games 27 % are three standard errors more."""
    player = f"{EXAMPLE}:Trained"
    status, out, _ = run("sim", player, "ev", "ev", "ev", "--games", "4000", "--seed", "1", "--json")
    told = json.loads(out)
    assert (status, told["engine"]) == (0, "compiled")
    assert told["win_rates"][0] > 0.27


def test_it_plays_only_what_it_has_learned(tmp_path: Path) -> None:
    example: Any = load()
    with pytest.raises(ValueError, match="tables of four"):
        example.Trained().turn(Game(3, seed=1).position)
    copy = tmp_path / "train_ppo.py"
    copy.write_text(EXAMPLE.read_text(encoding="utf-8"), encoding="utf-8")
    alone: Any = load(copy)
    with pytest.raises(ValueError, match=r"run python train_ppo\.py first"):
        alone.Trained()
