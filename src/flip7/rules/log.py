"""What happened: the one hook through which the rules report. The compiled build replaces it by nothing."""

from flip7.rules.table import Table

NAMES = (
    "round_started",
    "deck_reshuffled",
    "player_hit",
    "card_flipped",
    "card_placed",
    "player_saved",
    "player_busted",
    "player_stayed",
    "card_set_aside",
    "card_handed_out",
    "second_chance_passed",
    "card_discarded",
    "player_frozen",
    "flip_three_started",
    "flip7_made",
    "round_ended",
    "round_scored",
    "playoff_called",
    "game_over",
    "player_left",
    "card_misdealt",
    "card_added",
    "card_lost",
)
"""The kinds of event. An entry of the log carries the position of its kind here."""

ROUND_STARTED = NAMES.index("round_started")
DECK_RESHUFFLED = NAMES.index("deck_reshuffled")
PLAYER_HIT = NAMES.index("player_hit")
CARD_FLIPPED = NAMES.index("card_flipped")
CARD_PLACED = NAMES.index("card_placed")
PLAYER_SAVED = NAMES.index("player_saved")
PLAYER_BUSTED = NAMES.index("player_busted")
PLAYER_STAYED = NAMES.index("player_stayed")
CARD_SET_ASIDE = NAMES.index("card_set_aside")
CARD_HANDED_OUT = NAMES.index("card_handed_out")
SECOND_CHANCE_PASSED = NAMES.index("second_chance_passed")
CARD_DISCARDED = NAMES.index("card_discarded")
PLAYER_FROZEN = NAMES.index("player_frozen")
FLIP_THREE_STARTED = NAMES.index("flip_three_started")
FLIP7_MADE = NAMES.index("flip7_made")
ROUND_ENDED = NAMES.index("round_ended")
ROUND_SCORED = NAMES.index("round_scored")
PLAYOFF_CALLED = NAMES.index("playoff_called")
GAME_OVER = NAMES.index("game_over")
PLAYER_LEFT = NAMES.index("player_left")
CARD_MISDEALT = NAMES.index("card_misdealt")
CARD_ADDED = NAMES.index("card_added")
CARD_LOST = NAMES.index("card_lost")


def note(table: Table, kind: int, seat: int, card: int, other: int, ruling: int) -> None:
    """Write down one event. `other` is a second seat or a number, as the kind needs it; -1 stands for none."""
    table.log.append((kind, seat, card, other, ruling))
