"""The `flip7` command: finds the command that is meant and runs it."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Protocol, cast

from flip7 import __version__, extras
from flip7.commands import COMMANDS, Command, CommandError, streams
from flip7.commands.parsing import Parser, suggest

INTERRUPTED = 130
BROKEN_PIPE = 141
BAD_OUTPUT = 2


class Module(Protocol):
    """What the module of a command has."""

    def configure(self, parser: argparse.ArgumentParser) -> None:
        """Add the command's description, arguments and options."""

    def run(self, args: argparse.Namespace) -> int:
        """Do it; returns the exit status."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status: 0 for done, 1 for a bad finding, 2 for bad input."""
    streams.prepare()
    try:
        return _flushed(list(sys.argv[1:] if argv is None else argv))
    except KeyboardInterrupt:
        streams.complain("\nInterrupted.")
        return INTERRUPTED
    except BrokenPipeError:  # nobody reads any more
        return BROKEN_PIPE
    except OSError as error:
        if error.filename is not None:  # a file's error; what the output says has no name
            raise
        streams.complain(f"flip7: the output cannot be written: {error.strerror or error}")
        return BAD_OUTPUT
    finally:
        streams.give_up()


def _flushed(words: list[str]) -> int:
    """Run a command, and find out whether all that it printed has arrived."""
    try:
        return _run(words)
    finally:
        sys.stdout.flush()


def _run(words: list[str]) -> int:
    command = next((command for command in COMMANDS if words[:1] == [command.name]), None)
    if command is None:
        parser = top_parser()
        if words and not words[0].startswith("-"):
            names = [command.name for command in COMMANDS]
            near = suggest(words[0], names)
            parser.error(f"unknown command {words[0]!r}{near or '; the commands are ' + ', '.join(names)}")
        _, unknown = parser.parse_known_args(words)
        if unknown:
            parser.refuse_unknown(unknown)
        parser.print_help()
        return 0
    try:
        module, parser = _load(command)
        args, unknown = parser.parse_known_args(words[1:])
        if unknown:
            parser.refuse_unknown(unknown)
        return module.run(args)
    except CommandError as error:
        streams.complain(f"flip7 {command.name}: {error}")
        return error.status
    except ModuleNotFoundError as error:
        if command.extra is None or (error.name or "flip7").partition(".")[0] == "flip7":
            raise
        streams.complain(extras.missing(f"flip7 {command.name}", error.name, command.extra))
        return 2


def top_parser() -> Parser:
    """The parser of `flip7` itself. It imports no command."""
    listed = "\n".join(f"{command.name}\t{command.help}" for command in COMMANDS)
    parser = Parser(
        prog="flip7",
        usage="flip7 COMMAND ...\n       flip7 --version",
        description="The card game Flip 7: play it, check it, look it up.",
        epilog=f"commands:\n{listed}\n\n'flip7 COMMAND --help' tells more about each.",
    )
    parser.add_argument(
        "--version", action="version", version=f"flip7 {__version__}", help="print the version and leave"
    )
    return parser


def command_parser(command: Command) -> Parser:
    """The parser of one command, with everything that it takes."""
    return _load(command)[1]


def _load(command: Command) -> tuple[Module, Parser]:
    module = cast(Module, import_module(f"flip7.commands.{command.name}"))
    parser = Parser(prog=f"flip7 {command.name}", description=command.help[0].upper() + command.help[1:] + ".")
    module.configure(parser)
    return module, parser


if __name__ == "__main__":
    sys.exit(main())
