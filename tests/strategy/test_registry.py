"""Strategies by name: built in, from packages, from files, as objects."""

from __future__ import annotations

import sys
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from flip7 import Position, StrategyError, simulate
from flip7.strategy import registry
from flip7.strategy.registry import Strategy, get, names

ASKED = Position("0:12/0:1 turn@0")


@pytest.mark.parametrize("name", ["hit", "random", "points:25", "points:0", "cards:1", "cards:7", "bust:.5", "ev"])
def test_built_in_strategies_have_both_methods(name: str) -> None:
    assert isinstance(get(name), Strategy)
    assert repr(get(name)) == f"<strategy {name}>"
    assert get(name).turn(ASKED) in ("hit", "stay")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("point:25", "unknown strategy 'point:25'; did you mean 'points'?"),
        ("HIT", "unknown strategy 'HIT'; "),
        ("", "there are hit, random, points:N, cards:N, bust:P, ev, net, deep:N, and FILE.py:NAME"),
        ("xyzzy", "unknown strategy 'xyzzy'; there are hit, random"),
        ("points", "'points': points from 0 to 999 are needed, as in 'points:25'"),
        ("points:", "'points:': points from 0 to 999 are needed"),
        ("points:1000", "points from 0 to 999"),
        ("points:-1", "points from 0 to 999"),
        ("points:2.5", "points from 0 to 999"),
        ("points:٣", "points from 0 to 999"),
        ("cards:0", "'cards:0': cards from 1 to 7 are needed"),
        ("cards:8", "cards from 1 to 7 are needed, as in 'cards:4'"),
        ("deep:0", "'deep:0': rollouts from 1 to 1000000 are needed, as in 'deep:256'"),
        ("bust", "'bust': a chance from 0 to 1 is needed, as in 'bust:0.25' or 'bust:25%'"),
        ("bust:1.01", "a chance from 0 to 1"),
        ("bust:101%", "a chance from 0 to 1"),
        ("bust:-0.1", "a chance from 0 to 1"),
        ("bust:nan", "a chance from 0 to 1"),
        ("bust:.", "a chance from 0 to 1"),
        ("bust:1e-3", "a chance from 0 to 1"),
        ("ev:3", "'ev:3': this strategy takes no parameter"),
        ("hit:", "'hit:': this strategy takes no parameter"),
    ],
)
def test_names_that_are_none_say_what_would_be_right(name: str, message: str) -> None:
    with pytest.raises(StrategyError) as caught:
        get(name)
    assert message in str(caught.value)


BOTS = """
class Bold:
    def __init__(self, limit="30"): self.limit = int(limit)
    def turn(self, position):
        return "hit" if position.seats[position.decision.seat].points < self.limit else "stay"
    def target(self, position): return position.decision.options[0]

def made(): return Bold("12")
ready = Bold("13")
nothing = 5
class Half:
    def turn(self, position): return "hit"
"""


@pytest.fixture
def bots(tmp_path: Path) -> str:
    (tmp_path / "bots.py").write_text(BOTS)
    return str(tmp_path / "bots.py")


@pytest.mark.parametrize(("name", "answer"), [("Bold", "hit"), ("Bold:12", "stay"), ("made", "stay"), ("ready", "hit")])
def test_a_class_a_function_or_an_instance_in_a_file(bots: str, name: str, answer: str) -> None:
    assert get(f"{bots}:{name}").turn(ASKED) == answer


def test_a_strategy_in_a_file_plays(bots: str) -> None:
    for workers in (1, 2):
        found = simulate([f"{bots}:Bold", "points:25"], games=20, seed=1, workers=workers)
        assert (found.engine, found.games) == ("interpreted", 20)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("{}", "a strategy in a file is written FILE.py:NAME"),
        ("{}:", "a strategy in a file is written FILE.py:NAME"),
        ("{}:Shy", "has no 'Shy'"),
        ("{}:nothing", "a strategy has two methods, turn(position) and target(position)"),
        ("{}:Half", "a strategy has two methods"),
        ("{}:Bold:many", "making it failed with ValueError"),
        ("{}:ready:5", "takes no parameter"),
        ("nowhere/at/all.py:Bold", "there is no file 'nowhere/at/all.py'"),
    ],
)
def test_files_that_have_no_such_strategy(bots: str, name: str, message: str) -> None:
    with pytest.raises(StrategyError) as caught:
        get(name.format(bots))
    assert message in str(caught.value)


@pytest.mark.parametrize("text", ["def broken(:\n", "import nothing_like_this\n", "1 / 0\n", "raise SystemExit(3)\n"])
def test_files_that_cannot_be_loaded(tmp_path: Path, text: str) -> None:
    (tmp_path / "broken.py").write_text(text)
    with pytest.raises(StrategyError, match=r"broken.py' failed with (SyntaxError|ModuleNotF|ZeroDivision|SystemExit)"):
        get(f"{tmp_path}/broken.py:Bold")


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A package that offers two strategies through the entry-point group."""
    (tmp_path / "flip7_test_bots.py").write_text(BOTS)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "flip7_test_bots", raising=False)
    points = [
        EntryPoint("bold", "flip7_test_bots:Bold", registry.GROUP),
        EntryPoint("gone", "flip7_test_bots:Gone", registry.GROUP),
    ]
    monkeypatch.setattr(registry, "entry_points", lambda *, group: points if group == "flip7.strategies" else [])


@pytest.mark.usefixtures("package")
def test_packages_offer_strategies() -> None:
    assert "bold" in names()
    assert get("bold").turn(ASKED) == "hit"
    assert get("bold:12").turn(ASKED) == "stay"
    with pytest.raises(StrategyError, match="did you mean 'bold'"):
        get("bolt")
    assert simulate(["bold", "ev"], games=4, seed=1, workers=1).strategies == ["bold", "ev"]


@pytest.mark.usefixtures("package")
def test_a_package_that_offers_what_it_has_not() -> None:
    with pytest.raises(StrategyError, match=r"'gone': loading it failed with AttributeError"):
        get("gone")
