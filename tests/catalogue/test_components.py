"""No text is typed into a component: what people read comes from the catalogue, in four languages."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

COMPONENTS = Path(__file__).resolve().parents[2] / "web" / "src"
NAMES = {"Flip", "D", "t"}
"""What is written so in every language: the game's name, the dealer's mark with its title, the path of a table."""
UNSEEN = re.compile(r"<script\b.*?</script>|<style\b.*?</style>|<code>[^<]*</code>|<!--.*?-->", re.S)
SPOKEN = re.compile(r"\b(?:aria-label|title|alt|placeholder|label)=(?:\"([^\"]*)\"|'([^']*)')")
WORD = re.compile(r"[^\W\d_]+")


def without_code(markup: str) -> str:
    """The markup without what stands in braces, which may hold braces again."""
    kept, depth = [], 0
    for sign in markup:
        depth += sign == "{"
        if not depth:
            kept.append(sign)
        depth -= sign == "}"
    return "".join(kept)


def typed(source: str) -> list[str]:
    """The words that a component holds itself, in its text or in attributes that are read."""
    markup = without_code(UNSEEN.sub("", source))
    spoken = [found[1] or found[2] or "" for found in SPOKEN.finditer(markup)]
    texts = [re.sub(r"&\w+;", " ", text) for text in [*spoken, re.sub(r"<[^>]*>", " ", markup)]]
    return [word for text in texts for word in WORD.findall(text) if word not in NAMES]


@pytest.mark.parametrize(
    "source",
    [
        "<p>Hello</p>",
        "<p>{t('x')} points</p>",
        '<button aria-label="Close" />',
        "{#if a > b}<i>Yes</i>{/if}",
        "<img alt='A card {n}' />",
        '<a title="Go" onclick={() => ({ a: 1 })}>{x}</a>',
    ],
)
def test_a_word_that_is_typed_in_is_found(source: str) -> None:
    assert typed(source)


@pytest.mark.parametrize(
    "source",
    [
        "<script>const word = 'Hello';</script><style>p { color: red; }</style><!-- Hello -->",
        "<p class=\"soft word\" title={t('x')}>{t('y', { name: 'Ana' })} · 7&nbsp;%</p>",
        '<h1 aria-label="{name}: {points}">Flip 7</h1>',
    ],
)
def test_what_is_code_or_a_name_is_none(source: str) -> None:
    assert typed(source) == []


def test_no_component_holds_a_text_of_its_own() -> None:
    components = sorted(COMPONENTS.rglob("*.svelte"))
    assert len(components) > 50
    found = {path.relative_to(COMPONENTS).as_posix(): typed(path.read_text("utf-8")) for path in components}
    assert {path: words for path, words in found.items() if words} == {}
