"""Plots of a result: win rates with their intervals, the points of a round, the length of games."""

from __future__ import annotations

import io
import re
from pathlib import Path
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator, PercentFormatter

from flip7.sim.export import Result
from flip7.sim.results import RoundsResult, SimResult

# Okabe and Ito's colours, which people with any kind of colour vision can tell apart, without the yellow.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#000000")
DASHES = ("-", "--", "-.", ":")
MOST_LINES = 8
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
        kind = path.suffix.lower().removeprefix(".")
        metadata: dict[str, Any] = {"Date": None} if kind == "svg" else {}
        figure.savefig(path, format=kind, dpi=150, metadata=metadata)


def inline(result: Result) -> list[str]:
    """The plots one by one, as SVG to put into a page. They take the colour of the text around them."""
    pictures = []
    ink: Any = dict.fromkeys(
        ("text.color", "axes.labelcolor", "axes.edgecolor", "xtick.color", "ytick.color", "axes.titlecolor"), INK
    )
    for number, (draw, height) in enumerate(panels_of(result)):
        with mpl.rc_context({**STYLE, **ink, "grid.color": INK, "svg.hashsalt": f"flip7 {number}"}):
            figure = Figure(figsize=(5.6, height), layout="constrained")
            FigureCanvasAgg(figure)
            draw(figure.add_subplot(), result)
            text = io.StringIO()
            figure.savefig(text, format="svg", transparent=True, metadata={"Date": None})
            pictures.append(_for_page(text.getvalue()))
    return pictures


def _for_page(svg: str) -> str:
    """A picture without what belongs to a file of its own: header, size, names that other pictures have too."""
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.S)
    svg = re.sub(r'<svg [^>]*?(viewBox="[^"]*")[^>]*>', r'<svg role="img" \1>', svg, count=1)
    svg = re.sub(r'<g id="[^"]*"', "<g", svg)
    return svg.replace(INK, "currentColor").replace(COLOURS[-1], "currentColor")


def panels_of(result: Result) -> list[tuple[Any, float]]:
    """What is drawn, and how high."""
    if isinstance(result, RoundsResult):
        return [(draw_rounds, 4.0)]
    return [
        (draw_win_rates, 1.2 + 0.32 * len(result.strategies)),
        (draw_scores, 3.6),
        (draw_lengths, 2.8),
    ]


def draw_win_rates(axes: Axes, result: SimResult) -> None:
    """Every entry's win rate with its interval, the best one on top."""
    order = sorted(range(len(result.strategies)), key=lambda entry: result.wins[entry])
    names = [label(result.strategies[entry]) for entry in order]
    for place, entry in enumerate(order):
        rate, (low, high) = result.win_rates[entry], result.win_intervals[entry]
        colour = COLOURS[kinds(result).index(result.strategies[entry]) % len(COLOURS)]
        error = [[max(rate - low, 0)], [max(high - rate, 0)]]
        axes.errorbar(rate, place, xerr=error, fmt="o", color=colour, capsize=4, markersize=6)
        axes.annotate(f"{100 * rate:.2f} %", (high, place), (6, 0), textcoords="offset points", va="center", fontsize=9)
    even = 1 / len(order)
    axes.axvline(even, color=axes.xaxis.label.get_color(), alpha=0.5, linestyle=":", linewidth=1)
    axes.annotate("even", (even, len(order) - 0.55), (3, 0), textcoords="offset points", fontsize=8, alpha=0.8)
    axes.set_yticks(range(len(order)), names)
    axes.set_ylim(-0.6, len(order) - 0.3)
    axes.margins(x=0.15)
    axes.xaxis.set_major_formatter(PercentFormatter(1, decimals=None))
    axes.set_xlabel("games won, with 95 % confidence interval")
    axes.set_title("Win rates")
    axes.grid(visible=False, axis="y")


def draw_scores(axes: Axes, result: SimResult) -> None:
    """How the points of a round are spread, in steps, a line for each strategy; 0 has a step of its own."""
    steps = range(1, _upper(result.scores) + STEP, STEP)
    edges = [1 - STEP, *steps]
    for number, strategy in enumerate(kinds(result)[:MOST_LINES]):
        rows = [result.scores[entry] for entry, name in enumerate(result.strategies) if name == strategy]
        rounds = max(sum(map(sum, rows)), 1)
        counts = [sum(row[0] for row in rows)]
        counts += [sum(sum(row[low : low + STEP]) for row in rows) for low in steps[:-1]]
        colour, dash = COLOURS[number % len(COLOURS)], DASHES[number % len(DASHES)]
        shares = [count / rounds for count in counts]
        axes.stairs(shares, edges, color=colour, linestyle=dash, linewidth=1.6, label=label(strategy))
    axes.set_xticks(
        [1 - STEP / 2, *(low + STEP / 2 for low in steps[:-1:2])],
        ["0", *(f"{low}–{low + STEP - 1}" for low in steps[:-1:2])],
        fontsize=8,
    )
    axes.set_xlim(edges[0], edges[-1])
    axes.set_ylim(0)
    axes.yaxis.set_major_formatter(PercentFormatter(1))
    axes.set_xlabel("points (0: busts, and what little else is worth nothing)")
    axes.set_ylabel("rounds")
    axes.set_title("Points of a round")
    axes.grid(visible=False, axis="x")
    axes.legend()


def draw_lengths(axes: Axes, result: SimResult) -> None:
    """How many rounds the games took."""
    seen = [rounds for rounds, games in enumerate(result.lengths) if games > result.games / 5000] or [1]
    rounds = range(min(seen), max(seen) + 1)
    axes.bar(rounds, [result.lengths[r] / max(result.games, 1) for r in rounds], color=COLOURS[0], width=0.8)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.yaxis.set_major_formatter(PercentFormatter(1, decimals=None))
    axes.set_xlabel("rounds")
    axes.set_ylabel("games")
    axes.set_title(f"Length of games: {result.rounds_per_game:.2f} rounds on average")
    axes.grid(visible=False, axis="x")


def draw_rounds(axes: Axes, result: RoundsResult) -> None:
    """How the points of one player's rounds are spread."""
    shares = [count / max(result.rounds, 1) for count in result.scores]
    axes.bar(range(1, len(shares)), shares[1:], color=COLOURS[0], width=0.85, label="points")
    axes.bar([0], shares[:1], color=COLOURS[1], width=0.85, label=f"0 points: {100 * shares[0]:.1f} %")
    axes.axvline(result.mean, color=COLOURS[2], linestyle="--", label=f"mean {result.mean:.2f}")
    axes.set_xlim(-1, _upper([result.scores]))
    top = 1.15 * (max(shares[1:], default=0.0) or shares[0])
    axes.set_ylim(0, top)
    if shares[0] > top:
        axes.annotate(f"goes on to {100 * shares[0]:.1f} %", (0.5, 0.96 * top), (4, 0), textcoords="offset points")
    axes.yaxis.set_major_formatter(PercentFormatter(1, decimals=None))
    axes.set_xlabel("points")
    axes.set_ylabel("rounds")
    axes.set_title(f"Points of a round: {label(result.strategy)}")
    axes.legend()


def at_least(counts: list[int]) -> list[float]:
    """The share that has so much or more, for every step."""
    left = total = sum(counts)
    shares = []
    for count in counts:
        shares.append(left / max(total, 1))
        left -= count
    return shares


def _upper(rows: list[list[int]]) -> int:
    """Where the axis of points may end: nearly nothing lies beyond."""
    far = 1
    for row in rows:
        shares = at_least(row)
        far = max([far, *(score for score, share in enumerate(shares) if share > 0.004)])
    return far + 2


def kinds(result: SimResult) -> list[str]:
    """The different strategies, in the order in which they were given."""
    return list(dict.fromkeys(result.strategies))


def label(strategy: str) -> str:
    """A strategy's name as text that matplotlib shows as it is."""
    short = strategy if len(strategy) <= LONGEST else f"…{strategy[1 - LONGEST :]}"
    short = "".join(c if c.isprintable() else "?" for c in short).replace("$", r"\$")
    return short if not short.startswith("_") else f"\u200b{short}"
