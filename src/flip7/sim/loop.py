"""The inner loop of every simulation, written like the rules: both builds play the same games, card by card."""

from __future__ import annotations

from flip7.rules.moves import open_round
from flip7.rules.scoring import FLIP7
from flip7.rules.table import BUSTED, CHOOSE_TARGET, GAME_OVER, HIT_OR_STAY, Table
from flip7.sim.counts import (
    BUSTED_ROUND,
    EXCESS,
    EXCESS_SQUARED,
    FLIP7S,
    GAMES,
    HIGHEST_SCORE,
    LONGEST_GAME,
    PLAYOFFS,
    ROUNDS,
    SESSION_ROUNDS,
    SESSION_SQUARED,
    STOPPED_AT,
    TURNED_UP,
    WINS,
    WINS_SQUARED,
    WON_ROUNDS,
    Counts,
)
from flip7.strategy.bench import FLIPS, Bench
from flip7.strategy.deep import think
from flip7.strategy.kernel import deal_anew, play_on
from flip7.strategy.policies import WITH_DEEP
from flip7.strategy.random import below, start
from flip7.strategy.rollouts import HERE, choose


def play_round(tables: list[Table], benches: list[Bench]) -> None:
    """Play one round on the first table; the second one is for thinking."""
    table = tables[HERE]
    open_round(table)
    while True:
        play_on(table, benches[HERE])
        if not WITH_DEEP or (table.waiting != HIT_OR_STAY and table.waiting != CHOOSE_TARGET):
            return
        choose(table, think(tables, benches))


def note_round(table: Table, bench: Bench, counts: Counts) -> None:
    """Add a finished round to the sums of every entry."""
    for seat in range(table.seats):
        entry = bench.order[seat]
        score = table.scores[seat]
        step = min(score, HIGHEST_SCORE)
        if table.status[seat] == BUSTED:
            step = BUSTED_ROUND
        counts.scores[entry][step] += 1
        if score > HIGHEST_SCORE:
            counts.sums[entry][EXCESS] += score - HIGHEST_SCORE
            counts.sums[entry][EXCESS_SQUARED] += score * score - HIGHEST_SCORE * HIGHEST_SCORE
        if table.different[seat] == FLIP7 and table.status[seat] != BUSTED:
            counts.sums[entry][FLIP7S] += 1


def note_flips(bench: Bench, counts: Counts) -> None:
    """Add the cards that have been turned up since the last time."""
    counts.totals[TURNED_UP] += bench.marks[FLIPS]
    bench.marks[FLIPS] = 0


def seat_entries(order: list[int], seats: int, rng: list[int]) -> None:
    """Seat the entries in a random order."""
    for seat in range(seats):
        order[seat] = seat
    for last in range(seats - 1, 0, -1):
        other = below(rng, last + 1)
        entry = order[last]
        order[last] = order[other]
        order[other] = entry


def turn_seats(order: list[int], seats: int) -> None:
    """Everybody moves on by one seat."""
    entry = order[seats - 1]
    for seat in range(seats - 1, 0, -1):
        order[seat] = order[seat - 1]
    order[0] = entry


def seating_period(order: list[int], seats: int, alike: list[int]) -> int:
    """After how many moves the same strategies sit in the same seats again."""
    for period in range(1, seats):
        if seats % period == 0:
            again = True
            for seat in range(seats):
                other = seat + period if seat + period < seats else seat + period - seats
                if alike[order[seat]] != alike[order[other]]:
                    again = False
            if again:
                return period
    return seats


def play_games(
    tables: list[Table], benches: list[Bench], counts: Counts, seed: int, first: int, count: int, most_rounds: int
) -> None:
    """Play games number `first` and following, and add up what happens.

    A block of as many games as there are seats has one random seating, which moves on by one seat from game to game,
    and one stream of random numbers, which starts again in every game: every strategy meets the same luck in each seat.
    Where a seating comes again because entries are `alike`, it gets a stream of its own. `first` is the beginning of
    a block. A game of more than `most_rounds` rounds stops it all (`STOPPED_AT`).
    """
    table = tables[HERE]
    bench = benches[HERE]
    seats = table.seats
    dealer = table.dealer
    order = bench.order
    wins = counts.wins
    period = seats
    for game in range(first, first + count):
        block = game // seats
        turn = game - block * seats
        if turn == 0:
            for entry in range(seats):
                wins[entry] = 0
            start(bench.rng, seed, block * (seats + 1))
            seat_entries(order, seats, bench.rng)
            period = seating_period(order, seats, counts.alike)
        else:
            turn_seats(order, seats)
        start(bench.rng, seed, block * (seats + 1) + 1 + turn // period)
        deal_anew(table, bench, dealer)
        while table.waiting != GAME_OVER:
            if table.round >= most_rounds:
                counts.totals[STOPPED_AT] = game + 1
                note_flips(bench, counts)
                return
            play_round(tables, benches)
            note_round(table, bench, counts)
        counts.totals[GAMES] += 1
        counts.totals[ROUNDS] += table.round
        counts.totals[PLAYOFFS] += table.playoffs
        counts.lengths[min(table.round, LONGEST_GAME)] += 1
        winner = order[table.winner]
        counts.sums[winner][WINS] += 1
        counts.sums[winner][WON_ROUNDS] += table.round
        counts.seat_wins[winner][table.winner] += 1
        for seat in range(seats):
            counts.seat_games[order[seat]][seat] += 1
        counts.sums[winner][WINS_SQUARED] += 2 * wins[winner] + 1  # it adds up to the square of the block's wins
        wins[winner] += 1
    note_flips(bench, counts)
    table.dealer = dealer


def play_rounds(
    tables: list[Table], benches: list[Bench], counts: Counts, seed: int, first: int, count: int, session: int
) -> None:
    """Play single rounds number `first` and following. After each `session` of them everything starts again."""
    table = tables[HERE]
    bench = benches[HERE]
    dealer = table.dealer
    so_far = 0
    for number in range(first, first + count):
        if number % session == 0:
            so_far = 0
            start(bench.rng, seed, number)
            deal_anew(table, bench, dealer)
        for seat in range(table.seats):
            table.totals[seat] = 0
        play_round(tables, benches)
        note_round(table, bench, counts)
        counts.totals[ROUNDS] += 1
        score = table.scores[0]
        # So that they add up to the square of the session's points, and to its points times its rounds.
        counts.sums[0][SESSION_SQUARED] += (2 * so_far + score) * score
        counts.sums[0][SESSION_ROUNDS] += so_far + score * (number % session + 1)
        so_far += score
    note_flips(bench, counts)
    table.dealer = dealer
