"""The commands of `flip7`: a table of names, and one module for each with `configure(parser)` and `run(args)`."""

from __future__ import annotations

from typing import NamedTuple


class Command(NamedTuple):
    """One command. Its module is `flip7.commands.NAME`, imported only when the command is used."""

    name: str
    help: str
    """What it does, in one line of `flip7 --help`."""
    extra: str | None = None
    """The extra of the package that brings what the command imports, if the plain installation lacks it."""


COMMANDS = (
    Command("serve", "serve the game to browsers, here and on the phones around", "server"),
    Command("store", "back up, restore and check what a server keeps", "server"),
    Command("play", "play a game in the terminal against bots"),
    Command("join", "sit down at an online table, or watch it", "terminal"),
    Command("replay", "show a recorded game round by round"),
    Command("check", "verify records, and name the first line that is wrong"),
    Command("rules", "look up cards and rulings"),
    Command("odds", "tell what the next card does, exactly"),
    Command("solve", "find the best play of one player's round, exactly", "sim"),
    Command("advise", "tell what a player should do, in chances to win", "sim"),
    Command("review", "tell luck from skill in a recorded game", "sim"),
    Command("sim", "let strategies play against each other, and tell how sure the result is", "sim"),
    Command("rounds", "play one strategy's rounds: mean, busts, Flip 7s", "sim"),
    Command("score", "keep the scores of a match at a real table"),
    Command("sheet", "write score sheets as PDF, to print", "sheet"),
)
"""Every command, in the order of the help."""


class CommandError(Exception):
    """The command cannot do what was asked; the message says what was wrong and what would be right."""

    def __init__(self, message: str, status: int = 2) -> None:
        """`status` is the exit status of the program."""
        super().__init__(message)
        self.status = status
