"""`flip7 rules`: look up cards and rulings."""

from __future__ import annotations

import argparse
import sys
import textwrap

from flip7.catalogue import texts
from flip7.commands import CommandError
from flip7.commands.parsing import suggest
from flip7.commands.style import Style, printable, width
from flip7.game.lookup import known_words, look_up
from flip7.game.rulebook import Ruling
from flip7.terminal import settings


def configure(parser: argparse.ArgumentParser) -> None:
    """Add what `rules` takes."""
    parser.description = (
        "Look up a card (flip3, x2, 7), a ruling (F3-3), a group of rulings (F3, deck) or any words in their text. "
        "Without a word, all of them."
    )
    parser.add_argument("words", nargs="*", metavar="WORD", help="what to look for; several words are one phrase")


def run(args: argparse.Namespace) -> int:
    """Print what there is about the words."""
    phrase = " ".join(args.words).strip()
    language = settings.load().spoken
    say = texts(language, "lines")
    cards, rulings = look_up(phrase, language)
    if not cards and not rulings:
        nothing = say("rules.nothing", phrase=printable(phrase))
        raise CommandError(f"{nothing}{suggest(phrase, known_words(language)) or say('rules.try')}")
    style = Style(sys.stdout)
    for entry in cards:
        name = entry.name if entry.name == entry.card else f"{entry.name} ({entry.card})"
        see = say("rules.see", ids=", ".join(entry.rulings))
        print(f"{style.bold(name)}, {say('n.copies', n=entry.copies)}. {see}")
        print(textwrap.fill(entry.text, width(), initial_indent="  ", subsequent_indent="  "))
    section = ""
    for ruling in rulings:
        if ruling.section != section:
            section = ruling.section
            print(("\n" if cards or ruling != rulings[0] else "") + style.bold(section))
        print_ruling(ruling, style)
    return 0


def print_ruling(ruling: Ruling, style: Style) -> None:
    """Print one ruling as a paragraph, its id in the margin."""
    note = f"[{ruling.source}]" if ruling.status == "holds" else f"[{ruling.source}; {ruling.status}]"
    text = textwrap.fill(f"{ruling.text} {note}", width(), initial_indent=" " * 10, subsequent_indent=" " * 10)
    print(f"  {style.cold(f'{ruling.id:<8}')}{text[10:]}")
