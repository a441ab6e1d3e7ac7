"""Records: whatever is wrong with one is refused with its line, and nothing else can happen."""

from collections.abc import Callable
from functools import cache
from random import Random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from flip7 import Card, Game, RecordError, Rules
from flip7.testing import at_random, scripted, stay_at

HEADER_WORDS = ("players", "date", "place", "rules", "seed", "deck", "live", "commitment", "flip7")


def finished(game: Game) -> Game:
    while game.decision is not None:
        game.play(stay_at(game, 20))
    return game


@cache
def shuffled() -> str:
    """A whole game of three, with a date and a place."""
    rules = Rules(target=60)
    return finished(Game(["Ana", "Ben", "Cho"], seed=7, rules=rules, date="2026-01-31", place="Oslo")).record()


@cache
def committed() -> str:
    return finished(Game(2, seed=11, commit=True, salt="0123456789abcdef", rules=Rules(target=50))).record()


@cache
def live() -> str:
    """A live game that is not finished."""
    return scripted(["Ana", "Ben"], "5 second flip3 second 5 9 8 8", "hit 1 hit hit").record()


def words(text: str) -> list[list[str]]:
    """The words of each line that says anything."""
    return [line.split() for line in text.split("\n") if line.strip()]


def accepted(text: str) -> Game | None:
    """The game of a record, or nothing if it is refused. Any other error than `RecordError` fails the test."""
    try:
        return Game.from_record(text)
    except RecordError as error:
        refusal = error
    assert 1 <= refusal.line <= text.count("\n") + 2
    assert str(refusal) == f"line {refusal.line}: {refusal.message}"
    return None


def assert_refused_or_sound(text: str) -> None:
    """A record that is taken says just what its game says: not a word of it went unchecked."""
    game = accepted(text)
    if game is not None and "#" not in text:
        assert words(game.record()) == words(text)


def test_a_record_reads_like_a_report() -> None:
    game = scripted(["Ana", "Ben"], "5 7 flip3 second 5 freeze 7", "hit 0 1 hit stay", rules=Rules(target=10))
    assert game.record() == (
        "flip7 record 1\n"
        'players "Ana" "Ben"\n'
        "rules target=10 dealer=0 first=left reshuffle=empty\n"
        "live\n"
        "round 1 dealer 0\n"
        "1 deal 5\n"
        "0 deal 7\n"
        "1 hit flip3 >0 0: second 5 freeze >1\n"
        "0 hit 7 saved\n"
        "0 stay\n"
        "score 12 5 total 12 5\n"
        "winner 0 rounds 1 playoffs 0 challenge met\n"
    )


def test_comments_blank_lines_and_spaces_change_nothing() -> None:
    lines = shuffled().split("\n")
    loose = "\n\n# a comment\n".join(f"  {line.replace(' ', '   ')}\t# and another" for line in lines)
    assert Game.from_record(loose).record() == shuffled()


def test_windows_line_ends_are_read() -> None:
    assert Game.from_record(shuffled().replace("\n", "\r\n")).record() == shuffled()


def test_names_keep_every_character() -> None:
    names = ["#1", 'A "B" C', "back\\slash", "Žofie 🂡", "  spaces  ", "round"]
    game = Game(names, seed=3)
    assert Game.from_record(game.record()).players == tuple(names)


@pytest.mark.parametrize("text", [shuffled, committed])
def test_a_record_that_breaks_off_is_refused_wherever_it_does(text: Callable[[], str]) -> None:
    whole = text()
    for length in range(len(whole) - 1):
        assert accepted(whole[:length]) is None, whole[:length][-40:]


def test_a_line_that_is_missing_twice_or_moved_is_refused() -> None:
    lines = shuffled().split("\n")[:-1]
    for i, line in enumerate(lines):
        free = line.startswith(("date", "place"))
        assert (accepted("\n".join(lines[:i] + lines[i + 1 :])) is not None) == free, line
        assert accepted("\n".join([*lines[: i + 1], *lines[i:]])) is None, line
        if i and lines[i - 1] != line:
            swapped = [*lines[: i - 1], line, lines[i - 1], *lines[i + 1 :]]
            assert accepted("\n".join(swapped)) is None, line


def test_no_word_of_the_game_itself_can_be_changed() -> None:
    """Every word after the header of a shuffled game, with every other word that could stand there."""
    lines = words(shuffled())
    start = next(i for i, line in enumerate(lines) if line[0] == "round")
    seats = ["0", "1", "2", "3", ">0", ">1", ">2", "0:", "1:"]
    others = [
        "hit",
        "stay",
        "deal",
        "bust",
        "saved",
        "flip7",
        "shuffle",
        "7",
        "12",
        "freeze",
        "second",
        "-freeze",
        *seats,
    ]
    for i, line in enumerate(lines[start:], start):
        for j, word in enumerate(line):
            for other in [*others, word + "0", str(int(word) + 1) if word.isdecimal() else "x"]:
                if other != word:
                    changed = [*lines[:i], [*line[:j], other, *line[j + 1 :]], *lines[i + 1 :]]
                    assert accepted("\n".join(map(" ".join, changed))) is None, (line, word, other)


@settings(max_examples=300)
@given(st.sampled_from([shuffled, committed, live]), st.data())
def test_a_changed_word_is_refused_or_makes_another_sound_record(
    source: Callable[[], str], data: st.DataObject
) -> None:
    lines = words(source())
    pool = sorted({word for line in lines for word in line} | {str(card) for card in Card} | set(HEADER_WORDS))
    i = data.draw(st.integers(0, len(lines) - 1))
    j = data.draw(st.integers(0, len(lines[i]) - 1))
    lines = [list(line) for line in lines]
    lines[i][j] = data.draw(st.sampled_from(pool) | st.text(max_size=6))
    assert_refused_or_sound("\n".join(map(" ".join, lines)))


@settings(max_examples=300)
@given(st.sampled_from([shuffled, committed, live]), st.integers(0, 10**6), st.integers(0, 5), st.text(max_size=5))
def test_changed_characters_are_refused_or_make_another_sound_record(
    source: Callable[[], str], where: int, cut: int, insert: str
) -> None:
    text = source()
    at = where % len(text)
    assert_refused_or_sound(text[:at] + insert + text[at + cut :])


@settings(max_examples=300)
@given(st.text() | st.text("flip7 record1\nplayers\"#rulestarget=0 'seed", max_size=200))
@example("flip7 record 1\nplayers " + "[" * 100_000)
@example("flip7 record 1\nplayers 1 2\nlive\nround 1")
@example("flip7 record " + "9" * 5000)
@example('flip7 record 1\nplayers "\\ud800"\nseed 1\nround 1\nunfinished')
@example('flip7 record 1\nplayers "A"\nrules composition=\nseed 1\nunfinished')
@example('flip7 record 1\nplayers "A"\nrules composition=1:999999999999\nseed 1\nunfinished')
@example('flip7 record 1\nplayers "A"\nseed ' + "9" * 90 + "\nunfinished")
@example("unfinished\nround 1\nflip7 record 1")
def test_rubbish_is_refused(text: str) -> None:
    assert accepted(text) is None


@pytest.mark.parametrize("value", [None, b"flip7 record 1", 7])
def test_what_is_no_text_is_no_record(value: object) -> None:
    with pytest.raises(RecordError, match="a record is text"):
        Game.from_record(value)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "line"),
    [("", 1), ("# Title\n\nA page\nwith 'a\"quote", 3), ('{"json": 1}', 1), ('\n<p\n"', 2), ('flip7 record "2', 1)],
)
def test_what_is_no_record_is_called_that_whatever_it_is(text: str, line: int) -> None:
    with pytest.raises(RecordError, match=f"^line {line}: a record starts with 'flip7 record 2'$"):
        Game.from_record(text)


def test_a_newer_version_is_named() -> None:
    with pytest.raises(RecordError, match="line 1: version 3: this program reads records up to version 2"):
        Game.from_record(shuffled().replace("record 1", "record 3"))
    with pytest.raises(RecordError, match="line 1: 'flip7 record 2' should be 'flip7 record 1'"):
        Game.from_record(shuffled().replace("record 1", "record 2"))


def test_the_first_wrong_line_is_named() -> None:
    lines = shuffled().split("\n")
    at = next(i for i, line in enumerate(lines) if line.startswith("score"))
    lines[at] = lines[at].replace("score ", "score 1")
    with pytest.raises(RecordError, match=f"line {at + 1}: "):
        Game.from_record("\n".join(lines))


def test_a_finished_game_says_when_its_deck_was_not_revealed() -> None:
    """Somebody who followed a committed game from outside knows the promise, but not the seed."""
    lines = committed().split("\n")
    unrevealed = "\n".join([*lines[:-2], "unrevealed", ""])
    game = Game.from_record(unrevealed)
    assert game.record() == unrevealed
    assert (game.seed, game.salt) == (None, None)


def test_a_committed_game_in_progress_is_followed_by_its_promise() -> None:
    game = Game(3, seed=5, commit=True, salt="00112233")
    random = Random(1)
    for _ in range(5):
        game.play(at_random(game, random))
    copy = Game.from_record(game.record())
    assert (copy.live, copy.commitment, copy.seed) == (True, game.commitment, None)
    assert copy.record() == game.record()
