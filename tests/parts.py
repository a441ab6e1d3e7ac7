"""What tests need of the machine: it is found, or the test is skipped with a reason that says what to install."""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import NoReturn

import pytest

ROOT = Path(__file__).resolve().parent.parent
WANTING = "needs what is not here: {names} (Debian: {packages})"


@cache
def load(path: str) -> ModuleType:
    """A script of the project, as a module."""
    spec = importlib.util.spec_from_file_location(Path(path).stem, ROOT / path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def skip(*wanting: tuple[str, str]) -> NoReturn:
    """Skip this test for want of these, each with its Debian package; where CI=true, that is a failure."""
    names, packages = (sep.join(words) for sep, words in zip((" and ", " "), zip(*wanting, strict=True), strict=True))
    reason = WANTING.format(names=names, packages=packages)
    if os.environ.get("CI") == "true":
        pytest.fail(reason, pytrace=False)
    pytest.skip(reason)


def need(*parts: str) -> None:
    """Go on only if the machine has these parts of `tools/setup.py`'s list."""
    known = [load("tools/setup.py").PARTS[part] for part in parts]
    missing = [(part.name, part.package) for part in known if not part.is_there()]
    if missing:
        skip(*missing)


def need_playwright() -> None:
    """Go on only if Playwright itself runs; it may have a browser of its own."""
    if not load("tools/setup.py").PARTS["atomic"].is_there():
        need("atomic", "browser")


def browser(own: str) -> str:
    """The machine's Chromium, or else Playwright's own if that was installed."""
    found: str | None = load("tools/setup.py").find_browser()
    if found is None and not Path(own).exists():
        need("browser")
    return found or own


def node() -> str:
    """A Node that is new enough, of the machine or from the wheel that builds the client."""
    found: Path | None = load("hatch_build.py").find_node()
    if found is None:
        skip(("Node 20 or newer", "nodejs"))
    return str(found)


def poppler(*words: str | Path) -> str:
    """What one of poppler's programs prints."""
    need("poppler")
    return subprocess.run([str(word) for word in words], capture_output=True, text=True, check=True).stdout


def summary(reasons: Sequence[str]) -> str:
    """One line for all skipped tests: how many there are, and what to install; nothing if none was."""
    if not reasons:
        return ""
    named = [found[1] for reason in reasons if (found := re.search(r"\(Debian: ([^)]+)\)", reason))]
    packages = sorted({package for names in named for package in names.split()})
    advice = f"; to run them: sudo apt-get install {' '.join(packages)}" if packages else ""
    return f"{len(reasons)} test{'s were' if len(reasons) > 1 else ' was'} skipped{advice}"
