"""Sweeps, numbers of players and pairs: what is played, and what is made of it."""

from __future__ import annotations

import json
from collections.abc import Callable
from io import StringIO
from itertools import pairwise
from pathlib import Path

import msgspec
import pytest
from matplotlib import rc_context
from matplotlib.figure import Figure
from matplotlib.text import Text

import flip7
from flip7 import StrategyError
from flip7.commands.sim import by_seat
from flip7.commands.studies import tell_pairs
from flip7.commands.style import Style
from flip7.game.layout import columns
from flip7.sim.plots import COLOURS, STYLE, colours_of, draw_lengths, draw_sweep, panels_of
from flip7.sim.report import page
from flip7.sim.studies import pair_lineups, pairs_of, parameter_steps, player_steps, sweep_of
from flip7.strategy.registry import BuiltIn, get

Run = Callable[..., tuple[int, str, str]]


def test_a_sweep_has_a_lineup_for_each_step() -> None:
    steps = parameter_steps("points:15..17", ["ev", "hit"])
    assert steps == [(n, (f"points:{n}", "ev", "hit")) for n in (15, 16, 17)]
    assert [name for _, (name, _) in parameter_steps("bust:0.2..0.22", ["ev"])] == [
        "bust:0.20",
        "bust:0.21",
        "bust:0.22",
    ]
    assert [name for _, (name, _) in parameter_steps("points:10..21/5@ev", ["ev"])] == [
        "points:10@ev",
        "points:15@ev",
        "points:20@ev",
    ]


@pytest.mark.parametrize(
    "text", ["points:25", "points:40..15", "points:1..999", "points:a..b", "points:1..1", "points:10..12/5", ""]
)
def test_what_is_no_sweep_is_refused(text: str) -> None:
    with pytest.raises(StrategyError, match="sweep"):
        parameter_steps(text, ["ev"])


def test_a_sweep_needs_opponents_and_pairs_need_two() -> None:
    with pytest.raises(StrategyError, match="against whom"):
        parameter_steps("points:15..17", [])
    with pytest.raises(StrategyError, match="against whom"):
        player_steps(2, 4, ["ev"])
    with pytest.raises(StrategyError, match="2 to"):
        pair_lineups(["ev"])
    with pytest.raises(StrategyError, match="twice"):
        pair_lineups(["ev", "ev"])


def test_others_fill_the_table_in_turns() -> None:
    assert player_steps(2, 4, ["ev", "hit", "random"])[-1] == (4, ("ev", "hit", "random", "hit"))


def test_turns_of_one_and_targets_of_another() -> None:
    both, one, other = get("points:25@ev"), get("points:25"), get("ev")
    assert isinstance(both, BuiltIn)
    assert isinstance(one, BuiltIn)
    assert isinstance(other, BuiltIn)
    assert both.policy == (*one.policy[:2], *other.policy[2:])
    position = flip7.Position("0:12,9,5/0:5 turn@0")
    assert both.turn(position) == "stay" != other.turn(flip7.Position("0:12,9,5,second/0:5 turn@0"))
    with pytest.raises(StrategyError, match="points"):
        get("points@ev")
    with pytest.raises(StrategyError, match="unknown strategy 'evv'; did you mean 'ev'"):
        get("points:25@evv")


def test_a_strategy_that_thinks_in_part_is_not_called_plain_python(run: Run) -> None:
    status, _, err = run("sim", "points:25@deep:2", "ev", "--games", "2", "--seed", "1")
    assert status == 0
    assert "points:25@deep:2 is deep in part only: the interpreted engine plays" in err
    assert "plain Python" not in err


def test_a_sweep_that_was_ended_early_is_no_curve_of_players() -> None:
    steps = parameter_steps("points:20..22", ["ev"])
    result = flip7.simulate(["points:20", "ev"], games=20, seed=1, engine="interpreted")
    found = sweep_of("points:20..22", steps, [result])
    axes = Figure().add_subplot()
    draw_sweep(axes, found)
    assert (found.best, axes.get_xlabel()) == (None, "points:20..22")


def test_the_curve_has_its_best_point_and_where_it_may_be(run: Run) -> None:
    words = ("sim", "--sweep", "points:5..65/20", "ev", "--games", "600", "--seed", "1", "--engine", "interpreted")
    status, out, _ = run(*words, "--json", "--quiet")
    found = json.loads(out)
    assert status == 0
    assert found["values"] == [5, 25, 45, 65]
    best = found["best"]
    assert found["win_rates"][best] == max(found["win_rates"])
    low, high = found["interval"]
    assert low <= found["values"][best] <= high
    assert low > 15
    assert high < 65
    alone = flip7.simulate(["points:25", "ev"], games=600, seed=1, engine="interpreted")
    assert found["win_rates"][1] == alone.win_rates[0]


def test_a_best_point_that_is_clear_is_no_range() -> None:
    steps = parameter_steps("cards:1..7/3", ["hit"])
    results = [flip7.simulate(lineup, games=400, seed=1, engine="interpreted") for _, lineup in steps]
    found = sweep_of("cards:1..7/3", steps, results)
    assert found.interval == (4.0, 4.0)
    axes = Figure().add_subplot()
    draw_sweep(axes, found)
    assert not any("may be" in word for word in axes.get_legend_handles_labels()[1])
    assert "every other step won less often. 400 games for each step" in page(found, {})


def test_a_report_says_with_which_deck_it_was_played(run: Run, tmp_path: Path) -> None:
    report = tmp_path / "players.html"
    words = ("sim", "ev", "hit", "--players", "18..19", "--games", "1", "--engine", "interpreted", "--first", "dealer")
    assert run(*words, "--quiet", "--report", str(report))[0] == 0
    said = report.read_text(encoding="utf-8")
    assert "<dt>deck</dt><dd>94 or 188 cards, reshuffled when they run out</dd>" in said
    assert "<dt>first in turn order</dt><dd>the dealer</dd>" in said


def test_pairs_differ_by_what_both_win(run: Run, tmp_path: Path) -> None:
    plot, report, rows = (tmp_path / f"pairs.{end}" for end in ("svg", "html", "csv"))
    status, out, _ = run(
        *("sim", "points:25", "ev", "hit", "--pairs", "--games", "600", "--seed", "3", "--engine", "interpreted"),
        *("--json", "--quiet", "--plot", str(plot), "--report", str(report), "--csv", str(rows)),
    )
    assert status == 0
    found = json.loads(out)
    two = flip7.simulate(["points:25", "hit"], games=600, seed=3, engine="interpreted")
    assert found["win_rates"][0][2] == two.win_rates[0]
    assert found["differences"][0][2] == pytest.approx(two.win_rates[0] - two.win_rates[1])
    assert found["differences"][2][0] == -found["differences"][0][2]
    low, high = found["difference_intervals"][0][2]
    assert low < found["differences"][0][2] < high
    assert found["win_rates"][1][1] is None
    assert "<svg" in plot.read_text(encoding="utf-8")
    assert "everyone" in report.read_text(encoding="utf-8")
    assert "<image" not in report.read_text(encoding="utf-8")  # the page's own policy would not show it
    assert "<image" not in plot.read_text(encoding="utf-8")
    assert len(rows.read_text(encoding="utf-8").splitlines()) == 7


def test_of_pairs_that_were_ended_early_who_met_nobody_has_won_nothing_and_lost_nothing() -> None:
    one = flip7.simulate(["hit", "ev"], games=20, seed=1, engine="interpreted")
    found = pairs_of(["random", "hit", "ev"], [one])
    assert found.means[0] is None
    assert [found.strategies[entry] for entry in found.order] == ["ev", "hit", "random"]
    assert found.cells(0) == ["–"] * 4


def test_pairs_that_are_even_differ_by_nothing() -> None:
    one = flip7.simulate(["hit", "ev"], games=4, seed=1, engine="interpreted", workers=1)
    found = pairs_of(["hit", "ev"], [msgspec.structs.replace(one, win_rates=[0.5, 0.5])])
    assert [cell[:5] for entry in (0, 1) for cell in found.cells(entry)[1:]] == ["–", "+0.00", "+0.00", "–"]


def test_the_numbers_of_many_pairs_do_not_touch() -> None:
    """Of many strategies the best eight are drawn, and it says so."""
    names = [f"points:{n}@bust:0.123456789012" for n in range(20, 32)]
    one = flip7.simulate(["hit", "ev"], games=4, seed=1, engine="interpreted", workers=1)
    found = pairs_of(names, [msgspec.structs.replace(one, strategies=list(pair)) for pair in pair_lineups(names)])
    ((draw, height),) = panels_of(found)
    with rc_context(STYLE):
        figure = Figure(figsize=(5.6, height), layout="constrained")
        axes = figure.add_subplot()
        draw(axes, found)
        figure.draw_without_rendering()
        boxes = [[text.get_window_extent() for text in axes.texts[row * 8 : row * 8 + 8]] for row in range(8)]
    assert len(axes.texts) == 64
    assert axes.get_title(loc="left").replace("\n", " ").endswith(": the best 8 of 12 strategies")
    assert all(left.x1 < right.x0 for row in boxes for left, right in pairwise(row))


def test_a_length_that_all_games_have_is_a_whole_number_of_rounds() -> None:
    found = flip7.simulate(["hit", "ev"], games=1, seed=1, engine="interpreted")
    axes = Figure().add_subplot()
    draw_lengths(axes, found)
    assert [place for place in axes.get_xticks() if place % 1] == []


@pytest.mark.parametrize("room", [40, 60, 80, 300])
def test_what_is_told_fits_the_terminal(room: int) -> None:
    names = ["points:25", "ev", "hit", "points:31@bust:0.123", "cards:4"]
    lineups = pair_lineups(names)
    results = [flip7.simulate(lineup, games=4, seed=1, engine="interpreted", workers=1) for lineup in lineups]
    seats = flip7.simulate(names, games=10, seed=1, engine="interpreted", workers=1)
    pairs = pairs_of(names, results)
    style = Style(StringIO())
    style.columns = room
    lines = [*tell_pairs(pairs, style), *by_seat(seats, style)]
    assert max(map(columns, lines)) <= room
    text = " ".join(" ".join(lines).split())
    assert text.count("±") == 20 + 1  # every pair both ways, and the headline
    for rates in seats.seat_win_rates:
        for rate in rates:
            assert f"{100 * rate:.2f} %" in text


def test_titles_and_labels_are_not_cut_by_long_names() -> None:
    """In the narrow pictures of a report as in the file of a plot: there is always room for the words."""
    names = ["points:25@bust:0.123456789012", "cards:4@bust:0.123456789012"]
    result = flip7.simulate(names, games=4, seed=1, engine="interpreted", workers=1)
    steps = parameter_steps("points:20..21@bust:0.123456789012", names[:1])
    for found in (pairs_of(names, [result]), sweep_of(names[0], steps, [result, result]), result):
        for draw, height in panels_of(found):
            for width in (5.6, 8.0):
                with rc_context(STYLE):
                    figure = Figure(figsize=(width, height), layout="constrained")
                    axes = figure.add_subplot()
                    draw(axes, found)
                    figure.draw_without_rendering()
                    words = axes.get_title(loc="left"), axes.get_xlabel()
                    for text in axes.findobj(Text):
                        if text.get_text() in words and text.get_text():
                            box = text.get_window_extent()
                            assert 0 <= box.x0 < box.x1 <= figure.bbox.x1, text


def test_the_number_of_players_is_a_curve_without_a_best_point(run: Run, tmp_path: Path) -> None:
    words = ("sim", "ev", "points:25", "hit", "--players", "2..4", "--games", "600", "--seed", "1")
    report = tmp_path / "players.html"
    status, out, _ = run(*words, "--engine", "interpreted", "--quiet", "--report", str(report))
    assert status == 0
    assert out.startswith("ev among points:25, hit: 600 games for each step, seed 1\n")
    assert (
        report.read_text(encoding="utf-8").count("ev among points:25, hit<") == 3
    )  # two titles and one of the picture
    assert [line.split()[0] for line in out.splitlines()[3:6]] == ["2", "3", "4"]
    assert "wins most" not in out


def test_wins_by_seat_add_up(run: Run, tmp_path: Path) -> None:
    result = flip7.simulate(["points:25", "ev", "hit"], games=900, seed=2, engine="interpreted")
    for entry, rates in enumerate(result.seat_win_rates):
        assert sum(rates) / 3 == pytest.approx(result.win_rates[entry])
    for games in (1, 2, 4):  # no whole block: some have not sat everywhere
        result = flip7.simulate(["points:25", "ev", "hit"], games=games, seed=2, engine="interpreted")
        assert all(0 <= rate <= 1 for rates in result.seat_win_rates for rate in rates)
        assert games > 1 or sorted(map(sum, result.seat_win_rates)) == [0, 0, 1]
    words = ("sim", "points:25", "ev", "--games", "100", "--seed", "1", "--engine", "interpreted", "--by-seat", "-q")
    assert "wins from seat" in run(*words)[1]
    report = tmp_path / "seats.html"
    assert run(*words, "--report", str(report))[0] == 0
    assert "<th>seat 0</th><th>seat 1</th></tr>" in report.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ([], "the following arguments are required: STRATEGY, such as 'flip7 sim ev points:25'"),
        (["--sweep", "points:15..40"], "against whom? Name the opponents too, as in --sweep points:15..40 ev"),
        (["--players", "2..4"], "against whom? Name the opponents too, as in --players 2..6 points:25 ev"),
        (["--pairs"], "0 strategies: pairs are made of 2 to"),
        (["hit", "--pairs"], "1 strategy: pairs are made of 2 to 40"),
        (["ev", "hit", "--players", "4..2"], "4..2 players: from 2 to 36 play against each other, as in 2..6"),
        (["ev"], "flip7 rounds ev"),
        (["ev", "--pairs"], "2 to"),
        (["ev", "--sweep", "points:20..21", "--pairs"], "one of them"),
        (["ev", "--sweep", "points:20..21", "--precision", "1%"], "--games"),
        (["ev", "--sweep", "pints:20..21"], "unknown strategy"),
        (["ev", "hit", "--players", "x"], "number of players"),
        (["ev", "hit", "--players", "2..40"], "from 2 to 36"),
        (["ev", "hit", "--players", "2..3", "--by-seat"], "--by-seat goes with plain simulations: leave out"),
        (["ev", "hit", "evv", "--pairs"], "unknown strategy 'evv'; did you mean 'ev'"),
        (["ev", "hit", "evv", "--players", "2..3"], "unknown strategy 'evv'; did you mean 'ev'"),
        (["ev", "--sweep", "cards:6..8"], "'cards:8': cards from 1 to 7 are needed"),
        (["ev", "hit", "--players", "18..19", "--composition", "standard,freeze:200"], "in all decks: at most"),
    ],
)
def test_what_cannot_be_studied_is_refused(run: Run, words: list[str], says: str) -> None:
    status, out, err = run("sim", *words, "--engine", "interpreted")
    assert (status, out) == (2, "")
    assert says in err


def test_the_best_eight_have_colours_of_their_own() -> None:
    names = [f"points:{n}" for n in range(18, 40, 2)]
    result = flip7.simulate(names, games=220, seed=1, engine="interpreted")
    colours = colours_of(result)
    assert len(colours) == len(set(colours.values())) == 8 == len(COLOURS)
    least = min(result.wins[names.index(name)] for name in colours)
    assert all(result.wins[names.index(name)] <= least for name in names if name not in colours)
