"""Code and samples in the documentation: how they are found, and how they are run."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]

# What nobody can know beforehand: how long it took, on how many cores.
_SPEED = re.compile(r"^(?:[\d.,]+ s, [\d.,]+ \w+/s, .*|[\d.,]+ states, [\d.,]+ s)$", re.M)
_SAMPLE = re.compile(r"(<!-- output: (?P<command>.+?) -->\n\n?```text\n)(?P<text>.*?)(^```)", re.M | re.S)


class Fence(NamedTuple):
    """A block of code."""

    language: str
    text: str


def read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def fences(text: str) -> list[Fence]:
    """Return all blocks of code, in order."""
    return [Fence(*found) for found in re.findall(r"^```([\w-]*)\n(.*?)^```", text, re.M | re.S)]


def blocks(text: str, language: str) -> list[str]:
    """Return the blocks of code in a language."""
    return [fence.text for fence in fences(text) if fence.language == language]


def scripts(text: str) -> list[str]:
    """Return the Python programs of a page. A block that does not import flip7 goes on with the one before it."""
    found: list[str] = []
    for block in blocks(text, "python"):
        if re.search(r"^(?:import|from) flip7\b", block, re.M) or not found:
            found.append(block)
        else:
            found[-1] += "\n" + block
    return found


def lines(text: str) -> Iterator[str]:
    """Return the commands that a page tells to type: the lines of its `sh` blocks without their comments."""
    for block in blocks(text, "sh"):
        for line in re.sub(r"\s*\\\n\s*", " ", block).splitlines():
            if shlex.split(line, comments=True):
                yield re.sub(r"\s+# .*$", "", line).strip()


def samples(text: str) -> list[tuple[str, str]]:
    """Return the samples of output on a page, each with the command that writes it."""
    return [(found["command"], found["text"]) for found in _SAMPLE.finditer(text)]


def with_samples(text: str, folder: Path) -> str:
    """Return a page with its samples written anew."""
    return _SAMPLE.sub(lambda found: found[1] + run(found["command"], folder) + found[4], text)


def timeless(output: str) -> str:
    """Return output without what differs from one run to the next."""
    return _SPEED.sub("(how fast)", output)


def workplace(folder: Path, page: str = "") -> Path:
    """Make a folder that has what commands on a page may name: the examples, and what the page tells to save."""
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copytree(ROOT / "examples", folder / "examples", ignore=shutil.ignore_patterns("__pycache__"))
    for name, text in re.findall(r"<!-- file: (\S+) -->\n```python\n(.*?)^```", page, re.M | re.S):
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def run(script: str, folder: Path) -> str:
    """Run lines as somebody would who has the environment at hand; return what they print."""
    inside = re.sub(r"(?:^|(?<=\s))\.venv/bin/", "", script, flags=re.M)
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "COLUMNS": "80", "NO_COLOR": "1", "PYTHONPATH": ""}
    done = subprocess.run(
        ["bash", "-ec", inside], cwd=folder, env=environment, capture_output=True, text=True, stdin=subprocess.DEVNULL
    )
    assert done.returncode == 0, f"{script}\n{done.stdout}{done.stderr}"
    return done.stdout
