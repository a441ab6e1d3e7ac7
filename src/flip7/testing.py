"""What tests of programs around Flip 7 need: scripted games, simple players, and a check of every count on a table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from random import Random

from flip7.game.events import Event
from flip7.game.game import Game
from flip7.game.options import Rules, as_card
from flip7.game.view import Choice, Decision
from flip7.rules.cards import CARDS, FACES, PLUS2, PLUS10, TWELVE, Card
from flip7.rules.table import ACTIVE


def cards(text: str | Iterable[Card | str]) -> tuple[Card, ...]:
    """Cards from their notation: `cards("7 x2 freeze")`."""
    return tuple(as_card(word) for word in (text.split() if isinstance(text, str) else text))


def choices(text: str | Iterable[Choice]) -> tuple[Choice, ...]:
    """Choices from words: `choices("hit 2 stay")`, where a number is a seat."""
    if not isinstance(text, str):
        return tuple(text)
    return tuple(int(word) if word.isdecimal() else word for word in text.split())


def scripted(
    players: int | Sequence[str],
    turned_up: str | Iterable[Card | str],
    answers: str | Iterable[Choice] = (),
    *,
    rules: Rules | None = None,
) -> Game:
    """A live game played with just these cards and answers, as far as they go.

    `turned_up` are all cards in the order in which they are turned up, those after a reshuffle included; `answers` are
    the answers to hit-or-stay questions and the targets of action cards. Raises `ValueError` when one of them is not
    possible or is left over.
    """
    game = Game(players, live=True, rules=rules)
    deck, to_answer = list(cards(turned_up)), list(choices(answers))
    deck.reverse()
    to_answer.reverse()
    while game.decision is not None:
        supply = deck if game.decision.kind == "card" else to_answer
        if not supply:
            break
        game.play(supply[-1])
        supply.pop()
    if deck or to_answer:
        left = " ".join(str(word) for word in [*reversed(deck), *reversed(to_answer)])
        raise ValueError(f"left over: {left}; {_state(game.decision)}")
    return game


def _state(ask: Decision | None) -> str:
    if ask is None:
        return "the game is over"
    return f"the game waits for {ask.kind} of seat {ask.seat}: {', '.join(map(str, ask.options))}"


def told(game: Game, kind: str) -> list[Event]:
    """The events of one kind, in order."""
    return [event for event in game.events if event.kind == kind]


def stay_at(game: Game, points: int) -> Choice:
    """The answer of a simple player: stay with n points, freeze others, flip three oneself if one may.

    The game waits on a question. A card that came up in a live game is answered with the first possible one.
    """
    ask = _question(game)
    if ask.kind == "turn":
        return "stay" if game.seats[ask.seat].points >= points else "hit"
    if ask.card == Card.FREEZE:
        return next(seat for seat in ask.options if seat != ask.seat)
    return ask.seat if ask.seat in ask.options else ask.options[0]


def at_random(game: Game, random: Random, *, stay: float = 0.3) -> Choice:
    """A random legal answer; to "hit or stay?" it is "stay" with the given probability."""
    ask = _question(game)
    if ask.kind == "turn":
        return "stay" if random.random() < stay else "hit"
    return random.choice(ask.options)


def _question(game: Game) -> Decision:
    if game.decision is None:
        raise ValueError("the game is over: it asks nothing")
    return game.decision


def check_table(game: Game) -> None:
    """Raise `AssertionError`, naming the fault, unless every card is in one place and every count agrees."""
    table = game.table
    _claim(table.draw_left == sum(table.draw), "draw_left is not the size of the draw pile")
    _claim(table.discard_left == sum(table.discard), "discard_left is not the size of the discard pile")
    _claim(table.active == table.status.count(ACTIVE), "active is not the number of active seats")
    _claim(min(*table.draw, *table.discard) >= 0, "a pile has a negative count")
    for seat, hand in enumerate(table.hands):
        numbers = [CARDS[face] for face in range(TWELVE + 1) for _ in range(hand[face])]
        different = sorted(set(numbers))
        bonuses = sum(int(CARDS[face]) * hand[face] for face in range(PLUS2, PLUS10 + 1))
        _claim(table.held[seat] == sum(hand), f"seat {seat}: held is not the number of its cards")
        _claim(table.different[seat] == len(different), f"seat {seat}: different is not the number of its numbers")
        _claim(table.sums[seat] == sum(map(int, different)), f"seat {seat}: sums is not what its numbers add up to")
        _claim(table.bonuses[seat] == bonuses, f"seat {seat}: bonuses is not what its +N cards add up to")
        _claim(sorted(game.seats[seat].line) == numbers, f"seat {seat}: its line is not its numbers")
    shown = [sum(hand[face] for hand in table.hands) for face in range(FACES)]
    _claim(table.shown == shown, "shown is not what lies in front of all seats")
    whole = Counter({card: n for card, n in game.rules.deck_for(len(game.players)).items() if n})
    found = Counter(game.draw_pile) + Counter(game.discard_pile) + Counter(game.pending)
    for place in game.seats:
        found += Counter(place.cards)
    _claim(found == whole, f"cards lost or made: {dict(whole - found)} missing, {dict(found - whole)} too many")


def _claim(true: bool, fault: str) -> None:
    if not true:
        raise AssertionError(fault)
