"""The table of a server on the screen: as the one here, with feelings, absences, clocks and lost connections."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar, get_args

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.screen import ModalScreen
from textual.timer import Timer
from textual.widgets import Static

from flip7.game.view import Choice
from flip7.protocol.messages import Advice, Advise, Back, Emote, Emotion, GameView, Notice, RoomView
from flip7.terminal.online.table import OnlineTable
from flip7.terminal.screens.base import BaseScreen, Sheet
from flip7.terminal.screens.play import PlayScreen
from flip7.terminal.table.sheets import Worth, advice_text
from flip7.terminal.table.showing import Showing

FEELING = 2.6
"""Seconds for which a feeling is shown."""
EMOTIONS: tuple[Emotion, ...] = get_args(Emotion)


class Feelings(ModalScreen[Emotion | None]):
    """All feelings, each with a key."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,e", "dismiss(None)", show=False),
        *(Binding(str(i + 1), f"dismiss('{emotion}')", show=False) for i, emotion in enumerate(EMOTIONS)),
    ]

    def compose(self) -> ComposeResult:
        """List the feelings."""
        screen = self.app.screen_stack[-2]
        assert isinstance(screen, BaseScreen)
        words = screen.words
        lines = [
            Content.assemble((f" {i + 1} ", "bold $primary"), f" {words(f'emote.{emotion}')}")
            for i, emotion in enumerate(EMOTIONS)
        ]
        feelings = Static(Content("\n").join(lines), id="feelings")
        feelings.border_title = words("emote.open")
        yield feelings

    def on_click(self, event: events.Click) -> None:
        """Take the feeling that was clicked; beside them, none."""
        feelings = self.query_one("#feelings").content_region
        inside = feelings.contains(event.screen_x, event.screen_y)
        self.dismiss(EMOTIONS[event.screen_y - feelings.y] if inside else None)


class OnlinePlayScreen(PlayScreen):
    """One table of a server."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("e", "emote", show=False),
        Binding("b", "back", show=False),
    ]
    table: OnlineTable
    _coach: Sheet[None] | None = None
    _refusal = ""
    """Why the server did not do what was wanted last."""
    _read: Notice | None = None
    """The notice that was on show when a choice was made."""

    def __init__(self, table: OnlineTable, over: Callable[[PlayScreen, Showing], None], *, full: bool = False) -> None:
        """`full` says that a seat was wanted here and none was left."""
        super().__init__(table, over)
        self._full = full
        self._calming: dict[int, Timer] = {}
        """What takes the feelings away that are on show, by seat."""

    @property
    def coached(self) -> bool:
        """Whether the host lets players ask the server's coach."""
        room = self.table.client.room
        return bool(self.table.own) and room is not None and room.options.coach and room.options.odds

    def keys(self) -> list[tuple[str, str]]:
        """Return the keys of any table, and feelings for those who play."""
        keys = super().keys()
        return [*keys[:2], ("e", self.words("term.emote")), *keys[2:]] if self.table.own else keys

    def restart(self, view: GameView) -> None:
        """Show a whole state, and who is away."""
        super().restart(view)
        room = self.table.client.room
        if room is not None:
            self.presence(room)

    def presence(self, room: RoomView) -> None:
        """Show whose players are lost or away, and to those here what that means for them."""
        if self.showing is not None:
            own = [room.seats[number] for number in self.table.client.own]
            self.showing.replaced = any(seat.presence == "away" for seat in own)
            self._tell()
            self.showing.presence = {
                number: seat.presence for number, seat in enumerate(room.seats) if seat.presence != "here"
            }
            self.show(None)

    def _note(self, showing: Showing) -> str:
        """The most urgent of what is to be told: a refusal, a trouble, or that one has or had no part in the game."""
        room = self.table.client.room
        if self._refusal or room is None:
            return self._refusal
        if room.notice is not None and room.notice != self._read:
            return self.words(f"notice.{room.notice.kind}")
        if self.table.client.waits:
            return self.words("results.late", name=next((seat.name for seat in room.seats if seat.host), ""))
        if self._full:
            return self.words("join.full")
        return self.words("table.backed") if showing.replaced else ""

    def _tell(self) -> None:
        """Show the note, and give it room."""
        showing = self.showing
        if showing is not None and showing.note != (note := self._note(showing)):
            showing.note = note
            self._arrange(self.app.size.width, self.app.size.height)

    def _commit(self, choice: Choice) -> None:
        """Make a choice: whoever does has read what there was to read."""
        room = self.table.client.room
        self._refusal = ""
        self._read = room.notice if room is not None else None
        self._tell()
        super()._commit(choice)

    def link(self, told: str) -> None:
        """Say what is wrong with the connection, or that nothing is."""
        if self.showing is not None:
            self.showing.trouble = told
            self.show(None)

    def refused(self, told: str) -> None:
        """Say why something was not taken, and ask again; or, with nothing, no longer."""
        if self.showing is not None and told != self._refusal:
            self.showing.sent = self.showing.sent and not told
            self._refusal = told
            self._tell()
            self.show(None)

    def feel(self, seat: int, emotion: Emotion) -> None:
        """Show a feeling beside a seat for a while."""
        showing = self.showing
        if showing is not None:
            showing.feelings[seat] = emotion
            if seat in self._calming:
                self._calming[seat].stop()
            self._calming[seat] = self.set_timer(FEELING, lambda: self._calm(showing, seat))
            self.show(None)

    def _calm(self, showing: Showing, seat: int) -> None:
        showing.feelings.pop(seat, None)
        self.show(None)

    def action_coach(self) -> None:
        """Ask the server's coach about the open question."""
        showing, words = self.showing, self.words
        if showing is not None and showing.asked and self.coached:
            self._coach = Sheet[None](words("coach.title"), words("coach.thinking"))
            self.app.push_screen(self._coach)
            self.run_worker(self.table.client.send(Advise(game=showing.scene.game, number=showing.scene.state.number)))

    def advised(self, advice: Advice) -> None:
        """Show what the coach says, if it is about the question that is open and still wanted."""
        showing, coach = self.showing, self._coach
        if showing is None or coach is None or not coach.is_attached or advice.number != showing.scene.state.number:
            return
        percent, words = self.words.percent, self.words
        choices = [
            Worth(one.choice, one.win, words("coach.between", low=percent(one.low), high=percent(one.high)))
            for one in advice.choices
        ]
        coach.show(advice_text(showing, choices, advice.best, sure=advice.sure))

    def unadvised(self, told: str) -> None:
        """Show why the coach says nothing."""
        if self._coach is not None and self._coach.is_attached:
            self._coach.show(told)

    def action_back(self) -> None:
        """Say that one is here again, and chooses oneself."""
        if self.showing is not None and self.showing.replaced:
            self.run_worker(self.table.client.send(Back()))

    def action_emote(self) -> None:
        """Choose a feeling and show it to everybody."""
        if not self.table.own:
            return

        def then(emotion: Emotion | None) -> None:
            if emotion is not None:
                self.run_worker(self.table.client.send(Emote(emotion=emotion)))

        self.app.push_screen(Feelings(), then)
