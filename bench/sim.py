"""How fast the simulator is, beside a hand-written loop in C, and what it costs to start."""

from __future__ import annotations

import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from flip7 import simulate
from flip7.sim.run import cores

AT_LEAST = 0.79  # of the yardstick, on one core
EV_AT_LEAST = 0.23  # the same for a field of `ev`, which reckons at every question: what it had before there were nets
TWO_WORKERS = 1.8  # times one
WARM_START = 0.8  # seconds of processor time to the end of a hundred games
COLD_START = 20.0  # the same, compilation included
MEMORY = 1.05  # times what a hundred thousand games need
FIELD = ("points:25",) * 4
EV = ("ev",) * 4
GAMES = 500_000
TIMES = 5

YARDSTICK = Path(os.environ.get("FLIP7_YARDSTICK") or Path(__file__).resolve().parents[2] / "shared" / "yardstick")
"""The folder of the C program: beside the repository, or where FLIP7_YARDSTICK says."""


def run() -> bool:
    """Measure and print everything; return whether every requirement is met."""
    for field in (FIELD, EV):
        simulate(field, games=1_000, seed=0, workers=1)  # compiles, if that has not been done
    reached = [beside_the_yardstick(), two_workers(), starts(), memory()]
    others()
    return all(reached)


def beside_the_yardstick() -> bool:
    """Compare on one core each, in turns, by processor time: what else the machine does must not count."""
    with tempfile.TemporaryDirectory() as folder:
        program = build_yardstick(Path(folder))
        ours, evs, theirs = [], [], []
        for time_ in range(TIMES):
            ours.append(rate(FIELD, GAMES, seed=time_))
            evs.append(rate(EV, GAMES // 2, seed=time_))
            if program is not None:
                theirs.append(yardstick_rate(program, seed=time_ + 1))
    own, ev = statistics.median(ours), statistics.median(evs)
    print(f"sim: {own:,.0f} games a second on one core, four seats of points:25 to 200 (median of {TIMES})")
    print(f"sim: {ev:,.0f} games a second on one core for four seats of ev")
    if not theirs:
        return True
    yardstick = statistics.median(theirs)
    share = own / yardstick
    print(f"sim: {yardstick:,.0f} games a second for the C yardstick; that is {share:.2f} of it (required: {AT_LEAST})")
    print(f"sim: four seats of ev have {ev / yardstick:.2f} of it (required: {EV_AT_LEAST})")
    return share >= AT_LEAST and ev / yardstick >= EV_AT_LEAST


def build_yardstick(folder: Path) -> Path | None:
    """Return the C program, built in a folder of its own; `None`, with the reason printed, where it cannot be had."""
    if not (YARDSTICK / "yardstick.c").is_file():
        print("sim: no C yardstick beside the repository; FLIP7_YARDSTICK may name its folder. Not compared.")
        return None
    if sys.platform == "win32" or shutil.which("make") is None or shutil.which("cc") is None:
        print("sim: make and a C compiler are needed to build the yardstick. Not compared.")
        return None
    shutil.copytree(YARDSTICK, folder, dirs_exist_ok=True)
    subprocess.run(["make", "-s", "-B", "-C", str(folder)], check=True)
    return folder / "yardstick"


def yardstick_rate(program: Path, seed: int) -> float:
    """Return its games per second of processor time. The program's own figure goes by the clock."""

    def work() -> None:
        command = [str(program), str(GAMES), str(len(FIELD)), "25", str(seed)]
        output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        if not re.match(r"\d+ games/s", output):
            raise RuntimeError(f"the yardstick has said something else than games/s: {output!r}")

    return GAMES / processor_time(work)


def processor_time(work: Callable[[], object]) -> float:
    """Return how many seconds of the processor the programs that something starts take; by the clock on Windows."""
    if sys.platform == "win32":
        return by_the_clock(work)
    from resource import RUSAGE_CHILDREN, getrusage

    before = getrusage(RUSAGE_CHILDREN)
    work()
    after = getrusage(RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def rate(field: Sequence[str], games: int, seed: int) -> float:
    """Return our games per second of processor time, with one worker."""
    before = time.process_time()
    simulate(field, games=games, seed=seed, workers=1)
    return games / (time.process_time() - before)


def two_workers() -> bool:
    """Compare two workers with one, in turns, by the clock: on a busy machine they gain less."""
    if cores() < 2:
        print("sim: one core only: two workers are not compared with one.")
        return True
    ratios = []
    for seed in range(TIMES):
        one, two = (by_the_clock(partial(simulate, FIELD, games=2 * GAMES, seed=seed, workers=n)) for n in (1, 2))
        ratios.append(one / two)
    ratio = statistics.median(ratios)
    print(f"sim: two workers are {ratio:.2f} times as fast as one (required: {TWO_WORKERS})")
    return ratio >= TWO_WORKERS


def by_the_clock(work: Callable[[], object]) -> float:
    """Return how many seconds something takes."""
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def starts() -> bool:
    """Time the whole command, with compiled code on disk and without."""
    command = [sys.executable, "-m", "flip7", "sim", "points:25", "points:25", "--games", "100"]

    def whole(environment: dict[str, str]) -> float:
        return processor_time(lambda: subprocess.run(command, capture_output=True, check=True, env=environment))

    whole(dict(os.environ))
    warm = statistics.median(whole(dict(os.environ)) for _ in range(TIMES))
    with tempfile.TemporaryDirectory() as folder:
        cold = whole({**os.environ, "XDG_CACHE_HOME": folder})
    print(
        f"sim: a warm start to the end of a hundred games takes {warm:.2f} s of the processor (required: {WARM_START})"
    )
    print(f"sim: a cold one, compilation included, {cold:.1f} s (required: {COLD_START:.0f})")
    return warm <= WARM_START and cold <= COLD_START


PEAK = """
import sys
from resource import RUSAGE_SELF, getrusage
from flip7 import simulate
simulate(["points:25"] * 4, games=int(sys.argv[1]), seed=1)
print(getrusage(RUSAGE_SELF).ru_maxrss)
"""


def memory() -> bool:
    """Measure the most memory that a process ever needs, for few games and for many."""
    if sys.platform == "win32":
        print("sim: the peak of memory is not measured on this system.")
        return True
    few, many = (
        int(subprocess.run([sys.executable, "-c", PEAK, str(n)], capture_output=True, text=True, check=True).stdout)
        for n in (100_000, 4_000_000)
    )
    unit = 1024 * 1024 if sys.platform == "darwin" else 1024
    print(f"sim: {few / unit:.0f} MB for 100,000 games, {many / unit:.0f} MB for 4,000,000 (required: {MEMORY} times)")
    return many <= MEMORY * few


def others() -> None:
    """Measure other fields, and the same games interpreted; nothing is required of them."""
    for field in (("points:25", "bust:0.25", "ev", "cards:4"), ("random",) * 6):
        speed = statistics.median(rate(field, 100_000 // len(field) * len(field), seed) for seed in range(3))
        print(f"sim: {speed:,.0f} games a second on one core for {' '.join(field)}")
    before = time.process_time()
    simulate(FIELD, games=1_000, seed=1, workers=1, engine="interpreted")
    print(f"sim: {1_000 / (time.process_time() - before):,.0f} games a second interpreted")
