"""A stream of random numbers that is the same in both builds, to the last bit. Written like the rules.

It is a linear congruential generator modulo 2^62 of which the upper 32 bits are used: one multiplication a number,
integers that fit a machine word, and a period far beyond any simulation. It is quick, not secret: games between people
shuffle with a `Shoe`.
"""

MASK = (1 << 62) - 1
FACTOR = 3202034522624059733
STEP = 2862933555777941757
GOLDEN = 2611923443488327891
WORD = (1 << 32) - 1


def mixed(number: int) -> int:
    """Spread every bit of a number over all 62."""
    number = number & MASK
    number = ((number ^ (number >> 31)) * 1181783497276652981) & MASK
    number = ((number ^ (number >> 29)) * 2685821657736338717) & MASK
    return number ^ (number >> 32)


def start(rng: list[int], seed: int, stream: int) -> None:
    """Set a generator to the beginning of a stream."""
    rng[0] = mixed(mixed(seed + GOLDEN) + stream * GOLDEN)


def below(rng: list[int], n: int) -> int:
    """Return the next random number from 0 to n - 1."""
    state = rng[0]
    rng[0] = (state * FACTOR + STEP) & MASK
    return (((state >> 30) * n) >> 32) & WORD
