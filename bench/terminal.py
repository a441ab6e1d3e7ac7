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

START, KEY, IDLE = 0.6, 0.05, 0.01
"""Required: seconds until the table is on show, until a key is, and the share of a core while nothing happens."""
RUNS = 7
PRESSES = 10
PATIENCE = 20.0
STILL = 10.0


class Session:
    """One run of `flip7 play` on a terminal of 100 × 30."""

    def __init__(self, home: str) -> None:
        self.ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 30, 100, 0, 0))
        environment = {**os.environ, "TERM": "xterm-256color", "LANG": "en_GB.UTF-8"}
        environment |= dict.fromkeys(("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"), home)
        environment.pop("PYTHONDONTWRITEBYTECODE", None)  # as installed: nothing is compiled at every start
        environment["PYTHONPYCACHEPREFIX"] = str(Path(home) / "bytecode")
        command = [str(Path(sys.executable).with_name("flip7")), "play", "--seed", "3", "--players", "4"]
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


def run() -> bool:
    """Measure; returns whether everything is as quick as required."""
    starts: list[float] = []
    works: list[float] = []
    keys: list[float] = []
    worked: list[float] = []
    idle = 0.0
    with tempfile.TemporaryDirectory() as home:
        first = Session(home)
        first.until(b"Stay with")
        first.end()
        for number in range(RUNS):
            session = Session(home)
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
    start, key = statistics.median(starts), statistics.median(keys)
    work = statistics.median(works)
    print(f"terminal: a table is on show after {start:.2f} s, {work:.2f} s of processor time ({START} s are allowed)")
    effort = 1000 * statistics.median(worked)
    print(f"terminal: a key shows after {1000 * key:.0f} ms, {effort:.0f} ms of processor time ({KEY} s are allowed)")
    print(f"terminal: idle it takes {100 * idle:.2f} % of a core")
    return start <= START and key <= KEY and idle <= IDLE


if __name__ == "__main__":
    sys.exit(0 if run() else 1)
