"""The cards: their notation for people, and the small integers that stand for them in the rules."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType


class Card(StrEnum):
    """A face of the deck. It *is* its notation: `Card("x2") == "x2"` and `str(card)` prints it."""

    N0 = "0"
    N1 = "1"
    N2 = "2"
    N3 = "3"
    N4 = "4"
    N5 = "5"
    N6 = "6"
    N7 = "7"
    N8 = "8"
    N9 = "9"
    N10 = "10"
    N11 = "11"
    N12 = "12"
    PLUS2 = "+2"
    PLUS4 = "+4"
    PLUS6 = "+6"
    PLUS8 = "+8"
    PLUS10 = "+10"
    X2 = "x2"
    FREEZE = "freeze"
    FLIP3 = "flip3"
    SECOND = "second"

    face: int

    @classmethod
    def _missing_(cls, value: object) -> Card:
        raise ValueError(f"{value!r} is no card; the cards are {' '.join(cls)}")

    def __lt__(self, other: str) -> bool:
        """Cards sort as they lie in the box: numbers, modifiers, actions."""
        return self.face < other.face if isinstance(other, Card) else str.__lt__(self, other)

    def __le__(self, other: str) -> bool:
        return self.face <= other.face if isinstance(other, Card) else str.__le__(self, other)

    def __gt__(self, other: str) -> bool:
        return self.face > other.face if isinstance(other, Card) else str.__gt__(self, other)

    def __ge__(self, other: str) -> bool:
        return self.face >= other.face if isinstance(other, Card) else str.__ge__(self, other)


CARDS: tuple[Card, ...] = tuple(Card)
"""Every card, in the order of its face."""

for _face, _card in enumerate(CARDS):
    _card.face = _face

# The faces, as the rules know them. A number's face is its value.
ZERO, TWELVE = 0, 12
PLUS2, PLUS10 = 13, 17
X2 = 18
FREEZE, FLIP3, SECOND = 19, 20, 21
FACES = 22

STANDARD: Mapping[Card, int] = MappingProxyType(
    dict(zip(CARDS, (1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 1, 1, 1, 1, 1, 1, 3, 3, 3), strict=True))
)
"""One deck of 94 cards (SET-1)."""

NUMBERS_ONLY: Mapping[Card, int] = MappingProxyType({card: n for card, n in STANDARD.items() if card.face <= TWELVE})
"""The 79 number cards alone, for study."""
