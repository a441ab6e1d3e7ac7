"""A review in words, as a picture of everybody's chances, and as one page of HTML that needs nothing else."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

import flip7
from flip7.game.game import Game
from flip7.game.telling import NAMES
from flip7.rules.cards import Card
from flip7.strategy.review import Moment, Review, SeatReview

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_ROUNDS = 16  # that are named along the axis, if they are evenly far apart
LEAST = 0.02  # where the axis of the challenge ends, at the least
HEIGHT = 3.6


def signed(change: float) -> str:
    """Return a change of a chance, in percent with its sign."""
    rounded = f"{100 * change:+.1f} %"
    return "0.0 %" if rounded in ("+0.0 %", "-0.0 %") else rounded.replace("-", "−")


def result_in_words(found: Review, seat: SeatReview) -> str:
    """Return what became of a seat; alone, of the challenge (SOLO-1)."""
    if len(found.seats) == 1:
        return "met" if seat.result else "missed"
    return "won" if seat.result else "lost"


def moment_in_words(moment: Moment, names: Sequence[str]) -> str:
    """Return one sentence about a choice, a card or a deviation."""
    name = names[moment.seat]
    digits = 0 if len(moment.before) > 1 else 1  # chances of the challenge are small
    before, after = (f"{100 * chances[moment.seat]:.{digits}f} %" for chances in (moment.before, moment.after))
    where = f"in round {moment.round}"
    if moment.kind == "card":
        card = NAMES[Card(str(moment.choice))]
        return f"{where} {name} turned up {card}: from {before} to {after}."
    if moment.kind == "deviation":
        return f"{where} {_deviation(str(moment.choice), name)}: from {before} to {after} for {name}."
    act = _act(moment, moment.choice, names)
    if moment.best is not None and moment.choice != moment.best:
        better = _act(moment, moment.best, names)
        said = f"{where} {name} chose to {act}, but to {better} was better: {before} became {after}"
    else:
        said = f"{where} {name} chose to {act}, {signed(moment.margin)} better than the next best choice"
    return f"{said}{_points(moment)}."


def _points(moment: Moment) -> str:
    """Alone: what each choice is worth in points."""
    worths = " and ".join(f"{worth:.1f} for {choice}" for choice, worth in moment.points.items())
    return f" (points: {worths})" if worths else ""


def _deviation(word: str, name: str) -> str:
    """Return what happened though the rules do not say so."""
    if word == "!shuffle":
        return "the deck was shuffled early"
    if word.startswith("!lost:"):
        return f"the card {NAMES[Card(word.removeprefix('!lost:'))]} was lost"
    return f"{name} left the table" if word.startswith("!leave:") else f"{name} stayed when another was asked"


def _act(moment: Moment, choice: object, names: Sequence[str]) -> str:
    if moment.kind == "turn":
        return str(choice)
    return f"give the card to {names[int(str(choice))]}"


def draw(axes: Axes, found: Review) -> None:
    """The chance of every seat over all moments, or of the best ones, with a line where a round begins."""
    from flip7.sim.plots import COLOURS, label

    moments = range(len(found.moments) + 1)
    lines = [[moment.before[seat] for moment in found.moments] + [now.result] for seat, now in enumerate(found.seats)]
    best = sorted(range(len(lines)), key=lambda seat: -sum(lines[seat]) - len(lines[seat]) * lines[seat][-1])
    drawn = sorted(best[: len(COLOURS)])
    for place, seat in enumerate(drawn):
        axes.step(moments, lines[seat], where="mid", label=label(found.seats[seat].name), color=COLOURS[place])
    if len(drawn) < len(lines):
        axes.set_title(f"The best {len(drawn)} of {len(lines)} players")
    rounds = [
        number
        for number, moment in enumerate(found.moments)
        if number == 0 or moment.round != found.moments[number - 1].round
    ]
    for number in rounds[1:]:
        axes.axvline(number - 0.5, color=axes.xaxis.label.get_color(), alpha=0.25, linewidth=0.8)
    ticks: list[int] = []
    for number in rounds:
        if not ticks or number - ticks[-1] >= len(found.moments) / MOST_ROUNDS:
            ticks.append(number)
    axes.set_xticks(ticks, [str(found.moments[number].round) for number in ticks])
    axes.set_xlabel("round")
    axes.set_ylabel("chance to win" if len(found.seats) > 1 else "chance to meet the challenge")
    top = 1.0 if len(found.seats) > 1 else max(*lines[0], LEAST)  # the challenge is hard: who looks for 1 % in 100 %?
    axes.set_ylim(-0.02 * top, 1.02 * top)
    axes.yaxis.set_major_formatter(_percent())
    axes.grid(visible=False, axis="x")
    if len(found.seats) > 1:
        axes.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0))


def _percent() -> Any:
    from matplotlib.ticker import PercentFormatter

    return PercentFormatter(1.0, decimals=None)


def save(found: Review, path: Path) -> None:
    """Write the picture, SVG or PNG by the name of the file."""
    import matplotlib as mpl
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    from flip7.sim.plots import STYLE, picture

    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(8, 4), layout="constrained")
        FigureCanvasAgg(figure)
        draw(figure.add_subplot(), found)
        path.write_bytes(picture(figure, path.suffix.lower().removeprefix(".")))


def page(found: Review, game: Game) -> str:
    """Return the whole review as HTML."""
    from flip7.sim.plots import for_page
    from flip7.sim.report import page_start

    names = [seat.name for seat in found.seats]
    rows = "".join(
        f'<tr><td class="name">{escape(seat.name)}</td><td>{100 * seat.start:.1f} %</td><td>{signed(seat.luck)}</td>'
        f"<td>{signed(seat.skill)}</td><td>{result_in_words(found, seat)}</td><td>{len(seat.blunders)}</td></tr>"
        for seat in found.seats
    )
    head = "".join(f"<th>{word}</th>" for word in ("start", "luck", "skill", "result", "blunders"))
    points = (("Turning point", found.turning_point), ("Best choice", found.best), ("Worst choice", found.worst))
    high = "".join(
        f"<dt>{title}</dt><dd>{escape(moment_in_words(moment, names))}</dd>" for title, moment in points if moment
    )
    blunders = "".join(
        f"<li>{escape(moment_in_words(moment, names))} <code>{escape(moment.position)}</code></li>"
        for seat in found.seats
        for moment in seat.blunders
    )
    title = f"Flip 7: {', '.join(names)}"
    place = " · ".join(part for part in (game.place, game.date) if part)
    return f"""{page_start(title, place, " li { overflow-wrap: anywhere; }")}
<h2>Luck and skill</h2>
<div class="scroll"><table><tr><th class="name"></th>{head}</tr>{rows}</table></div>
<p class="dim">Skill is what a player’s own choices gave away; luck is everything else, cards and the choices of others.
Start, luck and skill add up to the result.</p>
<h2>{"Chances to win" if len(names) > 1 else "Chance to meet the challenge"}</h2>
<figure>{for_page(draw, found, HEIGHT)}</figure>
<h2>Moments</h2>
<dl>{high}</dl>
<h2>Blunders</h2>
{f"<ul>{blunders}</ul>" if blunders else "<p>No choice gave away 3 % or more.</p>"}
<p class="dim">{datetime.date.today():%Y-%m-%d}, flip7 {flip7.__version__}, seed {found.seed}</p>
</body>
</html>
"""
