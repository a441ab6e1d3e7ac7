"""What each built-in strategy answers, checked against the rules themselves and against tables worked out by hand."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import pytest

from flip7 import Game, Position, odds
from flip7.rules.agenda import IDLE_RESHUFFLES, await_card
from flip7.rules.cards import FACES
from flip7.rules.moves import ask_for_card, turn_up
from flip7.rules.scoring import points
from flip7.rules.table import ACTIVE, Table
from flip7.strategy.chance import three_value
from flip7.strategy.registry import get

from .positions import random_games

GAMES = 60


def turn(name: str, position: str) -> str:
    return get(name).turn(Position(position))


def target(name: str, position: str) -> int:
    return get(name).target(Position(position))


def counts(**cards: int) -> str:
    """The draw field of a position: `counts(n12=1, freeze=2)`."""
    names = [*(f"n{n}" for n in range(13)), "p2", "p4", "p6", "p8", "p10", "x2", "freeze", "flip3", "second"]
    return "draw=" + ".".join(str(cards.get(name, 0)) for name in names)


@pytest.mark.parametrize("hand", ["12", "12,11,10,9,8,7", "12,11,10,9,8,7,x2,+10,second"])
def test_hit_always_hits(hand: str) -> None:
    assert turn("hit", f"0:{hand}/0:1 turn@0") == "hit"


@pytest.mark.parametrize(
    ("hand", "answer"),
    [
        ("12,9,3", "hit"),
        ("12,11,2", "stay"),
        ("12,11,3", "stay"),
        ("12,x2", "hit"),
        ("12,x2,+2", "stay"),
        ("+2", "hit"),
    ],
)
def test_points_stays_at_so_many_or_more(hand: str, answer: str) -> None:
    for second in ("", ",second"):  # it takes no notice of a Second Chance
        assert turn("points:25", f"0:{hand}{second}/0:1 turn@0") == answer


def test_points_of_nought_always_stays() -> None:
    assert turn("points:0", "0:x2/0:1 turn@0") == "stay"


@pytest.mark.parametrize(("hand", "answer"), [("0,1", "hit"), ("0,1,2", "stay"), ("12,11,+10,+8,x2,flip3", "hit")])
def test_cards_counts_numbers_only(hand: str, answer: str) -> None:
    for second in ("", ",second"):
        assert turn("cards:3", f"0:{hand}{second}/0:4 turn@0") == answer


@pytest.mark.parametrize(
    ("name", "draw", "answer"),
    [
        ("bust:0.25", counts(n12=1, n11=3), "hit"),  # exactly a quarter is not more
        ("bust:25%", counts(n12=1, n11=3), "hit"),
        ("bust:0.25", counts(n12=1, n11=2), "stay"),
        ("bust:0.249999999", counts(n12=1, n11=3), "stay"),
        ("bust:0", counts(n11=3), "hit"),
        ("bust:0", counts(n12=1, n11=90), "stay"),
        ("bust:1", counts(n12=3), "hit"),
        ("bust:0.5", counts(n12=1, n5=1, n11=1, freeze=1), "hit"),
        ("bust:0.5", counts(n12=2, n5=1, n11=1, freeze=1), "stay"),
        ("bust:0.333333333", counts(n12=1, n11=2), "stay"),  # a third is a little more
    ],
)
def test_bust_stays_when_the_chance_is_more_than_that(name: str, draw: str, answer: str) -> None:
    assert turn(name, f"0:12,5/0:1 turn@0 {draw}") == answer


def test_bust_with_a_second_chance_hits_whatever_comes() -> None:
    assert turn("bust:0", f"0:12,second/0:1 turn@0 {counts(n12=9)}") == "hit"


def test_bust_counts_the_discard_pile_when_the_draw_pile_is_empty() -> None:
    empty, full = counts(), counts(n12=1, n11=1).replace("draw", "discard")
    assert turn("bust:0.5", f"0:12/0:1 turn@0 {empty} {full}") == "hit"
    assert turn("bust:0.4", f"0:12/0:1 turn@0 {empty} {full}") == "stay"


def after_one_card(table: Table) -> Fraction:
    """The points of the seat that is asked, on average over the very cards it may get, by the rules themselves."""
    asked = table.copy()
    seat = asked.seat
    ask_for_card(asked)
    await_card(asked)
    total = 0
    for card in range(FACES):
        if asked.draw[card]:
            future = asked.copy()
            turn_up(future, card)
            total += asked.draw[card] * points(future, seat)
    return Fraction(total, asked.draw_left)


def card_will_come(table: Table) -> bool:
    return table.draw_left > 0 or (table.discard_left > 0 and table.idle < IDLE_RESHUFFLES)


def test_ev_hits_when_one_more_card_is_better_on_average() -> None:
    answers: Counter[str] = Counter()
    ev = get("ev")
    for game in random_games(1, GAMES):
        table = game.table
        if game.decision is None or game.decision.kind != "turn" or not card_will_come(table):
            continue
        answer = ev.turn(game.position)
        assert answer == ("hit" if after_one_card(table) > points(table, table.seat) else "stay")
        answers[answer] += 1
    assert min(answers["hit"], answers["stay"]) > 100


@pytest.mark.parametrize(
    ("hand", "draw", "answer"),
    [
        ("10", counts(n10=1, n9=1), "stay"),  # 19 / 2 is less than 10
        ("10", counts(n10=1, n11=1), "hit"),  # 21 / 2 is more
        ("10", counts(n10=1, p10=1), "stay"),  # 20 / 2 is not
        ("10,second", counts(n10=5, p2=1), "hit"),  # nothing can happen
        ("10,second", counts(n10=5), "stay"),  # nothing can be won
        ("12,11", counts(n12=1, x2=1), "stay"),  # 46 / 2
        ("12,11,+2", counts(n12=1, x2=1), "stay"),  # 48 / 2
        ("12,11", counts(n12=1, x2=2), "hit"),
        ("12,11,10,9,8,7", counts(n12=1, n1=2), "stay"),  # 2 / 3 of 73 is less than 57
        ("12,11,10,9,8,7", counts(n12=1, n1=4), "hit"),  # 4 / 5 of 73 is more: the bonus decides
        ("12", counts(freeze=3), "stay"),
    ],
)
def test_ev_by_hand(hand: str, draw: str, answer: str) -> None:
    assert turn("ev", f"0:{hand}/0:4 turn@0 {draw}") == answer


PLAIN = ("hit", "points:25", "cards:4", "bust:0.25")


def plain_answer(table: Table) -> int:
    """What the plain strategies are said to do, in other words: the best of all who may get it, first come first."""
    others = [(table.seat + step) % table.seats for step in range(1, table.seats)]
    active = [seat for seat in others if table.status[seat] == ACTIVE]
    if table.card == 19:
        return max(active, key=lambda seat: table.totals[seat] + points(table, seat))
    if table.card == 20:
        return max(active, key=lambda seat: sum(1 for n in table.hands[seat][:13] if n))
    return min((seat for seat in active if not table.hands[seat][21]), key=lambda seat: table.totals[seat])


def test_plain_targets_are_what_they_are_said_to_be() -> None:
    seen: Counter[int] = Counter()
    for game in random_games(2, 2 * GAMES):
        if game.decision is not None and game.decision.kind == "target":
            for name in PLAIN:
                assert get(name).target(game.position) == plain_answer(game.table)
            seen[game.table.card] += 1
    assert seen[19] > 100
    assert seen[20] > 100
    assert seen[21] > 10


@pytest.mark.parametrize("name", PLAIN)
@pytest.mark.parametrize(
    ("position", "seat"),
    [
        ("0:1/50:2/49:3/0:4 target@0:freeze aside=freeze", 1),  # 52 and 52: the first after seat 0
        ("0:1/50:2/49:4/0:4 target@0:freeze aside=freeze", 2),
        ("90:1/0:9/0:9/0:9 target@2:freeze aside=freeze", 0),
        ("0:9/0:9/0:9/0:9 target@2:freeze aside=freeze", 3),  # all alike: the first after one's own
        ("0:9/0:9/0:9/0s:9 target@2:freeze aside=freeze", 0),
        ("0:9/99b:7,7/0:8/0:8 target@0:freeze aside=freeze", 2),
        ("0:1/0:2,3/0:9,8/0:4 target@0:flip3 aside=flip3", 1),
        ("0:1/0:2,3/0:9,8/0:4 target@1:flip3 aside=flip3", 2),
        ("0:5,6,7,8/0:2/0:+10,x2,second/0:4 target@0:flip3 aside=flip3", 1),  # only numbers count, never oneself
        ("0:1,second/7:2/5:3/5:4 target@0:second", 2),
        ("0:1,second/7:2/5:3,second/5:4 target@0:second", 3),
        ("0:1,second/0b:2,2/5:3/5:4 target@0:second", 2),
        ("5:1/5:2/9:3,second/1f:4 target@2:second", 0),
    ],
)
def test_plain_targets_by_hand(name: str, position: str, seat: int) -> None:
    assert target(name, position) == seat


def test_ev_gives_itself_a_flip_three_that_cannot_hurt() -> None:
    safe = counts(n1=1, n2=1, n3=1, n4=1, n5=1, p10=1)
    assert target("ev", f"0:12/0:11/0:10 target@0:flip3 aside=flip3 {safe}") == 0


def test_ev_gives_a_flip_three_that_will_hurt_to_who_has_most_to_lose() -> None:
    deadly = counts(n12=9, n11=1)
    assert target("ev", f"0:12/0:12,10,9/0:12 target@0:flip3 aside=flip3 {deadly}") == 1


def thoughtful_answer(game: Game) -> int:
    """What `ev` is said to weigh, in other words: exact fractions of what one card does, and the value of three."""
    table, me = game.table, game.table.seat
    worth: dict[int, Fraction] = {}
    for seat in ((me + step) % table.seats for step in range(1, table.seats)):
        if table.status[seat] != ACTIVE:
            continue
        now, total = points(table, seat), table.totals[seat]
        best = max(Fraction(now), Fraction(odds(game, seat).value))
        if table.card == 19:
            worth[seat] = max(best, Fraction(20)) - now + Fraction(3, 10) * total
        else:
            nearness = Fraction(4 * (total + now) + table.target, 5 * table.target)
            worth[seat] = (best - Fraction(three_value(table, seat))) * nearness
    if table.card == 20:
        own = Fraction(three_value(table, me)) - points(table, me)
        if own >= max(worth.values()):
            return me
    return max(worth, key=lambda seat: worth[seat])


def test_ev_weighs_what_a_card_costs_each_opponent_and_how_far_they_are() -> None:
    seen: Counter[tuple[int, bool]] = Counter()
    ev = get("ev")
    for game in random_games(4, 4 * GAMES):
        table = game.table
        if game.decision is None or game.decision.kind != "target" or table.card == 21 or not table.draw_left:
            continue
        answer = thoughtful_answer(game)
        assert ev.target(game.position) == answer, game.position
        seen[table.card, answer == plain_answer(table)] += 1
    assert min(seen.values()) > 20  # and it is not what the plain strategies do
    assert len(seen) == 4


def test_ev_freezes_somebody_else_and_helps_who_is_last() -> None:
    seen: Counter[int] = Counter()
    ev = get("ev")
    for game in random_games(3, GAMES):
        ask = game.decision
        if ask is not None and ask.kind == "target":
            seat = ev.target(game.position)
            assert seat in ask.options
            seen[game.table.card] += 1
            if game.table.card != 20:
                assert seat != ask.seat
            if game.table.card == 21:
                assert seat == plain_answer(game.table)
    assert min(seen.values()) > 5


def test_random_answers_everything_that_is_legal_about_equally_often() -> None:
    random = get("random")
    asked = Position("0:1/0:2 turn@0")
    turns = Counter(random.turn(asked) for _ in range(2_000))
    assert 850 < turns["hit"] < 1_150
    spare = Position("0:1,second/0:2/0:3,second/0:4/0s:5/0:6 target@0:second")
    takers = Counter(random.target(spare) for _ in range(3_000))
    assert set(takers) == {1, 3, 5}
    assert min(takers.values()) > 850
