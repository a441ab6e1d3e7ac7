"""Names: what people call themselves is accepted everywhere, and what could deceive a reader nowhere."""

import pytest

import flip7
from flip7.server.errors import Refusal
from flip7.server.names import clean_name

GOOD = ["Ana", "👨‍👩‍👧‍👦", "می‌خواهم", "Zoë", "O'Neil-Smith 3", "李雷", "🏴󠁧󠁢󠁳󠁣󠁴󠁿", "❤️"]
BAD = [
    "",
    " ",
    "\u200d",
    "\u3164",
    "\u0301",
    "a\nb",
    "a\x00b",
    "a\u202eb",
    "a\u2066b",
    "a\u200eb",
    "a\ufeffb",
    "a\ue000b",
    "\u200b",
]


@pytest.mark.parametrize("name", GOOD)
def test_names_with_joiners_and_marks_are_accepted_everywhere(name: str) -> None:
    assert flip7.Match([name, "Ben"]).players[0] == name
    assert flip7.Game([name, "Ben"], seed=1).players[0] == name
    assert clean_name(name) == name
    match = flip7.Match(2)
    match.rename(0, name)
    assert flip7.Match.from_json(match.to_json()).players[0] == name
    game = flip7.Game([name, "Ben"], seed=1)
    assert flip7.Game.from_record(game.record()).players[0] == name


@pytest.mark.parametrize("name", BAD)
def test_hidden_characters_and_turned_directions_are_refused_everywhere(name: str) -> None:
    with pytest.raises(ValueError, match="name of seat 0"):
        flip7.Match([name, "Ben"])
    with pytest.raises(ValueError, match="name of seat 0"):
        flip7.Game([name, "Ben"], seed=1)
    if "\n" not in name:
        with pytest.raises(Refusal):
            clean_name(name)
    with pytest.raises(flip7.MatchError, match="name"):
        flip7.Match(2).rename(0, name)


def test_a_name_that_somebody_has_is_not_given_twice() -> None:
    """Two players of one name would be one person in all statistics."""
    match = flip7.Match(["Ana", "Ben"])
    for deed in (lambda: match.rename(1, "Ana"), lambda: match.add("Ana")):
        with pytest.raises(flip7.MatchError, match="Ana is called that already"):
            deed()
