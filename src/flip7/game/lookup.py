"""Looking something up: the cards and rulings that a few words mean."""

from __future__ import annotations

import re
import unicodedata

from flip7.game.rulebook import CardEntry, Ruling, card_entries, rulings

_ALIASES = {"×": "x", "flip 3": "flip three", "flip7": "flip 7", "flip3": "flip three", "flip-three": "flip three"}


def look_up(phrase: str, language: str = "en") -> tuple[list[CardEntry], list[Ruling]]:
    """Return the cards and rulings that a phrase means: by name or id if there are such, otherwise by their text.

    Names and texts are those of a language; ids, and the names of cards as they are typed, are the same in all.
    """
    wanted = _plain(phrase)
    known = rulings(language)
    if not wanted:
        return [], list(known)
    exact = [ruling for ruling in known if ruling.id.lower() == wanted]
    if exact:
        return [], exact
    entries = card_entries(language)
    cards = [entry for entry in entries if wanted in (_plain(entry.card), _plain(entry.name))]
    if cards:
        ids = {id_ for entry in cards for id_ in entry.rulings}
        return cards, [ruling for ruling in known if ruling.id in ids]
    group = [r for r in known if wanted in (r.id.partition("-")[0].lower(), _plain(r.section))]
    found = [ruling for ruling in known if ruling in group or _has(ruling.text, wanted)]
    return [entry for entry in entries if _has(entry.text, wanted)], found


def known_words(language: str = "en") -> list[str]:
    """Return every id, name, group and longer word that can be looked up."""
    known, entries = rulings(language), card_entries(language)
    words = {word for ruling in known for word in re.findall(r"[^\W\d_]{4,}", ruling.text.lower())}
    words |= {entry.name.lower() for entry in entries} | {str(entry.card) for entry in entries}
    groups = {ruling.id.partition("-")[0].lower() for ruling in known}
    return sorted(words | groups | {ruling.id.lower() for ruling in known} | {r.section.lower() for r in known})


def _has(text: str, wanted: str) -> bool:
    """Return whether a text has the phrase, from the beginning of a word on."""
    return re.search(rf"(?<!\w){re.escape(wanted)}", _plain(text)) is not None


def _plain(text: str) -> str:
    """Return the text in small letters, without accents and with one name for each thing."""
    letters = unicodedata.normalize("NFKD", text.lower())
    text = " ".join("".join(sign for sign in letters if not unicodedata.combining(sign)).split())
    for written, meant in _ALIASES.items():
        text = text.replace(written, meant)
    return text
