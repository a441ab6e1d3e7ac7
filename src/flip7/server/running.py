"""Where the server of a data directory is to be found while it runs, for whoever would start a second one."""

from __future__ import annotations

import contextlib
import http.client
import ssl
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

from flip7.server.store.sqlite_file import make_private

SECONDS = 2.0


@contextlib.contextmanager
def address_kept(data: Path) -> Iterator[Callable[[str], None]]:
    """Yield what keeps an address in the directory, until the end."""
    path = data / "address"
    kept = False

    def keep(address: str) -> None:
        nonlocal kept
        with contextlib.suppress(OSError):  # with PostgreSQL there need be no such directory
            make_private(path)
            path.write_text(address, encoding="utf-8")
            kept = True

    try:
        yield keep
    finally:
        if kept:
            path.unlink(missing_ok=True)


def running_address(data: Path) -> str | None:
    """The address of the server that uses this directory now, if one does and answers."""
    try:
        address = (data / "address").read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError):
        return None
    context = ssl.create_default_context()
    # It is this machine, whatever name its certificate has.
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    try:
        with urllib.request.urlopen(f"{address}healthz", timeout=SECONDS, context=context) as answer:
            return address if answer.status == 200 else None
    except (OSError, ValueError, http.client.HTTPException):
        return None
