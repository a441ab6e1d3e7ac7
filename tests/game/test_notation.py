"""Positions as text: they print, parse, and refuse what no table can show."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from flip7 import Card, Game, NotationError, Position, Rules
from flip7.rules.inputs import hit
from flip7.rules.table import ROUND_OVER
from flip7.testing import cards, scripted

ZEROS = ".".join(["0"] * 22)


def counts(**of: int) -> str:
    """The text of a pile: so many of the cards named (`n12=3`, `flip3=2`), none of the others."""
    return ".".join(str(of.get(f"n{card}" if card.isdecimal() else str(card), 0)) for card in Card)


def test_a_short_text_is_enough_to_ask_for_odds() -> None:
    position = Position("0:12,9/0:5,x2 turn@0")
    assert [seat.points for seat in position.seats] == [21, 10]
    assert sum(position.draw_pile.values()) == 90
    assert position.decision is not None
    assert position.decision.options == ("hit", "stay")


def test_a_position_tells_what_everyone_sees() -> None:
    game = scripted(3, "5 6 7 flip3 freeze flip3 8", "hit 1 2")
    text = str(game.position)
    assert "target@1:flip3" in text
    assert "aside=freeze>2,flip3" in text
    again = Position(text)
    assert again.pending == cards("freeze flip3")
    assert (again.dealer, again.round, again.target, again.playoffs, again.winner) == (0, 1, 200, 0, None)
    assert repr(again) == f"Position({text!r})"


def test_the_order_of_the_deck_is_not_in_it() -> None:
    """Two games with different decks look alike until a card differs."""
    deck = ["5", "6", "7"]
    assert Game(3, seed=1, deck=deck).position == Game(3, seed=2, deck=deck).position


def test_a_position_does_not_follow_the_game_it_was_taken_from() -> None:
    game = Game(3, seed=1, deck=["5", "6", "7"])
    position = game.position
    before = str(position)
    game.play("stay")
    assert str(position) == before != str(game.position)


def test_the_end_of_a_game_reads_back_whoever_was_flipping() -> None:
    """Seat 1 makes its Flip 7 in a Flip Three that came on seat 0's turn."""
    game = scripted(2, "1 12 2 11 3 10 4 flip3 5 6 7", "hit hit hit hit hit hit 1", rules=Rules(target=40))
    assert game.winner == 1
    again = Position(str(game.position))
    assert (again, str(again), again.winner) == (game.position, str(game.position), 1)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "needs its seats"),
        ("0:12", "needs its seats"),
        ("flip7/2 0:12 turn@0", "version '2'"),
        ("flip7/" + "1" * 5000 + " 0:12 turn@0", "version"),
        ("0:13 turn@0", "'13' is no card"),
        ("x:12 turn@0", "TOTAL:CARDS"),
        ("0:5,5 turn@0", "a second 5 busts"),
        ("0b:5,6 card@0", "busted"),
        ("0:second,second turn@0", "two Second Chances"),
        ("0:12 turn@1", "not a number from 0 to 0"),
        ("0s:12 turn@0", "not active"),
        ("0:- turn@0", "no card"),
        ("0:12 wait@0", "what it waits for"),
        ("0:12/0:5 target@0:7", "only freeze, flip3 and second"),
        ("0:12 target@0:freeze", "fewer than two possible targets"),
        ("0:12/0:5 target@0:second", "without a Second Chance"),
        ("0:12 turn@0 lap=-1", "not a number"),
        ("0:12 turn@0 lap=1 lap=1", "there twice"),
        ("0:12 turn@0 colour=red", "not a field"),
        ("0:12 turn@0 target=0", "not a number from 1"),
        ("0:12 turn@0 first=right", "none of left, dealer"),
        ("0:12 turn@0 flips=three:2", "while anything is pending"),
        ("0:12 card@0 flips=three:3 aside=freeze", "more cards than the seat was to turn up"),
        ("0:12 card@0 flips=hit:0", "no card is due"),
        ("0:12 card@0 aside=7", "neither freeze nor flip3"),
        ("0:12/0:5 target@0:freeze aside=flip3", "not the first of those set aside"),
        ("0:0,1,2,3,4,5,6 turn@0", "has a Flip 7"),
        ("0:12 game-over", "target is not reached"),
        ("200:12/200:5 game-over", "nobody alone"),
        ("0:12 turn@0 discard=1.2.3", "3 counts instead of 22"),
        ("0:12 turn@0 discard=" + counts(n12=12), "more 12 than the deck has"),
        ("0:12 turn@0 draw=" + counts(n12=9999), "10000 copies of 12"),
        ("0:12 turn@0 draw=" + counts(freeze=126, flip3=125), "251 freeze and flip3 cards"),
        ("0:12 card@0 draw=" + ZEROS, "none is left to draw"),
        ("/".join(["0:-"] * 37) + " card@0", "37 seats"),
    ],
)
def test_what_no_table_can_show_is_refused(text: str, reason: str) -> None:
    with pytest.raises(NotationError) as refusal:
        Position(text)
    assert reason in str(refusal.value)


@pytest.mark.parametrize("value", [None, 5, b"0:12 turn@0"])
def test_what_is_no_text_is_no_position(value: object) -> None:
    with pytest.raises(NotationError, match="a position is text"):
        Position(value)  # type: ignore[arg-type]


BASE = str(scripted(3, "5 6 7 flip3 freeze flip3 8", "hit 1 2").position)


def parses(text: str) -> bool:
    """Whether the text is taken; it then prints and parses to itself. Only `NotationError` may be raised."""
    try:
        position = Position(text)
    except NotationError:
        return False
    assert str(Position(str(position))) == str(position)
    return True


@settings(max_examples=300)
@given(st.integers(0, 10**6), st.integers(0, 8), st.text(max_size=6))
def test_changed_characters_are_refused_or_make_another_position(where: int, cut: int, insert: str) -> None:
    at = where % len(BASE)
    parses(BASE[:at] + insert + BASE[at + cut :])


@settings(max_examples=300)
@given(st.text() | st.text("0123456789:,/@= turncardsfbx2flipstack", max_size=80))
@example("0:\u0663 turn@0")
@example("\u0663:5 turn@0")
@example("flip7/\u00b2 0:5 turn@0")
def test_rubbish_is_refused_or_reads_as_a_position(text: str) -> None:
    parses(text)


def test_the_counter_of_idle_reshuffles_goes_up_to_ten_and_then_ends_the_round() -> None:
    """DECK-4: a position may have seen ten of them; the next one that is needed ends the round."""
    text = f"0:12,second/0:12,second turn@0 idle={{}} draw={ZEROS} discard={counts(n12=2)}"
    for idle, over in ((9, False), (10, True)):
        position = Position(text.format(idle))
        assert f" idle={idle} " in str(position)
        assert Position(str(position)) == position
        table = position.table.copy()
        hit(table)
        assert (table.waiting == ROUND_OVER) is over
    with pytest.raises(NotationError, match="idle: '11' is not a number from 0 to 10"):
        Position(text.format(11))


def test_as_many_copies_as_there_may_be_and_not_one_more() -> None:
    def twelves(draw: int, discard: int = 0) -> str:
        return f"0:12/0:1 turn@0 draw={counts(n12=draw)} discard={counts(n12=discard)}"

    assert sum(Position(twelves(9998)).draw_pile.values()) == 9998
    assert sum(Position(twelves(9000, 998)).discard_pile.values()) == 998
    for draw, discard in ((9999, 0), (9000, 999)):
        with pytest.raises(NotationError, match="10000 copies of 12: at most 9999"):
            Position(twelves(draw, discard))
    with pytest.raises(NotationError, match="draw: '10000' is not a number from 0 to 9999"):
        Position(twelves(10000))
    many = ",".join(["+2"] * 5000 + ["+4"] * 4999)
    assert len(Position(f"0:{many}/0:1 turn@0 draw={'.'.join('1' * 22)}").seats[0].cards) == 9999
    with pytest.raises(NotationError, match="seat 0: more than 9999 cards"):
        Position(f"0:{many},+4/0:1 turn@0 draw={'.'.join('1' * 22)}")
