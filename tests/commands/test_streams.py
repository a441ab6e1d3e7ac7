"""Every command with an output that is full, closed, given up, narrow or without UTF-8: nothing breaks."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import flip7
from flip7.commands import COMMANDS
from flip7.game.layout import columns
from flip7.testing import stay_at

INTERPRETED = ("--engine", "interpreted", "--workers", "1", "--seed", "1")
POSITION = "150:10,11,12,9,8,5/144s:9,8,+10/90b:12,4,12/0:- turn@0 round=6"
WAYS: dict[str, tuple[str, ...]] = {
    "help": ("--help",),
    "play": ("play", "--plain", "--seed", "5", "--players", "5", "--target", "60"),
    "replay": ("replay", "--plain", "game.flip7", "--rulings"),
    "check": ("check", "game.flip7"),
    "rules": ("rules",),
    "odds": ("odds", POSITION),
    "solve": ("solve", "--composition", "12:2,11:2,10:2,x2:1", "--quiet"),
    "sim": ("sim", "ev", "points:25", "./bots.py:Bot", "--games", "30", "--by-seat", *INTERPRETED),
    "rounds": ("rounds", "points:25", "--rounds", "300", *INTERPRETED),
    "score": ("score", "--plain", "match.json"),
    "statistics": ("score", "--statistics"),
    "sheet": ("sheet", "--overwrite"),
}
"""A way to use each command that prints what it can; `serve` has tests of its own below."""

TYPED = {"play": "?\nx\nh\n1\n2\ns\nh\n3\n" * 60, "score": "?\n12 7 x2\n24\nb\n7.\ns\nedit 1\n?\n\n\n\n\nq\n"}
BOT = """
class Bot:
    def turn(self, position):
        return "stay"

    def target(self, position):
        return position.decision.options[0]
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a record, a bot, a match in it, and another match where matches are kept."""
    game = flip7.Game(["Zoë", "林さん", "Ben", "A very long name indeed"], seed=7)
    while game.decision is not None:
        game.play(stay_at(game, 20))
    (tmp_path / "game.flip7").write_text(game.record(), encoding="utf-8")
    (tmp_path / "bots.py").write_text(BOT)
    match = flip7.Match(["Zoë", "林さん", "Ben", "A very long name indeed"])
    match.enter([12, "bust", 30, ["7", "x2"]])
    kept = tmp_path / "data" / "flip7" / "matches"
    kept.mkdir(parents=True)
    for path in (tmp_path / "match.json", kept / "match.json"):
        path.write_text(match.to_json(), encoding="utf-8")
    return tmp_path


def program(folder: Path, *words: str, **variables: str) -> tuple[list[str], dict[str, str]]:
    here = {**os.environ, "XDG_DATA_HOME": str(folder / "data"), "NO_COLOR": "1", **variables}
    return [sys.executable, "-W", "error", "-m", "flip7", *words], here


def run(folder: Path, way: str, redirection: str = "", **variables: str) -> subprocess.CompletedProcess[bytes]:
    """Run a command in a shell, with its streams redirected."""
    words, here = program(folder, *WAYS[way], **variables)
    return subprocess.run(
        ["/bin/sh", "-c", f'exec "$@" {redirection}', "sh", *words],
        input=TYPED.get(way, "").encode(),
        capture_output=True,
        env=here,
        cwd=folder,
        timeout=60,
    )


def test_every_command_is_here() -> None:
    # Some need a server or what it has kept, others take long to start; they print as the others do.
    elsewhere = {"serve", "join", "store", "advise", "review"}
    assert {words[0] for words in WAYS.values()} == {"--help"} | {command.name for command in COMMANDS} - elsewhere


@pytest.mark.parametrize("way", WAYS)
def test_a_full_output_is_told_in_one_line(folder: Path, way: str) -> None:
    done = run(folder, way, ">/dev/full")
    assert done.stderr.decode() == "flip7: the output cannot be written: No space left on device\n"
    assert done.returncode == 2


@pytest.mark.parametrize("way", WAYS)
def test_a_closed_output_stops_nothing(folder: Path, way: str) -> None:
    for redirection in (">&- 2>&-", "2>/dev/full"):
        done = run(folder, way, redirection)
        assert b"Traceback" not in done.stdout + done.stderr
        assert b"Exception" not in done.stderr
        assert done.returncode == 0


@pytest.mark.parametrize("way", WAYS)
def test_a_closed_input_is_its_end(folder: Path, way: str) -> None:
    done = run(folder, way, "<&-")
    assert done.stderr == b""
    assert done.returncode == 0


@pytest.mark.parametrize("way", WAYS)
def test_a_reader_who_leaves_early_ends_it_without_a_word(folder: Path, way: str) -> None:
    words, here = program(folder, *WAYS[way])
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        words,
        input=TYPED.get(way, "").encode(),
        stdout=writer,
        stderr=subprocess.PIPE,
        env=here,
        cwd=folder,
        timeout=60,
    )
    os.close(writer)
    assert done.stderr == b""
    assert done.returncode == 141


@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
@pytest.mark.parametrize("way", WAYS)
def test_without_utf_8_bars_are_crosses_and_dashes_are_dashes(folder: Path, way: str, encoding: str) -> None:
    done = run(folder, way, PYTHONIOENCODING=encoding)
    assert (done.returncode, done.stderr) == (0, b"")
    text = done.stdout.decode(encoding)
    assert not set("█▏–…") & set(text)
    assert not re.search(r"\\u2[05]", text)  # no sign of ours is left as a code
    if way in ("odds", "rounds"):
        assert "####" in text
    if way == "replay":
        assert "Round 1 - " in text or encoding == "latin-1"
        assert r"\u6797" in text


def test_a_locale_without_utf_8_is_enough(folder: Path) -> None:
    """The same as a system has it: LC_ALL=C with nothing that makes UTF-8 of it."""
    done = run(folder, "rounds", LC_ALL="C", PYTHONUTF8="0", PYTHONCOERCECLOCALE="0")
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"####" in done.stdout


def test_what_is_typed_in_another_encoding_is_refused_or_kept_but_never_a_crash(folder: Path) -> None:
    words, here = program(folder, "score", "new.json")
    done = subprocess.run(
        words, input=b"Zo\xeb Ben\nAna, Ben\n\xff\n12\n13\nq\n", capture_output=True, env=here, cwd=folder, timeout=60
    )
    assert b"Traceback" not in done.stderr
    assert done.returncode in (0, 2)


@contextmanager
def terminal(folder: Path, *words: str, width: int, **variables: str) -> Iterator[tuple[int, subprocess.Popen[bytes]]]:
    """The command on a terminal of that width."""
    outside, inside = pty.openpty()
    fcntl.ioctl(inside, termios.TIOCSWINSZ, struct.pack("HHHH", 24, width, 0, 0))
    command, here = program(folder, *words, TERM="xterm", **variables)
    here.pop("COLUMNS", None)
    process = subprocess.Popen(command, stdin=inside, stdout=inside, stderr=inside, env=here, cwd=folder)
    os.close(inside)
    try:
        yield outside, process
    finally:
        os.close(outside)
        process.kill()
        process.wait()


def seen_on(outside: int, process: subprocess.Popen[bytes], typed: str) -> str:
    """Everything that appears while the lines are typed, one for each question."""
    lines = iter(typed.encode().splitlines(keepends=True))
    seen = b""
    while True:
        ready = select.select([outside], [], [], 30)[0]
        assert ready, seen.decode()
        try:
            news = os.read(outside, 65536)
        except OSError:  # the command has left its terminal
            break
        seen += news
        if seen.endswith((b") ", b": ", b"? ")):
            os.write(outside, next(lines, b"q\n"))
    assert process.wait(30) == 0, seen.decode()
    return seen.decode()


@pytest.mark.parametrize("width", [40, 80])
@pytest.mark.parametrize("way", WAYS)
def test_lines_fit_the_terminal(folder: Path, way: str, width: int) -> None:
    with terminal(folder, *WAYS[way], width=width) as (outside, process):
        text = seen_on(outside, process, TYPED.get(way, ""))
    assert "Traceback" not in text
    with_path = ("kept in", "written:", "The record is in")
    lines = [line for line in text.replace("\r\n", "\n").split("\n") if not line.startswith(with_path)]
    assert len(lines) > 1 or way in ("check", "sheet")
    shown = [re.sub(r"\x1b\[[0-9?]*[A-Za-z]", "", line).split("\r") for line in lines]
    wide = [part for parts in shown for part in parts if columns(part) > width]
    assert not wide or way == "check", wide


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.name)
def test_help_fits_the_terminal(folder: Path, command: object) -> None:
    name = command.name  # type: ignore[attr-defined]
    words, here = program(folder, name, "--help", COLUMNS="40")
    done = subprocess.run(words, capture_output=True, text=True, env=here, timeout=60)
    assert done.returncode == 0
    assert max(map(len, done.stdout.splitlines())) <= 40
    assert "docs/" not in done.stdout


@pytest.mark.parametrize("redirection", [">/dev/full", ">&-"])
def test_a_server_serves_also_when_nobody_reads_where_it_is(folder: Path, redirection: str) -> None:
    words, here = program(folder, "serve", "--port", "0", "--host", "127.0.0.1", "--log", "info")
    process = subprocess.Popen(
        ["/bin/sh", "-c", f'exec "$@" {redirection}', "sh", *words], stderr=subprocess.PIPE, env=here, cwd=folder
    )
    assert process.stderr is not None
    try:
        told = b""
        while b"listening" not in told and (line := process.stderr.readline()):
            told += line
        assert b"listening" in told, told
        assert b"Traceback" not in told
        assert process.poll() is None
    finally:
        process.send_signal(signal.SIGINT)
        rest = process.stderr.read()
        process.stderr.close()
        assert process.wait(30) == 0, told + rest
    assert b"Traceback" not in rest
