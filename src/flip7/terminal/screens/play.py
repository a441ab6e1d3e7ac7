"""The table: a whole game on one screen, played with single keys, whether it is here or on a server."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from time import monotonic
from typing import ClassVar

from textual import events, on, work
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.timer import Timer
from textual.widget import Widget

from flip7 import Card
from flip7.game.events import Event, RoundScored
from flip7.game.view import Choice
from flip7.protocol.messages import GameView, Speed
from flip7.protocol.scene import Scene, lines_of
from flip7.terminal.director import SUMMARY, Director
from flip7.terminal.screens.base import Keys, Sheet
from flip7.terminal.table.actions import Actions
from flip7.terminal.table.board import Board, Chosen
from flip7.terminal.table.mine import Mine
from flip7.terminal.table.screen import TableScreen
from flip7.terminal.table.sheets import Coach, help_text, odds_text
from flip7.terminal.table.showing import PAGE, Pending, Showing
from flip7.terminal.tables import Table

UNDO = 1.2
"""Seconds within which a choice that reveals nothing can be taken back."""
COUNTS = 16
"""Points are counted up in this many steps."""


class PlayScreen(TableScreen[bool]):
    """One table on show; whoever leaves it leaves it with `True`."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("h", "choose('hit')", show=False),
        Binding("s", "choose('stay')", show=False),
        *(Binding(str(key), f"target({key})", show=False) for key in range(1, PAGE + 1)),
        Binding("0", "more", show=False),
        Binding("u", "undo", show=False),
        Binding("space", "skip", show=False),
        Binding("question_mark", "help", show=False),
        Binding("o", "odds", show=False),
        Binding("c", "coach", show=False),
        Binding("l", "log", show=False),
        Binding("r", "rules", show=False),
        Binding("q,escape", "leave", show=False),
    ]

    def __init__(self, table: Table, over: Callable[[PlayScreen, Showing], None]) -> None:
        """`over` is called when the game is over and all of it has been told."""
        super().__init__()
        self.table = table
        self.director: Director | None = None
        self._over = over
        self._hold: Timer | None = None
        self._counting: Timer | None = None
        self._ticking: Timer | None = None
        self._ended: str | None = None
        """The game that has ended and whose end was told."""

    def below(self) -> Iterable[Widget]:
        """The own hand, and what can be done."""
        return Mine(), Actions()

    @property
    def coached(self) -> bool:
        """Whether a coach can be asked here."""
        return self.table.position is not None

    def keys(self) -> list[tuple[str, str]]:
        """Return what can be called up, and how to leave."""
        words = self.words
        keys = [
            ("?", words("term.help")),
            ("space", words("term.skip")),
            ("o", words("term.odds")),
            ("c", words("term.coach")),
            ("l", words("term.log")),
            ("r", words("app.rules")),
            ("q", words("table.leave.go")),
        ]
        return keys if self.coached else [key for key in keys if key[0] != "c"]

    def on_mount(self) -> None:
        """Begin."""
        self._arrange(self.app.size.width, self.app.size.height)
        self.run_table()

    def on_unmount(self) -> None:
        """End, also with the application."""
        self.table.let_go()

    @work(exclusive=True)
    async def run_table(self) -> None:
        """Tell what comes from the table, in order, for ever."""
        await self.table.begin()
        arrivals = self.table.arrivals
        while True:
            told, at, missed = await arrivals.next()
            if isinstance(told, GameView):
                self.restart(told)
            elif self.director is not None:
                self._take_back()
                await self.director.tell(told, at, arrivals.steps, missed=missed)
            if arrivals.empty():
                await self._settled(at)

    @property
    def speed(self) -> Speed:
        """How fast things are told: as the table says, or as the settings do."""
        return self.table.speed or self.terminal.settings.speed

    def restart(self, view: GameView) -> None:
        """Show a whole state; a choice that did not count yet was about another one."""
        self._take_back()
        scene = Scene(view)
        before = self.showing.scene if self.showing is not None else None
        same = before is not None and before.game == scene.game
        scene.recall(before.log if before and same else lines_of(self.table.past))
        gauge = self.showing.gauge if self.showing is not None else self.terminal.settings.gauge
        self.showing = Showing(scene, self.table.own, self.words, self.terminal.painter)
        self.showing.gauge = gauge
        self.director = Director(scene, self.show, lambda: self.speed)
        self._arrange(self.app.size.width, self.app.size.height)
        self.show(None)

    async def _settled(self, at: float) -> None:
        """Everything has been told, the last of it came at a time: ask, let others answer, or end."""
        showing, director = self.showing, self.director
        if showing is None or director is None:
            return
        showing.sent = False
        showing.page = 0
        ask = showing.scene.ask
        if ask is None:
            if showing.scene.winner is not None and self._ended != showing.scene.game:
                self._ended = showing.scene.game
                await self.terminal.return_to(self)
                self._over(self, showing)
        elif ask.seat in showing.own:
            director.rest()
            self._set_clock(None if ask.seconds is None else at + ask.seconds)
            self.show(None)
        else:
            self.show(None)
            await self.table.go_on(director.think)

    def _set_clock(self, deadline: float | None) -> None:
        """Show how much time is left until a time, once a second, where there is a limit."""
        if self._ticking is not None:
            self._ticking.stop()
            self._ticking = None
        if self.showing is not None:
            self.showing.deadline = deadline
        if deadline is not None:
            left = max(0, int(deadline - monotonic()))
            self._ticking = self.set_interval(1, self.query_one(Actions).redraw, repeat=left)

    def show(self, event: Event | None) -> None:
        """Draw what has changed; nothing while this screen is being taken away."""
        showing = self.showing
        if showing is None or not self.query("#top"):
            return
        if event is not None:
            showing.event = event
        elif showing.scene.ask is not None and showing.scene.ask.seat in showing.own:
            showing.event = None
        if isinstance(event, RoundScored):
            self._count()
        self.head(self._title(showing))
        self.draw()

    def draw(self) -> None:
        """Draw the table, the own hand and what can be done."""
        super().draw()
        for widget in (self.query_one(Mine), self.query_one(Actions)):
            widget.showing = self.showing
            widget.redraw()

    def _count(self) -> None:
        """Count the points of a round up."""
        showing = self.showing
        assert showing is not None
        if self.speed == "instant":
            showing.counted = 1.0
            return
        showing.counted = 0.0
        if self._counting is not None:
            self._counting.stop()
        self._counting = self.set_interval(SUMMARY / COUNTS, self._counted, repeat=COUNTS)

    def _counted(self) -> None:
        showing = self.showing
        if showing is not None:
            showing.counted = min(1.0, showing.counted + 1 / COUNTS)
            self.query_one(Board).redraw()
            self.query_one(Mine).redraw()

    def _title(self, showing: Showing) -> Content:
        scene, words = showing.scene, self.words
        trouble = self.table.trouble
        unkept = f"  {words('term.unkept', why=trouble)}" if trouble else ""
        parts = [
            words("table.round", n=scene.round),
            *([words("table.playoff")] if scene.playoffs else []),
            words("table.to", n=scene.target),
            words("table.deck", n=scene.deck),
        ]
        if self.app.size.width >= 60:
            parts.append(words("table.discard", n=scene.discard))
        return Content.assemble(
            (" Flip 7 ", "bold $background on $primary"),
            (unkept, "bold $error"),
            ("  " + " · ".join(parts), "$foreground"),
        )

    def on_resize(self, event: events.Resize) -> None:
        """Lay out again."""
        self._arrange(event.size.width, event.size.height)
        if self.showing is not None:
            self.head(self._title(self.showing))

    def _arrange(self, width: int, height: int) -> None:
        """Give every part its room; who only watches has no hand."""
        hand = self.showing is None or bool(self.showing.own)
        note = Actions.note(self.showing, width)
        found = self.lay_out(width, height, note, hand=hand, choices=True)
        self.query_one(Keys).offer(self.keys())
        self.query_one(Mine).styles.height = found.hand
        self.query_one(Actions).styles.height = found.choices + note

    # What people do.

    def action_choose(self, choice: Choice) -> None:
        """Hit or stay."""
        showing = self.showing
        ask = showing.scene.ask if showing is not None and showing.asked else None
        if ask is not None and choice in ask.options:
            self._choose(choice)

    def action_target(self, key: int) -> None:
        """Give the card to the player with this key."""
        seat = self.showing.seat_of(key) if self.showing is not None else None
        if seat is not None:
            self._choose(seat)

    @on(Chosen)
    def clicked(self, message: Chosen) -> None:
        """Give the card to the player who was clicked."""
        if self.showing is not None and message.seat in self.showing.targets:
            self._choose(message.seat)

    @on(Actions.Pressed)
    def pressed(self, message: Actions.Pressed) -> None:
        """Do what a click on a choice means."""
        if message.action in ("hit", "stay"):
            self.action_choose(message.action)
        else:
            self.call_later(getattr(self, f"action_{message.action}"))

    def action_more(self) -> None:
        """Give keys to the next players."""
        showing = self.showing
        if showing is not None and showing.targets:
            showing.page = (showing.page + 1) % -(-len(showing.targets) // PAGE)
            self.show(None)

    def _choose(self, choice: Choice) -> None:
        """Make a choice, at once if it reveals something, otherwise after a moment for second thoughts."""
        showing = self.showing
        assert showing is not None
        assert showing.scene.ask is not None
        harmless = choice == "stay" or showing.scene.ask.card in (Card.FREEZE, Card.SECOND)
        if not harmless or self.speed == "instant":
            self._commit(choice)
            return
        showing.pending = Pending(choice)
        self._hold = self.set_timer(UNDO, lambda: self._commit(choice))
        self.show(None)

    def _commit(self, choice: Choice) -> None:
        self._take_back()
        self._set_clock(None)
        assert self.showing is not None
        self.showing.sent = True
        self.show(None)
        self.run_worker(self._send(choice))

    async def _send(self, choice: Choice) -> None:
        await self.table.choose(choice)
        self.show(None)  # it may not have been kept

    def _take_back(self) -> None:
        if self._hold is not None:
            self._hold.stop()
            self._hold = None
        if self.showing is not None:
            self.showing.pending = None

    def action_undo(self) -> None:
        """Take a choice back that has revealed nothing yet."""
        if self.showing is not None and self.showing.pending is not None:
            self._take_back()
            self.show(None)

    def action_skip(self) -> None:
        """Wait for nothing: a choice counts at once, and what follows is not told slowly."""
        showing = self.showing
        if showing is not None and showing.pending is not None:
            self._commit(showing.pending.choice)
        elif self.director is not None and not (showing is not None and showing.asked):
            self.director.hurry()
            self.run_worker(self.table.skip())

    def action_help(self) -> None:
        """Show the keys."""
        offered = [key for key, _ in self.keys()]
        self.app.push_screen(Sheet[None](self.words("term.help"), help_text(self.words, offered)))

    def action_odds(self) -> None:
        """Show the odds."""
        if self.showing is not None:
            self.app.push_screen(Sheet[None](self.words("term.odds"), odds_text(self.showing, self.table.position)))

    def action_coach(self) -> None:
        """Ask what a good player would do."""
        showing, position = self.showing, self.table.position
        if showing is not None and showing.asked and position is not None:
            self.app.push_screen(Coach(showing, position))

    def action_log(self) -> None:
        """Show everything that happened."""
        if self.showing is not None:
            from flip7.terminal.screens.log import LogScreen

            self.app.push_screen(LogScreen(self.showing))

    def action_leave(self) -> None:
        """Leave the table; a game here is kept."""
        self.run_worker(self._leave())

    async def _leave(self) -> None:
        await self.table.close()
        await self.terminal.return_to(self)
        self.dismiss(True)
