"""`flip7 solve`: what it prints, and what it refuses."""

import json
from collections.abc import Callable

import pytest

Run = Callable[..., tuple[int, str, str]]


def test_a_position_is_solved_and_told(run: Run) -> None:
    status, out, _ = run("solve", "0:12,5,9,1/0:3 turn@0")
    assert status == 0
    lines = out.splitlines()
    assert lines[0].startswith("Seat 0: 12 5 9 1, 27 points")
    assert any(line.split()[:2] == ["stay", "27.0000"] and line.endswith("the best choice") for line in lines)
    assert any(line.split()[0] == "hit" for line in lines if line.strip())


def test_a_fresh_deck_is_solved_as_json(run: Run) -> None:
    status, out, err = run("solve", "--composition", "numbers", "--json", "--quiet")
    found = json.loads(out)
    assert (status, err) == (0, "")
    assert found["value"] == pytest.approx(18.5652176, abs=1e-6)
    assert found["choice"] is None
    assert set(found) == {"value", "choice", "hit", "stay", "bust", "flip7", "states", "seconds"}


def test_an_action_card_is_played_on_oneself(run: Run) -> None:
    status, out, _ = run("solve", "0:12/0:3 target@0:freeze aside=freeze")
    assert status == 0
    assert "12.0000" in out
    assert "played on oneself" in out


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["0:12 round-over"], "the round is over"),
        (["0:12 turn@3"], "turn@3"),
        (["0:12 turn@0", "--decks", "2"], "a position has its own"),
        (["--decks", "2"], "GB"),
        (["--composition", "0:3"], "no card in it is worth any points"),
    ],
)
def test_what_cannot_be_solved_is_refused(run: Run, words: list[str], says: str) -> None:
    status, out, err = run("solve", "--quiet", *words)
    assert (status, out) == (2, "")
    assert says in err


def test_people_are_told_beforehand_when_it_takes_seconds(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("flip7.strategy.solver.stage.SECONDS_A_STATE", 1.0)
    _, _, err = run("solve", "0:12,5,9,8,7,1/0:3 turn@0")
    assert "states takes about" in err
    _, _, err = run("solve", "-q", "0:12,5,9,8,7,1/0:3 turn@0")
    assert err == ""
