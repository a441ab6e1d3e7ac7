"""Every language has every text, with the same holes, and nothing is left in English."""

from __future__ import annotations

import re

import pytest

from flip7.catalogue import CHAPTERS, LANGUAGES, Chapter, Entry, chosen, form, holes, texts
from flip7.game.rulebook import rulings
from flip7.protocol import codes
from flip7.rules.rulings import IDS
from flip7.strategy.cast import CAST

OTHERS = [language for language in LANGUAGES if language != "en"]
both = pytest.mark.parametrize("chapter", CHAPTERS)
others = pytest.mark.parametrize("language", OTHERS)

# What is spelled alike in English and one of the others: names, loan words, and signs.
ALIKE: dict[str, set[str]] = {
    "de": {
        "extra:coach.choice",
        "extra:daily.number",
        "extra:daily.sign.seven",
        "extra:daily.time",
        "lines:tell.flip7",
        "play:app.name",
        "play:callout.flip7_made",
        "play:emote.laugh",
        "play:emote.wow",
        "play:options.patience.min",
        "play:options.timer.s",
        "play:settings.speed.normal",
        "play:settings.vibration",
        "score:enter.flip7",
        "score:live",
        "score:live.flip7",
        "score:new.name",
        "score:stats.pair",
        "score:step.card",
        "score:step.give",
    },
    "fr": {
        "extra:daily.number",
        "extra:daily.sign.seven",
        "extra:daily.time",
        "lines:head.points",
        "lines:head.total",
        "lines:n.bots",
        "lines:n.points",
        "lines:score.help.corrections",
        "lines:score.what.score",
        "lines:tell.flip7",
        "play:app.name",
        "play:emote.think",
        "play:lobby.options",
        "play:lobby.title",
        "play:options.patience.min",
        "play:options.timer.s",
        "play:replay.pause",
        "play:settings.vibration",
        "play:settings.volume",
        "play:table.code",
        "play:table.total",
        "score:enter.points",
        "score:sheet.date",
        "score:stats.pair",
        "score:step.give",
        "score:total",
        "score:value.points",
    },
    "es": {
        "extra:coach.choice",
        "extra:daily.number",
        "extra:daily.sign.seven",
        "extra:daily.time",
        "lines:head.total",
        "lines:n.bots",
        "lines:tell.flip7",
        "play:app.name",
        "play:lobby.bot",
        "play:options.patience.min",
        "play:options.timer.s",
        "play:results.hash",
        "play:settings.speed.normal",
        "play:table.total",
        "score:stats.pair",
        "score:step.card",
        "score:step.give",
        "score:total",
    },
}


def forms(entry: Entry) -> list[str]:
    return [entry] if isinstance(entry, str) else list(entry.values())


@both
@others
def test_every_language_has_the_texts_of_english_in_their_order(language: str, chapter: Chapter) -> None:
    assert list(texts(language, chapter)) == list(texts("en", chapter))


@both
@others
def test_every_text_has_the_holes_of_the_english_one(language: str, chapter: Chapter) -> None:
    english, other = texts("en", chapter), texts(language, chapter)
    assert [key for key in english if holes(english[key]) != holes(other[key])] == []


@both
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_plural_is_one_in_every_language_and_no_text_is_empty(language: str, chapter: Chapter) -> None:
    english, other = texts("en", chapter), texts(language, chapter)
    for key, entry in other.items():
        assert isinstance(entry, str) == isinstance(english[key], str), key
        assert all(text.strip() for text in forms(entry)), key
        if not isinstance(entry, str):
            assert {"one", "other"} <= entry.keys() <= {"one", "many", "other"}, key


@both
@others
def test_nothing_is_left_in_english(language: str, chapter: Chapter) -> None:
    english, other = texts("en", chapter), texts(language, chapter)
    same = {key for key in english if english[key] == other[key]}
    assert same == {key.partition(":")[2] for key in ALIKE[language] if key.startswith(f"{chapter}:")}


ENGLISH_CARDS = ("Freeze", "Flip Three", "Second Chance")
# What has another name everywhere else, so that one word means one thing; and nothing is said to be in English.
SHUNNED = {
    "de": ("geplatzt", "platzen", "Deck", "Seed", "Salt", "Englisch"),
    "fr": ("doublon", "éliminé", "pioche :", "hash", "anglais"),
    "es": ("gemelo", "eliminad", "eliminar", "inglés"),
}


@both
@others
def test_a_card_and_all_else_has_one_name_in_a_language(language: str, chapter: Chapter) -> None:
    for key, entry in texts(language, chapter).items():
        for text in (re.sub(r"\{\w+\}", "", one) for one in forms(entry)):
            assert not any(word in text for word in (*ENGLISH_CARDS, *SHUNNED[language])), key


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_code_and_every_bot_has_its_words(language: str) -> None:
    known = texts(language)
    assert [code for code in codes.MEANINGS if f"error.{code}" not in known] == []
    assert [member.id for member in CAST if f"bot.{member.id}" not in known] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_ruling_is_told_in_every_language(language: str) -> None:
    told = rulings(language)
    assert [ruling.id for ruling in told] == list(IDS)
    assert all(ruling.text.endswith(".") and ruling.section and ruling.source for ruling in told)


def test_a_text_takes_its_values() -> None:
    assert texts("de")("table.round", n=3) == "Runde 3"
    assert texts("en")("log.card_handed_out", name="Ana", to="{card}", card="7") == "Ana gives 7 to {card}."
    assert texts("en")("table.round") == "Round {n}"


@pytest.mark.parametrize(
    ("language", "n", "expected"),
    [
        ("en", 1, "one"),
        ("en", 0, "other"),
        ("de", 1, "one"),
        ("de", 2, "other"),
        ("fr", 0, "one"),
        ("fr", 1.5, "one"),
        ("fr", 2, "other"),
        ("fr", 1_000_000, "many"),
        ("es", 0, "other"),
        ("es", 2_000_000, "many"),
    ],
)
def test_a_plural_follows_its_language(language: str, n: float, expected: str) -> None:
    assert form(language, n) == expected


def test_a_plural_is_said_in_its_form() -> None:
    assert texts("en")("seats.n", n=1) == "1 player"
    assert texts("en")("seats.n", n=2) == "2 players"
    assert texts("fr")("seats.n", n=0) == "0 joueur"
    assert texts("fr")("seats.n", n=1_000_000) == "1000000 joueurs"


def test_an_unknown_language_is_refused_with_those_that_there_are() -> None:
    with pytest.raises(KeyError, match="there are en, de, fr, es"):
        texts("it")


@pytest.mark.parametrize(
    ("wishes", "expected"),
    [("", "en"), ("de-CH,fr;q=0.5", "de"), ("it,es;q=0.3", "es"), ("fr_FR.UTF-8", "fr"), ("C", "en"), ("*", "en")],
)
def test_the_first_language_that_is_spoken_here_is_chosen(wishes: str, expected: str) -> None:
    assert chosen(wishes) == expected
