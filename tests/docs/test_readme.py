"""The README: its lines work as they are printed, for somebody who ran nothing but the lines above them."""

from __future__ import annotations

import os
import re
import shlex
import signal
import subprocess
import sys
import tomllib
import urllib.request
from pathlib import Path

import pytest
from tests.docs.examples import ROOT, blocks, lines, read, run, samples
from tools import setup

from flip7.commands import COMMANDS

OPTIONS = {"--plot": "plots", "--report": "plots", "--cluster": "cluster"}
FIRST, *OTHERS = COMMANDS_OF_README = list(lines(read("README.md")))


def extras() -> set[str]:
    return set(tomllib.loads(read("pyproject.toml"))["project"]["optional-dependencies"])


def copy_by_links(folder: Path) -> Path:
    """A copy of the project in which lines can write: everything in it is a link."""
    for path in ROOT.iterdir():
        if path.name not in {".git", ".venv"}:
            (folder / path.name).symlink_to(path)
    (folder / ".venv").symlink_to(sys.prefix)
    return folder


def test_the_two_commands_come_first() -> None:
    assert COMMANDS_OF_README[:2] == ["make play", "make test"]
    assert len(OTHERS) == 5  # make test, and a line for each of four kinds of users


def test_every_line_needs_only_what_the_lines_above_installed() -> None:
    # What `make play` installs is what the lock of playing is made from.
    (play,) = re.findall(r"--extra (\w+) .*play\.txt", read("Makefile"))
    installed: set[str | None] = {None}
    for line in COMMANDS_OF_README:
        for command in line.split(" && "):
            words = shlex.split(command)
            if words == ["make", "play"]:
                installed.add(play)
            elif words[0] == ".venv/bin/pip":
                installed |= set(re.findall(r"\w+", words[-1]))
            elif words[0] == ".venv/bin/flip7":
                (known,) = (known for known in COMMANDS if known.name == words[1])
                assert known.extra in installed, line
                assert {OPTIONS[word] for word in words if word in OPTIONS} <= installed, line


def test_the_example_needs_no_extra() -> None:
    (words,) = (shlex.split(line) for line in OTHERS if line.startswith(".venv/bin/python "))
    heavy = "{'numpy', 'numba', 'rich', 'litestar', 'matplotlib'}"
    check = f"import runpy, sys; runpy.run_path({words[1]!r}); assert not {heavy} & sys.modules.keys()"
    subprocess.run([sys.executable, "-W", "error", "-c", check], cwd=ROOT, check=True, capture_output=True)


def test_make_play_opens_the_game(tmp_path: Path) -> None:
    assert setup.is_current("dev"), "run `make setup` first"  # or else this would install something
    environment = {**os.environ, "XDG_DATA_HOME": str(tmp_path), "BROWSER": "true", "PYTHONUNBUFFERED": "1"}
    environment["PYTHON"] = sys.executable
    process = subprocess.Popen(
        shlex.split(FIRST),
        cwd=ROOT,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    try:
        assert process.stdout
        told = ""
        for line in process.stdout:
            told += line
            if address := re.search(r"http://(?:localhost|127\.0\.0\.1):\d+", line):
                with urllib.request.urlopen(address[0]) as page:
                    assert b"<title>Flip 7</title>" in page.read()
                break
        else:
            pytest.fail(told)
    finally:
        os.killpg(process.pid, signal.SIGINT)
        process.communicate(timeout=30)


@pytest.mark.parametrize(
    "line", [command for line in OTHERS for command in line.split(" && ") if not command.startswith("make ")]
)
def test_the_other_lines_run_as_they_are_printed(line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    copy_by_links(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    # Everything is installed already: pip resolves the line against that, asks no index and changes nothing.
    for name, value in {"DRY_RUN": "1", "NO_INDEX": "1", "NO_BUILD_ISOLATION": "0", "QUIET": "1"}.items():
        monkeypatch.setenv(f"PIP_{name}", value)
    answers = "Ana Ben\n12 7\n24\nq\n" if line.endswith(" score") else ""
    environment = {**os.environ, "NO_COLOR": "1", "COLUMNS": "80"}
    done = subprocess.run(
        ["bash", "-ec", line], cwd=tmp_path, env=environment, input=answers, capture_output=True, text=True
    )
    assert done.returncode == 0, f"{line}\n{done.stdout}{done.stderr}"
    if plot := re.search(r"--plot (\S+)", line):
        assert (tmp_path / plot[1]).read_bytes().startswith(b"\x89PNG")


def test_the_example_is_the_file_that_is_run_and_its_output_is_shown(tmp_path: Path) -> None:
    (code,) = blocks(read("README.md"), "python")
    assert read("examples/first_game.py").partition("\n\n")[2] == code
    assert len(code.splitlines()) <= 12
    shown = dict(samples(read("README.md")))
    output = shown[".venv/bin/python examples/first_game.py"]
    assert run(f"{sys.executable} {ROOT}/examples/first_game.py", tmp_path) == output
    totals = [int(total) for total in re.findall(r"total (\d+)$", output, re.M)]
    assert len(totals) == 3
    assert max(totals) >= 200


def test_every_extra_is_in_the_table() -> None:
    assert set(re.findall(r"^\| `(\w+)` \|", read("README.md"), re.M)) == extras() - {"docs"}


def test_pictures_are_small_and_all_of_them_are_used() -> None:
    pictures = {path.name: path.stat().st_size for path in (ROOT / "docs" / "pictures").iterdir()}
    assert sum(pictures.values()) < 1_500_000
    pages = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
    used = {
        name
        for page in pages
        for name in re.findall(r"pictures/([\w-]+\.(?:png|svg))", page.read_text(encoding="utf-8"))
    }
    assert used == pictures.keys()
