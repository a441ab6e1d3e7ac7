"""A table without a server: the pure core, a clock that is set by hand, and people who speak the protocol to it."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import TypeVar

import msgspec

from flip7.protocol.messages import (
    Ask,
    Choose,
    FromClient,
    FromServer,
    Hello,
    Options,
    Player,
    RoomView,
    Start,
    Started,
    Step,
    Welcome,
)
from flip7.server.catch_up import CatchUp
from flip7.server.core import handle
from flip7.server.errors import Refusal
from flip7.server.inputs import Came, Deal, Gone, HangUp, Input, Joined, Opened, Outcome, Rang, Said
from flip7.server.names import digest
from flip7.server.seating import DeckSecret, RoomData
from flip7.server.settings import Settings
from flip7.server.state import RoomState
from flip7.server.store.base import Write

from .client import plain

M = TypeVar("M")
QUICK = Settings(data=Path(), pace=0)


class CoreTable:
    """One table, fed by hand. `writes` is all that was ever to be written, in order."""

    def __init__(
        self, *names: str, bots: tuple[str, ...] = (), options: Options | None = None, settings: Settings = QUICK
    ) -> None:
        self.now = 1000.0
        self.state = RoomState.restore(RoomData("TABLE", options or Options()), None, settings, self.now)
        self.alarm: float | None = None
        self.writes: list[Write] = []
        self.people: dict[int, Person] = {}
        self.tokens = (f"token {number}" for number in count(1))
        self.games, self.secrets = count(1), count(1)
        self.host_token = next(self.tokens)
        self.feed(Opened(_players(names), digest(self.host_token), bots, self.secret()))

    def feed(self, input: Input) -> Outcome:
        """Handle an input as the shell does when every write succeeds; the state before is checked to be untouched."""
        state, before = self.state, _frozen(self.state)
        try:
            outcome = handle(state, input, self.now)
        finally:
            assert _frozen(state) == before
        self.writes += outcome.writes
        self.state, self.alarm = outcome.state, outcome.alarm
        for message in outcome.messages:
            if isinstance(message, HangUp):
                if message.connection in self.people:
                    self.people.pop(message.connection).ending = message
                continue
            for connection in message.to:
                self.people[connection].take(message.message)
        return outcome

    def deal(self) -> Deal:
        return Deal(f"game{next(self.games)}", self.secret(), 0, "2026-11-18")

    def secret(self) -> DeckSecret:
        number = next(self.secrets)
        return DeckSecret(str(number), f"{number:032x}")

    def wait(self, seconds: float) -> None:
        """Let time pass; whatever is due happens when it is."""
        until = self.now + seconds
        while self.alarm is not None and self.alarm <= until:
            self.now = max(self.now, self.alarm)
            self.feed(Rang(self.deal()))
        self.now = until

    def join(self, *names: str) -> Person:
        """Sit down with a new device, and connect."""
        token = next(self.tokens)
        self.feed(Joined(_players(names), digest(token)))
        return self.person(token)

    def host(self) -> Person:
        return self.person(self.host_token)

    def person(self, token: str | None = None, game: str | None = None, number: int = 0) -> Person:
        """Connect and say hello."""
        person = Person(self, max(self.people, default=0) + 100, token)
        self.people[person.connection] = person
        play, catch_up = self.state.play, None
        if play is not None and game == play.id and number < play.number:
            catch_up = CatchUp(play, number, odds=self.state.data.options.odds)
            catch_up.whole()
        self.feed(Came(person.connection, Hello(token=token, game=game, number=number), catch_up))
        return person

    def start(self) -> None:
        """Begin a game, whoever is ready."""
        for seat in self.state.data.seats:
            seat.ready = True
        host = next(person for person in self.people.values() if person.token == self.host_token)
        host.send(Start())

    @property
    def room(self) -> RoomView:
        return self.state.view()


class Person:
    """One browser, as far as the core can tell."""

    def __init__(self, table: CoreTable, connection: int, token: str | None) -> None:
        self.table = table
        self.connection = connection
        self.token = token
        self.messages: list[FromServer] = []
        self.seats: tuple[int, ...] = ()
        self.ending: HangUp | None = None
        self.game, self.number = "", -1
        self.ask: Ask | None = None

    def take(self, message: FromServer) -> None:
        self.messages.append(message)
        if isinstance(message, Welcome):
            self.seats = message.seats
            if message.game:
                self.game, self.number, self.ask = message.game.id, message.game.number, message.game.ask
            for step in message.missed:
                self.game, self.number, self.ask = step.game, step.number, step.ask
        if isinstance(message, Started):
            self.game = message.game.id
        if isinstance(message, Step):
            assert (message.game, message.number) == (self.game, self.number + 1 if message.number else 0)
            self.number, self.ask = message.number, message.ask

    def send(self, message: FromClient) -> None:
        """Send a message that has to be obeyed."""
        self.table.feed(Said(self.connection, message, self.table.deal()))

    def refused(self, message: FromClient) -> Refusal:
        """Send a message that has to be refused."""
        try:
            self.send(message)
        except Refusal as refusal:
            return refusal
        raise AssertionError(f"{message} was obeyed")

    def leave_without_a_word(self) -> None:
        self.table.people.pop(self.connection)
        self.table.feed(Gone(self.connection))

    def last(self, kind: type[M], fits: Callable[[M], bool] = lambda message: True) -> M:
        """The last message of this kind that fits."""
        return next(one for one in reversed(self.messages) if isinstance(one, kind) and fits(one))

    def all(self, kind: type[M]) -> list[M]:
        return [message for message in self.messages if isinstance(message, kind)]

    def step(self, number: int) -> Step:
        """The step that led to a state."""
        return self.last(Step, lambda step: step.number == number)

    @property
    def is_asked(self) -> bool:
        if self.ask is None:
            return False
        return self.table.state.data.seats[self.ask.seat].id in self.seats

    def answer(self, choose: Callable[[Ask], str | int] = plain) -> None:
        """Answer the open question, which is for an own seat."""
        assert self.ask is not None
        self.send(Choose(game=self.game, number=self.number, choice=choose(self.ask)))  # type: ignore[arg-type]


def play(table: CoreTable, choose: Callable[[Ask], str | int] = plain, until: int | None = None) -> None:
    """Let everybody who is connected play on, bots included, to the end or to a state."""
    while table.state.data.phase == "playing" and table.state.play is not None:
        if until is not None and table.state.play.number >= until:
            return
        asked = next((person for person in table.people.values() if person.is_asked), None)
        if asked is not None and table.state.asked is not None and table.state.asked.id not in table.state.away:
            asked.answer(choose)
        else:
            assert table.alarm is not None, "nobody answers, and nothing happens"
            table.wait(max(0.0, table.alarm - table.now))


def _players(names: tuple[str, ...]) -> tuple[Player, ...]:
    return tuple(Player(name=name) for name in names)


def _frozen(state: RoomState) -> object:
    """Everything in a state, to see whether anything has changed."""
    plain = {name: getattr(state, name) for name in state.__struct_fields__ if name not in ("data", "play", "settings")}
    number = state.play.number if state.play is not None else None
    events = len(state.play.game.events) if state.play is not None else None
    return msgspec.json.encode(state.data), repr(plain), number, events
