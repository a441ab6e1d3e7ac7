"""What one step does to the tables of a batch. Written like the rules, on cells: both builds play the same games."""

from __future__ import annotations

from typing import Any

from flip7.envs.cells import Cell
from flip7.envs.observation import GIVE, HIT, allow, observe, places_after, row_size
from flip7.rules.agenda import advance
from flip7.rules.moves import ask_for_card, leave, open_round, pass_card, turn_up
from flip7.rules.scoring import challenge_met
from flip7.rules.table import AWAIT_CARD, CHOOSE_TARGET, GAME_OVER, HIT_OR_STAY, NOTHING
from flip7.strategy.bench import LAID_OUT, Bench
from flip7.strategy.kernel import deal_anew, draw
from flip7.strategy.random import below, start

PATIENCE = 10_000  # rounds without a question; then nobody will ever be asked
NO_FAULT = -1
UNASKED = -2
LEFT_ALONE = -(1 << 62)  # the action where a table is to be left as it is

APART = ("new_game",)  # rare: not copied into its callers, which keeps them small

# What is rewarded.
BY_WINNING, BY_POINTS, BY_NOTHING = range(3)

# What happens when a game is over: the next one begins, or the table is left as it is.
AGAIN, LEAVE = range(2)

AHEAD = 4  # a table is fetched from far memory this many tables before its turn


def begin(cells: list[Cell], seeds: list[int], streams: list[int]) -> None:
    """Put every table before its first game, each with its own streams of random numbers."""
    for i in range(len(cells)):
        start(cells[i].rng, seeds[i], 2 * streams[i])
        start(cells[i].luck, seeds[i], 2 * streams[i] + 1)
        cells[i].waiting = GAME_OVER


def new_game(cell: Cell, box: Bench, dealer: int) -> None:
    """Lay out a game with the whole deck, as it lies in the box; its first round is still to begin."""
    deal_anew(cell, box, dealer)
    for i in range(cell.draw_left):
        cell.pile[i] = box.whole[i]
    cell.marks[LAID_OUT] = box.marks[LAID_OUT]
    cell.card = NOTHING  # a game that was given up may have offered one
    cell.learner = below(cell.luck, cell.seats)
    cell.asked = 0


def answer(cell: Cell, action: int) -> None:
    """Make a legal choice."""
    if cell.waiting == CHOOSE_TARGET:
        pass_card(cell, places_after(cell, cell.seat, action - GIVE))
    elif action == HIT:
        ask_for_card(cell)
    else:
        leave(cell)


def bank(cell: Cell, earned: list[float], by: int) -> None:
    """Add what everybody has earned to their rewards, when a round is over."""
    if by == BY_POINTS and cell.round > 0:
        for seat in range(cell.seats):
            earned[seat] += cell.scores[seat]
    elif by == BY_WINNING and cell.waiting == GAME_OVER:
        if cell.seats == 1:
            earned[0] += 1.0 if challenge_met(cell.round, cell.playoffs) else 0.0  # SOLO-1
            return
        for seat in range(cell.seats):
            earned[seat] += 1.0 if seat == cell.winner else -1.0 / (cell.seats - 1)


def go_on(cell: Cell, earned: list[float], by: int) -> None:
    """Turn cards up and begin rounds until a seat is asked, or the game is over."""
    rounds = 0
    while True:
        advance(cell)  # at one place only, as everything large: this keeps the compiled loop small
        if cell.waiting == AWAIT_CARD:
            turn_up(cell, draw(cell, cell))  # type: ignore[arg-type]  # it is its own bench
        elif cell.waiting == HIT_OR_STAY or cell.waiting == CHOOSE_TARGET:
            return
        else:
            bank(cell, earned, by)
            if cell.waiting == GAME_OVER or rounds == PATIENCE:
                return
            rounds += 1
            open_round(cell)


def is_asked(cell: Cell) -> bool:
    """Return whether the table waits for a choice."""
    return cell.waiting == HIT_OR_STAY or cell.waiting == CHOOSE_TARGET


def forbidden(actions: list[int], allowed: list[int]) -> int:
    """Return the first table whose action is not allowed, or `NO_FAULT`."""
    for i in range(len(actions)):
        action = actions[i]
        if action != LEFT_ALONE and (action < 0 or action > 62 or (allowed[i] >> action) & 1 == 0):
            return i
    return NO_FAULT


def fetch(array: list[Any], first: int, count: int) -> None:
    """Say which items will be needed soon. The compiled build begins to fetch them; here nothing is far away."""


def widen(row: list[int], wide: list[float]) -> None:
    """Copy numbers into wider ones."""
    for i in range(len(row)):
        wide[i] = row[i]


def step(
    cells: list[Cell],
    boxes: list[Bench],
    actions: list[int],
    allowed: list[int],
    seats: list[int],
    finished: list[bool],
    rewards: list[list[float]],
    earned: list[float],
    winners: list[int],
    rows: list[list[int]],
    flat: list[int],
    wide: list[float],
    masks: list[list[int]],
    by: int,
    dealer: int,
    ending: int,
) -> int:
    """Make one choice at every table and go on to the next question, except where it is `LEFT_ALONE`.

    A table that waits for a game begins one. Observations are written into `rows`, of which `flat` is another view;
    where they are wanted in wider numbers (`wide` is not empty), they go there whenever `rows` is full. Rewards are
    those of the game that was going on: what the next one brings before its first question is nobody's doing.
    `earned` is room to work in.

    Returns `NO_FAULT`, a table whose action is forbidden (then nothing has happened at any), or `UNASKED`, if these
    rules never ask anybody anything.
    """
    wrong = forbidden(actions, allowed)
    if wrong != NO_FAULT:
        return wrong
    box = boxes[0]
    size = row_size(cells[0].seats)
    shown = 0
    for i in range(len(actions)):
        cell = cells[i]
        fetch(cells, i + AHEAD, 1)
        if len(wide) > 0:
            fetch(wide, i * size, size)
        else:
            fetch(flat, i * size, size)
        finished[i] = False
        winners[i] = -1
        for seat in range(cell.seats):
            earned[seat] = 0.0
        if actions[i] != LEFT_ALONE:
            answer(cell, actions[i])
        games = 0
        while True:
            if cell.waiting == GAME_OVER:
                new_game(cell, box, dealer)
            go_on(cell, earned, by if games == 0 else BY_NOTHING)
            if cell.waiting != GAME_OVER:
                break
            if games == 0:
                finished[i] = True
                winners[i] = cell.winner
            if ending == LEAVE or games == PATIENCE:
                break
            games += 1
        if not is_asked(cell) and (ending == AGAIN or not finished[i]):
            return UNASKED
        for seat in range(cell.seats):
            rewards[i][seat] = earned[seat]
        seats[i] = cell.seat
        allowed[i] = allow(cell, masks[i])
        observe(cell, cell.seat, rows[shown])
        shown += 1
        if len(wide) > 0 and (shown == len(rows) or i + 1 == len(actions)):
            widen(flat[: shown * size], wide[(i + 1 - shown) * size : (i + 1) * size])
            shown = 0
    return NO_FAULT


def look(cells: list[Cell], i: int, seat: int, row: list[int]) -> None:
    """Write down what a seat sees at a table."""
    observe(cells[i], seat, row)
