"""`flip7 sim`, `flip7 rounds` and `flip7 odds`: what they print, write and refuse, and what outlives a failure."""

import contextlib
import csv
import io
import json
import os
import pty
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

import flip7
from flip7.commands import simulation
from flip7.extras import advice
from flip7.game.game import Game
from flip7.sim.results import SimResult
from flip7.sim.run import Run as Simulation
from flip7.sim.simulate import run_games

Run = Callable[..., tuple[int, str, str]]
EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "my_bots.py"
SMALL = ("--engine", "interpreted", "--workers", "1", "--seed", "1")


def without(package: str, *words: str) -> subprocess.CompletedProcess[str]:
    """Runs the command in a Python that lacks a package."""
    code = f"import sys; sys.modules[{package!r}] = None\nfrom flip7.cli import main\nsys.exit(main({list(words)!r}))"
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)


def bot(folder: Path, body: str) -> str:
    """A strategy in a file of its own, named as the command takes it."""
    path = folder / "bots.py"
    lines = ["asked = 0", *body.splitlines(), "def target(self, position):", "    return position.decision.options[0]"]
    path.write_text("\n    ".join(["class Bot:", *lines]))
    return f"{path}:Bot"


def test_the_table_has_a_row_for_every_strategy_and_fits_80_columns(run: Run) -> None:
    status, out, err = run("sim", "points:25", "ev", "cards:4", "--games", "600", *SMALL)
    assert (status, err) == (0, "")
    assert out.startswith("600 games to 200 points, seed 1\n")
    result = flip7.simulate(["points:25", "ev", "cards:4"], games=600, seed=1, engine="interpreted", workers=1)
    rows = {line.split()[1]: line for line in out.splitlines() if line[:1].isdigit() and " %" in line}
    for entry, strategy in enumerate(result.strategies):
        low, high = result.win_intervals[entry]
        assert rows[strategy].startswith(str(entry + 1))
        assert f"{100 * result.win_rates[entry]:.2f} %" in rows[strategy]
        assert f"{100 * low:.2f} - {100 * high:.2f}" in rows[strategy]
    assert max(map(len, out.splitlines())) <= 80


def test_json_has_the_names_and_values_of_the_attributes(run: Run) -> None:
    status, out, _ = run("sim", "points:25", "ev", "--games", "400", "--json", *SMALL)
    assert status == 0
    found = json.loads(out)
    result = flip7.simulate(["points:25", "ev"], games=400, seed=1, engine="interpreted", workers=1)
    public = {name for name in dir(SimResult) if not name.startswith("_")}
    assert set(found) == public
    for name in public - {"seconds", "games_per_second"}:
        assert found[name] == json.loads(msgspec.json.encode(getattr(result, name))), name


def test_json_of_rounds_and_odds_has_the_names_of_the_attributes(run: Run) -> None:
    status, out, _ = run("rounds", "points:23", "--rounds", "500", "--json", *SMALL)
    assert status == 0
    result = flip7.simulate_rounds("points:23", rounds=500, seed=1, engine="interpreted", workers=1)
    found = json.loads(out)
    assert set(found) == {name for name in dir(result) if not name.startswith("_")}
    assert found["mean"] == result.mean
    status, out, _ = run("odds", "0:12,9/0:5 turn@0", "--json")
    odds = flip7.odds("0:12,9/0:5 turn@0")
    found = json.loads(out)
    assert set(found) == {name for name in dir(odds) if not name.startswith("_")} | {"flip_three_bust"}
    assert found["flip_three_bust"] == flip7.flip_three_bust("0:12,9/0:5 turn@0")
    assert (found["bust"], found["gain"], found["cards"]["12"]) == (odds.bust, odds.gain, odds.cards[flip7.Card.N12])


def test_csv_has_a_row_for_each_entry_in_the_order_given(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "out.csv"
    assert run("sim", "points:25", "ev", "--games", "400", "--csv", str(file), *SMALL)[0] == 0
    rows = list(csv.DictReader(io.StringIO(file.read_text())))
    result = flip7.simulate(["points:25", "ev"], games=400, seed=1, engine="interpreted", workers=1)
    assert [row["strategy"] for row in rows] == result.strategies
    assert [int(row["wins"]) for row in rows] == result.wins
    assert [float(row["win_rate"]) for row in rows] == result.win_rates
    assert run("rounds", "ev", "--rounds", "100", "--csv", str(file), *SMALL)[0] == 2
    assert run("rounds", "ev", "--rounds", "100", "--csv", str(file), "--overwrite", *SMALL)[0] == 0
    (row,) = csv.DictReader(io.StringIO(file.read_text()))
    assert 0 < float(row["mean_low"]) < float(row["mean"]) < float(row["mean_high"])


def test_precision_stops_when_every_rate_is_known_that_well(run: Run) -> None:
    _, out, _ = run("sim", "points:25", "points:5", "--precision", "3%", "--json", *SMALL)
    assert max(json.loads(out)["half_widths"]) <= 0.03
    _, out, _ = run("sim", "points:25", "points:5", "--precision", "0.001", "--games", "300", "--json", *SMALL)
    assert json.loads(out)["games"] == 300


def test_rounds_start_with_the_whole_deck_unless_told_otherwise(run: Run) -> None:
    _, out, err = run("rounds", "points:23", "--composition", "numbers", "--rounds", "2000", *SMALL)
    assert err == ""
    assert "79 cards, shuffled for every round" in out
    _, fresh, _ = run("rounds", "points:23", "--rounds", "2000", "--json", *SMALL)
    _, running, _ = run("rounds", "points:23", "--rounds", "2000", "--reshuffle", "empty", "--json", *SMALL)
    assert json.loads(fresh)["mean"] != json.loads(running)["mean"]


@pytest.mark.parametrize(
    ("text", "cards"), [("standard", 94), ("numbers", 79), ("modifiers", 85), ("second", 88), ("12:12,11:11", 23)]
)
def test_decks_have_names(text: str, cards: int) -> None:
    assert sum(simulation.composition(text).values()) == cards


def test_a_named_deck_can_be_changed() -> None:
    deck = simulation.composition("standard, freeze:0, x2:3")
    assert (deck[flip7.Card.FREEZE], deck[flip7.Card.X2], sum(deck.values())) == (0, 3, 93)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("sim", "pionts:25"), "unknown strategy 'pionts:25'; did you mean 'points'?"),
        (("sim", "points:-1"), "points from 0 to"),
        (("sim", "bust:2"), "a chance from 0 to 1 is needed"),
        (("sim", "cards"), "cards from 1 to 7 are needed"),
        (("sim", "ev:3"), "takes no parameter"),
        (("sim", "nowhere.py:Bold"), "there is no file 'nowhere.py'"),
        (("sim",), "required: STRATEGY"),
        (("sim", *["ev"] * 37), "37 players: 1 to 36 can play"),
        (("sim", "ev", "--games", "0"), "'0' is not a whole number from 1"),
        (("sim", "ev", "--precision", "0"), "'0' is no precision; it is written 0.1% or 0.001"),
        (("sim", "ev", "--precision", "70%"), "'70%' is no precision"),
        (("sim", "ev", "--plot", "plot.gif"), "ends in .svg or .png"),
        (("sim", "ev", "--plot", "nowhere/plot.svg"), "nowhere/plot.svg: No such file or directory"),
        (("sim", "ev", "--csv", "/"), "/: Is a directory"),
        (("sim", "ev", "--report", "nowhere/x.html"), "No such file or directory"),
        (("sim", "ev", "--records", "/dev/null/x"), "/dev/null/x: Not a directory"),
        (("sim", "ev", "--composition", "nubmers"), "a deck is standard, numbers, modifiers, second, or CARD:COUNT"),
        (("sim", "ev", "--composition", "13:1"), "'13' is no card"),
        (("sim", "ev", "--composition", "0:3"), "no card in it is worth any points"),
        (("sim", "--cluster", "points:25", "ev"), "that is a strategy; write --cluster after the strategies"),
        (("sim", "ev", "--engin", "x"), "did you mean '--engine'?"),
        (("rounds", "ev", "ev"), "'ev' is one argument too many"),
        (("rounds", "ev", "--rounds", "many"), "'many' is not a whole number"),
        (("rounds", "nothing"), "unknown strategy 'nothing'"),
        (("odds", "hello"), "a position needs its seats and what it waits for"),
        (("odds", "0:12/0:5 turn@0", "--seat", "2"), "the seats are 0 to 1"),
        (("odds", "0:12/0s:5 turn@0", "--seat", "1"), "seat 1 is out of the round (stayed)"),
        (("odds", "0:12/0:5 round-over"), "the round is over"),
    ],
)
def test_bad_input_is_refused_before_anything_is_played(run: Run, words: tuple[str, ...], message: str) -> None:
    status, out, err = run(*words)
    assert (status, out) == (2, "")
    assert message in err
    assert err.startswith(f"flip7 {words[0]}: ")


def test_an_unreadable_position_says_what_is_wrong_with_it(run: Run) -> None:
    with pytest.raises(flip7.NotationError) as error:
        flip7.Position("0:12/0:x turn@0")
    assert run("odds", "0:12/0:x turn@0") == (2, "", f"flip7 odds: {error.value}\n")


def test_a_check_of_files_leaves_nothing_behind_and_harms_nothing(run: Run, tmp_path: Path) -> None:
    kept = tmp_path / "kept.csv"
    kept.write_text("mine")
    words = ("--csv", str(kept), "--report", str(tmp_path / "new.html"), "--plot", str(tmp_path / "no" / "x.png"))
    assert run("sim", "ev", *words)[0] == 2
    assert run("sim", "nobody", "--records", str(tmp_path / "games"))[0] == 2
    assert [path.name for path in tmp_path.iterdir()] == ["kept.csv"]
    assert kept.read_text() == "mine"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_the_table_is_printed_even_if_a_file_cannot_be_written_in_the_end(run: Run, tmp_path: Path) -> None:
    plot = tmp_path / "plot.svg"
    status, out, err = run("sim", "ev", "hit", "--games", "50", "--csv", "/dev/full", "--plot", str(plot), *SMALL)
    assert status == 2
    assert "50 games" in out
    assert err == "flip7 sim: /dev/full: No space left on device\n"
    assert plot.exists()


def test_plain_python_is_announced(run: Run) -> None:
    status, out, err = run("sim", f"{EXAMPLE}:Bold", "ev", "--games", "40", "--seed", "1", "--workers", "1")
    assert status == 0
    assert "interpreted engine" in out
    assert err == f"flip7: {EXAMPLE}:Bold is plain Python: the interpreted engine plays, which is slower\n"
    words = ("sim", f"{EXAMPLE}:Bold", "ev", "--games", "40", "--seed", "1", "--workers", "1", "--quiet")
    assert run(*words)[2] == ""


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ("'hit' if Bot.asked < 9000 else 1 / 0", "ZeroDivisionError"),
        ("'stay' if Bot.asked < 5000 else 'fold'", "'fold'"),
    ],
)
def test_what_was_known_before_a_strategy_failed_is_not_lost(
    run: Run, tmp_path: Path, answer: str, message: str
) -> None:
    body = f"def turn(self, position):\n    Bot.asked += 1\n    return {answer}"
    file = tmp_path / "out.csv"
    words = ("--games", "100000", "--csv", str(file), *SMALL)
    status, out, err = run("sim", bot(tmp_path, body), "points:20", *words)
    assert status == 2
    assert message in err
    assert "this is what was known before" in err
    games = int(out.partition(" games")[0].replace(",", ""))
    assert games >= 100
    (row, _) = csv.DictReader(io.StringIO(file.read_text()))
    assert int(row["games"]) == games


def test_a_game_that_cannot_end_is_an_error_that_says_so(run: Run) -> None:
    status, out, err = run("sim", "hit", "hit", "--composition", "12:12", *SMALL)
    assert (status, out) == (2, "")
    assert "was not over after 10,000 rounds" in err


def test_ctrl_c_prints_what_is_known_so_far(tmp_path: Path) -> None:
    marker = tmp_path / "going"
    body = (
        "def turn(self, position):\n"
        "    Bot.asked += 1\n"
        f"    if Bot.asked == 8000: open({str(marker)!r}, 'w').close()\n"
        "    return 'stay'"
    )
    words = ["sim", bot(tmp_path, body), "points:20", "--games", "10000000", *SMALL]
    program = subprocess.Popen(
        [sys.executable, "-m", "flip7", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    for _ in range(600):
        if marker.exists():
            break
        time.sleep(0.1)
    program.send_signal(signal.SIGINT)
    out, err = program.communicate(timeout=30)
    assert program.returncode == 130
    assert "interrupted; this is what is known so far:" in err
    assert "points:20" in out
    assert "games to 200 points" in out
    assert "Traceback" not in err


def test_a_terminal_gets_a_live_bar() -> None:
    ours, theirs = pty.openpty()
    words = ["sim", "points:20", "hit", "--games", "1500", *SMALL]
    program = subprocess.Popen(
        [sys.executable, "-m", "flip7", *words],
        stdout=subprocess.PIPE,
        stderr=theirs,
        env={**os.environ, "TERM": "xterm", "COLUMNS": "100"},
    )
    os.close(theirs)
    shown = b""
    with contextlib.suppress(OSError):  # the end of a terminal
        while part := os.read(ours, 4096):
            shown += part
    os.close(ours)
    out, _ = program.communicate(timeout=60)
    assert program.returncode == 0
    assert b"1,500 games to 200 points" in out
    assert b"games," in shown
    assert b"/s" in shown
    assert b"points:20 leads, " in shown


def test_compiling_is_announced_once_for_each_machine(tmp_path: Path) -> None:
    words = [sys.executable, "-m", "flip7", "sim", "points:20", "hit", "--games", "100", "--seed", "1"]
    new = {**os.environ, "XDG_CACHE_HOME": str(tmp_path)}
    with subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, env=new) as first:
        assert first.stderr is not None
        told = first.stderr.readline()
        first.kill()  # it would do so now
    assert told == "flip7: compiling the rules for this machine, once; this takes about 15 seconds ...\n"
    compiled, again = (subprocess.run(words, capture_output=True, text=True, check=True) for _ in range(2))
    assert again.stderr == ""
    assert again.stdout.splitlines()[:-1] == compiled.stdout.splitlines()[:-1]


def test_without_numba_the_interpreted_engine_still_plays() -> None:
    for package in ("numba", "numpy"):
        done = without(package, "sim", "ev", "hit", "--games", "20")
        assert (done.returncode, done.stdout) == (2, "")
        assert f"{advice('sim')}; or use --engine interpreted, which is slower" in done.stderr
        done = without(package, "sim", "ev", "hit", "--games", "20", "--engine", "interpreted")
        assert (done.returncode, done.stderr) == (0, "")
        assert without(package, "odds", "0:12/0:5 turn@0").returncode == 0


def test_without_matplotlib_plots_are_refused_at_once(tmp_path: Path) -> None:
    for option, file in (("--plot", "x.png"), ("--report", "x.html")):
        done = without("matplotlib", "sim", "ev", option, str(tmp_path / file))
        assert done.returncode == 2
        assert done.stderr == f"flip7 sim: {option} needs the package 'matplotlib': {advice('plots')}\n"
        assert not (tmp_path / file).exists()


def test_heavy_packages_are_loaded_only_when_used() -> None:
    code = (
        "import sys\nfrom flip7.cli import main\n"
        "main(['sim', 'ev', 'hit', '--games', '4', '--engine', 'interpreted', '--workers', '1'])\nprint(*sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    modules = set(done.stdout.splitlines()[-1].split())
    assert not modules & {"numpy", "numba", "matplotlib", "rich", "distributed", "dask"}


def test_plots_are_pictures_with_their_labels(run: Run, tmp_path: Path) -> None:
    for file in ("plot.svg", "plot.png"):
        words = ("--games", "200", "--plot", str(tmp_path / file), *SMALL)
        assert run("sim", "points:25", "ev", "ev", *words)[0] == 0
        assert run("rounds", "ev", "--rounds", "200", "--plot", str(tmp_path / f"rounds-{file}"), *SMALL)[0] == 0
    assert (tmp_path / "plot.png").read_bytes().startswith(b"\x89PNG")
    svg = (tmp_path / "plot.svg").read_text()
    for text in ("Win rates", "games won, with 95 % confidence interval", "Points of a round", "Length of games", "ev"):
        assert text in svg
    assert "mean" in (tmp_path / "rounds-plot.svg").read_text()


def test_plots_of_the_same_result_are_the_same_file(run: Run, tmp_path: Path) -> None:
    for name in ("a.svg", "b.svg"):
        run("sim", "points:25", "ev", "--games", "100", "--plot", str(tmp_path / name), *SMALL)
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()


@pytest.mark.parametrize("words", [("sim", "points:25", "ev", "--games", "200"), ("rounds", "ev", "--rounds", "200")])
def test_a_report_is_one_page_that_asks_nobody_for_anything(run: Run, tmp_path: Path, words: tuple[str, ...]) -> None:
    file = tmp_path / "report.html"
    assert run(*words, "--report", str(file), *SMALL)[0] == 0
    page = file.read_text()
    assert "<svg" in page
    assert "<dt>seed</dt><dd>1</dd>" in page
    assert f"flip7 {flip7.__version__}" in page
    for outside in ("http:", "https:", "src=", "@import", "url(//", "<script", "<link"):
        assert outside not in page


def test_a_report_shows_names_as_text(run: Run) -> None:
    from flip7.sim.report import page

    simulation_ = Simulation(["ev", "hit"], seed=1, engine="interpreted", workers=1)
    run_games(simulation_, 10)
    from flip7.sim.results import sim_result

    evil = "<script>alert(1)</script>$x_{$.py:\x1b[2J&"
    result = msgspec.structs.replace(sim_result(simulation_), strategies=[evil, "hit"])
    text = page(result, {"command": f"flip7 sim {evil}"})
    assert "<script" not in text
    assert "&lt;script&gt;" in text


def test_records_of_the_first_games_are_sound_and_are_the_games_that_were_played(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "games"
    words = ("--games", "60", "--records", str(folder), "--keep", "60", "--json", *SMALL)
    status, out, _ = run("sim", "points:25", "ev", "random", *words)
    assert status == 0
    files = sorted(folder.iterdir())
    assert [file.name for file in files[:2]] == ["game-000001.flip7", "game-000002.flip7"]
    status, checked, _ = run("check", *map(str, files))
    assert status == 0
    assert checked.count(": sound, ") == 60
    games = [Game.from_record(file.read_text()) for file in files]
    winners = [game.players[game.winner] for game in games if game.winner is not None]
    result = json.loads(out)
    assert [winners.count(strategy) for strategy in result["strategies"]] == result["wins"]
    assert sum(len(game.rounds) for game in games) == result["rounds"]
    assert sum(event.kind == "card_flipped" for game in games for event in game.events) == result["flips"]
    status, _, err = run("sim", "ev", "hit", "--records", str(folder), *SMALL)
    assert status == 2
    assert "has records already: name another, or add --overwrite" in err
    assert run("sim", "ev", "hit", "--records", str(folder), "--overwrite", *SMALL)[0] == 0


def test_records_follow_the_rules_asked_for(run: Run, tmp_path: Path) -> None:
    """A deck of two faces: the game itself turns up a card that cannot be another one (CHOICE-1)."""
    words = ("--composition", "12:3,1:1", "--target", "40", "--reshuffle", "round", "--first", "dealer", "--decks", "2")
    status, _, err = run("sim", "cards:1", "cards:2", *words, "--games", "12", "--records", str(tmp_path), *SMALL)
    assert (status, err) == (0, "")
    files = [str(file) for file in tmp_path.iterdir()]
    assert len(files) == 10
    assert run("check", *files)[0] == 0


def test_a_strategy_that_is_not_deterministic_gets_no_records(run: Run, tmp_path: Path) -> None:
    body = "def turn(self, position):\n    import random\n    return random.choice(['hit', 'stay'])"
    words = ("--games", "60", "--keep", "60", "--records", str(tmp_path / "games"), *SMALL)
    status, out, err = run("sim", bot(tmp_path, body), "points:20", *words)
    assert status == 2
    assert "60 games" in out
    assert "do not come out twice in the same way" in err


def test_the_odds_are_told_in_words_and_bars(run: Run) -> None:
    status, out, err = run("odds", "0:12,9/0:5 turn@0")
    assert (status, err) == (0, "")
    assert "Seat 0: 12 9, 21 points. 91 cards are left." in out
    assert "20.9 %  About one card in five would bust you." in out
    assert "Five more numbers are needed." in out
    assert "points on average, 0.79 more than the 21 now." in out
    lines = {line.split()[0]: line for line in out.splitlines() if "█" in line}
    assert lines["12"].endswith("bust")
    assert "bust" not in lines["11"]
    assert max(map(len, out.splitlines())) <= 80


def test_the_odds_know_second_chances_flip_7s_and_empty_decks(run: Run) -> None:
    assert "The Second Chance keeps you from busting." in run("odds", "0:12,9,second/0:5", "turn@0")[1]
    out = run("odds", "0:10,11,12,9,8,7/0:5 turn@0")[1]
    assert "would make a Flip 7." in out
    assert out.count("Flip 7\n") >= 6
    empty = ".".join(["0"] * 22)
    full = ".".join(["4", *["0"] * 21])
    out = run("odds", f"0:12/0:5 turn@0 draw={empty} discard={full}")[1]
    assert "The deck is empty; 4 cards are left to reshuffle." in out
    assert "No card would bust you." in out


@pytest.mark.parametrize(
    ("chance", "words"),
    [(0.2, "One card in five"), (0.4, "Two cards in five"), (0.21, "About one card in five"), (1.0, "Every card")],
)
def test_chances_are_plain_fractions(chance: float, words: str) -> None:
    from flip7.commands.odds import one_in

    assert one_in(chance) == words
    assert one_in(0.01) == "About one card in 100"
    assert one_in(0.99) == "Nearly every card"
