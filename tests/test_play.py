"""`flip7 play`: a person at a terminal, and the simple opponents."""

import os
import pty
import select
import subprocess
import sys
import time
from pathlib import Path

import pytest

from flip7.cli import main
from flip7.game.game import Game


def start(*words: str, text: str | bytes = "", **variables: str) -> subprocess.CompletedProcess[bytes]:
    """Plays with these answers, in a program of its own."""
    data = text.encode() if isinstance(text, str) else text
    command = [sys.executable, "-W", "error", "-m", "flip7", "play", *words]
    return subprocess.run(command, input=data, capture_output=True, timeout=60, env={**os.environ, **variables})


def test_a_game_can_be_left_at_once_and_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "game.flip7"
    done = start("--seed", "11", "--name", "Zoë", "--record", str(path), text="h\nq\n")
    assert done.returncode == 0
    assert done.stderr == b""
    assert b"You have left the game" in done.stdout
    game = Game.from_record(path.read_text(encoding="utf-8"))
    assert game.players[0] == "Zoë"
    assert game.seed == 11
    assert game.choices[0] == "hit"


def test_a_whole_game_can_be_played_and_its_record_is_sound(tmp_path: Path) -> None:
    path = tmp_path / "game.flip7"
    answers = "h\ns\n1\n2\n3\n" * 400
    done = start("--seed", "5", "--players", "3", "--target", "60", "--record", str(path), text=answers)
    assert done.returncode == 0
    out = done.stdout.decode()
    assert " won with " in out
    assert "These were the cards of --seed 5." in out
    game = Game.from_record(path.read_text(encoding="utf-8"))
    assert game.winner is not None


@pytest.mark.parametrize("players", [1, 2, 36])
def test_few_and_many_can_play(players: int) -> None:
    done = start("--seed", "5", "--players", str(players), "--target", "20", text="s\n1\n" * 200)
    assert done.returncode == 0
    assert b" won with " in done.stdout


def test_the_same_seed_gives_the_same_game() -> None:
    first, second = (start("--seed", "5", text="h\ns\n1\n" * 300).stdout for _ in range(2))
    assert first == second
    assert start("--seed", "6", text="h\ns\n1\n" * 300).stdout != first


def test_what_cannot_be_understood_gets_help_and_changes_nothing() -> None:
    done = start("--seed", "3", text="hti\n?\n\nrules NUM-2\nrules xyzzyx\nt\ns\n")
    out = done.stdout.decode()
    assert out.count("Type h to hit, s to stay; ? for help") == 2
    assert out.count("leave the game") == 1
    assert "NUM-2   A number that is in the line already" in out
    assert "nothing about 'xyzzyx'" in out
    assert out.count("90 cards to draw") == 2
    assert out.count("  You            stay\n") == 1


def test_the_risk_is_told_before_every_turn() -> None:
    out = start("--seed", "3", text="").stdout.decode()
    assert "You have 8 points; 7 of 90 cards would bust you (8 %)." in out


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("de", ("Du hast 8 Punkte; mit 7 von 90 Karten wärst du raus (8 %).", "Karte oder Stopp? (h/s)", "Runde 1")),
        ("fr", ("Vous avez 8 points ; 7 sur 90 cartes", "Carte ou stop ? (h/s)", "Manche 1")),
        ("es", ("Tienes 8 puntos; 7 de 90 cartas", "¿Carta o plantarse? (h/s)", "Ronda 1")),
    ],
)
def test_lines_speak_the_language_of_the_system(language: str, told: tuple[str, ...]) -> None:
    out = start("--seed", "3", text="?\nrules 7\nq\n", LANG=f"{language}.UTF-8").stdout.decode()
    for text in told:
        assert text in out
    assert "Hit or stay" not in out
    assert "See NUM" not in out


def test_input_that_is_no_text_is_no_crash() -> None:
    done = start("--seed", "3", text=b"\xff\xfe\n\x00\nq\n")
    assert done.returncode == 0
    assert done.stderr == b""


def test_a_record_never_replaces_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "file"
    path.write_text("precious")
    assert main(["play", "--record", str(path)]) == 2
    assert "exists already: name another, or add --overwrite" in capsys.readouterr().err
    assert path.read_text() == "precious"
    assert start("--record", str(path), "--overwrite", text="q\n").returncode == 0
    assert path.read_text().startswith("flip7 record")
    assert main(["play", "--record", str(tmp_path / "nowhere" / "game.flip7")]) == 2
    assert "No such file or directory" in capsys.readouterr().err


ON_ITS_TERMINAL = """
import fcntl, sys, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
from flip7.cli import main
sys.exit(main())
"""


def on_a_terminal(*words: str, keys: bytes, **variables: str) -> tuple[int, str]:
    """Runs the command on a terminal of its own, types the keys when it first asks, and returns what is to be seen."""
    terminal, inside = pty.openpty()
    program = subprocess.Popen(
        [sys.executable, "-c", ON_ITS_TERMINAL, *words],
        stdin=inside,
        stdout=inside,
        stderr=inside,
        start_new_session=True,
        env={**os.environ, "TERM": "xterm", **variables},
    )
    os.close(inside)
    seen, typed, end = b"", False, time.monotonic() + 30
    while time.monotonic() < end:
        if not select.select([terminal], [], [], 1)[0]:
            if typed:  # Ctrl-C between the prompt and the reading is noticed only with the next key
                os.write(terminal, keys)
            continue
        try:
            seen += os.read(terminal, 65536)
        except OSError:  # the program has left its terminal
            break
        if b"(h/s)" in seen and not typed:
            typed = True
            os.write(terminal, keys)
    os.close(terminal)
    return program.wait(10), seen.decode()


@pytest.mark.parametrize("keys", [b"\x03", b"\x04", b"q\n"], ids=["Ctrl-C", "Ctrl-D", "q"])
def test_leaving_is_polite(tmp_path: Path, keys: bytes) -> None:
    path = tmp_path / "game.flip7"
    status, seen = on_a_terminal("play", "--plain", "--seed", "3", "--record", str(path), keys=keys, NO_COLOR="")
    assert status == 0
    assert "Goodbye!" in seen
    assert "Traceback" not in seen
    assert str(path) in seen
    assert Game.from_record(path.read_text()).winner is None


def test_colours_are_for_terminals_and_can_be_turned_off() -> None:
    assert "\x1b[1m" in on_a_terminal("rules", "freeze", keys=b"", NO_COLOR="")[1]
    assert "\x1b" not in on_a_terminal("rules", "freeze", keys=b"", NO_COLOR="1")[1]
    assert "\x1b" not in on_a_terminal("rules", "freeze", keys=b"", NO_COLOR="", TERM="dumb")[1]
