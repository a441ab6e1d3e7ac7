"""`flip7 join`: sit down at an online table, or watch it, from the terminal."""

from __future__ import annotations

import argparse

from flip7.commands import CommandError, screen
from flip7.commands.style import printable
from flip7.terminal import settings


def configure(parser: argparse.ArgumentParser) -> None:
    """Add what `join` takes."""
    parser.description = (
        "Sit down at a table of a server, beside people with browsers, and play in the terminal. Who comes back with "
        "the same command has the same seat again."
    )
    parser.epilog = "Where no screen can be shown, or with --plain, the game is written in lines."
    parser.add_argument(
        "address", metavar="ADDRESS", help="the server, such as 192.168.1.5:8000 or https://example.org"
    )
    parser.add_argument("code", metavar="CODE", help="the code of the table, as its lobby shows it")
    parser.add_argument(
        "--name", help="what the others call you; default: the name in the settings, or of your account"
    )
    parser.add_argument("--watch", action="store_true", help="watch, without a seat")
    screen.add_plain(parser)


def run(args: argparse.Namespace) -> int:
    """Follow the table until the player leaves."""
    from flip7.protocol.client import base_of

    try:
        address = base_of(args.address)
    except ValueError as error:
        raise CommandError(printable(str(error))) from None
    name = args.name or settings.load().called or "Guest"
    code = args.code.strip().upper()
    if not screen.is_wanted(args, "join"):
        from flip7.terminal.online.lines import follow

        return follow(address, code, name, watch=args.watch)
    from flip7.terminal.online.lobby import LobbyScreen

    return screen.show(lambda _: LobbyScreen(address, code, name, watch=args.watch), args)
