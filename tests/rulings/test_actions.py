"""ACT, FRZ and SC: who gets an action card, what a Freeze does, what a Second Chance saves."""

import pytest

from flip7 import Card
from flip7.game.events import PlayerFrozen
from flip7.testing import cards, scripted, told

ruling = pytest.mark.ruling


@ruling("ACT-1")
def test_whoever_turns_up_an_action_card_may_give_it_to_any_active_player() -> None:
    """Seat 0 has stayed, so seat 1 may choose itself, seat 2 or seat 3."""
    game = scripted(4, "5 6 7 8 9 10 11 flip3", "hit hit hit stay hit")
    assert game.decision is not None
    assert (game.decision.seat, game.decision.card, game.decision.options) == (1, "flip3", (1, 2, 3))
    game.play(3)
    (handed,) = told(game, "card_handed_out")
    assert (handed.seat, handed.card, handed.ruling) == (1, "flip3", "ACT-1")


@ruling("ACT-2")
@pytest.mark.parametrize("action", ["freeze", "flip3"])
def test_the_only_active_player_plays_it_on_themselves(action: str) -> None:
    """Seat 0 has stayed; seat 1 is not asked for a target."""
    game = scripted(2, f"5 6 7 {action}", "hit stay hit")
    (handed,) = told(game, "card_handed_out")
    assert (handed.seat, handed.ruling, getattr(handed, "to", None)) == (1, "ACT-2", 1)


@ruling("ACT-3")
def test_an_action_card_lies_in_front_of_its_target_until_the_round_ends() -> None:
    """Then it goes to the discard pile with everything else."""
    game = scripted(2, "freeze 6", "0")
    assert game.seats[0].cards == cards("freeze")
    assert told(game, "card_placed")[0].ruling == "ACT-3"
    game.play("stay")
    assert game.seats[0].cards == ()
    assert game.discard_pile[Card("freeze")] == 1


@ruling("ACT-3")
def test_an_action_card_without_effect_is_discarded_at_once() -> None:
    """A Flip Three for somebody whom a Freeze has just put out lies in front of nobody."""
    game = scripted(3, "5 6 7 flip3 freeze flip3 8", "hit 1 2 2")
    assert game.discard_pile[Card("flip3")] == 1
    assert game.seats[2].cards == cards("6 freeze")


@ruling("ACT-4")
def test_a_card_on_offer_lies_in_front_of_nobody() -> None:
    """While seat 1 thinks about it, the Freeze is pending."""
    game = scripted(3, "freeze")
    assert game.pending == cards("freeze")
    assert all(seat.cards == () for seat in game.seats)


@ruling("ACT-4")
def test_cards_set_aside_lie_in_front_of_nobody() -> None:
    """Seat 1 has flipped a Freeze in its Flip Three and waits for the next card."""
    game = scripted(3, "flip3 freeze", "1")
    assert game.pending == cards("freeze")
    assert game.seats[1].cards == cards("flip3")


@ruling("ACT-4")
def test_cards_handed_out_and_not_yet_resolved_lie_in_front_of_nobody() -> None:
    """A Freeze is promised to seat 0, but seat 2 flips three first; the deal would still have to reach seat 0."""
    game = scripted(3, "flip3 flip3 freeze 8 9", "1 2 0")
    assert game.pending == cards("freeze")
    assert game.seats[0].cards == ()
    assert game.seats[0].status == "active"


@ruling("FRZ-1")
def test_a_freeze_banks_the_targets_points() -> None:
    """Seat 2 keeps its 12 and is out."""
    game = scripted(3, "5 12 7 freeze", "hit 2")
    (frozen,) = told(game, "player_frozen")
    assert (frozen.seat, frozen.ruling, getattr(frozen, "points", None)) == (2, "FRZ-1", 12)
    assert (game.seats[2].status, game.seats[2].points) == ("frozen", 12)


@ruling("FRZ-1")
def test_a_freeze_may_be_played_on_oneself() -> None:
    """Seat 1 likes its 12."""
    game = scripted(3, "12 6 7 freeze", "hit 1")
    assert (game.seats[1].status, game.seats[1].points) == ("frozen", 12)


@ruling("SC-1")
def test_a_first_second_chance_is_kept() -> None:
    """It lies in front of whoever turned it up."""
    game = scripted(3, "second 6 7")
    assert game.seats[1].cards == cards("second")
    assert told(game, "card_placed")[0].ruling == "SC-1"


@ruling("SC-2")
def test_a_second_chance_swallows_a_duplicate_by_itself() -> None:
    """Nobody is asked; duplicate and Second Chance are discarded."""
    game = scripted(3, "5 6 7 second 8 9 5", "hit hit hit hit")
    (saved,) = told(game, "player_saved")
    assert (saved.seat, saved.card, saved.ruling) == (1, "5", "SC-2")
    assert game.seats[1].cards == cards("5")
    assert game.discard_pile[Card("5")] == game.discard_pile[Card("second")] == 1
    assert {event.ruling for event in told(game, "card_discarded")} == {"SC-2"}


@ruling("SC-3")
def test_a_save_ends_the_turn() -> None:
    """Seat 1 was saved: the next question is for seat 2."""
    game = scripted(3, "5 6 7 second 8 9 5", "hit hit hit hit")
    assert game.decision is not None
    assert (game.decision.kind, game.decision.seat) == ("turn", 2)


@ruling("SC-3")
def test_inside_a_flip_three_the_flips_go_on_after_a_save() -> None:
    """The first of the three is a duplicate and saved; the second and third still come."""
    game = scripted(3, "second 6 7 5 8 9 flip3 5 10 11", "hit hit hit hit 1")
    assert game.seats[1].line == cards("5 10 11")
    assert game.decision is not None
    assert game.decision.seat == 2


@ruling("SC-4")
def test_a_second_second_chance_goes_to_an_active_player_without_one() -> None:
    """Seat 1 may choose between seats 0 and 3; seat 2 has one already."""
    game = scripted(4, "second second 7 8 second", "hit")
    assert game.decision is not None
    assert (game.decision.seat, game.decision.card, game.decision.options) == (1, "second", (0, 3))
    game.play(3)
    (passed,) = told(game, "second_chance_passed")
    assert (passed.seat, passed.ruling, getattr(passed, "to", None)) == (1, "SC-4", 3)
    assert game.seats[3].cards == cards("7 second")


@ruling("SC-4")
def test_with_a_single_possible_taker_it_simply_goes_there() -> None:
    """Two players, no choice."""
    game = scripted(2, "second 6 second", "hit")
    assert game.seats[0].cards == cards("6 second")
    assert told(game, "second_chance_passed")[0].ruling == "SC-4"


@ruling("SC-4")
def test_with_no_possible_taker_it_is_discarded() -> None:
    """Both players have one, so the third Second Chance helps nobody."""
    game = scripted(2, "second second second", "hit")
    assert [(e.card, e.ruling) for e in told(game, "card_discarded")] == [("second", "SC-4")]
    assert game.discard_pile[Card("second")] == 1


@ruling("SC-4")
def test_an_inactive_player_cannot_take_it() -> None:
    """Seat 0 has stayed, so seat 1 has to discard the spare one."""
    game = scripted(2, "second 6 7 second", "hit stay hit")
    assert game.discard_pile[Card("second")] == 1
    assert game.seats[0].cards == cards("6")


@ruling("SC-5")
def test_an_unused_second_chance_does_not_reach_the_next_round() -> None:
    """Seat 1 stays with one; in the next round it has none and busts on its first duplicate."""
    game = scripted(2, "second 6", "stay stay")
    assert game.discard_pile[Card("second")] == 1
    assert all(Card("second") not in seat.cards for seat in game.seats)
    game = scripted(2, "second 6 8 9 10 9", "stay stay hit hit")
    assert game.seats[1].status == "busted"


@ruling("FRZ-1")
def test_a_freeze_banks_modifiers_too() -> None:
    """The target's points are banked: the numbers doubled, then the rest added (SCORE-1)."""
    game = scripted(2, "5 7 x2 9 +4 8 freeze", "hit hit hit hit hit 1")
    (frozen,) = told(game, "player_frozen")
    assert isinstance(frozen, PlayerFrozen)
    assert (frozen.seat, frozen.points) == (1, 2 * 5 + 4)
    assert game.seats[1].points == 14
