"""`odds` against the rules themselves: every card that can come is turned up on a copy."""

from __future__ import annotations

from random import Random

import pytest

from flip7 import Card, Game, NotationError, Position, Rules, flip_three_bust, odds
from flip7.rules.agenda import await_card, may_get
from flip7.rules.cards import CARDS, FACES, FLIP3
from flip7.rules.chance import busting_cards, twins
from flip7.rules.inputs import give, reveal
from flip7.rules.moves import ask_for_card, turn_up
from flip7.rules.scoring import FLIP7, points
from flip7.rules.table import AWAIT_CARD, BUSTED, CHOOSE_TARGET, HIT_OR_STAY, Table
from flip7.testing import at_random, scripted


def tried(table: Table) -> tuple[dict[Card, float], float, float, float] | None:
    """The chance of each card, of a bust, of a Flip 7, and the points afterwards; `None` if no card can come."""
    asked = table.copy()
    seat = asked.seat
    if asked.waiting == HIT_OR_STAY:
        ask_for_card(asked)
        await_card(asked)
    if asked.draw_left == 0:
        return None
    cards: dict[Card, float] = {}
    bust = flip7 = total = 0
    for card in CARDS:
        count = asked.draw[card.face]
        if count:
            future = asked.copy()
            turn_up(future, card.face)
            cards[card] = count / asked.draw_left
            bust += count * (future.status[seat] == BUSTED)
            flip7 += count * (future.different[seat] == 7)
            total += count * points(future, seat)
    left = asked.draw_left
    return cards, bust / left, flip7 / left, total / left


@pytest.mark.parametrize("seed", range(25))
def test_odds_are_what_the_next_card_does(seed: int) -> None:
    random = Random(seed)
    small = {card: random.randint(0, 3) for card in CARDS} | {Card.N12: 2}
    rules = Rules(composition=random.choice((None, small)), reshuffle=random.choice(("empty", "round")))
    game = Game(random.randint(1, 5), seed=seed, rules=rules)
    looked = 0
    for _ in range(120):
        if game.decision is None:
            break
        found = tried(game.table) if game.decision.kind == "turn" else None
        if found is not None:
            got = odds(game)
            assert (got.cards, got.bust, got.flip7, got.value) == found
            assert sum(got.cards.values()) == pytest.approx(1)
            assert got.seat == game.decision.seat
            assert got.points == game.seats[got.seat].points
            assert got.gain == pytest.approx(got.value - got.points)
            assert odds(game.position) == odds(str(game.position)) == got
            looked += 1
        game.play(at_random(game, random, stay=0.05))
    assert looked > 5


def test_a_live_game_that_waits_for_a_card() -> None:
    game = scripted(2, "7 8", "hit")
    assert game.decision is not None
    assert game.decision.kind == "card"
    got = odds(game)
    assert (got.seat, got.points, got.left) == (1, 7, 92)
    assert got.bust == 6 / 92
    assert got.flip7 == 0


def test_an_empty_draw_pile_makes_room_for_the_discard_pile() -> None:
    nothing = ".".join("0" * 22)
    discards = "0.0.0.0.0.0.0.0.0.0.0.2.3.0.0.0.0.0.0.0.0.1"
    got = odds(f"0:12/0:11 turn@0 draw={nothing} discard={discards}")
    assert got.left == 6
    assert got.cards == {Card.N11: 2 / 6, Card.N12: 3 / 6, Card.SECOND: 1 / 6}
    assert got.bust == 0.5
    assert got.value == pytest.approx((2 * 23 + 12) / 6)


def test_a_second_chance_makes_a_bust_impossible() -> None:
    got = odds("0:12,second/0:11 turn@0")
    assert got.bust == 0
    assert got.cards[Card.N12] == 11 / 91


def test_a_second_chance_does_not_take_the_twins_out_of_the_pile() -> None:
    table = scripted(1, "second 5 7", ["hit", "hit"]).table
    assert (busting_cards(table, 0), twins(table, 0)) == (0, 4 + 6)


def test_another_seat_than_the_one_that_is_asked() -> None:
    got = odds("0:12/0:11,10 turn@0", seat=1)
    assert (got.seat, got.points) == (1, 21)
    assert got.bust == (10 + 9) / 91


def test_six_numbers_and_every_new_one_is_a_flip_7() -> None:
    got = odds("0:12,11,10,9,8,7 turn@0")
    assert got.flip7 == (1 + 1 + 2 + 3 + 4 + 5 + 6) / 88
    assert got.bust == (11 + 10 + 9 + 8 + 7 + 6) / 88


@pytest.mark.parametrize("wait", ["round-over", "game-over"])
def test_when_the_round_is_over_nobody_gets_a_card(wait: str) -> None:
    with pytest.raises(ValueError, match="the round is over: nobody gets a card"):
        odds(Position(f"200s:12/0b:5,5 {wait}"))


def test_when_no_card_is_left_there_are_no_odds() -> None:
    with pytest.raises(ValueError, match="no card is left"):
        odds(f"0:12/0:11 turn@0 draw={'.'.join('0' * 22)}")


@pytest.mark.parametrize("seat", [-1, 2, 36])
def test_seats_that_are_not_there(seat: int) -> None:
    with pytest.raises(ValueError, match=f"seat {seat}: the seats are 0 to 1"):
        odds("0:12/0:11 turn@0", seat=seat)


def test_what_is_no_position() -> None:
    with pytest.raises(NotationError):
        odds("0:13 turn@0")
    for given in (None, 7, Game(2, seed=1).decision):
        for asked in (odds, flip_three_bust):
            with pytest.raises(ValueError, match="is no position: a flip7"):
                asked(given)  # type: ignore[arg-type]


def busts_by_the_rules(table: Table, seat: int, left: int = 3) -> float:
    """How often `seat` busts in its Flip Three: every card that can come is turned up on a copy, by the rules alone."""
    if table.status[seat] == BUSTED:
        return 1.0
    if left == 0 or table.different[seat] == FLIP7:
        return 0.0
    future = table.copy()
    while future.waiting == CHOOSE_TARGET:  # a spare Second Chance: who gets it makes no difference to the seat
        give(future, next(other for other in range(future.seats) if may_get(future, future.card, other)))
    if future.waiting != AWAIT_CARD:
        return 0.0  # no card can be had
    chance = 0.0
    for face in range(FACES):
        if future.draw[face]:
            after = future.copy()
            reveal(after, face)
            chance += future.draw[face] / future.draw_left * busts_by_the_rules(after, seat, left - 1)
    return chance


@pytest.mark.parametrize("seed", range(30))
def test_the_odds_of_a_flip_three_are_what_the_rules_do(seed: int) -> None:
    """Small decks, so that the pile runs out in the middle and Second Chances come twice."""
    random = Random(seed)
    numbers = {card: random.choice((0, 0, 1, 2)) for card in CARDS[: random.choice((3, 13))]}
    deck = {**numbers, Card.N12: 3, Card.PLUS4: 1, Card.FREEZE: 1, Card.FLIP3: 3, Card.SECOND: random.randint(1, 4)}
    game = Game(random.choice((2, 2, 3, 4)), seed=seed, rules=Rules(composition=deck, target=999))
    looked = 0
    while game.decision is not None and looked < 10:
        table = game.table
        if table.waiting == CHOOSE_TARGET and table.card == FLIP3 and table.aside_count == 1:
            for seat in game.decision.options:
                assert isinstance(seat, int)
                future = table.copy()
                give(future, seat)
                if future.waiting == AWAIT_CARD and future.seat == seat:
                    looked += 1
                    assert flip_three_bust(game, seat) == pytest.approx(busts_by_the_rules(future, seat), abs=1e-12)
        game.play(at_random(game, random, stay=0.05))
    assert looked


def test_a_spare_second_chance_that_nobody_can_have_comes_back_with_the_reshuffle() -> None:
    """SC-4: it is discarded, and so it is among the cards of the new pile."""
    only_a_second = ".".join(["0"] * 21 + ["1"])
    twelves = ".".join(["0"] * 12 + ["2"] + ["0"] * 9)
    cards = f"draw={only_a_second} discard={twelves}"
    # The second card is a 12 (saved) or the Second Chance again (spare); after a save two of three cards are left,
    # the other 12 and the Second Chance, or one 12 alone.
    assert flip_three_bust(f"0:12,second/0:5,second turn@0 {cards}") == pytest.approx(2 / 3 * 1 / 2)
    assert flip_three_bust(f"0:12,second/0:5 turn@0 {cards}") == pytest.approx(1)
