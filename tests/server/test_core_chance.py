"""People who do anything in any order: whatever they do, a table says the same to everybody, and goes on or rests."""

from __future__ import annotations

from random import Random

import msgspec
import pytest

from flip7.protocol.messages import (
    AddBot,
    AddPlayer,
    Back,
    FromClient,
    Leave,
    Options,
    Player,
    Ready,
    Rematch,
    RemoveSeat,
    Rename,
    RoomChanged,
    SetOptions,
    Skip,
    StandIn,
    Start,
    Welcome,
)
from flip7.server.errors import Refusal
from flip7.server.inputs import BotAnswered, BotQuestion, Input, Outcome, Rang
from flip7.server.loading import read_game, read_room
from flip7.server.state import RoomState
from flip7.server.store.base import AddChoice, AddGame, CreateRoom, EndGame, SaveRoom, StoredChoice, StoredGame

from .core_table import QUICK, CoreTable, Person

PLAIN: list[FromClient] = [Ready(), Ready(), Ready(ready=False), Back(), Skip(), Skip(to="now")]
PLAIN += [Rematch(), Rematch(again=True), AddBot(bot="bea")]
ACTS = 90
RINGS = 6
"""A table that rings so often at one moment, and no choice is made, would do so for ever."""


class Chance(CoreTable):
    """A table where chance decides what happens next, and everything is looked at after it has happened."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.questions: list[BotQuestion] = []
        self.tokens_known: list[str | None] = [None, "bogus"]
        pick = self.random.choice
        self.lazy = pick((True, False))
        """Whether nobody ever begins."""
        options = Options(
            target=50, timer=pick((0, 15)), patience=pick((0, 60, 120)), speed=pick(("normal", "instant"))
        )
        settings = msgspec.structs.replace(QUICK, pace=pick((0, 1)))
        super().__init__("Ana", bots=pick(((), ("carl",), ("carl", "dee"))), options=options, settings=settings)
        self.tokens_known.append(self.host_token)

    def feed(self, input: Input) -> Outcome:
        outcome = super().feed(input)
        if outcome.bot_question is not None:
            self.questions.append(outcome.bot_question)
        if not self.state.closed:
            self.look()
        return outcome

    def act(self) -> None:
        """Do anything."""
        people = list(self.people.values())
        acts = [self.someone_comes, self.someone_sits_down, self.time_passes, self.time_passes, self.it_is_restarted]
        if people:
            acts += [self.someone_goes, *[self.someone_speaks] * 8, *[self.someone_answers] * 8]
        if people and not self.lazy:
            acts += [self.they_begin] * 4
        if self.questions:
            acts.append(self.a_bot_answers)
        try:
            self.random.choice(acts)()
        except Refusal:
            self.look()

    def someone_comes(self) -> None:
        play = self.state.play if self.random.random() < 0.5 else None
        number = self.random.randint(0, play.number) if play else 0
        self.person(self.random.choice(self.tokens_known), play.id if play else None, number)

    def someone_sits_down(self) -> None:
        self.tokens_known.append(self.join(self.random.choice(("Ben", "Cho", "Dan"))).token)

    def someone_goes(self) -> None:
        self.random.choice(list(self.people.values())).leave_without_a_word()

    def someone_answers(self) -> None:
        asked = [person for person in self.people.values() if person.is_asked]
        if asked and self.state.data.phase == "playing":
            asked[0].answer(lambda ask: self.random.choice(ask.options))

    def someone_speaks(self) -> None:
        seat = self.random.choice([seat.id for seat in self.state.data.seats] + [99])
        options = msgspec.structs.replace(self.state.data.options, timer=self.random.choice((0, 15)))
        player = Player(name=self.random.choice(("Al", "Zoe")))
        messages: list[FromClient] = [SetOptions(options=options), StandIn(seat=seat), RemoveSeat(seat=seat)]
        messages += [AddPlayer(player=player), Rename(seat=seat, player=player), *PLAIN]
        messages += [Ready()] * 6 if self.lazy else [Start()]
        messages += [Leave()] if len(self.state.data.people()) > 1 else []
        self.random.choice(list(self.people.values())).send(self.random.choice(messages))

    def they_begin(self) -> None:
        """Everybody who is here is ready, and the host begins, or begins again."""
        over = self.state.data.phase == "over"
        for connection in [] if over else list(self.state.devices.values()):
            self.people[connection].send(Ready())
        host = self.state.devices.get(self.state.data.host_device)
        if host is not None:
            self.people[host].send(Rematch(again=True) if over else Start())

    def a_bot_answers(self) -> None:
        question = self.random.choice(self.questions)
        self.feed(BotAnswered(question.game, question.number, self.random.choice((None, "hit", "stay", 0, 99))))

    def time_passes(self) -> None:
        """What is due happens, and nothing happens again and again at the same moment."""
        until, rings = self.now + self.random.choice((1, 15, 60, 61, 130, 2000)), 0
        while self.alarm is not None and self.alarm <= until and not self.state.closed:
            made, then = len(self.choices()), self.now
            self.now = max(self.now, self.alarm)
            self.feed(Rang(self.deal()))
            rings = rings + 1 if (then, made) == (self.now, len(self.choices())) else 0
            assert rings < RINGS
        self.now = until

    def it_is_restarted(self) -> None:
        """What was saved is what there was, and whoever has a token comes back."""
        game, play = self.state.data.game, None
        if game is not None:
            data = next(write.data for write in self.writes if isinstance(write, AddGame) and write.id == game)
            choices = [StoredChoice(one.number, one.choice, one.by, one.state, one.hash) for one in self.choices(game)]
            over = any(isinstance(write, EndGame) and write.id == game for write in self.writes)
            play = read_game(StoredGame(game, data, over, tuple(choices)))
            assert self.state.play is not None
            assert (play.number, play.summary) == (self.state.play.number, self.state.play.summary)
        self.people.clear()
        self.state = RoomState.restore(read_room("TABLE", self.saved().data), play, self.state.settings, self.now)
        self.alarm = None
        for token in self.tokens_known[2:]:
            self.person(token)

    def choices(self, game: str | None = None) -> list[AddChoice]:
        """All choices that were written down, or those of a game."""
        return [write for write in self.writes if isinstance(write, AddChoice) and game in (None, write.game)]

    def saved(self) -> CreateRoom | SaveRoom:
        return next(write for write in reversed(self.writes) if isinstance(write, CreateRoom | SaveRoom))

    def look(self) -> None:
        """Everybody is told how it stands, all of it is saved, and nobody waits for what never comes."""
        state, data = self.state, self.state.data
        assert self.people.keys() == set(state.connections)
        for person in self.people.values():
            self.check_told(person)
        assert msgspec.json.decode(self.saved().data) == msgspec.to_builtins(data)
        assert self.saved().playing == (data.phase == "playing")
        assert any(seat.id == data.host for seat in data.people())
        others_wait = state.asked is not None and state.connections != [state.devices.get(state.asked.device)]
        if not state.is_empty and (state.asked_bot or (others_wait and (data.options.patience or data.options.timer))):
            assert self.alarm is not None

    def check_told(self, person: Person) -> None:
        told = person.last(Welcome | RoomChanged).room  # type: ignore[arg-type]
        assert msgspec.structs.replace(told, rematch=None) == msgspec.structs.replace(self.room, rematch=None)
        assert (told.rematch is None) == (self.room.rematch is None)
        if self.state.play is not None:
            assert (person.game, person.number) == (self.state.play.id, self.state.play.number)
            assert (person.ask.seat if person.ask else None) == self.state.play.asked


@pytest.mark.parametrize("seed", range(80))
def test_whatever_people_do_a_table_stays_as_it_should_be(seed: int) -> None:
    table = Chance(seed)
    for _ in range(ACTS):
        if not table.state.closed:
            table.act()
