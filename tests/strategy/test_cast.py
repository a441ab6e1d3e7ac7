"""The cast of bots, which the server and the command share."""

import pytest

from flip7.game.game import Game
from flip7.strategy import cast
from flip7.strategy.registry import get


def test_every_member_can_be_told_from_the_others_and_has_a_strategy() -> None:
    for field in ("id", "name", "character", "strategy"):
        assert len({getattr(member, field) for member in cast.CAST}) == len(cast.CAST)
    for member in cast.CAST:
        get(member.strategy)
        assert member.character[0].isupper()
        assert member.character.endswith(".")
    assert {*cast.QUICK, cast.SUBSTITUTE} <= set(cast.BY_ID)


def test_a_company_is_numbered_when_the_cast_runs_out() -> None:
    assert [member.id for member in cast.company(3)] == list(cast.QUICK)
    many = cast.company(35)
    assert len({member.name for member in many}) == 35
    assert "Careful Carl 2" in {member.name for member in many}
    assert "deep" not in {member.strategy for member in many}


@pytest.mark.parametrize("member", cast.CAST, ids=lambda member: member.id)
def test_a_member_plays_its_strategy(member: cast.Member) -> None:
    game = Game(4, seed=4)
    strategy = get(member.strategy)
    while (ask := game.decision) is not None:
        choice = cast.choice_of(member.id, game)
        assert choice in ask.options
        assert choice == (strategy.turn if ask.kind == "turn" else strategy.target)(game.position)
        game.play(choice)


def test_carl_and_bea_stay_where_their_characters_say() -> None:
    assert cast.choice_of("carl", Game(1, seed=1, deck=["12", "7"])) == "hit"
    game = Game(1, seed=1, deck=["12", "6", "11", "5"])
    told = []
    while game.seats[0].points < 34:
        told.append((game.seats[0].points, cast.choice_of("carl", game), cast.choice_of("bea", game)))
        game.play("hit")
    assert told == [(12, "hit", "hit"), (18, "stay", "hit"), (29, "stay", "hit")]
    assert cast.choice_of("bea", game) == "stay"
