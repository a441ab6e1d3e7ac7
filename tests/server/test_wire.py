"""What is generated from the message types is up to date, and the codes in use are the documented ones."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import get_args

from flip7.protocol import codes

ROOT = Path(__file__).resolve().parents[2]


def test_the_types_of_the_client_and_the_page_of_the_protocol_are_up_to_date() -> None:
    done = subprocess.run([sys.executable, ROOT / "tools" / "wire.py", "--check"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_every_code_has_a_meaning_and_is_used() -> None:
    assert set(codes.MEANINGS) == set(get_args(codes.Code))
    assert set(codes.ENDINGS) == set(get_args(codes.Ending))
    source = "\n".join(path.read_text() for path in (ROOT / "src" / "flip7" / "server").rglob("*.py"))
    assert [code for code in (*codes.MEANINGS, *codes.ENDINGS) if f'"{code}"' not in source] == []
