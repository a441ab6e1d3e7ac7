"""Records: a whole game as text, one line a turn, and the way back that checks every word (docs/record.md)."""

from __future__ import annotations

import json
import re
from collections import deque
from collections.abc import Callable, Iterator
from itertools import islice, takewhile
from typing import TYPE_CHECKING, Any

import msgspec

from flip7.game import events as ev
from flip7.game.errors import RecordError
from flip7.game.options import Rules
from flip7.game.promise import deck_promise, secret_hash
from flip7.game.writing import BREAK, Told, is_deviation, new_pen, words_of
from flip7.rules.cards import Card

if TYPE_CHECKING:
    from flip7.game.game import Game
    from flip7.game.view import Choice, Decision

VERSION = 2
TITLE = "flip7 record"

_WORD = re.compile(r'("(?:[^"\\]|\\.)*"|[^\s"#]+)(?=\s|#|$)\s*')
_LEAVING = re.compile(r"!leave:(0|[1-9][0-9]?)")
_NUMBER = re.compile(r"0|[1-9][0-9]{0,79}")

Words = list[str]


def write(game: Game) -> str:
    """Return the record of a game so far."""
    lines = [*_header(game), *_body(game.events), *_footer(game)]
    return "\n".join(" ".join(line) for line in lines) + "\n"


def promised(game: Game) -> str:
    """Return the lines of the header that a promise covers, all that stands before the commitment."""
    return "".join(" ".join(line) + "\n" for line in _fixed(game))


def _version(game: Game) -> int:
    """Return the version of a game's record: the first that can say all of it."""
    return 2 if game.secret or game.id or _deviates(game) else 1


def _deviates(game: Game) -> bool:
    """Return whether anything happened that the rules do not foresee, or the deal did not simply go round (KEEP-5)."""
    dealers = [event.seat for event in game.events if isinstance(event, ev.RoundStarted)]
    round_about = [(game.rules.dealer + number) % len(game.players) for number in range(len(dealers))]
    return dealers != round_about or any(is_deviation(_told(event)) for event in game.events)


def _header(game: Game) -> Iterator[Words]:
    yield from _fixed(game)
    if game.commitment:
        yield ["commitment", game.commitment]
    elif game.seed is not None:
        yield ["seed", str(game.seed)]
    else:
        yield ["live"]
    if game.deck:
        yield ["deck", *game.deck]


def _fixed(game: Game) -> Iterator[Words]:
    """Yield what is fixed before the first card, but for the promise itself."""
    yield [*TITLE.split(), str(_version(game))]
    yield ["players", *(json.dumps(name, ensure_ascii=False) for name in game.players)]
    if game.date:
        yield ["date", game.date]
    if game.place:
        yield ["place", json.dumps(game.place, ensure_ascii=False)]
    if game.id:
        yield ["game", game.id]
    yield ["rules", *_rules_words(game.rules)]
    if game.secret:
        yield ["secret", game.secret]
    if game.nonces:
        yield ["nonces", *game.nonces]


def _rules_words(rules: Rules) -> Iterator[str]:
    for name, value in msgspec.structs.asdict(rules).items():
        if name == "composition" and value is not None:
            yield "composition=" + ",".join(f"{card}:{count}" for card, count in value.items())
        elif value is not None:
            yield f"{name}={value}"


def _footer(game: Game) -> Iterator[Words]:
    if game.winner is None:
        yield ["unfinished"]
        return
    line = ["winner", str(game.winner), "rounds", str(len(game.rounds)), "playoffs", str(game.playoffs)]
    if game.challenge is not None:
        line += ["challenge", "met" if game.challenge else "missed"]
    yield line
    if game.commitment:
        yield ["revealed", "seed", str(game.seed), "salt", game.salt] if game.salt else ["unrevealed"]


def _body(events: list[ev.Event]) -> list[Words]:
    lines: list[Words] = []
    pen = new_pen()
    for event in events:
        for word in words_of(pen, _told(event)):
            if word == BREAK:
                lines.append([])
            else:
                lines[-1].append(word)
    return lines


def _told(event: ev.Event) -> Told:
    """Return an event as the words of a record need it."""
    hands = event.hands if isinstance(event, ev.RoundScored) else ()
    other = next((int(getattr(event, name)) for name in ("round", "to", "playoff", "due") if hasattr(event, name)), -1)
    return Told(
        event.kind,
        -1 if event.seat is None else event.seat,
        event.card or "",
        other,
        event.ruling or "",
        [hand.points for hand in hands],
        [hand.total for hand in hands],
    )


class _Line(msgspec.Struct):
    number: int
    words: Words


def read(game_class: type[Game], text: str) -> Game:
    """Play a record back. Raises `RecordError` at the first word that is not what the game says."""
    lines = _titled(text)
    first = next((i for i, line in enumerate(lines) if line.words[0] == "round"), len(lines))
    last = next((i for i, line in enumerate(lines) if line.words[0] in ("unfinished", "winner")), len(lines))
    header, body, footer = lines[:first], lines[first:last], lines[last:]
    end = lines[-1].number + 1
    if not footer:
        raise RecordError(end, "the record breaks off: it ends with 'winner' or 'unfinished'")
    game = _start(game_class, header, footer)
    _compare(header[1:], list(_header(game))[1:], (body or footer)[0].number)
    if header[0].words[2] != "1" and game.live:
        _seat_rounds(game, body)
    _follow(game, body, footer[0].number)
    _compare(header[:1], list(_header(game))[:1], header[0].number)
    _compare(footer, list(_footer(game)), end)
    return game


def _titled(text: str) -> list[_Line]:
    """Return the lines of a text that begins like a record; of any other nothing is read but its first line."""
    if not isinstance(text, str):
        raise RecordError(1, f"a record is text, not {type(text).__name__}")
    lines = _lines(text)
    untitled = f"a record starts with '{TITLE} {VERSION}'"
    try:
        first = next(lines, None)
    except RecordError as error:
        raise RecordError(error.line, untitled) from None
    if first is None or first.words[:2] != TITLE.split() or len(first.words) != 3:
        raise RecordError(first.number if first else 1, untitled)
    version = first.words[2]
    if not _NUMBER.fullmatch(version) or not 1 <= int(version) <= VERSION:
        raise RecordError(first.number, f"version {version}: this program reads records up to version {VERSION}")
    return [first, *lines]


def _lines(text: str) -> Iterator[_Line]:
    """Yield the lines that are not empty, in words, without comments."""
    for number, line in enumerate(text.split("\n"), 1):
        words, at, line = [], 0, line.strip()
        while at < len(line) and line[at] != "#":
            match = _WORD.match(line, at)
            if not match:
                raise RecordError(number, f"unreadable from {line[at : at + 20]!r} on")
            words.append(match[1])
            at = match.end()
        if words:
            yield _Line(number, words)


def _start(game_class: type[Game], header: list[_Line], footer: list[_Line]) -> Game:
    """Return the game that the header describes, before its first choice."""
    options: dict[str, Any] = {}
    seen: dict[str, int] = {}
    for line in header[1:]:
        key, values = line.words[0], line.words[1:]
        try:
            if key in seen:
                raise ValueError(f"{key} is there twice")
            seen[key] = line.number
            options |= _options(key, values)
        except (ValueError, KeyError) as error:
            raise RecordError(line.number, str(error)) from None
    if "players" not in options:
        raise RecordError(header[0].number, "the header names no players")
    if "promise" in options:
        options |= _revealed(options, footer)
    try:
        return game_class(**options)
    except ValueError as error:
        raise RecordError(_at_fault(game_class, options, seen), str(error)) from None


def _at_fault(game_class: type[Game], options: dict[str, Any], seen: dict[str, int]) -> int:
    """Return the header line with which a game can no longer begin; the promise comes last: it is about the others."""
    names = {"game": "id"}
    taken: dict[str, Any] = {}
    for key, number in sorted(seen.items(), key=lambda line: line[0] != "players"):  # no game begins without
        name = names.get(key, key)
        if name not in ("secret", "nonces", "commitment"):
            taken[name] = options[name]
            try:
                game_class(**taken)
            except ValueError:
                return number
    return seen.get("commitment", max(seen.values()))


def _options(key: str, values: Words) -> dict[str, Any]:
    """Return what a line of the header means for `Game`."""
    if key == "players":
        return {"players": [_string(word) for word in values]}
    if key == "rules":
        return {"rules": _read_rules(values)}
    if key in ("deck", "nonces"):
        return {key: values}
    if key == "live" and not values:
        return {"live": True}
    if len(values) == 1 and key in _SINGLE:
        name, read_word = _SINGLE[key]
        return {name: read_word(values[0])}
    raise ValueError(f"{' '.join([key, *values])!r} is no line of the header")


def _revealed(options: dict[str, Any], footer: list[_Line]) -> dict[str, Any]:
    """Return a committed game's seed and salt, checked against its header; without them the game is a live one."""
    for line in footer:
        match line.words:
            case ["revealed", "seed", number, "salt", salt]:
                try:
                    seed = _number(number)
                except ValueError as error:
                    raise RecordError(line.number, str(error)) from None
                secret = options.get("secret")
                kept = secret_hash(seed, salt) == secret if secret else deck_promise(seed, salt) == options["promise"]
                if not kept:
                    what = "secret" if secret else "commitment"
                    raise RecordError(line.number, f"seed and salt do not give the {what}: it is another deck")
                return {"seed": seed, "commit": True, "salt": salt}
    return {"live": True}


def _read_rules(words: Words) -> Rules:
    options: dict[str, Any] = {}
    for word in words:
        name, _, value = word.partition("=")
        if name not in Rules.__struct_fields__ or name in options:
            raise ValueError(f"{word!r} is no option, or there twice; they are {', '.join(Rules.__struct_fields__)}")
        if name == "composition":
            pairs = [pair.partition(":") for pair in value.split(",")]
            options[name] = {Card(card): _number(count) for card, _, count in pairs}
        else:
            options[name] = value if name in ("first", "reshuffle") else _number(value)
    return Rules(**options)


def _string(word: str) -> str:
    """Read a text in quotation marks."""
    if not word.startswith('"'):
        raise ValueError(f"{word!r} should stand in quotation marks")
    return str(json.loads(word))


def _number(word: str) -> int:
    if not _NUMBER.fullmatch(word):
        raise ValueError(f"{word!r} is no number")
    return int(word)


_SINGLE: dict[str, tuple[str, Callable[[str], Any]]] = {
    "date": ("date", str),
    "place": ("place", _string),
    "game": ("id", str),
    "seed": ("seed", _number),
    "secret": ("secret", str),
    "commitment": ("promise", str),
}
"""The lines of the header with one word: the name of `Game`'s argument, and how to read it."""


def _compare(found: list[_Line], wanted: list[Words], end: int) -> None:
    """Refuse the first word that differs."""
    for i, words in enumerate(wanted):
        if i == len(found):
            raise RecordError(end, f"the record breaks off before {' '.join(words)!r}")
        if found[i].words != words:
            raise RecordError(found[i].number, f"{' '.join(found[i].words)!r} should be {' '.join(words)!r}")
    if len(found) > len(wanted):
        raise RecordError(found[len(wanted)].number, f"{' '.join(found[len(wanted)].words)!r} does not belong here")


def _seat_rounds(game: Game, body: list[_Line]) -> None:
    """Tell a live game who deals each round and who is away, as its record says: the real table is right (KEEP-5)."""
    for line in body:
        match line.words:
            case ["round", number, "dealer", dealer, *rest]:
                away = []
                for word in rest:
                    if not (leaving := _LEAVING.fullmatch(word)):
                        break
                    away.append(int(leaving[1]))
                try:
                    game.seat_round(_number(number), _number(dealer), away)
                except ValueError as error:
                    raise RecordError(line.number, str(error)) from None


def _follow(game: Game, body: list[_Line], end: int) -> None:
    """Play the choices of the body, and refuse the first word that the game does not say."""
    words = deque((word, line.number) for line in body for word in (BREAK, *line.words))
    pen = new_pen()
    news = game.events
    while True:
        for event in news:
            for wanted in words_of(pen, _told(event)):
                found, number = words.popleft() if words else ("", end)
                if found != wanted:
                    raise RecordError(number, _mismatch(found, wanted))
        if game.decision is None or not words:
            break
        choice = _next_choice(game.decision, words)
        try:
            news = game.play(choice)
        except ValueError as error:
            raise RecordError(next(number for word, number in words if word != BREAK), str(error)) from None
    if words:
        found, number = words[1] if len(words) > 1 and words[0][0] == BREAK else words[0]
        raise RecordError(number, f"{found!r} comes after the end of the game")


def _mismatch(found: str, wanted: str) -> str:
    if wanted == BREAK:
        return f"{found!r} should stand on a new line" if found else "the record breaks off"
    if found in ("", BREAK):
        return f"the line breaks off before {wanted!r}" if found else f"the record breaks off before {wanted!r}"
    return f"{found!r} should be {wanted!r}"


def _next_choice(ask: Decision, words: deque[tuple[str, int]]) -> Choice:
    """Return the next choice in the record, as far as it can be read; `play` refuses the rest."""
    coming = [word for word, _ in islice(words, 8)]
    if coming[0].startswith("!") and not coming[0].startswith(("!to:", "!extra")):
        return coming[0]
    if ask.kind == "turn":
        if coming[0] == BREAK and coming[1:2] == [str(ask.seat)]:
            return coming[2] if len(coming) > 2 else ""
        raise RecordError(words[min(1, len(words) - 1)][1], f"it is the turn of seat {ask.seat}: hit or stay")
    if ask.kind == "target":
        seat = coming[0].removeprefix(">")
        return int(seat) if _NUMBER.fullmatch(seat) and coming[0] != seat else coming[0]
    if coming[0] == BREAK:
        coming = coming[3:]
    if coming[:1] == ["shuffle"]:
        coming = coming[1:]
    before = list(takewhile(lambda word: word.startswith("!"), coming))
    return " ".join(coming[: len(before) + 1])
