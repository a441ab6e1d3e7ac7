"""Plots of a result: win rates with their intervals, the points of a round, the length of games."""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator, PercentFormatter

from flip7.sim.export import Result
from flip7.sim.results import RoundsResult, SimResult
from flip7.sim.studies import Pairs, Sweep

# Okabe and Ito's colours, which people with any kind of colour vision can tell apart, with a brown for the yellow.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#8c6d31", "#000000")
OTHERS = "#8a939c"  # what has no colour of its own
DASHES = ("-", "--", "-.", ":")
MOST_LINES = len(COLOURS)
"""Strategies that have a colour of their own: the best ones."""
STEP = 5  # points
INK = "#010203"  # stands for the colour of the text around an inline plot
LONGEST = 28

STYLE: Any = {
    "font.family": "sans-serif",
    "font.size": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.titlesize": 11,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.axisbelow": True,
    "axes.grid": True,
    "grid.alpha": 0.25,
    "legend.frameon": False,
    "svg.fonttype": "none",
    "svg.hashsalt": "flip7",
}


def save(result: Result, path: Path) -> None:
    """Write all plots of a result as one picture, SVG or PNG by the name of the file."""
    with mpl.rc_context(STYLE):
        panels = panels_of(result)
        heights = [height for _, height in panels]
        figure = Figure(figsize=(8, sum(heights)), layout="constrained")
        FigureCanvasAgg(figure)
        grid = figure.add_gridspec(len(panels), 1, height_ratios=heights)
        for number, (draw, _) in enumerate(panels):
            draw(figure.add_subplot(grid[number]), result)
        path.write_bytes(picture(figure, path.suffix.lower().removeprefix(".")))


def picture(figure: Figure, kind: str, *, transparent: bool = False) -> bytes:
    """Return a figure as SVG or PNG, without a date, so that it is the same at any time.

    A sign of a name that the font lacks is a box, and no reason for a warning.
    """
    data = io.BytesIO()
    metadata: dict[str, Any] = {"Date": None} if kind == "svg" else {}
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing from font", UserWarning)
        figure.savefig(data, format=kind, dpi=150, transparent=transparent, metadata=metadata)
    return data.getvalue()


def inline(result: Result) -> list[str]:
    """Return the plots one by one, as SVG to put into a page."""
    return [for_page(draw, result, height, number) for number, (draw, height) in enumerate(panels_of(result))]


def for_page(draw: Callable[[Axes, Any], None], found: Any, height: float, number: int = 0) -> str:
    """Return what `draw` makes of a result, as SVG to put into a page. It takes the colour of the text around it."""
    ink: Any = dict.fromkeys(
        ("text.color", "axes.labelcolor", "axes.edgecolor", "xtick.color", "ytick.color", "axes.titlecolor"), INK
    )
    with mpl.rc_context({**STYLE, **ink, "grid.color": INK, "svg.hashsalt": f"flip7 {number}"}):
        figure = Figure(figsize=(5.6, height), layout="constrained")
        FigureCanvasAgg(figure)
        draw(figure.add_subplot(), found)
        return _for_page(picture(figure, "svg", transparent=True).decode())


def _for_page(svg: str) -> str:
    """Return a picture without what belongs to a file of its own: header, size, names that other pictures have too."""
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.S)
    svg = re.sub(r'<svg [^>]*?(viewBox="[^"]*")[^>]*>', r'<svg role="img" \1>', svg, count=1)
    svg = re.sub(r'<g id="[^"]*"', "<g", svg)
    return svg.replace(INK, "currentColor").replace(COLOURS[-1], "currentColor")


def panels_of(result: Result) -> list[tuple[Any, float]]:
    """Return what is drawn, and how high."""
    if isinstance(result, RoundsResult):
        return [(draw_rounds, 4.0)]
    if isinstance(result, Sweep):
        return [(draw_sweep, 3.8)]
    if isinstance(result, Pairs):
        return [(draw_pairs, 1.6 + 0.45 * min(len(result.strategies), MOST_LINES))]
    return [
        (draw_win_rates, 1.2 + 0.32 * len(result.strategies)),
        (draw_scores, 3.6),
        (draw_lengths, 2.8),
    ]


def draw_win_rates(axes: Axes, result: SimResult) -> None:
    """Every entry's win rate with its interval, the best one on top."""
    order = sorted(range(len(result.strategies)), key=lambda entry: result.wins[entry])
    names = [label(result.strategies[entry]) for entry in order]
    colours = colours_of(result)
    for place, entry in enumerate(order):
        rate, (low, high) = result.win_rates[entry], result.win_intervals[entry]
        colour = colours.get(result.strategies[entry], OTHERS)
        error = [[max(rate - low, 0)], [max(high - rate, 0)]]
        axes.errorbar(rate, place, xerr=error, fmt="o", color=colour, capsize=4, markersize=6)
        axes.annotate(
            f"{100 * rate:.2f} %",
            (1, place),
            (6, 0),
            ("axes fraction", "data"),
            "offset points",
            va="center",
            fontsize=9,
        )
    axes.axvline(1 / len(order), color=axes.xaxis.label.get_color(), alpha=0.5, linestyle=":", linewidth=1)
    axes.set_yticks(range(len(order)), names)
    axes.set_ylim(-0.6, len(order) - 0.4)
    axes.margins(x=0.05)
    axes.xaxis.set_major_formatter(PercentFormatter(1, decimals=None))
    axes.set_xlabel("games won, with 95 % confidence interval (dotted: what is even)", wrap=True)
    axes.set_title("Win rates")
    axes.grid(visible=False, axis="y")


def draw_scores(axes: Axes, result: SimResult) -> None:
    """How the points of a round are spread, in steps, a line for each strategy; 0 has a step of its own.

    The last step holds all above it, so that nothing is cut off.
    """
    steps = range(1, _upper(result.scores) + STEP, STEP)
    edges = [1 - STEP, *steps]
    colours = colours_of(result)
    for number, (strategy, colour) in enumerate(colours.items()):
        rows = [result.scores[entry] for entry, name in enumerate(result.strategies) if name == strategy]
        rounds = max(sum(map(sum, rows)), 1)
        counts = [sum(row[0] for row in rows)]
        counts += [sum(sum(row[low : low + STEP]) for row in rows) for low in steps[:-1]]
        counts[-1] += sum(sum(row[steps[-1] :]) for row in rows)
        shares = [count / rounds for count in counts]
        dash = DASHES[number % len(DASHES)]
        axes.stairs(shares, edges, color=colour, linestyle=dash, linewidth=1.6, label=label(strategy))
    by = max(1, -(-len(steps) // 8))
    ticks = list(steps[by // 2 : -1 : by])  # the first one not close to 0
    last = steps[-2]
    names = [f"{low}–{low + STEP - 1}" if low != last else f"{low}+" for low in ticks]
    axes.set_xticks([1 - STEP / 2, *(low + STEP / 2 for low in ticks)], ["0", *names], fontsize=8)
    axes.set_xlim(edges[0], edges[-1])
    axes.set_ylim(0)
    axes.yaxis.set_major_formatter(PercentFormatter(1))
    axes.set_xlabel("points (busts are 0; the last step holds all above)", wrap=True)
    axes.set_ylabel("rounds")
    axes.set_title("Points of a round" + _of_all(kinds(result)))
    axes.grid(visible=False, axis="x")
    axes.legend(loc="upper left", bbox_to_anchor=(1, 1))


def draw_lengths(axes: Axes, result: SimResult) -> None:
    """How many rounds the games took; the last bar holds the few that took longer."""
    seen = [rounds for rounds, games in enumerate(result.lengths) if games]
    usual = [rounds for rounds in seen if result.lengths[rounds] > result.games / 5000] or [1]
    rounds = range(min(seen, default=1), max(usual) + 1)
    games = [result.lengths[r] for r in rounds]
    games[-1] += sum(result.lengths[max(usual) + 1 :])
    axes.bar(rounds, [count / max(result.games, 1) for count in games], color=COLOURS[0], width=0.8)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))
    axes.yaxis.set_major_formatter(PercentFormatter(1, decimals=None))
    more = f" (the last bar: {max(usual)} and more)" if seen and max(seen) > max(usual) else ""
    axes.set_xlabel(f"rounds{more}")
    axes.set_ylabel("games")
    axes.set_title(f"Length of games: {result.rounds_per_game:.2f} rounds on average")
    axes.grid(visible=False, axis="x")


def draw_rounds(axes: Axes, result: RoundsResult) -> None:
    """How the points of one player's rounds are spread. Rounds without points would dwarf the rest: they are told."""
    shares = [count / max(result.rounds, 1) for count in result.scores]
    axes.bar(range(1, len(shares)), shares[1:], color=COLOURS[0], width=0.85, label="rounds with points")
    axes.axvline(result.mean, color=COLOURS[2], linestyle="--", label=f"mean {result.mean:.2f}")
    axes.plot([], [], " ", label=f"0 points: {100 * shares[0]:.1f} % (not drawn)")
    axes.set_xlim(0, max(len(shares), result.mean + 1))
    axes.yaxis.set_major_formatter(PercentFormatter(1, decimals=None))
    axes.set_xlabel("points")
    axes.set_ylabel("rounds")
    axes.set_title(f"Points of a round: {label(result.strategy)}")
    axes.legend(loc="upper left", bbox_to_anchor=(1, 1))


def draw_sweep(axes: Axes, result: Sweep) -> None:
    """A curve of win rates with their intervals, and where its best point may be."""
    errors = [
        [max(rate - low, 0) for rate, (low, _) in zip(result.win_rates, result.win_intervals, strict=True)],
        [max(high - rate, 0) for rate, (_, high) in zip(result.win_rates, result.win_intervals, strict=True)],
    ]
    if result.interval is not None and result.best is not None:
        low, high = result.interval
        if low < high:
            span = f"may be best: {low:g} to {high:g}"
            axes.axvspan(low, high, color=COLOURS[2], alpha=0.15, linewidth=0, label=span)
        best = (result.values[result.best], result.win_rates[result.best])
        axes.plot(
            *best, "o", color=COLOURS[1], markersize=9, zorder=3, label=f"best: {best[0]:g}, {100 * best[1]:.2f} %"
        )
    axes.errorbar(result.values, result.win_rates, yerr=errors, fmt="o-", color=COLOURS[0], capsize=3, markersize=4)
    if result.by_players:
        even = [1 / (len(others) + 1) for others in result.opponents]
        axes.plot(result.values, even, ":", color=axes.xaxis.label.get_color(), alpha=0.6, label="even")
        axes.xaxis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))
    axes.yaxis.set_major_formatter(PercentFormatter(1, decimals=None))
    axes.set_xlabel("players" if result.by_players else label(result.sweep))
    axes.set_ylabel("games won")
    word = "among" if result.by_players else "against"
    axes.set_title(f"{label(result.subject)} {word} {label(', '.join(result.others))}", wrap=True)
    if result.by_players or result.best is not None:
        axes.legend(loc="upper left", bbox_to_anchor=(1, 1))


def draw_pairs(axes: Axes, result: Pairs) -> None:
    """The matrix of differences between the best strategies, best first, each with its number."""
    order = result.order[:MOST_LINES]
    names = [label(result.strategies[entry]) for entry in order]
    values = [[result.differences[one][other] or 0.0 for other in order] for one in order]
    most = max((abs(value) for row in values for value in row), default=0.0) or 1.0
    edges = [place - 0.5 for place in range(len(order) + 1)]
    axes.pcolormesh(edges, edges, values, cmap="PuOr", vmin=-2 * most, vmax=2 * most)  # an image is no part of a page
    axes.invert_yaxis()
    for row, one in enumerate(order):
        for column, other in enumerate(order):
            value = result.differences[one][other]
            text = "–" if value is None else f"{100 * value:+.1f}"
            axes.text(column, row, text, ha="center", va="center", fontsize=8, color="#1b1f24")
    axes.set_xticks(range(len(names)), names, rotation=30, ha="right")
    axes.set_yticks(range(len(names)), names)
    axes.grid(visible=False)
    title = "How much more of the games the row wins than the column, in percent points"
    axes.set_title(title + _of_all(result.strategies), wrap=True)


def colours_of(result: SimResult) -> dict[str, str]:
    """Return a colour for each of the best strategies, none of them twice."""
    best = sorted(kinds(result), key=lambda name: -max(_wins(result, name)))[:MOST_LINES]
    return {name: COLOURS[place] for place, name in enumerate(name for name in kinds(result) if name in best)}


def _wins(result: SimResult, strategy: str) -> list[int]:
    return [wins for name, wins in zip(result.strategies, result.wins, strict=True) if name == strategy]


def _of_all(strategies: Sequence[str]) -> str:
    """Return what is said when not everything is drawn."""
    return f": the best {MOST_LINES} of {len(strategies)} strategies" if len(strategies) > MOST_LINES else ""


def at_least(counts: list[int]) -> list[float]:
    """Return, for every step, the share that has at least that much."""
    left = total = sum(counts)
    shares = []
    for count in counts:
        shares.append(left / max(total, 1))
        left -= count
    return shares


def _upper(rows: list[list[int]]) -> int:
    """Return where the axis of points may end: nearly nothing lies beyond."""
    far = 1
    for row in rows:
        shares = at_least(row)
        far = max([far, *(score for score, share in enumerate(shares) if share > 0.004)])
    return far + 2


def kinds(result: SimResult) -> list[str]:
    """Return the different strategies, in the order in which they were given."""
    return list(dict.fromkeys(result.strategies))


def label(strategy: str) -> str:
    """Return a strategy's name as text that matplotlib shows as it is."""
    short = strategy if len(strategy) <= LONGEST else f"…{strategy[1 - LONGEST :]}"
    short = "".join(c if c.isprintable() else "?" for c in short).replace("$", r"\$")
    return short if not short.startswith("_") else f"\u200b{short}"
