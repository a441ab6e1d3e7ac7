"""Cards: their text, their order, their faces."""

import pytest

from flip7.rules.cards import CARDS, FACES, NUMBERS_ONLY, STANDARD, Card


def test_every_card_prints_and_parses() -> None:
    assert [Card(str(card)) for card in CARDS] == list(CARDS)
    assert " ".join(CARDS) == "0 1 2 3 4 5 6 7 8 9 10 11 12 +2 +4 +6 +8 +10 x2 freeze flip3 second"


def test_faces_count_from_zero_and_a_number_is_its_own() -> None:
    assert [card.face for card in CARDS] == list(range(FACES))
    assert [str(card.face) for card in CARDS[:13]] == [str(card) for card in CARDS[:13]]


def test_all_comparisons_put_cards_in_the_same_order() -> None:
    for a in CARDS:
        for b in CARDS:
            m, n = a.face, b.face
            assert (a < b, a <= b, a > b, a >= b) == (m < n, m <= n, m > n, m >= n)
    assert max(CARDS) == Card("second")
    assert sorted(set(CARDS)) == list(CARDS)


def test_against_other_text_a_card_is_text() -> None:
    assert Card("10") < "9"
    assert Card("10") <= "9"
    assert Card("9") > "10"
    assert Card("9") >= "10"


@pytest.mark.parametrize("text", ["13", "-1", "X2", "", " 7", "+3", "flip 3"])
def test_what_is_no_card_is_refused_with_the_cards_there_are(text: str) -> None:
    with pytest.raises(ValueError, match="is no card; the cards are 0 1 2"):
        Card(text)


def test_the_decks_cannot_be_changed() -> None:
    assert sum(STANDARD.values()) == 94
    assert sum(NUMBERS_ONLY.values()) == 79
    with pytest.raises(TypeError):
        STANDARD[Card("7")] = 8  # type: ignore[index]
