"""What the nets learn from: positions of games against oneself, and what rollouts say of them. Written like the rules.

Every seat of the game in front is outside, so that the kernel stops at every question; the second bench has the policy
that answers it, and that plays the rollouts.
"""

from __future__ import annotations

from flip7.rules.agenda import may_get
from flip7.rules.moves import open_round
from flip7.rules.table import CHOOSE_TARGET, GAME_OVER, HIT_OR_STAY, ROUND_OVER, Table
from flip7.strategy.bench import TURNS, Bench
from flip7.strategy.deep import outcome
from flip7.strategy.kernel import HITS, STAYS, deal_anew, play_on
from flip7.strategy.net import SCALE, TARGET_INPUTS, TURN_INPUTS, hit_gain, target_inputs, turn_inputs
from flip7.strategy.policies import NET, chosen_target, random_target, wants_card
from flip7.strategy.random import below, start
from flip7.strategy.rollouts import HERE, THERE, choose, next_stream
from flip7.strategy.value import VALUE_INPUTS, value_inputs

ROLLOUTS = 8  # for a label
UNSURE = 1.0  # a difference in the net's opinion, times ten, below which every question is worth a label

APART = ("label_turn", "label_targets", "go_on")


def begin_game(table: Table, bench: Bench, seed: int, number: int) -> None:
    """Start a game; every third begins in the middle, with totals that lie more or less close together."""
    start(bench.rng, seed, number)
    table.target = 300 if below(bench.rng, 4) == 0 else 200
    deal_anew(table, bench, below(bench.rng, table.seats))
    if below(bench.rng, 3) == 0:
        level = below(bench.rng, table.target)
        spread = 20 + below(bench.rng, 120)
        for seat in range(table.seats):
            total = level + below(bench.rng, spread) - spread // 2
            table.totals[seat] = min(max(total, 0), table.target - 1)


def go_on(table: Table, bench: Bench) -> None:
    """Play on to the next question, or to the end of the game."""
    while True:
        play_on(table, bench)
        if table.waiting != ROUND_OVER:
            return
        open_round(table)


def label_questions(
    tables: list[Table],
    benches: list[Bench],
    turns: list[list[float]],
    turn_labels: list[float],
    targets: list[list[float]],
    target_labels: list[float],
    seed: int,
) -> int:
    """Play until the rows are full; returns how many of those for targets are used.

    One question in ten is answered at random.
    """
    table = tables[HERE]
    bench = benches[HERE]
    mind = benches[THERE]
    number = 0
    row = 0
    target_row = 0
    table.waiting = GAME_OVER
    while row < len(turn_labels):
        if table.waiting == GAME_OVER:
            begin_game(table, bench, seed, number)
            start(mind.rng, seed + 1, number)
            number += 1
        go_on(table, bench)
        if table.waiting == HIT_OR_STAY:
            if is_worth_a_label(table, mind, bench.rng):
                label_turn(tables, benches, turns, turn_labels, row)
                row += 1
            hits = wants_card(table, mind)
            if below(bench.rng, 10) == 0:
                hits = not hits
            choose(table, HITS if hits else STAYS)
        elif table.waiting == CHOOSE_TARGET:
            if below(bench.rng, 2) == 0 and target_row + table.seats <= len(target_labels):
                target_row = label_targets(tables, benches, targets, target_labels, target_row)
            seat = chosen_target(table, mind)
            if below(bench.rng, 10) == 0:
                seat = random_target(table, bench.rng)
            choose(table, seat)
    return target_row


def is_worth_a_label(table: Table, mind: Bench, rng: list[int]) -> bool:
    """Return whether to label a turn: one in four, and of those that the net finds easy one in sixteen."""
    if below(rng, 4) > 0:
        return False
    return mind.policies[0][TURNS] != NET or abs(hit_gain(table, mind)) < UNSURE or below(rng, 4) == 0


def label_turn(
    tables: list[Table], benches: list[Bench], turns: list[list[float]], labels: list[float], row: int
) -> None:
    """Write what the net sees, and what hitting gains."""
    mind = benches[THERE]
    gain = 0.0
    rng = mind.rng[0]
    for _ in range(ROLLOUTS):
        rng = next_stream(rng)
        gain += outcome(tables, benches, HITS, rng) - outcome(tables, benches, STAYS, rng)
    mind.rng[0] = rng
    turn_inputs(tables[HERE], mind)
    for i in range(TURN_INPUTS):
        turns[row][i] = mind.inputs[i]
    labels[row] = SCALE * gain / ROLLOUTS


def label_targets(
    tables: list[Table], benches: list[Bench], targets: list[list[float]], labels: list[float], row: int
) -> int:
    """Write a row for each seat that may get the card: how much better that is than the mean. Returns the next row."""
    table = tables[HERE]
    mind = benches[THERE]
    seed = mind.rng[0]
    rng = seed
    first = row
    whole = 0.0
    for seat in range(table.seats):
        if may_get(table, table.card, seat):
            worth = 0.0
            rng = seed
            for _ in range(ROLLOUTS):
                rng = next_stream(rng)
                worth += outcome(tables, benches, seat, rng)
            target_inputs(table, mind, seat)
            for i in range(TARGET_INPUTS):
                targets[row][i] = mind.inputs[i]
            labels[row] = SCALE * worth / ROLLOUTS
            whole += labels[row]
            row += 1
    mind.rng[0] = rng
    for i in range(first, row):
        labels[i] -= whole / (row - first)
    return row


def label_rounds(
    tables: list[Table], benches: list[Bench], states: list[list[list[float]]], winners: list[int], seed: int
) -> None:
    """Play whole games with the policy of the second bench, and write every finished round with who won in the end."""
    table = tables[HERE]
    mind = benches[THERE]
    number = 0
    row = 0
    while row < len(winners):
        begin_game(table, mind, seed, number)
        number += 1
        first = row
        while table.waiting != GAME_OVER:
            if row < len(winners) and table.round > 0:
                for seat in range(table.seats):
                    value_inputs(table, mind, seat)
                    for i in range(VALUE_INPUTS):
                        states[row][seat][i] = mind.inputs[i]
                row += 1
            open_round(table)
            play_on(table, mind)
        for i in range(first, row):
            winners[i] = table.winner


def count_scores(table: Table, bench: Bench, counts: list[int], games: int, rounds: int, seed: int) -> None:
    """Play n rounds of each game alone, and count the scores."""
    for number in range(games):
        start(bench.rng, seed, number)
        deal_anew(table, bench, 0)
        for _ in range(rounds):
            open_round(table)
            play_on(table, bench)
            counts[table.scores[0]] += 1
