"""Whether a command opens the terminal application, or writes plain lines."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from flip7 import extras
from flip7.commands.streams import complain
from flip7.terminal import settings

if TYPE_CHECKING:
    from textual.screen import Screen

    from flip7.terminal.app import TerminalApp

EXTRA = "terminal"
WINDOWS = sys.platform == "win32"
"""Where no terminal says what it is."""


def add_plain(parser: argparse.ArgumentParser) -> None:
    """Add the options that every command has which can open the application."""
    parser.add_argument(
        "--plain",
        action=argparse.BooleanOptionalAction,
        help="write lines instead of a whole screen, or not; right for screen readers (default: as the settings say)",
    )
    parser.add_argument("--ascii", action="store_true", help="draw with ASCII signs only")


def is_wanted(args: argparse.Namespace, command: str) -> bool:
    """Return whether the application can be shown and is wanted. Where something is missing for it, that is said."""
    if args.plain:
        return False
    if why := _unable():
        if args.plain is False:
            complain(f"flip7 {command}: {why}, so lines are written instead of a screen")
        return False
    if args.plain is None and settings.load().lines:
        return False
    if missing := next((package for package in ("textual", "websockets") if find_spec(package) is None), None):
        complain(extras.missing(f"flip7 {command}, on a whole screen,", missing, EXTRA))
        return False
    return True


def _unable() -> str:
    """Return why no screen can be shown here; nothing where one can."""
    if not all(stream.isatty() for stream in (sys.stdin, sys.stdout, sys.stderr)):
        return "input, output or errors go to no terminal"
    term = os.environ.get("TERM")
    if not term:
        return "" if WINDOWS else "TERM is not set"
    return f"TERM is {term!r}" if term in ("dumb", "unknown") else ""


def show(first: Callable[[TerminalApp], Screen[Any]], args: argparse.Namespace) -> int:
    """Open the application with a screen; what the options say holds for this run only. Returns the exit status."""
    from flip7.terminal.app import TerminalApp

    return TerminalApp(first, ascii_only=args.ascii).start()
