"""What is generated from the message types is up to date, and the codes in use are the documented ones."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import get_args

from litestar.handlers import HTTPRouteHandler

from flip7.protocol import codes
from flip7.server import match_routes, rest

ROOT = Path(__file__).resolve().parents[2]


def test_the_types_of_the_client_and_the_page_of_the_protocol_are_up_to_date() -> None:
    done = subprocess.run([sys.executable, ROOT / "tools" / "wire.py", "--check"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_every_address_of_the_server_is_described_and_no_other() -> None:
    page = (ROOT / "docs" / "protocol.md").read_text("utf-8")
    described = {(method, _shape(path)) for method, path in re.findall(r"`(GET|POST) (/[^`?]*)", page)}
    served = {
        (method, _shape(path))
        for handler in (*vars(rest).values(), *vars(match_routes).values())
        if isinstance(handler, HTTPRouteHandler)
        for method in handler.http_methods
        for path in handler.paths
    }
    assert described == served


def test_every_body_of_the_table_of_addresses_is_described_below_it() -> None:
    page = (ROOT / "docs" / "protocol.md").read_text("utf-8")
    bodies = {
        name
        for cell in re.findall(r"^\| `(?:GET|POST) .*?` \| (.*?) \|", page, re.M)
        for name in re.findall(r"`(\w+)`", cell)
    }
    assert len(bodies) > 15
    assert [name for name in sorted(bodies) if f"\n### {name}\n" not in page] == []


def _shape(path: str) -> str:
    return re.sub(r"{.*?}", "{}", path)


def test_every_code_has_a_meaning_and_is_used() -> None:
    assert set(codes.MEANINGS) == set(get_args(codes.Code))
    assert set(codes.ENDINGS) == set(get_args(codes.Ending))
    source = "\n".join(path.read_text() for path in (ROOT / "src" / "flip7" / "server").rglob("*.py"))
    assert [code for code in (*codes.MEANINGS, *codes.ENDINGS) if f'"{code}"' not in source] == []
