"""What people read, in four languages: one catalogue for browser, server and terminal, as data beside this file.

A catalogue has chapters, each a file such as `de-play.json`: keys and texts. A text may have holes, `{name}`, and may
be a plural with the forms of its language, between which the value `n` decides.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Literal, get_args

Chapter = Literal["play", "score", "extra", "terminal", "lines", "rulings"]
"""`play`: the game and its pages, bots, events and refusals; `score`: the scorekeeper; `extra`: coach, review, the
daily challenge and the profile; `terminal`: what only the terminal says; `lines`: a game told line by line;
`rulings`: every ruling, and what every card does."""

CHAPTERS: tuple[Chapter, ...] = get_args(Chapter)
PAGES: tuple[Chapter, ...] = ("play", "score", "extra")
"""The chapters that the browser loads."""
LANGUAGES = {"en": "English", "de": "Deutsch", "fr": "Français", "es": "Español"}
"""The languages that are spoken, each by its own name. English has every text first."""

Entry = str | dict[str, str]
"""A text, or the forms of a plural: `one`, `other`, and `many` where a language has it."""

_HOLE = re.compile(r"\{(\w+)\}")


class Texts(Mapping[str, Entry]):
    """One chapter in one language: `texts("de")("table.round", n=3)` is "Runde 3"."""

    def __init__(self, language: str, chapter: Chapter) -> None:
        self.language = language
        self.chapter = chapter
        path = files(__package__) / f"{language}-{chapter}.json"
        self._entries: dict[str, Entry] = json.loads(path.read_text("utf-8"))

    def __call__(self, key: str, **values: object) -> str:
        """Return the text of a key with its holes filled. A hole without a value stays as it is."""
        entry = self._entries[key]
        if not isinstance(entry, str):
            entry = entry.get(form(self.language, values.get("n", 0)), entry["other"])
        return _HOLE.sub(lambda hole: str(values.get(hole[1], hole[0])), entry)

    def __getitem__(self, key: str) -> Entry:
        return self._entries[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)


@cache
def texts(language: str, chapter: Chapter = "play") -> Texts:
    """Return a chapter of a language. Raises `KeyError` for a language that is not in `LANGUAGES`."""
    if language not in LANGUAGES:
        raise KeyError(f"there is no catalogue for {language!r}; there are {', '.join(LANGUAGES)}")
    return Texts(language, chapter)


def form(language: str, n: object) -> str:
    """Return which form of a plural a language takes for n: `one`, `many` or `other`, as browsers do."""
    if not isinstance(n, int | float):
        return "other"
    if abs(n) < 2 if language == "fr" else n == 1:
        return "one"
    return "many" if language in ("fr", "es") and n and n % 1_000_000 == 0 else "other"


def holes(entry: Entry) -> set[str]:
    """Return the names of the holes of a text; those of a plural have `n` among them."""
    if isinstance(entry, str):
        return set(_HOLE.findall(entry))
    return {"n"}.union(*map(_HOLE.findall, entry.values()))


def chosen(wishes: str) -> str:
    """Return the first language that is spoken here of an `Accept-Language` header or a locale; otherwise English."""
    for wish in re.split(r"[,;:]", wishes):
        language = re.split(r"[-_.]", wish.strip().lower())[0]
        if language in LANGUAGES:
            return language
    return "en"
