"""Surveys: many rollouts of every choice, with the same cards for each, added up. Written like the rules."""

from __future__ import annotations

from flip7.rules.table import GAME_OVER, ROUND_OVER, Table
from flip7.strategy.bench import Bench
from flip7.strategy.kernel import play_on
from flip7.strategy.rollouts import HERE, THERE, choose, next_round, next_stream, think_ahead
from flip7.strategy.value import win_chances

NO_CHOICE = -1  # goes on without one: the table waits for a card, or for a round

APART = ("follow",)


def follow(table: Table, bench: Bench, seat: int, rounds: int) -> int:
    """Play on over n rounds, this one included, and estimate the chances; returns the seat's score in it."""
    if table.waiting == ROUND_OVER:
        next_round(table)
    score = 0
    first = True
    while True:
        play_on(table, bench)
        if first:
            score = table.scores[seat]
            first = False
        rounds -= 1
        if rounds <= 0 or table.waiting == GAME_OVER:
            break
        next_round(table)
    win_chances(table, bench)
    return score


def survey(
    tables: list[Table],
    benches: list[Bench],
    choices: list[int],
    rounds: int,
    count: int,
    sums: list[list[float]],
    gaps: list[list[float]],
    points: list[float],
    owns: list[float],
) -> None:
    """Add n rollouts of every choice: all seats' chances to win, and for the seat that is asked its points in
    this round, the squares of its chance, and those of the gaps between its chances by any two choices: `gaps` has the
    former in its diagonal, the latter to the left of that. `owns` is room for a chance by each choice.
    """
    table = tables[HERE]
    mind = benches[THERE]
    seat = table.seat
    rng = mind.rng[0]
    for _ in range(count):
        rng = next_stream(rng)
        for number in range(len(choices)):
            think_ahead(tables, benches)
            mind.rng[0] = rng
            if choices[number] != NO_CHOICE:
                choose(tables[THERE], choices[number])
            points[number] += follow(tables[THERE], mind, seat, rounds)
            for other in range(table.seats):
                sums[number][other] += mind.chances[other]
            own = mind.chances[seat]
            owns[number] = own
            gaps[number][number] += own * own
            for other in range(number):
                gaps[number][other] += (own - owns[other]) * (own - owns[other])
    mind.rng[0] = rng
