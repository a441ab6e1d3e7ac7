"""Looking something up, in every language: by id, by name, by any word with or without its accents."""

import pytest

from flip7.game.lookup import known_words, look_up


@pytest.mark.parametrize(
    ("language", "phrase", "ruling"),
    [
        ("de", "Stapel", "SET-1"),
        ("de", "f3-3", "F3-3"),
        ("de", "Drei aufdecken", "F3-1"),
        ("fr", "retourne", "F3-1"),
        ("fr", "Seconde chance", "SC-1"),
        ("es", "mazo", "SET-1"),
        ("es", "baraja", None),
    ],
)
def test_words_of_a_language_are_found(language: str, phrase: str, ruling: str | None) -> None:
    _, found = look_up(phrase, language)
    assert (ruling in {one.id for one in found}) if ruling else not found


def test_accents_do_not_matter() -> None:
    with_accents = look_up("carte à", "fr")[1]
    assert with_accents
    assert look_up("CARTE A", "fr")[1] == with_accents


@pytest.mark.parametrize("language", ["de", "fr", "es"])
def test_cards_are_found_by_the_name_of_the_language_and_by_what_is_typed(language: str) -> None:
    (typed,), _ = look_up("freeze", language)
    (named,), _ = look_up(typed.name, language)
    assert typed == named
    assert typed.name != "Freeze"
    assert typed.name.lower() in known_words(language)
    assert look_up("7", language)[0][0].card == "7"
