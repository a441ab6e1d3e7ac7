"""Deep thought: the net's judgement, corrected by rollouts to the end of the round. Written like the rules.

The net's opinion is the prior, rollouts with the same cards for every choice the evidence. Thinking stops as soon as
the better choice is clear, and does not begin where the net is sure.
"""

from __future__ import annotations

from flip7.rules.agenda import may_get
from flip7.rules.table import HIT_OR_STAY, Table
from flip7.strategy.bench import TURNS_NUMBER, Bench
from flip7.strategy.kernel import HITS, STAYS
from flip7.strategy.net import SCALE, hit_gain, target_worth
from flip7.strategy.random import start
from flip7.strategy.rollouts import HERE, THERE, choose, fingerprint, next_stream, roll_out, think_ahead

DOUBT = 0.015  # the standard deviation of the net's opinion
PRIOR = 1.0 / (DOUBT * DOUBT)  # how much it weighs: one over its variance
SURE = 6.0 * DOUBT  # a difference that needs no second thought
FIRST_LOOK, NEXT_LOOK = 16, 8  # rollouts before it is judged whether a choice is clear, and between judgements
CLEAR = 4.0  # two standard deviations, squared
APART = ("outcome", "think", "think_of_turn", "think_of_target")
CANDIDATES = 4  # seats that are thought about as targets: those that the net likes best


def think(tables: list[Table], benches: list[Bench]) -> int:
    """Return the choice of a deep thinker, for the seat that is asked."""
    table = tables[HERE]
    bench = benches[HERE]
    most = bench.policies[bench.order[table.seat]][TURNS_NUMBER]
    start(benches[THERE].rng, fingerprint(table), 0)
    if table.waiting == HIT_OR_STAY:
        return think_of_turn(tables, benches, most)
    return think_of_target(tables, benches, most)


def outcome(tables: list[Table], benches: list[Bench], choice: int, rng: int) -> float:
    """Return what one rollout makes of a choice: the chance to win of the seat that is asked."""
    mind = benches[THERE]
    think_ahead(tables, benches)
    mind.rng[0] = rng
    choose(tables[THERE], choice)
    roll_out(tables[THERE], mind, 0)
    return mind.chances[tables[HERE].seat]


def think_of_turn(tables: list[Table], benches: list[Bench], most: int) -> int:
    """Return whether to hit."""
    mind = benches[THERE]
    prior = hit_gain(tables[HERE], mind) / SCALE
    if abs(prior) > SURE:
        return HITS if prior > 0.0 else STAYS
    total = 0.0
    squares = 0.0
    mean = prior
    rng = mind.rng[0]
    for done in range(1, most + 1):
        rng = next_stream(rng)
        difference = outcome(tables, benches, HITS, rng) - outcome(tables, benches, STAYS, rng)
        total += difference
        squares += difference * difference
        if done >= FIRST_LOOK and (done - FIRST_LOOK) % NEXT_LOOK == 0:
            weight = evidence(done, total, squares)
            mean = (PRIOR * prior + weight * total / done) / (PRIOR + weight)
            if mean * mean * (PRIOR + weight) > CLEAR:
                break
    return HITS if mean > 0.0 else STAYS


def evidence(count: int, total: float, squares: float) -> float:
    """Return how much the mean of n numbers weighs: one over its variance."""
    mean = total / count
    variance = max(squares / count - mean * mean, 1e-6)
    return count / variance


def think_of_target(tables: list[Table], benches: list[Bench], most: int) -> int:
    """Return who gets the card on offer."""
    table = tables[HERE]
    mind = benches[THERE]
    best = -1
    for seat in range(int(table.seats)):
        mind.worths[seat] = target_worth(table, mind, seat) / SCALE if may_get(table, table.card, seat) else -1000.0
        mind.totals[seat] = 0.0
        mind.squares[seat] = 0.0
        if best < 0 or mind.worths[seat] > mind.worths[best]:
            best = seat
    favourite = best
    left = keep_candidates(table, mind, favourite)
    done = 0
    rng = mind.rng[0]
    while done < most and left > 0:
        rng = next_stream(rng)
        base = outcome(tables, benches, favourite, rng)
        for seat in range(int(table.seats)):
            if seat != favourite and mind.worths[seat] > -100.0:
                difference = outcome(tables, benches, seat, rng) - base
                mind.totals[seat] += difference
                mind.squares[seat] += difference * difference
        done += 1
        if done >= FIRST_LOOK and (done - FIRST_LOOK) % NEXT_LOOK == 0:
            best = favourite
            lead = 0.0
            for seat in range(table.seats):
                if seat != favourite and mind.worths[seat] > -100.0:
                    mean = opinion(mind, seat, favourite, done)
                    if mean > lead:
                        lead = mean
                        best = seat
            left = 0
            for seat in range(table.seats):
                if seat != favourite and mind.worths[seat] > -100.0:
                    weight = PRIOR + evidence(done, mind.totals[seat], mind.squares[seat])
                    behind = lead - opinion(mind, seat, favourite, done)
                    if behind * behind * weight > CLEAR and seat != best:
                        mind.worths[seat] = -1000.0
                    elif seat != best or lead * lead * weight <= CLEAR:
                        left += 1
    return best


def keep_candidates(table: Table, mind: Bench, favourite: int) -> int:
    """Strike out those who are not candidates; returns how many are left beside the favourite."""
    left = 0
    for seat in range(table.seats):
        if seat != favourite and mind.worths[seat] > -100.0:
            better = 0
            for other in range(table.seats):
                if mind.worths[other] > mind.worths[seat] or (mind.worths[other] == mind.worths[seat] and other < seat):
                    better += 1
            mind.totals[seat] = float(better)
    for seat in range(table.seats):
        if seat != favourite and mind.worths[seat] > -100.0:
            if mind.totals[seat] >= CANDIDATES or mind.worths[favourite] - mind.worths[seat] > SURE:
                mind.worths[seat] = -1000.0
            else:
                left += 1
            mind.totals[seat] = 0.0
    return left


def opinion(mind: Bench, seat: int, favourite: int, done: int) -> float:
    """Return how much better a target is than the favourite, from the net's opinion and n rollouts."""
    prior = mind.worths[seat] - mind.worths[favourite]
    weight = evidence(done, mind.totals[seat], mind.squares[seat])
    return (PRIOR * prior + weight * mind.totals[seat] / done) / (PRIOR + weight)
