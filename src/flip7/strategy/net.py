"""The net: what hitting gains over staying, and who gets a card, in chances to win. Written like the rules.

Two small networks answer the two questions of a turn from what everybody sees. Distances to the target are measured in
points, so that one set of weights serves every target. Sums are taken in a fixed order: both builds agree to the last
digit. The weights are in the book (`strategy.book`), the inputs and the hidden layer on the bench.
"""

from __future__ import annotations

from flip7.rules.agenda import may_get
from flip7.rules.cards import FLIP3, FREEZE, SECOND, X2
from flip7.rules.chance import busting_cards, hit_worth, pile_size, seventh_cards
from flip7.rules.scoring import points
from flip7.rules.table import ACTIVE, LEFT, NOBODY, Table
from flip7.strategy.bench import Bench
from flip7.strategy.challenge import challenge_gain
from flip7.strategy.chance import USUAL_ROUND, hit_value, three_value

TURN_INPUTS, TURN_HIDDEN = 28, 48
TARGET_INPUTS, TARGET_HIDDEN = 24, 16
TURN_NET = 0  # where its weights begin in the book
TURN_SIZE = TURN_INPUTS * TURN_HIDDEN + 2 * TURN_HIDDEN + 1
TARGET_NET = TURN_NET + TURN_SIZE
TARGET_SIZE = TARGET_INPUTS * TARGET_HIDDEN + 2 * TARGET_HIDDEN + 1

FAR = -10_000.0
SCALE = 10.0  # of what the nets say: chances are small


def clip(value: float, low: float, high: float) -> float:
    """Return the value, or the limit that it exceeds."""
    return min(max(value, low), high)


def evaluate(bench: Bench, at: int, inputs: int, hidden: int) -> float:
    """Return what the network in the book at `at` makes of the inputs: one hidden layer of rectifiers."""
    x = bench.inputs
    h = bench.hidden
    w = bench.book
    after = at + inputs * hidden
    for j in range(hidden):
        h[j] = w[after + j]
    for i in range(0, inputs, 4):  # four at a time, and in this order: the compiler makes vectors of it
        a = x[i]
        b = x[i + 1]
        c = x[i + 2]
        d = x[i + 3]
        row = at + i * hidden
        for j in range(hidden):
            h[j] = (h[j] + a * w[row + j] + b * w[row + hidden + j]) + (
                c * w[row + 2 * hidden + j] + d * w[row + 3 * hidden + j]
            )
    after += hidden
    one = w[after + hidden]
    two = 0.0
    three = 0.0
    four = 0.0
    for j in range(0, hidden, 4):
        one += max(h[j], 0.0) * w[after + j]
        two += max(h[j + 1], 0.0) * w[after + j + 1]
        three += max(h[j + 2], 0.0) * w[after + j + 2]
        four += max(h[j + 3], 0.0) * w[after + j + 3]
    return (one + two) + (three + four)


def hit_gain(table: Table, bench: Bench) -> float:
    """Return what hitting adds to the chance to win of the seat that is asked, against staying, times `SCALE`.

    A single player plays for the challenge.
    """
    if table.seats == 1:
        return challenge_gain(table, bench)
    turn_inputs(table, bench)
    return evaluate(bench, TURN_NET, TURN_INPUTS, TURN_HIDDEN)


def turn_inputs(table: Table, bench: Bench) -> None:
    """Put on the bench what the network for turns looks at, for the seat that is asked."""
    x = bench.inputs
    me = table.seat
    target = float(table.target)
    now = float(points(table, me))
    total = float(table.totals[me])
    mine = total + now
    first = FAR  # what the others will have, as far as one can tell: the best three
    second = FAR
    third = FAR
    leader = FAR  # the two highest totals
    runner_up = FAR
    out = FAR  # the best of those who are out
    playing = FAR  # the best of those who are not, if they stayed now
    others = 0.0
    active = 0.0
    above = 0.0
    for seat in range(table.seats):
        if seat != me and table.status[seat] != LEFT:
            others += 1.0
            theirs = float(table.totals[seat])
            hand = float(points(table, seat))
            if theirs > leader:
                runner_up = leader
                leader = theirs
            elif theirs > runner_up:
                runner_up = theirs
            if table.status[seat] == ACTIVE:
                active += 1.0
                playing = max(playing, theirs + hand)
                theirs += max(hand, USUAL_ROUND)
            else:
                theirs += hand
                out = max(out, theirs)
            if theirs >= mine:
                above += 1.0
            if theirs > first:
                third = second
                second = first
                first = theirs
            elif theirs > second:
                third = second
                second = theirs
            elif theirs > third:
                third = theirs
    size = float(max(pile_size(table), 1))
    reaches = mine >= target
    x[0] = float(busting_cards(table, me)) / size
    x[1] = clip((float(hit_worth(table, me)) / size - now) / 10.0, -3.0, 3.0) if pile_size(table) > 0 else 0.0
    x[2] = min(now / 30.0, 4.0)
    x[3] = clip((target - mine) / 100.0, -1.0, 3.0)
    x[4] = clip((target - total) / 100.0, -1.0, 3.0)
    x[5] = clip((mine - first) / 50.0, -3.0, 3.0)
    x[6] = clip((mine - second) / 50.0, -3.0, 3.0)
    x[7] = clip((mine - third) / 50.0, -3.0, 3.0)
    x[8] = clip((total - leader) / 100.0, -2.0, 2.0)
    x[9] = clip((total - runner_up) / 100.0, -2.0, 2.0)
    x[10] = clip((mine - out) / 50.0, -3.0, 3.0)
    x[11] = clip((mine - playing) / 50.0, -3.0, 3.0)
    x[12] = min(active / 4.0, 2.0)
    x[13] = active / max(others, 1.0)
    x[14] = float(table.different[me]) / 7.0
    x[15] = 1.0 if table.hands[me][SECOND] > 0 else 0.0
    x[16] = 1.0 if table.hands[me][X2] > 0 else 0.0
    x[17] = float(seventh_cards(table, me)) / size
    x[18] = 1.0 if reaches else 0.0
    x[19] = 1.0 if reaches and mine > first else 0.0
    x[20] = 1.0 if first >= target and first >= mine else 0.0
    x[21] = 1.0 if out >= target and out >= mine else 0.0
    x[22] = float(table.sums[me]) / 50.0
    x[23] = min(size / 94.0, 2.0)
    x[24] = clip((target - first) / 100.0, -1.0, 3.0)
    x[25] = above / max(others, 1.0)
    x[26] = min((others + 1.0) / 8.0, 3.0)
    x[27] = clip((target - leader) / 100.0, -1.0, 3.0)


def best_target(table: Table, bench: Bench) -> int:
    """Return who gets the card on offer."""
    best = NOBODY
    most = 0.0
    for seat in range(int(table.seats)):  # one width of integers, so that nothing is compiled for several
        if may_get(table, table.card, seat):
            worth = target_worth(table, bench, seat)
            if best == NOBODY or worth > most:
                best = seat
                most = worth
    return best


def target_worth(table: Table, bench: Bench, seat: int) -> float:
    """Return how good it is to give the card on offer to `seat`, beside other seats, times `SCALE`."""
    target_inputs(table, bench, seat)
    return evaluate(bench, TARGET_NET, TARGET_INPUTS, TARGET_HIDDEN)


def target_inputs(table: Table, bench: Bench, seat: int) -> None:
    """Put on the bench what the network for targets looks at, for one seat that may get the card."""
    x = bench.inputs
    me = table.seat
    target = float(table.target)
    size = float(max(pile_size(table), 1))
    now = float(points(table, me))
    mine = float(table.totals[me]) + now
    hand = float(points(table, seat))
    theirs = float(table.totals[seat]) + hand
    best = FAR  # of the others, as far as one can tell
    for other in range(table.seats):
        if other != me and other != seat and table.status[other] != LEFT:
            total = float(table.totals[other])
            coming = float(points(table, other))
            total += max(coming, USUAL_ROUND) if table.status[other] == ACTIVE else coming
            best = max(best, total)
    three = three_value(table, seat) - hand if table.card == FLIP3 else 0.0
    x[0] = 1.0 if table.card == FREEZE else 0.0
    x[1] = 1.0 if table.card == FLIP3 else 0.0
    x[2] = 1.0 if seat == me else 0.0
    x[3] = min(hand / 30.0, 4.0)
    x[4] = clip((target - theirs) / 100.0, -1.0, 3.0)
    x[5] = float(table.different[seat]) / 7.0
    x[6] = 1.0 if table.hands[seat][SECOND] > 0 else 0.0
    x[7] = clip(three / 20.0, -3.0, 3.0)
    x[8] = clip((hit_value(table, seat) - hand) / 10.0, -3.0, 3.0)
    x[9] = float(busting_cards(table, seat)) / size
    x[10] = min(now / 30.0, 4.0)
    x[11] = clip((target - mine) / 100.0, -1.0, 3.0)
    x[12] = clip((theirs - mine) / 50.0, -3.0, 3.0)
    x[13] = clip((mine - best) / 50.0, -3.0, 3.0)
    x[14] = clip((theirs - best) / 50.0, -3.0, 3.0)
    x[15] = 1.0 if theirs >= target else 0.0
    x[16] = 1.0 if theirs > mine and theirs > best else 0.0
    x[17] = min(float(table.active) / 4.0, 3.0)
    x[18] = float(busting_cards(table, me)) / size
    x[19] = 1.0 if table.hands[me][SECOND] > 0 else 0.0
    x[20] = float(table.different[me]) / 7.0
    x[21] = clip((target - best) / 100.0, -1.0, 3.0)
    x[22] = 1.0 if mine >= target else 0.0
    x[23] = 1.0 if table.hands[seat][X2] > 0 else 0.0
