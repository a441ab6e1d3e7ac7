"""What is pending in the round of one player alone, as a small automaton.

With nobody else active, every action card comes back to the player, a bust ends everything, and so does the first
Freeze that is resolved. What is pending then comes down to a few numbers. A *mode* is that, together with how many
Flip Threes and Freezes have been drawn; modes from which the same follows are one.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

MOST = 4000
"""Modes at the most; more would be too large to solve anyway."""


class Pending(NamedTuple):
    """Cards that must be turned up, and the action cards that wait behind them, all for the player who flips.

    Whatever waits behind a Freeze can have no effect: it is left out.
    """

    flips: int
    """Cards still to be turned up. 0 only where the player is asked, or frozen."""
    aside: int = 0
    """Flip Threes set aside in the present Flip Three (F3-3)."""
    aside_freeze: bool = False
    """Whether a Freeze was set aside behind them."""
    outer: int = 0
    """Flip Threes handed out earlier and not yet resolved (F3-7)."""
    outer_freeze: bool = False
    """Whether a Freeze was handed out behind them."""


HIT = Pending(1)
"""A card is turned up and nothing else is pending: a deal, a hit, or the last card of a Flip Three."""
ASKED = Pending(0)
"""Nothing is pending: the player is asked."""
FROZEN = Pending(0, aside_freeze=True)
"""A Freeze has been resolved: the round is over."""


def settle(pending: Pending) -> Pending:
    """Resolve what waits when the last card has been turned up, up to the next card or question (F3-4, F3-5)."""
    flips, aside, aside_freeze, outer, outer_freeze = pending
    if flips > 0:
        return pending
    if aside_freeze:
        outer, outer_freeze = aside, True
    else:
        outer += aside
    if outer > 0:
        return Pending(3, 0, False, outer - 1, outer_freeze)
    return FROZEN if outer_freeze else ASKED


def after_plain(pending: Pending) -> Pending:
    """Return what is pending after a number that neither busts nor makes seven, a modifier or a Second Chance."""
    return settle(pending._replace(flips=pending.flips - 1))


def after_flip_three(pending: Pending) -> Pending:
    """Return what is pending after a Flip Three."""
    if not pending.aside_freeze:
        pending = pending._replace(aside=pending.aside + 1)
    return after_plain(pending)


def after_freeze(pending: Pending) -> Pending:
    """Return what is pending after a Freeze."""
    if not pending.aside_freeze:
        pending = pending._replace(aside_freeze=True, outer=0, outer_freeze=False)
    return after_plain(pending)


class Mode(NamedTuple):
    """What is pending, and what came of the action cards in the pile so far."""

    threes: int
    """Flip Threes drawn."""
    freezes: int
    """Freezes drawn."""
    placed: bool
    """Whether a card other than a Second Chance has come to lie in front of the player (DECK-4)."""
    pending: Pending

    def then(self, change: Callable[[Pending], Pending], threes: int = 0, freezes: int = 0) -> Mode:
        """Return the mode after a card."""
        pending = change(self.pending)
        placed = self.placed or (self.pending.flips == 1 and pending.flips == 3)  # a Flip Three was resolved
        return Mode(self.threes + threes, self.freezes + freezes, placed, pending)

    def order(self) -> tuple[int, int, int]:
        """Return a sort key: every mode comes after those that it leads to without a further plain card."""
        flips, aside, aside_freeze, outer, _ = self.pending
        due = flips + 3 * (aside if aside_freeze else aside + outer)
        return -(self.threes + self.freezes), 0 if due else 1, due


class Modes(NamedTuple):
    """An automaton: each mode has a number, and knows its successors. Number 0 stands for a player who is frozen."""

    modes: tuple[Mode, ...]
    """One mode of each number, in an order in which action cards lead to earlier ones; the first is not used."""
    plain: tuple[int, ...]
    """The mode after a plain card; for a mode in which the player is asked, the one in which they hit."""
    three: tuple[int, ...]
    freeze: tuple[int, ...]
    starts: tuple[int, ...]
    """The numbers of the modes that were asked for."""


class TooLarge(ValueError):
    """Solving would take more time or memory than is reasonable."""


@lru_cache(maxsize=64)
def automaton(threes: int, freezes: int, placed: bool, starts: tuple[Pending, ...], *, merge: bool = True) -> Modes:
    """Return all modes that can come of `starts` with these numbers of Flip Threes and Freezes in the pile.

    `placed` says whether a card that counts against DECK-4 is certain to be placed before the pile is empty. `merge`
    makes one of modes that this pile cannot tell apart; another pile that follows it could.
    """
    first = [Mode(0, 0, placed, pending) for pending in starts]
    found = set(first)
    open_ = list(first)
    while open_:
        for successor in _successors(open_.pop(), threes, freezes):
            if successor is not None and successor not in found:
                found.add(successor)
                open_.append(successor)
        if len(found) > MOST:
            raise TooLarge(f"with {threes} Flip Threes and {freezes} Freezes to come too many things can be pending")
    end = Mode(threes, freezes, True, FROZEN)
    same = {mode: end if mode.pending == FROZEN else mode for mode in found} | {end: end}
    known: dict[tuple[object, ...], Mode] = {}
    kept = [end]
    for mode in sorted(found, key=lambda mode: (mode.order(), mode)):
        if mode.pending == FROZEN:
            continue
        if merge and mode.pending != ASKED:
            after = tuple(then and same[then] for then in _successors(mode, threes, freezes))
            same[mode] = known.setdefault((mode.threes, mode.freezes, mode.placed, after), mode)
        if same[mode] is mode:
            kept.append(mode)
    number = {mode: i for i, mode in enumerate(kept)}
    after_each = [_successors(mode, threes, freezes) for mode in kept]
    plain, three, freeze = (
        tuple(0 if then is None else number[same[then]] for then in column) for column in zip(*after_each, strict=True)
    )
    return Modes(tuple(kept), plain, three, freeze, tuple(number[same[mode]] for mode in first))


def _successors(mode: Mode, threes: int, freezes: int) -> tuple[Mode, Mode | None, Mode | None]:
    """Return the modes after a plain card, a Flip Three and a Freeze; for a player who is asked, that of a hit."""
    if mode.pending == FROZEN:
        return mode, None, None
    if mode.pending == ASKED:
        return mode._replace(pending=HIT), None, None
    return (
        mode.then(after_plain),
        mode.then(after_flip_three, threes=1) if mode.threes < threes else None,
        mode.then(after_freeze, freezes=1) if mode.freezes < freezes else None,
    )
