"""A game that is being played online: dealt from what the log holds, and told step by step."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from flip7.game.events import Event
from flip7.game.game import Game
from flip7.game.options import Rules
from flip7.game.promise import deck_promise
from flip7.game.rulebook import EDITION
from flip7.protocol.messages import By, GameView, SeatInfo, Step
from flip7.protocol.views import first_view, game_view, hands_of, step_of
from flip7.server.chain import first_link, next_link
from flip7.server.store.base import AddChoice


class GameData(msgspec.Struct, frozen=True):
    """What it takes to deal a game again. It holds the seed: it never leaves the server while the game runs."""

    names: tuple[str, ...]
    seed: str
    salt: str
    rules: Rules
    date: str
    seats: tuple[SeatInfo, ...]
    nonces: tuple[str, ...] = ()
    version: int = 1
    """Of the promise: games from before the second go on as they were promised."""
    edition: int = 1
    """The edition of the rules that the game began with."""
    promise: str = ""
    """The commitment that everybody was shown; a game from before it was noted has none here."""
    daily: str | None = None
    """The day whose deck it is. Others may still play it: seed and salt are told the day after, and not by the game."""

    def promised(self, id: str) -> GameData:
        """Return the same with the promise that it makes."""
        return msgspec.structs.replace(self, promise=self.deal(id).commitment or "")

    def deal(self, id: str) -> Game:
        """Return the game before its first choice. Raises `ValueError` if it is not the one that was promised."""
        seed = int(self.seed)
        game = Game(
            self.names,
            seed=seed,
            salt=self.salt,
            rules=self.rules,
            date=self.date,
            commit=True,
            nonces=self.nonces,
            id=id if self.version > 1 else None,
            promise=deck_promise(seed, self.salt) if self.version == 1 else self.promise or None,
        )
        if self.daily:
            game.salt = None  # then nothing is revealed at its end
        return game

    @property
    def is_current(self) -> bool:
        """Whether the game began with the rules as they are now."""
        return self.edition == EDITION


class Play:
    """One game with its id and its choices so far. It never changes: a choice makes another one."""

    __slots__ = ("_hands", "choices", "data", "events", "game", "id", "link")

    def __init__(self, id: str, data: GameData, saved: bytes | None = None) -> None:
        """The game before its first choice; `saved` is what the store has of the data, where that is known."""
        self.id = id
        self.data = data
        self.game = data.deal(id)
        self.choices: tuple[tuple[str, By], ...] = ()
        """Every choice as the log writes it, and who made it."""
        self.events: Sequence[Event] = self.game.events
        """What the last choice, or the deal, led to."""
        self.link = first_link(id, saved if saved is not None else msgspec.json.encode(data))
        """The end of the chain of choices."""
        self._hands = hands_of(self.game)

    @property
    def number(self) -> int:
        """The number of the present state."""
        return len(self.choices)

    @property
    def over(self) -> bool:
        """Whether the game has a winner."""
        return self.game.decision is None

    @property
    def asked(self) -> int | None:
        """The seat that is asked."""
        return self.game.decision.seat if self.game.decision else None

    @property
    def summary(self) -> str:
        """The present state in short, as the log notes it: who is asked, the piles, the totals."""
        table = self.game.table
        totals = " ".join(map(str, table.totals[: len(self.game.players)]))
        return f"{self.asked} {table.draw_left} {table.discard_left} {totals}"

    def after(self, choice: str | int, by: By) -> Play:
        """Return the game after this choice. Raises what `Game.play` raises."""
        twin = Play.__new__(Play)
        twin.id, twin.data, twin.link, twin._hands = self.id, self.data, self.link, self._hands
        twin.game, twin.choices = self.game.copy(), self.choices
        twin.go_on(choice, by)
        return twin

    def go_on(self, choice: str | int, by: By) -> None:
        """Play a choice in place, on a game that nobody else has. Raises what `Game.play` raises."""
        self.events = self.game.play(choice)
        self.link = next_link(self.link, self.number, str(choice), by, self.summary)
        self.choices = (*self.choices, (str(choice), by))

    def settled(self, link: str) -> Play:
        """Return this game, told to everybody, with the end of its chain as the log has it."""
        self.link, self._hands = link, hands_of(self.game)
        return self

    def logged(self) -> AddChoice:
        """Return the last choice as it has to be written down."""
        text, by = self.choices[-1]
        return AddChoice(self.id, self.number - 1, text, by, self.summary, self.link)

    def view(self, *, odds: bool, seconds: float | None) -> GameView:
        """Return the present state."""
        return game_view(self.id, self.number, self.game, odds=odds, seconds=seconds)

    def first_view(self) -> GameView:
        """Return the state before the first card."""
        return first_view(self.id, self.game)

    def deal_step(self, *, odds: bool, seconds: float | None) -> Step:
        """Return the step that leads from there to the first question, of a game that has seen no choice."""
        before = self.first_view().hands
        step, _ = step_of(
            self.id, 0, self.game, self.events, before, chosen=None, by="player", odds=odds, seconds=seconds, quick=True
        )
        return step

    def step(self, seat: int, *, odds: bool, seconds: float | None, quick: bool = False) -> Step:
        """Return the step that the last choice made, which was that of `seat`. It is told once."""
        text, by = self.choices[-1]
        step, self._hands = step_of(
            self.id,
            self.number,
            self.game,
            self.events,
            self._hands,
            chosen=(seat, read_choice(text)),
            by=by,
            odds=odds,
            seconds=seconds,
            quick=quick,
        )
        return step


def read_choice(text: str) -> str | int:
    """Return a choice as the log writes it."""
    return int(text) if text.isdecimal() else text


def is_end(summary: str) -> bool:
    """Return whether nobody is asked any more in a state, by its summary: the game has a winner."""
    return summary.startswith(f"{None} ")
