"""Strategies of one's own: the examples play, and a compiled one agrees with itself in plain Python."""

import json
from pathlib import Path

import msgspec
import pytest

import flip7
from flip7.cli import main

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "my_bots.py"


@pytest.mark.parametrize("name", ["Bold", "Careful", "Careful:0.5", "Quick"])
def test_the_examples_play(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["sim", f"{EXAMPLE}:{name}", "hit", "random", "--games", "30", "--engine", "interpreted", "--json"]
    assert main(words) == 0
    result = json.loads(capsys.readouterr().out)
    assert result["games"] == 30
    assert result["wins"][0] > result["wins"][1]


def test_a_compiled_strategy_agrees_with_itself_in_plain_python() -> None:
    field = [f"{EXAMPLE}:Quick", "points:25", f"{EXAMPLE}:Quick", "ev"]
    fast = flip7.simulate(field, games=400, seed=3, workers=1)
    slow = flip7.simulate(field, games=400, seed=3, engine="interpreted", workers=1)
    assert (fast.engine, slow.engine) == ("compiled", "interpreted")
    for name in set(msgspec.structs.asdict(fast)) - {"engine", "seconds", "workers"}:
        assert getattr(fast, name) == getattr(slow, name), name


def test_strategies_of_a_package_have_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An entry point as an installed package has it."""
    (tmp_path / "their_bots.py").write_text(EXAMPLE.read_text())
    about = tmp_path / "their_bots-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: their-bots\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text("[flip7.strategies]\ncareful = their_bots:Careful\n")
    monkeypatch.syspath_prepend(tmp_path)
    result = flip7.simulate(["careful:0.5", "hit"], games=20, seed=1, workers=1)
    assert result.strategies == ["careful:0.5", "hit"]
    assert result.wins[0] > result.wins[1]
