"""The shoe: one order for each seed, the same everywhere, fair, and nobody's business until it is dealt."""

from collections import Counter

from flip7 import Card, Game, Rules
from flip7.game.shoe import Shoe
from flip7.testing import told


def dealt(seed: int, count: int) -> str:
    shoe, table = Shoe(seed), Rules().table(3)
    return " ".join(str(list(Card)[shoe.deal(table)]) for _ in range(count))


def test_a_seed_gives_the_same_cards_on_every_machine_and_in_every_version() -> None:
    """Written down once; records everywhere depend on it."""
    assert dealt(0, 12) == "8 2 9 +4 12 3 11 11 7 8 12 4"
    assert dealt(7, 12) == "12 12 7 0 9 9 2 +4 10 5 flip3 10"
    assert dealt(2**200 + 1, 12) == "10 6 freeze 9 3 4 1 8 8 9 flip3 11"


def test_every_order_is_equally_likely() -> None:
    """The six orders of three cards in 6000 shuffles: each about 1000 times (five standard deviations are 144)."""
    rules = Rules(composition={Card("1"): 1, Card("2"): 1, Card("3"): 1})
    seen: Counter[tuple[int, ...]] = Counter()
    for seed in range(6000):
        shoe, table = Shoe(seed), rules.table(3)
        seen[tuple(shoe.deal(table) for _ in range(3))] += 1
    assert len(seen) == 6
    assert all(856 < count < 1144 for count in seen.values())


def test_a_deck_given_comes_up_first_and_the_rest_follows_the_seed() -> None:
    deck = ["12", "0", "11"]

    def first_six(seed: int) -> list[str]:
        game = Game(3, seed=seed, deck=deck)
        while len(told(game, "card_flipped")) < 6:
            assert game.decision is not None
            game.play(game.decision.options[0])
        return [str(event.card) for event in told(game, "card_flipped")][:6]

    assert first_six(9)[:3] == first_six(10)[:3] == deck
    assert first_six(9) == first_six(9) != first_six(10)


def test_a_copy_deals_the_same_cards_and_does_not_take_them_away() -> None:
    shoe, table = Shoe(5), Rules().table(3)
    shoe.deal(table)
    twin = shoe.copy()
    assert [shoe.deal(table) for _ in range(20)] == [twin.deal(table) for _ in range(20)]
