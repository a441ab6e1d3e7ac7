"""What can be called up over the table: the keys, the odds, and what a coach would do."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from typing import ClassVar, NamedTuple

from rich.cells import cell_len
from textual import work
from textual.content import Content

from flip7 import extras
from flip7.game.odds import odds
from flip7.game.position import Position
from flip7.game.view import Choice
from flip7.protocol.scene import is_number
from flip7.terminal.screens.base import Sheet
from flip7.terminal.table.showing import Showing
from flip7.terminal.texts import Words
from flip7.terminal.thinking import away

HELP = (
    ("h", "term.help.h"),
    ("s", "term.help.s"),
    ("1–9", "term.help.number"),
    ("u", "term.help.u"),
    ("space", "term.help.space"),
    ("PgDn", "term.help.page"),
    ("o", "term.help.o"),
    ("c", "term.help.c"),
    ("l", "term.help.l"),
    ("r", "term.help.r"),
    ("e", "term.help.e"),
    ("q", "term.help.q"),
)


def help_text(words: Words, offered: Sequence[str]) -> Content:
    """Return the keys of the table with what they do; coach and feelings only where they are offered."""
    lines = [Content(words("rules.lead")), Content("")]
    lines += [
        Content.assemble((f"{key:>6}  ", "bold $primary"), words(text))
        for key, text in HELP
        if key not in ("c", "e") or key in offered
    ]
    return Content("\n").join(lines)


def odds_text(showing: Showing, position: Position | None) -> Content:
    """Return what the next card would do: to everybody, and card by card where the whole position is known."""
    scene, words = showing.scene, showing.words
    if scene.state.odds is None:
        return Content(words("term.odds.hidden"))
    lines = []
    active = [seat for seat, there in enumerate(scene.seats) if there.status == "active"]
    if not active or scene.scored is not None:  # between two rounds there is no next card to speak of
        return Content(words("term.odds.hidden"))
    widest = max((cell_len(scene.names[seat]) for seat in active), default=0)
    for seat in active:
        chance, seven = scene.state.odds.bust[seat], scene.state.odds.flip7[seat]
        tail = f"  Flip 7 {words.percent(seven)}" if seven else ""
        lines.append(
            Content.assemble(
                (f"{scene.names[seat]}{' ' * (widest - cell_len(scene.names[seat]))}  ", "bold"),
                (f"{words('table.bust')} {words.percent(chance):>5}", "$error" if chance >= 1 / 3 else ""),
                (tail, "$success"),
            )
        )
    ask = scene.ask
    if ask is not None and ask.seat in showing.own and scene.state.odds.hit is not None:
        lines += [Content(""), Content(words("term.odds.hit", n=f"{scene.state.odds.hit:+.1f}"))]
    if position is not None and ask is not None and ask.seat in showing.own:
        lines += [Content(""), *_each_card(showing, position, ask.seat)]
    return Content("\n").join(lines)


def _each_card(showing: Showing, position: Position, seat: int) -> list[Content]:
    """Every card that can come, with its chance; those that would bust stand out."""
    try:
        found = odds(position, seat)
    except ValueError:
        return []
    line = set(position.seats[seat].line)
    parts = []
    for card, chance in found.cards.items():
        danger = is_number(card) and card in line
        text = Content.styled(f"{showing.words.percent(chance):<6}", "bold $error" if danger else "")
        parts.append(Content.assemble(showing.painter.chip(card), " ", text))
    rows = [parts[i : i + 6] for i in range(0, len(parts), 6)]
    return [Content(" ").join(row) for row in rows]


class Worth(NamedTuple):
    """What a choice is worth."""

    choice: Choice
    win: float
    note: str


def advice_text(showing: Showing, choices: Sequence[Worth], best: Choice, *, sure: bool) -> Content:
    """Return every choice with the chance to win that it leaves, the best one first."""
    words, names = showing.words, showing.scene.names
    rows = [Content.styled(words("coach.challenge" if len(names) == 1 else "coach.win"), "bold $primary")]
    for choice, win, note in sorted(choices, key=lambda one: -one.win):
        called = names[choice] if isinstance(choice, int) else words(f"table.{choice}")
        rows.append(
            Content.assemble(
                ("▸ " if choice == best else "  ", "bold $success"),
                (words("coach.choice", what=called, n=words.percent(win)), "bold" if choice == best else ""),
                (f"   {note}", "$soft"),
            )
        )
    rows += [] if sure else [Content(""), Content(words("coach.close"))]
    return Content("\n").join(rows)


class Coach(Sheet[None]):
    """Thinks about the open question, and says what it would do and why."""

    ready: ClassVar[bool] = False
    """Whether a coach has thought already, so that nothing has to be compiled any more."""

    def __init__(self, showing: Showing, position: Position) -> None:
        words = showing.words
        waits = "coach.thinking" if Coach.ready else "term.coach.compiles"
        super().__init__(words("coach.title"), words(waits))
        self._showing = showing
        self._position = position

    def on_mount(self) -> None:
        """Begin to think, where thinking can be compiled."""
        if find_spec("numba") is None:
            self.show(lacking(self._showing.words, "coach.title", "numba", "sim"))
        else:
            self.think()

    @work(exclusive=True)
    async def think(self) -> None:
        """Ask for advice, away from the screen."""
        from flip7.strategy.advice import advise

        found = await away(lambda report: advise(self._position, seed=0, precision=0.02, progress=report))
        Coach.ready = True
        words = self._showing.words
        choices = [
            Worth(one.choice, one.win, words("term.coach.points", n=f"{one.points:.1f}")) for one in found.choices
        ]
        self.show(advice_text(self._showing, choices, found.best, sure=found.sure))


def lacking(words: Words, what: str, package: str, extra: str) -> str:
    """Return what has to be installed for something that the catalogue has a word for."""
    return words("term.missing", what=words(what), package=package, command=extras.advice(extra))
