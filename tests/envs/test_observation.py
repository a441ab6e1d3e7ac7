"""What an observation holds: built once more from the public position alone, as docs/envs.md words it."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import islice

import pytest

from flip7 import Card, Position, Rules
from flip7.envs.observation import observe, row_size
from flip7.game.view import Choice

# The numbers of docs/envs.md. Nothing here comes from the code that writes observations.
STATUSES = ("active", "stayed", "frozen", "busted", "left")
WAITS = {"card": 0, "turn": 1, "target": 2}
OFFERS = {None: 0, "freeze": 1, "flip3": 2, "second": 3}
TABLE, SEAT, STACK = 78, 26, 12
CARDS = (*map(str, range(13)), "+2", "+4", "+6", "+8", "+10", "x2", "freeze", "flip3", "second")
USUAL = {"turn": "", "flips": "hit:0", "aside": "", "stack": "", "idle": "0", "first": "left", "reshuffle": "empty"}
USUAL |= {"dealer": "0", "discard": ".".join("0" * len(CARDS)), "target": "200", "round": "1", "playoffs": "0"}


def fields(position: Position) -> dict[str, str]:
    """The fields of docs/notation.md, those that were left out included."""
    _, _, wait, *words = str(position).split()
    asked = wait.partition("@")[2].partition(":")[0] or "0"
    return {**USUAL, "turn": asked, "wait": wait, **dict(word.split("=") for word in words)}


def row_of(position: Position, seat: int) -> list[int]:
    """The row that `seat` sees."""
    seats, told, ask = position.seats, fields(position), position.decision

    def places(other: int | str) -> int:
        return (int(other) - seat) % len(seats)

    row = [WAITS[ask.kind] if ask else {"round-over": 3, "game-over": 4}[told["wait"]]]
    row += [places(ask.seat if ask else position.table.seat), OFFERS[ask.card if ask else None]]
    row += [int(told["flips"].split(":")[1]), places(told["turn"]), places(told["dealer"])]
    row += [position.target % 256, position.target // 256]
    row += [min(position.round, 255), min(position.playoffs, 255), int(told["idle"])]
    row += [int(told["first"] == "left"), int(told["reshuffle"] == "round")]
    row += [min(sum(pile.values()), 255) for pile in (position.draw_pile, position.discard_pile)]
    stack = [word.split(">") for word in told["stack"].split(",") if word]
    row += [len(stack)]
    for name in ("draw", "discard"):
        row += [int(count) for count in told[name].split(".")]
    aside = [word.partition(">") for word in told["aside"].split(",") if word]
    for card, _, to in [*aside, *[("", "", "")] * (3 - len(aside))]:
        row += [OFFERS[card or None], 1 + places(to) if to else 0]
    codes = [2 * places(to) + OFFERS[card] for card, to in stack[:STACK]]
    row += codes + [0] * (STACK - len(codes))
    for number in range(len(seats)):
        one = seats[(seat + number) % len(seats)]
        total = min(one.total, 65_535)
        row += [STATUSES.index(one.status), min(one.points, 255), total % 256, total // 256]
        row += [one.cards.count(Card(card)) for card in CARDS]
    return row


def position_of(row: list[int]) -> Position:
    """A position that goes on as the one whose row this is: whoever looks sits in seat 0."""

    def named(card: int) -> str:
        return next(name for name, number in OFFERS.items() if name and number == card)

    seats = []
    for at in range(TABLE, len(row), SEAT):
        counts = row[at + 4 : at + SEAT]
        cards = [card for card, count in zip(CARDS, counts, strict=True) for _ in range(min(count, 1))]
        numbers, others = cards[: sum(map(bool, counts[:13]))], cards[sum(map(bool, counts[:13])) :]
        numbers += [CARDS[number] for number in range(13) if counts[number] == 2]  # what has busted comes last
        others = [card for card in others for _ in range(counts[CARDS.index(card)])]
        status = "sfbl"[row[at] - 1 : row[at]] if row[at] else ""
        seats.append(f"{row[at + 2] + 256 * row[at + 3]}{status}:{','.join(numbers + others) or '-'}")
    wait = {0: f"card@{row[1]}", 1: f"turn@{row[1]}", 3: "round-over", 4: "game-over"}.get(row[0])
    words = ["/".join(seats), wait or f"target@{row[1]}:{named(row[2])}"]
    words += [f"flips=three:{row[3]}", f"turn={row[4]}", f"dealer={row[5]}", f"target={row[6] + 256 * row[7]}"]
    words += [f"round={row[8]}", f"playoffs={row[9]}", f"idle={row[10]}", f"first={'left' if row[11] else 'dealer'}"]
    words += [f"reshuffle={'round' if row[12] else 'empty'}"]
    words += [f"draw={'.'.join(map(str, row[16:38]))}", f"discard={'.'.join(map(str, row[38:60]))}"]
    aside = [named(row[i]) + (f">{row[i + 1] - 1}" if row[i + 1] else "") for i in range(60, 66, 2) if row[i]]
    stack = [f"{named(2 - code % 2)}>{(code - 1) // 2}" for code in row[66:TABLE] if code]
    words += [f"aside={','.join(aside)}"] * bool(aside) + [f"stack={','.join(stack)}"] * bool(stack)
    return Position(" ".join(words))


def game(start: Position, chance: random.Random, patience: float) -> Iterator[tuple[Position, Choice | None]]:
    """Positions of a random game, each with what happens next. With patience it is rarely to stay."""
    position = start
    while position.winner is None:
        ask = position.decision
        choice: Choice | None = None
        if ask is not None and ask.kind == "card":
            cards = position.chances()
            (choice,) = chance.choices(list(cards), list(cards.values()))
        elif ask is not None:
            keen = ask.kind == "turn" and chance.random() < patience
            choice = "hit" if keen else chance.choice(ask.options)
        yield position, choice
        position = position.after(choice)
    yield position, None


def dealt(players: int, **rules: object) -> Position:
    return Position.of(Rules(**rules).table(players))  # type: ignore[arg-type]


HANDED_OUT = ",".join(
    f"{card}>{seat}" for card in ("flip3", "freeze", "flip3", "flip3", "freeze") for seat in (0, 1, 2)
)
MANY_PLUS = ",".join(["+10"] * 27)
GAMES = {
    "usual": (dealt(3, target=40), 0.4, 6),
    "one": (dealt(1, target=60, first="dealer"), 0.7, 6),
    "round": (dealt(5, target=20, first="dealer", dealer=2, reshuffle="round"), 0.5, 4),
    "packed": (
        dealt(3, target=15, composition={"1": 2, "12": 2, "x2": 1, "freeze": 3, "flip3": 9, "second": 4}),
        0.8,
        8,
    ),
    "idle": (dealt(2, target=9, composition={"1": 3, "second": 2, "freeze": 1}), 0.95, 5),
    "ties": (dealt(2, target=5, composition={"5": 3, "freeze": 2}), 0.2, 9),
    "deep": (Position(f"0:12/0:1/0:3 card@1 flips=three:2 stack={HANDED_OUT} draw={'.'.join(['9'] * 22)}"), 0.5, 3),
    "large": (Position("300:5/513:7/65530:1 turn@0 target=65000 round=300 playoffs=300"), 0.2, 2),
    "rich": (Position(f"0:12,{MANY_PLUS}/5:1 turn@0 target=700 draw={'.'.join(['9'] * 22)}"), 0.5, 2),
}
"""Where games begin, how seldom anybody stays, and how many are played."""


@pytest.mark.parametrize("name", GAMES)
def test_every_number_of_a_row_is_what_the_documentation_says(name: str) -> None:
    """At every moment of random games, for every seat."""
    start, patience, games = GAMES[name]
    chance = random.Random(name)
    for _ in range(games):
        for position, _ in islice(game(start, chance, patience), 600):
            for seat in range(len(position.seats)):
                row = [0] * row_size(len(position.seats))
                observe(position.table, seat, row)
                assert row == row_of(position, seat), str(position)


def test_those_games_come_to_everything_that_a_row_can_tell() -> None:
    """Every number of the table and of a seat takes more than one value, so that none is compared with itself alone."""
    values: list[set[int]] = [set() for _ in range(TABLE + SEAT)]
    for name, (start, patience, games) in GAMES.items():
        chance = random.Random(name)
        for _ in range(games):
            for position, _ in islice(game(start, chance, patience), 600):
                for number, value in enumerate(row_of(position, 0)[: TABLE + SEAT]):
                    values[number].add(value)
    third = 65  # the last card set aside is resolved as soon as it is handed out
    assert [number for number, taken in enumerate(values) if len(taken) < 2] == [third]


@pytest.mark.parametrize("name", ["usual", "one", "round", "packed", "idle", "ties"])
def test_a_row_is_complete_a_game_can_go_on_from_it(name: str) -> None:
    """A table made from nothing but the row asks the same, shows the same, and ends in the same way."""
    start, patience, games = GAMES[name]
    chance = random.Random(f"{name} again")
    for number in range(games):
        played = list(islice(game(start, chance, patience), 300))
        for at in range(number % 20, len(played), 20):
            seat = chance.randrange(len(start.seats))
            if played[at][0].decision is None:
                continue  # between rounds nobody is asked, and the row names somebody all the same
            twin = position_of(row_of(played[at][0], seat))
            for position, choice in played[at : at + 40]:
                assert row_of(twin, 0) == row_of(position, seat)
                ask = position.decision
                assert (twin.decision is None) == (ask is None)
                if position.winner is not None:
                    assert twin.winner == (position.winner - seat) % len(start.seats)
                elif isinstance(choice, int):
                    twin = twin.after((choice - seat) % len(start.seats))
                else:
                    twin = twin.after(choice)
