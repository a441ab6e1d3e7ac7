"""What can be done now: hit or stay, whom to give a card to, or who is waited for."""

from __future__ import annotations

from typing import NamedTuple

from rich.cells import cell_len
from textual import events
from textual.content import Content
from textual.message import Message

from flip7.terminal.drawn import Drawn
from flip7.terminal.table.showing import PAGE, Showing, fitted


class Choices(NamedTuple):
    """What one line offers: a text, buttons with their keys and actions, and another text."""

    told: str
    buttons: tuple[tuple[str, str, str], ...] = ()
    after: str = ""
    act: bool = False
    """Whether someone here is asked."""


class Actions(Drawn):
    """Draws the choices; they can be clicked too."""

    class Pressed(Message):
        """A choice was clicked."""

        def __init__(self, action: str) -> None:
            super().__init__()
            self.action = action

    def __init__(self) -> None:
        super().__init__(id="actions")
        self.showing: Showing | None = None
        self._buttons: list[tuple[int, int, str]] = []
        self._above = 0
        """How many lines the note takes."""

    def drawing(self) -> Content:
        """Return the line of choices."""
        showing, width = self.showing, self.size.width
        self._buttons = []
        if showing is None or not width:
            return Content.empty()
        line = Content("")
        for wording in self._wordings(showing):
            line = self._row(showing, wording)
            if line.cell_length <= width:
                break
        note = self._note(showing, width)
        self._above = len(note)
        top = [Content("")] * ((self.size.height - self._above - 1) // 2)
        return Content("\n").join([*note, *top, fitted(line, width)])

    @staticmethod
    def _note(showing: Showing, width: int) -> list[Content]:
        """The lines of the note."""
        if not showing.note:
            return []
        wrapped = Content.styled(showing.note, "bold $warning").wrap(max(8, width - 2))
        return [fitted(Content.assemble(" ", line), width) for line in wrapped]

    @classmethod
    def note(cls, showing: Showing | None, width: int) -> int:
        """Return how many lines the note takes."""
        return 0 if showing is None else len(cls._note(showing, width))

    def _wordings(self, showing: Showing) -> list[Choices | Content]:
        """The same choices in longer and in shorter words."""
        scene, words = showing.scene, showing.words
        ask = scene.ask
        if showing.trouble:
            return [Content.styled(f" {showing.trouble}", "bold $error")]
        if showing.pending is not None:
            choice = showing.pending.choice
            if isinstance(choice, int) and ask is not None and ask.card is not None:
                doing = words("table.giving", card=words.card(ask.card), name=scene.names[choice])
            else:
                doing = words("table.staying")
            undo, on = ("u", "undo", words("table.undo")), ("space", "skip", words("term.goon"))
            return [Choices(doing, (undo, on)), Choices("", (undo, on)), Choices("", (undo,))]
        if showing.replaced and not showing.asked:
            return [Choices("", (("b", "back", words("table.back")),), act=True)]
        if scene.scored is not None and scene.ask is None:
            return [Choices(words("summary.title", n=scene.round), (("space", "skip", words("summary.next")),))]
        if ask is None or showing.sent:
            return []
        if ask.seat not in showing.own:
            waits = words("table.turn.other", name=scene.names[ask.seat])
            if ask.kind == "target" and ask.card is not None:
                waits = words("table.chooses", name=scene.names[ask.seat], card=words.card(ask.card))
            return [Content.styled(f" {waits}", "$soft")]
        clock = brief = ""
        if showing.left is not None:
            clock, brief = words("table.time", n=showing.left), words("options.timer.s", n=showing.left)
        if ask.kind == "turn":
            hit, stay = ("h", "hit", words("table.hit")), ("s", "stay", words("table.stay"))
            full = ("s", "stay", f"{stay[2]} {words('table.stay.with', n=scene.seats[ask.seat].points)}")
            return [
                Choices("", (hit, full), clock, True),
                Choices("", (hit, full), brief, True),
                Choices("", (hit, stay), brief, True),
            ]
        question, targets = words(f"table.choose.{ask.card}"), showing.targets
        keys = f"1–{min(PAGE, len(targets) - showing.page * PAGE)}"
        more = (("0", "more", words("term.more")),) if len(targets) > PAGE else ()
        card = words.card(ask.card) if ask.card is not None else ""
        return [
            Choices(f"{question} ({keys})", more, clock, True),
            Choices(f"{question} ({keys})", more, brief, True),
            Choices(question, more, brief, True),
            Choices(f"{card} ({keys})", more, brief, True),
        ]

    def _row(self, showing: Showing, wording: Choices | Content) -> Content:
        """One line, and where its buttons are."""
        self._buttons = []
        if isinstance(wording, Content):
            return wording
        told, buttons, after, act = wording
        style = "bold $on-act on $act" if act and showing.painter.colours else "bold reverse"
        parts: list[tuple[str, str]] = [(" ", "")]
        if told:
            parts += [(f" {told} ", style if act and not buttons else "bold"), ("  ", "")]
        for key, action, text in buttons:
            start = sum(cell_len(part) for part, _ in parts)
            label = f" {key if len(key) > 1 else key.upper()}  {text} "
            self._buttons.append((start, start + cell_len(label), action))
            parts += [(label, style), ("  ", "")]
        if after:
            parts.append((after, "bold"))
        while parts[-1] == ("  ", ""):
            parts.pop()
        return Content.assemble(*parts)

    def on_click(self, event: events.Click) -> None:
        """Do what was clicked."""
        for start, end, action in self._buttons:
            if start <= event.x < end and event.y >= self._above:
                self.post_message(self.Pressed(action))
