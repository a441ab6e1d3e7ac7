"""The kernel goes on from any position, the same in both builds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from flip7 import Card, Game, Rules
from flip7.compiled.build import from_record, to_records
from flip7.game.position import Position
from flip7.rules.agenda import may_get
from flip7.rules.table import AWAIT_CARD, CHOOSE_TARGET, GAME_OVER, HIT_OR_STAY, ROUND_OVER, Table
from flip7.strategy import kernel, policies
from flip7.strategy.bench import FLIPS, LAYOUT, Bench
from flip7.strategy.engine import compiled
from flip7.strategy.random import start
from flip7.strategy.registry import get
from flip7.testing import stay_at

STRATEGIES = ("points:25", "ev", "random", "bust:0.3", "cards:4")


def positions() -> Iterator[Position]:
    """Every kind of position, from real games with one to five seats and a house deck."""
    house = Rules(target=60, composition=deck("12 12 12 5 5 x2 +4 +4 second second second flip3 flip3 flip3 freeze"))
    for seats in range(1, 6):
        game = Game(seats, seed=seats, rules=house if seats % 2 else None)
        while game.decision is not None:
            game.play(stay_at(game, 30))
        yield from (step.position for step in list(game.steps(cards=True))[::7])


def deck(cards: str) -> dict[Card, int]:
    return dict(Counter(map(Card, cards.split())))


def bench_for(table: Table, *, outside: int | None = None) -> Bench:
    entries = [get(STRATEGIES[seat % len(STRATEGIES)]) for seat in range(table.seats)]
    bench = Bench(table, [entry.policy for entry in entries])  # type: ignore[attr-defined]
    if outside is not None:
        bench.policies[outside] = [policies.OUTSIDE, 0, policies.OUTSIDE, 0]
    start(bench.rng, 7, table.round)
    return bench


def test_both_builds_play_on_alike_from_every_position() -> None:
    build = compiled(range(policies.OUTSIDE + 1))["kernel"]
    waited = set()
    flips = 0
    for position in positions():
        table = position.table.copy()
        waited.add(table.waiting)
        bench = bench_for(table)
        records, benches = to_records([table]), to_records([bench], LAYOUT)
        for _ in range(20):
            kernel.step(table, 0) if table.waiting == ROUND_OVER else kernel.play_on(table, bench)
            if records[0]["waiting"] == ROUND_OVER:
                build.step(records[0], 0)
            else:
                build.play_on(records[0], benches[0])
        twin = position.table.copy()
        from_record(records[0], twin)
        assert twin.totals == table.totals
        assert twin == table
        assert benches[0]["marks"].tolist() == bench.marks
        flips += bench.marks[FLIPS]
    assert flips > 1_000
    assert waited >= {AWAIT_CARD, HIT_OR_STAY, CHOOSE_TARGET, ROUND_OVER}


def test_the_kernel_stops_where_somebody_outside_is_asked() -> None:
    """Their choices are made by `step`, and everybody else's by their policies."""
    table = Rules().table(3)
    bench = bench_for(table, outside=1)
    asked = 0
    while table.waiting != GAME_OVER:
        if table.waiting == ROUND_OVER:
            kernel.step(table, 0)
        kernel.play_on(table, bench)
        if table.waiting in (HIT_OR_STAY, CHOOSE_TARGET):
            asked += 1
            assert table.seat == 1
            takers = [seat for seat in range(3) if may_get(table, table.card, seat)] if table.card >= 0 else []
            kernel.step(table, takers[0] if takers else asked % 2)
    assert asked > 5


def test_draw_takes_every_card_of_the_pile_once() -> None:
    table = Rules(composition=deck("1 1 1 7 7 +4")).table(1)
    bench = bench_for(table)
    start(bench.rng, 3, 0)
    kernel.step(table, 0)
    assert table.waiting == AWAIT_CARD
    drawn = []
    while table.draw_left:
        drawn.append(kernel.draw(table, bench))
        table.draw_left -= 1
    assert sorted(drawn) == [1, 1, 1, 7, 7, 14]
