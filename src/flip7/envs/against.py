"""What one step does to tables where opponents answer by their policies. Written like the rules, as `stepping` is."""

from __future__ import annotations

from flip7.envs.cells import Cell
from flip7.envs.observation import allow, observe, places_after, row_size
from flip7.envs.stepping import (
    AGAIN,
    BY_NOTHING,
    LEAVE,
    LEFT_ALONE,
    NO_FAULT,
    PATIENCE,
    UNASKED,
    answer,
    forbidden,
    go_on,
    is_asked,
    new_game,
    widen,
)
from flip7.rules.moves import ask_for_card, leave, pass_card
from flip7.rules.table import CHOOSE_TARGET, GAME_OVER, HIT_OR_STAY
from flip7.strategy.bench import TARGETS, TURNS, Bench
from flip7.strategy.policies import DEEP, chosen_target, wants_card


def go_on_against(cell: Cell, bench: Bench, earned: list[float], by: int) -> None:
    """Go on, and let opponents answer by their policies, until another seat is asked or the game is over."""
    bench.rng[0] = cell.luck[0]
    for entry in range(cell.seats):
        bench.order[places_after(cell, cell.learner, entry)] = entry
    while True:
        go_on(cell, earned, by)
        policy = bench.policies[bench.order[cell.seat]]
        if cell.waiting == HIT_OR_STAY and policy[TURNS] < DEEP:
            if wants_card(cell, bench):
                ask_for_card(cell)
            else:
                leave(cell)
        elif cell.waiting == CHOOSE_TARGET and policy[TARGETS] < DEEP:
            pass_card(cell, chosen_target(cell, bench))
        else:
            break
    cell.luck[0] = bench.rng[0]


def step_against(
    cells: list[Cell],
    boxes: list[Bench],
    benches: list[Bench],
    actions: list[int],
    allowed: list[int],
    seats: list[int],
    finished: list[bool],
    rewards: list[float],
    earned: list[float],
    rows: list[list[int]],
    flat: list[int],
    wide: list[float],
    masks: list[list[int]],
    finals: list[list[int]],
    by: int,
    dealer: int,
    ending: int,
) -> int:
    """Do what `stepping.step` does, with opponents, for the learner's part: what is seen from that seat, what it earns.

    Rewards are added, from the learner's first question in a game on, and tables that are left alone keep what was
    written about them. At a game's end the learner sees it in `finals` before the next one begins. Where an opponent
    has no policy that answers at once, the seat that is asked is not the learner's. `earned` is room to work in.
    """
    wrong = forbidden(actions, allowed)
    if wrong != NO_FAULT:
        return wrong
    box = boxes[0]
    bench = benches[0]
    size = row_size(cells[0].seats)
    for i in range(len(actions)):
        cell = cells[i]
        if actions[i] != LEFT_ALONE:
            answer(cell, actions[i])
        elif cell.waiting != GAME_OVER:
            continue
        games = 0
        while True:
            if cell.waiting == GAME_OVER:
                new_game(cell, box, dealer)
            for seat in range(cell.seats):
                earned[seat] = 0.0
            go_on_against(cell, bench, earned, by if cell.asked == 1 else BY_NOTHING)
            rewards[i] += earned[cell.learner]
            if cell.waiting != GAME_OVER:
                if cell.seat == cell.learner:
                    cell.asked = 1
                break
            finished[i] = True
            if ending == LEAVE or games == PATIENCE:
                break
            if cell.asked == 1:
                observe(cell, cell.learner, finals[i])
            games += 1
        if not is_asked(cell) and (ending == AGAIN or not finished[i]):
            return UNASKED
        seats[i] = cell.seat
        allowed[i] = allow(cell, masks[i])
        if len(wide) == 0:
            observe(cell, cell.learner, rows[i])
        else:
            observe(cell, cell.learner, rows[0])
            widen(flat[:size], wide[i * size : (i + 1) * size])
    return NO_FAULT
