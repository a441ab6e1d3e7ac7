"""The terminal application in a real terminal: how soon it shows a table, how soon a key shows, what it takes idle."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import statistics
import struct
import subprocess
import sys
import tempfile
import termios
import time
from pathlib import Path

from flip7.game.game import Game
from flip7.strategy.cast import company

START, KEY, IDLE = 0.6, 0.05, 0.01
"""Required: seconds until the table is on show, until a key is, and the share of a core while nothing happens."""
RUNS = 7
PRESSES = 10
PATIENCE = 20.0
PLAY = ("play", "--seed", "3", "--players", "4")
KEPT = 200
"""So many games that were left are there when `play` is started without options."""
RECORD = str(Path(__file__).resolve().parent.parent / "tests" / "golden" / "four.flip7")
STILL = 10.0


class Session:
    """One run of `flip7` with these words on a terminal of 100 × 30."""

    def __init__(self, home: str, *words: str) -> None:
        self.ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 30, 100, 0, 0))
        environment = {**os.environ, "TERM": "xterm-256color", "LANG": "en_GB.UTF-8"}
        environment |= dict.fromkeys(("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"), home)
        environment.pop("PYTHONDONTWRITEBYTECODE", None)  # as installed: nothing is compiled at every start
        environment["PYTHONPYCACHEPREFIX"] = str(Path(home) / "bytecode")
        command = [str(Path(sys.executable).with_name("flip7")), *words]
        self.begun = time.perf_counter()
        self.process = subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, env=environment)
        os.close(theirs)
        self.written = b""

    def until(self, text: bytes) -> float:
        """Return when a text is on show."""
        self.written = b""
        while text not in self.written:
            if not select.select([self.ours], [], [], PATIENCE)[0]:
                raise RuntimeError(f"{text!r} never came: {self.written!r}")
            self.written += os.read(self.ours, 65536)
        return time.perf_counter()

    def press(self, key: bytes, text: bytes) -> float:
        """Return how long a key takes to show its effect."""
        begun = time.perf_counter()
        os.write(self.ours, key)
        return self.until(text) - begun

    def spent(self) -> float:
        """Return the processor time of the program so far."""
        words = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")

    def end(self) -> None:
        """Leave by Ctrl-C."""
        os.write(self.ours, b"\x03")
        self.until(b"\x1b[?1049l")
        self.process.wait()
        os.close(self.ours)


def started(home: str, text: bytes, *words: str) -> float:
    """Return how long a command takes until a text is on show, in the middle of several runs."""
    found = []
    for _ in range(RUNS):
        session = Session(home, *words)
        found.append(session.until(text) - session.begun)
        session.end()
    return statistics.median(found)


def keep(home: str) -> None:
    """Leave many games in the middle, as somebody does who plays every day."""
    folder = Path(home) / "flip7" / "games"
    folder.mkdir(parents=True, exist_ok=True)
    for seed in range(KEPT):
        game = Game(["Ana", *(bot.name for bot in company(3))], seed=seed)
        while game.decision is not None and game.position.round < 5:
            game.play(game.decision.options[-1])
        (folder / f"{seed:04}.flip7").write_text(game.record(), "utf-8")


def run() -> bool:
    """Measure; returns whether everything is as quick as required."""
    starts: list[float] = []
    works: list[float] = []
    keys: list[float] = []
    worked: list[float] = []
    idle = 0.0
    with tempfile.TemporaryDirectory() as home:
        first = Session(home, *PLAY)
        first.until(b"Stay with")
        first.end()
        for number in range(RUNS):
            session = Session(home, *PLAY)
            starts.append(session.until(b"Flip 7") - session.begun)
            works.append(session.spent())
            session.until(b"Stay with")
            spent = session.spent()
            for _ in range(PRESSES):
                keys += [session.press(b"s", b"Staying"), session.press(b"u", b"Stay with")]
            worked.append((session.spent() - spent) / PRESSES / 2)
            if number == 0:
                time.sleep(1)
                spent = session.spent()
                time.sleep(STILL)
                idle = (session.spent() - spent) / STILL
            session.end()
        replay = started(home, b"Replay", "replay", RECORD)
        keep(home)
        choice = started(home, b"Your opponents", "play")
    start, key = statistics.median(starts), statistics.median(keys)
    work = statistics.median(works)
    print(f"terminal: a table is on show after {start:.2f} s, {work:.2f} s of processor time ({START} s are allowed)")
    print(f"terminal: a replay is on show after {replay:.2f} s ({START} s are allowed)")
    print(f"terminal: with {KEPT} games kept, what to play can be chosen after {choice:.2f} s ({START} s are allowed)")
    effort = 1000 * statistics.median(worked)
    print(f"terminal: a key shows after {1000 * key:.0f} ms, {effort:.0f} ms of processor time ({KEY} s are allowed)")
    print(f"terminal: idle it takes {100 * idle:.2f} % of a core")
    return max(start, replay, choice) <= START and key <= KEY and idle <= IDLE


if __name__ == "__main__":
    sys.exit(0 if run() else 1)
