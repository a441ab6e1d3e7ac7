"""The picture of strong play: when the net hits, by the points in hand and the lead."""

from __future__ import annotations

import io
from itertools import combinations
from pathlib import Path
from random import Random

import matplotlib as mpl
import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from playwright.async_api import Browser
from tools.pictures.camera import save

from flip7.game.position import Position
from flip7.rules.cards import TWELVE
from flip7.sim.plots import STYLE
from flip7.strategy.bench import Bench
from flip7.strategy.book import book_for
from flip7.strategy.net import SCALE, hit_gain
from flip7.strategy.policies import BY_NET

POINTS = range(6, 49, 2)
LEADS = range(-60, 61, 10)
TARGET = 200
HANDS = 10  # for each number of points
STAGES = ((60, "Early: the best opponent has 60"), (160, "Late: the best opponent has 160"))


async def take(browser: Browser, data: Path, folder: Path) -> None:
    """Draw it."""
    draw(folder / "strength.png")


def draw(path: Path) -> None:
    """Draw two maps side by side: red where hitting is better, blue where staying is."""
    with mpl.rc_context({**STYLE, "axes.grid": False}):
        figure = Figure(figsize=(8, 3.6), layout="constrained")
        FigureCanvasAgg(figure)
        for number, (best, title) in enumerate(STAGES):
            axes = figure.add_subplot(1, len(STAGES), number + 1)
            gains = np.array([[gain(points, lead, best) for points in POINTS] for lead in LEADS])
            shown = axes.pcolormesh(POINTS, LEADS, 100 * gains, cmap="RdBu_r", vmin=-15, vmax=15, shading="gouraud")
            axes.contour(POINTS, LEADS, gains, levels=[0], colors="black", linewidths=1.5)
            axes.set_title(title)
            axes.set_xlabel("points in hand")
            if number == 0:
                axes.set_ylabel("own total less that of the best opponent")
                axes.text(8, 45, "hit", weight="bold")
                axes.text(40, 45, "stay", weight="bold")
        bar = figure.colorbar(shown, ax=figure.axes, extend="both")
        bar.set_label("what hitting adds to the chance to win, %")
        picture = io.BytesIO()
        figure.savefig(picture, format="png", dpi=150)
        save(picture.getvalue(), path, 1200)


def gain(points: int, lead: int, best: int) -> float:
    """Return what hitting adds at a table of four, on average over hands with n points; nobody has stayed yet."""
    if not 0 <= best + lead < TARGET:
        return float("nan")
    total = 0.0
    for hand in hands(points):
        text = f"{best + lead}:{','.join(map(str, hand))}/{best}:7/{best - 20}:4/{best - 20}:9 turn@0"
        table = Position(text).table
        total += hit_gain(table, Bench(table, [BY_NET] * 4, book_for(4))) / SCALE
    return total / len(hands(points))


def hands(points: int) -> list[tuple[int, ...]]:
    """Return some hands of numbers that add up to n points, the likely ones more often."""
    all_hands = [
        hand
        for size in range(1, 7)
        for hand in combinations(range(1, TWELVE + 1), size)
        if sum(hand) == points and not {4, 7, 9} & set(hand)
    ]
    weights = [np.prod(hand) / 60.0 ** len(hand) for hand in all_hands]  # a number has as many copies as points
    return Random(points).choices(all_hands, weights, k=HANDS)
