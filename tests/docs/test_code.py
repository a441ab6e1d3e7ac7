"""Everything that the documentation tells to type works: its programs run, its commands run, its samples are true."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from tests.docs.examples import PAGES, ROOT, fences, lines, read, run, samples, scripts, timeless, workplace

from flip7.cli import command_parser, main
from flip7.commands import COMMANDS

LANGUAGES = {"python", "sh", "text", "toml", "json", "flip7", "position", "position-short"}
# They wait for people or other machines, or need what a server has kept: what they accept is checked here, what they do
# elsewhere.
WAITING = {"serve", "play", "score", "join", "store"}
# They take gigabytes, or machines that are not there.
LARGE = {"flip7 solve", "--cluster"}
# They set machines up, which a test must not do.
ELSEWHERE = ("git clone ", "cd ", "python3 -m venv ", "dask ", "printf ", "mkcert ")


def pages(holding: str) -> list[object]:
    found = [page for page in PAGES if re.search(holding, page.read_text(encoding="utf-8"), re.M)]
    return [pytest.param(page, id=str(page.relative_to(ROOT))) for page in found]


def run_python(script: str, folder: Path) -> None:
    done = subprocess.run([sys.executable, "-W", "error", "-c", script], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, f"{script}\n{done.stderr}"


@pytest.mark.parametrize("page", pages("^```python"))
def test_python_in_the_documentation_runs(page: Path, tmp_path: Path) -> None:
    text = page.read_text(encoding="utf-8")
    workplace(tmp_path, text)
    for script in scripts(text):
        run_python(script, tmp_path)


def is_for_elsewhere(command: str) -> bool:
    """Check a command that cannot run in a test as far as it can be; return whether it is one."""
    if command.startswith("make "):
        assert re.search(rf"^{command.split()[1]}:", read("Makefile"), re.M), command
        return True
    if "pip install" in command:
        extras = tomllib.loads(read("pyproject.toml"))["project"]["optional-dependencies"]
        asked = re.findall(r"\[(.+?)\]", command)
        assert {extra for some in asked for extra in some.split(",")} <= extras.keys(), command
        assert not re.search(r"flip7\[", command), f"the package is installed from a folder: {command}"
        return True
    if command.startswith(ELSEWHERE):
        return True
    words = shlex.split(re.sub(r"^(?:\w+=\S+ )*(?:\.venv/bin/)?", "", command))
    if words[0] == "flip7" and (words[1] in WAITING or LARGE & {*words, command}):
        (known,) = (known for known in COMMANDS if known.name == words[1])
        command_parser(known).parse_args(words[2:])
        return True
    return False


def run_shortly(command: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run a command of a page: simulations with few games, and `flip7` in this process, which has compiled a lot."""
    if re.search(r"\bflip7 (sim|rounds) (?!.*--precision)", command):
        number = "--rounds" if "flip7 rounds" in command else "--games"
        command = re.sub(rf" {number} \d+|$", f" {number} 400", command, count=1)
    if re.search(r"[|<>$;&]", command) or not re.match(r"(\.venv/bin/)?flip7 ", command):
        run(command, folder)
        return
    monkeypatch.chdir(folder)
    try:
        status: object = main(shlex.split(command)[1:])
    except SystemExit as ended:
        status = ended.code
    assert not status, command


@pytest.mark.parametrize("page", pages("^```sh"))
def test_commands_in_the_documentation_run(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """But for those whose output is on the page, which another test compares."""
    text = page.read_text(encoding="utf-8")
    workplace(tmp_path, text)
    for script in scripts(text):
        if "write_text(" in script:  # a command may name what a program has written
            run_python(script, tmp_path)
    compared = {command for command, _ in samples(text)}
    for command in lines(text):
        if not is_for_elsewhere(command) and command not in compared:
            run_shortly(command, tmp_path, monkeypatch)


@pytest.mark.parametrize("page", pages("^<!-- output: "))
def test_samples_of_output_are_what_the_commands_print(page: Path, tmp_path: Path) -> None:
    text = page.read_text(encoding="utf-8")
    workplace(tmp_path, text)
    for command, output in samples(text):
        assert timeless(run(command, tmp_path)) == timeless(output), f"run `make pictures`: {command}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_block_of_code_says_what_it_is(page: Path) -> None:
    usage = {""} if page.name == "commands.md" else set()
    text = page.read_text(encoding="utf-8")
    assert {fence.language for fence in fences(text)} <= LANGUAGES | usage
    # Code that is only indented would be run by nobody.
    outside = re.sub(r"^```.*?^```", "", text, flags=re.M | re.S)
    assert re.findall(r"(?<=\n\n) {4}(?! *[-*\d]).*", outside) == []


def test_a_command_that_is_wrong_is_noticed(tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match="unknown"):
        run("flip7 odds nonsense --unknown", tmp_path)
    with pytest.raises(AssertionError):
        is_for_elsewhere('pip install ".[simulator]"')
    with pytest.raises(AssertionError):
        is_for_elsewhere("make wishes")
    with pytest.raises(SystemExit):
        is_for_elsewhere("FORWARDED_ALLOW_IPS=127.0.0.1 flip7 serve --unknown")


def test_lines_are_read_as_a_shell_reads_them() -> None:
    page = '```sh\nmake play  # go\n# note\n\nflip7 odds "0:12/0:5 turn@0"  # seat 0\nflip7 sim ev \\\n  hit\n```\n'
    assert list(lines(page)) == ["make play", 'flip7 odds "0:12/0:5 turn@0"', "flip7 sim ev hit"]
