"""The words of a record: what it says about each event of a game (docs/record.md). It is translated for the browser."""

import msgspec

BREAK = "\n"
"""The word that starts a new line."""


class Told(msgspec.Struct):
    """An event as a record needs it: -1 and nothing stand for what does not apply."""

    kind: str
    seat: int
    card: str
    other: int
    """A second seat or a number, as the kind needs it."""
    ruling: str
    scores: list[int]
    totals: list[int]


class Pen(msgspec.Struct):
    """What a writer remembers from one event to the next."""

    asked: int
    """The seat that has said "hit" and waits for its card: its line has begun."""
    shuffled: bool
    """Whether the next card is the first of a new draw pile."""
    due: int
    """Whose card came to someone else."""
    deviations: list[str]
    """Words that stand before the next card."""


def new_pen() -> Pen:
    """Return a writer before the first event."""
    return Pen(-1, False, -1, [])


def words_of(pen: Pen, told: Told) -> list[str]:
    """Return the words for an event; many events follow from others and need none."""
    kind = told.kind
    if kind == "round_started":
        return [BREAK, "round", f"{told.other}", "dealer", f"{told.seat}"]
    if kind == "player_hit":
        pen.asked = told.seat
        return [BREAK, f"{told.seat}", "hit"]
    if kind == "player_stayed":
        return [f"!stay:{told.seat}"] if told.ruling == "KEEP-5" else [BREAK, f"{told.seat}", "stay"]
    if kind == "deck_reshuffled":
        if told.ruling == "KEEP-5":
            return ["!shuffle"]
        pen.shuffled = True
        return []
    if kind == "card_flipped":
        return flip_words(pen, told)
    if kind == "flip_three_started":
        return [f"{told.seat}:"]
    if kind == "card_handed_out" or kind == "second_chance_passed":
        return [f">{told.other}"]
    if kind == "player_saved":
        return ["saved"]
    if kind == "player_busted":
        return ["bust"]
    if kind == "flip7_made":
        return ["flip7"]
    if kind == "card_discarded":
        return [] if told.ruling == "SC-2" else [f"-{told.card}"]
    if kind == "round_ended":
        broken = told.ruling == "DECK-3" or told.ruling == "DECK-4"
        return [BREAK, "end", told.ruling] if broken else []
    if kind == "round_scored":
        return score_words(pen, told)
    if kind == "playoff_called":
        return [BREAK, "playoff", f"{told.other}"]
    return deviation_words(pen, told)


def flip_words(pen: Pen, told: Told) -> list[str]:
    """Return the words for a card that was turned up."""
    begun = pen.asked >= 0 or told.ruling == "F3-1"
    seat = told.seat if pen.due < 0 else pen.due
    words: list[str] = [] if begun else [BREAK, f"{seat}", "deal"]
    if pen.shuffled:
        words.append("shuffle")
    words.extend(pen.deviations)
    words.append(told.card)
    pen.asked = -1
    pen.due = -1
    pen.shuffled = False
    pen.deviations = []
    return words


def score_words(pen: Pen, told: Told) -> list[str]:
    """Return the words for the points of a round."""
    pen.asked = -1
    pen.shuffled = False
    words = [BREAK, "score"]
    words.extend([f"{score}" for score in told.scores])
    words.append("total")
    words.extend([f"{total}" for total in told.totals])
    return words


def deviation_words(pen: Pen, told: Told) -> list[str]:
    """Return the words for what the rules do not say (KEEP-5, KEEP-7)."""
    if told.kind == "player_left":
        if pen.asked == told.seat:
            pen.asked = -1
        return [f"!leave:{told.seat}"]
    if told.kind == "card_lost":
        return [f"!lost:{told.card}"]
    if told.kind == "card_added":
        pen.deviations.append("!extra")
    if told.kind == "card_misdealt":
        pen.due = told.other
        pen.deviations.insert(0, f"!to:{told.seat}")
    return []


def is_deviation(told: Told) -> bool:
    """Return whether an event is one that the rules do not foresee: a record that has one is of version 2."""
    if told.kind == "player_left" or told.kind == "card_lost" or told.kind == "card_added":
        return True
    if told.kind == "card_misdealt":
        return True
    return told.ruling == "KEEP-5"
