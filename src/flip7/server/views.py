"""What a game looks like on the wire: whole states, steps from one to the next, and the chances in them."""

from __future__ import annotations

from collections.abc import Sequence

from flip7 import Card
from flip7.game.events import AnyEvent, Event, Hand, RoundStarted, hand
from flip7.game.game import Game
from flip7.game.odds import flip_three_bust
from flip7.game.odds import odds as odds_for
from flip7.game.view import Decision
from flip7.protocol.messages import Ask, By, GameView, Odds, Reveal, Step, TargetLabel, Word

DIGITS = 4
"""Chances are sent with so many decimals: more than any meter shows."""


def hands_of(game: Game) -> tuple[Hand, ...]:
    """What lies before each seat."""
    return tuple(hand(game.table, seat) for seat in range(len(game.players)))


def game_view(id: str, number: int, game: Game, *, odds: bool, seconds: float | None) -> GameView:
    """The present state of a game, which has seen `number` choices."""
    table = game.table
    return GameView(
        id=id,
        number=number,
        names=game.players,
        target=game.rules.target,
        commitment=game.commitment or "",
        promised=game.promised or "",
        cards=_all_cards(game),
        round=table.round,
        dealer=table.dealer,
        hands=hands_of(game),
        deck=table.draw_left,
        discard=table.discard_left,
        pending=game.pending,
        rounds=tuple(tuple(scores) for scores in game.rounds),
        playoffs=game.playoffs,
        recent=_this_round(game.events),
        ask=ask_of(game, odds=odds, seconds=seconds),
        odds=odds_of(game) if odds else None,
        winner=game.winner,
        challenge=game.challenge,
        reveal=reveal_of(game),
    )


def first_view(id: str, game: Game) -> GameView:
    """The state before the first card, which the game itself has left long ago."""
    table = game.rules.table(len(game.players))
    return GameView(
        id=id,
        number=-1,
        names=game.players,
        target=game.rules.target,
        commitment=game.commitment or "",
        promised=game.promised or "",
        cards=_all_cards(game),
        round=0,
        dealer=table.dealer,
        hands=tuple(hand(table, seat) for seat in range(len(game.players))),
        deck=table.draw_left,
        discard=0,
        pending=(),
        rounds=(),
        playoffs=0,
        recent=(),
        ask=None,
        odds=None,
        winner=None,
        challenge=None,
        reveal=None,
    )


def step_of(
    id: str,
    number: int,
    game: Game,
    events: Sequence[Event],
    before: Sequence[Hand],
    *,
    chosen: tuple[int, str | int] | None,
    by: By,
    odds: bool,
    seconds: float | None,
) -> tuple[Step, tuple[Hand, ...]]:
    """The step that led to the present state, and all hands as they are now. `chosen` is a seat and its choice."""
    table = game.table
    hands = hands_of(game)
    step = Step(
        game=id,
        number=number,
        seat=chosen[0] if chosen else None,
        choice=_choice(chosen[1]) if chosen else None,
        by=by,
        events=_typed(events),
        hands=tuple(now for now, then in zip(hands, before, strict=True) if now != then),
        round=table.round,
        dealer=table.dealer,
        deck=table.draw_left,
        discard=table.discard_left,
        pending=game.pending,
        ask=ask_of(game, odds=odds, seconds=seconds),
        odds=odds_of(game) if odds else None,
        winner=game.winner,
        challenge=game.challenge,
        reveal=reveal_of(game),
    )
    return step, hands


def ask_of(game: Game, *, odds: bool, seconds: float | None) -> Ask | None:
    """The open question, with what each answer would do."""
    ask = game.decision
    if ask is None:
        return None
    return Ask(
        kind="turn" if ask.kind == "turn" else "target",
        seat=ask.seat,
        options=tuple(_choice(option) for option in ask.options),
        card=ask.card,
        targets=_labels(game, ask, odds) if ask.kind == "target" else (),
        seconds=None if seconds is None else round(seconds, 1),
    )


def _labels(game: Game, ask: Decision, odds: bool) -> tuple[TargetLabel, ...]:
    labels = []
    for seat in ask.options:
        assert isinstance(seat, int)
        banked = game.seats[seat].points if ask.card == Card.FREEZE else None
        busts = round(flip_three_bust(game, seat), DIGITS) if odds and ask.card == Card.FLIP3 else None
        labels.append(TargetLabel(seat, banked, busts))
    return tuple(labels)


def odds_of(game: Game) -> Odds | None:
    """The chances of the next card for everybody, or `None` when no more card comes."""
    if game.decision is None:
        return None
    if not game.table.draw_left + game.table.discard_left:
        return None
    chances = [odds_for(game, seat) if info.status == "active" else None for seat, info in enumerate(game.seats)]
    asked = chances[game.decision.seat]
    return Odds(
        bust=tuple(round(chance.bust, DIGITS) if chance else 0.0 for chance in chances),
        flip7=tuple(round(chance.flip7, DIGITS) if chance else 0.0 for chance in chances),
        hit=round(asked.gain, 2) if asked and game.decision.kind == "turn" else None,
    )


def reveal_of(game: Game) -> Reveal | None:
    """Seed and salt, but only when the game is over."""
    if game.winner is None or game.seed is None or game.salt is None:
        return None
    return Reveal(str(game.seed), game.salt)


def _choice(option: str | int) -> Word | int:
    if isinstance(option, str):
        return "hit" if option == "hit" else "stay"
    return option


def _all_cards(game: Game) -> int:
    return sum(game.rules.deck_for(len(game.players)).values())


def _this_round(events: Sequence[Event]) -> tuple[AnyEvent, ...]:
    for i in range(len(events) - 1, -1, -1):
        if isinstance(events[i], RoundStarted):
            return _typed(events[i:])
    return _typed(events)


def _typed(events: Sequence[Event]) -> tuple[AnyEvent, ...]:
    return tuple(events)  # type: ignore[arg-type]
