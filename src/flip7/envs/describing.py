"""Observations for people: what every number of a row is, and a whole row in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from flip7.envs import observation as at
from flip7.game.events import STATUSES
from flip7.rules.cards import CARDS, FACES
from flip7.rules.table import AWAIT_CARD, CHOOSE_TARGET, GAME_OVER, HIT_OR_STAY, ROUND_OVER, SEATS

OFFERED = ("none", "freeze", "flip3", "second")
WAITS = {AWAIT_CARD: "a card", HIT_OR_STAY: "hit or stay", CHOOSE_TARGET: "who gets the card"}
WAITS |= {ROUND_OVER: "the next round", GAME_OVER: "nothing: the game is over"}


class Part(NamedTuple):
    """Some numbers of a row that belong together."""

    first: int
    """Where they begin: in the row, or in the part of a seat."""
    size: int
    name: str
    meaning: str


TABLE = (
    Part(at.WAITS_FOR, 1, "waits for", ", ".join(f"{number} {word}" for number, word in sorted(WAITS.items()))),
    Part(at.ASKED, 1, "asked", "the seat that is asked, or gets the card"),
    Part(at.ON_OFFER, 1, "on offer", "the card to give away: 0 none, 1 Freeze, 2 Flip Three, 3 Second Chance"),
    Part(at.FLIPS_LEFT, 1, "flips left", "how many more cards that seat turns up"),
    Part(at.TURN, 1, "turn", "the seat whose turn it is; the next turn is that of the next active seat"),
    Part(at.DEALER, 1, "dealer", "the seat that deals this round"),
    Part(at.TARGET, 2, "target", "the total that ends the game: first number + 256 × second"),
    Part(at.ROUND, 1, "round", "the number of the round, 255 at the most"),
    Part(at.PLAYOFFS, 1, "playoffs", "how many playoff rounds there have been, 255 at the most"),
    Part(at.IDLE, 1, "idle", "reshuffles without progress in this round (DECK-4)"),
    Part(at.FIRST, 1, "first", "1 if turn order starts left of the dealer, 0 if with the dealer"),
    Part(at.RESHUFFLE, 1, "reshuffle", "1 if every round starts with the whole deck"),
    Part(at.DRAW_LEFT, 1, "draw left", "cards in the draw pile, 255 at the most"),
    Part(at.DISCARD_LEFT, 1, "discard left", "cards in the discard pile, 255 at the most"),
    Part(
        at.HANDED_OUT,
        1,
        "handed out",
        "cards handed out that come to be resolved next (66–77); what is still set aside does not count",
    ),
    Part(at.DRAW, FACES, "draw pile", "how many of each card, in the order below"),
    Part(at.DISCARD, FACES, "discard pile", "how many of each card"),
    Part(
        at.ASIDE,
        6,
        "set aside",
        "three times a card (0 none, 1 Freeze, 2 Flip Three) and 1 + the seat to which it is handed out (0: not yet)",
    ),
    Part(
        at.STACK,
        at.STACK_ROOM,
        "to resolve",
        "cards handed out, the next one first: 2 × the seat + 1 for a Freeze, + 2 for a Flip Three; 0 none",
    ),
)
"""What a row says about the table, number by number."""

SEAT = (
    Part(at.STATUS, 1, "status", ", ".join(f"{number} {word}" for number, word in sorted(STATUSES.items()))),
    Part(at.POINTS, 1, "points", "what the seat would score if the round ended now, 255 at the most"),
    Part(at.TOTAL, 2, "total", "the points of all finished rounds, 65535 at the most: first number + 256 × second"),
    Part(at.HAND, FACES, "hand", "how many of each card lie in front of it"),
)
"""What a row says about each seat, from oneself on clockwise."""


def players_of(size: int) -> int:
    """Return for how many players a row of this length is. Raises `ValueError` if it is for none."""
    players, rest = divmod(size - at.SEATS_FROM, at.SEAT_SIZE)
    if rest or not 1 <= players <= SEATS:
        wanted = f"{at.SEATS_FROM} and {at.SEAT_SIZE} for each of 1 to {SEATS} seats"
        raise ValueError(f"an observation of {size} numbers: {wanted} are needed")
    return players


def describe(observation: Any) -> str:
    """Return an observation in words: the row of one decision, as any of the environments gives it.

    Raises `ValueError` for what is no such row.
    """
    row = _read(observation)
    players = players_of(len(row))
    _check(row, players)
    return "\n".join((*_table(row, players), *_pending(row), *(_seat(row, places) for places in range(players))))


def _read(observation: Any) -> list[int]:
    try:
        numbers = list(observation)
        row = [int(number) for number in numbers]
        if all(0 <= number <= at.MOST for number in row) and row == [float(number) for number in numbers]:
            return row
    except (TypeError, ValueError, OverflowError):
        pass
    raise ValueError(f"an observation: one row of whole numbers from 0 to {at.MOST} is needed, such as observations[0]")


def _check(row: Sequence[int], players: int) -> None:
    """Raise `ValueError` for a number that stands for nothing."""
    limits = {at.WAITS_FOR: max(WAITS), at.ON_OFFER: len(OFFERED) - 1}
    limits |= dict.fromkeys(range(at.ASIDE, at.STACK, 2), OFFERED.index("flip3"))
    limits |= {at.SEATS_FROM + places * at.SEAT_SIZE + at.STATUS: max(STATUSES) for places in range(players)}
    for number, most in limits.items():
        if row[number] > most:
            raise ValueError(f"number {number} of the observation is {row[number]}: 0 to {most} is what it can be")


def _table(row: Sequence[int], players: int) -> Iterator[str]:
    asked = _who(row[at.ASKED])
    match row[at.WAITS_FOR]:
        case 1:
            question = f"hit or stay, asked of {asked}"
        case 2:
            question = f"who gets the {OFFERED[row[at.ON_OFFER]]}, asked of {asked}"
        case 0:
            question = f"a card for {asked}"
        case other:
            question = WAITS[other]
    more = f", {row[at.FLIPS_LEFT]} more to turn up" if row[at.FLIPS_LEFT] else ""
    yield f"waits for: {question}{more}"
    playoffs = f", playoff {row[at.PLAYOFFS]}" if row[at.PLAYOFFS] else ""
    order = "left of the dealer" if row[at.FIRST] else "with the dealer"
    yield (
        f"round {row[at.ROUND]}{playoffs} to {row[at.TARGET] + 256 * row[at.TARGET + 1]}, {players} players; "
        f"turn: {_who(row[at.TURN])}; dealer: {_who(row[at.DEALER])}; turn order starts {order}"
    )
    if row[at.RESHUFFLE]:
        yield "every round starts with the whole deck"
    if row[at.IDLE]:
        yield f"idle reshuffles: {row[at.IDLE]}"
    yield f"draw pile, {row[at.DRAW_LEFT]}: {_cards(row[at.DRAW : at.DISCARD])}"
    yield f"discard pile, {row[at.DISCARD_LEFT]}: {_cards(row[at.DISCARD : at.ASIDE])}"


def _pending(row: Sequence[int]) -> Iterator[str]:
    aside = [
        OFFERED[row[i]] + (f" for {_who(row[i + 1] - 1)}" if row[i + 1] else "")
        for i in range(at.ASIDE, at.STACK, 2)
        if row[i]
    ]
    if aside:
        yield f"set aside: {', '.join(aside)}"
    stack = [code - 1 for code in row[at.STACK : at.SEATS_FROM] if code]
    if stack:
        more = row[at.HANDED_OUT] - len(stack)
        cards = [f"{OFFERED[1 + code % 2]} for {_who(code // 2)}" for code in stack]
        yield f"to resolve: {', '.join(cards)}{f' and {more} more' if more else ''}"


def _seat(row: Sequence[int], places: int) -> str:
    seat = row[at.SEATS_FROM + places * at.SEAT_SIZE :]
    return (
        f"{_who(places)}: {STATUSES[seat[at.STATUS]]}, {seat[at.POINTS]} points, "
        f"total {seat[at.TOTAL] + 256 * seat[at.TOTAL + 1]}: {_cards(seat[at.HAND : at.SEAT_SIZE])}"
    )


def _who(places: int) -> str:
    return "oneself" if places == 0 else f"seat +{places}"


def _cards(counts: Sequence[int]) -> str:
    cards = [f"{count}×{card}" if count > 1 else str(card) for card, count in zip(CARDS, counts, strict=True) if count]
    return " ".join(cards) or "no cards"
