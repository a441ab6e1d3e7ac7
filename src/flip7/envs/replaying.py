"""A game of an environment once more, as the library knows it: `replay` finds its cards again."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from flip7.envs.against import go_on_against
from flip7.envs.batch import Batch
from flip7.envs.cells import Cell, stream_seed
from flip7.envs.core import LAST_SEED, TABLES, told_actions
from flip7.envs.learner import Opponents
from flip7.envs.observation import allow
from flip7.envs.stepping import BY_NOTHING, answer, begin, go_on, new_game
from flip7.game.choices import whole
from flip7.game.game import Game
from flip7.game.options import Rules
from flip7.rules.cards import CARDS
from flip7.rules.log import CARD_FLIPPED, PLAYER_HIT, PLAYER_STAYED
from flip7.rules.table import GAME_OVER
from flip7.strategy.bench import Bench
from flip7.strategy.registry import Strategy


def replay(
    seed: int,
    actions: Iterable[int],
    players: int = 4,
    rules: Rules | None = None,
    *,
    table: int = 0,
    opponents: Sequence[str | Strategy] | None = None,
) -> Game:
    """Return the game in which the last of these actions was taken, or the first game if there are none.

    It is a live game that knows every card and every choice: it can be written down, reviewed and played on. `actions`
    are all that were taken at the table since its seed was set; they may go through several games, but none may have
    been given up in the middle. At a table of a `Batch`, and with PettingZoo (table 0), they are the actions of all
    seats. With `opponents` they are the learner's, as with Gymnasium: `players` follows from them, table n plays what
    seed + n plays, and an action that is forbidden counts as the first legal one. Raises `ValueError` for a forbidden
    action otherwise, and for whatever is out of range.
    """
    seated = None if opponents is None else Opponents(opponents)
    batch = Batch(1, players if seated is None else len(seated.policies), rules)  # it refuses what cannot be played
    stream = whole("table", table, 0, TABLES - 1)
    number = whole("seed", seed, 0, LAST_SEED)
    if seated is not None:
        number, stream = number + stream, 0
    told = _Table(batch.rules, batch.players, seated)
    begin([told.cell], [stream_seed(number)], [stream])
    told.deal()
    for count, action in enumerate(actions):
        told.take(count, action)
    return told.game()


class _Table:
    """One table of an environment in plain Python, where events are written down."""

    def __init__(self, rules: Rules, players: int, opponents: Opponents | None) -> None:
        self.rules = rules
        self.cell = Cell(rules, players)
        self.opponents = opponents
        self.box = Bench(self.cell, [])
        self.bench = opponents.bench(self.cell) if opponents is not None else self.box

    def deal(self) -> None:
        """Begin the next game in which there is a question."""
        while True:
            self.cell.log.clear()
            new_game(self.cell, self.box, self.rules.dealer)
            if self.go_on():
                return

    def go_on(self) -> bool:
        """Go on to the next question for the caller. Returns whether there is one."""
        cell, earned = self.cell, [0.0] * self.cell.seats
        while True:
            if self.opponents is None:
                go_on(cell, earned, BY_NOTHING)
            else:
                go_on_against(cell, self.bench, earned, BY_NOTHING)
            if cell.waiting == GAME_OVER:
                return False
            if self.opponents is None or cell.seat == cell.learner:
                return True
            answer(cell, self.opponents.answer(cell, cell.learner))

    def take(self, count: int, action: object) -> None:
        """Take an action of the caller's, in the next game if this one is over."""
        if self.cell.waiting == GAME_OVER:
            self.deal()
        mask = [0] * (2 + self.cell.seats)
        allow(self.cell, mask)
        given = whole(f"action {count}", action, -(1 << 63), (1 << 63) - 1)
        if not 0 <= given < len(mask) or not mask[given]:
            if self.opponents is None:
                raise ValueError(f"action {count}: {given} is forbidden; allowed are {told_actions(mask)}")
            given = mask.index(1)
        answer(self.cell, given)
        self.go_on()

    def game(self) -> Game:
        """Return the game as the library plays it: what was written down last answers whatever it asks."""
        game = Game(self.cell.seats, rules=self.rules, live=True)
        done = len(game.events)
        while done < len(self.cell.log):
            kind, _, card, other, _ = self.cell.log[done]
            words = {CARD_FLIPPED: CARDS[card], PLAYER_HIT: "hit", PLAYER_STAYED: "stay"}
            done += len(game.play(words.get(kind, other)))
        return game
