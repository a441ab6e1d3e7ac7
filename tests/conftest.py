"""Settings that all tests share: a time limit for each, and a last line about those that were skipped."""

import faulthandler
import os
import signal
from collections.abc import Callable, Iterator
from types import FrameType

import pytest
from hypothesis import settings
from tests import parts

from flip7.cli import main

# A slow or busy machine is no fault of the code: examples may take their time.
settings.register_profile("flip7", deadline=None)
settings.load_profile("flip7")

SECONDS = float(os.environ.get("FLIP7_TEST_SECONDS", 300))
"""What a test may take before it is ended; four times as much if it is marked `long`. Far above what any needs."""

GRACE = SECONDS / 3
"""How long a test may not hear that its time is over, before its process is ended."""

ERRORS = pytest.StashKey[int]()

# What commands say is checked in English, on whatever machine; tests of other languages name theirs.
for name in ("LC_ALL", "LC_MESSAGES"):
    os.environ.pop(name, None)
os.environ["LANG"] = "C.UTF-8"


def pytest_configure(config: pytest.Config) -> None:
    # A shell lets what it starts in the background ignore Ctrl-C, and so would the programs that tests interrupt.
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    capture = config.pluginmanager.getplugin("capturemanager")
    with capture.global_and_fixture_disabled():
        config.stash[ERRORS] = os.dup(2)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Half as many again as there are cores: many tests wait for browsers and servers."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return cores + cores // 2


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """End a test that takes too long: it fails; and if it does not return even then, so does its whole process."""
    seconds = SECONDS * (4 if item.get_closest_marker("long") else 1)

    def watch(limit: float) -> None:
        faulthandler.dump_traceback_later(limit, exit=True, file=item.config.stash[ERRORS])

    def end(number: int, frame: FrameType | None) -> None:
        watch(max(SECONDS, 60))
        pytest.fail(f"{item.nodeid} was ended after {seconds:g} s")

    # Compiled code that never returns hears no signal and lets no other thread run. This watch needs neither, and a
    # worker that it ends is reported with the name of its test.
    watch(seconds + GRACE)
    before = signal.signal(signal.SIGALRM, end)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        return (yield)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        faulthandler.cancel_dump_traceback_later()


def pytest_unconfigure(config: pytest.Config) -> None:
    """The very last line says how many tests were skipped, and what to install for them."""
    reporter = config.pluginmanager.getplugin("terminalreporter")
    if reporter is not None and not hasattr(config, "workerinput"):
        line = parts.summary([str(report.longrepr[2]) for report in reporter.stats.get("skipped", [])])
        if line:
            reporter.ensure_newline()
            reporter.write_line(line, yellow=True)


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    """Runs the command here; returns exit status, output and errors."""

    def run_(*words: str) -> tuple[int, str, str]:
        try:
            status: int | str | None = main(words)
        except SystemExit as leaving:
            status = leaving.code
        output = capsys.readouterr()
        assert isinstance(status, int)
        assert "Traceback" not in output.err
        return status, output.out, output.err

    return run_
