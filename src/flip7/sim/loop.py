"""The inner loop of every simulation, written like the rules: both builds play the same games, card by card."""

from __future__ import annotations

from collections.abc import Sequence

from flip7.rules.agenda import advance, await_card
from flip7.rules.cards import FACES
from flip7.rules.moves import ask_for_card, leave, open_round, pass_card, turn_up
from flip7.rules.scoring import FLIP7
from flip7.rules.table import AWAIT_CARD, BUSTED, CHOOSE_TARGET, GAME_OVER, HIT_OR_STAY, ROUND_OVER, Table
from flip7.strategy.policies import Guest, chosen_target, wants_card
from flip7.strategy.random import below, start

# What is summed up: for all games, and for every entry.
GAMES, ROUNDS, FLIPS, PLAYOFFS, STOPPED_AT = range(5)
WINS, WINS_SQUARED, WON_ROUNDS, FLIP7S, EXCESS, EXCESS_SQUARED, SESSION_SQUARED, SESSION_ROUNDS = range(8)

HIGHEST_SCORE = 254  # of the distribution of scores; what is above is kept as excess
BUSTED_ROUND = 255  # the step of the distribution that counts busts
SPARE = 12  # cards
LONGEST_GAME = 100  # rounds; the last step of the distribution of lengths holds everything above


def deal_anew(table: Table, deck: list[int], dealer: int) -> None:
    """Clear the table for a new game with the whole deck."""
    for card in range(FACES):
        table.draw[card] = deck[card]
        table.discard[card] = 0
        table.shown[card] = 0
        for seat in range(table.seats):
            table.hands[seat][card] = 0
    table.draw_left = 0
    for card in range(FACES):
        table.draw_left += deck[card]
    table.discard_left = 0
    for seat in range(table.seats):
        table.held[seat] = 0
        table.different[seat] = 0
        table.sums[seat] = 0
        table.bonuses[seat] = 0
        table.totals[seat] = 0
    table.flips_left = 0
    table.aside_count = 0
    table.handed = 0
    table.stack_count = 0
    table.dealer = dealer
    table.round = 0
    table.playoffs = 0
    table.winner = -1
    table.shuffles = 1
    table.waiting = ROUND_OVER


def play_round(
    table: Table,
    pile: list[int],
    rng: list[int],
    kinds: list[int],
    limits: list[int],
    guests: Sequence[Guest],
) -> int:
    """Play one round; returns how many cards were turned up. The pile is the draw pile, in no order."""
    shuffles = table.shuffles
    open_round(table)
    if table.shuffles != shuffles:
        shuffles = table.shuffles
        fill(table, pile)
    stock = table.draw_left
    while True:
        advance(table)  # at one place only: this keeps the compiled loop small
        if table.waiting == HIT_OR_STAY:
            if not wants_card(table, kinds[table.seat], limits[table.seat], rng, guests):
                leave(table)
                continue
            ask_for_card(table)
            await_card(table)
        if table.waiting == AWAIT_CARD:
            if table.shuffles != shuffles:
                shuffles = table.shuffles
                stock += fill(table, pile)
            at = below(rng, table.draw_left)
            card = pile[at]
            pile[at] = pile[table.draw_left - 1]
            turn_up(table, card)
        elif table.waiting == CHOOSE_TARGET:
            pass_card(table, chosen_target(table, kinds[table.seat], limits[table.seat], rng, guests))
        else:
            return stock - table.draw_left


def fill(table: Table, pile: list[int]) -> int:
    """Lay the draw pile out, in no order; returns its size. The pile has room for `SPARE` cards more."""
    left = 0
    for card in range(FACES):
        count = table.draw[card]
        for extra in range(SPARE):  # always as many, which costs less than a loop that no processor can foresee
            pile[left + extra] = card
        for extra in range(SPARE, count):
            pile[left + extra] = card
        left += count
    return left


def note_round(table: Table, order: list[int], sums: list[list[int]], scores: list[list[int]]) -> None:
    """Add a finished round to the sums of every entry."""
    for seat in range(table.seats):
        entry = order[seat]
        score = table.scores[seat]
        step = min(score, HIGHEST_SCORE)
        if table.status[seat] == BUSTED:
            step = BUSTED_ROUND
        scores[entry][step] += 1
        if score > HIGHEST_SCORE:
            sums[entry][EXCESS] += score - HIGHEST_SCORE
            sums[entry][EXCESS_SQUARED] += score * score - HIGHEST_SCORE * HIGHEST_SCORE
        if table.different[seat] == FLIP7 and table.status[seat] != BUSTED:
            sums[entry][FLIP7S] += 1


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
    table: Table,
    pile: list[int],
    rng: list[int],
    order: list[int],
    alike: list[int],
    wins: list[int],
    deck: list[int],
    whole: list[int],
    kinds: list[int],
    limits: list[int],
    seat_kinds: list[int],
    seat_limits: list[int],
    guests: Sequence[Guest],
    totals: list[int],
    sums: list[list[int]],
    scores: list[list[int]],
    lengths: list[int],
    seed: int,
    first: int,
    count: int,
    most_rounds: int,
) -> None:
    """Play games number `first` and following, and add up what happens.

    A block of as many games as there are seats has one random seating, which moves on by one seat from game to game,
    and one stream of random numbers, which starts anew in every game: every strategy meets the same luck in each seat.
    Where a seating comes again because entries are `alike`, it gets a stream of its own. `first` is the beginning of
    a block. A game of more than `most_rounds` rounds stops it all (`STOPPED_AT`).
    """
    seats = table.seats
    dealer = table.dealer
    period = seats
    for game in range(first, first + count):
        block = game // seats
        turn = game - block * seats
        if turn == 0:
            for entry in range(seats):
                wins[entry] = 0
            start(rng, seed, block * (seats + 1))
            seat_entries(order, seats, rng)
            period = seating_period(order, seats, alike)
        else:
            turn_seats(order, seats)
        for seat in range(seats):
            seat_kinds[seat] = kinds[order[seat]]
            seat_limits[seat] = limits[order[seat]]
        start(rng, seed, block * (seats + 1) + 1 + turn // period)
        deal_anew(table, deck, dealer)
        for i in range(table.draw_left):
            pile[i] = whole[i]
        while table.waiting != GAME_OVER:
            if table.round >= most_rounds:
                totals[STOPPED_AT] = game + 1
                return
            totals[FLIPS] += play_round(table, pile, rng, seat_kinds, seat_limits, guests)
            note_round(table, order, sums, scores)
        totals[GAMES] += 1
        totals[ROUNDS] += table.round
        totals[PLAYOFFS] += table.playoffs
        lengths[min(table.round, LONGEST_GAME)] += 1
        winner = order[table.winner]
        sums[winner][WINS] += 1
        sums[winner][WON_ROUNDS] += table.round
        sums[winner][WINS_SQUARED] += 2 * wins[winner] + 1  # so that it adds up to the square of the block's wins
        wins[winner] += 1
    table.dealer = dealer


def play_rounds(
    table: Table,
    pile: list[int],
    rng: list[int],
    order: list[int],
    deck: list[int],
    whole: list[int],
    kinds: list[int],
    limits: list[int],
    guests: Sequence[Guest],
    totals: list[int],
    sums: list[list[int]],
    scores: list[list[int]],
    seed: int,
    first: int,
    count: int,
    session: int,
) -> None:
    """Play single rounds number `first` and following. After each `session` of them everything starts anew."""
    dealer = table.dealer
    so_far = 0
    for number in range(first, first + count):
        if number % session == 0:
            so_far = 0
            start(rng, seed, number)
            deal_anew(table, deck, dealer)
            for i in range(table.draw_left):
                pile[i] = whole[i]
        for seat in range(table.seats):
            table.totals[seat] = 0
        totals[FLIPS] += play_round(table, pile, rng, kinds, limits, guests)
        note_round(table, order, sums, scores)
        totals[ROUNDS] += 1
        score = table.scores[0]
        # So that they add up to the square of the session's points, and to its points times its rounds.
        sums[0][SESSION_SQUARED] += (2 * so_far + score) * score
        sums[0][SESSION_ROUNDS] += so_far + score * (number % session + 1)
        so_far += score
    table.dealer = dealer
