"""The strategies that have a name, as functions of a table. Written like the rules, so that both builds share them."""

from __future__ import annotations

from flip7.rules.agenda import may_get
from flip7.rules.cards import FLIP3, FREEZE
from flip7.rules.chance import busting_cards, hit_worth, pile_size
from flip7.rules.scoring import active_points, points
from flip7.rules.table import ACTIVE, NOBODY, Table
from flip7.strategy.bench import TARGETS, TARGETS_NUMBER, TURNS, TURNS_NUMBER, Bench
from flip7.strategy.chance import USUAL_ROUND, hit_value, three_value
from flip7.strategy.net import best_target, hit_gain
from flip7.strategy.random import below

# The kinds of strategy. A guest is one from outside, asked through the hooks at the end. The kernel asks none of the
# last two kinds, but stops there: one that searches deeply, and anybody outside, such as a person or a learner.
ALWAYS_HIT, AT_RANDOM, POINTS, NUMBERS, BUST, GUEST, EXPECTATION, NET, DEEP, OUTSIDE = range(10)

BY_NET = (NET, 0, NET, 0)
"""The policy of the net, for turns and for targets."""

# What a build contains. The compiled ones are made for the kinds in the lineup, which makes them quicker.
WITH_EXPECTATION = True
WITH_NET = True
WITH_DEEP = True

PARTS = 1_000_000_000  # the limit of a bust chance counts billionths
HEAD_START = 0.3  # how much a point of an opponent's total counts, against one of this round


def answers_at_once(table: Table, bench: Bench) -> bool:
    """Return whether the kernel may ask the policy of the seat that is asked."""
    if WITH_DEEP:
        return bench.policies[bench.order[table.seat]][TURNS] < DEEP
    return True


def wants_card(table: Table, bench: Bench) -> bool:
    """Return whether the seat that is asked hits, by its policy."""
    seat = table.seat
    policy = bench.policies[bench.order[seat]]
    kind = policy[TURNS]
    limit = policy[TURNS_NUMBER]
    if kind == POINTS:
        return active_points(table, seat) < limit
    if kind == BUST:
        return busting_cards(table, seat) * PARTS <= limit * pile_size(table)
    if WITH_EXPECTATION and kind == EXPECTATION:
        return hit_worth(table, seat) > active_points(table, seat) * pile_size(table)
    if WITH_NET and kind == NET:
        return hit_gain(table, bench) > 0.0
    if kind == NUMBERS:
        return table.different[seat] < limit
    if kind == AT_RANDOM:
        return below(bench.rng, 2) == 0
    if kind == GUEST:
        return guest_turn(table, limit, bench)
    return True


def chosen_target(table: Table, bench: Bench) -> int:
    """Return who gets the card on offer, by the policy of the seat that is asked."""
    policy = bench.policies[bench.order[table.seat]]
    kind = policy[TARGETS]
    if WITH_EXPECTATION and kind == EXPECTATION:
        return thoughtful_target(table)
    if WITH_NET and kind == NET:
        return best_target(table, bench)
    if kind == AT_RANDOM:
        return random_target(table, bench.rng)
    if kind == GUEST:
        return guest_target(table, policy[TARGETS_NUMBER], bench)
    return plain_target(table)


def plain_target(table: Table) -> int:
    """Freeze whoever is furthest, flip three for whoever has the most numbers, help whoever is last; never oneself."""
    best = NOBODY
    most = 0
    for step in range(1, table.seats):
        seat = table.seat + step
        if seat >= table.seats:
            seat -= table.seats
        if may_get(table, table.card, seat):
            if table.card == FREEZE:
                worth = table.totals[seat] + points(table, seat)
            elif table.card == FLIP3:
                worth = table.different[seat]
            else:
                worth = -table.totals[seat]
            if best == NOBODY or worth > most:
                best = seat
                most = worth
    return best


def thoughtful_target(table: Table) -> int:
    """Weigh what a card costs each opponent, and for a Flip Three also what it would bring oneself."""
    if table.card != FREEZE and table.card != FLIP3:
        return plain_target(table)
    me = int(table.seat)  # integers of one width: what is called need not be compiled for several
    best = NOBODY
    most = 0.0
    if table.card == FLIP3:
        best = me
        most = three_value(table, me) - points(table, me)
    for step in range(1, table.seats):
        seat = me + step
        if seat >= table.seats:
            seat -= table.seats
        if table.status[seat] == ACTIVE:
            worth = freeze_harm(table, seat) if table.card == FREEZE else three_harm(table, seat)
            if best == NOBODY or worth > most:
                best = seat
                most = worth
    return best


def freeze_harm(table: Table, seat: int) -> float:
    """Return what a Freeze takes from an opponent: the points still to come, and some of the head start they have."""
    now = float(points(table, seat))
    return max(max(now, hit_value(table, seat)), USUAL_ROUND) - now + HEAD_START * table.totals[seat]


def three_harm(table: Table, seat: int) -> float:
    """Return what a Flip Three costs an opponent on average; it counts more, the nearer they are to the target."""
    now = points(table, seat)
    cost = max(float(now), hit_value(table, seat)) - three_value(table, seat)
    return cost * (table.totals[seat] + now + table.target / 4) / (table.target + table.target / 4)


def random_target(table: Table, rng: list[int]) -> int:
    """Return any seat that may get the card, each equally likely."""
    possible = 0
    for seat in range(table.seats):
        if may_get(table, table.card, seat):
            possible += 1
    skip = below(rng, possible)
    for seat in range(table.seats):
        if may_get(table, table.card, seat):
            if skip == 0:
                return seat
            skip -= 1
    return NOBODY


def guest_turn(table: Table, which: int, bench: Bench) -> bool:
    """Ask a strategy from outside whether it hits. The compiled build puts its own way of asking here."""
    return bench.guests[which].wants_card(table)


def guest_target(table: Table, which: int, bench: Bench) -> int:
    """Ask a strategy from outside who gets the card. The compiled build puts its own way of asking here."""
    return bench.guests[which].chosen_target(table)
