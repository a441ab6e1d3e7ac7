"""`tools/setup.py` on small copies of the project: it needs no network, and nothing half-made stops the next one."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests import parts

ROOT = Path(__file__).resolve().parent.parent
setup = parts.load("tools/setup.py")

BACKEND = """
import zipfile
def get_requires_for_build_editable(settings=None): return []
def build_editable(folder, settings=None, metadata=None):
    name = "flip7-1.0-py3-none-any.whl"
    with zipfile.ZipFile(f"{folder}/{name}", "w") as wheel:
        wheel.writestr("flip7.py", "def main(): print('playing')")
        wheel.writestr("flip7-1.0.dist-info/METADATA", "Metadata-Version: 2.1\\nName: flip7\\nVersion: 1.0\\n")
        wheel.writestr("flip7-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n")
        wheel.writestr("flip7-1.0.dist-info/entry_points.txt", "[console_scripts]\\nflip7 = flip7:main\\n")
        wheel.writestr("flip7-1.0.dist-info/RECORD", "")
    return name
"""
PYPROJECT = """
[project]
name = "flip7"
version = "1.0"

[build-system]
requires = []
build-backend = "backend"
backend-path = ["."]
"""


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


class Copy:
    """A small project with the true set-up, whose only dependency is a wheel in a folder."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "project"
        self.wheels = folder / "wheels"
        for name in ("tools", "requirements", "src/flip7"):
            (self.root / name).mkdir(parents=True)
        self.wheels.mkdir()
        shutil.copy(ROOT / "tools" / "setup.py", self.root / "tools")
        (self.root / "pyproject.toml").write_text(PYPROJECT)
        (self.root / "backend.py").write_text(BACKEND)
        (self.root / "hatch_build.py").write_text("")
        (self.root / "src" / "flip7" / "__init__.py").write_text('__version__ = "1.0"')
        wheel = self.wheels / "tiny-1.0-py3-none-any.whl"
        with zipfile.ZipFile(wheel, "w") as file:
            file.writestr("tiny.py", "")
            file.writestr("tiny-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: tiny\nVersion: 1.0\n")
            file.writestr("tiny-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
            file.writestr("tiny-1.0.dist-info/RECORD", "")
        for name in ("play", "dev", "node", "engine"):
            lock = f"tiny==1.0 \\\n    --hash=sha256:{digest(wheel)}\n"
            (self.root / "requirements" / f"{name}.txt").write_text(lock)

    @property
    def venv(self) -> Path:
        return self.root / ".venv"

    def command(self, python: str | Path = sys.executable) -> list[str]:
        return [str(python), str(self.root / "tools" / "setup.py"), "--play"]

    def env(self, **variables: str) -> dict[str, str]:
        # No uv of the machine, no apt, and no index but the folder.
        known = {name: value for name, value in os.environ.items() if not name.startswith(("PIP_", "PYTHON", "UV_"))}
        local = {"PIP_CONFIG_FILE": os.devnull, "PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(self.wheels)}
        return {**known, **local, "PATH": str(self.root / "bin"), **variables}

    def set_up(self, python: str | Path = sys.executable, **variables: str) -> tuple[int, str]:
        done = subprocess.run(self.command(python), env=self.env(**variables), capture_output=True, text=True)
        assert done.stdout == ""
        assert "Traceback" not in done.stderr
        return done.returncode, done.stderr

    def add_engine(self, **variables: str) -> int:
        command = [sys.executable, str(self.root / "tools" / "setup.py"), "--engine"]
        done = subprocess.run(command, env=self.env(**variables), capture_output=True, text=True)
        assert "Traceback" not in done.stderr
        return done.returncode

    def engine_note(self) -> dict[str, object]:
        note: dict[str, object] = json.loads((self.venv / "flip7-engine.json").read_text())
        return note

    def plays(self) -> bool:
        done = subprocess.run([self.venv / "bin" / "flip7"], capture_output=True, text=True)
        return done.stdout == "playing\n"


@pytest.fixture
def copy(tmp_path: Path) -> Copy:
    return Copy(tmp_path)


def test_every_step_is_told_and_the_second_time_there_is_nothing_to_do(copy: Copy) -> None:
    status, told = copy.set_up()
    assert status == 0
    lines = told.splitlines()
    assert [line.partition(":")[0] + line.partition(":")[2][:12] for line in lines[:-1]] == [
        f"setup step {k} of 3" for k in (1, 2, 3)
    ]
    assert lines[-1].startswith("setup: done in ")
    assert copy.plays()
    assert (copy.venv / "bin" / "pip").exists()
    # No network, no packages: nothing is asked for.
    shutil.rmtree(copy.wheels)
    assert copy.set_up() == (0, "")
    assert copy.plays()


def test_the_engine_is_added_later_where_it_is_wanted_and_only_once(copy: Copy) -> None:
    assert copy.add_engine() == 0
    assert not copy.venv.exists()  # there is nothing yet to add it to
    copy.set_up()
    assert copy.add_engine(FLIP7_SKIP_ENGINE="1") == 0
    assert not (copy.venv / "flip7-engine.json").exists()
    lock = copy.root / "requirements" / "engine.txt"
    lock.write_text(lock.read_text().replace("tiny==1.0", "tiny==2.0"))
    assert copy.add_engine() == 1
    assert copy.engine_note()["state"] == "failed"
    assert copy.plays()
    shutil.copy(copy.root / "requirements" / "play.txt", lock)
    assert copy.add_engine() == 0
    assert (copy.engine_note()["state"], copy.engine_note()["share"]) == ("ready", 1.0)
    shutil.rmtree(copy.wheels)
    made = (copy.venv / "flip7-engine.json").stat().st_mtime_ns
    assert copy.add_engine() == 0
    assert (copy.venv / "flip7-engine.json").stat().st_mtime_ns == made


@pytest.mark.parametrize("left", ["no pip", "another place", "a file"])
def test_a_half_made_environment_is_never_taken_for_a_good_one(copy: Copy, left: str) -> None:
    """As after a set-up that was killed, or after the project was moved."""
    if left == "a file":
        copy.venv.write_text("")
    else:
        (copy.venv / "bin").mkdir(parents=True)
        (copy.venv / "bin" / "python").symlink_to(sys.executable)
        (copy.venv / "pyvenv.cfg").write_text("")
    if left == "another place":
        (copy.venv / "bin" / "flip7").write_text("")
        stamp = {"set": "play", "hash": "?", "folder": "/elsewhere"}
        (copy.venv / "flip7-setup.json").write_text(json.dumps(stamp))
    status, told = copy.set_up()
    assert status == 0, told
    assert "making it again" in told
    assert copy.plays()


def without_ensurepip(folder: Path) -> Path:
    """A Python as Debian's without python3-venv."""
    wrapper = folder / "python3"
    hidden = "import sys; sys.modules['ensurepip'] = None; import runpy; sys.argv = sys.argv[1:]"
    run = "sys.path[0] = sys.argv[0].rpartition('/')[0]; runpy.run_path(sys.argv[0], run_name='__main__')"
    wrapper.write_text(f'#!/bin/sh\nexec {sys.executable} -c "{hidden}; {run}" "$@"\n')
    wrapper.chmod(0o755)
    return wrapper


def test_a_python_that_cannot_make_environments_is_told_before_anything_is_made(copy: Copy, tmp_path: Path) -> None:
    before = sorted(copy.root.rglob("*"))
    status, told = copy.set_up(without_ensurepip(tmp_path))
    assert status == 1
    assert told.startswith("setup: this Python (")
    assert "'venv' and 'ensurepip' are missing" in told
    assert len(told.splitlines()) == 1
    assert sorted(copy.root.rglob("*")) == before


@pytest.mark.parametrize(
    ("root", "told"), [(False, "run 'sudo apt-get install python3-venv', then the same"), (True, None)]
)
def test_debians_python_lacks_a_package_that_root_installs(
    monkeypatch: pytest.MonkeyPatch, root: bool, told: str | None
) -> None:
    monkeypatch.setattr(setup, "can_make_venv", lambda: False)
    monkeypatch.setattr(setup, "venv_package", lambda: "python3-venv")
    monkeypatch.setattr(setup, "may_install", lambda: "apt-get" if root else None)
    if told is None:
        assert setup.missing_packages("play") == ["python3-venv"]
    else:
        with pytest.raises(setup.SetupError, match=told):
            setup.missing_packages("play")


def test_without_a_network_it_says_so_at_once_and_goes_on_when_there_is_one(copy: Copy) -> None:
    closed = {"PIP_NO_INDEX": "", "PIP_INDEX_URL": "http://127.0.0.1:9/simple", "PIP_FIND_LINKS": ""}
    status, told = copy.set_up(**closed)
    assert status == 1
    assert told.splitlines()[-1].startswith("setup: there is no network, or no package index in it (")
    assert told.endswith("then run the same command again\n")
    status, told = copy.set_up()
    assert status == 0, told
    assert copy.plays()


def moments(process: subprocess.Popen[str], word: str) -> Iterator[str]:
    """What it says, until it says this."""
    assert process.stderr is not None
    for line in process.stderr:
        yield line
        if word in line:
            return


@pytest.mark.parametrize("moment", ["step 1 of 3", "step 2 of 3"])
def test_an_interrupt_leaves_nothing_that_stops_the_next_one(copy: Copy, moment: str) -> None:
    process = subprocess.Popen(
        copy.command(), env=copy.env(), stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    list(moments(process, moment))
    time.sleep(0.1)  # somewhere in that step
    os.killpg(process.pid, signal.SIGINT)
    assert process.stderr is not None
    told = process.stderr.read()
    process.stderr.close()
    assert process.wait() == 130
    assert told == "setup: interrupted; the same command starts it again\n"
    status, told = copy.set_up()
    assert status == 0, told
    assert copy.plays()


def test_two_set_ups_at_once_wait_for_each_other(copy: Copy) -> None:
    first = subprocess.Popen(copy.command(), env=copy.env(), stderr=subprocess.PIPE, text=True)
    list(moments(first, "step 1 of 3"))
    status, told = copy.set_up()
    first.communicate()
    assert (first.returncode, status) == (0, 0)
    assert told == "setup: another set-up is at work here; waiting for it\n"
    assert copy.plays()


@pytest.mark.parametrize(
    ("line", "told", "megabytes"),
    [
        ("  Downloading numba-0.61.0-cp311-manylinux.whl (3.9 MB)", "numba (4 MB)", 3.9),
        ("Downloading numpy (15.4MiB)", "numpy (15 MB)", 15.4),
        ("  Downloading segno-1.6.6-py3-none-any.whl (76 kB)", "", 0.076),
        ("Need to get 93.1 MB of archives.", "packages (93 MB)", 93.1),
        ("Need to get 1,024 kB/2,048 kB of archives.", "packages (1 MB)", 1.024),
        ("  Using cached segno-1.6.6-py3-none-any.whl (76 kB)", "", 0),
    ],
)
def test_what_is_downloaded_is_told_with_its_size(
    capsys: pytest.CaptureFixture[str], line: str, told: str, megabytes: float
) -> None:
    downloads = setup.Downloads()
    downloads(line)
    assert capsys.readouterr().err == (f"setup:   downloading {told}\n" if told else "")
    assert downloads.megabytes == pytest.approx(megabytes)


def test_the_size_of_the_clients_tools_is_told_as_it_is() -> None:
    tools = ROOT / "web" / "node_modules"
    size = sum(path.stat().st_size for path in tools.rglob("*") if path.is_file() and not path.is_symlink()) / 1e6
    assert pytest.approx(size, rel=0.25) == parts.load("hatch_build.py").TOOLS_MEGABYTES


def test_clean_removes_whatever_git_ignores_but_not_the_games_that_were_played(tmp_path: Path) -> None:
    for name in ("Makefile", ".gitignore"):
        shutil.copy(ROOT / name, tmp_path)
    (tmp_path / "kept.py").write_text("")
    for pattern in (tmp_path / ".gitignore").read_text().splitlines():
        if pattern and not pattern.startswith("#"):
            path = tmp_path / pattern.strip("/").replace("[cod]", "c").replace("*", "some")
            path = path / "file" if pattern.endswith("/") else path
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("")
    git = ["git", "-C", str(tmp_path)]
    subprocess.run([*git, "-c", "init.defaultBranch=main", "init", "--quiet"], check=True)
    subprocess.run(["make", "--silent", "clean"], cwd=tmp_path, check=True)
    told = subprocess.run([*git, "status", "--porcelain", "--ignored"], capture_output=True, text=True, check=True)
    assert told.stdout.splitlines() == ["?? .gitignore", "?? Makefile", "?? kept.py", "!! flip7-data/"]
