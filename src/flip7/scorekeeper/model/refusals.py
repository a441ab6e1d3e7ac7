"""Why something cannot be entered: codes that every language has words for."""

from typing import Literal

import msgspec

from flip7.rules.cards import Card

RefusalCode = Literal[
    "twin",
    "eighth",
    "none_left",
    "second_second",
    "second_freeze",
    "frozen_flip7",
    "other_flip7",
    "negative",
    "impossible",
    "too_many",
    "seven_points",
    "together",
    "nothing",
    "over",
    "stopped",
    "not_stopped",
    "last_player",
    "at_table",
    "not_at_table",
    "not_playing",
    "full",
    "bad_name",
    "name_taken",
    "bad_target",
    "bad_score",
    "bad_dealer",
    "bad_decks",
    "bad_date",
    "bad_device",
    "bad_clock",
    "bad_round",
    "bad_players",
    "no_round",
    "no_player",
    "no_conflict",
    "no_choice",
    "nothing_to_undo",
    "nothing_to_redo",
    "not_due",
    "gone",
    "not_there",
    "not_target",
    "no_step",
    "no_start",
    "second_start",
    "start_kept",
    "different",
]


class Refusal(msgspec.Struct, frozen=True):
    """What was wrong, and what would be right. Nothing has changed."""

    code: RefusalCode
    player: str = ""
    """Whose entry it is about: an id, or nothing."""
    card: Card | None = None
    n: int = 0
    """The number that was given, or the one that is allowed."""
    low: int = 0
    high: int = 0


def about(player: str, refusal: Refusal) -> Refusal:
    """Return the same refusal, with the player whose entry it is about."""
    return Refusal(refusal.code, player, refusal.card, refusal.n, refusal.low, refusal.high)
