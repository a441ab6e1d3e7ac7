"""A draft: a state of a table that is being made from an older one, with what has to be written and told about it."""

from __future__ import annotations

import msgspec

from flip7.protocol.codes import Code, Ending
from flip7.protocol.messages import PROTOCOL, FromServer, GameView, Phase, RoomChanged, Step, Welcome
from flip7.server.catch_up import CatchUp
from flip7.server.errors import Refusal
from flip7.server.inputs import BotQuestion, HangUp, Outcome, Question, Tell
from flip7.server.seating import RoomData, Seat
from flip7.server.state import BOT_SECONDS, Pondering, RoomState
from flip7.server.store.base import CreateRoom, DropRoom, SaveRoom, Write


class Draft:
    """What an input makes of a state. The state that it started from stays as it was."""

    def __init__(self, state: RoomState, now: float) -> None:
        self.state = state.copy(now)
        self.writes: list[Write] = []
        self.messages: list[Tell | HangUp] = []
        self.seats: tuple[int, ...] = ()
        self.alarms: list[str] = []
        self.creating = False
        self.late = False
        """Whether no result of the daily challenge counts any more."""
        self.question: Question | None = None
        self._edited = False
        self._host = state.data.host_device

    @property
    def data(self) -> RoomData:
        """What is saved of the table. To change it, `edit`."""
        return self.state.data

    def edit(self) -> RoomData:
        """Return what is saved of the table, to be changed; it will be saved again."""
        if not self._edited:
            self._edited = True
            self.state.data = msgspec.json.decode(msgspec.json.encode(self.state.data), type=RoomData)
        return self.state.data

    def outcome(self) -> Outcome:
        """Return all that follows."""
        state = self.state
        if state.data.host_device != self._host:
            state.host_since = state.now  # Whoever is new has as long as the one before.
        state.note_waiting()
        writes = list(self.writes)
        if state.closed:
            writes = [DropRoom(state.data.code)]
        elif self._edited:
            data = state.data
            saved, playing = msgspec.json.encode(data), data.phase == "playing"
            if self.creating:
                writes.append(CreateRoom(data.code, saved, playing, data.made_by))
            else:
                writes.append(SaveRoom(data.code, saved, playing))
        asked = self._ask_bot() if state.must_ponder else None
        return Outcome(state, writes, self.messages, state.alarm, self.seats, self.alarms, self.question, asked)

    def _ask_bot(self) -> BotQuestion:
        """Let the bot that is asked think beside the loop."""
        bot, play = self.state.asked_bot, self.state.play
        assert bot is not None
        assert play is not None
        self.state.pondering = Pondering(play.id, play.number, bot, self.state.now + BOT_SECONDS)
        return BotQuestion(play.id, play.number, bot, str(play.game.position))

    # What is told.

    def tell(self, message: FromServer, but: int | None = None) -> None:
        """Tell everybody the same."""
        to = [connection for connection in self.state.connections if connection != but]
        if to:
            self.messages.append(Tell(message, to))

    def tell_room(self, but: int | None = None) -> None:
        """Tell everybody how the table stands, but for the cards."""
        self.tell(RoomChanged(room=self.state.view()), but)

    def answer(self, connection: int, message: FromServer) -> None:
        """Tell one connection something."""
        self.messages.append(Tell(message, (connection,)))

    def welcome(self, connection: int, catch_up: CatchUp | None = None) -> None:
        """Tell a connection everything; with a catch-up, from the state on that it has seen."""
        state = self.state
        play, odds = state.play, state.data.options.odds
        view: GameView | None = None
        missed: tuple[Step, ...] = ()
        if play is not None:
            told = catch_up.up_to(play, odds=odds, seconds=state.seconds) if catch_up is not None else None
            view, missed = told or (play.view(odds=odds, seconds=state.seconds), ())
        seats = tuple(seat.id for seat in state.data.seats_of(state.device_of(connection)))
        self.answer(connection, Welcome(protocol=PROTOCOL, room=state.view(), seats=seats, game=view, missed=missed))

    def hang_up(self, connection: int, code: Code | Ending, text: str, *, resume: bool = False) -> None:
        """Say the last word to a connection, and count it out."""
        self.messages.append(HangUp(connection, code, text, resume))
        self.state.spectators.discard(connection)
        device = self.state.device_of(connection)
        if device:
            del self.state.devices[device]
        self.note_if_empty()

    def turn_away(self, connection: int, code: Code | Ending, text: str) -> None:
        """Say the only word to a connection that does not come in."""
        self.messages.append(HangUp(connection, code, text))

    def note_if_empty(self) -> None:
        """Note since when nobody has been here, once the last one has gone."""
        if self.state.is_empty:
            self.state.empty_since = self.state.now

    def close(self, code: Code | Ending, text: str) -> None:
        """End the table for good."""
        for connection in self.state.connections:
            self.hang_up(connection, code, text)
        self.state.closed = True

    # Who may do what when.

    def seated(self, connection: int) -> int:
        """Return the device of a connection that holds seats. Raises `Refusal` for a spectator."""
        device = self.state.device_of(connection)
        if not device:
            raise Refusal("not_seated", "spectators only watch; sit down first")
        return device

    def host(self, connection: int) -> int:
        """Return the device of the host's connection. Raises `Refusal` for others."""
        device = self.seated(connection)
        if self.data.host_device != device:
            raise Refusal("not_host", "only the host may do this")
        return device

    def own(self, connection: int, id: int) -> Seat:
        """Return the seat with this id, which the connection holds. Raises `Refusal` if it does not."""
        device = self.seated(connection)
        seat = self.data.seat(id)
        if seat.device != device:
            raise Refusal("not_yours", "this seat belongs to another player")
        return seat

    def phase(self, phase: Phase, text: str) -> None:
        """Raise `Refusal` with this text in every other phase."""
        if self.data.phase != phase:
            raise Refusal("not_now", text)
