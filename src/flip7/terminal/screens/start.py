"""Before a game: go on with one that was left, or choose opponents, target and speed for another."""

from __future__ import annotations

from pathlib import Path
from typing import Any, ClassVar, get_args

import msgspec
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.widgets import Button, Input, Label, Select, SelectionList, Static
from textual.widgets.selection_list import Selection

from flip7.game.options import TARGET
from flip7.protocol.messages import Speed
from flip7.strategy.cast import CAST, Member
from flip7.terminal.desk import Desk, bot_of, opponents, unfinished
from flip7.terminal.screens.base import BaseScreen, Keys, Number
from flip7.terminal.screens.games import GamesScreen, told
from flip7.terminal.screens.play import PlayScreen
from flip7.terminal.screens.results import ResultsScreen
from flip7.terminal.screens.ticks import Ticks
from flip7.terminal.table.showing import Showing
from flip7.terminal.tables import LocalTable


class StartScreen(BaseScreen[None]):
    """The first screen of `flip7 play`."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "app.leave", show=False),
        Binding("question_mark,r", "rules", show=False),
        Binding("f2,comma", "settings", show=False),
        Binding("g", "go_on", show=False),
        Binding("a", "all", show=False),
        Binding("n", "start", show=False),
    ]

    def __init__(self, desk: Desk | None = None, problem: str = "") -> None:
        """With a desk its game is played at once."""
        super().__init__()
        self._desk = desk
        self._problem = problem
        self._begun = False
        self._left: Path | None = None

    def compose(self) -> ComposeResult:
        """Lay out what can be chosen; nothing of it while a game begins at once, which is quicker."""
        if self._desk is not None:
            return
        words, settings = self.words, self.terminal.settings
        yield Static(
            Content.assemble((" Flip 7 ", "bold $background on $primary"), f"  {words('home.tagline')}"), id="top"
        )
        with VerticalScroll(classes="form", can_focus=False):
            yield Static(id="problem", markup=False)
            yield Button(words("home.resume.go"), id="goon", variant="success", compact=True)
            yield Label(words("home.bots"), classes="heading")
            yield Ticks(
                *(
                    Selection(
                        Content.assemble((member.name, "bold"), f"  {words(f'bot.{member.id}')}"),
                        member.id,
                        member.id in settings.opponents,
                    )
                    for member in CAST
                ),
                id="bots",
            )
            with Horizontal(classes="pair"):
                yield Label(words("term.players"))
                yield Number(len(settings.opponents) + 1, 2, "players")
            with Horizontal(classes="pair"):
                yield Label(words("options.target"))
                yield Number(settings.target, 7, "target")
            with Horizontal(classes="pair"):
                yield Label(words("settings.speed"))
                yield Select(
                    [(words(f"settings.speed.{speed}"), speed) for speed in get_args(Speed)],
                    value=settings.speed,
                    allow_blank=False,
                    compact=True,
                    id="speed",
                )
            yield Button(words("home.play"), id="start", variant="primary", compact=True)
        yield Keys([])

    def _keys(self) -> list[tuple[str, str]]:
        words = self.words
        left = [("g", words("home.resume.go")), ("a", words("home.resume"))] if self._left is not None else []
        return [
            ("n", words("home.play")),
            *left,
            ("tab", words("term.move")),
            ("?", words("app.rules")),
            (",", words("app.settings")),
            ("q", words("table.leave.go")),
        ]

    def on_mount(self) -> None:
        """Offer a game that was left, or begin at once."""
        if self._desk is not None:
            self.play(self._desk)
        else:
            self._look()

    async def on_screen_resume(self) -> None:
        """Look again for games that were left."""
        if self.terminal.leaving or self.app.screen is not self:  # it was resumed, and covered at once
            return
        if self._desk is not None and self._begun:
            self._desk = None
            await self.recompose()
        if self.is_mounted and self._desk is None:
            self._look()

    def _look(self) -> None:
        found = next(unfinished(), None)
        self._left = found[0] if found is not None else None
        button = self.query_one("#goon", Button)
        button.display = found is not None
        if found is not None:
            button.label = f"{self.words('home.resume.go')}: {told(found[1], self.words)}"
        self.query_one(Keys).offer(self._keys())
        problem = self.query_one("#problem", Static)
        problem.update(self._problem)
        problem.display = bool(self._problem)
        (button if found is not None else self.query_one("#start", Button)).focus()

    @on(SelectionList.SelectedChanged)
    def picked(self) -> None:
        """As many play as were picked, and the player."""
        self.query_one("#players", Input).value = str(len(self.query_one("#bots", SelectionList).selected) + 1)

    @on(Button.Pressed, "#goon")
    def action_go_on(self) -> None:
        """Go on with the game that was left last."""
        self._resume(self._left)

    def _resume(self, path: Path | None) -> None:
        if path is None:
            return
        try:
            desk = Desk.resume(path, self.words.language)
        except (ValueError, OSError) as error:
            self._refuse(str(error))
        else:
            self.play(desk)

    def action_all(self) -> None:
        """Choose among all games that were left."""
        if self._left is not None:
            self.app.push_screen(GamesScreen(), self._resume)

    @on(Button.Pressed, "#start")
    @on(Input.Submitted)
    def action_start(self) -> None:
        """Deal a new game."""
        chosen: list[str] = [
            member.id for member in CAST if member.id in self.query_one("#bots", SelectionList).selected
        ]
        players, target = self._number("#players"), self._number("#target")
        if not 1 <= players <= 36:
            self._refuse(self.words("term.players.bad"), "#players")
        elif not 1 <= target <= TARGET:
            self._refuse(self.words("term.target.bad", n=TARGET), "#target")
        else:
            speed: Any = self.query_one("#speed", Select).value
            settings = self.terminal.settings
            self.terminal.change(msgspec.structs.replace(settings, opponents=chosen, target=target, speed=speed))
            self._deal(settings.called or self.words("you.guest"), opponents(chosen, players - 1), target)

    def _deal(self, name: str, bots: list[Member], target: int) -> None:
        try:
            desk = Desk.new(name, bots, target=target)
        except ValueError as error:
            self._refuse(str(error))
        else:
            self.play(desk)

    def _number(self, id: str) -> int:
        value = self.query_one(id, Input).value
        return int(value) if value.isdecimal() else 0

    def _refuse(self, text: str, id: str = "") -> None:
        self._problem = text
        if self.query("#problem"):  # otherwise it is laid out when this screen is on show
            self._look()
        if id:
            self.query_one(id, Input).focus()

    def play(self, desk: Desk) -> None:
        """Play a game on a screen of its own."""
        self._problem = ""
        self._begun = True
        self.app.push_screen(PlayScreen(LocalTable(desk), self._over))

    def _over(self, screen: PlayScreen, showing: Showing) -> None:
        """Show the result of a game, and do what is chosen then."""
        words = self.words
        table = screen.table
        assert isinstance(table, LocalTable)
        desk = table.desk

        def then(result: str | None) -> None:
            self.run_worker(self._go_on(desk, result))

        actions = [("n", words("results.rematch"), "again"), ("v", words("results.replay"), "replay")]
        note = words("term.kept", file=str(desk.path))
        if desk.trouble:
            note = f"{desk.path}: {words('term.unkept', why=desk.trouble)}"
        self.app.push_screen(ResultsScreen(showing.scene, showing.own, actions, note), then)

    async def _go_on(self, desk: Desk, result: str | None) -> None:
        """Leave the table of a game that is over, and do what was chosen."""
        await self.terminal.return_to(self)
        if result == "again":
            bots = [bot_of(name) for name in desk.game.players[1:]]
            self._deal(desk.game.players[0], bots, desk.game.rules.target)
        elif result == "replay":
            from flip7.terminal.replay.screen import ReplayScreen

            self.app.push_screen(ReplayScreen(desk.game))

    def action_settings(self) -> None:
        """Change settings."""
        from flip7.terminal.screens.settings import SettingsScreen

        async def again(_: None) -> None:
            await self.recompose()
            self._look()

        self.app.push_screen(SettingsScreen(), again)
