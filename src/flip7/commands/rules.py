"""`flip7 rules`: look up cards and rulings."""

from __future__ import annotations

import argparse
import re
import sys
import textwrap

from flip7.commands import CommandError
from flip7.commands.parsing import suggest
from flip7.commands.style import Style, width
from flip7.game.rulebook import CARD_ENTRIES, RULINGS, CardEntry, Ruling

_ALIASES = {"×": "x", "flip 3": "flip three", "flip7": "flip 7", "flip3": "flip three", "flip-three": "flip three"}


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
    cards, rulings = look_up(phrase)
    if not cards and not rulings:
        raise CommandError(f"nothing about {phrase!r}{suggest(phrase, known_words()) or _HINT}")
    style = Style(sys.stdout)
    for entry in cards:
        copies = "1 in a deck" if entry.copies == 1 else f"{entry.copies} in a deck"
        name = entry.name if entry.name == entry.card else f"{entry.name} ({entry.card})"
        print(f"{style.bold(name)}, {copies}. See {', '.join(entry.rulings)}.")
        print(textwrap.fill(entry.text, width(), initial_indent="  ", subsequent_indent="  "))
    section = ""
    for ruling in rulings:
        if ruling.section != section:
            section = ruling.section
            print(("\n" if cards or ruling != rulings[0] else "") + style.bold(section))
        print_ruling(ruling, style)
    return 0


_HINT = "; try a card such as flip3, a ruling such as SC-2, or a word such as bust"


def print_ruling(ruling: Ruling, style: Style) -> None:
    """One ruling as a paragraph, its id in the margin."""
    note = f"[{ruling.source}]" if ruling.status == "holds" else f"[{ruling.source}; {ruling.status}]"
    text = textwrap.fill(f"{ruling.text} {note}", width(), initial_indent=" " * 10, subsequent_indent=" " * 10)
    print(f"  {style.cold(f'{ruling.id:<8}')}{text[10:]}")


def look_up(phrase: str) -> tuple[list[CardEntry], list[Ruling]]:
    """The cards and rulings that a phrase means: by name or id if there are such, otherwise by their text."""
    wanted = _plain(phrase)
    if not wanted:
        return [], list(RULINGS)
    exact = [ruling for ruling in RULINGS if ruling.id.lower() == wanted]
    if exact:
        return [], exact
    cards = [entry for entry in CARD_ENTRIES if wanted in (_plain(entry.card), _plain(entry.name))]
    if cards:
        ids = {id_ for entry in cards for id_ in entry.rulings}
        return cards, [ruling for ruling in RULINGS if ruling.id in ids]
    group = [r for r in RULINGS if wanted in (r.id.partition("-")[0].lower(), _plain(r.section))]
    found = [ruling for ruling in RULINGS if ruling in group or _has(ruling.text, wanted)]
    return [entry for entry in CARD_ENTRIES if _has(entry.text, wanted)], found


def known_words() -> list[str]:
    """Every id, name, group and longer word that can be looked up."""
    words = {word for ruling in RULINGS for word in re.findall(r"[a-z]{4,}", ruling.text.lower())}
    words |= {entry.name.lower() for entry in CARD_ENTRIES} | set(map(str, (entry.card for entry in CARD_ENTRIES)))
    groups = {ruling.id.partition("-")[0].lower() for ruling in RULINGS}
    return sorted(words | groups | {ruling.id.lower() for ruling in RULINGS} | {r.section.lower() for r in RULINGS})


def _has(text: str, wanted: str) -> bool:
    """Whether a text has the phrase, from the beginning of a word on."""
    return re.search(rf"(?<!\w){re.escape(wanted)}", _plain(text)) is not None


def _plain(text: str) -> str:
    text = " ".join(text.lower().split())
    for written, meant in _ALIASES.items():
        text = text.replace(written, meant)
    return text
