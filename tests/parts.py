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
WANTING = "needs {name}, which is not here (Debian: {package})"


@cache
def load(path: str) -> ModuleType:
    """A script of the project, as a module."""
    spec = importlib.util.spec_from_file_location(Path(path).stem, ROOT / path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def skip(name: str, package: str) -> NoReturn:
    """Skip this test for want of a part; where CI=true, that is a failure."""
    reason = WANTING.format(name=name, package=package)
    if os.environ.get("CI") == "true":
        pytest.fail(reason, pytrace=False)
    pytest.skip(reason)


def need(*parts: str) -> None:
    """Go on only if the machine has these parts of `tools/setup.py`'s list."""
    for part in parts:
        known = load("tools/setup.py").PARTS[part]
        if not known.is_there():
            skip(known.name, known.package)


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
        skip("Node 20 or newer", "nodejs")
    return str(found)


def poppler(*words: str | Path) -> str:
    """What one of poppler's programs prints."""
    need("poppler")
    return subprocess.run([str(word) for word in words], capture_output=True, text=True, check=True).stdout


def summary(reasons: Sequence[str]) -> str:
    """One line for all skipped tests: how many there are, and what to install; nothing if none was."""
    if not reasons:
        return ""
    packages = sorted({found[1] for reason in reasons if (found := re.search(r"\(Debian: (\S+)\)", reason))})
    advice = f"; to run them: sudo apt-get install {' '.join(packages)}" if packages else ""
    return f"{len(reasons)} test{'s were' if len(reasons) > 1 else ' was'} skipped{advice}"
