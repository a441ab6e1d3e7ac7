"""The tests' own rules: each is ended in time and named, and what cannot run says what it lacks."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from tests import parts

ROOT = Path(__file__).resolve().parent.parent

WAITS = """
import asyncio, ctypes, pytest

def test_quick(): pass
def test_waits():
    while True: pass
async def test_sleeps(): await asyncio.sleep(1000)
@pytest.mark.long
def test_long(): ctypes.PyDLL(None).usleep(3_500_000)
"""

STUCK = """
import ctypes

def test_before(): pass
def test_never_returns():
    mutex, library = ctypes.create_string_buffer(64), ctypes.PyDLL(None)  # which holds the interpreter's lock
    library.pthread_mutex_lock(mutex)
    library.pthread_mutex_lock(mutex)  # as compiled code may, it hears no signal
def test_after(): pass
"""

PARTS = """
from tests import parts

def test_one(): parts.skip(("Chromium", "chromium"))
def test_two(): parts.skip(("poppler", "poppler-utils"))
def test_three(): parts.skip(("libatomic", "libatomic1"), ("Chromium", "chromium"))
"""


def outcome(folder: Path, source: str, *words: str, **variables: str) -> tuple[int, str]:
    """Run these tests by the rules of ours."""
    path = folder / "test_sample.py"
    path.write_text(source, encoding="utf-8")
    command = [sys.executable, "-m", "pytest", str(path), "-c", str(ROOT / "pyproject.toml"), "-p", "tests.conftest"]
    env = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_") and name != "CI"}
    done = subprocess.run(
        [*command, "--rootdir", str(folder), "-p", "no:cacheprovider", *words],
        cwd=ROOT,
        env=env | variables,
        capture_output=True,
        text=True,
    )
    return done.returncode, done.stdout + done.stderr


def test_a_test_that_takes_too_long_fails_with_its_name_and_the_others_go_on(tmp_path: Path) -> None:
    status, out = outcome(tmp_path, WAITS, "-n", "0", FLIP7_TEST_SECONDS="3")
    assert status == 1
    for name in ("test_waits", "test_sleeps"):
        assert f"test_sample.py::{name} was ended after 3 s" in out
        assert re.search(rf"FAILED .*test_sample\.py::{name}", out)
    assert "2 failed, 2 passed" in out


def test_compiled_code_that_never_returns_is_ended_with_its_name_and_the_others_go_on(tmp_path: Path) -> None:
    status, out = outcome(tmp_path, STUCK, "-n", "1", FLIP7_TEST_SECONDS="3")
    assert status == 1
    assert re.search(r"crashed while running 'test_sample\.py::test_never_returns'", out)
    assert "in test_never_returns" in out
    assert "1 failed, 2 passed" in out


def test_the_last_line_says_how_many_were_skipped_and_what_to_install(tmp_path: Path) -> None:
    status, out = outcome(tmp_path, PARTS, "-n", "1")
    assert status == 0
    assert out.rstrip().splitlines()[-1] == (
        "3 tests were skipped; to run them: sudo apt-get install chromium libatomic1 poppler-utils"
    )
    assert "needs what is not here: poppler (Debian: poppler-utils)" in out


def test_where_everything_must_run_a_missing_part_is_a_failure(tmp_path: Path) -> None:
    status, out = outcome(tmp_path, PARTS, "-n", "0", CI="true")
    assert status == 1
    assert "3 failed" in out
    assert "needs what is not here: poppler (Debian: poppler-utils)" in out


def test_nothing_is_said_where_nothing_is_skipped() -> None:
    assert parts.summary([]) == ""
    assert parts.summary(["not a git checkout"]) == "1 test was skipped"


def test_at_most_six_tests_are_long() -> None:
    marks = [
        path.name
        for path in (ROOT / "tests").rglob("test_*.py")
        for line in path.read_text(encoding="utf-8").splitlines()
        if line.startswith("@pytest.mark.long") and path != Path(__file__)
    ]
    assert len(marks) <= 6


@pytest.mark.parametrize("name", ["pytest.skip", "importorskip", "skipif"])
def test_skipping_for_want_of_something_goes_one_way(name: str) -> None:
    """So that a skip is told at the end, and refused where everything must run."""
    allowed = {"parts.py", "test_limits.py", "test_project.py"}
    for path in (ROOT / "tests").rglob("*.py"):
        uses = [line for line in path.read_text(encoding="utf-8").splitlines() if name in line]
        assert path.name in allowed or all("sys.platform" in line or "/dev/full" in line for line in uses), path
