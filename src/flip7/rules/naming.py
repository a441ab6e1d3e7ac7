"""What a name may be made of, by the numbers of its characters: the same on every machine and in every year.

Tables of Unicode differ between versions of Python and of browsers; the ranges here do not.
"""

NAME_LENGTH = 200  # characters

# Whether a name is allowed, or why not.
GOOD_NAME, TOO_SHORT, TOO_LONG, UNPRINTABLE = range(4)

# Pairs of the first and the last character of a range. Controls; the soft hyphen; marks, embeddings, overrides and
# isolates of direction; separators of lines; invisible operators; surrogates and private use; what is no character.
HIDDEN = (
    *(0x0, 0x1F, 0x7F, 0x9F, 0xAD, 0xAD, 0x61C, 0x61C, 0x180E, 0x180E, 0x200B, 0x200B, 0x200E, 0x200F),
    *(0x2028, 0x202E, 0x2060, 0x206F, 0xD800, 0xF8FF, 0xFEFF, 0xFEFF, 0xFFF0, 0xFFFB, 0xFFFE, 0xFFFF),
    *(0xE0000, 0xE001F, 0xF0000, 0x10FFFF),
)

# Blanks, joiners, marks that combine with the character before them, and characters that show nothing.
EMPTY = (
    *(0x20, 0x20, 0xA0, 0xA0, 0x300, 0x36F, 0x115F, 0x1160, 0x1680, 0x1680, 0x1AB0, 0x1AFF, 0x1DC0, 0x1DFF),
    *(0x2000, 0x200A, 0x200C, 0x200D, 0x202F, 0x202F, 0x205F, 0x205F, 0x20D0, 0x20FF, 0x2800, 0x2800),
    *(0x3000, 0x3000, 0x3164, 0x3164, 0xFE00, 0xFE0F, 0xFE20, 0xFE2F, 0xFFA0, 0xFFA0, 0xE0020, 0xE01EF),
)


def among(sign: int, first: int, last: int) -> bool:
    """Return whether a character lies in a range."""
    return first <= sign <= last


def name_problem(signs: list[int], most: int) -> int:
    """Return whether a text can be shown as a name of at most `most` characters, or why not."""
    if len(signs) > most:
        return TOO_LONG
    seen = 0
    for at in range(len(signs)):
        for pair in range(len(HIDDEN) // 2):
            if among(signs[at], HIDDEN[2 * pair], HIDDEN[2 * pair + 1]):
                return UNPRINTABLE
        shows = 1
        for pair in range(len(EMPTY) // 2):
            if among(signs[at], EMPTY[2 * pair], EMPTY[2 * pair + 1]):
                shows = 0
        seen += shows
    return GOOD_NAME if seen > 0 else TOO_SHORT
