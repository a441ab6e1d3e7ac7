"""The text of a position: one line that prints and parses (docs/notation.md)."""

from __future__ import annotations

import re

from flip7.game.errors import NotationError
from flip7.game.events import cards_before
from flip7.game.options import TARGET, Rules
from flip7.game.view import pending, whole_deck
from flip7.rules.agenda import may_get
from flip7.rules.cards import CARDS, FACES, FLIP3, FREEZE, SECOND, TWELVE, Card
from flip7.rules.piles import place
from flip7.rules.scoring import FLIP7, leader, points
from flip7.rules.table import (
    ACTIONS,
    ACTIVE,
    AWAIT_CARD,
    BUSTED,
    CHOOSE_TARGET,
    COPIES,
    DEALT,
    FORCED,
    FROZEN,
    GAME_OVER,
    HIT,
    HIT_OR_STAY,
    LEFT,
    NOBODY,
    ROUND_OVER,
    SEATS,
    STAYED,
    Table,
)

VERSION = 1
MARKS = {ACTIVE: "", STAYED: "s", FROZEN: "f", BUSTED: "b", LEFT: "l"}
CAUSES = {DEALT: "deal", HIT: "hit", FORCED: "three"}
FIRST = {1: "left", 0: "dealer"}
RESHUFFLE = {0: "empty", 1: "round"}
POINTS = 100_000_000

_SEAT = re.compile(r"(\d{1,9})([sfbl]?):(-|[^:/]+)")
_WAIT = re.compile(r"(turn|card)@(\d{1,2})|target@(\d{1,2}):(\w+)|(round-over|game-over)")


def text(table: Table) -> str:
    """Write a table down. What has its usual value is left out."""
    fields = [f"flip7/{VERSION}", "/".join(_seat(table, seat) for seat in range(table.seats)), _wait(table)]
    values = {
        "dealer": str(table.dealer),
        "round": str(table.round),
        "turn": str(table.turn),
        "lap": str(table.lap),
        "flips": f"{CAUSES[table.cause]}:{table.flips_left}",
        "aside": ",".join(_aside(table, i) for i in range(table.aside_count)),
        "stack": ",".join(_stacked(table, i) for i in reversed(range(table.stack_count))),
        "idle": str(table.idle),
        "playoffs": str(table.playoffs),
        "target": str(table.target),
        "first": FIRST[table.first],
        "reshuffle": RESHUFFLE[table.reshuffle],
        "draw": _counts(table.draw),
        "discard": _counts(table.discard),
    }
    over = table.waiting in (ROUND_OVER, GAME_OVER)  # then the text names no seat
    usual = {**_usual(0 if over else table.seat), "draw": "", "discard": _counts([0] * FACES)}
    fields += [f"{name}={value}" for name, value in values.items() if value != usual[name]]
    return " ".join(fields)


def _usual(seat: int) -> dict[str, str]:
    """Return what a field means when it is left out."""
    return {
        "dealer": "0",
        "round": "1",
        "turn": str(seat),
        "lap": "2",
        "flips": "hit:0",
        "aside": "",
        "stack": "",
        "idle": "0",
        "playoffs": "0",
        "target": "200",
        "first": "left",
        "reshuffle": "empty",
    }


def _seat(table: Table, seat: int) -> str:
    hand = ",".join(cards_before(table, seat)) or "-"
    return f"{table.totals[seat]}{MARKS[table.status[seat]]}:{hand}"


def _wait(table: Table) -> str:
    if table.waiting == HIT_OR_STAY:
        return f"turn@{table.seat}"
    if table.waiting == AWAIT_CARD:
        return f"card@{table.seat}"
    if table.waiting == CHOOSE_TARGET:
        return f"target@{table.seat}:{CARDS[table.card]}"
    return "game-over" if table.waiting == GAME_OVER else "round-over"


def _aside(table: Table, i: int) -> str:
    card = str(CARDS[table.aside[i]])
    return f"{card}>{table.given[i]}" if i < table.handed else card


def _stacked(table: Table, i: int) -> str:
    return f"{CARDS[table.stack_card[i]]}>{table.stack_seat[i]}"


def _counts(counts: list[int]) -> str:
    return ".".join(map(str, counts))


def parse(line: str) -> Table:
    """Read a position. Raises `NotationError`, which names the part that is wrong."""
    if not isinstance(line, str):
        raise NotationError(f"a position is text, not {type(line).__name__}")
    words = line.split()
    if words and words[0].startswith("flip7/"):
        version = words.pop(0).removeprefix("flip7/")
        if version != str(VERSION):
            raise NotationError(f"version {version!r}: this program reads positions up to version {VERSION}")
    if len(words) < 2:
        raise NotationError("a position needs its seats and what it waits for, such as '0:12,9/0:5 turn@0'")
    hands = words[0].split("/")
    if not 1 <= len(hands) <= SEATS:
        raise NotationError(f"{len(hands)} seats: 1 to {SEATS} can play")
    table = Table(len(hands))
    table.card = table.winner = NOBODY
    table.shuffles = 1
    for seat, hand in enumerate(hands):
        _read_seat(table, seat, hand)
    _read_wait(table, words[1])
    _read_fields(table, words[2:])
    _check(table)
    return table


def _read_seat(table: Table, seat: int, hand: str) -> None:
    match = _SEAT.fullmatch(hand)
    if not match:
        raise NotationError(f"seat {seat}: {hand!r} is not TOTAL:CARDS, such as 34:12,9,x2 or 0:-")
    total, mark, cards = match.groups()
    table.totals[seat] = _number(f"seat {seat}: the total", total, POINTS)
    table.status[seat] = next(status for status, known in MARKS.items() if known == mark)
    for text_ in () if cards == "-" else cards.split(","):
        card = _card(f"seat {seat}", text_)
        twins = table.hands[seat][card.face]
        if card.face <= TWELVE and (twins == 2 or (twins == 1 and (mark not in ("b", "l") or _has_pair(table, seat)))):
            raise NotationError(f"seat {seat}: a second {card} busts, so it can only be the last of a busted seat (b)")
        if card.face <= TWELVE and (_has_pair(table, seat) or table.different[seat] == FLIP7):
            raise NotationError(f"seat {seat}: no number can follow a bust or a Flip 7, but {card} does")
        if card.face == SECOND and twins:
            raise NotationError(f"seat {seat}: nobody has two Second Chances (SC-4)")
        if table.held[seat] == COPIES:
            raise NotationError(f"seat {seat}: more than {COPIES} cards")
        place(table, seat, card.face)
    if mark == "b" and not _has_pair(table, seat):
        raise NotationError(f"seat {seat}: busted (b) without two equal numbers")
    table.active += mark == ""


def _has_pair(table: Table, seat: int) -> bool:
    return max(table.hands[seat][: TWELVE + 1]) == 2


def _read_wait(table: Table, word: str) -> None:
    match = _WAIT.fullmatch(word)
    if not match:
        raise NotationError(f"{word!r}: what it waits for is turn@SEAT, target@SEAT:CARD, card@SEAT or round-over")
    kind, seat, chooser, card, over = match.groups()
    if over:
        table.waiting = GAME_OVER if over == "game-over" else ROUND_OVER
        return
    table.seat = _number(f"{word}: the seat", seat or chooser, table.seats - 1)
    if table.status[table.seat] != ACTIVE:
        raise NotationError(f"{word}: seat {table.seat} is not active")
    if kind == "turn":
        table.waiting = HIT_OR_STAY
        if not table.held[table.seat]:
            raise NotationError(f"{word}: seat {table.seat} has no card, so it is not asked (TURN-2)")
    elif kind == "card":
        table.waiting = AWAIT_CARD
    else:
        table.waiting = CHOOSE_TARGET
        table.card = _card(word, card).face
        if table.card < FREEZE:
            raise NotationError(f"{word}: only freeze, flip3 and second are given to somebody")


def _read_fields(table: Table, words: list[str]) -> None:
    values = _usual(table.seat)
    if table.waiting == AWAIT_CARD:
        values["flips"] = "hit:1"
    if table.waiting == CHOOSE_TARGET and table.card != SECOND:
        values["aside"] = str(CARDS[table.card])
    given: set[str] = set()
    for word in words:
        name, equals, value = word.partition("=")
        if not equals or name not in {*values, "draw", "discard"} or name in given:
            raise NotationError(
                f"{word!r}: not a field, or there twice; the fields are {', '.join(values)}, draw, discard"
            )
        given.add(name)
        values[name] = value
    table.dealer = _number("dealer", values["dealer"], table.seats - 1)
    table.round = _number("round", values["round"], POINTS)
    table.turn = _number("turn", values["turn"], table.seats - 1)
    table.lap = _number("lap", values["lap"], POINTS)
    table.idle = _number("idle", values["idle"], 10)
    table.playoffs = _number("playoffs", values["playoffs"], POINTS)
    table.target = _number("target", values["target"], TARGET, 1)
    table.first = _word("first", values["first"], FIRST)
    table.reshuffle = _word("reshuffle", values["reshuffle"], RESHUFFLE)
    table.opener = (table.dealer + table.first) % table.seats
    cause, _, left = values["flips"].partition(":")
    table.cause = _word("flips", cause, CAUSES)
    table.flips_left = _number("flips", left, 3 if cause == "three" else 1)
    _read_agenda(table, values["aside"], values["stack"])
    _read_piles(table, values.get("draw"), values.get("discard"))


def _read_agenda(table: Table, aside: str, stack: str) -> None:
    for word in aside.split(",") if aside else []:
        card, arrow, seat = word.partition(">")
        if table.aside_count == 3:
            raise NotationError(f"aside={aside}: at most three cards are set aside")
        if arrow:
            if table.handed != table.aside_count:
                raise NotationError(f"aside={aside}: cards are handed out in order (F3-4)")
            table.given[table.aside_count] = _number(f"aside={aside}", seat, table.seats - 1)
            table.handed += 1
        table.aside[table.aside_count] = _action(f"aside={aside}", card)
        table.aside_count += 1
    for word in reversed(stack.split(",")) if stack else []:
        card, _, seat = word.partition(">")
        if table.stack_count == ACTIONS:
            raise NotationError(f"stack: at most {ACTIONS} cards")
        table.stack_card[table.stack_count] = _action(f"stack={stack}", card)
        table.stack_seat[table.stack_count] = _number(f"stack={stack}", seat, table.seats - 1)
        table.stack_count += 1


def _read_piles(table: Table, draw: str | None, discard: str | None) -> None:
    table.discard = _read_counts("discard", discard) if discard is not None else [0] * FACES
    if draw is not None:
        table.draw = _read_counts("draw", draw)
    else:
        rest = list(Rules().deck_for(table.seats).values())
        for card in (*pending(table), *(card for seat in range(table.seats) for card in cards_before(table, seat))):
            rest[card.face] -= 1
        table.draw = [n - m for n, m in zip(rest, table.discard, strict=True)]
        short = [str(CARDS[face]) for face in range(FACES) if table.draw[face] < 0]
        if short:
            raise NotationError(f"more {', '.join(short)} than the deck has; for another deck, give draw=")
    table.draw_left = sum(table.draw)
    table.discard_left = sum(table.discard)
    deck = whole_deck(table)
    if max(deck) > COPIES:
        raise NotationError(f"{max(deck)} copies of {CARDS[deck.index(max(deck))]}: at most {COPIES}")
    if deck[FREEZE] + deck[FLIP3] > ACTIONS:
        raise NotationError(f"{deck[FREEZE] + deck[FLIP3]} freeze and flip3 cards: at most {ACTIONS}")


def _check(table: Table) -> None:
    """Refuse what no game can come to, where it would make the rules stumble."""
    seven = [seat for seat in range(table.seats) if table.different[seat] == FLIP7 and table.status[seat] < BUSTED]
    running = table.waiting not in (ROUND_OVER, GAME_OVER)
    if running and seven:
        raise NotationError(f"seat {seven[0]} has a Flip 7, so the round is over (NUM-3)")
    if table.waiting == AWAIT_CARD and (table.flips_left == 0 or table.draw_left == 0):
        raise NotationError("card@: no card is due, or none is left to draw")
    if table.waiting == HIT_OR_STAY and (table.flips_left or table.aside_count or table.stack_count):
        raise NotationError("turn@: nobody is asked while anything is pending (TURN-3)")
    if table.waiting == HIT_OR_STAY and table.turn != table.seat:
        raise NotationError("turn@: the seat that is asked has the turn")
    if table.waiting == CHOOSE_TARGET and table.card != SECOND:
        if table.flips_left or table.handed == table.aside_count or table.aside[table.handed] != table.card:
            raise NotationError("target@: the card on offer is not the first of those set aside")
    elif table.handed:
        raise NotationError("aside: nothing is handed out before the flips are over (F3-4)")
    if table.waiting == CHOOSE_TARGET and table.card == SECOND and not table.hands[table.seat][SECOND]:
        raise NotationError("target@: a seat without a Second Chance keeps it (SC-1)")
    if table.waiting == CHOOSE_TARGET and sum(may_get(table, table.card, seat) for seat in range(table.seats)) < 2:
        raise NotationError("target@: with fewer than two possible targets nobody is asked (CHOICE-1)")
    if table.aside_count + table.flips_left > 3 or (table.cause != FORCED and table.aside_count + table.flips_left > 1):
        raise NotationError("flips, aside: more cards than the seat was to turn up")
    if not running and (table.flips_left or table.aside_count or table.stack_count):
        raise NotationError("nothing is pending when a round is over")
    if table.waiting == GAME_OVER:
        table.winner = leader(table)
        if table.winner == NOBODY or max(table.totals) < table.target:
            raise NotationError("game-over: nobody alone has the most points, or the target is not reached")
    if not running:
        for seat in range(table.seats):
            table.scores[seat] = points(table, seat)


def _card(where: str, word: str) -> Card:
    try:
        return Card(word)
    except ValueError as error:
        raise NotationError(f"{where}: {error}") from None


def _action(where: str, word: str) -> int:
    card = _card(where, word)
    if card.face not in (FREEZE, FLIP3):
        raise NotationError(f"{where}: {card} is neither freeze nor flip3")
    return card.face


def _number(where: str, word: str, most: int, least: int = 0) -> int:
    if not re.fullmatch(r"\d{1,9}", word, re.ASCII) or not least <= int(word) <= most:
        raise NotationError(f"{where}: {word!r} is not a number from {least} to {most}")
    return int(word)


def _word(where: str, word: str, words: dict[int, str]) -> int:
    for value, known in words.items():
        if word == known:
            return value
    raise NotationError(f"{where}: {word!r} is none of {', '.join(words.values())}")


def _read_counts(name: str, word: str) -> list[int]:
    counts = [_number(name, part, COPIES) for part in word.split(".")]
    if len(counts) != FACES:
        raise NotationError(f"{name}: {len(counts)} counts instead of {FACES}, one for each of {' '.join(CARDS)}")
    return counts
