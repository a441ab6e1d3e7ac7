"""The cast of bots, which the server and the command share."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from tools import ladder

from flip7 import simulate
from flip7.game.game import Game
from flip7.strategy import cast, thinking
from flip7.strategy.registry import get


def test_every_member_can_be_told_from_the_others_and_has_a_strategy() -> None:
    for field in ("id", "name", "character", "strategy"):
        assert len({getattr(member, field) for member in cast.CAST}) == len(cast.CAST)
    for member in cast.CAST:
        get(member.strategy)
        assert member.character[0].isupper()
        assert member.character.endswith(".")
    assert {*cast.QUICK, cast.SUBSTITUTE} <= set(cast.BY_ID)


THINKS = """
import time
from flip7 import Game
from flip7.strategy import cast
from flip7.strategy.registry import get

game = Game(SEATS, seed=4)
began = time.thread_time()
first = cast.choice_of("dee", game)
prompt = time.thread_time() - began
assert first == cast.answer(get("net"), game), "whoever answers at once is the net"
while not cast._ready():
    time.sleep(0.02)
slowest = 0.0
for _ in range(60):
    if game.decision is None:
        break
    began = time.thread_time()
    choice = cast.choice_of("dee", game)
    slowest = max(slowest, time.thread_time() - began)
    game.play(choice)
print(prompt, slowest)
"""


@pytest.mark.parametrize("seats", [4, 18])
def test_a_deep_thinker_keeps_nobody_waiting(seats: int) -> None:
    """The server asks it between two messages: it answers at once while its code is loaded, and soon afterwards."""
    thinking.warm_up()
    code = THINKS.replace("SEATS", str(seats))
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=100)
    prompt, slowest = map(float, done.stdout.split())
    assert prompt < 0.2
    assert slowest < 0.05


def test_a_company_is_numbered_when_the_cast_runs_out() -> None:
    assert [member.id for member in cast.company(3)] == list(cast.QUICK)
    many = cast.company(35)
    assert len({member.name for member in many}) == 35
    assert "Careful Carl 2" in {member.name for member in many}
    assert "deep" not in {member.strategy for member in many}


@pytest.mark.parametrize("member", cast.CAST, ids=lambda member: member.id)
def test_a_member_plays_its_strategy(member: cast.Member) -> None:
    game = Game(4, seed=4)
    strategy = get(member.strategy)
    if cast.thinks(member.id) and not cast._ready():
        assert cast._warm.wait(timeout=200)
    while (ask := game.decision) is not None:
        choice = cast.choice_of(member.id, game)
        assert choice in ask.options
        assert choice == (strategy.turn if ask.kind == "turn" else strategy.target)(game.position)
        game.play(choice)


def test_carl_and_bea_stay_where_their_characters_say() -> None:
    assert cast.choice_of("carl", Game(1, seed=1, deck=["12", "7"])) == "hit"
    game = Game(1, seed=1, deck=["12", "6", "11", "5"])
    told = []
    while game.seats[0].points < 34:
        told.append((game.seats[0].points, cast.choice_of("carl", game), cast.choice_of("bea", game)))
        game.play("hit")
    assert told == [(12, "hit", "hit"), (18, "stay", "hit"), (29, "stay", "hit")]
    assert cast.choice_of("bea", game) == "stay"


def test_the_ladder_is_of_these_sources() -> None:
    """Run `make strategies` if this fails: bots, nets or what plays them have changed."""
    measured = cast.ladder()
    assert (measured.seed, measured.sources) == (ladder.SEED, ladder.sources_hash())


def test_the_same_figures_give_the_same_file_on_another_day() -> None:
    before = ladder.TARGET.read_text("utf-8")
    figures = {name: json.loads(before)[name] for name in ("field", "others", "wins", "errors")}
    assert ladder.written(figures, before, "2099-01-01") == before
    other = ladder.written({**figures, "wins": {"carl": 0.5}}, before, "2099-01-01")
    assert json.loads(other)["date"] == "2099-01-01"
    assert ladder.written(figures, "", "2099-01-01") == before.replace(cast.ladder().date, "2099-01-01")


def test_the_table_of_bots_in_the_manual_is_the_ladder() -> None:
    text = (Path(__file__).resolve().parents[2] / "docs" / "strength.md").read_text("utf-8")
    measured = cast.ladder()
    rows = re.findall(r"^\| ([^|]+) \| `([^`]+)` \| (\.\d{3}) \|$", text, flags=re.M)
    told = [(name, strategy, float(wins)) for name, strategy, wins in rows]
    bots = sorted(cast.MEMBERS, key=lambda member: measured.wins[member.id])
    assert told == [(bot.name, bot.strategy, round(measured.wins[bot.id], 3)) for bot in bots]
    assert f"on {measured.date}, with {ladder.GAMES:,} games each ({ladder.DEEP_GAMES:,} for" in " ".join(text.split())
    rest = max(error for id, error in measured.errors.items() if id != "dee")
    assert f"standard errors at most {rest:.4f} ({measured.errors['dee']:.4f})".replace("0.", ".") in " ".join(
        text.split()
    )


def test_the_ladder_has_every_bot_and_what_it_says_can_be_measured_again() -> None:
    """Fewer games than were played for it, so within some standard errors."""
    measured = cast.ladder()
    assert [member.id for member in cast.CAST if not 0 < measured.wins[member.id] < 1] == []
    assert measured.wins["ned"] > measured.wins["ada"] > measured.wins["carl"]
    field = cast.BY_ID[measured.field].strategy
    for id in ("carl", "kit"):
        games = 4000
        found = simulate(
            [cast.BY_ID[id].strategy, *[field] * measured.others], games=games, seed=1, workers=1
        ).win_rates[0]
        assert abs(found - measured.wins[id]) < 5 * (0.25 / games) ** 0.5
