"""Arguments: a parser whose errors help, and the types of values that several commands take."""

from __future__ import annotations

import argparse
import difflib
import sys
import textwrap
from collections.abc import Callable, Iterable
from typing import NoReturn

NARROW = 54
"""Columns: with fewer, the options are not listed in the usage too."""


class Help(argparse.HelpFormatter):
    """Help in paragraphs: lines stay apart, and `WORD<tab>MEANING` is a word with its meaning beside or below it."""

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        lines = text.split("\n")
        words = [line.partition("\t")[0] for line in lines if "\t" in line]
        start = max(map(len, words), default=0) + 4
        filled = []
        for line in lines:
            word, tab, meaning = line.partition("\t")
            first, rest = (f"  {word}".ljust(start), " " * start) if tab else (indent, indent)
            filled.append(textwrap.fill(meaning or line, width, initial_indent=first, subsequent_indent=rest))
        return "\n".join(filled)

    def add_usage(
        self,
        usage: str | None,
        actions: Iterable[argparse.Action],
        groups: Iterable[argparse._MutuallyExclusiveGroup],
        prefix: str | None = None,
    ) -> None:
        """Show all options, or where they would not fit only that there are some."""
        if usage is None and self._width < NARROW:
            shown = [action for action in actions if not action.option_strings]
            options = argparse.Action(["[OPTION ...]"], "options", required=True)
            actions = [options, *shown]
        super().add_usage(usage, actions, groups, prefix)


class Parser(argparse.ArgumentParser):
    """An `ArgumentParser` that takes no abbreviations and says where help is to be found."""

    def __init__(self, **settings: object) -> None:
        """As for `ArgumentParser`."""
        super().__init__(**{"allow_abbrev": False, "formatter_class": Help, **settings})  # type: ignore[arg-type]

    def print_help(self, file: object = None) -> None:
        """Print the help; unlike that of `ArgumentParser`, it does not keep quiet about an output that is full."""
        sys.stdout.write(self.format_help())

    def error(self, message: str) -> NoReturn:
        """Print what is wrong and leave with exit status 2."""
        self.exit(2, f"{self.prog}: {message}\nTry '{self.prog} --help'.\n")

    def refuse_unknown(self, words: list[str]) -> NoReturn:
        """Complain about the first word that no argument of this parser takes."""
        word = words[0].partition("=")[0]
        if word.startswith("-"):
            self.error(f"unknown option {word!r}{suggest(word, self._option_string_actions)}")
        self.error(f"{words[0]!r} is one argument too many")


def suggest(word: str, known: Iterable[str]) -> str:
    """`; did you mean 'x'?` for the known word that is nearest, or nothing."""
    near = difflib.get_close_matches(word.lower(), list(known), n=1, cutoff=0.5)
    return f"; did you mean {near[0]!r}?" if near else ""


def whole(low: int, high: int) -> Callable[[str], int]:
    """Return the type of an argument that is a whole number from `low` to `high`."""

    def read(text: str) -> int:
        try:
            number = int(text) if text.isascii() and len(text) <= 80 else None
        except ValueError:
            number = None
        if number is None or not low <= number <= high:
            raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from {low} to {_short(high)}")
        return number

    return read


def _short(number: int) -> str:
    """Return a number as people write it: a power of two less one is easier to read than its digits."""
    bits = number.bit_length()
    return f"2^{bits} - 1" if number == (1 << bits) - 1 and bits > 32 else str(number)
