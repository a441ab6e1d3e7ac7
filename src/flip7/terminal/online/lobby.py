"""The screen of an online table: who sits there before a game, and the way into it and back."""

from __future__ import annotations

import math
import secrets
from time import monotonic
from typing import ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.timer import Timer
from textual.widgets import Static

from flip7.game.game import Game
from flip7.protocol.client import LinkChanged, News, ServerRefusal, TableClient, record_of
from flip7.protocol.messages import (
    AddBot,
    Advice,
    Emoted,
    FromClient,
    Leave,
    Ready,
    Refused,
    RoomChanged,
    RoomView,
    Start,
    Started,
    Step,
    Welcome,
)
from flip7.terminal.online.ending import message, offers
from flip7.terminal.online.play import OnlinePlayScreen
from flip7.terminal.online.seats import come_to, ended, next_bot
from flip7.terminal.online.table import OnlineTable
from flip7.terminal.screens.base import BaseScreen, Keys
from flip7.terminal.screens.play import PlayScreen
from flip7.terminal.screens.results import ResultsScreen
from flip7.terminal.table.showing import Showing


class LobbyScreen(BaseScreen[None]):
    """A table of a server, from sitting down to leaving."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("r,space", "ready", show=False),
        Binding("s", "start", show=False),
        Binding("b", "bot", show=False),
        Binding("x", "give_up", show=False),
        Binding("p", "take_over", show=False),
        Binding("question_mark", "rules", show=False),
        Binding("q,escape", "app.leave", show=False),
    ]

    def __init__(self, address: str, code: str, name: str, *, watch: bool) -> None:
        """`address` is that of the server, as `base_of` writes it."""
        super().__init__()
        self._address = address
        self._code = code
        self._name_wanted = name
        self._watch = watch
        self.client: TableClient | None = None
        self._playing: OnlinePlayScreen | None = None
        self._result: ResultsScreen | None = None
        self._next: float | None = None
        """When another game begins by itself, by the monotonic clock."""
        self._ticking: Timer | None = None
        self._told = ""
        self._full = False
        """Whether a seat was wanted here and none was left."""
        self._displaced = False
        """Whether the seat is used elsewhere, from where it can be taken over."""

    def compose(self) -> ComposeResult:
        """Lay out table and keys."""
        yield Static(id="top")
        with VerticalScroll(id="lobby"):
            yield Static(id="seats", markup=False)
        yield Static(id="problem", markup=False)
        yield Keys([("q", self.words("table.leave.go"))])

    def on_mount(self) -> None:
        """Go to the table."""
        self._show()
        self.attend()

    @work(exclusive=True)
    async def attend(self) -> None:
        """Sit down or watch, then follow the table until it ends."""
        try:
            place = await come_to(self._address, self._code, self._name_wanted, watch=self._watch)
        except ServerRefusal as refusal:
            self._say(self.words.refusal(refusal.code, refusal.text))
            return
        async with TableClient(self._address, self._code, place.token) as client:
            self.client = client
            self._full = place.full
            async for news in client:
                await self._take(news)

    async def _take(self, news: News) -> None:
        """Note and show what the server tells."""
        match news:
            case Welcome():
                if news.game is not None and news.room.phase != "lobby":
                    await self._play(news)
                await self._follow(news.room)
            case Started():
                await self._play(news)
            case Step() if self._playing is not None:
                self._playing.refused("")
                self._playing.table.take(news)
            case RoomChanged():
                await self._follow(news.room)
            case Emoted():
                self._feel(news)
            case Advice() if self._playing is not None:
                self._playing.advised(news)
            case Refused() if self._playing is not None and news.about == "advise":
                self._playing.unadvised(self.words.refusal(news.code, news.text))
            case Refused(about="skip"):  # it came too late: nothing is waited for any more
                return
            case Refused() if self._playing is not None:
                self._playing.refused(self.words.refusal(news.code, news.text))
                self._offer(self.words.refusal(news.code, news.text))
            case Refused():
                self._say(self.words.refusal(news.code, news.text))
            case LinkChanged():
                await self._link(news)
        self._show()

    async def _follow(self, room: RoomView) -> None:
        """The table has changed: who is called back to the lobby leaves the game."""
        if self._playing is None:
            return
        if room.phase == "lobby":
            await self._close_play()
        else:
            assert self.client is not None
            self._playing.table.own = self.client.own
            self._playing.presence(room)
            self._count_down(room)

    async def _play(self, news: Welcome | Started) -> None:
        """Show a game from a state on, each on one screen which alone reads what is told of it."""
        client = self.client
        assert client is not None
        if self._playing is None:
            self._playing = OnlinePlayScreen(OnlineTable(client), self._over, full=self._full)
            self.app.push_screen(self._playing, self._left_play)
        elif isinstance(news, Started):  # what lies over the table belongs to the game before
            await self.terminal.return_to(self._playing)
        self._playing.table.take(news)

    def _left_play(self, left: bool | None) -> None:
        """Go, when the person wants to."""
        self._playing = None
        if left:
            self.app.exit(0)

    async def _close_play(self) -> None:
        """Come back to the lobby, whatever is on show above it."""
        self._playing = self._result = self._next = None
        await self.terminal.return_to(self)

    def _over(self, screen: PlayScreen, showing: Showing) -> None:
        """Show the result until someone calls everyone back."""
        client = self.client
        assert client is not None
        scene = showing.scene

        def act(result: str) -> None:
            if result == "replay":
                self.run_worker(self._replay(scene.game), group="replay", exclusive=True)
            else:
                self._send(message(result))

        self._result = ResultsScreen(scene, showing.own, *offers(client, self.words, self._left), act=act)
        self.app.push_screen(self._result, lambda _: self.app.exit(0))

    async def _replay(self, game: str) -> None:
        """Show a game that is over once more, with its review."""
        from flip7.terminal.replay.screen import ReplayScreen

        try:
            replay = ReplayScreen(Game.from_record(await record_of(self._address, game)))
        except ServerRefusal as refusal:
            self._offer(self.words.refusal(refusal.code, refusal.text))
        except ValueError as error:
            self._offer(str(error))
        else:
            if self._result is not None and self._result.is_current:
                self.app.push_screen(replay)

    @property
    def _left(self) -> int | None:
        """How many seconds are left until another game begins by itself."""
        return None if self._next is None else max(0, math.ceil(self._next - monotonic()))

    def _count_down(self, room: RoomView) -> None:
        """Show what can be done after a game, and count down to the next one where it begins by itself."""
        client = self.client
        assert client is not None
        began, self._next = self._next, None if room.rematch is None else monotonic() + room.rematch
        if self._ticking is not None:
            self._ticking.stop()
            self._ticking = None
        if self._left is not None:
            self._ticking = self.set_interval(1, self._offer, repeat=self._left)
            if began is None and client.seats and not client.is_host:  # a share in the next deck
                self._send(Ready(nonce=secrets.token_hex(16)))
        self._offer()

    def _offer(self, refusal: str = "") -> None:
        if self.client is not None and self._result is not None and self._result.is_attached:
            actions, note = offers(self.client, self.words, self._left)
            self._result.offer(actions, refusal or note)

    def _feel(self, news: Emoted) -> None:
        room = self.client.room if self.client is not None else None
        if room is not None and self._playing is not None:
            for number, seat in enumerate(room.seats):
                if seat.id == news.seat:
                    self._playing.feel(number, news.emotion)

    async def _link(self, news: LinkChanged) -> None:
        if news.state == "retrying":
            self._told = self.words("banner.retrying")
        elif news.state == "open":
            self._told = self.words("join.full") if self._full else ""
        elif news.state == "ended":
            self._told = ended(self._address, self._code, news.code, self.words)
            self._displaced = news.code == "displaced"
            await self._close_play()
        if self._playing is not None:
            self._playing.link("" if news.state == "open" else self._told)

    def _say(self, text: str) -> None:
        self._told = text
        self._show()

    def _show(self) -> None:
        """Draw the lobby."""
        words = self.words
        if not self.is_mounted:
            return
        self.query_one("#top", Static).update(
            Content.assemble(
                (" Flip 7 ", "bold $background on $primary"),
                f"  {words('lobby.title', code=self._code)} · {self._address}",
            )
        )
        self.query_one("#problem", Static).update(self._told)
        client = self.client
        room = client.room if client is not None else None
        if client is None or room is None:
            self.query_one("#seats", Static).update(words("banner.connecting") if not self._told else "")
            return
        lines = []
        if room.notice is not None:
            lines += [Content.styled(words(f"notice.{room.notice.kind}"), "bold $warning"), Content("")]
        lines.append(Content.styled(words("lobby.players"), "bold $primary"))
        for seat in room.seats:
            notes = [words("lobby.you")] if seat.id in client.seats else []
            notes += [words("lobby.host")] if seat.host else []
            notes += [words("lobby.bot")] if seat.bot else []
            ready = seat.ready or seat.bot is not None or seat.host
            lines.append(
                Content.assemble(
                    ("  ✓ " if ready else "  ○ ", "bold $success" if ready else "$soft"),
                    (seat.name, "bold"),
                    (f"  {', '.join(notes)}" if notes else "", "$soft"),
                    (f"  {words('lobby.isready' if ready else 'lobby.notready')}", "$success" if ready else "$soft"),
                )
            )
        lines += [Content(""), Content(f"{words('options.target')}: {room.options.target}")]
        if room.spectators:
            lines.append(Content(words("watching.n", n=room.spectators)))
        if not client.seats:
            lines.append(Content(words("lobby.watching")))
        host = next((seat.name for seat in room.seats if seat.host), "")
        if host and not client.is_host:
            lines.append(Content(words("lobby.waithost", name=host)))
        self.query_one("#seats", Static).update(Content("\n").join(lines))
        self.query_one(Keys).offer(self._keys(client))

    def _keys(self, client: TableClient) -> list[tuple[str, str]]:
        words = self.words
        if client.state == "ended" or not client.seats:
            return [*([("p", words("banner.takeover"))] if self._displaced else []), ("q", words("table.leave.go"))]
        keys = [("r", words("lobby.unready" if self._is_ready(client) else "lobby.ready"))]
        if client.is_host:
            keys = [("s", words("lobby.start")), ("b", words("lobby.addbot"))]
        return [*keys, ("?", words("app.rules")), ("x", words("lobby.leave")), ("q", words("table.leave.go"))]

    @staticmethod
    def _is_ready(client: TableClient) -> bool:
        room = client.room
        return room is not None and all(seat.ready for seat in room.seats if seat.id in client.seats)

    def _send(self, message: FromClient) -> None:
        if self.client is not None:
            self.run_worker(self.client.send(message))

    def action_ready(self) -> None:
        """Say that one is ready, or not."""
        if self.client is not None and self.client.seats:
            self._send(Ready(ready=not self._is_ready(self.client), nonce=secrets.token_hex(16)))

    def action_start(self) -> None:
        """Begin the game, as its host."""
        if self.client is not None and self.client.is_host:
            self._send(Start(nonce=secrets.token_hex(16)))

    def action_bot(self) -> None:
        """Let the next bot of the cast take a seat, as the host."""
        room = self.client.room if self.client is not None else None
        if room is not None and self.client is not None and self.client.is_host:
            self._send(AddBot(bot=next_bot(room)))

    def action_take_over(self) -> None:
        """Play here again after one has played elsewhere."""
        if self._displaced:
            self._displaced = False
            self._say("")
            self.attend()

    def action_give_up(self) -> None:
        """Give the seat up for good."""
        if self.client is not None and self.client.seats:
            self._send(Leave())
