"""What is generated from the message types is up to date, and the codes in use are the documented ones."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_the_types_of_the_client_and_the_page_of_the_protocol_are_up_to_date() -> None:
    done = subprocess.run([sys.executable, ROOT / "tools" / "wire.py", "--check"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_every_code_that_the_server_uses_is_documented_and_no_other() -> None:
    used: set[str] = set()
    for path in (ROOT / "src" / "flip7" / "server").rglob("*.py"):
        used |= set(
            re.findall(r'(?:Refusal|refuse|\.close|cut_off|_problem)\(\s*(?:\d+, )?"([a-z_]+)"', path.read_text())
        )
    used |= {"unreadable", "unknown_address", "too_large"}
    page = (ROOT / "docs" / "protocol.md").read_text()
    listed = set(re.findall(r"^\| `([a-z_]+)` \|", page.partition("## Codes")[2].partition("<!--")[0], re.M))
    assert listed == used
