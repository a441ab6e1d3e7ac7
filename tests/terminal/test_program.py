"""The real program in a real terminal: it opens the whole screen, and leaves all as it was, however it ends."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import shlex
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests import parts

from flip7.game.game import Game

ALTERNATE, BACK = b"\x1b[?1049h", b"\x1b[?1049l"
PATIENCE = 40.0


class Terminal:
    """A terminal with a program in it."""

    def __init__(self, home: Path, *words: str, **variables: str) -> None:
        self.ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        self.before = termios.tcgetattr(theirs)
        environment = {**os.environ, "TERM": "xterm-256color", "LANG": "en_GB.UTF-8", "PYTHONUTF8": "1", **variables}
        for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"):
            environment[name] = str(home)
        command = [sys.executable, "-m", "flip7", *words]
        self.process = subprocess.Popen(
            command, stdin=theirs, stdout=theirs, stderr=theirs, env=environment, start_new_session=True
        )
        self._theirs = theirs
        self.written = b""
        os.set_blocking(self.ours, False)

    def read(self) -> None:
        try:
            while chunk := os.read(self.ours, 65536):
                self.written += chunk
        except (BlockingIOError, OSError):
            return

    def until(self, fits: Callable[[], bool]) -> None:
        deadline = time.monotonic() + PATIENCE
        while not fits():
            assert time.monotonic() < deadline, self.written[-3000:]
            self.read()
            time.sleep(0.02)

    def until_quiet(self) -> None:
        """Wait until nothing is written any more."""
        while select.select([self.ours], [], [], 0.2)[0]:
            self.read()

    def shows(self, text: str) -> None:
        self.until(lambda: text.encode() in self.written)

    def press(self, keys: bytes) -> None:
        os.write(self.ours, keys)

    def ended(self) -> int:
        self.until(lambda: self.process.poll() is not None)
        self.read()
        return self.process.wait()

    def is_as_before(self) -> bool:
        return termios.tcgetattr(self._theirs) == self.before and BACK in self.written.rpartition(ALTERNATE)[2]

    def hang_up(self, *, signalled: bool) -> None:
        """Close the terminal, as a window that is closed, or as a container that nobody looks into any more."""
        os.close(self._theirs)
        os.close(self.ours)
        self._theirs = self.ours = -1
        if signalled:  # by hand: the program is in a session without a controlling terminal
            self.process.send_signal(signal.SIGHUP)

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        for end in (self.ours, self._theirs):
            if end >= 0:
                os.close(end)


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[..., Terminal]]:
    opened: list[Terminal] = []

    def start_(*words: str, **variables: str) -> Terminal:
        opened.append(Terminal(tmp_path, *words, **variables))
        return opened[-1]

    yield start_
    for terminal in opened:
        terminal.close()


Start = Callable[..., Terminal]
DEAL = ("play", "--seed", "3", "--players", "3", "--name", "Ana")


@pytest.mark.parametrize("end", ["ctrl-c", "SIGINT", "SIGTERM", "SIGHUP"])
def test_however_it_ends_the_terminal_is_as_it_was_and_the_game_is_kept(start: Start, tmp_path: Path, end: str) -> None:
    terminal = start(*DEAL)
    terminal.shows("Stay with")
    assert ALTERNATE in terminal.written
    assert termios.tcgetattr(terminal._theirs) != terminal.before
    if end == "ctrl-c":
        terminal.press(b"\x03")
    else:
        terminal.process.send_signal(getattr(signal, end))
    assert terminal.ended() == (0 if end == "ctrl-c" else 128 + getattr(signal, end))
    assert terminal.is_as_before()
    (path,) = (tmp_path / "flip7" / "games").glob("*.flip7")
    assert Game.from_record(path.read_text("utf-8")).seed == 3


@pytest.mark.parametrize(("end", "after"), [("SIGTERM", 0.0), ("SIGHUP", 0.01), ("SIGTERM", 0.06)])
def test_a_signal_at_the_very_beginning_leaves_the_terminal_as_it_was(start: Start, end: str, after: float) -> None:
    terminal = start(*DEAL)
    deadline = time.monotonic() + PATIENCE
    while ALTERNATE not in terminal.written and time.monotonic() < deadline:
        select.select([terminal.ours], [], [], 0.1)
        terminal.read()
    time.sleep(after)
    terminal.process.send_signal(getattr(signal, end))
    assert terminal.ended() == 128 + getattr(signal, end)
    assert terminal.is_as_before()
    assert b"Traceback" not in terminal.written


def test_a_key_makes_little_to_carry_for_a_slow_link(start: Start) -> None:
    """Only lines that have changed are drawn again: the whole screen would be more than 5000 bytes."""
    terminal = start(*DEAL)
    terminal.shows("Stay with")
    terminal.until_quiet()
    before = len(terminal.written)
    terminal.press(b"s")
    terminal.shows("Staying")
    assert len(terminal.written) - before < 1000


@pytest.mark.parametrize("signalled", [True, False])
def test_a_terminal_that_is_closed_ends_the_program_and_the_game_is_kept(
    start: Start, tmp_path: Path, signalled: bool
) -> None:
    """The window is gone: SIGHUP comes, or nobody tells, and nothing can be written any more."""
    terminal = start(*DEAL)
    terminal.shows("Stay with")
    terminal.press(b"h")
    terminal.shows("Ana hits")
    terminal.hang_up(signalled=signalled)
    assert terminal.process.wait(PATIENCE) != 0
    (path,) = (tmp_path / "flip7" / "games").glob("*.flip7")
    assert Game.from_record(path.read_text("utf-8")).choices[0] == "hit"


def test_it_runs_in_tmux(tmp_path: Path) -> None:
    """A terminal with a mind of its own: the game is drawn, a key works, and the shell's screen is back after it."""
    parts.need("tmux")
    socket = str(tmp_path / "socket")
    folders = {name: str(tmp_path) for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME")}
    environment = {**os.environ, **folders, "LANG": "en_GB.UTF-8", "LC_ALL": "C.UTF-8", "SHELL": "/bin/sh"}

    def do(*words: str) -> str:
        command = ["tmux", "-S", socket, "-f", "/dev/null", *words]
        return subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout

    def sees(text: str) -> None:
        deadline = time.monotonic() + PATIENCE
        while text not in (screen := do("capture-pane", "-p")):
            assert time.monotonic() < deadline, screen
            time.sleep(0.05)

    game = shlex.join([sys.executable, "-m", "flip7", *DEAL])
    do("new-session", "-d", "-x", "80", "-y", "24", f"echo before; {game}; echo after $?; exec sleep 60")
    try:
        sees("Stay with")
        assert "before" not in do("capture-pane", "-p")
        do("resize-window", "-x", "40", "-y", "20")
        sees("H  Hit")
        do("send-keys", "h")
        sees("Ana hits")
        do("send-keys", "C-c")
        sees("after 0")
        assert "before" in do("capture-pane", "-p")
    finally:
        do("kill-server")


def test_a_killed_game_is_gone_on_with(start: Start, tmp_path: Path) -> None:
    terminal = start(*DEAL)
    terminal.shows("Stay with")
    terminal.press(b"h")
    terminal.shows("Ana hits")
    (path,) = (tmp_path / "flip7" / "games").glob("*.flip7")
    terminal.until(lambda: "hit" in Game.from_record(path.read_text("utf-8")).choices)
    terminal.process.kill()
    terminal.ended()
    again = start("play")
    again.shows("Go on: Round")
    again.press(b"g")
    again.shows("Ana hits")


def test_a_crash_says_what_it_was_and_leaves_the_terminal_as_it_was(start: Start, tmp_path: Path) -> None:
    broken = tmp_path / "broken"
    broken.mkdir()
    (broken / "sitecustomize.py").write_text(
        "import flip7.terminal.table.log as log\n"
        "def render(self):\n    raise RuntimeError('put in by hand')\n"
        "log.Log.render = render\n"
    )
    terminal = start(*DEAL, PYTHONPATH=str(broken))
    assert terminal.ended() == 1
    assert terminal.is_as_before()
    assert b"put in by hand" in terminal.written


@pytest.mark.parametrize(
    ("words", "variables"),
    [((*DEAL, "--plain"), {}), (DEAL, {"TERM": "dumb"})],
    ids=["--plain", "a terminal that can do nothing"],
)
def test_plain_lines_are_written_where_they_are_wanted(
    start: Start, words: tuple[str, ...], variables: dict[str, str]
) -> None:
    terminal = start(*words, **variables)
    terminal.shows("Hit or stay? (h/s)")
    assert ALTERNATE not in terminal.written
    terminal.press(b"q\n")
    assert terminal.ended() == 0


def test_without_the_extra_one_sentence_says_how_to_get_it(start: Start, tmp_path: Path) -> None:
    hidden = tmp_path / "hidden"
    hidden.mkdir()
    (hidden / "sitecustomize.py").write_text(
        "import importlib.util as util\nfind = util.find_spec\n"
        "util.find_spec = lambda name, package=None: None if name == 'textual' else find(name, package)\n"
    )
    terminal = start(*DEAL, PYTHONPATH=str(hidden))
    terminal.shows("Hit or stay? (h/s)")
    assert b"flip7 play, on a whole screen, needs the package 'textual': " in terminal.written
    assert terminal.written.count(b"[terminal]") == 1


def test_sixteen_colours_are_enough(start: Start) -> None:
    terminal = start(*DEAL, TERM="xterm-16color", COLORTERM="")
    terminal.shows("Stay with")
    assert b"\x1b[38;2;" not in terminal.written
    assert b";2;" not in terminal.written


def test_the_screens_are_there_without_what_only_thinking_needs() -> None:
    """NumPy and Numba take longer to load than the whole application to start."""
    screens = ("screens.start", "screens.play", "screens.rules", "screens.log", "screens.settings", "screens.games")
    more = ("replay.screen", "score.screen", "score.live", "online.lobby", "online.lines")
    modules = [f"flip7.terminal.{name}" for name in (*screens, *more)] + ["flip7.commands.play", "flip7.commands.join"]
    check = f"import {', '.join(modules)}; import sys; print(sorted({{'numpy', 'numba'}} & set(sys.modules)))"
    found = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"
