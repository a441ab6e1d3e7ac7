"""The net and deep thought: what they look at, that both builds agree, and how strong they are."""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random

import pytest

from flip7 import Card, Game, Position, Rules, StrategyError, simulate
from flip7.strategy import net, policies, value
from flip7.strategy.bench import LAYOUT, Bench
from flip7.strategy.book import DATA, GROUPS, book_for, group_of
from flip7.strategy.deep import think
from flip7.strategy.engine import compiled
from flip7.strategy.registry import get
from flip7.strategy.thinking import NET, Mind


def questions(seats: int, seed: int) -> Iterator[Position]:
    """Positions of a game in which everybody answers at random."""
    chance = Random(seed)
    game = Game(seats, seed=seed)
    while game.decision is not None:
        yield game.position
        game.play(chance.choice(game.decision.options))


def test_the_data_is_small_and_of_these_sources() -> None:
    """Run `make strategies` if this fails: the nets depend on sources that have changed."""
    from flip7.strategy.training.train import SEED, sources_hash

    data = json.loads(DATA.read_text(encoding="utf-8"))
    assert DATA.stat().st_size < 200_000
    assert data["seed"] == SEED
    assert data["sources"] == sources_hash()
    assert len(data["groups"]) == len(GROUPS)


@pytest.mark.parametrize(
    ("seats", "group"), [(1, 0), (2, 0), (3, 1), (4, 2), (6, 3), (9, 4), (10, 5), (18, 5), (36, 5)]
)
def test_every_number_of_seats_has_its_weights(seats: int, group: int) -> None:
    assert group_of(seats) == group
    assert len(book_for(seats)) == value.BOOK_SIZE


@pytest.mark.parametrize("seats", [1, 2, 3, 6, 20])
def test_both_builds_agree_to_the_last_digit(seats: int) -> None:
    from flip7.compiled.build import to_records

    build = compiled((policies.DEEP,))
    for position in list(questions(seats, seats))[:60:3]:
        table = position.table
        bench = Bench(table, [NET] * seats, book_for(seats))
        records, benches = to_records([table]), to_records([bench], LAYOUT)
        if position.decision is not None and position.decision.kind == "turn":
            assert build["policies"].wants_card(records[0], benches[0]) == policies.wants_card(table, bench)
        else:
            assert build["policies"].chosen_target(records[0], benches[0]) == policies.chosen_target(table, bench)
        assert benches[0]["inputs"].tolist() == bench.inputs
        assert benches[0]["hidden"].tolist() == bench.hidden


def test_deep_thought_is_the_same_in_both_builds() -> None:
    for position in list(questions(3, 4))[:12]:
        table = position.table.copy()
        mine = Bench(table, [(policies.DEEP, 24, policies.DEEP, 24)] * 3, book_for(3))
        mind = Bench(table, [NET] * 3, book_for(3))
        answer = think([table, table.copy()], [mine, mind])
        assert Mind(position.table).think((policies.DEEP, 24, policies.DEEP, 24)) == answer


def test_the_chances_of_a_finished_round_add_up_and_know_who_leads() -> None:
    table = Rules().table(4)
    table.round, table.totals = 3, [150, 90, 90, 20]
    bench = Bench(table, [NET] * 4, book_for(4))
    value.win_chances(table, bench)
    assert sum(bench.chances) == pytest.approx(1)
    first, second, third, last = bench.chances
    assert first > 0.6 > second > last
    assert second == pytest.approx(third, abs=0.03)


def test_the_exponential_is_one() -> None:
    from math import exp

    for x in (0.0, -0.1, -1.0, -5.0):
        assert value.exponential(x) == pytest.approx(exp(x), rel=0.02)
    assert value.exponential(-5_000.0) == 0.0


@pytest.mark.parametrize(
    ("position", "choice"),
    [
        ("150:12,8/199s:12 turn@0", "hit"),  # whoever stays loses at once
        ("190:12,8/100:5 turn@0", "stay"),  # whoever stays has all but won
        ("0:3/0:5 turn@0", "hit"),
        ("0:12,11,10,9/0:5/0:4 turn@0", "stay"),
    ],
)
@pytest.mark.parametrize("name", ["net", "deep:64"])
def test_they_see_what_anybody_sees(name: str, position: str, choice: str) -> None:
    assert get(name).turn(Position(position)) == choice


@pytest.mark.parametrize("name", ["net", "deep:64"])
def test_nobody_freezes_themselves_early(name: str) -> None:
    """With one small card everything is still to come; the leader has most to lose."""
    assert get(name).target(Position("60:2/150:3/20:4 target@0:freeze")) == 1


@pytest.mark.parametrize("text", ["net:3", "deep:0", "deep:x", "deep:", "deep:-1"])
def test_what_is_no_number_of_rollouts_is_refused(text: str) -> None:
    with pytest.raises(StrategyError, match=r"no parameter|rollouts from 1 to"):
        get(text)


@pytest.mark.long
def test_the_same_games_in_both_engines() -> None:
    """Short games, since deep thought takes its time in plain Python."""
    results = [
        simulate(["net", "deep:20", "ev"], games=3, seed=2, rules=Rules(target=25), engine=engine, workers=1)
        for engine in ("compiled", "interpreted")
    ]
    assert (results[0].wins, results[0].flips, results[0].scores) == (
        results[1].wins,
        results[1].flips,
        results[1].scores,
    )


@pytest.mark.parametrize(("seats", "least"), [(2, 0.545), (3, 0.386), (4, 0.307), (6, 0.223)])
def test_the_net_beats_ev(seats: int, least: float) -> None:
    """The whole measurement is `python -m bench strength`; this one refuses what is clearly weaker."""
    result = simulate(["net", *["ev"] * (seats - 1)], games=36_000, seed=20_261_118)
    assert result.win_intervals[0][1] > least


@pytest.mark.parametrize("other", ["hit", "random", "points:20", "points:30", "cards:3", "cards:5", "bust:0.25", "ev"])
@pytest.mark.parametrize(("seats", "target"), [(2, 100), (5, 300), (8, 200)])
def test_the_net_is_no_weaker_than_any_simple_strategy(other: str, seats: int, target: int) -> None:
    result = simulate(["net", *[other] * (seats - 1)], games=4_000, seed=3, rules=Rules(target=target))
    assert result.win_intervals[0][1] > 1 / seats


@pytest.mark.parametrize(
    "rules",
    [
        Rules(target=60, composition={Card.N12: 3, Card.N5: 4, Card.FLIP3: 3, Card.SECOND: 2, Card.PLUS4: 2}),
        Rules(target=1_000_000, composition={Card.N12: 9_000, Card.PLUS10: 900}),
        Rules(target=30, decks=2),
    ],
)
def test_any_deck_and_any_target_can_be_thought_about(rules: Rules) -> None:
    game = Game(3, seed=1, rules=rules)
    for _ in range(6):
        if game.decision is None:
            break
        position = game.position
        ask = game.decision
        strategy = get("deep:8")
        game.play(strategy.turn(position) if ask.kind == "turn" else strategy.target(position))
    table = rules.table(3)
    bench = Bench(table, [NET] * 3, book_for(3))
    table.totals = [rules.target - 1, 0, 0]
    table.round = 1
    value.win_chances(table, bench)
    assert bench.chances[0] > 0.5
    assert all(abs(x) <= 6.0 for x in bench.inputs[: net.TURN_INPUTS])
