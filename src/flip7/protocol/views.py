"""What a game looks like on the wire: whole states, steps from one to the next, and the chances in them."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import asdict

from flip7 import Card
from flip7.game.events import AnyEvent, Event, Hand, RoundScored, RoundStarted, hand
from flip7.game.game import Game
from flip7.game.odds import flip_three_bust
from flip7.game.odds import odds as odds_for
from flip7.game.position import Position
from flip7.game.view import Decision, TableView
from flip7.protocol.messages import Ask, By, GameState, GameView, Odds, Reveal, Step, TargetLabel, Word

DIGITS = 4
"""Chances are sent with this many decimals: more than any meter shows."""


def hands_of(game: TableView) -> tuple[Hand, ...]:
    """Return what lies before each seat."""
    return tuple(hand(game.table, seat) for seat in range(game.table.seats))


def game_view(
    id: str,
    number: int,
    game: Game,
    *,
    odds: bool,
    seconds: float | None,
    past: tuple[TableView, Sequence[Event]] | None = None,
) -> GameView:
    """Return the present state of a game after `number` choices; or an earlier one, with all events up to it."""
    shown, events = past or (game, game.events)
    return GameView(
        id=id,
        names=game.players,
        target=game.rules.target,
        commitment=game.commitment or "",
        promised=game.promised or "",
        cards=_all_cards(game),
        hands=hands_of(shown),
        rounds=tuple(tuple(hand.points for hand in event.hands) for event in events if isinstance(event, RoundScored)),
        playoffs=shown.playoffs,
        recent=_this_round(events),
        **asdict(state_of(number, game, shown, odds=odds, seconds=seconds)),
    )


def first_view(id: str, game: Game) -> GameView:
    """Return the state before the first card, which the game itself has left long ago."""
    bare = Position.view_of(game.rules.table(len(game.players)))
    return game_view(id, -1, game, odds=False, seconds=None, past=(bare, ()))


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
    past: TableView | None = None,
    quick: bool = False,
) -> tuple[Step, tuple[Hand, ...]]:
    """Return the step that led to the present state, and all hands as they are now. `chosen` is a seat and its choice.

    A step that led to an earlier state of the game is told with that state as `past`.
    """
    shown = past or game
    hands = hands_of(shown)
    step = Step(
        game=id,
        seat=chosen[0] if chosen else None,
        choice=_choice(chosen[1]) if chosen else None,
        by=by,
        events=_typed(events),
        hands=tuple(now for now, then in zip(hands, before, strict=True) if now != then),
        quick=quick,
        **asdict(state_of(number, game, shown, odds=odds, seconds=seconds)),
    )
    return step, hands


def state_of(number: int, game: Game, shown: TableView, *, odds: bool, seconds: float | None) -> GameState:
    """Return what messages say of a state, the present one of a game or an earlier one, which is the one `shown`."""
    table, over = shown.table, shown.winner is not None
    return GameState(
        number=number,
        round=table.round,
        dealer=table.dealer,
        deck=table.draw_left,
        discard=table.discard_left,
        pending=shown.pending,
        ask=ask_of(shown, odds=odds, seconds=seconds),
        odds=odds_of(shown) if odds else None,
        winner=shown.winner,
        challenge=game.challenge if over else None,
        reveal=reveal_of(game) if over else None,
    )


def ask_of(game: TableView, *, odds: bool, seconds: float | None) -> Ask | None:
    """Return the open question, with what each answer would do."""
    ask = game.decision
    if ask is None or ask.kind == "card":
        return None
    return Ask(
        kind="turn" if ask.kind == "turn" else "target",
        seat=ask.seat,
        options=tuple(_choice(option) for option in ask.options),
        card=ask.card,
        targets=_labels(game, ask, odds) if ask.kind == "target" else (),
        seconds=None if seconds is None else round(seconds, 1),
    )


def _labels(game: TableView, ask: Decision, odds: bool) -> tuple[TargetLabel, ...]:
    labels = []
    for seat in ask.options:
        assert isinstance(seat, int)
        banked = game.seats[seat].points if ask.card == Card.FREEZE else None
        busts = round(flip_three_bust(game, seat), DIGITS) if odds and ask.card == Card.FLIP3 else None
        labels.append(TargetLabel(seat, banked, busts))
    return tuple(labels)


def odds_of(game: TableView) -> Odds | None:
    """Return the chances of the next card for everybody, or `None` when no more cards come."""
    ask = game.decision
    if ask is None:
        return None
    if not game.table.draw_left + game.table.discard_left:
        return None
    chances = [odds_for(game, seat) if info.status == "active" else None for seat, info in enumerate(game.seats)]
    asked = chances[ask.seat]
    return Odds(
        bust=tuple(round(chance.bust, DIGITS) if chance else 0.0 for chance in chances),
        flip7=tuple(round(chance.flip7, DIGITS) if chance else 0.0 for chance in chances),
        hit=round(asked.gain, 2) if asked and ask.kind == "turn" else None,
    )


def reveal_of(game: Game) -> Reveal | None:
    """Return seed and salt, but only when the game is over."""
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
    # AnyEvent is the union of all kinds of Event; mypy does not know that there are no others.
    return tuple(events)  # type: ignore[arg-type]
